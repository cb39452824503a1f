"""The deciding words of a provision: where what the editor quoted stands in its text, and in that of its twin."""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from extract.model import Span


def deciding_span(words: str, text: str) -> Span | None:
    """Where words stand in a text, white space apart; None if they do not."""
    line, places = _in_one_line(text)
    sought = " ".join(words.split())
    start = line.find(sought)
    return Span(places[start], places[start + len(sought) - 1] + 1) if sought and start >= 0 else None


@lru_cache(maxsize=1024)
def _in_one_line(text: str) -> tuple[str, tuple[int, ...]]:
    """A text with a space for each stretch of white space, and for each of its characters the place in the text."""
    words = list(re.finditer(r"\S+", text))
    places = (i for word in words for i in range(word.start(), word.end() + 1))
    return " ".join(word[0] for word in words), tuple(places)


def carried_over(span: Span, text: str, other: str) -> Span:
    """Where the words of a span stand in another print of its text.

    Args:
        span: the span, in the text.
        text: the text.
        other: another print of it, which differs in a few letters or words.
    Returns:
        The span of the other that an alignment of the two sets over against it, in whole words.
    """
    codes = Levenshtein.opcodes(text, other)

    def place(offset: int) -> int:
        block = next(c for c in codes if c.src_start <= offset < c.src_end)
        return min(block.dest_start + offset - block.src_start, max(block.dest_start, block.dest_end - 1))

    start, end = place(span.start), place(span.end - 1) + 1
    while start and other[start - 1].isalnum() and other[start].isalnum():
        start -= 1
    while end < len(other) and other[end - 1].isalnum() and other[end].isalnum():
        end += 1
    while other[end - 1].isspace():
        end -= 1
    return Span(start, end)
