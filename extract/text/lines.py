"""The printed lines of a scan, with the blank space around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from extract.language.sentences import ends_sentence

_LINE = re.compile(r"\S(?:[^\n]*\S)?")
_TO_LINE_END = re.compile(r"[^\S\n]*(?:\n|\Z)")
_FAR = 9  # line ends to the next line before the first line and after the last one


@dataclass(frozen=True)
class Line:
    """A line that is not blank: its span without blanks at the ends, its text with white space collapsed.

    `above` and `below` count the line ends up to the neighbouring line (1: it is adjacent).
    """

    start: int
    end: int
    text: str
    above: int
    below: int

    @property
    def isolated(self) -> bool:
        """Whether there are blank lines on both sides."""
        return self.above > 1 and self.below > 1

    @cached_property
    def letters(self) -> int:
        return sum(map(str.isalpha, self.text))

    @cached_property
    def capital(self) -> bool:
        """Whether it is in capitals, as headings and running heads are."""
        return in_capitals(self.text)


def in_capitals(text: str) -> bool:
    """Whether a text is in capitals, allowing for a few misread letters."""
    letters = sum(map(str.isalpha, text))
    return letters >= 2 and sum(map(str.islower, text)) * 5 <= letters


def ends_line(text: str, at: int, end: int) -> bool:
    """Whether only blanks follow an offset, up to the end of its line or the end of a span."""
    return _TO_LINE_END.match(text, at, end) is not None


def collapse(text: str) -> str:
    """Replace white space by single blanks, and strip it at the ends."""
    return " ".join(text.split())


def listed(words: Sequence[str]) -> str:
    """Words as a list in a sentence: `1, 2 and 3`."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def join_parts(parts: Sequence[str]) -> str:
    """Join the parts of a text that the printer set apart; a hyphenated word becomes whole again."""
    text = parts[0]
    for part in parts[1:]:
        if text.endswith("-") and part[:1].islower():
            text = text[:-1] + part
        else:
            text += ("\n\n" if ends_sentence(text) else " ") + part
    return text


def split_lines(text: str) -> tuple[Line, ...]:
    """All lines of a text that are not blank."""
    spans = [match.span() for match in _LINE.finditer(text)]
    breaks = [_FAR, *(text.count("\n", a[1], b[0]) for a, b in pairwise(spans)), _FAR]
    return tuple(
        Line(start, end, collapse(text[start:end]), above, below)
        for (start, end), above, below in zip(spans, breaks, breaks[1:], strict=False)
    )
