"""Find quoted words in a text, and in another print of it."""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from extract.model import Span


def deciding_span(words: str, text: str) -> Span | None:
    """Return the span of some words in a text, regardless of white space; None if they are not there."""
    line, places = _in_one_line(text)
    sought = " ".join(words.split())
    start = line.find(sought)
    return Span(places[start], places[start + len(sought) - 1] + 1) if sought and start >= 0 else None


@lru_cache(maxsize=1024)
def _in_one_line(text: str) -> tuple[str, tuple[int, ...]]:
    """Return a text with each run of white space as a single space, and the original offset of each character."""
    words = list(re.finditer(r"\S+", text))
    places = (i for word in words for i in range(word.start(), word.end() + 1))
    return " ".join(word[0] for word in words), tuple(places)


def carried_over(span: Span, text: str, other: str) -> Span | None:
    """Find the words of a span in another print of its text.

    Args:
        span: the span, in the text.
        text: the text.
        other: another print of it, which differs in a few letters or words.
    Returns:
        The span of the other print that is aligned with it, in whole words; None if the other print has less than half
        of its letters there, and so says something else.
    """
    over = [c for c in Levenshtein.opcodes(text, other) if c.src_start < span.end and span.start < c.src_end]
    kept = "".join(text[max(c.src_start, span.start) : min(c.src_end, span.end)] for c in over if c.tag == "equal")
    if 2 * len("".join(kept.split())) < len("".join(text[span.start : span.end].split())):
        return None
    over = [c for c in over if c.tag != "delete"]
    start = over[0].dest_start + max(0, span.start - over[0].src_start)
    end = over[-1].dest_end - max(0, over[-1].src_end - span.end)
    while start and other[start - 1].isalnum() and other[start].isalnum():
        start -= 1
    while end < len(other) and other[end - 1].isalnum() and other[end].isalnum():
        end += 1
    while other[end - 1].isspace():
        end -= 1
    return Span(start, end)
