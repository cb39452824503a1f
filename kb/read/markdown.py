"""Text in Markdown."""

from __future__ import annotations


def escaped(text: str) -> str:
    """Escape a text for Markdown, with each run of white space as one space."""
    return "".join(f"\\{char}" if char in r"\`*_[]<>|#" else char for char in " ".join(text.split()))
