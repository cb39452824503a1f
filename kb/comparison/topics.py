"""Topics, the concepts that find their provisions, and the units that mention a concept."""

from __future__ import annotations

import sqlite3

from kb.read import queries
from kb.read.rows import UNIT, ConceptRow, Statement, TopicRow, UnitRow, as_tuple

topics = Statement(TopicRow, "select id, label, concept_id, note from topic order by seq, id")
"""The topics, in the editor's order."""
terms = Statement(as_tuple, """
select label, role from concept_label where concept_id = ?1 order by role = 'preferred' desc, role, label
""")  # fmt: skip
"""The terms of a concept as (term, role), the preferred one first."""
_CONCEPTS_OF = Statement(str, """
select concept_id from topic_concept where topic_id = ?1 order by concept_id <> ?2, concept_id
""")  # fmt: skip
speaking_of = Statement(lambda *row: (UnitRow(*row[:-1]), tuple(sorted(row[-1].split(",")))), f"""
with recursive {queries.BELOW.format("?1")}
select {UNIT}, group_concat(distinct s.concept_id) from unit_concept s join unit u on u.id = s.unit_id
join book b on b.id = u.book_id left join code c on c.id = u.code_id
where s.concept_id in (select id from below) and {queries.PASSAGE}
group by u.id order by coalesce(c.year, b.year), u.book_id, u.role <> 'provision', u.seq
""")  # fmt: skip
"""The units that mention a concept or a narrower one, each with these; the provisions of a work first."""


def concept(conn: sqlite3.Connection, concept_id: str) -> ConceptRow | None:
    """Return the concept with an id, or None."""
    return next((k for k in queries.concepts(conn) if k.id == concept_id), None)


def concepts_of(conn: sqlite3.Connection, topic: TopicRow) -> list[str]:
    """Return the concepts that find the provisions of a topic, its own first."""
    return _CONCEPTS_OF(conn, topic.id, topic.concept_id)


def find_topic(conn: sqlite3.Connection, topic_id: str) -> TopicRow | None:
    """Return the topic with an id, or None."""
    return next((topic for topic in topics(conn) if topic.id == topic_id), None)
