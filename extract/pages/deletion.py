"""Helpers for all layouts: the edit that deletes furniture, and the first pages of gatherings."""

from __future__ import annotations

from extract.model import Edit

_GATHERING_PAGES = (8, 16, 24, 32)


def deletion(scan: str, start: int, end: int, what: str, confidence: float) -> Edit:
    """Return the edit that deletes a span of furniture from the scan."""
    return Edit(start, end, scan[start:end], "", "furniture", "rule", confidence, what)


def opens_gathering(signature: int, page: int) -> bool:
    """Whether the gathering with a signature number (1 for the first) begins on a page, in one of the usual formats."""
    return any(page == length * (signature - 1) + 1 for length in _GATHERING_PAGES)
