"""Adjudication: whether disputes find the provisions that decide them, and whether silent codes are told to be so."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from kb.dispute.hearing import hear
from kb.dispute.index import Index, load_index
from kb.dispute.issues import Issue, issues
from kb.evaluation.gold import provision, rows
from kb.evaluation.retrieval import RankScore, ranked
from kb.read.rows import fetch

DIGESTS = "select unit_id, facts from digest"
PLAYERS = "players.jsonl"
_DEPTH = 40


@dataclass(frozen=True, slots=True)
class Asked:
    """A question asked of one code: `right` are the provisions that decide it, none where the code is silent.

    `part` tells which of the things asked is meant, where the gold has an answer to each.
    """

    group: str
    source: str
    question: str
    exclude: tuple[str, ...]
    code: str
    right: frozenset[str]
    part: int | None = None

    @property
    def held_out(self) -> bool:
        """Whether nothing may be fitted to it."""
        return self.source.endswith("held out")

    @property
    def issue(self) -> Issue:
        """What is put to the codes: the part with its facts, or all."""
        presented = issues(self.question) if self.part is not None else (Issue("", self.question),)
        return presented[min(self.part or 0, len(presented) - 1)]


def questions(conn: sqlite3.Connection, gold: Path, index: Index) -> list[Asked]:
    """All questions that may be fitted on, and those kept out (source `held out`)."""
    found: list[Asked] = []
    for name, at in (("disputes.jsonl", "disputes"), ("questions.jsonl", "questions")):
        for n, (_, row) in enumerate(rows(gold, name)):
            source = "held out" if row.get("held_out") else at
            found += (
                Asked(f"{at} {n}", source, row["query"], (), code, _right(units, index))
                for code, units in row["answers"].items()
            )
    for n, (_, row) in enumerate(rows(gold, PLAYERS)):
        parts = row.get("parts")
        source = ("parts" if parts else "players") + ", held out" * row["held_out"]
        for i, answers in enumerate(parts or [row.get("answers", {})]):
            found += (
                Asked(f"players {n}", source, row["query"], (), code, _right(units, index), i if parts else None)
                for code, units in answers.items()
            )
    for _, row in rows(gold, "retrieval.*.jsonl"):
        codes = sorted({unit.partition("/")[0] for unit in row["laws"]})
        found += (
            Asked(row["qid"], "cases", row["query"], (row["qid"],), code, right)
            for code in codes
            if (right := _right((u for u in row["laws"] if u.startswith(f"{code}/")), index))
        )
    for case, facts in fetch(conn, lambda *row: row, DIGESTS):
        turned = frozenset(index.turned.get(case, ()))
        for code in sorted({index.provisions[unit].code for unit in turned}):
            right = frozenset(unit for unit in turned if index.provisions[unit].code == code)
            found.append(Asked(case, "digests", facts, (case,), code, right))
    return found


def _right(units: Iterable[str], index: Index) -> frozenset[str]:
    return frozenset(unit for unit in map(provision, units) if unit in index.provisions)


@dataclass(frozen=True, slots=True)
class SilenceScore:
    """Codes that say nothing and are told to be silent, and codes that decide and are wrongly told so: (told, of)."""

    told: tuple[int, int]
    wrongly: tuple[int, int]


@dataclass(frozen=True, slots=True)
class DisputeScore:
    """How well questions of one source are settled: ranks over all codes that decide them, and silence."""

    ranks: RankScore
    silence: SilenceScore


def score_adjudications(conn: sqlite3.Connection, gold: Path) -> Mapping[str, DisputeScore]:
    """Settle the questions of the gold, by source: `disputes`, `questions`, `held out`, `players`, `parts`, `cases`.

    Of a compound question each part is measured by itself.
    """
    index = load_index(conn)
    scores: dict[str, DisputeScore] = {}
    asked = [each for each in questions(conn, gold, index) if each.source != "digests"]
    for source in dict.fromkeys(each.source for each in asked):
        found: list[int] = []
        told = {True: [0, 0], False: [0, 0]}
        for each in (each for each in asked if each.source == source):
            heard = hear(index, each.question, codes=(each.code,), exclude=each.exclude, limit=_DEPTH)
            settled = heard if each.part is None else heard.heard[min(each.part, len(heard.heard) - 1)][1]
            if each.right:
                ids = [finding.id for finding in settled.findings]
                found.append(next((i for i, unit in enumerate(ids, 1) if unit in each.right), 0))
            tally = told[not each.right]
            tally[0] += each.code in settled.undecided
            tally[1] += 1
        silence = SilenceScore((told[True][0], told[True][1]), (told[False][0], told[False][1]))
        scores[source] = DisputeScore(ranked(found), silence)
    return scores
