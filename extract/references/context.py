"""What the words around a reference tell about it: which book or code is named, and whose text is spoken of."""

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

# How strongly a name speaks for its series, by where it stands. Without a change to any reference of the four books:
# 0.85 to 0.95, 0.75 to 0.8, 0.6 alone (0.55 and 0.65 change one each), 0.5 as by the toss of a coin.
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
    """Compares the words around a reference with the words of what it might mean."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        terms = {unit_id: set(stems(text)) for unit_id, text in texts.items()}
        self._rarity = Rarity(terms.values())
        self._rarest = math.log(1 + len(texts))  # what is in none of them counts as if it were in one
        self._units = {unit_id: self._vector(found) for unit_id, found in terms.items()}

    def context(self, text: str, span: Span) -> dict[str, float]:
        """The words of a reference's sentence and the next one, where its law is told or quoted, without its own."""
        here = sentence(text, span)
        after = sentence(text, Span(here.end, here.end)) if here.end < len(text) else here
        around = text[here.start : span.start] + " " + text[span.end : max(here.end, after.end)]
        return self._vector(set(stems(around)))

    def likeness(self, context: Mapping[str, float], unit_id: str) -> float:
        """0 where nothing is shared, 1 for the same words."""
        return cosine(context, self._units.get(unit_id, {}))

    def _vector(self, terms: Set[str]) -> dict[str, float]:
        return scaled({stem: min(self._rarity(stem), self._rarest) for stem in terms})


def weigh(
    options: Sequence[CitedSeries], text: str, mention: Mention, used: set[Span]
) -> list[tuple[CitedSeries, float]]:
    """Weigh the series that a mention may belong to by the names around it.

    A name right behind it settles the matter, and so does an act or code there that has none: it is not here. Else the
    nearest name before it in its sentence counts most, else the last one in the sentence before, if that is the name
    of a code or book that is here.

    Args:
        options: the series whose word the mention uses.
        text: the text that `mention` counts its characters in.
        used: names that an earlier reference has taken to itself; this one's is added.
    Returns:
        Series and weights; none if every option wants a name and none is there.
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
    """The name of a series as it stands in a text."""

    span: Span
    series: CitedSeries


def _names(options: Iterable[CitedSeries], text: str) -> list[_Name]:
    """Where the names of series stand in a text, in order; of two that overlap the longer counts."""
    owners = {name: series for series in options for name in series.names}
    return [_Name(span, owners[name]) for span, name in _places(tuple(owners), text)] if owners else []


@lru_cache(maxsize=64)
def _places(names: tuple[str, ...], text: str) -> tuple[tuple[Span, str], ...]:
    """Where names stand in a text, about which many questions are asked in a row."""
    longest_first = sorted(names, key=len, reverse=True)
    either = "|".join(r"\s+".join(map(re.escape, name.split())) for name in longest_first)
    return tuple((Span(*m.span()), " ".join(m[0].split())) for m in re.finditer(rf"\b(?:{either})\b", text))
