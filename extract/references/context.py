"""Evidence from the words around a reference: which book or code they name, and which unit's text they resemble."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from extract.corpus.citations import CitedSeries
from extract.language.sentences import sentence
from extract.language.wording import Rarity, cosine, scaled, stems
from extract.model import Span
from extract.references.grammar import Mention

# How strongly a name supports its series, by its position. Ranges in which no reference of the four books changes:
# 0.85 to 0.95, 0.75 to 0.8, only 0.6 (0.55 and 0.65 change one each); 0.5 is even odds.
_BESIDE, _SAME_SENTENCE, _CONTESTED, _LAST_SENTENCE = 0.9, 0.8, 0.6, 0.5
_RIVAL_WITHIN = 0.15

_FOLLOWS = re.compile(r"[\s,.;:)\"“”']*(?:(?:of|in|from|by|the|heading|head|under|on)\s+)*[\"“”']?\s*")
_ANOTHER = re.compile(
    r"[\s,]*\b(?:of|in)\s+(?:"
    r"(?:an?|another|any|said)\s+(?:\w+\s+){0,2}?(?:act|statute|code|ordinance|charter|constitution)s?\b"
    r"|the\s+(?:said\s+)?(?:act|code|statute|ordinance)s?,?\s+(?:of|to|for|in|entitled|passed|approved|\w+ing)\b"
    r"|the\s+(?:\w+\s+){0,3}?(?:constitution|(?:revised|general|compiled)\s+(?:statutes|laws))\b)",
    re.IGNORECASE,
)  # `section two of an act to regulate ...`
_LEADS = re.compile(r"(?:\s+\w+){0,3}[\s,.:;(\"“”']*")  # `the American code of laws (Law 37)`


class Wording:
    """Compares the words around a reference with the words of the units that it may refer to."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        terms = {unit_id: set(stems(text)) for unit_id, text in texts.items()}
        self._rarity = Rarity(terms.values())
        self._rarest = math.log(1 + len(texts))  # a word in none of the texts counts as if it were in one
        self._units = {unit_id: self._vector(found) for unit_id, found in terms.items()}

    def context(self, text: str, span: Span) -> dict[str, float]:
        """Weight the words around a reference, in its sentence and the next, which may paraphrase or quote its law."""
        here = sentence(text, span)
        after = sentence(text, Span(here.end, here.end)) if here.end < len(text) else here
        around = text[here.start : span.start] + " " + text[span.end : max(here.end, after.end)]
        return self._vector(set(stems(around)))

    def likeness(self, context: Mapping[str, float], unit_id: str) -> float:
        """Return the cosine similarity of a context and a unit: 0 if they share no word, 1 for the same words."""
        return cosine(context, self._units.get(unit_id, {}))

    def _vector(self, terms: Set[str]) -> dict[str, float]:
        return scaled({stem: min(self._rarity(stem), self._rarest) for stem in terms})


def weigh(
    options: Sequence[CitedSeries], text: str, mention: Mention, used: set[Span]
) -> list[tuple[CitedSeries, float]]:
    """Weight the series that a mention may belong to by the names around it.

    A name directly after it decides, and so does an act or code there without a known name, which is not in the
    library. Otherwise the nearest name before it in its sentence counts most; without one, the last name in the
    previous sentence, if it is that of a code or book in the library.

    Args:
        options: the series whose word the mention uses.
        text: the text to which the offsets of `mention` refer.
        used: the names that belong to an earlier reference; a name that belongs to this one is added.
    Returns:
        Series and weights; empty if every option requires a name and there is none.
    """
    plain = [s for s in options if s.default]
    names = [name for name in _names(options, text) if name.span not in used]
    for name in names:
        if _FOLLOWS.fullmatch(text, mention.end, name.span.start):
            used.add(name.span)
            return [(name.series, 1.0)]
    if options and _ANOTHER.match(text, mention.end):
        return [(CitedSeries(words=(mention.word,)), 1.0)]
    before = [name for name in names if name.span.end <= mention.start]
    here = sentence(text, Span(mention.start, mention.end))
    if near := [name for name in before if name.span.start >= here.start]:
        series, place = near[-1].series, near[-1].span
        if not series.target:
            used.add(place)
        if any(name.series is not series for name in near):
            share = _CONTESTED
        else:
            share = _BESIDE if _LEADS.fullmatch(text, place.end, mention.start) else _SAME_SENTENCE
        rivals = [s for s in dict.fromkeys([*plain, *(name.series for name in near)]) if s is not series]
        return _shared(series, share, rivals)
    earlier = sentence(text, Span(here.start - 1, here.start)) if here.start else here
    far = [name.series for name in before if name.span.start >= earlier.start and name.series.target]
    if far:
        return _shared(far[-1], _LAST_SENTENCE, plain)
    several = len(plain) > 1
    return [(series, _RIVAL_WITHIN if several and series.within else 1.0) for series in plain]


def _shared(series: CitedSeries, share: float, rivals: Sequence[CitedSeries]) -> list[tuple[CitedSeries, float]]:
    return [(series, share), *((rival, (1 - share) / len(rivals)) for rival in rivals)]


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
