"""The evidence, by kind, that each provision decides a dispute.

The question may share words with a provision, its gloss, the questions it answers and the labels of its concepts
(`words`), or concepts (`spoken`). It may be similar to a question of a topic, as editors and players word it, that the
provision answers (`question`); a matcher fitted to these paraphrases may recognise that question (`learnt`). A similar
case may have turned on the provision (`case`). A counterpart in another code may match better (`counterpart`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from kb.analysis.index import MOST, Scores, TermIndex
from kb.analysis.weights import weights
from kb.analysis.words import content_words, terms
from kb.dispute.index import Index
from kb.dispute.principal import UNKNOWN, principal

WEIGHTS = weights("dispute")
OF_FACETS = ("question", "learnt")
KINDS = ("words", "spoken", *OF_FACETS, "case", "counterpart")
_MOST_COUNTED = 2  # a word counts at most so many times, however often a story repeats it
_FEW = 2.0  # added to the weight of the concepts named, so that sharing a single one is not a perfect match
_UNNAMED = 0.5  # factor for questions on a form of the game that the text does not name: a story may leave it out
_LATER = 0.1  # how much less likely a principal question is than the one before it
# The weight of the matcher's reading of the question alone, if the question has at least so many content words; its
# reading of the question with the facts has the rest. With weights of 0.5 to 0.7 and two to five words, parts of
# compound questions are settled nearly as well.
_ALONE, _SELF_CONTAINED = 0.6, 3
# General words ask no principal question if the matcher prefers another question by more than this: "the cards are
# marked, what do we do" is not about marking the score.
_CONTRADICTED = 1.0
_RECOGNISED = 0.5  # added to the matcher's score of a principal question
NEAREST = 12  # cases further down are about something else


@dataclass(frozen=True, slots=True)
class Evidence:
    """The scores of provisions, facets and cases, by their rows in the index.

    `kinds` has the scores of the provisions for each kind of evidence, 0 if there is none; `learnt` and `unruled` are
    those of the matcher for the questions, and for what no provision decides (`kb.questions.matcher.Reading`).
    """

    kinds: Mapping[str, Scores]
    facets: Scores
    cases: Scores
    learnt: Scores
    unruled: float

    @property
    def total(self) -> Scores:
        """The weighted sum of all evidence for each provision."""
        return _weighted(self.kinds)


def _weighted(kinds: Mapping[str, Scores]) -> Scores:
    """The weighted sum of scores of several kinds."""
    total: Scores = np.sum([WEIGHTS[kind] * scores for kind, scores in kinds.items()], axis=0)
    return total


def gather(
    index: Index,
    question: str,
    *,
    stressed: str = "",
    exclude: Collection[str] = (),
    facet: str = "",
) -> Evidence:
    """Gather the evidence for a question.

    Args:
        index: the index of the knowledge base.
        question: what happened, in free text.
        stressed: the part of the question that counts twice: the question itself without the facts, if known.
        exclude: cases, with their decisions, that give no evidence.
        facet: the id of the question of a topic that is meant, if known.
    Returns:
        Evidence of each kind, as a share of the most that the words of the question could give.
    """
    named = index.names_in(question)
    counts = Counter((*terms(question), *terms(stressed)))
    # A text that describes a concept without its name searches for the name too.
    counts.update({index.named[concept] for concept in named & index.named.keys()}.difference(counts))
    # A word that no provision has counts in the maximum too: it shows that no provision matches well.
    highest = sum(index.words.rarity(term) or UNKNOWN for term in counts) or 1.0
    query = {term: min(n, _MOST_COUNTED) / highest for term, n in counts.items()}

    cases = index.facts.products(query)
    barred = {unit_id.removesuffix("/decision") for unit_id in exclude}
    cases[[row for row, case in enumerate(index.cases) if case in barred]] = 0.0
    read = index.matcher.read(question)
    learnt = read.questions
    if len(content_words(stressed)) >= _SELF_CONTAINED:
        learnt = (1 - _ALONE) * learnt + _ALONE * index.matcher.read(stressed).questions
    facets = {"question": index.questions.products(query), "learnt": learnt}
    unlikely = np.zeros(len(index.facets), dtype=bool)
    unlikely[[index.facets[facet] for facet, needed in index.premises.items() if named.isdisjoint(needed)]] = True
    for scores in facets.values():
        scores[unlikely] *= _UNNAMED
    general = (facet,) if facet in index.facets else principal(index, question, stressed)
    meant = [index.facets[question] for question in general]
    if facet not in general and learnt[meant].max(initial=0.0) < learnt.max(initial=0.0) - _CONTRADICTED:
        general = ()
    if general:
        learnt[meant] += _RECOGNISED
        # Nothing else is asked, so these score as if in their exact words; of several, the first scores most.
        only = np.zeros(len(index.facets))
        only[meant] = [MOST * (1 - _LATER) ** n for n in range(len(general))]
        facets = dict.fromkeys(facets, only)
    kinds = {
        "words": index.words.products(query),
        "spoken": _spoken(index.spoken, named),
        **{kind: index.answer.best(scores) for kind, scores in facets.items()},
        "case": index.turn.best(_nearest(cases)),
    }
    # Provisions that answer only unlikely questions.
    only_unlikely = (index.answer.best(~unlikely) == 0) & (index.answer.best(unlikely) > 0)
    for scores in kinds.values():
        scores[only_unlikely] *= _UNNAMED
    kinds["counterpart"] = index.counterparts.summed(_weighted(kinds))
    kinds["counterpart"][only_unlikely] *= _UNNAMED
    if general:  # the provisions that answer it are known, so similar cases and counterparts add nothing
        kinds |= dict.fromkeys(("case", "counterpart"), np.zeros(len(only_unlikely)))
    return Evidence(kinds, _weighted(facets), cases, learnt, read.unruled)


def _spoken(concepts: TermIndex, named: Collection[str]) -> Scores:
    """The share of the concepts named, weighted by rarity, that each row has."""
    return concepts.products(dict.fromkeys(named, 1 / (sum(map(concepts.rarity, named)) + _FEW)))


def _nearest(scores: Scores) -> Scores:
    """The scores of the nearest few, 0 for the others."""
    found = np.zeros(len(scores))
    best = np.argsort(-scores, kind="stable")[:NEAREST]
    found[best] = scores[best]
    return found
