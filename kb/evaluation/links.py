"""The links between codes: pairs found, relations that agree, links into a code without a counterpart."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from kb.evaluation.figure import Figure, figure
from kb.evaluation.gold import provision, rows
from kb.read.rows import Statement, as_tuple

_LINKS = Statement(as_tuple, "select a, b, relation from link")
_TURNED = {"broader": "narrower", "narrower": "broader"}


def links(conn: sqlite3.Connection, gold: Path) -> Iterator[tuple[str, Figure]]:
    """Compare the links with `alignment.jsonl` and `alignment_none.jsonl`, without pairs marked `outside_laws`."""
    relations: dict[tuple[str, str], str] = {}
    for a, b, relation in _LINKS(conn):
        relations |= {(a, b): relation, (b, a): _TURNED.get(relation, relation)}
    at_law = {_at_law(*pair) for pair in relations}
    pairs = {
        (row["a"], row["b"]): row["relation"] for _, row in rows(gold, "alignment.jsonl") if not row.get("outside_laws")
    }
    want = {_at_law(*pair) for pair in pairs}
    provisions = {end for pair in want for end in pair}
    between = {pair for pair in at_law if len(pair) == 2 and pair <= provisions}
    exact = [pair for pair in pairs if pair in relations]
    yield "pairs of provisions linked", Figure(len(want & at_law), len(want))
    yield "pairs linked to the paragraph", Figure(len(exact), len(pairs))
    yield "links among these provisions that are right", Figure(len(want & between), len(between))
    yield "relation agrees", figure(relations[pair] == pairs[pair] for pair in exact)
    led_to = {(start, end.partition("/")[0]) for pair in at_law for start in pair for end in pair - {start}}
    nowhere = [row for _, row in rows(gold, "alignment_none.jsonl")]
    yield (
        "links into a code without a counterpart",
        figure((provision(row["a"]), row["code"]) in led_to for row in nowhere),
    )


def _at_law(a: str, b: str) -> frozenset[str]:
    return frozenset((provision(a), provision(b)))
