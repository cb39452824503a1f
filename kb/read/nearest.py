"""Suggest ids for one that does not exist."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler

from kb.read.rows import Statement

_ALL_IDS = Statement(str, "select id from unit where continues is null order by book_id, seq")
# A longer text cannot be an id, and is not compared with them.
_LONGEST = 200


def ids(conn: sqlite3.Connection, unit_id: str, limit: int = 5) -> list[str]:
    """Return the ids most similar to one that does not exist; existing parents of it come first, the nearest first.

    If its number is beyond the last of a series, the last ids of the series come before those that look similar.
    """
    wanted = unit_id[:_LONGEST].strip().strip("/").lower()
    known = dict.fromkeys(_ALL_IDS(conn))
    parents = [p for p in _parents(wanted) if p in known]
    # Jaro-Winkler similarity, best first.
    found = process.extract(wanted, list(known), scorer=JaroWinkler.similarity, score_cutoff=0.8, limit=limit)
    similar = [i for i, _, _ in found]
    return list(dict.fromkeys([*parents, *_last_before(wanted, known)[:limit], *similar]))[:limit]


def _last_before(wanted: str, known: Iterable[str]) -> list[str]:
    """The ids of the series of a numbered id, the last first, if its number is beyond them all."""
    head = wanted.rstrip("0123456789")
    number, rest = wanted[len(head) :], {i: i[len(head) :] for i in known if i.startswith(head)}
    series = {int(n): i for i, n in rest.items() if n.isascii() and n.isdecimal()}
    return [series[n] for n in sorted(series, reverse=True)] if number and int(number) > max(series, default=0) else []


def _parents(unit_id: str) -> list[str]:
    parts = unit_id.split("/")
    return ["/".join(parts[:n]) for n in range(len(parts) - 1, 1, -1)]
