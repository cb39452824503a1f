"""What speaks for each provision as the one that decides a dispute, kind by kind.

Words match words: those of the provision, its gloss, its headings, the labels of its concepts, the questions it
answers. Beyond them a question of a topic may be the very question that is asked (its facet, or how players put it), a
case like this one may have turned on the provision, and a counterpart in another code may match where this one's
wording does not.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from kb.dispute.field import terms
from kb.dispute.index import Index

KINDS = (
    "text", "gloss", "heading", "concepts", "questions", "facet", "telling", "case", "decision", "counterpart",
    "best counterpart",
)  # fmt: skip
WORDED = KINDS[:-2]
_NEAREST = 12  # cases and questions further down are about something else
# How much of a counterpart's evidence goes over, by the relation: a rule that differs is still on the same question.
_CARRIES = {"same-text": 1.0, "equivalent": 1.0, "narrower": 0.8, "broader": 0.8, "differs": 0.7, "opposed": 0.7}

Scores = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for the provisions: `kinds` by kind and provision; `facets` and `cases` how much each is the one."""

    asked: tuple[str, ...]
    kinds: Mapping[str, Scores]
    facets: Scores
    cases: Scores


def gather(index: Index, question: str, weights: Mapping[str, float], *, exclude: Collection[str] = ()) -> Evidence:
    """Gather the evidence for a question.

    Args:
        index: the knowledge base.
        question: what happened, in anybody's words.
        weights: of each kind, by which the evidence of counterparts is summed up.
        exclude: cases that may not speak (with their decisions).
    Returns:
        Evidence of each kind as a share of what all words of the question together could give.
    """
    asked = terms(question)
    whole = sum(max(index.texts.weight(t), index.facets.weight(t), index.cases.weight(t)) for t in set(asked)) or 1.0

    def shares(scores: Scores) -> dict[str, float]:
        return {key: score / whole for key, score in scores.items()}

    facets, tellings = shares(index.facets.scores(asked)), shares(index.tellings.scores(asked))
    barred = {unit_id.removesuffix("/decision") for unit_id in exclude}
    cases = {k: s for k, s in shares(index.cases.scores(asked)).items() if k not in barred}
    decisions = {k: s for k, s in shares(index.decisions.scores(asked)).items() if k not in barred}
    cited = {f: [u for units in by_code.values() for u in units] for f, by_code in index.cites.items()}
    kinds: dict[str, Scores] = {
        "text": shares(index.texts.scores(asked)),
        "gloss": shares(index.glosses.scores(asked)),
        "heading": shares(index.headings.scores(asked)),
        "concepts": shares(index.concepts.scores(asked)),
        "questions": shares(index.questions.scores(asked)),
        "facet": _best(facets, cited),
        "telling": _best(tellings, cited),
        "case": _best(cases, index.turned),
        "decision": _best(decisions, index.turned),
    }
    own: dict[str, float] = defaultdict(float)
    for kind, scores in kinds.items():
        for unit_id, score in scores.items():
            own[unit_id] += weights.get(kind, 0.0) * score
    kinds["counterpart"], kinds["best counterpart"] = _carried(index, own)
    together = {f: max(facets.get(f, 0.0), tellings.get(f, 0.0)) for f in facets.keys() | tellings.keys()}
    return Evidence(asked, kinds, together, cases)


def _best(scores: Scores, leads: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Of each provision the best score of what leads to it; only the nearest lead anywhere."""
    found: dict[str, float] = {}
    for key in heapq.nlargest(_NEAREST, scores, key=lambda k: (scores[k], k)):
        for unit_id in leads.get(key, ()):
            found[unit_id] = max(found.get(unit_id, 0.0), scores[key])
    return found


def _carried(index: Index, own: Scores) -> tuple[dict[str, float], dict[str, float]]:
    """What counterparts say: the mean of all, and the best."""
    mean: dict[str, float] = {}
    best: dict[str, float] = {}
    for unit_id, others in index.counterparts.items():
        carried = [_CARRIES[relation] * own.get(other, 0.0) for other, relation in others]
        mean[unit_id], best[unit_id] = sum(carried) / len(carried), max(carried)
    return mean, best


def combined(evidence: Evidence, weights: Mapping[str, float], among: Iterable[str]) -> dict[str, float]:
    """The weighted sum of all evidence for some provisions."""
    return {
        unit_id: sum(weight * evidence.kinds[kind].get(unit_id, 0.0) for kind, weight in weights.items())
        for unit_id in among
    }
