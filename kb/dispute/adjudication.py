"""Say what happened, get the law: provisions ranked as the one that decides, and whether a code decides it at all."""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from kb.dispute.evidence import KINDS, Evidence, gather
from kb.dispute.index import Index

# Fitted on disputes, on cases and on their digests (`whist evaluate --fit-disputes`), each question left out in turn
# with all that is its; what they reach is told in docs/quality.md.
WEIGHTS: Mapping[str, float] = {
    "words": 2.04, "concepts": 0.37, "spoken": 1.99, "matter": 2.51, "question": 6.78, "asked": 5.13,
    "asked best": 4.55, "case": 3.32, "counterpart": 0.26,
}  # fmt: skip
# That a code says nothing: a logistic model of three signs, fitted likewise; told only when it is clearly likelier.
SILENCE: Mapping[str, float] = {"bias": -2.26, "silent": 2.56, "nearest": 2.81, "outdone": -2.29}
SURE = 0.55
# Where the best score is lower, the first provision of a code was right in 2 of 7 cases and digests, each left out.
FAINT = 8.0
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
    """

    findings: tuple[Finding, ...]
    undecided: Mapping[str, float]
    facets: tuple[tuple[str, float], ...]
    cases: tuple[tuple[str, float], ...]

    @property
    def faint(self) -> bool:
        """Whether even the best provision has little that speaks for it."""
        return bool(self.findings) and self.findings[0].score < FAINT

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
) -> Adjudication:
    """Find the provisions that decide a dispute.

    Args:
        index: the knowledge base.
        question: what happened, in anybody's words.
        stressed: the part of it that counts twice.
        codes, kinds: only provisions of these; of all if none is named.
        exclude: units that may not be found or speak: the case from which the question was taken.
        limit: how many provisions of each code to give.
    """
    evidence = gather(index, question, WEIGHTS, stressed=stressed, exclude=exclude)
    scores = combined(evidence, index.provisions, WEIGHTS)
    wanted = [code for code in index.codes if not codes or code in codes]
    findings = []
    for code in wanted:
        ours = [
            p.id
            for p in index.of_code[code]
            if (not kinds or p.kind in kinds) and p.id not in exclude and scores.get(p.id, 0.0) > 0
        ]
        best = heapq.nlargest(limit, ours, key=lambda unit_id: scores[unit_id])
        findings += [
            Finding(
                unit_id,
                code,
                round(scores[unit_id], 4),
                _why(evidence, unit_id),
                meant(evidence, index.answered.get(unit_id, ())),
            )
            for unit_id in best
            if scores[unit_id] >= _LEAST * scores[best[0]]
        ]
    findings.sort(key=lambda finding: -finding.score)
    silence = _silence(index, evidence, scores)
    likely = _shares(evidence.facets)
    return Adjudication(
        tuple(findings),
        {code: round(silence[code], 3) for code in wanted if silence[code] >= SURE},
        tuple(heapq.nlargest(_TOLD, likely.items(), key=lambda item: item[1])),
        tuple(heapq.nlargest(_TOLD, evidence.cases.items(), key=lambda item: item[1])),
    )


def combined(evidence: Evidence, among: Iterable[str], weights: Mapping[str, float]) -> dict[str, float]:
    """The weighted sum of all evidence for each of some provisions."""
    found = dict.fromkeys(among, 0.0)
    for kind in KINDS:
        weight = weights[kind]
        for unit_id, score in evidence.kinds[kind].items():
            if unit_id in found:
                found[unit_id] += weight * score
    return found


def _silence(index: Index, evidence: Evidence, scores: Mapping[str, float]) -> dict[str, float]:
    """How certain it is that each code says nothing; two that print the same answer both say it."""
    certain = {code: silent(signs(index, evidence, scores, code)) for code in index.codes}
    asked = {}
    for code in index.codes:
        best = max(index.of_code[code], key=lambda p: scores[p.id])
        asked[code] = meant(evidence, index.answered.get(best.id, ()))[:1]
    for code, facet in asked.items():
        twin = index.twins.get(next(iter(facet), ""), {}).get(code)
        if twin in certain and asked[twin] == facet:
            certain[code] = certain[twin] = min(certain[code], certain[twin])
    return certain


def signs(index: Index, evidence: Evidence, scores: Mapping[str, float], code: str) -> dict[str, float]:
    """The signs that a code says nothing on the matter.

    Returns:
        `silent`, the share of the questions that are meant on which the code is silent; `nearest`, the same among the
        nearest few; `outdone`, how its best provision stands against the best of all codes.
    """
    likely = _shares(evidence.facets)
    mute = index.mute[code]
    nearest = heapq.nlargest(_NEAREST, likely, key=lambda facet: likely[facet])
    best = max(scores.values(), default=0.0)
    ours = max((scores[p.id] for p in index.of_code[code]), default=0.0)
    return {
        "silent": sum(share for facet, share in likely.items() if facet in mute),
        "nearest": sum(facet in mute for facet in nearest) / max(1, len(nearest)),
        "outdone": ours / best if best else 1.0,
    }


def silent(signs: Mapping[str, float]) -> float:
    """The certainty that a code says nothing, by the logistic model."""
    total = SILENCE["bias"] + sum(SILENCE[sign] * value for sign, value in signs.items())
    return 1 / (1 + math.exp(-total))


def meant(evidence: Evidence, among: Iterable[str]) -> tuple[str, ...]:
    """Of some questions those that may be meant, the nearest to what is asked first; none if no word speaks for any."""
    near = {facet: score for facet in among if (score := evidence.facets.get(facet, 0.0)) > 0}
    least = _LIKELY * max(near.values(), default=0.0)
    return tuple(sorted((facet for facet in near if near[facet] >= least), key=lambda facet: -near[facet]))


def _shares(facets: Mapping[str, float]) -> dict[str, float]:
    """How likely each question is the one that is meant (softmax of shares of the best); the unlikely are left out."""
    most = max(facets.values(), default=0.0)
    if not most:
        return {}
    raised = {
        facet: math.exp(_PEAKED * (score / most - 1)) for facet, score in facets.items() if score > _LIKELY * most
    }
    whole = sum(raised.values())
    return {facet: share / whole for facet, share in raised.items()}


def _why(evidence: Evidence, unit_id: str) -> tuple[tuple[str, float], ...]:
    """The kinds of evidence for a provision, each with its share of the score, the strongest first."""
    parts = {kind: WEIGHTS[kind] * evidence.kinds[kind].get(unit_id, 0.0) for kind in KINDS}
    whole = sum(parts.values()) or 1.0
    ranked = sorted(((kind, part / whole) for kind, part in parts.items() if part > 0), key=lambda item: -item[1])
    return tuple((kind, round(share, 2)) for kind, share in ranked)
