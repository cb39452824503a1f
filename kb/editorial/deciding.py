"""The deciding words of a provision: where what the editor quoted stands in its text, and in that of its twin."""

from __future__ import annotations

import re

from rapidfuzz.distance import Levenshtein

from extract.model import Span


def deciding_span(words: str, text: str) -> Span | None:
    """Where words stand in a text, white space apart; None if they do not."""
    found = re.search(r"\s+".join(map(re.escape, words.split())), text)
    return Span(*found.span()) if found else None


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
