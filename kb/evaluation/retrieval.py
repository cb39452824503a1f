"""Retrieval: the rank of the provision that decides a question among the results for it.

The gold questions are asked (`kb.questions.ask`), and searched for as words (`kb.search`). Hit rates and the mean
reciprocal rank follow Voorhees, "The TREC-8 Question Answering Track Report" (1999).
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from statistics import mean

from kb.evaluation.gold import provision, rows
from kb.questions.ask import Asked, ask, provisions
from kb.questions.questions import questions as all_questions
from kb.read.domain import domain
from kb.search.search import search

PLAYERS = "players.jsonl"
DEPTH = 40
Asking = Callable[[str], Asked]
FILES = ("disputes", "questions", "paraphrases", "short", "players")
SEARCHED = ("disputes", "questions")


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question put to one code: `right` are the provisions that decide it, none if the code is silent.

    `source` is the gold file that it is from, and `part` the number of the question that is meant in a text that asks
    several, from 0.
    """

    source: str
    query: str
    code: str
    right: frozenset[str]
    part: int | None = None


def questions(gold: Path, known: Collection[str]) -> Iterator[GoldQuestion]:
    """Yield all gold questions.

    Args:
        gold: the folder of gold files.
        known: the ids of all provisions of codes; other units in the gold data do not count as deciding.
    """
    for file in FILES:
        for _, row in rows(gold, f"{file}.jsonl"):
            parts = row.get("parts")
            for number, answers in enumerate(parts or [row.get("answers", {})]):
                for code, units in answers.items():
                    right = frozenset(map(provision, units)) & frozenset(known)
                    if right or not units:
                        source, part = ("parts", number) if parts else (file, None)
                        yield GoldQuestion(source, row["query"], code, right, part)


@dataclass(frozen=True, slots=True)
class RankScore:
    """Where the provisions that decide questions of one source come among the results.

    Attributes:
        lists: the number of questions and codes with a provision that decides.
        first, among_three: the shares of these where such a provision comes first, or among the first three.
        mrr: their mean reciprocal rank.
    """

    lists: int
    first: float
    among_three: float
    mrr: float


@dataclass(frozen=True, slots=True)
class AskedScore(RankScore):
    """How questions of one source are answered.

    Attributes:
        silent: of the codes that are silent, how many the first question says are silent, as (said, of).
        wrongly: of the others, the same.
        told: how many texts are refused as about another subject or as ruled by no code.
    """

    silent: tuple[int, int]
    wrongly: tuple[int, int]
    told: int


def score_asked(conn: sqlite3.Connection, gold: Sequence[GoldQuestion]) -> Mapping[str, AskedScore]:
    """Ask the gold questions, by source; each part of a text that asks several by itself."""
    asked = cache(lambda text: ask(conn, text))
    by_source: dict[str, list[GoldQuestion]] = defaultdict(list)
    for each in gold:
        by_source[each.source].append(each)
    return {source: _score(conn, each, asked) for source, each in by_source.items()}


def _score(conn: sqlite3.Connection, gold: Sequence[GoldQuestion], asked: Asking) -> AskedScore:
    ranks: list[int] = []
    said: dict[bool, list[bool]] = {True: [], False: []}
    known = all_questions(conn)
    for each in gold:
        found = asked(each.query)
        parts = found.parts if each.part is None else found.parts[min(each.part, len(found.parts) - 1) :][:1]
        matches = [match for part in parts for match in part]
        silent = bool(matches) and known[matches[0].question].answers[each.code].state != "answered"
        said[not each.right].append(silent)
        if each.right:
            results = provisions(conn, replace(found, parts=parts), (each.code,))
            ranks.append(rank_of((unit for unit, _ in results), each.right))
    told = {each.query for each in gold if asked(each.query).told}
    silent_said, wrongly = ((sum(said[key]), len(said[key])) for key in (True, False))
    return AskedScore(len(ranks), *_shares(ranks), silent_said, wrongly, len(told))


def score_searched(conn: sqlite3.Connection, gold: Iterable[GoldQuestion]) -> Mapping[str, RankScore]:
    """Search for the gold questions of two sources as words, in one code at a time."""
    kinds = domain(conn).kinds_of("provision")
    ranks: dict[str, list[int]] = defaultdict(list)
    for each in gold:
        if each.right and each.source in SEARCHED:
            words = each.query.replace('"', " ").replace(":", " ")
            found = search(conn, words, {"code": (each.code,), "kind": kinds}, limit=DEPTH)
            ranks[each.source].append(rank_of((hit.unit.id for hit in found.hits), each.right))
    return {source: RankScore(len(found), *_shares(found)) for source, found in ranks.items()}


def rank_of(ids: Iterable[str], right: Collection[str]) -> int:
    """Return the rank of the first right provision among the units found, from 1; 0 if there is none."""
    in_order = dict.fromkeys(map(provision, ids))
    return next((i for i, unit in enumerate(in_order, 1) if unit in right), 0)


def _shares(ranks: Sequence[int]) -> tuple[float, float, float]:
    """The shares of ranks that are 1, and at most 3; and the mean reciprocal rank. Rank 0 means: not found."""
    first, three = (mean([0 < rank <= most for rank in ranks] or [0]) for most in (1, 3))
    return round(first, 3), round(three, 3), round(mean([1 / rank if rank else 0.0 for rank in ranks] or [0.0]), 3)
