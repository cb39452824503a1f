"""Whether everything is judged, as a release requires: each provision looked for, each question answered."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from kb.editorial.consistency import Contradiction, contradictions
from kb.read.rows import fetch

_WHOLE = "select id, code_id, seq from unit where role = 'provision' and code_id is not null"

# A answer is open if neither the provision nor any of its paragraphs is linked into the code, and nobody closed it.
OPEN = f"""
with whole as ({_WHOLE}),
joined as (
    select l.a as id, u.code_id from link l join unit u on u.id = l.b where l.status = 'confirmed'
    union select l.b, u.code_id from link l join unit u on u.id = l.a where l.status = 'confirmed'
),
linked as (
    select w.id, j.code_id from joined j join unit u on u.id = j.id
    join whole w on w.id = u.id or w.id = u.parent_id
    or w.id = (select p.parent_id from unit p where p.id = u.parent_id)
)
select w.id, c.id from whole w join code c on c.id <> w.code_id
where not exists (select 1 from linked k where k.id = w.id and k.code_id = c.id)
and not exists (select 1 from closed x where x.unit_id = w.id and x.code_id = c.id)
order by w.code_id, w.seq, c.year
"""
BEGUN = "select 1 from closed union select 1 from answer limit 1"
UNANSWERED = """
select f.id, c.id from question f join code c
where not exists (select 1 from answer l where l.question_id = f.id and l.code_id = c.id)
order by f.topic_id, f.seq, c.year
"""
UNUSED = f"""
with whole as ({_WHOLE}),
used as (
    select j.value as id from answer, json_each(answer.cites) j
    union select unit_id from unused
)
select w.id from whole w where not exists (
    select 1 from used join unit u on u.id = used.id
    where w.id = u.id or w.id = u.parent_id or w.id = (select p.parent_id from unit p where p.id = u.parent_id)
)
order by w.code_id, w.seq
"""
TOPICS_OF = f"""
with whole as ({_WHOLE})
select w.id, count(t.topic_id) as n from whole w left join topic_unit t on t.unit_id = w.id
group by w.id having n not between 1 and 3 order by w.code_id, w.seq
"""


@dataclass(frozen=True, slots=True)
class Completeness:
    """What the editor has left open.

    `begun` is whether anything has been judged at all. `open_cells` are pairs of a provision and a code in which nobody
    looked for a counterpart, `unanswered` pairs of a question and a code that neither answers it nor is silent,
    `unused` provisions that no answer rests on, `topicless` provisions that are members of no topic or of more than
    three, with the number of topics, `contradictory` judgements that cannot both be true.
    """

    begun: bool
    open_cells: tuple[tuple[str, str], ...]
    unanswered: tuple[tuple[str, str], ...]
    unused: tuple[str, ...]
    topicless: tuple[tuple[str, int], ...]
    contradictory: tuple[Contradiction, ...]

    @property
    def whole(self) -> bool:
        """Whether nothing is left open, as in a library that nobody has begun to judge."""
        return not self.begun or not (
            self.open_cells or self.unanswered or self.unused or self.topicless or self.contradictory
        )


def completeness(conn: sqlite3.Connection) -> Completeness:
    """Find what the editor has left open in a knowledge base."""
    return Completeness(
        bool(fetch(conn, bool, BEGUN)),
        tuple(fetch(conn, lambda unit, code: (unit, code), OPEN)),
        tuple(fetch(conn, lambda question, code: (question, code), UNANSWERED)),
        tuple(fetch(conn, str, UNUSED)),
        tuple(fetch(conn, lambda unit, count: (unit, count), TOPICS_OF)),
        contradictions(conn),
    )
