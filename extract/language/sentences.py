"""Find where sentences, clauses and paragraphs end; the project has no other sentence splitter.

A sentence boundary is a full stop, question mark or exclamation mark before a capital, unless the word is an
abbreviation after which a sentence goes on (`viz.`, `Mr.`; data/grammar.txt), or one of single letters (`i. e.`). A
remark in brackets belongs to the sentence before it. spaCy's rule-based sentencizer ends a sentence at every stop, so
that it splits `Art. 7`, `&c.` and `viz. Law 3`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache

from extract.language.lexicon import word_set
from extract.model import Span

CLAUSE_STOPS = ".;:?!"
"""The punctuation marks that end a clause or a sentence."""

_CLOSING = r"[\"”'’)\]]*"
# Punctuation alone between two sentences is a speck of the scan, or a printed dash.
_BOUNDARY = re.compile(rf"(?P<stop>[.?!]){_CLOSING}(?P<gap>\s+(?:[^\w\s\"“'‘(\[]+\s+)*)(?=[\"“'‘]?\s?[A-Z])")
_END = re.compile(rf"(?P<stop>[.?!]){_CLOSING}\s*$")
_PARAGRAPH_END = re.compile(r"[.!?:;)\]*}—\"'”’](?:[^\w,]|_)*$")
# A comma after the stop continues the clause; so does a letter or digit directly after it.
_CLAUSE_END = re.compile(rf"(?P<stop>[{re.escape(CLAUSE_STOPS)}])(?!\W*,)(?:(?=\W*[\s—–])\W+|\W*$)")
_ABBREVIATION = re.compile(
    rf"(?<![^\W\d_])(?:[a-z](?:\.\s?[a-z])+|(?<![^\W\d_]\.)(?:{'|'.join(sorted(word_set('unfinished')))}))$"
)
_LETTERS = re.compile(r"(?<![^\W\d_])[^\W\d_]\.\s?[^\W\d_]\.")
_LONGEST = 12  # characters of the longest abbreviation, with room to spare


def boundaries(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """Yield the gaps between sentences, each from the end of one to the first character of the next.

    Args:
        text: running text.
        start, end: the span to search; no boundary depends on the text after it.
    """
    for match in _BOUNDARY.finditer(text, start, len(text) if end is None else end):
        if not _abbreviated(text, match.start("stop")):
            yield Span(match.start("gap"), match.end("gap"))


def sentence(text: str, span: Span) -> Span:
    """The sentence that contains a span of a text; several sentences if the span crosses boundaries."""
    gaps = _gaps(text)
    before = bisect_right(gaps, span.start, key=lambda gap: gap.end)
    after = bisect_left(gaps, span.end, lo=before, key=lambda gap: gap.start)
    return Span(gaps[before - 1].end if before else 0, gaps[after].end if after < len(gaps) else len(text))


@lru_cache(maxsize=8)
def _gaps(text: str) -> tuple[Span, ...]:
    """The sentence boundaries of a text, cached because it is often queried many times in a row."""
    return tuple(boundaries(text))


@lru_cache(maxsize=100_000)
def ends_sentence(text: str) -> bool:
    """Whether a text ends where a sentence may end."""
    match = _END.search(text)
    return match is not None and not _abbreviated(text, match.start())


@lru_cache(maxsize=100_000)
def ends_paragraph(text: str) -> bool:
    """Whether a text ends where a paragraph may end: with a sentence, a clause before a list, a bracket or a dash."""
    return _PARAGRAPH_END.search(text) is not None


def clause_ends(text: str) -> Iterator[Span]:
    """Yield the spans that end the clauses of a text: a stop with the punctuation and blanks after it.

    Commas do not end a clause, nor do the stops of abbreviations: shortened words or single letters (`i. e.`, `A. W.`).
    """
    for match in _CLAUSE_END.finditer(text):
        at = match.start()
        if match["stop"] != "." or not (_abbreviated(text, at) or _of_letters(text, at)):
            yield Span(at, match.end())


def _of_letters(text: str, stop: int) -> bool:
    """Whether a stop is one of the two in a pair of single letters (`i. e.`)."""
    return any(_LETTERS.match(text, stop - back) for back in (1, 3, 4) if stop >= back)


def _abbreviated(text: str, stop: int) -> bool:
    return _ABBREVIATION.search(text, max(0, stop - _LONGEST), stop) is not None
