"""Marks of notes that the scan reads as the end of a quotation: the note at the foot of the page tells of them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence, Set
from dataclasses import replace

from extract.correction.rules import Rule, active
from extract.correction.substitution import Substitution
from extract.model import Span
from extract.text.stream import Stream

# Without a stop an apostrophe may be a genitive's, or a speck; no print has another letter or stop behind a stop.
_CLOSES = re.compile(r"[^\W\d_][.,;:]['’t?]$")
_OPENS = re.compile(r"^[(\"“]*['‘]|[‘]")
_MARK = "*"
# So many line ends, with furniture among them, part two pages.
_PAGE = 3


def misread_marks(stream: Stream, notes: Sequence[Span], without: Set[str] = frozenset()) -> dict[int, Substitution]:
    """Apply the rules of this module.

    Args:
        stream: the scan's tokens.
        notes: the spans of the notes in the scan, in order.
        without: names of rules to leave out.
    Returns:
        The tokens that read differently, by their start.
    """
    found: dict[int, Substitution] = {}
    for rule in active(MARKS, without):
        found |= {at: replace(mark, rule=rule.name) for at, mark in rule.apply(stream, notes).items()}
    return found


def asterisks(stream: Stream, notes: Sequence[Span]) -> dict[int, Substitution]:
    """An asterisk read as an apostrophe where no quotation is open, or as a t, on a page that has a note so marked."""
    starts = [token.start for token in stream.tokens]
    found: dict[int, Substitution] = {}
    pages: dict[int, tuple[int, int]] = {}
    for note in notes:
        first = bisect_left(starts, note.start)
        if first < len(starts) and stream.tokens[first].text.startswith(_MARK):
            top = _top(stream, first)
            end, count = pages.get(top, (first, 0))
            pages[top] = (end, count + 1)
    for top, (end, count) in pages.items():
        texts = [stream.tokens[k].text for k in range(top, end)]
        places = [k for k, text in enumerate(texts, top) if _CLOSES.search(text)]
        quoted = any(_OPENS.search(text) or text.endswith(_MARK) for text in texts)
        for k in places if len(places) <= count and not quoted else ():
            text = stream.tokens[k].text
            why = f"{text[-1]} for {_MARK}: a note of the page is so marked, and no quotation is open"
            found[starts[k]] = Substitution(text[:-1] + _MARK, 0.9, why)
    return found


def _top(stream: Stream, at: int) -> int:
    """The first token of the page on which a token stands."""
    while at and not (stream.gaps[at].furniture and stream.gaps[at].breaks >= _PAGE):
        at -= 1
    return at


_TEXT, _NOTE = "he has shown his hand.", "* That is the rule."
MARKS: tuple[Rule[Callable[[Stream, Sequence[Span]], dict[int, Substitution]]], ...] = (
    Rule(
        "sign.note-mark",
        f"{_TEXT}«'|*»\n\n{_NOTE}",
        asterisks,
        notes=(Span(len(_TEXT) + 3, len(_TEXT) + 3 + len(_NOTE)),),
    ),
)
