"""The rows of a draft: of each topic the families of provisions that links join.

What is set side by side is a piece: a provision, or where it has numbered paragraphs each of them, since a law of five
paragraphs answers five questions; and what it rules before them, if it does more there than introduce them.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from extract.language.folding import STOP_WORDS, words_of
from extract.language.sentences import boundaries, ends_sentence
from extract.language.stemming import stem
from extract.model import PROVISIONS, Span, Unit
from kb.alignment.links import LinkRow
from kb.concepts.tagging import Concept, Tag, TaggedText, Topic
from kb.read.rows import label_end

Row = Mapping[str, Sequence[Unit]]
"""Of each code, in the order of the codes, its pieces in reading order; a code without any is not there."""


@dataclass(frozen=True)
class DraftGround:
    """What drafts are made of: the units of all books, what they speak of, and the links among them.

    `texts` are the reading texts by unit; `codes` are the ids of the codes, earlier ones first.
    """

    units: Sequence[Unit]
    texts: Mapping[str, TaggedText]
    tags: Sequence[Tag]
    links: Sequence[LinkRow]
    codes: Sequence[str]
    concepts: Sequence[Concept]

    @cached_property
    def provisions(self) -> Mapping[str, Unit]:
        """The provisions of all codes, by id."""
        codes = set(self.codes)
        return {u.id: u for u in self.units if u.kind in PROVISIONS and u.code_id in codes and u.continues is None}

    @cached_property
    def paragraphs(self) -> Mapping[str, Sequence[Unit]]:
        """Of each provision that has some, its numbered paragraphs."""
        found: dict[str, list[Unit]] = defaultdict(list)
        for unit in self.units:
            if unit.kind == "subclause" and unit.parent_id in self.provisions and unit.continues is None:
                found[unit.parent_id or ""].append(unit)
        return found

    @cached_property
    def opening(self) -> Mapping[str, tuple[Span, Span]]:
        """Of each provision in paragraphs what it rules itself and what introduces them, as spans of its text."""
        return {whole: _opening(self.provisions[whole], parts[0]) for whole, parts in self.paragraphs.items()}

    @cached_property
    def pieces(self) -> Mapping[str, Unit]:
        """What a row may hold, by id, in reading order."""
        found: dict[str, Unit] = {}
        for unit in self.provisions.values():
            if unit.id not in self.opening or self.opening[unit.id][0]:
                found[unit.id] = unit
            found |= {part.id: part for part in self.paragraphs.get(unit.id, ())}
        return found

    @cached_property
    def spoken(self) -> Mapping[str, frozenset[str]]:
        """The concepts of each piece's own words; a paragraph speaks of what introduces it too."""
        ruled, leading = dict[str, Span](), dict[str, Span]()
        for whole, spans in self.opening.items():
            for places, span in zip((ruled, leading), spans, strict=True):
                if span:
                    places[whole] = self.texts[whole].to_scan(span)
        found: dict[str, set[str]] = defaultdict(set)
        for tag in self.tags:
            place = Span(tag.raw_start, tag.raw_end)
            if tag.unit_id not in self.opening or (tag.unit_id in ruled and ruled[tag.unit_id].covers(place)):
                found[tag.unit_id].add(tag.concept_id)
            elif tag.unit_id in leading and leading[tag.unit_id].covers(place):
                for part in self.paragraphs[tag.unit_id]:
                    found[part.id].add(tag.concept_id)
        return {unit_id: frozenset(concepts) for unit_id, concepts in found.items()}

    @cached_property
    def rarity(self) -> Mapping[str, float]:
        """How specific each concept is: the logarithm of the share of the pieces that speak of it, turned round."""
        counts = Counter(concept for piece in self.pieces for concept in self.spoken.get(piece, ()))
        return {concept: math.log(1 + len(self.pieces) / n) for concept, n in counts.items()}

    @cached_property
    def joined(self) -> Mapping[str, Mapping[str, float]]:
        """Of each piece those it is linked to, with the score of the link."""
        found: dict[str, dict[str, float]] = defaultdict(dict)
        for link in self.links:
            if link.status != "rejected" and (pair := self._pieces_of(link)):
                for one, other in (pair, pair[::-1]):
                    found[one][other] = max(link.score, found[one].get(other, 0.0))
        return found

    def _pieces_of(self, link: LinkRow) -> tuple[str, str] | None:
        """The two pieces a link joins: of a provision in paragraphs the one that shares most with the other side."""
        sides = [self._under(end) for end in (link.a, link.b)]
        pairs = [(a, b) for a in sides[0] for b in sides[1]]
        return max(pairs, key=lambda pair: self.common(*pair), default=None)

    def _under(self, unit_id: str) -> Sequence[str]:
        parts = [part.id for part in self.paragraphs.get(unit_id, ())]
        return [unit_id, *parts] if unit_id in self.pieces else parts

    def common(self, one: str, other: str) -> float:
        """How much two units speak of the same: the rarities of the concepts they share."""
        shared = self.spoken.get(one, frozenset()) & self.spoken.get(other, frozenset())
        return sum(self.rarity.get(concept, 0.0) for concept in sorted(shared))


def families(ground: DraftGround, topic: Topic) -> list[Row]:
    """The rows of a topic: pieces that links join, in the order of the code that has most of them.

    Each piece of that code has a row; one of another code stands in the row of its strongest link, or in its own.
    """
    chief = _chief(ground, topic)
    by_code = {code: [p for p in chief if p.code_id == code] for code in ground.codes}
    spine = max(ground.codes, key=lambda code: len(by_code[code]), default="")
    rows: list[dict[str, list[Unit]]] = []
    row_of: dict[str, dict[str, list[Unit]]] = {}
    for code in sorted(ground.codes, key=lambda code: code != spine):
        for piece in by_code[code]:
            linked = sorted(ground.joined.get(piece.id, {}).items(), key=lambda x: (-x[1], x[0]))
            row = next((row_of[other] for other, _ in linked if other in row_of and code != spine), None)
            if row is None:
                row = {}
                rows.append(row)
            row.setdefault(code, []).append(piece)
            row_of[piece.id] = row
    return [{code: row[code] for code in ground.codes if code in row} for row in rows]


def _chief(ground: DraftGround, topic: Topic) -> list[Unit]:
    """The pieces a topic is about, and those of its concepts that they are linked to.

    About it is what stands under its heading, what speaks of its own concept twice, and what speaks of one of the
    others that its editor named for it: these are narrow, while its own may be named in passing.
    """
    own, others = (_family(ids, ground.concepts) for ids in (topic.concepts[:1], topic.concepts[1:]))
    times = Counter(tag.unit_id for tag in ground.tags if tag.concept_id in own)
    heading = _stems(topic.label)
    chief = set[str]()
    for unit_id, piece in ground.pieces.items():
        spoken = ground.spoken.get(unit_id, frozenset())
        named = spoken & own and (times[unit_id] > 1 or not topic.concepts[1:])
        headed = heading and heading <= _stems(piece.heading or "")
        if headed or named or spoken & others:
            chief.add(unit_id)
    wanted = own | others
    chief |= {i for x in chief for i in ground.joined.get(x, ()) if ground.spoken.get(i, frozenset()) & wanted}
    return [piece for unit_id, piece in ground.pieces.items() if unit_id in chief]


def _opening(whole: Unit, first: Unit) -> tuple[Span, Span]:
    """What stands before the first paragraph: whole sentences, and the last one if it breaks off to introduce it."""
    start = label_end(whole.text, whole.number, whole.kind)
    end = max(start, whole.text.find(first.text))
    lead = max([start, *(gap.end for gap in boundaries(whole.text, start, end))])
    if ends_sentence(whole.text[start:end]):
        lead = end
    return _worded(whole.text, Span(start, lead)), _worded(whole.text, Span(lead, end))


def _worded(text: str, span: Span) -> Span:
    """A span, empty if it holds signs alone."""
    return span if any(map(str.isalnum, text[span.start : span.end])) else Span(span.start, span.start)


def _family(concepts: Iterable[str], thesaurus: Sequence[Concept]) -> frozenset[str]:
    """Some concepts and all that are narrower."""
    found = set(concepts)
    before = 0
    while len(found) > before:
        before = len(found)
        found |= {concept.id for concept in thesaurus if concept.broader in found}
    return frozenset(found)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words_of(text) if word not in STOP_WORDS)
