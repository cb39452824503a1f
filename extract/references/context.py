"""Which series a reference means: the nearest name of a book or code decides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from extract.corpus.citations import CitedSeries
from extract.language.sentences import sentence
from extract.model import Span
from extract.references.grammar import Mention

# How sure it is which series is meant, by the place of its name.
_FOLLOWING, _BESIDE, _IN_SENTENCE, _UNNAMED = 0.99, 0.95, 0.9, 0.99
_FOLLOWS = re.compile(r"[\s,.;:)\"“”']*(?:(?:of|in|from|by|the|heading|head|under|on)\s+)*[\"“”']?\s*")
_ANOTHER = re.compile(
    r"[\s,]*\b(?:of|in)\s+(?:"
    r"(?:an?|another|any|said)\s+(?:\w+\s+){0,2}?(?:act|statute|code|ordinance|charter|constitution)s?\b"
    r"|the\s+(?:said\s+)?(?:act|code|statute|ordinance)s?,?\s+(?:of|to|for|in|entitled|passed|approved|\w+ing)\b"
    r"|the\s+(?:\w+\s+){0,3}?(?:constitution|(?:revised|general|compiled)\s+(?:statutes|laws))\b"
    r"|the\s+(?-i:[A-Z]\w+\s+){1,3}(?:club|code|laws|rules)\b)",
    re.IGNORECASE,
)  # `section two of an act to regulate ...`, `Law 7 of the Portland Club`
_LEADS = re.compile(r"(?:\s+\w+){0,3}[\s,.:;(\"“”']*")  # `the American code of laws (Law 37)`


def choose_series(
    options: Sequence[CitedSeries], text: str, mention: Mention, used: set[Span]
) -> tuple[CitedSeries | None, float]:
    """Return the series that a mention means, and how certain that is; None if no series is meant for certain.

    A name directly after it decides, and so does an act or code there without a known name, which is not in the
    library; then the nearest name before it in its sentence; without one, the series that needs no name.

    Args:
        options: the series whose word the mention uses.
        text: the text to which the offsets of `mention` refer.
        used: the names that belong to an earlier reference; a name that belongs to this one is added.
    """
    names = [name for name in _names(options, text) if name.span not in used]
    for name in names:
        if _FOLLOWS.fullmatch(text, mention.end, name.span.start):
            used.add(name.span)
            return name.series, _FOLLOWING
    if options and _ANOTHER.match(text, mention.end):
        return CitedSeries(words=(mention.word,)), _FOLLOWING
    here = sentence(text, Span(mention.start, mention.end))
    before = [name for name in names if here.start <= name.span.start and name.span.end <= mention.start]
    if before:
        nearest = before[-1]
        if not nearest.series.target:
            used.add(nearest.span)
        beside = _LEADS.fullmatch(text, nearest.span.end, mention.start)
        return nearest.series, _BESIDE if beside else _IN_SENTENCE
    if not text[here.start : mention.start].strip(' ("“[') and here.start:
        # A sentence that begins with a reference goes on with the book of the one before: `the American code. Law 24`.
        last = sentence(text, Span(here.start - 1, here.start))
        named = [name.series for name in names if last.start <= name.span.start < here.start and name.series.target]
        if named:
            return named[-1], _IN_SENTENCE
    unnamed = [series for series in options if series.default]
    return (unnamed[0], _UNNAMED) if len(unnamed) == 1 else (None, 0.5)


class _Name(NamedTuple):
    """The name of a series at a span of a text."""

    span: Span
    series: CitedSeries


def _names(options: Iterable[CitedSeries], text: str) -> list[_Name]:
    """Find the names of series in a text, in order; of two that overlap, the longer counts."""
    owners = {name: series for series in options for name in series.names}
    return [_Name(span, owners[name]) for span, name in _places(tuple(owners), text)] if owners else []


@lru_cache(maxsize=64)
def _places(names: tuple[str, ...], text: str) -> tuple[tuple[Span, str], ...]:
    """Find names in a text; cached, since a text with many references is searched many times in a row."""
    longest_first = sorted(names, key=len, reverse=True)
    either = "|".join(r"\s+".join(map(re.escape, name.split())) for name in longest_first)
    return tuple((Span(*m.span()), " ".join(m[0].split())) for m in re.finditer(rf"\b(?:{either})\b", text))
