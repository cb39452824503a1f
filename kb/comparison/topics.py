"""Topics, the concepts that find their provisions, and the units that mention a concept."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from kb.read import queries
from kb.read.rows import UNIT, ConceptRow, TopicRow, UnitRow, fetch, json_list

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
ON_CONCEPTS = f"""
with recursive family(id) as (
    select value from json_each(?) union select k.id from concept k join family f on k.broader = f.id
),
spoken as (
    select distinct coalesce(case when u.kind = 'subclause' then u.parent_id end, u.id) as id
    from unit_concept s join unit u on u.id = s.unit_id
    where s.concept_id in (select id from family) and u.code_id is not null
)
select {UNIT} from spoken join unit u on u.id = spoken.id join code c on c.id = u.code_id where u.role = 'provision'
order by c.year, c.id, u.seq
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
    """Return the concepts that find the provisions of a topic, its own first."""
    return fetch(conn, str, TOPIC_CONCEPTS, (topic.id, topic.concept_id))


def speaking_of(conn: sqlite3.Connection, concept_id: str) -> list[UnitRow]:
    """Return the units that mention a concept, by year and reading order, without paragraphs of provisions."""
    ids = fetch(conn, str, SPEAKING_IN_ORDER, (concept_id,))
    units = queries.units(conn, ids)
    return [units[i] for i in ids]


def provisions_on(conn: sqlite3.Connection, concepts: Sequence[str]) -> list[UnitRow]:
    """Return the provisions that mention one of some concepts or a narrower one, in the order of years and pages."""
    return fetch(conn, UnitRow, ON_CONCEPTS, (json_list(concepts),))


def find_topic(conn: sqlite3.Connection, topic_id: str) -> TopicRow | None:
    """Return the topic with an id, or None."""
    return next((topic for topic in topics(conn) if topic.id == topic_id), None)
