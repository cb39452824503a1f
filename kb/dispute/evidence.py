"""What speaks for each provision as the one that decides a dispute, kind by kind.

Words match words: those of the provision with its gloss and the questions it answers, the terms for what it speaks of.
What is spoken of is matched too: by provisions (`spoken`) and by the questions that they answer (`matter`). Beyond them
a question of a topic may be the very question that is asked, as players put it; a case like this one may have turned on
the provision; and a counterpart in another code may match where this one's wording does not.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from kb.analysis.words import terms
from kb.dispute.field import MOST
from kb.dispute.index import Index
from kb.dispute.principal import UNKNOWN, principal

OWN = ("words", "concepts", "spoken", "matter", "question", "asked", "asked best", "case")
KINDS = (*OWN, "counterpart")
_FEW = 2.0  # a single concept in common is not everything in common
_UNNAMED = 0.5  # what is left of a question whose form of the game is not named: who tells a story may not name it
_LATER = 0.1  # how much less a principal question is meant than the one before it
_NEAREST = 12  # cases further down are about something else
# How much of a counterpart's evidence goes over, by the relation: a rule that differs is still on the same question.
_CARRIES = {"same-text": 1.0, "equivalent": 1.0, "narrower": 0.8, "broader": 0.8, "differs": 0.7, "opposed": 0.7}

Scores = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for the provisions: `kinds` by kind and provision; `facets` and `cases`, how near each is."""

    kinds: Mapping[str, Scores]
    facets: Scores
    cases: Scores


def gather(
    index: Index, question: str, weights: Mapping[str, float], *, stressed: str = "", exclude: Collection[str] = ()
) -> Evidence:
    """Gather the evidence for a question.

    Args:
        index: the knowledge base.
        question: what happened, in anybody's words.
        weights: of each kind, by which the evidence of counterparts is summed up.
        stressed: the part of the question that counts twice: what is asked of the facts, where that is known.
        exclude: cases that may not speak (with their decisions).
    Returns:
        Evidence of each kind, as a share of what the words of the question could give at most.
    """
    told = (*terms(question), *terms(stressed))
    named = index.names_in(question)
    # Who tells a thing without its name asks for what the law calls by it.
    asked = (*told, *sorted({index.named[concept] for concept in named & index.named.keys()}.difference(told)))
    # A word that the provisions do not have still tells that they are not what is asked for.
    most = sum(index.words.weight(term) or UNKNOWN for term in set(asked)) or 1.0

    barred = {unit_id.removesuffix("/decision") for unit_id in exclude}
    cases = {k: s for k, s in index.cases.scores(told, most).items() if k not in barred}
    matters = _spoken(index.about, index.rarity_about, named)
    questions = index.questions.scores(asked, most)
    tellings = index.tellings.scores(asked, most)
    nearest: dict[str, float] = {}
    for telling, score in index.told.scores(asked, most).items():
        facet = index.telling_of[telling]
        if score > nearest.get(facet, 0.0):
            nearest[facet] = score
    unmeant = {facet for facet, needed in index.premises.items() if named.isdisjoint(needed)}
    beside = {unit for unit, facets in index.answered.items() if unmeant.issuperset(facets)}
    asked_of = [_damped(scores, unmeant) for scores in (matters, questions, tellings, nearest)]
    if general := principal(index, question, stressed):
        # Then nothing else is asked, and that in its very words; the first of several before the others.
        asked_of = [{facet: MOST * (1 - _LATER) ** n for n, facet in enumerate(general)}] * len(asked_of)
    matters, questions, tellings, nearest = asked_of
    kinds: dict[str, Scores] = {
        "words": index.words.scores(asked, most),
        "concepts": index.concepts.scores(asked, most),
        "spoken": _spoken(index.spoken, index.rarity, named),
        "matter": _best(matters, index.leads),
        "question": _best(questions, index.leads),
        "asked": _best(tellings, index.leads),
        "asked best": _best(nearest, index.leads),
        "case": _best(_nearest(cases), {case: dict.fromkeys(units, 1.0) for case, units in index.turned.items()}),
    }
    kinds = {kind: _damped(scores, beside) for kind, scores in kinds.items()}
    own: dict[str, float] = defaultdict(float)
    for kind in OWN:
        weight = weights.get(kind, 0.0)
        for unit_id, score in kinds[kind].items():
            own[unit_id] += weight * score
    kinds["counterpart"] = _damped(_carried(index, own), beside)
    about: dict[str, float] = defaultdict(float)
    for kind, scores in (("matter", matters), ("question", questions), ("asked", tellings), ("asked best", nearest)):
        weight = weights.get(kind, 0.0)
        for facet, score in scores.items():
            about[facet] += weight * score
    return Evidence(kinds, about, cases)


def _spoken(
    spoken: Mapping[str, frozenset[str]], rarity: Mapping[str, float], named: Collection[str]
) -> dict[str, float]:
    """How much of what is named each provision, or question of a topic, speaks of too."""
    concepts = named & rarity.keys()
    most = sum(rarity[concept] for concept in concepts) + _FEW
    return {
        key: sum(rarity[concept] for concept in shared) / most
        for key, its in spoken.items()
        if (shared := its & concepts)
    }


def _damped(scores: Scores, unlikely: Collection[str]) -> dict[str, float]:
    return {key: score * (_UNNAMED if key in unlikely else 1.0) for key, score in scores.items()}


def _nearest(scores: Scores) -> dict[str, float]:
    return {key: scores[key] for key in heapq.nlargest(_NEAREST, scores, key=lambda k: (scores[k], k))}


def _best(scores: Scores, leads: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Of each provision the best score of what leads to it, by how directly it leads there."""
    found: dict[str, float] = {}
    for key, score in scores.items():
        for unit_id, share in leads.get(key, {}).items():
            if score * share > found.get(unit_id, 0.0):
                found[unit_id] = score * share
    return found


def _carried(index: Index, own: Scores) -> dict[str, float]:
    """What the counterparts of each provision say: the mean of all."""
    carried = {}
    for unit_id, others in index.counterparts.items():
        total = 0.0
        for other, relation in others:
            total += _CARRIES[relation] * own.get(other, 0.0)
        carried[unit_id] = total / len(others)
    return carried
