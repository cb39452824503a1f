"""The cases of the library: the questions on which they turned, and their outcome under each code."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from kb.comparison.topics import topics
from kb.questions.questions import Question, questions
from kb.read import queries
from kb.read.build_cache import cached_per_build
from kb.read.rows import UNIT, Statement, TopicRow, UnitRow, as_tuple, grouped

CASES = Statement(as_tuple, f"""
select {UNIT}, d.facts, d.decision, d.remark from unit u left join digest d on d.unit_id = u.id
where (u.role = 'case' or u.id in (select unit_id from precedent)) and u.continues is null
order by u.book_id, u.seq
""")  # fmt: skip
TURNED = Statement(as_tuple, """
select p.unit_id, p.target_id from precedent p join unit t on t.id = p.target_id join code c on c.id = t.code_id
order by p.unit_id, c.year, t.seq
""")  # fmt: skip
ASKED = Statement(as_tuple, "select unit_id, question_id from case_question order by unit_id, seq")
OUTCOMES = Statement(as_tuple, """
select o.unit_id, o.code_id, o.state, o.words
from case_outcome o join code c on c.id = o.code_id order by o.unit_id, c.year, c.id
""")  # fmt: skip

State = Literal["decided", "same", "otherwise", "silent", "not printed", "open"]


@dataclass(frozen=True, slots=True)
class CaseQuestion:
    """A question on which a case turned."""

    id: str
    label: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a case would be decided under a code.

    Attributes:
        code: the code's id.
        state: `decided` if the case was decided under this code; else `same`, `otherwise`, `silent`, `not printed` (its
            book omits rules on a question of the case) or `open`.
        words: the result, in a sentence, if it would be different.
        rule: the code's answers to all questions of the case, numbered if there are several; None if it answers none.
        rests_on: ids of the provisions on which these answers rest.
    """

    code: str
    state: State
    words: str | None
    rule: str | None
    rests_on: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A case in two lines, and what it turned on; without a digest, `facts` and `decision` are None.

    `on` are the provisions that decided it, `topic` is that of the first of the `questions` on which it turned,
    `outcomes` are how each code would decide it, and `remark` is the editor's note on these.
    """

    unit: UnitRow
    facts: str | None
    decision: str | None
    on: tuple[UnitRow, ...]
    topic: str | None
    questions: tuple[CaseQuestion, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    remark: str | None = None

    def otherwise(self, code: str = "") -> tuple[Outcome, ...]:
        """Return the outcomes that would be different, under all codes or under the one named."""
        return tuple(o for o in self.outcomes if o.state == "otherwise" and code in ("", o.code))


@dataclass(frozen=True, slots=True)
class CaseGroup:
    """A topic and the cases that turned on it; the last group has no topic: its cases turned on no law."""

    topic: TopicRow | None
    cases: tuple[Case, ...]


@cached_per_build
def cases(conn: sqlite3.Connection) -> tuple[Case, ...]:
    """Return all cases in the order of their books."""
    turned, asked, told = (grouped(rows(conn)) for rows in (TURNED, ASKED, OUTCOMES))
    units = queries.units(conn, {target for targets in turned.values() for (target,) in targets})
    known = questions(conn)

    def case_of(*row: Any) -> Case:
        *values, facts, decision, remark = row
        unit = UnitRow(*values)
        of = [known[question] for (question,) in asked.get(unit.id, ())]
        return Case(
            unit,
            facts,
            decision,
            tuple(units[target] for (target,) in turned.get(unit.id, ())),
            of[0].topic if of else None,
            tuple(CaseQuestion(question.id, question.label) for question in of),
            tuple(Outcome(code, state, words, *_rule(of, code)) for code, state, words in told.get(unit.id, ())),
            remark,
        )

    return tuple(case_of(*row) for row in CASES(conn))


def _rule(asked: Sequence[Question], code: str) -> tuple[str | None, tuple[str, ...]]:
    """Join a code's answers to the questions of a case; without a provision on which they rest there is no rule."""
    answers = [question.answers.get(code) for question in asked]
    rests_on = tuple(dict.fromkeys(cited.id for answer in answers if answer for cited in answer.cited))
    without = {"silent": "No rule.", "not printed": "Not printed."}
    said = [
        f"({place}) " * (len(asked) > 1) + without.get(answer.state, answer.summary)
        for place, answer in enumerate(answers, 1)
        if answer
    ]
    return " ".join(said) if rests_on else None, rests_on


@cached_per_build
def by_question(conn: sqlite3.Connection) -> dict[str, tuple[Case, ...]]:
    """Return the cases that turned on each question, by the question's id."""
    found: dict[str, list[Case]] = defaultdict(list)
    for case in cases(conn):
        for question in case.questions:
            found[question.id].append(case)
    return {question: tuple(turned) for question, turned in found.items()}


def by_topic(conn: sqlite3.Connection, found: Sequence[Case]) -> tuple[CaseGroup, ...]:
    """Group cases by topic, in the editor's order of topics; within a topic, in the order of their laws."""
    codes = {code.id: at for at, code in enumerate(queries.codes(conn))}

    def place(case: Case) -> tuple[int, int, str, int]:
        code, seq = (codes.get(case.on[0].work, len(codes)), case.on[0].seq) if case.on else (len(codes), 0)
        return code, seq, case.unit.book_id, case.unit.seq

    every: list[TopicRow | None] = [*topics(conn), None]
    groups = (
        CaseGroup(t, tuple(sorted((c for c in found if c.topic == (t.id if t else None)), key=place))) for t in every
    )
    return tuple(group for group in groups if group.cases)


def find_case(conn: sqlite3.Connection, unit: UnitRow) -> Case | None:
    """Return the case that a unit is or decides; None for any other unit."""
    wanted = unit.parent_id if unit.kind == "decision" else unit.id
    return next((case for case in cases(conn) if case.unit.id == wanted), None)


def laws(found: Iterable[Case]) -> tuple[str, ...]:
    """Return the ids of the laws on which cases turned, or of whose paragraphs they did."""
    return tuple(dict.fromkeys(law_of(target) for case in found for target in case.on))


def turned_on(case: Case, unit: UnitRow) -> bool:
    """Whether a case turned on a provision: on it, on one of its paragraphs, or on the law of a paragraph."""
    return any(t.id == unit.id or t.parent_id == unit.id or t.id == law_of(unit) for t in case.on)


def law_of(unit: UnitRow) -> str:
    """Return the id of the law that a unit is, or is a paragraph of."""
    return unit.parent_id if unit.kind == "subclause" and unit.parent_id else unit.id
