"""Retrieval: the rank of the provision that decides a question among the results for it.

The gold questions are searched for, and settled as disputes (`kb.dispute.hearing`). Hit rates and the mean reciprocal
rank follow Voorhees, "The TREC-8 Question Answering Track Report" (1999).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import mean

from kb.dispute.hearing import Hearing, correct_words, hear
from kb.dispute.index import Index
from kb.evaluation.gold import provision, rows
from kb.read.domain import domain
from kb.search.search import search

PLAYERS = "players.jsonl"
DEPTH = 40

Ask = Callable[[str, str], list[str]]
"""A search: from a question and a code ("" for all codes) to the ids of the results, best first."""


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question put to one code: `right` are the provisions that decide it, none if the code is silent.

    `file` is the gold file it is from, and `name` the group in which its rank in the search counts. `part` is the
    number of the issue that is meant, if the gold data answer each issue of the question separately.
    """

    file: str
    name: str
    group: str
    source: str
    question: str
    exclude: tuple[str, ...]
    code: str
    right: frozenset[str]
    part: int | None = None


def questions(gold: Path, provisions: Collection[str]) -> Iterator[GoldQuestion]:
    """Yield all gold questions: disputes, questions, paraphrases, short and players' questions, and the facts of cases.

    Args:
        gold: the folder of gold files.
        provisions: the ids of all provisions of codes; other units in the gold data do not count as deciding.
    """

    def right(units: Iterable[str]) -> frozenset[str]:
        return frozenset(map(provision, units)) & frozenset(provisions)

    for file in ("disputes", "questions"):
        for n, (_, row) in enumerate(rows(gold, f"{file}.jsonl")):
            held_out = bool(row.get("held_out"))
            kind = row.get("kind", "") + ", held out" * held_out
            for code, units in row["answers"].items():
                source, name = "held out" if held_out else file, kind if file == "questions" else code
                yield GoldQuestion(file, name, f"{file} {n}", source, row["query"], (), code, right(units))
    for file, source in (("paraphrases", "paraphrases, held out"), ("short", "short questions, held out")):
        for n, (_, row) in enumerate(rows(gold, f"{file}.jsonl")):
            for code, units in row["answers"].items():
                yield GoldQuestion(file, code, f"{file} {n}", source, row["query"], (), code, right(units))
    for n, (_, row) in enumerate(rows(gold, PLAYERS)):
        parts = row.get("parts")
        source = ("parts" if parts else "players") + ", held out" * row["held_out"]
        for i, answers in enumerate(parts or [row.get("answers", {})]):
            part = i if parts else None
            for code, units in answers.items():
                yield GoldQuestion("players", code, f"players {n}", source, row["query"], (), code, right(units), part)
    for _, row in rows(gold, "retrieval.*.jsonl"):
        laws = right(row["laws"])
        for code in sorted({law.partition("/")[0] for law in laws}):
            decide = frozenset(law for law in laws if law.startswith(f"{code}/"))
            case = row.get("qid", "")
            yield GoldQuestion("cases", code, case, "cases", row["query"], (case,), code, decide)


@dataclass(frozen=True, slots=True)
class RankScore:
    """Shares of the questions whose best right provision has rank 1, at most 5, at most 10; mean reciprocal rank."""

    queries: int
    hit1: float
    hit5: float
    hit10: float
    mrr: float


@dataclass(frozen=True, slots=True)
class SilenceScore:
    """Codes reported as silent, as (reported, of): among those that are silent (`told`), and those that are not."""

    true_silent: tuple[int, int]
    false_silent: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ClarityScore:
    """First provisions given although it is unclear which question is meant, as (unclear, of): wrong and right ones."""

    wrong: tuple[int, int]
    right: tuple[int, int]


@dataclass(frozen=True, slots=True)
class DisputeScore:
    """The scores of questions of one source as disputes, over all codes that decide them: ranks, silence, clarity."""

    ranks: RankScore
    silence: SilenceScore
    clarity: ClarityScore


def by_search(conn: sqlite3.Connection) -> Ask:
    """Return a function that searches for the provisions of one code, or for all units if no code is given.

    It drops double quotes: words spoken at the table must not be searched as a phrase.
    """

    provisions = domain(conn).kinds_of("provision")

    def ask(question: str, code: str) -> list[str]:
        codes, kinds = ((code,), provisions) if code else ((), ())
        return [h.id for h in search(conn, question.replace('"', " "), codes=codes, kinds=kinds, limit=DEPTH).hits]

    return ask


def score_search(ask: Ask, asked: Iterable[GoldQuestion], file: str) -> dict[str, RankScore]:
    """Search for the questions of a gold file; codes that are silent on a question are not searched.

    Those of `questions` are counted by kind, held-out ones separately, and are also searched in all codes at once;
    others are counted by code. The cases are in the library, with the provisions on which they turn: their figures
    show that the search leads from a case to these.
    """
    ranks: dict[str, list[int]] = {}
    all_codes: dict[tuple[str, str, str], frozenset[str]] = {}
    for each in asked:
        if each.file == file and each.right:
            ranks.setdefault(each.name, []).append(rank_of(ask(each.question, each.code), each.right))
            key = each.group, each.name, each.question
            all_codes[key] = all_codes.get(key, frozenset()) | each.right
    if file == "questions":
        for (_, name, question), right in all_codes.items():
            ranks.setdefault(f"{name}, all codes", []).append(rank_of(ask(question, ""), right))
    return {name: ranked(found) for name, found in sorted(ranks.items())}


def score_settled(index: Index, asked: Sequence[GoldQuestion], subject: tuple[str, ...]) -> Mapping[str, DisputeScore]:
    """Settle the gold questions as disputes, by source; each part of a compound question by itself.

    Args:
        subject: the terms of the subject, which are not treated as misspelt.
    """

    @cache
    def heard(question: str, exclude: tuple[str, ...]) -> Hearing:
        return hear(index, correct_words(index, question, subject)[0], exclude=exclude, limit=DEPTH)

    scores: dict[str, DisputeScore] = {}
    for source in dict.fromkeys(each.source for each in asked):
        found: list[int] = []
        reported: dict[bool, list[bool]] = {True: [], False: []}
        unclear: dict[bool, list[bool]] = {True: [], False: []}
        for each in (each for each in asked if each.source == source):
            whole = heard(each.question, each.exclude)
            settled = whole if each.part is None else whole.heard[min(each.part, len(whole.heard) - 1)][1]
            if each.right:
                of_code = (finding.id for finding in settled.findings if finding.code == each.code)
                found.append(rank_of(of_code, each.right))
                unclear[found[-1] == 1].append(settled.unclear)
            reported[not each.right].append(each.code in settled.undecided)
        silent, deciding = ((sum(reported[key]), len(reported[key])) for key in (True, False))
        wrong, right = ((sum(unclear[key]), len(unclear[key])) for key in (False, True))
        scores[source] = DisputeScore(ranked(found), SilenceScore(silent, deciding), ClarityScore(wrong, right))
    return scores


def rank_of(ids: Iterable[str], right: Collection[str]) -> int:
    """Return the rank of the first right provision among the units found, from 1; 0 if there is none."""
    in_order = dict.fromkeys(map(provision, ids))
    return next((i for i, unit in enumerate(in_order, 1) if unit in right), 0)


def ranked(found: Sequence[int]) -> RankScore:
    """Return the figures of some ranks; rank 0 means that no right provision was found."""
    hits = (mean([0 < rank <= most for rank in found] or [0]) for most in (1, 5, 10))
    mrr = mean([1 / rank if rank else 0.0 for rank in found] or [0.0])
    return RankScore(len(found), *(round(share, 3) for share in (*hits, mrr)))
