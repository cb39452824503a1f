"""The editor's judgements on one unit: its gloss, the questions it answers, and the cases that turned on it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from kb.read.rows import UnitRow, fetch, json_list

GLOSS = "select words from gloss where unit_id = ?"
# Deciding words are few, so they are queried first (`cross join` keeps the order; the plus keeps SQLite from using the
# index of kinds). A provision answers what its paragraphs answer; a paragraph, only what it answers itself.
ANSWERS = """
with these as (select :id as id union select id from unit where parent_id = :id and +kind = 'subclause')
select distinct t.id, t.label, f.id, f.label, c.summary, t.seq, f.seq
from deciding d cross join question f on f.id = d.question_id
join answer c on c.question_id = f.id and c.code_id = d.code_id join topic t on t.id = f.topic_id
where d.unit_id in (select id from these)
order by t.seq, f.seq
"""
# A case that turned on a paragraph turned on its provision; one that turned on a provision also counts for its
# paragraphs.
PRECEDENTS = """
with these as (
    select :id as id union select id from unit where parent_id = :id and +kind = 'subclause'
    union select parent_id from unit where id = :id and kind = 'subclause'
)
select p.unit_id, d.facts, d.decision, group_concat(distinct p.target_id)
from precedent p join unit u on u.id = p.unit_id left join digest d on d.unit_id = p.unit_id
where p.target_id in (select id from these)
group by p.unit_id order by u.book_id, u.seq
"""
DIGESTS = "select unit_id, facts, decision from digest where unit_id in (select value from json_each(?))"
APPLIES = """
select p.target_id from precedent p join unit u on u.id = p.target_id join code c on c.id = u.code_id
where p.unit_id = ? order by c.year, u.seq
"""


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """A question that a provision answers for its code, and the answer."""

    topic_id: str
    topic: str
    question_id: str
    question: str
    summary: str


@dataclass(frozen=True, slots=True)
class PrecedentRow:
    """A case that turned on a provision; `facts` and `decision` are None if the editor has written no digest."""

    case: str
    facts: str | None
    decision: str | None
    on: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DigestRow:
    """A case in two lines."""

    facts: str
    decision: str


@dataclass(frozen=True, slots=True)
class Apparatus:
    """What is known of a unit besides its text: gloss, answers and cases of a provision, digest and law of a case."""

    gloss: str | None
    answers: tuple[AnswerRow, ...]
    precedents: tuple[PrecedentRow, ...]
    digest: DigestRow | None
    applies: tuple[str, ...]


def ruling(conn: sqlite3.Connection, unit: UnitRow) -> Apparatus:
    """Return the editor's judgements on a unit, and the cases that turned on it."""
    case = unit.parent_id if unit.kind == "decision" and unit.parent_id else unit.id
    return Apparatus(
        next(iter(fetch(conn, str, GLOSS, (unit.id,))), None),
        tuple(fetch(conn, lambda *row: AnswerRow(*row[:5]), ANSWERS, {"id": unit.id})),
        tuple(fetch(conn, _precedent, PRECEDENTS, {"id": unit.id})),
        digests(conn, [case]).get(case),
        tuple(fetch(conn, str, APPLIES, (case,))),
    )


def digests(conn: sqlite3.Connection, cases: Iterable[str]) -> dict[str, DigestRow]:
    """Return the digests of cases, by id; cases without one are left out."""
    return {
        i: DigestRow(facts, decision) for i, facts, decision in fetch(conn, lambda *r: r, DIGESTS, (json_list(cases),))
    }


def _precedent(case: str, facts: str | None, decision: str | None, on: str) -> PrecedentRow:
    return PrecedentRow(case, facts, decision, tuple(sorted(on.split(","))))
