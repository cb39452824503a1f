"""Link the provisions of different codes that treat the same matter.

A pair is judged by a logistic model of six features (weights fitted to pairs that an editor made for nine
topics); then pairs are taken in order of their score, and one that only repeats what better pairs of both its
provisions already explain is dropped. What an editor says of them stands in kb.editorial.concordance.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from extract.model import Unit
from kb.alignment.likeness import Digest, Index, digest, overlap
from kb.alignment.relation import Assessment, relate
from kb.concepts.outcomes import Outcomes
from kb.concepts.tagging import Concept, Tag

_Relate = Callable[[Digest, Digest], Assessment]

# Fitted with each pair of codes left out in turn: 0.87 of the links proposed are right, 0.65 of the right ones found.
THRESHOLD = 0.5
BIAS = -9.7
WEIGHTS = {
    "heading": 0.9,
    "position": 1.2,
    "likeness": 2.6,
    "rank on the worse side": 3.2,
    "rank on the better side": 2.0,
    "rarest shared concept": 5.5,
    "law against etiquette": -1.4,
}
_LEAST_LIKE = 0.05  # below it a pair is not worth a look
_EXPLAINS = 0.4  # a pair scored so high explains what it shares
_NEWS = 0.4  # the share of a pair that must be unexplained on one side at least
_PART_BETTER = 1.15  # a paragraph is linked by itself if it is so much more like than the whole
_PART_LIKE = 0.3
_UNPLACED = 0.75  # the nearness of a rule of etiquette to a law


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A link between two provisions, as the table `link` has it; `relation` is that of a to b."""

    a: str
    b: str
    relation: str
    topic: str | None
    score: float
    status: str
    source: str
    why: str


def propose(
    units: Sequence[Unit],
    tags: Iterable[Tag],
    concepts: Sequence[Concept],
    codes: Sequence[str],
    outcomes: Outcomes,
    *,
    executor: Executor | None = None,
) -> list[LinkRow]:
    """Propose links between all codes.

    Args:
        units: the units of all books.
        tags: what they speak of.
        concepts: the thesaurus.
        codes: the ids of the codes, earlier ones first; `a` of a link is of the earlier code.
        outcomes: the library's words for what provisions order.
        executor: where pairs of codes are compared; here if None.
    Returns:
        The links, sorted by code and place.
    """
    spoken: dict[str, set[str]] = defaultdict(set)
    for tag in tags:
        spoken[tag.unit_id].add(tag.concept_id)
    digests = digest(units, spoken, {c.id: c.broader for c in concepts})
    compare = partial(compare_codes, labels={c.id: c.label for c in concepts}, outcomes=outcomes)
    pairs = [(digests[x], digests[y]) for x, y in combinations(codes, 2) if x in digests and y in digests]
    run: Callable[..., Iterable[list[LinkRow]]] = executor.map if executor else map
    found = run(compare, *zip(*pairs, strict=True)) if pairs else ()
    return [row for rows in found for row in rows]


def compare_codes(
    ours: Sequence[Digest], theirs: Sequence[Digest], *, labels: Mapping[str, str], outcomes: Outcomes
) -> list[LinkRow]:
    """Link the provisions of two codes; pure, so that pairs of codes can be compared side by side.

    Args:
        ours, theirs: the provisions of the earlier and of the later code.
        labels: the preferred label of each concept.
        outcomes: the library's words for what provisions order.
    """
    relation = partial(relate, labels=labels, outcomes=outcomes)
    index = Index(theirs)
    pairs = _Pairs(ours, theirs, index)
    rows = [row for pair, score in _news(pairs) for row in _rows(pairs, *pair, score, relation)]
    order = {entry.unit.id: i for i, entry in enumerate(e for d in (*ours, *theirs) for e in d.entries)}
    return sorted(rows, key=lambda r: (order[r.a], order[r.b]))


class _Pairs:
    """The candidate pairs of two codes with their likeness and score."""

    def __init__(self, ours: Sequence[Digest], theirs: Sequence[Digest], index: Index) -> None:
        self.ours = {d.unit.id: d for d in ours}
        self.theirs = {d.unit.id: d for d in theirs}
        self.alike = {e.unit.id: index.query(e) for d in ours for e in d.entries}
        owner = {e.unit.id: d.unit.id for d in theirs for e in d.entries}
        self.best: dict[tuple[str, str], float] = {}
        for d in ours:
            for entry in d.entries:
                for unit_id, value in self.alike[entry.unit.id].items():
                    pair = (d.unit.id, owner[unit_id])
                    self.best[pair] = max(value, self.best.get(pair, 0.0))
        whole = {pair: self.alike[pair[0]].get(pair[1], 0.0) for pair in self.best}
        top: dict[str, float] = defaultdict(float)
        for (a, b), value in whole.items():
            top[a], top[b] = max(top[a], value), max(top[b], value)
        self.scores = {
            (a, b): _probability(self.features(a, b, top))
            for (a, b), value in whole.items()
            if max(value, self.best[a, b]) > _LEAST_LIKE and value
        }

    def features(self, a: str, b: str, top: Mapping[str, float]) -> dict[str, float]:
        """What speaks for and against a pair, each 0 to 1."""
        ours, theirs = self.ours[a], self.theirs[b]
        united = ours.heading | theirs.heading
        common = ours.spoken.keys() & theirs.spoken.keys()
        near = _UNPLACED
        if ours.position is not None and theirs.position is not None:
            near = 1 - abs(ours.position - theirs.position)
        ranks = sorted((self.alike[a][b] / top[a], self.alike[a][b] / top[b]))
        return {
            "heading": len(ours.heading & theirs.heading) / len(united) if united else 0.0,
            "position": near,
            "likeness": self.best[a, b],
            "rank on the worse side": ranks[0],
            "rank on the better side": ranks[1],
            "rarest shared concept": max((ours.spoken[c] for c in common), default=0.0),
            "law against etiquette": float(ours.unit.kind != theirs.unit.kind),
        }


def _probability(features: Mapping[str, float]) -> float:
    """That both provisions of a pair treat the same matter, by the logistic model."""
    total = BIAS + sum(WEIGHTS[name] * value for name, value in features.items())
    return 1 / (1 + math.exp(-total))


def _news(pairs: _Pairs) -> Iterator[tuple[tuple[str, str], float]]:
    """The pairs that stand, best first, without those that repeat what better ones explain."""
    explained: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for (a, b), score in sorted(pairs.scores.items(), key=lambda p: (-p[1], p[0])):
        if score < _EXPLAINS:
            return
        shared = overlap(pairs.ours[a], pairs.theirs[b])
        total = sum(shared.values())
        news = max(sum(w for k, w in shared.items() if k not in explained[x]) for x in (a, b))
        if total and news / total >= _NEWS:
            explained[a] |= shared.keys()
            explained[b] |= shared.keys()
            if score >= THRESHOLD:
                yield (a, b), score


def _rows(pairs: _Pairs, a: str, b: str, score: float, relation: _Relate) -> Iterator[LinkRow]:
    """The link of two provisions, or of the paragraphs that are more like than the wholes."""
    ours, theirs = pairs.ours[a], pairs.theirs[b]
    whole = pairs.alike[a].get(b, 0.0)
    parts = list(_best_parts(pairs, ours, theirs, whole))
    if not parts or whole >= max(value for _, _, value in parts) / 2:
        yield _row(ours, theirs, score, relation)
    for one, other, _ in parts:
        yield _row(one, other, score, relation)


def _best_parts(pairs: _Pairs, ours: Digest, theirs: Digest, whole: float) -> Iterator[tuple[Digest, Digest, float]]:
    """Paragraphs that are each other's best match in the two provisions, and better than the wholes."""
    mine, others = ours.parts or (ours,), theirs.parts or (theirs,)
    if not (ours.parts or theirs.parts):
        return
    table = {(x.unit.id, y.unit.id): pairs.alike[x.unit.id].get(y.unit.id, 0.0) for x in mine for y in others}
    for x in mine:
        for y in others:
            value = table[x.unit.id, y.unit.id]
            row = max(table[x.unit.id, o.unit.id] for o in others)
            column = max(table[m.unit.id, y.unit.id] for m in mine)
            if value == row == column and value >= max(_PART_LIKE, _PART_BETTER * whole):
                yield x, y, value


def _row(a: Digest, b: Digest, score: float, relation: _Relate) -> LinkRow:
    finding = relation(a, b)
    both = sorted(a.spoken.keys() & b.spoken.keys(), key=lambda c: (-a.concepts[c] * b.concepts[c], c))
    topic = both[0] if both else None
    return LinkRow(a.unit.id, b.unit.id, finding.relation, topic, round(score, 3), "proposed", "machine", finding.why)
