"""Rank the provisions of each code by how likely they decide a dispute, and recognise codes that do not decide it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from kb.analysis.index import Scores
from kb.analysis.weights import weights
from kb.dispute.evidence import KINDS, NEAREST, WEIGHTS, Evidence, gather
from kb.dispute.index import Index

SILENCE = weights("silence")
# From this certainty on, a code is reported as silent. On held-out questions this finds seven in eight silences (1,064
# of 1,234), and reports silence for one in ninety answers (24 of 2,096).
SURE = 0.4
# If the best score is lower, only six in ten first provisions decide. It is lower for one in eight of the questions
# that codes answer, and for nine in ten of those that no code answers.
FAINT = 8.0
# From this margin on (`Evidence.unruled`), a question is reported as one that no provision decides: four in five
# such questions, none of 1,228 others.
CLEARLY_UNRULED = 0.5
# With a lower lead (`Adjudication.lead`), or if the codes answer different questions, it is not clear which question is
# meant: so for 90 of the 188 held-out questions whose first provisions are wrong, and for 192 of the 1,908 others.
CLEAR_LEAD = 0.1
_CANDIDATES = 4
_STEEPNESS = 30.0  # of the softmax over questions: how much more a better match counts
_LIKELY = 0.7  # share of the best score: a question that has less is not meant
_NEAREST = 3  # questions in the feature `nearest`
_MOST_LISTED = 3  # questions listed with an adjudication
_LEAST_SHARE = 0.05  # of the code's best score: provisions that have less are not worth showing


@dataclass(frozen=True, slots=True)
class Finding:
    """A provision that may decide a dispute.

    `why` has the kinds of evidence for it with their shares of its score, the strongest first. `facets` are the
    questions that the provision answers for its code and that may be meant, the nearest first.
    """

    id: str
    code: str
    score: float
    why: tuple[tuple[str, float], ...]
    facets: tuple[str, ...] = ()

    @property
    def faint(self) -> bool:
        """Whether the evidence for it is weak."""
        return self.score < FAINT


@dataclass(frozen=True, slots=True)
class Adjudication:
    """What the requested codes say on a question.

    Attributes:
        findings: provisions that may decide it, the likeliest first.
        undecided: the requested codes of which no provision decides it, each with the certainty of this.
        facets: the nearest questions of topics, with their probabilities.
        candidates: the ids of the questions that may be meant, the nearest first.
        lead: how much more clearly a question is asked that the best provision answers than any that it does not
            answer, by the matcher, for the code where this is most; infinite if it recognises no question.
        cases: the most similar cases, the best first, with their scores.
        unruled: whether clearly no provision decides it; then all codes are undecided.
        best: the score of the best provision of any code, requested or not, or of the best question.
    """

    findings: tuple[Finding, ...]
    undecided: Mapping[str, float]
    facets: tuple[tuple[str, float], ...]
    cases: tuple[tuple[str, float], ...]
    unruled: bool = False
    best: float = 0.0
    candidates: tuple[str, ...] = ()
    lead: float = math.inf

    @property
    def faint(self) -> bool:
        """Whether the evidence is weak even for the best provision, or clearly no provision decides."""
        return self.unruled or (bool(self.findings) and self.findings[0].faint)

    @property
    def unrecognised(self) -> bool:
        """Whether the evidence is weak for every question, and for every provision of all codes."""
        return self.unruled or self.best < FAINT

    @property
    def unclear(self) -> bool:
        """Whether it is not clear which of the nearest questions is meant."""
        doubtful = self.lead < CLEAR_LEAD or (math.isfinite(self.lead) and self._divided)
        return not self.unruled and doubtful and len(self.candidates) > 1

    @property
    def _divided(self) -> bool:
        """Whether the best provisions of the codes that decide have no question in common."""
        first: dict[str, set[str]] = {}
        for finding in self.findings:
            if finding.facets and finding.code not in self.undecided:
                first.setdefault(finding.code, set(finding.facets))
        return len(first) > 1 and not set.intersection(*first.values())

    @property
    def deciding(self) -> bool:
        """Whether a requested code has a provision that decides."""
        return any(finding.code not in self.undecided for finding in self.findings)

    def of(self, code: str) -> tuple[Finding, ...]:
        """The findings of one code."""
        return tuple(finding for finding in self.findings if finding.code == code)


def adjudicate(
    index: Index,
    question: str,
    *,
    stressed: str = "",
    codes: Collection[str] = (),
    kinds: Collection[str] = (),
    exclude: Collection[str] = (),
    limit: int = 20,
    facet: str = "",
) -> Adjudication:
    """Find the provisions that decide a dispute.

    Args:
        index: the index of the knowledge base.
        question: what happened, in free text.
        stressed: the part of it that counts twice.
        codes, kinds: only provisions of these codes and kinds; all if none are given.
        exclude: units that are not found and give no evidence: the case from which the question was taken.
        limit: the most provisions to return of each code.
        facet: the id of the question of a topic that is meant, if known.
    """
    evidence = gather(index, question, stressed=stressed, exclude=exclude, facet=facet)
    scores = evidence.total
    provisions = tuple(index.provisions.values())
    wanted = [code for code in index.of_code if not codes or code in codes]
    findings: list[Finding] = []
    for code in wanted:
        rows = index.of_code[code]
        candidates = [
            row for row in rows[np.argsort(-scores[rows], kind="stable")].tolist()
            if scores[row] > 0 and (not kinds or provisions[row].kind in kinds) and provisions[row].id not in exclude
        ]  # fmt: skip
        for row in candidates[:limit]:
            if scores[row] >= _LEAST_SHARE * scores[candidates[0]]:
                unit_id, why = provisions[row].id, _why(evidence, row)
                facets = likely_questions(index, evidence, index.answered.get(unit_id, ()))
                findings.append(Finding(unit_id, code, round(float(scores[row]), 4), why, facets))
    findings.sort(key=lambda finding: -finding.score)
    silence = _silence(index, evidence, scores)
    unruled = facet not in index.facets and evidence.unruled >= CLEARLY_UNRULED
    if facet in index.facets:  # the question is known, so silence need not be estimated
        silence = {code: float(index.mute[code][index.facets[facet]]) for code in silence}
    elif unruled:
        silence = dict.fromkeys(silence, 1.0)
    return Adjudication(
        tuple(findings),
        {code: round(silence[code], 3) for code in wanted if silence[code] >= SURE},
        _first(_shares(evidence.facets), tuple(index.labels)),
        _first(evidence.cases, index.cases, NEAREST),
        unruled,
        max(float(scores.max(initial=0.0)), float(evidence.facets.max(initial=0.0))),
        _candidates(index, evidence),
        math.inf if facet in index.facets else _lead(index, evidence, scores),
    )


def _first(scores: Scores, names: Sequence[str], most: int = _MOST_LISTED) -> tuple[tuple[str, float], ...]:
    """The names and scores of the best few rows with a positive score."""
    best = np.argsort(-scores, kind="stable")[:most].tolist()
    return tuple((names[row], float(scores[row])) for row in best if scores[row] > 0)


def _best(index: Index, scores: Scores) -> dict[str, str]:
    """The best provision of each code, by id."""
    provisions = tuple(index.provisions)
    return {code: provisions[rows[np.argmax(scores[rows])]] for code, rows in index.of_code.items()}


def _candidates(index: Index, evidence: Evidence) -> tuple[str, ...]:
    """The questions that may be meant, by all evidence and by the matcher alone, the likeliest first."""
    likely = (np.where(s >= _LIKELY * s.max(initial=0.0), s, 0.0) for s in (evidence.facets, evidence.learnt))
    found = (_first(scores, tuple(index.labels), _CANDIDATES) for scores in likely)
    return tuple(dict.fromkeys(question for question, _ in chain.from_iterable(found)))[:_CANDIDATES]


def _lead(index: Index, evidence: Evidence, scores: Scores) -> float:
    """The lead of the questions that a best provision answers over all others (`Adjudication.lead`)."""
    leads = [-math.inf]
    for provision in _best(index, scores).values():
        answered = np.zeros(len(evidence.learnt), dtype=bool)
        answered[[index.facets[i] for i in index.answered.get(provision, ())]] = True
        leads.append(evidence.learnt[answered].max(initial=0.0) - evidence.learnt[~answered].max(initial=0.0))
    return float(max(leads)) if evidence.learnt.any() else math.inf


def _silence(index: Index, evidence: Evidence, scores: Scores) -> dict[str, float]:
    """The certainty that each code is silent; two that print the same answer share the lower certainty."""
    certainty = {code: silent(_signs(index, evidence, scores, code)) for code in index.of_code}
    best = _best(index, scores)
    likeliest = {code: likely_questions(index, evidence, index.answered.get(best[code], ()))[:1] for code in best}
    for code, facet in likeliest.items():
        twin = index.twins.get(next(iter(facet), ""), {}).get(code)
        if twin in certainty and likeliest[twin] == facet:
            certainty[code] = certainty[twin] = min(certainty[code], certainty[twin])
    return certainty


def _signs(index: Index, evidence: Evidence, scores: Scores, code: str) -> dict[str, float]:
    """The features from which `silent` estimates whether a code is silent on a question.

    Returns:
        `silent`: the probability that the question meant is one on which the code is silent; `nearest`: the share of
        such questions among the nearest few; `outdone`: the code's best score divided by the best of all codes.
    """
    likely, mute = _shares(evidence.facets), index.mute[code]
    nearest = [row for row in np.argsort(-likely, kind="stable")[:_NEAREST].tolist() if likely[row] > 0]
    best = scores.max(initial=0.0)
    return {
        "silent": float(likely[mute].sum()),
        "nearest": float(mute[nearest].sum()) / max(1, len(nearest)),
        "outdone": float(scores[index.of_code[code]].max() / best) if best else 1.0,
    }


def silent(signs: Mapping[str, float]) -> float:
    """The certainty that a code is silent, from the logistic model."""
    total = SILENCE["bias"] + sum(SILENCE[sign] * value for sign, value in signs.items())
    return 1 / (1 + math.exp(-total))


def likely_questions(index: Index, evidence: Evidence, among: Iterable[str]) -> tuple[str, ...]:
    """The questions among some that may be meant, the nearest first; none if there is no evidence for any of them."""
    near = {facet: score for facet in among if (score := evidence.facets[index.facets[facet]]) > 0}
    least = _LIKELY * max(near.values(), default=0.0)
    return tuple(sorted((facet for facet in near if near[facet] >= least), key=lambda facet: -near[facet]))


def _shares(facets: Scores) -> Scores:
    """The probability that each question is meant: a softmax of its share of the best score; 0 for unlikely ones."""
    best = facets.max(initial=0.0)
    if not best:
        return np.zeros(len(facets))
    exponentials: Scores = np.where(facets > _LIKELY * best, np.exp(_STEEPNESS * (facets / best - 1)), 0.0)
    return exponentials / np.sum(exponentials)


def _why(evidence: Evidence, row: int) -> tuple[tuple[str, float], ...]:
    """The kinds of evidence for a provision, each with its share of the score, the strongest first."""
    parts = {kind: WEIGHTS[kind] * float(evidence.kinds[kind][row]) for kind in KINDS}
    whole = sum(parts.values()) or 1.0
    ranked = sorted(((kind, part / whole) for kind, part in parts.items() if part > 0), key=lambda item: -item[1])
    return tuple((kind, round(share, 2)) for kind, share in ranked)
