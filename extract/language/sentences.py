"""Where sentences end: the one splitter of the project, and what is weaker than a sentence or stronger.

A boundary is a full stop, question mark or exclamation mark before a capital, unless the word is an abbreviation that
asks for more (`viz.`, `Mr.`; data/grammar.txt), or one of single letters (`i. e.`). A remark in brackets goes with the
sentence before it. spaCy's rule-based sentencizer ends a sentence at every stop: `Art. 7`, `&c.` and `viz. Law 3` are
torn.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache

from extract.language.lexicon import word_set
from extract.model import Span

CLAUSE_STOPS = ".;:?!"
"""Signs that end a clause at least."""

_CLOSING = r"[\"”'’)\]]*"
# Signs alone between two sentences are specks of the scan, or a dash that the printer set there.
_BOUNDARY = re.compile(rf"(?P<stop>[.?!]){_CLOSING}(?P<gap>\s+(?:[^\w\s\"“'‘(\[]+\s+)*)(?=[\"“'‘]?\s?[A-Z])")
_END = re.compile(rf"(?P<stop>[.?!]){_CLOSING}\s*$")
_PARAGRAPH_END = re.compile(r"[.!?:;)\]*}—\"'”’]\W*$")
# A comma goes on with the clause; so does a letter or figure that follows at once.
_CLAUSE_END = re.compile(rf"(?P<stop>[{re.escape(CLAUSE_STOPS)}])(?!\W*,)(?:(?=\W*[\s—–])\W+|\W*$)")
_ABBREVIATION = re.compile(
    rf"(?<![^\W\d_])(?:[a-z](?:\.\s?[a-z])+|(?<![^\W\d_]\.)(?:{'|'.join(sorted(word_set('unfinished')))}))$"
)
_LETTERS = re.compile(r"(?<![^\W\d_])[^\W\d_]\.\s?[^\W\d_]\.")
_LONGEST = 12  # characters of the longest abbreviation, with room to spare


def boundaries(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The gaps between sentences, each from the end of one to the first letter, or quotation mark, of the next.

    Args:
        text: running text.
        start, end: the stretch of it to look through; what stands around it is not looked at.
    """
    for match in _BOUNDARY.finditer(text, start, len(text) if end is None else end):
        if not _abbreviated(text, match.start("stop")):
            yield Span(match.start("gap"), match.end("gap"))


def sentence(text: str, span: Span) -> Span:
    """The sentence of a text in which a span of it stands; several if it runs across boundaries."""
    gaps = _gaps(text)
    before = bisect_right(gaps, span.start, key=lambda gap: gap.end)
    after = bisect_left(gaps, span.end, lo=before, key=lambda gap: gap.start)
    return Span(gaps[before - 1].end if before else 0, gaps[after].end if after < len(gaps) else len(text))


@lru_cache(maxsize=8)
def _gaps(text: str) -> tuple[Span, ...]:
    """The boundaries of a text, about which many questions are asked in a row."""
    return tuple(boundaries(text))


@lru_cache(maxsize=100_000)
def ends_sentence(text: str) -> bool:
    """Whether a text ends where a sentence may."""
    match = _END.search(text)
    return match is not None and not _abbreviated(text, match.start())


@lru_cache(maxsize=100_000)
def ends_paragraph(text: str) -> bool:
    """Whether a text ends where a paragraph may: with a sentence, a clause before a list, a bracket or a dash."""
    return _PARAGRAPH_END.search(text) is not None


def clause_ends(text: str) -> Iterator[Span]:
    """What stands between the clauses of a text and behind the last: stops of any strength but commas, with the signs
    and blanks after them; no stop of an abbreviation, be it a shortened word or single letters (`i. e.`, `A. W.`)."""
    for match in _CLAUSE_END.finditer(text):
        at = match.start()
        if match["stop"] != "." or not (_abbreviated(text, at) or _of_letters(text, at)):
            yield Span(at, match.end())


def _of_letters(text: str, stop: int) -> bool:
    """Whether a stop is one of two that follow single letters."""
    return any(_LETTERS.match(text, stop - back) for back in (1, 3, 4) if stop >= back)


def _abbreviated(text: str, stop: int) -> bool:
    return _ABBREVIATION.search(text, max(0, stop - _LONGEST), stop) is not None
