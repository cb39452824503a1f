"""Links between codes: pairs found, relations agreed on, links into a code that has no counterpart."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from kb.alignment.relation import FLIPPED
from kb.evaluation.gold import provision, rows
from kb.read.rows import fetch

LINKS = "select a, b, relation from link where status <> 'rejected'"

_Pair = frozenset[str]


@dataclass(frozen=True, slots=True)
class LinkScore:
    """Each figure as (reached, of): pairs by provision, pairs by exact id, links proposed among the provisions of the
    gold that are in it, relations of the exact pairs, and links where the editor found none."""

    found: tuple[int, int] = (0, 0)
    exact: tuple[int, int] = (0, 0)
    right: tuple[int, int] = (0, 0)
    agreed: tuple[int, int] = (0, 0)
    unwanted: tuple[int, int] = (0, 0)


def score_links(conn: sqlite3.Connection, gold: Path) -> LinkScore:
    """Compare the links with `alignment.jsonl` and `alignment_none.jsonl`; pairs with other than laws are left out."""
    pairs = [row for _, row in rows(gold, "alignment.jsonl") if not row.get("outside_laws")]
    links = {frozenset((a, b)): (a, relation) for a, b, relation in fetch(conn, lambda *r: r, LINKS)}
    at_law = {_at_law(pair) for pair in links}
    want = {frozenset((p["a"], p["b"])): p for p in pairs}
    want_at_law = {_at_law(pair) for pair in want}
    ends = {end for pair in want_at_law for end in pair}
    near = {pair for pair in at_law if len(pair) == 2 and pair <= ends}
    exact = [pair for pair in want if pair in links]
    agreed = sum(_relation(links[pair], str(want[pair]["a"])) == want[pair]["relation"] for pair in exact)
    nowhere = [row for _, row in rows(gold, "alignment_none.jsonl")]
    unwanted = sum(any(_leads(pair, str(row["a"]), str(row["code"])) for pair in at_law) for row in nowhere)
    return LinkScore(
        (len(want_at_law & at_law), len(want_at_law)),
        (len(exact), len(want)),
        (len(want_at_law & near), len(near)),
        (agreed, len(exact)),
        (unwanted, len(nowhere)),
    )


def _at_law(pair: _Pair) -> _Pair:
    return frozenset(map(provision, pair))


def _relation(link: tuple[str, str], a: str) -> str:
    """The relation of `a` to the other end."""
    first, relation = link
    return relation if first == a else FLIPPED.get(relation, relation)


def _leads(pair: _Pair, start: str, code: str) -> bool:
    return provision(start) in pair and any(end.split("/")[0] == code for end in pair)
