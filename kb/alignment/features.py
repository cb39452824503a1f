"""What speaks for two provisions of different codes answering the same question: a few features, each 0 to 1.

Likeness is the cosine of stems and concepts (kb.alignment.likeness). Whole provisions are compared, and also their
passages, since most counterparts that wholes do not show set a short article against one sentence of a long law.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from kb.alignment.likeness import ComparedPassage, ComparedProvision, combined
from kb.analysis.index import TermIndex

Pair = tuple[str, str]
Vector = Mapping[str, float]

FEATURES = (
    "heading",  # of all words of both headings, those in both
    "rank of the wholes",  # how near either comes to the other's best match in its code, on the worse side
    "rank of the passages",  # the same for their best passages, on the better side
    "narrowest shared concept",  # 1 where no other provision of either code speaks of it; consequences left out
    "matter in a passage",  # likeness in concepts of a passage to the other whole; consequences left out
    "concepts said together",  # rarity of the concepts that a passage of the one shares with one of the other
)

_LEAST_LIKE = 0.15  # below it, wholes and passages, a pair is not worth a look (0.1: 70 % more pairs, same links)
_TOGETHER = 4.0  # so much shared rarity says all


@dataclass(frozen=True, slots=True)
class LinkCandidate:
    """A pair of provisions worth a look: its features by name, and how many of 100 letters of theirs are the same.

    `letters` is 0 where they do not print one text.
    """

    a: str
    b: str
    features: Mapping[str, float]
    letters: float

    @property
    def pair(self) -> Pair:
        return self.a, self.b


def candidates(
    ours: Sequence[ComparedProvision],
    theirs: Sequence[ComparedProvision],
    alike: Mapping[Pair, float],
    remedies: Iterable[str] = (),
) -> list[LinkCandidate]:
    """The pairs of two codes that are worth a look, with their features.

    Args:
        ours, theirs: the provisions of the earlier and of the later code.
        alike: of pairs that print one text, per cent of letters that need no change (kb.alignment.text_reuse).
        remedies: the concepts that are a consequence.
    """
    left_out = frozenset(remedies)
    passages = _best(ours, theirs, combined, _windows, _windows)
    wholes = _best(ours, theirs, combined, _whole, _whole)
    matter = _best(ours, theirs, _matter, _windows, _whole)
    for pair, value in _best(ours, theirs, _matter, _whole, _windows).items():
        matter[pair] = max(value, matter.get(pair, 0.0))
    together = _best(ours, theirs, _said, _windows, _windows)
    rank, passage_rank = _ranks(wholes), _ranks(passages)
    spread = [Counter(c for d in side for c in d.spoken) for side in (ours, theirs)]
    by_id = {d.unit.id: d for d in (*ours, *theirs)}
    found = []
    for pair, value in passages.items():
        if value <= _LEAST_LIKE:
            continue
        a, b = by_id[pair[0]], by_id[pair[1]]
        united = a.heading | b.heading
        shared = (a.spoken.keys() & b.spoken.keys()) - left_out
        values = (
            len(a.heading & b.heading) / len(united) if united else 0.0,
            min(rank.get(pair, (0.0, 0.0))),
            max(passage_rank[pair]),
            max((1 / math.sqrt(spread[0][c] * spread[1][c]) for c in shared), default=0.0),
            matter.get(pair, 0.0),
            min(together.get(pair, 0.0), _TOGETHER) / _TOGETHER,
        )
        found.append(LinkCandidate(*pair, dict(zip(FEATURES, values, strict=True)), alike.get(pair, 0.0)))
    return found


def _best(
    ours: Sequence[ComparedProvision],
    theirs: Sequence[ComparedProvision],
    vector: Callable[[ComparedPassage], Vector],
    mine: Callable[[ComparedProvision], Sequence[ComparedPassage]],
    others: Callable[[ComparedProvision], Sequence[ComparedPassage]],
) -> dict[Pair, float]:
    """The greatest product of a passage of the one with a passage of the other, for all pairs that share a term."""
    index = TermIndex.of_rows(vector(p) for d in theirs for p in others(d))
    starts = list(accumulate((len(others(d)) for d in theirs[:-1]), initial=0))
    best: dict[Pair, float] = {}
    for one in ours if theirs else ():
        products = np.max([index.products(vector(passage)) for passage in mine(one)], axis=0)
        found = np.maximum.reduceat(products, starts)
        best |= {(one.unit.id, theirs[at].unit.id): float(found[at]) for at in np.flatnonzero(found).tolist()}
    return best


def _ranks(likeness: Mapping[Pair, float]) -> dict[Pair, tuple[float, float]]:
    """For each pair its share of the best likeness of either provision within the other code."""
    top: dict[str, float] = defaultdict(float)
    for (a, b), value in likeness.items():
        top[a], top[b] = max(top[a], value), max(top[b], value)
    return {(a, b): (value / top[a], value / top[b]) for (a, b), value in likeness.items() if value}


def _windows(digest: ComparedProvision) -> Sequence[ComparedPassage]:
    return digest.windows


def _whole(digest: ComparedProvision) -> Sequence[ComparedPassage]:
    return (digest,)


def _matter(passage: ComparedPassage) -> Vector:
    return passage.matter


def _said(passage: ComparedPassage) -> Vector:
    return {concept: math.sqrt(max(rarity, 0.0)) for concept, rarity in passage.spoken.items()}
