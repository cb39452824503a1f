"""Retrieval: where the provision that decides a case or a dispute stands among the hits of the search box.

Hit rates and the mean reciprocal rank are those of Voorhees, "The TREC-8 Question Answering Track Report" (1999).
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from kb.evaluation.gold import provision, rows
from kb.read.domain import domain
from kb.search.search import search

DEPTH = 40
_NUMBERED = re.compile(r".*-[a-z]?\d+")

Ask = Callable[[str, str], list[str]]
"""From a question and a code ("" for all) to the ids of what is found, best first."""


@dataclass(frozen=True, slots=True)
class RankScore:
    """Shares of the questions whose first right provision stands first, among five, among ten; mean reciprocal rank."""

    queries: int
    hit1: float
    hit5: float
    hit10: float
    mrr: float


def by_search(conn: sqlite3.Connection) -> Ask:
    """Ask the search box: its provisions of one code, or all that it gives who names none.

    What was said at the table is no phrase to look for.
    """

    provisions = domain(conn).kinds_of("provision")

    def ask(question: str, code: str) -> list[str]:
        codes, kinds = ((code,), provisions) if code else ((), ())
        return [h.id for h in search(conn, question.replace('"', " "), codes=codes, kinds=kinds, limit=DEPTH).hits]

    return ask


def score_cases(ask: Ask, gold: Path) -> dict[str, RankScore]:
    """The facts of cases (`retrieval.BOOK.jsonl`) against the provisions that their author cites, by code.

    The cases are in the library, with the provisions on which they turn: this tells that they lead there.
    """
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
        (row["query"], code, _provisions(units))
        for _, row in rows(gold, "disputes.jsonl")
        for code, units in row["answers"].items()
    ]
    return dict(_by_code(ask, asked))


def score_questions(ask: Ask, gold: Path) -> dict[str, RankScore]:
    """Questions (`questions.jsonl`) by their kind, those held out apart: asked of each code, and of all at once."""
    asked = []
    for _, row in rows(gold, "questions.jsonl"):
        name = row["kind"] + (", held out" if row.get("held_out") else "")
        for code, units in row["answers"].items():
            asked.append((row["query"], code, _provisions(units), name))
        asked.append((row["query"], "", [u for units in row["answers"].values() for u in units], f"{name}, all codes"))
    return dict(_by_name(ask, asked))


def _provisions(units: Iterable[str]) -> list[str]:
    """Those of some units that are provisions, or stand in one: their ids have a number."""
    return [unit for unit in units if _NUMBERED.fullmatch(unit.split("/")[1])]


def _by_code(ask: Ask, asked: Iterable[tuple[str, str, list[str]]]) -> Iterator[tuple[str, RankScore]]:
    return _by_name(ask, ((question, code, units, code) for question, code, units in asked))


def _by_name(ask: Ask, asked: Iterable[tuple[str, str, list[str], str]]) -> Iterator[tuple[str, RankScore]]:
    ranks: dict[str, list[int]] = {}
    for question, code, units, name in asked:
        if right := {provision(unit) for unit in units}:
            ranks.setdefault(name, []).append(_rank(ask(question, code), right))
    for name, found in sorted(ranks.items()):
        yield name, ranked(found)


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
