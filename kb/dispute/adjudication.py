"""Say what happened, get the law: provisions ranked as the one that decides, and whether a code decides it at all."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kb.analysis.index import Scores
from kb.analysis.weights import weights
from kb.dispute.evidence import KINDS, Evidence, gather
from kb.dispute.index import Index

WEIGHTS = weights("dispute")
SILENCE = weights("silence")
# From this certainty on a code is said to be silent: so are 716 of 869 silences on held-out questions, and wrongly 12
# of 1,546 answers.
SURE = 0.55
# Where the best score is lower, six first provisions in ten decide: in 152 of 1,244 questions that codes answer, and
# in 120 of 137 that none does.
FAINT = 8.0
# What so much more clearly asks what no provision decides is told so: 113 of 149 such questions, none of 1,228 others.
CLEARLY_UNRULED = 0.5
_PEAKED = 30.0  # how much a question that matches better counts for more than the next
_LIKELY = 0.7  # of the best: a question that matches less is not meant
_NEAREST = 3
_TOLD = 3  # cases and questions named with a finding
_LEAST = 0.05  # of the best score: what has less is not worth showing


@dataclass(frozen=True, slots=True)
class Finding:
    """A provision that may decide; `why` has the kinds of evidence for it, the strongest first, with their shares.

    `facets` are the questions that may be meant among those that the provision answers for its code, the nearest first.
    """

    id: str
    code: str
    score: float
    why: tuple[tuple[str, float], ...]
    facets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Adjudication:
    """What the codes asked for say to a question.

    Attributes:
        findings: provisions, the likeliest first.
        undecided: the codes asked for that say nothing on the matter, with the certainty of that.
        facets: the questions of topics that are nearest to it, with their shares of the whole.
        cases: cases like it, the likest first, with their scores.
        unruled: whether it is clearly something that no provision decides; then all codes are undecided.
    """

    findings: tuple[Finding, ...]
    undecided: Mapping[str, float]
    facets: tuple[tuple[str, float], ...]
    cases: tuple[tuple[str, float], ...]
    unruled: bool = False

    @property
    def faint(self) -> bool:
        """Whether even the best provision has little that speaks for it."""
        return self.unruled or (bool(self.findings) and self.findings[0].score < FAINT)

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
        index: the knowledge base.
        question: what happened, in anybody's words.
        stressed: the part of it that counts twice.
        codes, kinds: only provisions of these; of all if none is named.
        exclude: units that may not be found or speak: the case from which the question was taken.
        limit: how many provisions of each code to give.
        facet: the id of the question of a topic that is meant, where that is known.
    """
    evidence = gather(index, question, WEIGHTS, stressed=stressed, exclude=exclude, facet=facet)
    scores = evidence.total(WEIGHTS)
    provisions = tuple(index.provisions.values())
    wanted = [code for code in index.of_code if not codes or code in codes]
    findings: list[Finding] = []
    for code in wanted:
        rows = index.of_code[code]
        ours = [
            row for row in rows[np.argsort(-scores[rows], kind="stable")].tolist()
            if scores[row] > 0 and (not kinds or provisions[row].kind in kinds) and provisions[row].id not in exclude
        ]  # fmt: skip
        for row in ours[:limit]:
            if scores[row] >= _LEAST * scores[ours[0]]:
                unit_id, why = provisions[row].id, _why(evidence, row)
                facets = meant(index, evidence, index.answered.get(unit_id, ()))
                findings.append(Finding(unit_id, code, round(float(scores[row]), 4), why, facets))
    findings.sort(key=lambda finding: -finding.score)
    silence = _silence(index, evidence, scores)
    unruled = facet not in index.facets and evidence.unruled >= CLEARLY_UNRULED
    if facet in index.facets:  # then there is nothing to guess
        silence = {code: float(index.mute[code][index.facets[facet]]) for code in silence}
    elif unruled:
        silence = dict.fromkeys(silence, 1.0)
    return Adjudication(
        tuple(findings),
        {code: round(silence[code], 3) for code in wanted if silence[code] >= SURE},
        _first(_shares(evidence.facets), tuple(index.labels)),
        _first(evidence.cases, index.cases),
        unruled,
    )


def _first(scores: Scores, names: Sequence[str]) -> tuple[tuple[str, float], ...]:
    """The few best of some rows that have a score, by name."""
    best = np.argsort(-scores, kind="stable")[:_TOLD].tolist()
    return tuple((names[row], float(scores[row])) for row in best if scores[row] > 0)


def _silence(index: Index, evidence: Evidence, scores: Scores) -> dict[str, float]:
    """How certain it is that each code says nothing; two that print the same answer both say it."""
    certain = {code: silent(signs(index, evidence, scores, code)) for code in index.of_code}
    provisions = tuple(index.provisions)
    best = {code: provisions[rows[np.argmax(scores[rows])]] for code, rows in index.of_code.items()}
    asked = {code: meant(index, evidence, index.answered.get(best[code], ()))[:1] for code in best}
    for code, facet in asked.items():
        twin = index.twins.get(next(iter(facet), ""), {}).get(code)
        if twin in certain and asked[twin] == facet:
            certain[code] = certain[twin] = min(certain[code], certain[twin])
    return certain


def signs(index: Index, evidence: Evidence, scores: Scores, code: str) -> dict[str, float]:
    """The signs that a code says nothing on the matter.

    Returns:
        `silent`, the share of the questions that are meant on which the code is silent; `nearest`, the same among the
        nearest few; `outdone`, how its best provision stands against the best of all codes.
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
    """The certainty that a code says nothing, by the logistic model."""
    total = SILENCE["bias"] + sum(SILENCE[sign] * value for sign, value in signs.items())
    return 1 / (1 + math.exp(-total))


def meant(index: Index, evidence: Evidence, among: Iterable[str]) -> tuple[str, ...]:
    """Of some questions those that may be meant, the nearest to what is asked first; none if no word speaks for any."""
    near = {facet: score for facet in among if (score := evidence.facets[index.facets[facet]]) > 0}
    least = _LIKELY * max(near.values(), default=0.0)
    return tuple(sorted((facet for facet in near if near[facet] >= least), key=lambda facet: -near[facet]))


def _shares(facets: Scores) -> Scores:
    """How likely each question is the one that is meant (softmax of shares of the best); 0 for the unlikely."""
    most = facets.max(initial=0.0)
    if not most:
        return np.zeros(len(facets))
    raised: Scores = np.where(facets > _LIKELY * most, np.exp(_PEAKED * (facets / most - 1)), 0.0)
    return raised / np.sum(raised)


def _why(evidence: Evidence, row: int) -> tuple[tuple[str, float], ...]:
    """The kinds of evidence for a provision, each with its share of the score, the strongest first."""
    parts = {kind: WEIGHTS[kind] * float(evidence.kinds[kind][row]) for kind in KINDS}
    whole = sum(parts.values()) or 1.0
    ranked = sorted(((kind, part / whole) for kind, part in parts.items() if part > 0), key=lambda item: -item[1])
    return tuple((kind, round(share, 2)) for kind, share in ranked)
