"""A label found in the working text, and what of it is misread."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Misreading:
    """A misread stretch of the working text and what is printed there."""

    start: int
    end: int
    printed: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A label found in the working text: where it begins, where the text after it begins, its number.

    `misreadings` are stretches of the label that were misread, and what the series proves to be printed there;
    `letter` is that of one inserted after its number (`12a`).
    """

    start: int
    end: int
    number: int
    confidence: float
    misreadings: tuple[Misreading, ...] = ()
    letter: str = ""

    def mended(self, text: str, start: int, end: int) -> str:
        """A stretch of a text that holds the label, with what is printed for its misreadings."""
        pieces: list[str] = []
        for misreading in self.misreadings:
            pieces += (text[start : misreading.start], misreading.printed)
            start = misreading.end
        return "".join(pieces) + text[start:end]
