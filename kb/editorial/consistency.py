"""Whether the editor's judgements are consistent: answers with links, and the outcomes of cases with the answers."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from dataclasses import dataclass

from kb.read.rows import fetch

# The questions that two provisions of different codes both answer: whether by one rule, altered or not; and whether the
# answer of each code rests on this provision alone, so that the provision has the rule of the answer.
SHARED = """
with ruled as (
    select c.question_id, c.code_id, j.value as unit_id, substr(c.rule, 1, 1) as letter,
    json_array_length(c.cites) = 1 as alone, substr(j.value, 1, instr(j.value, '/')) as work
    from answer c join json_each(c.cites) j where c.rule is not null
)
select x.question_id, x.unit_id, y.unit_id, x.letter = y.letter, x.alone and y.alone
from ruled x join ruled y on y.question_id = x.question_id and y.code_id > x.code_id and y.work <> x.work
order by x.question_id, x.code_id, y.code_id
"""
APART = "select a, b from apart"
LINKS = "select a, b, relation from link where status = 'confirmed'"
WHOLES = """
with recursive up(id, whole) as (
    select id, id from unit where kind not in ('subclause', 'footnote') and continues is null
    union all select u.id, up.whole from unit u join up on u.parent_id = up.id where u.kind in ('subclause', 'footnote')
)
select id, whole from up
"""
# A case cannot be decided otherwise under a code that has the deciding code's rule on each of its questions, nor alike
# under a code that is silent on all of them; and a code that answers each of them is not silent.
OUTCOMES = """
with told as (
    select q.unit_id, q.question_id, o.code_id, o.state, l.rule,
        (select h.rule from case_outcome d join answer h on h.code_id = d.code_id
         where d.unit_id = q.unit_id and d.state = 'decided' and h.question_id = q.question_id) as home
    from case_question q join case_outcome o on o.unit_id = q.unit_id
    join answer l on l.question_id = q.question_id and l.code_id = o.code_id
)
select min(question_id), unit_id, code_id, state from told group by unit_id, code_id, state
having state = 'otherwise' and min(rule is not null and rule is home)
or state = 'same' and max(rule is not null) = 0
or state = 'silent' and min(rule is not null)
order by unit_id, code_id
"""
_AT_ODDS = {
    "otherwise": "outcome listed as different, but the code has the same rule",
    "same": "outcome listed as the same, but the code answers none of its questions",
    "silent": "code listed as silent, but it answers each of its questions",
}
_ONE_RULE = frozenset({"same-text", "equivalent"})


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two provisions, or a case and a code, on which two judgements cannot both be true; `why` explains it."""

    question: str
    a: str
    b: str
    why: str


@dataclass(frozen=True, slots=True)
class _SharedQuestion:
    question: str
    a: str
    b: str
    same: int
    alone: int


def contradictions(conn: sqlite3.Connection) -> tuple[Contradiction, ...]:
    """Find where the editor's judgements contradict each other.

    Two provisions with different rules on a question must be linked, or the editor must have stated why they are apart.
    `equivalent` provisions and those of the `same-text` cannot answer a question by different rules. `opposed` ones
    answer at least one question differently, if they share any. The outcome of a case under a code must agree with the
    answers of that code.
    """
    links = {frozenset((a, b)): relation for a, b, relation in fetch(conn, lambda *row: row, LINKS)}
    whole = dict(fetch(conn, lambda unit, above: (unit, above), WHOLES))
    apart = {frozenset(pair) for pair in fetch(conn, lambda *row: row, APART)}
    joined = {frozenset(whole.get(unit, unit) for unit in pair) for pair in links}
    shared: dict[frozenset[str], list[_SharedQuestion]] = defaultdict(list)
    for question in fetch(conn, _SharedQuestion, SHARED):
        shared[frozenset((question.a, question.b))].append(question)
    found = []
    for pair, questions in shared.items():
        relation, first = links.get(pair), questions[0]
        different = next((q for q in questions if q.alone and not q.same), None)
        if different and pair not in apart and frozenset(whole.get(unit, unit) for unit in pair) not in joined:
            why = "their answers have different rules, but they are not linked"
            found.append(Contradiction(different.question, different.a, different.b, why))
        elif different and relation in _ONE_RULE:
            why = f"their answers have different rules, but they are linked as {relation}"
            found.append(Contradiction(different.question, different.a, different.b, why))
        elif relation == "opposed" and all(q.same for q in questions):
            why = "they are linked as opposed, but their answers have the same rule"
            found.append(Contradiction(first.question, first.a, first.b, why))
    found += fetch(conn, lambda q, case, code, state: Contradiction(q, case, code, _AT_ODDS[state]), OUTCOMES)
    return tuple(sorted(found, key=lambda c: (c.question, c.a, c.b)))
