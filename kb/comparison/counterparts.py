"""What the other codes have on the matter of a unit: a line for each code, in the order of years."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from kb.cite import writing
from kb.comparison.cases import Case, cases
from kb.questions.questions import Answer, Question, questions
from kb.read import queries
from kb.read.build_cache import cached_per_build
from kb.read.rows import UNIT, RelatedRow, Statement, UnitRow, as_tuple

CLOSED = Statement(as_tuple, "select unit_id, code_id from closed")
LINKED = Statement(UnitRow, f"select {UNIT} from unit u where id in (select a from link union select b from link)")

State = Literal["this", "linked", "answered", "silent", "not printed", "none", "not judged"]


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A provision of another code on the same matter, with the links to it of the unit and of its paragraphs.

    `pinpoint` names it within its code: `law 72 (ii)`.
    """

    unit: UnitRow
    pinpoint: str
    links: tuple[RelatedRow, ...]


@dataclass(frozen=True, slots=True)
class CodeLine:
    """What one code has on the matter of a unit.

    Attributes:
        code: the id of the code.
        state: `this` is the unit's own code. A code is `linked` if it has counterparts. Of one without any the answers
            to the questions of the unit are told: it is `answered`, `silent` or `not printed`. Without a question it is
            `none` if the editor found no counterpart, else `not judged`.
        counterparts: the linked provisions, the one that says most on the matter first.
        question: the id of the question that `answer` answers, if the code is told by its answer.
        label: the question.
        answer: the answer.
    """

    code: str
    state: State
    counterparts: tuple[Counterpart, ...] = ()
    question: str = ""
    label: str = ""
    answer: Answer | None = None


@cached_per_build
def answers_by_unit(conn: sqlite3.Connection) -> Mapping[str, tuple[tuple[Question, Answer], ...]]:
    """Return the answers that rest on each unit or on a paragraph of it, by its id, each with its question."""
    found: dict[str, dict[str, tuple[Question, Answer]]] = defaultdict(dict)
    every = [(question, answer) for question in questions(conn).values() for answer in question.answers.values()]
    cited = queries.units(conn, {c.id for _, answer in every for c in answer.cited})
    parents = {unit.id: unit.parent_id for unit in cited.values() if unit.kind == "subclause"}
    for question, answer in every:
        for unit_id in (i for c in answer.cited for i in (c.id, parents.get(c.id)) if i):
            found[unit_id].setdefault(question.id, (question, answer))
    return {unit_id: tuple(answers.values()) for unit_id, answers in found.items()}


@cached_per_build
def cases_by_unit(conn: sqlite3.Connection) -> Mapping[str, tuple[Case, ...]]:
    """Return the cases that turned on each provision or paragraph, by its id."""
    found: dict[str, list[Case]] = defaultdict(list)
    for case in cases(conn):
        for unit in case.on:
            found[unit.id].append(case)
    return {unit: tuple(turned) for unit, turned in found.items()}


@cached_per_build
def _linked(conn: sqlite3.Connection) -> Mapping[str, tuple[UnitRow, str]]:
    """All units that have links, each with its pinpoint, by id."""
    units = LINKED(conn)
    pinpoints = writing.pinpoints(conn, units)
    return {unit.id: (unit, pinpoints[unit.id]) for unit in units}


@cached_per_build
def _closed(conn: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """The units for which the editor found no counterpart in a code, each with the code."""
    return frozenset(CLOSED(conn))


def lines(conn: sqlite3.Connection, unit: UnitRow, links: Sequence[RelatedRow]) -> tuple[CodeLine, ...]:
    """Return what each code has on the matter of a unit, the oldest code first; nothing if nothing is known.

    Args:
        unit: a provision, a paragraph, or any other unit.
        links: its links, with those of its paragraphs.
    """
    answered = answers_by_unit(conn)
    asked = [question for question, _ in answered.get(unit.id, ())]
    counterparts = _counterparts(conn, unit, links, answered)
    closed = () if asked else _closed(conn)
    found = []
    for code in queries.codes(conn):
        if code.id == unit.work:
            found.append(CodeLine(code.id, "this"))
        elif code.id in counterparts:
            found.append(CodeLine(code.id, "linked", tuple(counterparts[code.id])))
        elif asked:
            found.append(_told(code.id, asked))
        else:
            found.append(CodeLine(code.id, "none" if (unit.id, code.id) in closed else "not judged"))
    known = [line for line in found if line.state not in ("this", "not judged")]
    whole = unit.role in ("provision", "paragraph")  # of other units, only what is known is told
    return tuple(line for line in found if known and (whole or line.state != "not judged"))


def _counterparts(
    conn: sqlite3.Connection,
    unit: UnitRow,
    links: Sequence[RelatedRow],
    answered: Mapping[str, Sequence[tuple[Question, Answer]]],
) -> dict[str, list[Counterpart]]:
    """The linked units by code: laws before other texts, links of the whole first, then who answers more questions."""
    of_other: dict[str, list[RelatedRow]] = {}
    for link in links:
        of_other.setdefault(link.other, []).append(link)
    known, found = _linked(conn), defaultdict[str, list[Counterpart]](list)
    for other, its in of_other.items():
        there, pinpoint = known[other]
        found[there.work].append(Counterpart(there, pinpoint, tuple(its)))
    same = {question.id for question, _ in answered.get(unit.id, ())}

    def rank(counterpart: Counterpart) -> tuple[bool, bool, int, int]:
        other = counterpart.unit
        whole = any(link.here == unit.id for link in counterpart.links)
        shared = sum(question.id in same for question, _ in answered.get(other.id, ()))
        return other.role not in ("provision", "paragraph"), not whole, -shared, other.seq

    return {code: sorted(those, key=rank) for code, those in found.items()}


def _told(code: str, asked: Sequence[Question]) -> CodeLine:
    """What a code without a counterpart answers to the questions of a unit: its first answer, else its silence."""
    for state in ("answered", "not printed", "silent"):
        for question in asked:
            answer = question.answers.get(code)
            if answer and answer.state == state:
                return CodeLine(code, answer.state, (), question.id, question.label, answer)
    return CodeLine(code, "not judged")
