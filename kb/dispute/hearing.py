"""A hearing: each issue of a dispute adjudicated by itself, and what all of them come to."""

from __future__ import annotations

import heapq
from collections.abc import Collection
from dataclasses import dataclass

from kb.dispute.adjudication import Adjudication, Finding, adjudicate
from kb.dispute.index import Index
from kb.dispute.issues import Issue, issues

_TOLD = 3  # cases named with a dispute


@dataclass(frozen=True, slots=True)
class Hearing:
    """What the codes asked for say to a dispute, issue by issue; `topics` are those on what the dispute speaks of."""

    heard: tuple[tuple[Issue, Adjudication], ...]
    topics: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The provisions that decide any of the issues, the likeliest first, each once."""
        best: dict[str, Finding] = {}
        for finding in (f for _, found in self.heard for f in found.findings):
            if finding.id not in best or finding.score > best[finding.id].score:
                best[finding.id] = finding
        return tuple(sorted(best.values(), key=lambda finding: -finding.score))

    @property
    def undecided(self) -> frozenset[str]:
        """The codes that say nothing on any of the issues."""
        return frozenset.intersection(*(frozenset(found.undecided) for _, found in self.heard))

    @property
    def cases(self) -> tuple[tuple[str, float], ...]:
        """The cases that are likest to any of the issues."""
        near: dict[str, float] = {}
        for _, found in self.heard:
            near |= {case: max(score, near.get(case, 0.0)) for case, score in found.cases}
        return tuple(heapq.nlargest(_TOLD, near.items(), key=lambda item: item[1]))


def hear(
    index: Index,
    told: str,
    *,
    codes: Collection[str] = (),
    kinds: Collection[str] = (),
    exclude: Collection[str] = (),
    limit: int = 20,
) -> Hearing:
    """Find the provisions that decide what is asked of a dispute.

    Args:
        told: what happened and what is asked, in anybody's words.
        index, codes, kinds, exclude, limit: as for `kb.dispute.adjudication.adjudicate`.
    """
    heard = (
        (
            issue,
            adjudicate(index, issue.put, stressed=issue.asked, codes=codes, kinds=kinds, exclude=exclude, limit=limit),
        )
        for issue in issues(told)
    )
    named = index.names_in(told)
    return Hearing(tuple(heard), tuple(topic for concept, topic in index.topics.items() if concept in named))
