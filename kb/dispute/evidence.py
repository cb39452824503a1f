"""What speaks for each provision as the one that decides a dispute, kind by kind.

Words match words: those of the provision with its gloss, the questions it answers and the terms for what it speaks of;
what is spoken of is matched too. Beyond them a question of a topic, as editors and players put it, may be like what
is asked (`question`), or a classifier that has learnt from all of these may tell it from the others (`learnt`); a case
like this one may have turned on the provision; and a counterpart in another code may match where this one does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from kb.analysis.index import MOST, Scores, TermIndex
from kb.analysis.words import telling, terms
from kb.dispute.index import Index
from kb.dispute.principal import UNKNOWN, principal

OF_FACETS = ("question", "learnt")
KINDS = ("words", "spoken", *OF_FACETS, "case", "counterpart")
_TWICE = 2  # a word that a story repeats counts no more often
_FEW = 2.0  # a single concept in common is not everything in common
_UNNAMED = 0.5  # what is left of a question whose form of the game is not named: who tells a story may not name it
_LATER = 0.1  # how much less a principal question is meant than the one before it
# What is asked alone counts so much, and the facts with it the rest, where it has so many telling words; with half to
# seven tenths and two to five words parts of compound questions are settled nearly as well.
_ALONE, _SELF_CONTAINED = 0.6, 3
_NEAREST = 12  # cases further down are about something else


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for the provisions, and how near facets and cases are, by their rows in the index.

    `kinds` has a score for each provision by each kind, 0 where nothing speaks for it; `unruled` is that of the
    classifier's reading.
    """

    kinds: Mapping[str, Scores]
    facets: Scores
    cases: Scores
    unruled: float

    def total(self, weights: Mapping[str, float]) -> Scores:
        """The weighted sum of all evidence for each provision."""
        return weighted(self.kinds, weights)


def weighted(kinds: Mapping[str, Scores], weights: Mapping[str, float]) -> Scores:
    """The weighted sum of scores of several kinds."""
    total: Scores = np.sum([weights.get(kind, 0.0) * scores for kind, scores in kinds.items()], axis=0)
    return total


def gather(
    index: Index,
    question: str,
    weights: Mapping[str, float],
    *,
    stressed: str = "",
    exclude: Collection[str] = (),
    facet: str = "",
) -> Evidence:
    """Gather the evidence for a question.

    Args:
        index: the knowledge base.
        question: what happened, in anybody's words.
        weights: of each kind, by which the evidence of counterparts is summed up.
        stressed: the part of the question that counts twice: what is asked of the facts, where that is known.
        exclude: cases that may not speak (with their decisions).
        facet: the question of a topic that is meant, where that is known.
    Returns:
        Evidence of each kind, as a share of what the words of the question could give at most.
    """
    named = index.names_in(question)
    asked = Counter((*terms(question), *terms(stressed)))
    # Who tells a thing without its name asks for what the law calls by it.
    asked.update({index.named[concept] for concept in named & index.named.keys()}.difference(asked))
    # A word that the provisions do not have still tells that they are not what is asked for.
    most = sum(index.words.rarity(term) or UNKNOWN for term in asked) or 1.0
    query = {term: min(n, _TWICE) / most for term, n in asked.items()}

    cases = index.facts.products(query)
    barred = {unit_id.removesuffix("/decision") for unit_id in exclude}
    cases[[row for row, case in enumerate(index.cases) if case in barred]] = 0.0
    read = index.classifier.read(question)
    learnt = read.questions
    if len(telling(stressed)) >= _SELF_CONTAINED:
        learnt = (1 - _ALONE) * learnt + _ALONE * index.classifier.read(stressed).questions
    facets = {"question": index.questions.products(query), "learnt": learnt}
    unmeant = np.zeros(len(index.facets), dtype=bool)
    unmeant[[index.facets[facet] for facet, needed in index.premises.items() if named.isdisjoint(needed)]] = True
    for scores in facets.values():
        scores[unmeant] *= _UNNAMED
    if general := (facet,) if facet in index.facets else principal(index, question, stressed):
        # Then nothing else is asked, and that in its very words; the first of several before the others.
        only = np.zeros(len(index.facets))
        only[[index.facets[facet] for facet in general]] = [MOST * (1 - _LATER) ** n for n in range(len(general))]
        facets = dict.fromkeys(facets, only)
    kinds = {
        "words": index.words.products(query),
        "spoken": _spoken(index.spoken, named),
        **{kind: index.answer.best(scores) for kind, scores in facets.items()},
        "case": index.turn.best(_nearest(cases)),
    }
    beside = (index.answer.best(~unmeant) == 0) & (index.answer.best(unmeant) > 0)  # it answers unmeant ones alone
    for scores in kinds.values():
        scores[beside] *= _UNNAMED
    kinds["counterpart"] = index.counterparts.summed(weighted(kinds, weights))
    kinds["counterpart"][beside] *= _UNNAMED
    if general:  # what answers it is known, whatever is like it
        kinds |= dict.fromkeys(("case", "counterpart"), np.zeros(len(beside)))
    return Evidence(kinds, weighted(facets, weights), cases, read.unruled)


def _spoken(concepts: TermIndex, named: Collection[str]) -> Scores:
    """How much of what is named each row speaks of too."""
    return concepts.products(dict.fromkeys(named, 1 / (sum(map(concepts.rarity, named)) + _FEW)))


def _nearest(scores: Scores) -> Scores:
    """The scores of the nearest few, 0 for the others."""
    found = np.zeros(len(scores))
    best = np.argsort(-scores, kind="stable")[:_NEAREST]
    found[best] = scores[best]
    return found
