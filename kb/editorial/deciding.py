"""The deciding words of a provision: where what the editor quoted stands in its reading text."""

from __future__ import annotations

import re

from rapidfuzz import fuzz

from extract.model import Span

_LEAST = 80.0  # of 100: twins differ in a word or two (`when they are called`, `when called`), other sentences in more


def deciding_span(words: str, text: str) -> Span | None:
    """Where words stand in a text: as they are but for white space, or else as nearly as a twin prints them.

    Args:
        words: the deciding words.
        text: the reading text of the provision.
    Returns:
        The span in the text, in whole words; None if nothing there is so like.
    """
    exact = re.search(r"\s+".join(map(re.escape, words.split())), text)
    if exact:
        return Span(*exact.span())
    near = fuzz.partial_ratio_alignment(words, text, score_cutoff=_LEAST)
    if near is None or near.dest_end <= near.dest_start:
        return None
    start, end = near.dest_start, near.dest_end
    while start and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return Span(start, end)
