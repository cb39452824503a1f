"""The rows of a draft: of each topic the families of provisions that links join; their pieces stand side by side."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from extract.language.folding import STOP_WORDS, words_of
from extract.language.stemming import stem
from extract.model import Unit
from kb.alignment.links import LinkRow
from kb.concepts.tagging import Concept, Topic
from kb.drafts.pieces import DraftPiece

Row = Mapping[str, Sequence[Unit]]
"""Of each code, in the order of the codes, its pieces in reading order; a code without any is not there."""


@dataclass(frozen=True)
class DraftGround:
    """What drafts are made of: the pieces of all books, what they speak of, and the links among them.

    `pieces` are by id and in reading order, `spoken` their concepts and `times` how often their units speak of each;
    `codes` are the ids of the codes, earlier ones first.
    """

    pieces: Mapping[str, Unit]
    spoken: Mapping[str, frozenset[str]]
    times: Mapping[str, Mapping[str, int]]
    links: Sequence[LinkRow]
    codes: Sequence[str]
    concepts: Sequence[Concept]

    @cached_property
    def paragraphs(self) -> Mapping[str, Sequence[str]]:
        """Of each provision that has some, its numbered paragraphs."""
        found: dict[str, list[str]] = defaultdict(list)
        for unit in self.pieces.values():
            if unit.kind == "subclause" and unit.parent_id:
                found[unit.parent_id].append(unit.id)
        return found

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
        parts = self.paragraphs.get(unit_id, ())
        return [unit_id, *parts] if unit_id in self.pieces else parts

    def common(self, one: str, other: str) -> float:
        """How much two units speak of the same: the rarities of the concepts they share."""
        shared = self.spoken.get(one, frozenset()) & self.spoken.get(other, frozenset())
        return sum(self.rarity.get(concept, 0.0) for concept in sorted(shared))


def draft_ground(
    units: Mapping[str, Unit],
    pieces: Iterable[DraftPiece],
    links: Sequence[LinkRow],
    codes: Sequence[str],
    concepts: Sequence[Concept],
) -> DraftGround:
    """What drafts are made of; of the pieces only what they speak of is held.

    Args:
        units: the units of all books, by id.
        pieces: their pieces, in reading order.
        links, codes, concepts: as in `DraftGround`.
    """
    found: dict[str, Unit] = {}
    spoken: dict[str, frozenset[str]] = {}
    times: dict[str, Mapping[str, int]] = {}
    for piece in pieces:
        found[piece.unit_id] = units[piece.unit_id]
        if piece.spoken:
            spoken[piece.unit_id] = piece.spoken
        if piece.times:
            times[piece.unit_id] = piece.times
    return DraftGround(found, spoken, times, links, codes, concepts)


def families(ground: DraftGround, topic: Topic) -> list[Row]:
    """The rows of a topic: pieces that links join, in the order of the code that has most of them.

    Each piece of that code has a row; one of another code stands in the row of its strongest link, or in its own.
    """
    by_code: dict[str, list[Unit]] = {code: [] for code in ground.codes}
    for piece in _chief(ground, topic):
        by_code[piece.code_id or ""].append(piece)
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
    place = {code: i for i, code in enumerate(ground.codes)}
    return [dict(sorted(row.items(), key=lambda one: place[one[0]])) for row in rows]


def _chief(ground: DraftGround, topic: Topic) -> list[Unit]:
    """The pieces a topic is about, and those of its concepts that they are linked to.

    About it is what stands under its heading, what speaks of its own concept twice, and what speaks of one of the
    others that its editor named for it: these are narrow, while its own may be named in passing.
    """
    own, others = (_family(ids, ground.concepts) for ids in (topic.concepts[:1], topic.concepts[1:]))
    heading = _stems(topic.label)
    chief = set[str]()
    for unit_id, piece in ground.pieces.items():
        spoken = ground.spoken.get(unit_id, frozenset())
        told = ground.times.get(unit_id, {})
        named = spoken & own and (sum(told.get(concept, 0) for concept in own) > 1 or not topic.concepts[1:])
        headed = heading and heading <= _stems(piece.heading or "")
        if headed or named or spoken & others:
            chief.add(unit_id)
    wanted = own | others
    chief |= {i for x in chief for i in ground.joined.get(x, ()) if ground.spoken.get(i, frozenset()) & wanted}
    return [piece for unit_id, piece in ground.pieces.items() if unit_id in chief]


def _family(concepts: Iterable[str], thesaurus: Sequence[Concept]) -> frozenset[str]:
    """Some concepts and all that are narrower."""
    found = set(concepts)
    before = 0
    while len(found) > before:
        before = len(found)
        found |= {concept.id for concept in thesaurus if concept.broader in found}
    return frozenset(found)


@lru_cache(maxsize=1024)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words_of(text) if word not in STOP_WORDS)
