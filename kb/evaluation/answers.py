"""Comparison rows: whether the knowledge base puts the same provisions side by side as the gold data."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kb.evaluation.gold import documents, provision
from kb.read.rows import fetch

ANSWERS = "select question_id, code_id, cites from answer"
SAME_ROW = 0.6
"""Least F1 of the cited provisions of two rows that count as the same."""

_Row = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class RowScore:
    """Figures as (reached, of): rows found; in these, answers citing a right provision, and answers rightly silent."""

    found: tuple[int, int]
    cited: tuple[int, int]
    silent: tuple[int, int]


def score_answers(conn: sqlite3.Connection, gold: Path) -> dict[str, RowScore]:
    """Compare the answers with `matrix.TOPIC.json`, by topic; rows are matched by what they cite, not by name."""
    return {
        str(m["topic"]): _score(_built(conn), [_cells(f["cells"]) for f in m["facets"]])
        for m in documents(gold, "matrix.*.json")
    }


def _built(conn: sqlite3.Connection) -> list[_Row]:
    built: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
    for question, code, cites in fetch(conn, lambda *r: r, ANSWERS):
        built[question][code] = frozenset(map(provision, json.loads(cites or "[]")))
    return list(built.values())


def _cells(answers: Mapping[str, Mapping[str, list[str]] | None]) -> _Row:
    return {code: frozenset(map(provision, (answer or {}).get("cites", []))) for code, answer in answers.items()}


def _score(built: list[_Row], gold: list[_Row]) -> RowScore:
    found, cited, silent = 0, [0, 0], [0, 0]
    for want in gold:
        best = max(built, key=lambda row: _agreement(row, want), default={})
        if _agreement(best, want) < SAME_ROW:
            continue
        found += 1
        for code, ids in want.items():
            got = best.get(code, frozenset())
            tally = cited if ids else silent
            tally[0] += bool(ids & got) if ids else not got
            tally[1] += 1
    return RowScore((found, len(gold)), (cited[0], cited[1]), (silent[0], silent[1]))


def _agreement(row: _Row, want: _Row) -> float:
    """Return the F1 over pairs of code and provision."""
    have = {(code, unit) for code, ids in row.items() for unit in ids}
    right = {(code, unit) for code, ids in want.items() for unit in ids}
    return 2 * len(have & right) / (len(have) + len(right)) if have or right else 0.0
