"""Questions with their answers: whether the same provisions stand side by side as in the gold data."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from kb.evaluation.figure import Figure, figure
from kb.evaluation.gold import documents, provision
from kb.read.rows import Statement, as_tuple

_ANSWERS = Statement(as_tuple, "select question_id, code_id, cites from answer")
_SAME = 0.6
"""Least F1 of the provisions that two questions cite, if they count as the same."""

Cited = Mapping[str, frozenset[str]]
"""The provisions that the answers to a question cite, by code."""


def answers(conn: sqlite3.Connection, gold: Path) -> Iterator[tuple[str, Figure]]:
    """Compare the answers with `matrix.TOPIC.json`; questions are matched by what they cite, not by name."""
    built: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
    for question, code, cites in _ANSWERS(conn):
        built[question][code] = _provisions(json.loads(cites))
    for matrix in documents(gold, "matrix.*.json"):
        wanted = [
            {code: _provisions((answer or {}).get("cites", ())) for code, answer in row["cells"].items()}
            for row in matrix["facets"]
        ]
        best = [(want, max(built.values(), key=lambda got: _agreement(got, want), default={})) for want in wanted]
        same = [(want, got) for want, got in best if _agreement(got, want) >= _SAME]
        each = [(ids, got.get(code, frozenset())) for want, got in same for code, ids in want.items()]
        topic = matrix["topic"]
        yield f"questions on {topic} found", Figure(len(same), len(wanted))
        yield f"answers on {topic} that cite a right provision", figure(bool(ids & got) for ids, got in each if ids)
        yield f"answers on {topic} rightly silent", figure(not got for ids, got in each if not ids)


def _provisions(ids: Iterable[str]) -> frozenset[str]:
    return frozenset(map(provision, ids))


def _agreement(built: Cited, gold: Cited) -> float:
    """Return the F1 over pairs of code and provision."""
    have, want = ({(code, unit) for code, ids in row.items() for unit in ids} for row in (built, gold))
    return 2 * len(have & want) / (len(have) + len(want)) if have or want else 0.0
