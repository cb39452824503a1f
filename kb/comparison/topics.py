"""Topics, the concepts that find their provisions, and the units that mention a concept."""

from __future__ import annotations

import sqlite3

from kb.read import queries
from kb.read.rows import ConceptRow, TopicRow, UnitRow, fetch

TOPICS = "select id, label, concept_id, note from topic order by seq, id"
CONCEPT = f"select {queries.CONCEPT} from concept k where k.id = ?"
NARROWER = f"select {queries.CONCEPT} from concept k where k.broader = ? order by k.label"
LABELS = "select label, role from concept_label where concept_id = ? order by role = 'preferred' desc, role, label"
TOPIC_CONCEPTS = "select concept_id from topic_concept where topic_id = ? order by concept_id <> ?, concept_id"
SPEAKING_IN_ORDER = """
select u.id from unit_concept s join unit u on u.id = s.unit_id
join book b on b.id = u.book_id left join code c on c.id = u.code_id
where s.concept_id = ? and u.kind <> 'subclause' group by u.id order by coalesce(c.year, b.year), u.book_id, u.seq
"""


def topics(conn: sqlite3.Connection) -> list[TopicRow]:
    """Return the topics, in the editor's order."""
    return fetch(conn, TopicRow, TOPICS)


def concept(conn: sqlite3.Connection, concept_id: str) -> ConceptRow | None:
    """Return the concept with an id, or None."""
    found = fetch(conn, ConceptRow, CONCEPT, (concept_id,))
    return found[0] if found else None


def labels(conn: sqlite3.Connection, concept_id: str) -> list[tuple[str, str]]:
    """Return the terms of a concept as (term, role), the preferred one first."""
    return fetch(conn, lambda label, role: (label, role), LABELS, (concept_id,))


def narrower(conn: sqlite3.Connection, concept_id: str) -> list[ConceptRow]:
    """Return the concepts directly below one."""
    return fetch(conn, ConceptRow, NARROWER, (concept_id,))


def concepts_of(conn: sqlite3.Connection, topic: TopicRow) -> list[str]:
    """Return the concepts that find the provisions of a topic, its own first; of a concept taken as a topic, itself."""
    found = fetch(conn, str, TOPIC_CONCEPTS, (topic.id, topic.concept_id))
    return found or ([topic.concept_id] if topic.concept_id else [])


def speaking_of(conn: sqlite3.Connection, concept_id: str) -> list[UnitRow]:
    """Return the units that mention a concept, by year and reading order, without paragraphs of provisions."""
    ids = fetch(conn, str, SPEAKING_IN_ORDER, (concept_id,))
    units = queries.units(conn, ids)
    return [units[i] for i in ids]


def find_topic(conn: sqlite3.Connection, topic_id: str) -> TopicRow | None:
    """Return the topic with an id, or a concept taken as one, or None."""
    found = next((t for t in topics(conn) if t.id == topic_id), None)
    if found is None and (named := concept(conn, topic_id)):
        return TopicRow(named.id, named.label, named.id, named.note)
    return found
