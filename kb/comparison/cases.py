"""The cases of the library by the topic on which they turned, and their outcome under each code."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from kb.comparison.topics import topics
from kb.read import queries
from kb.read.build_cache import cached_per_build
from kb.read.rows import UNIT, TopicRow, UnitRow, fetch

CASES = f"""
select {UNIT}, d.facts, d.decision, d.remark from unit u left join digest d on d.unit_id = u.id
where (u.role = 'case' or u.id in (select unit_id from precedent)) and u.continues is null
order by u.book_id, u.seq
"""
TURNED = """
select p.unit_id, p.target_id from precedent p join unit t on t.id = p.target_id join code c on c.id = t.code_id
order by p.unit_id, c.year, t.seq
"""
# A case is under the topic of which its law answers most questions or, if the law answers none, of which the law is a
# member. Several laws of a case count equally; between equal topics the editor's order decides.
TOPICS = """
with answered(law, topic_id, n) as (
    select coalesce(case when u.kind = 'subclause' then u.parent_id end, u.id), f.topic_id, count(distinct f.id)
    from deciding d join unit u on u.id = d.unit_id join question f on f.id = d.question_id group by 1, 2
),
share(law, topic_id, part) as (
    select law, topic_id, 1.0 * n / sum(n) over (partition by law) from (
        select * from answered
        union all select unit_id, topic_id, 1 from topic_unit where unit_id not in (select law from answered)
    )
),
turned(id, law) as (
    select distinct p.unit_id, coalesce(case when t.kind = 'subclause' then t.parent_id end, t.id)
    from precedent p join unit t on t.id = p.target_id
),
ranked(id, topic_id, place) as (
    select v.id, s.topic_id,
        row_number() over (partition by v.id order by round(sum(s.part), 6) desc, min(t.seq), s.topic_id)
    from turned v join share s on s.law = v.law join topic t on t.id = s.topic_id group by v.id, s.topic_id
)
select id, topic_id from ranked where place = 1
"""
QUESTIONS = """
select q.unit_id, f.id, f.label from case_question q join question f on f.id = q.question_id order by q.unit_id, q.seq
"""
OUTCOMES = """
select o.unit_id, o.code_id, o.state, o.words
from case_outcome o join code c on c.id = o.code_id order by o.unit_id, c.year, c.id
"""
# What each code answers to the questions of a case.
ANSWERS = """
select q.unit_id, l.code_id, q.seq,
case l.state when 'answered' then l.summary when 'silent' then 'No rule.' else 'Not printed.' end, l.cites
from case_question q join answer l on l.question_id = q.question_id
order by q.unit_id, l.code_id, q.seq
"""

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

    `on` are the provisions that decided it, `questions` those on which it turned, `outcomes` how each code would decide
    it, and `remark` the editor's note on these.
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
    """Return all cases in the order of their books, each with the one topic on which it turned."""
    turned: dict[str, list[str]] = defaultdict(list)
    for case, target in fetch(conn, lambda *r: (str(r[0]), str(r[1])), TURNED):
        turned[case].append(target)
    units = queries.units(conn, {target for targets in turned.values() for target in targets})
    topic = dict(fetch(conn, lambda *r: (str(r[0]), str(r[1])), TOPICS))
    questions: dict[str, list[CaseQuestion]] = defaultdict(list)
    for case, question, label in fetch(conn, lambda *r: r, QUESTIONS):
        questions[case].append(CaseQuestion(question, label))
    answers: dict[tuple[str, str], list[tuple[int, str, list[str]]]] = defaultdict(list)
    for case, code, place, summary, cites in fetch(conn, lambda *r: r, ANSWERS):
        answers[case, code].append((place, summary, json.loads(cites)))
    outcomes: dict[str, list[Outcome]] = defaultdict(list)
    for case, code, state, words in fetch(conn, lambda *r: r, OUTCOMES):
        several = len(questions[case]) > 1
        outcomes[case].append(Outcome(code, state, words, *_answered(answers[case, code], several)))

    def case_of(*row: Any) -> Case:
        *values, facts, decision, remark = row
        unit = UnitRow(*values)
        on = tuple(units[i] for i in turned[unit.id])
        asked_on, under_codes = tuple(questions[unit.id]), tuple(outcomes[unit.id])
        return Case(unit, facts, decision, on, topic.get(unit.id), asked_on, under_codes, remark)

    return tuple(fetch(conn, case_of, CASES))


def _answered(answers: Sequence[tuple[int, str, Sequence[str]]], several: bool) -> tuple[str | None, tuple[str, ...]]:
    """Join a code's answers to the questions of a case.

    Args:
        answers: the place of each question, from 0, the answer in words, and the provisions on which it rests.
        several: whether the case has several questions, so that the answers are numbered.
    Returns:
        The answers in words, None if there are none, and the ids of the provisions.
    """
    rests_on = tuple(dict.fromkeys(i for _, _, cites in answers for i in cites))
    told = (f"({place + 1}) " * several + words for place, words, _ in answers)
    return " ".join(told) if rests_on else None, rests_on


@cached_per_build
def by_question(conn: sqlite3.Connection) -> dict[str, tuple[Case, ...]]:
    """Return the cases that turned on each question, by the question's id."""
    found: dict[str, list[Case]] = defaultdict(list)
    for case in cases(conn):
        for question in case.questions:
            found[question.id].append(case)
    return {question: tuple(turned) for question, turned in found.items()}


def by_matter(conn: sqlite3.Connection, found: Sequence[Case]) -> tuple[CaseGroup, ...]:
    """Group cases by topic, in the editor's order of topics; within a topic, in the order of their laws."""
    codes = [c.id for c in queries.codes(conn)]

    def place(case: Case) -> tuple[int, int, str, int]:
        first = case.on[0] if case.on else None
        at = (codes.index(first.code_id), first.seq) if first and first.code_id in codes else (len(codes), 0)
        return (*at, case.unit.book_id, case.unit.seq)

    every_topic: list[TopicRow | None] = [*topics(conn), None]
    groups = (
        CaseGroup(t, tuple(sorted((c for c in found if c.topic == (t.id if t else None)), key=place)))
        for t in every_topic
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
