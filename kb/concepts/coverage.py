"""Provisions with too few concepts of the thesaurus to distinguish them from others."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from kb.read.rows import fetch

ENOUGH = 2
_SPECIFIC = 30  # a concept is specific if at most one provision in this many mentions it

SPOKEN = f"""
with provision as (
  select id, code_id, seq from unit where code_id is not null and continues is null and role = 'provision'
), said as (
  select distinct c.unit_id, c.concept_id from unit_concept c join provision p on p.id = c.unit_id
), specific as (
  select concept_id from said group by concept_id having count(*) * {_SPECIFIC} <= (select count(*) from provision)
)
select p.id, count(s.concept_id) from provision p
left join said s on s.unit_id = p.id and s.concept_id in (select concept_id from specific)
group by p.id having count(s.concept_id) < {ENOUGH} order by p.code_id, p.seq
"""


@dataclass(frozen=True, slots=True)
class Vague:
    """A provision that mentions fewer than two specific concepts, and how many it mentions."""

    unit_id: str
    specific: int


def vague_provisions(conn: sqlite3.Connection) -> list[Vague]:
    """Return the provisions for which the thesaurus lacks words, by code and position.

    Only specific concepts count, which few provisions of the library mention: a concept in all distinguishes none.
    """
    return fetch(conn, Vague, SPOKEN)
