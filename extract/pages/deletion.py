"""What all layouts share in telling furniture: the edit that takes it out, and where gatherings are signed."""

from __future__ import annotations

from extract.model import Edit

_LEAVES = (8, 16, 24, 32)


def deletion(scan: str, start: int, end: int, what: str, confidence: float) -> Edit:
    """The edit that takes a stretch of furniture out of the scan."""
    return Edit(start, end, scan[start:end], "", "furniture", "rule", confidence, what)


def opens_gathering(signature: int, page: int) -> bool:
    """Whether the gathering that a signature numbers, 1 the first, begins on a page, in one of the usual formats."""
    return any(page == leaves * (signature - 1) + 1 for leaves in _LEAVES)
