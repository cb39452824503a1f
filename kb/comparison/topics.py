"""Topics, the concepts that find their provisions, and the units that mention a concept."""

from __future__ import annotations

import sqlite3

from kb.read import queries
from kb.read.rows import UNIT, ConceptRow, TopicRow, UnitRow, fetch

TOPICS = "select id, label, concept_id, note from topic order by seq, id"
LABELS = "select label, role from concept_label where concept_id = ? order by role = 'preferred' desc, role, label"
TOPIC_CONCEPTS = "select concept_id from topic_concept where topic_id = ? order by concept_id <> ?, concept_id"
# The units that mention a concept or a narrower one, each with these, the provisions of a work first.
SPEAKING = f"""
with recursive {queries.BELOW.format("?1")}
select {UNIT}, group_concat(distinct s.concept_id) from unit_concept s join unit u on u.id = s.unit_id
join book b on b.id = u.book_id left join code c on c.id = u.code_id
where s.concept_id in (select id from below) and {queries.PASSAGE}
group by u.id order by coalesce(c.year, b.year), u.book_id, u.role <> 'provision', u.seq
"""


def topics(conn: sqlite3.Connection) -> list[TopicRow]:
    """Return the topics, in the editor's order."""
    return fetch(conn, TopicRow, TOPICS)


def concept(conn: sqlite3.Connection, concept_id: str) -> ConceptRow | None:
    """Return the concept with an id, or None."""
    return next((k for k in queries.concepts(conn) if k.id == concept_id), None)


def terms(conn: sqlite3.Connection, concept_id: str) -> list[tuple[str, str]]:
    """Return the terms of a concept as (term, role), the preferred one first."""
    return fetch(conn, lambda label, role: (label, role), LABELS, (concept_id,))


def concepts_of(conn: sqlite3.Connection, topic: TopicRow) -> list[str]:
    """Return the concepts that find the provisions of a topic, its own first."""
    return fetch(conn, str, TOPIC_CONCEPTS, (topic.id, topic.concept_id))


def speaking_of(conn: sqlite3.Connection, concept_id: str) -> list[tuple[UnitRow, tuple[str, ...]]]:
    """Return the units that mention a concept or a narrower one, with the ids of these, the oldest work first."""
    return fetch(conn, lambda *row: (UnitRow(*row[:-1]), tuple(sorted(row[-1].split(",")))), SPEAKING, (concept_id,))


def find_topic(conn: sqlite3.Connection, topic_id: str) -> TopicRow | None:
    """Return the topic with an id, or None."""
    return next((topic for topic in topics(conn) if topic.id == topic_id), None)
