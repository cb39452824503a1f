"""Retrieval: where the provision that decides a case or a dispute stands among the hits of the search box.

Hit rates and the mean reciprocal rank are those of Voorhees, "The TREC-8 Question Answering Track Report" (1999).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from kb.evaluation.gold import provision, rows
from kb.search.search import search

PROVISIONS = ("law", "etiquette", "dummy")
DEPTH = 40

Ask = Callable[[str, str], list[str]]
"""From a question and a code to the ids of the provisions found, best first."""


@dataclass(frozen=True, slots=True)
class RankScore:
    """Shares of the questions whose first right provision stands first, among five, among ten; mean reciprocal rank."""

    queries: int
    hit1: float
    hit5: float
    hit10: float
    mrr: float


def by_search(conn: sqlite3.Connection) -> Ask:
    """Ask the search box: its provisions of one code. What was said at the table is no phrase to look for."""

    def ask(question: str, code: str) -> list[str]:
        return [
            h.id for h in search(conn, question.replace('"', " "), codes=(code,), kinds=PROVISIONS, limit=DEPTH).hits
        ]

    return ask


def score_cases(ask: Ask, gold: Path) -> dict[str, RankScore]:
    """The facts of cases (`retrieval.BOOK.jsonl`) against the provisions that their author cites, by code."""
    asked = [
        (row["query"], code, [unit for unit in row["laws"] if unit.startswith(f"{code}/")])
        for _, row in rows(gold, "retrieval.*.jsonl")
        for code in sorted({unit.split("/")[0] for unit in row["laws"]})
    ]
    return dict(_by_code(ask, asked))


def score_disputes(ask: Ask, gold: Path) -> dict[str, RankScore]:
    """Disputes in everyday words (`disputes.jsonl`) against the provisions that decide them, by code.

    A code that says nothing on the matter has no right provision, and is not asked.
    """
    asked = [
        (row["query"], code, [unit for unit in units if _is_provision(unit)])
        for _, row in rows(gold, "disputes.jsonl")
        for code, units in row["answers"].items()
    ]
    return dict(_by_code(ask, asked))


def _is_provision(unit_id: str) -> bool:
    return unit_id.split("/")[1].rpartition("-")[0] in ("law", "art", "etiquette", "dummy")


def _by_code(ask: Ask, asked: Iterable[tuple[str, str, list[str]]]) -> Iterator[tuple[str, RankScore]]:
    ranks: dict[str, list[int]] = {}
    for question, code, units in asked:
        if right := {provision(unit) for unit in units}:
            ranks.setdefault(code, []).append(_rank(ask(question, code), right))
    for code, found in sorted(ranks.items()):
        yield code, ranked(found)


def ranked(found: Sequence[int]) -> RankScore:
    """The figures of some ranks; 0 is a question whose right provision was not found."""
    return RankScore(
        len(found),
        _share(0 < rank <= 1 for rank in found),
        _share(0 < rank <= 5 for rank in found),
        _share(0 < rank <= 10 for rank in found),
        _share(1 / rank if rank else 0.0 for rank in found),
    )


def _share(values: Iterable[float]) -> float:
    return round(mean(values or [0.0]), 3)


def _rank(ids: Iterable[str], right: set[str]) -> int:
    """The rank of the first right provision, from 1; 0 if there is none."""
    in_order = dict.fromkeys(map(provision, ids))
    return next((i for i, unit in enumerate(in_order, 1) if unit in right), 0)
