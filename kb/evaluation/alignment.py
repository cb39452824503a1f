"""Scores of the links between codes: pairs found, relations that agree, links into a code without a counterpart."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from kb.editorial.files import FLIPPED
from kb.evaluation.gold import provision, rows
from kb.read.rows import fetch

LINKS = "select a, b, relation from link"

_Pair = frozenset[str]


@dataclass(frozen=True, slots=True)
class LinkScore:
    """The figures of the links, each as (reached, of).

    Gold pairs that are linked, by provision; the same by exact id; links between provisions of the gold data that are
    gold pairs; relations of the exact pairs; and links where the editor found no counterpart.
    """

    found: tuple[int, int] = (0, 0)
    exact: tuple[int, int] = (0, 0)
    right: tuple[int, int] = (0, 0)
    agreed: tuple[int, int] = (0, 0)
    unwanted: tuple[int, int] = (0, 0)


def score_links(conn: sqlite3.Connection, gold: Path) -> LinkScore:
    """Compare the links with `alignment.jsonl` and `alignment_none.jsonl`, without pairs marked `outside_laws`."""
    pairs = [row for _, row in rows(gold, "alignment.jsonl") if not row.get("outside_laws")]
    links = {frozenset((a, b)): (a, relation) for a, b, relation in fetch(conn, lambda *r: r, LINKS)}
    at_law = {_at_law(pair) for pair in links}
    want = {frozenset((p["a"], p["b"])): p for p in pairs}
    want_at_law = {_at_law(pair) for pair in want}
    gold_provisions = {end for pair in want_at_law for end in pair}
    between_gold = {pair for pair in at_law if len(pair) == 2 and pair <= gold_provisions}
    exact = [pair for pair in want if pair in links]
    agreed = sum(_relation(links[pair], str(want[pair]["a"])) == want[pair]["relation"] for pair in exact)
    nowhere = [row for _, row in rows(gold, "alignment_none.jsonl")]
    unwanted = sum(any(_leads(pair, str(row["a"]), str(row["code"])) for pair in at_law) for row in nowhere)
    return LinkScore(
        (len(want_at_law & at_law), len(want_at_law)),
        (len(exact), len(want)),
        (len(want_at_law & between_gold), len(between_gold)),
        (agreed, len(exact)),
        (unwanted, len(nowhere)),
    )


def _at_law(pair: _Pair) -> _Pair:
    return frozenset(map(provision, pair))


def _relation(link: tuple[str, str], a: str) -> str:
    """Return the relation of `a` to the other end of a link."""
    first, relation = link
    return relation if first == a else FLIPPED.get(relation, relation)


def _leads(pair: _Pair, start: str, code: str) -> bool:
    return provision(start) in pair and any(end.split("/")[0] == code for end in pair)
