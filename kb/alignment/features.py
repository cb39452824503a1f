"""Evidence that two provisions of different codes answer the same question: a few features, each 0 to 1.

Similarity is the cosine of stems and concepts (kb.alignment.likeness). Provisions are compared as a whole and by
passages, since most counterparts that whole provisions miss are a short article and one sentence of a long law.
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
    "heading",  # the share of shared words among all words of both headings
    "rank of the wholes",  # similarity relative to either provision's best match in the other code; the lower of both
    "rank of the passages",  # the same for their best passages; the higher of both
    "narrowest shared concept",  # 1 if no other provision of either code mentions it; consequences excluded
    "matter in a passage",  # similarity in concepts of a passage to the other whole; consequences excluded
    "concepts said together",  # summed rarity of the concepts that a passage of each shares
)

_LEAST_LIKE = 0.15  # least similarity, of wholes or passages, of a candidate pair (0.1: 70 % more pairs, same links)
_TOGETHER = 4.0  # the summed rarity at which `concepts said together` is 1


@dataclass(frozen=True, slots=True)
class LinkCandidate:
    """A candidate pair of provisions: its features by name, and the similarity of its letters in per cent.

    `letters` is 0 unless they print one text.
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
    """Return the candidate pairs of two codes, with their features.

    Args:
        ours, theirs: the provisions of the earlier and of the later code.
        alike: the similarity of letters, in per cent, of pairs that print one text (kb.alignment.text_reuse).
        remedies: the concepts that are a consequence.
    """
    excluded = frozenset(remedies)
    passages = _best(ours, theirs, combined, _windows, _windows)
    wholes = _best(ours, theirs, combined, _whole, _whole)
    matter = _best(ours, theirs, _matter, _windows, _whole)
    for pair, value in _best(ours, theirs, _matter, _whole, _windows).items():
        matter[pair] = max(value, matter.get(pair, 0.0))
    together = _best(ours, theirs, _rarities, _windows, _windows)
    rank, passage_rank = _ranks(wholes), _ranks(passages)
    spread = [Counter(c for d in side for c in d.spoken) for side in (ours, theirs)]
    by_id = {d.unit.id: d for d in (*ours, *theirs)}
    found = []
    for pair, value in passages.items():
        if value <= _LEAST_LIKE:
            continue
        a, b = by_id[pair[0]], by_id[pair[1]]
        all_words = a.heading | b.heading
        shared = (a.spoken.keys() & b.spoken.keys()) - excluded
        values = (
            len(a.heading & b.heading) / len(all_words) if all_words else 0.0,
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
    """Return the greatest product of two passages, one of each provision, for all pairs that share a term."""
    index = TermIndex.of_rows(vector(p) for d in theirs for p in others(d))
    starts = list(accumulate((len(others(d)) for d in theirs[:-1]), initial=0))
    best: dict[Pair, float] = {}
    for one in ours if theirs else ():
        products = np.max([index.products(vector(passage)) for passage in mine(one)], axis=0)
        found = np.maximum.reduceat(products, starts)
        best |= {(one.unit.id, theirs[at].unit.id): float(found[at]) for at in np.flatnonzero(found).tolist()}
    return best


def _ranks(likeness: Mapping[Pair, float]) -> dict[Pair, tuple[float, float]]:
    """Return each pair's similarity relative to the best that either provision has in the other code."""
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


def _rarities(passage: ComparedPassage) -> Vector:
    return {concept: math.sqrt(max(rarity, 0.0)) for concept, rarity in passage.spoken.items()}
