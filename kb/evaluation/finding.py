"""Finding: the rank of the provision that decides a question among the results for it.

The gold questions are asked (`kb.questions.ask`), and searched for as words (`kb.search`). Hit rates and the mean
reciprocal rank follow Voorhees, "The TREC-8 Question Answering Track Report" (1999).
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from kb.evaluation.figure import Figure, figure
from kb.evaluation.gold import provision, rows
from kb.questions.ask import ask
from kb.questions.questions import questions
from kb.read.domain import domain
from kb.read.rows import Statement
from kb.search.search import search

_PROVISIONS = Statement(
    str, "select id from unit where role = 'provision' and code_id is not null and continues is null"
)
FILES = ("disputes", "questions", "paraphrases", "short", "players")
SEARCHED = ("disputes", "questions")
_DEPTH = 40  # results of a search


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


def gold_questions(conn: sqlite3.Connection, gold: Path) -> list[GoldQuestion]:
    """Read all gold questions; what is no provision of a code, such as a definition, does not count as deciding."""
    known = frozenset(_PROVISIONS(conn))
    found = []
    for file in FILES:
        for _, row in rows(gold, f"{file}.jsonl"):
            parts = row.get("parts")
            for number, answers in enumerate(parts or [row.get("answers", {})]):
                for code, units in answers.items():
                    right = known.intersection(map(provision, units))
                    if right or not units:
                        source, part = ("parts", number) if parts else (file, None)
                        found.append(GoldQuestion(source, row["query"], code, right, part))
    return found


def asked(conn: sqlite3.Connection, gold: Sequence[GoldQuestion]) -> Iterator[tuple[str, Figure]]:
    """Ask the gold questions, by source; each part of a text that asks several by itself.

    Silence is told if the likeliest question is one that the code does not answer.
    """
    ask_ = cache(lambda text: ask(conn, text))
    silent: dict[tuple[str, bool], list[bool]] = defaultdict(list)
    ranks: dict[str, list[int]] = defaultdict(list)
    refused: dict[str, set[str]] = defaultdict(set)
    for each in gold if questions(conn) else ():
        found = ask_(each.query)
        parts = found.parts if each.part is None else found.parts[min(each.part, len(found.parts) - 1) :][:1]
        meant = replace(found, parts=parts).within([each.code])
        first = meant.matches[0].question.answers[each.code].state if meant.matches else "answered"
        silent[each.source, bool(each.right)].append(first != "answered")
        if each.right:
            ranks[each.source].append(rank_of(meant.provisions, each.right))
        if found.told:
            refused[each.source].add(each.query)
    for source, of in ranks.items():
        yield from _ranked(f"asked, {source}", of)
        yield f"asked, {source}: silence told", figure(silent[source, False])
        yield f"asked, {source}: silence told wrongly", figure(silent[source, True])
        told = tuple(sorted(refused[source]))
        yield f"asked, {source}: refused", Figure(len(told), len({g.query for g in gold if g.source == source}), told)


def searched(conn: sqlite3.Connection, gold: Iterable[GoldQuestion]) -> Iterator[tuple[str, Figure]]:
    """Search for the gold questions of two sources as words, in one code at a time."""
    kinds = domain(conn).kinds_of("provision")
    ranks: dict[str, list[int]] = defaultdict(list)
    for each in gold:
        if each.right and each.source in SEARCHED:
            words = each.query.replace('"', " ").replace(":", " ")
            hits = search(conn, words, {"code": (each.code,), "kind": kinds}, limit=_DEPTH).hits
            ranks[each.source].append(rank_of((hit.unit.id for hit in hits), each.right))
    for source, of in ranks.items():
        yield from _ranked(f"searched, {source}", of)


def rank_of(ids: Iterable[str], right: Collection[str]) -> int:
    """Return the rank of the first right provision among the units found, from 1; 0 if there is none."""
    in_order = dict.fromkeys(map(provision, ids))
    return next((i for i, unit in enumerate(in_order, 1) if unit in right), 0)


def _ranked(name: str, ranks: Sequence[int]) -> Iterator[tuple[str, Figure]]:
    """Yield how often a right provision is first, and among three, and the sum of its reciprocal ranks."""
    yield f"{name}: law first", figure(rank == 1 for rank in ranks)
    yield f"{name}: law among three", figure(0 < rank <= 3 for rank in ranks)
    yield f"{name}: reciprocal rank", Figure(sum(1 / rank for rank in ranks if rank), len(ranks))
