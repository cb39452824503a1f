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
    """A run of tokens that reads as one word: token indices [first, last], its text, and the separator after it.

    `free`: it has no furniture inside and is not half of a cut word, so one edit may replace it.
    `adjoins`: no furniture follows it before the next word.
    `sign`: STOP or PAUSE if it ends with one, and STOP at the end of a paragraph; `ends`: a sentence ends with it.
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
    """Combine the tokens into words according to the joins.

    Args:
        stream: the scan's tokens.
        joins: the joins, by gap.
        separators: the separators of the tokens in the reading text, by gap.
        halves: indices of tokens that are halves of a word cut by a note, which are not adjacent.
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
