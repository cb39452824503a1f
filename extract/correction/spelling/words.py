"""The words of a scan after its joins: what the corrector reads and changes."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import NamedTuple

from extract.correction.joins import Join
from extract.correction.spelling.context import STOP, signal
from extract.language.sentences import ends_sentence
from extract.text.spacing import PARAGRAPH
from extract.text.stream import Stream


class Word(NamedTuple):
    """A run of tokens that reads as one: token indices [first, last], its text, what follows it.

    `free`: no furniture stands inside it and no editor's reading, so one edit may replace it.
    `adjoins`: none stands between it and the next word either.
    `sign`: STOP or PAUSE if one, or the end of a paragraph, follows; `ends`: a sentence ends with it.
    """

    first: int
    last: int
    start: int
    end: int
    text: str
    free: bool
    adjoins: bool
    sign: str
    ends: bool
    after: str


def read_words(
    stream: Stream, joins: dict[int, Join], separators: Sequence[str], halves: Set[int] = frozenset()
) -> tuple[Word, ...]:
    """Put the tokens together as the joins say.

    Args:
        stream: the scan's tokens.
        joins: the hyphens decided, by gap.
        separators: what separates the tokens in the reading text, by gap.
        halves: tokens that are one word with another, far from them.
    """
    words: list[Word] = []
    first = 0
    tokens, gaps = stream.tokens, stream.gaps
    while first < len(tokens):
        last, text = first, tokens[first].text
        while last + 1 in joins and joins[last + 1].one:
            last += 1
            text = joins[last].read(text, tokens[last].text)
        end = tokens[last].end
        if last + 1 in joins:
            text, end = text[:-1], end - 1
        after = " " if last + 1 in joins else separators[last + 1]
        free = first not in halves
        for i in range(first + 1, last + 1):
            free = free and not gaps[i].furniture
        sign = STOP if after == PARAGRAPH else signal(text)
        ends = after == PARAGRAPH or ends_sentence(text)
        adjoins = not gaps[last + 1].furniture
        words.append(Word(first, last, tokens[first].start, end, text, free, adjoins, sign, ends, after))
        first = last + 1
    return tuple(words)
