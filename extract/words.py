"""The words of a scan after its joins: what the corrector reads and changes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from extract.joins import Join
from extract.stream import Stream

_STOP = re.compile(r"[.;:?!—][^\w.;:?!—]*$")


@dataclass(frozen=True, slots=True)
class Word:
    """A run of tokens that reads as one: token indices [first, last], its text, what follows it.

    `free`: no furniture stands inside it and no editor's reading, so one edit may replace it.
    `stop`: a stop or the end of a paragraph follows.
    """

    first: int
    last: int
    start: int
    end: int
    text: str
    free: bool
    stop: bool
    after: str


def read_words(stream: Stream, joins: dict[int, Join], separators: Sequence[str]) -> tuple[Word, ...]:
    """Put the tokens together as the joins say.

    Args:
        stream: the scan's tokens.
        joins: the hyphens decided, by gap.
        separators: what separates the tokens in the reading text, by gap.
    """
    words: list[Word] = []
    first = 0
    tokens = stream.tokens
    while first < len(tokens):
        last, text = first, tokens[first].text
        while last + 1 in joins and joins[last + 1].one:
            last += 1
            text = joins[last].read(text, tokens[last].text)
        if last + 1 in joins:
            text = text[:-1]
        after = " " if last + 1 in joins else separators[last + 1]
        inside = [stream.gaps[i] for i in range(first + 1, last + 1)]
        free = not any(t.fixed for t in tokens[first : last + 1]) and not any(g.furniture for g in inside)
        stop = after == "\n\n" or bool(_STOP.search(text))
        words.append(Word(first, last, tokens[first].start, tokens[last].end, text, free, stop, after))
        first = last + 1
    return tuple(words)
