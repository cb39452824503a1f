"""What the words around a reference tell about it: which book or code is named, and whose text is spoken of."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from extract.language.sentences import sentence
from extract.language.wording import Rarity, cosine, scaled, stems
from extract.model import Span
from extract.references.grammar import Mention
from extract.references.rules import Series

# How strongly a name speaks for its series, by where it stands.
_BESIDE, _SAME_SENTENCE, _CONTESTED, _LAST_SENTENCE = 0.9, 0.8, 0.6, 0.5
_RIVAL_WITHIN = 0.15

_FOLLOWS = re.compile(r"[\s,.;:)\"“”']*(?:(?:of|in|from|by|the|heading|head|under|on)\s+)*[\"“”']?\s*")
_LEADS = re.compile(r"(?:\s*(?:whist|club|code|laws?|rules?|of))*[\s,.:;(\"“”']*")


class Wording:
    """Compares the words around a reference with the words of what it might mean."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._rarity = Rarity(stems(text) for text in texts.values())
        self._rarest = math.log(1 + len(texts))  # what is in none of them counts as if it were in one

    def likeness(self, context: str, unit_id: str) -> float:
        """0 where nothing is shared, 1 for the same words."""
        return cosine(self._vector(context), self._vector(self._texts.get(unit_id, "")))

    def _vector(self, text: str) -> dict[str, float]:
        return scaled({stem: min(self._rarity(stem), self._rarest) for stem in set(stems(text))})


def surroundings(text: str, span: Span) -> str:
    """The sentence of a reference and the next one, where its law is told or quoted, without the reference."""
    here = sentence(text, span)
    after = sentence(text, Span(here.end, here.end)) if here.end < len(text) else here
    return text[here.start : span.start] + " " + text[span.end : max(here.end, after.end)]


def weigh(options: Sequence[Series], text: str, mention: Mention, used: set[Span]) -> list[tuple[Series, float]]:
    """Weigh the series that a mention may belong to by the names around it.

    Args:
        options: the series whose word the mention uses.
        text: the text that `mention` counts its characters in.
        used: names that an earlier reference has taken to itself; this one's is added.
    Returns:
        Series and weights; none if every option wants a name and none is there.
    """
    plain = [s for s in options if s.default]
    weights = [(s, _RIVAL_WITHIN if s.within else 1.0) for s in plain]
    names = [n for n in _names(options, text) if Span(n[0].start, n[0].end) not in used]
    for where, series in names:
        gap = text[mention.end : where.start]
        if where.start >= mention.end and _FOLLOWS.fullmatch(gap):
            used.add(where)
            return [(series, 1.0)]
    here = sentence(text, Span(mention.start, mention.end))
    before = [n for n in names if n[0].end <= mention.start]
    said = [n for n in before if n[0].start >= here.start]
    if said:
        where, series = said[-1]
        beside = _LEADS.fullmatch(text[where.end : mention.start])
        if not series.target:
            used.add(where)
        contested = any(other is not series for _, other in said)
        share = _CONTESTED if contested else _BESIDE if beside else _SAME_SENTENCE
        others = [s for s in dict.fromkeys([*plain, *(s for _, s in said)]) if s is not series]
        return [(series, share), *((s, (1 - share) / len(others)) for s in others)]
    earlier = sentence(text, Span(here.start - 1, here.start)) if here.start else here
    said = [n for n in before if n[0].start >= earlier.start and n[1].target]
    if said and plain and said[-1][1] not in plain:
        return [(said[-1][1], _LAST_SENTENCE), *((s, 1 - _LAST_SENTENCE) for s in plain)]
    return weights


def _names(options: Iterable[Series], text: str) -> list[tuple[Span, Series]]:
    """Where the names of series stand in a text, in order; of two that overlap the longer counts."""
    found: list[tuple[Span, Series]] = []
    for series in options:
        for name in series.names:
            pattern = r"\b" + r"\s+".join(map(re.escape, name.split())) + r"\b"
            found += ((Span(m.start(), m.end()), series) for m in re.finditer(pattern, text))
    found.sort(key=lambda n: (n[0].start, -n[0].end))
    kept: list[tuple[Span, Series]] = []
    for where, series in found:
        if not kept or where.start >= kept[-1][0].end:
            kept.append((where, series))
    return kept
