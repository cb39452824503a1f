"""Link the provisions of different codes that answer the same question.

Copied wording is proof by itself, in any library (kb.alignment.text_reuse). Other pairs are judged by a logistic model
of a few features (kb.alignment.features), which needs a thesaurus. Provisions of two codes with nearly the same letters
are twins, two prints of one text: what is found for one holds for the other, so their scores are averaged. The editor's
judgements on links are applied in kb.editorial.concordance.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from sys import intern

from extract.language.wording import cosine, scaled
from extract.model import Unit, work_of
from kb.alignment.features import LinkCandidate, Pair, candidates
from kb.alignment.likeness import ComparedProvision, Digests, overlap
from kb.alignment.relation import Assessment, relate
from kb.alignment.text_reuse import SAME, Reuse, reuses, strength
from kb.analysis.weights import weights
from kb.concepts.outcomes import Outcomes
from kb.concepts.tagging import Concept, Tag, Tagger

_Relate = Callable[[ComparedProvision, ComparedProvision], Assessment]

THRESHOLD = 0.5
WEIGHTS = weights("links")
TWINS = 90.0  # per cent similarity of letters of two prints of one text
MANY = 24
"""Most codes whose provisions the model compares. With more, only copied wording is linked, for which there is an
index: the model takes a second or two for each pair of codes, and holds all of them in memory."""
_CODES = 12  # most earlier codes with which the model compares a code
_PRINTS = 12  # most twins of a provision whose scores are averaged with its own
_FAINT = 0.01  # lower scores are dropped
_PART_LIKE = 0.1  # least similarity of two linked paragraphs
_PART_BEST = 0.6  # least ratio of their similarity to that of the best pair of paragraphs


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A row of the table `link`: a link between two provisions; `relation` is the relation of a to b."""

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
) -> list[LinkRow]:
    """Propose links between all codes.

    Args:
        units: the units of all books.
        tags: the concepts that the units mention.
        concepts: the thesaurus.
        codes: the ids of the codes, earlier ones first; `a` of a link is in the earlier code.
        outcomes: the library's words for what provisions order.
    Returns:
        The links, sorted by code and position.
    """
    digests = reduced(units, tags, concepts, outcomes)
    known = [code for code in codes if code in digests.provisions]
    order = [unit.id for code in known for unit in digests.provisions[code]]
    taken = taken_over([digests.provisions[code] for code in known])
    few = compared_codes(digests, known) if len(known) <= MANY else []
    relation = partial(relate, labels={c.id: c.label for c in concepts}, outcomes=outcomes)
    twins = {pair for pair, reuse in taken.items() if reuse.alike >= TWINS} if few else set()
    scores = averaged_over_twins(scores_of(few, taken, outcomes), twins, order)
    scores |= {pair: max(strength(reuse), scores.get(pair, 0.0)) for pair, reuse in taken.items()}
    return _all_rows(known, digests, scores, relation)


def _all_rows(codes: Sequence[str], digests: Digests, scores: Mapping[Pair, float], relation: _Relate) -> list[LinkRow]:
    """Return the links of all pairs that reach the threshold, sorted by code and position.

    They are made later code by later code, so that the cache of provisions serves many pairs in a row.
    """
    code_number = {unit.id: i for i, code in enumerate(codes) for unit in digests.provisions[code]}
    accepted = [pair for pair, value in scores.items() if value >= THRESHOLD]
    rows: list[LinkRow] = []

    def codes_of(pair: Pair) -> tuple[int, int]:
        return code_number[pair[1]], code_number[pair[0]]

    for a, b in sorted(accepted, key=codes_of):
        rows += _rows(digests.of(a), digests.of(b), scores[a, b], relation)
    wholes = (unit for code in codes for unit in digests.provisions[code])
    position = {e.id: i for i, e in enumerate(e for unit in wholes for e in (unit, *digests.parts.get(unit.id, ())))}
    return sorted(rows, key=lambda r: (position[r.a], position[r.b]))


def reduced(units: Sequence[Unit], tags: Iterable[Tag], concepts: Sequence[Concept], outcomes: Outcomes) -> Digests:
    """Return the provisions of each code, reduced to what is compared.

    Args:
        units, tags, concepts, outcomes: as in `propose`.
    """
    spoken: dict[str, set[str]] = defaultdict(set)
    for tag in tags:
        spoken[tag.unit_id].add(tag.concept_id)
    tagger = Tagger(concepts)
    few = len({unit.code_id for unit in units if unit.role == "provision"} - {None}) <= MANY
    # Only the model compares sentences, and it needs their concepts.
    tell = (lambda text: {concept for concept, _ in tagger.find(text)}) if few and concepts else None
    return Digests(units, spoken, {c.id: c.broader for c in concepts}, remedies=frozenset(outcomes.remedies), tell=tell)


def compared_codes(digests: Digests, codes: Iterable[str]) -> list[tuple[ComparedProvision, ...]]:
    """Return the provisions of some codes, as the model compares them."""
    return [tuple(digests.of(unit.id) for unit in digests.provisions[code]) for code in codes]


def taken_over(codes: Sequence[Sequence[Unit]]) -> dict[Pair, Reuse]:
    """Return the pairs of provisions, by their ids, of which one prints the text of the other.

    Args:
        codes: the provisions of each code, earlier codes first.
    """
    texts = [[(unit.id, unit.text) for unit in code] for code in codes]
    return {(intern(reuse.a), intern(reuse.b)): reuse for reuse in reuses(texts)}


def scores_of(
    codes: Sequence[Sequence[ComparedProvision]], taken: Mapping[Pair, Reuse], outcomes: Outcomes
) -> dict[Pair, float]:
    """Return the scores of the pairs of provisions that may rule on one matter, of codes that share a concept.

    Two codes without a concept in common are skipped: without one, the model never accepts a pair. A code is compared
    with at most twelve earlier ones, so that the work grows linearly with the library. The lowest scores are left out:
    of very many pairs few are worth keeping.

    Args:
        codes: the provisions of each code, earlier codes first.
        taken: the pairs of which one prints the text of the other.
        outcomes: as in `propose`.
    """
    remedies = frozenset(outcomes.remedies)
    alike: dict[Pair, dict[Pair, float]] = defaultdict(dict)
    for (a, b), reuse in taken.items():
        alike[work_of(a), work_of(b)][a, b] = reuse.alike
    found: dict[Pair, float] = {}
    for x, y in _code_pairs(codes, alike):
        letters = alike.get((work_of(codes[x][0].unit.id), work_of(codes[y][0].unit.id)), {})
        scores = ((c.pair, score(c)) for c in candidates(codes[x], codes[y], letters, remedies))
        found |= {pair: value for pair, value in scores if value >= _FAINT}
    return found


def _code_pairs(
    codes: Sequence[Sequence[ComparedProvision]], alike: Mapping[Pair, Mapping[Pair, float]]
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of codes, by position, that the model compares.

    Each code is paired with the earlier ones that share concepts with it. If these are more than `_CODES`, only the
    most similar are kept, without those that supplied half of its provisions or more: there the wording is proof.
    """
    concepts_of = [scaled(Counter(c for d in code for e in d.entries for c in e.concepts)) for code in codes]
    for y, theirs in enumerate(codes):
        likeness = {
            x: cosine(concepts_of[x], concepts_of[y]) for x in range(y) if concepts_of[x].keys() & concepts_of[y].keys()
        }
        if len(likeness) > _CODES:
            copied = {
                x: len(alike.get((work_of(codes[x][0].unit.id), work_of(theirs[0].unit.id)), {})) for x in likeness
            }
            new = [x for x in likeness if 2 * copied[x] < len(theirs)]
            likeness = {x: likeness[x] for x in sorted(new, key=lambda x: (-likeness[x], -x))[:_CODES]}
        yield from ((x, y) for x in sorted(likeness))


def score(candidate: LinkCandidate) -> float:
    """Return how likely both provisions of a pair answer the same question, 0 to 1, by the logistic model.

    If they print one text, the score is at least the similarity of their letters.
    """
    total = WEIGHTS["bias"] + sum(WEIGHTS[name] * value for name, value in candidate.features.items())
    alike = candidate.letters / 100 if candidate.letters >= SAME else 0.0
    return max(alike, 1 / (1 + math.exp(-total)))


def averaged_over_twins(scores: Mapping[Pair, float], twins: Iterable[Pair], order: Sequence[str]) -> dict[Pair, float]:
    """Average scores over twins; a missing score counts as 0.

    Each pair gets the mean over all prints of both provisions, so that the order of the pairs does not matter. If a
    text has very many prints, only the twelve nearest count as its twins.

    Args:
        scores: the scores of pairs.
        twins: pairs of provisions that print one text.
        order: the ids of all provisions, those of earlier codes first.
    """
    position = {unit_id: i for i, unit_id in enumerate(order)}
    twins_of: dict[str, list[str]] = defaultdict(list)
    for a, b in twins:
        twins_of[a].append(b)
        twins_of[b].append(a)
    near = {
        x: sorted(all_of, key=lambda y: (abs(position[y] - position[x]), position[y])) for x, all_of in twins_of.items()
    }

    def prints(pair: Pair) -> list[Pair]:
        both = product(*({x, *near.get(x, ())[:_PRINTS]} for x in pair))
        return sorted({(x, y) if position[x] < position[y] else (y, x) for x, y in both if work_of(x) != work_of(y)})

    found = {pair for scored in scores for pair in prints(scored)}
    groups = ((pair, prints(pair)) for pair in sorted(found, key=lambda p: (position[p[0]], position[p[1]])))
    return {pair: sum(scores.get(p, 0.0) for p in group) / len(group) for pair, group in groups}


def _rows(a: ComparedProvision, b: ComparedProvision, score: float, relation: _Relate) -> Iterator[LinkRow]:
    """Yield the link of two provisions, and the links of their best matching paragraphs."""
    yield _row(a, b, score, relation)
    for one, other in _paragraph_pairs(a, b):
        yield _row(one, other, score, relation)


def _paragraph_pairs(
    a: ComparedProvision, b: ComparedProvision
) -> Iterator[tuple[ComparedProvision, ComparedProvision]]:
    if not (a.parts or b.parts):
        return
    likeness = {
        (i, j): sum(overlap(x, y).values())
        for i, x in enumerate(a.parts or (a,))
        for j, y in enumerate(b.parts or (b,))
    }
    best = max(likeness.values())
    for (i, j), value in likeness.items():
        if value >= max(_PART_LIKE, _PART_BEST * best):
            yield (a.parts or (a,))[i], (b.parts or (b,))[j]


def _row(a: ComparedProvision, b: ComparedProvision, score: float, relation: _Relate) -> LinkRow:
    finding = relation(a, b)
    both = sorted(a.spoken.keys() & b.spoken.keys(), key=lambda c: (-a.concepts[c] * b.concepts[c], c))
    topic = both[0] if both else None
    return LinkRow(a.unit.id, b.unit.id, finding.relation, topic, round(score, 3), "proposed", "machine", finding.why)
