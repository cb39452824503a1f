"""A large library as disputes need it: not all of it, but what the full-text index ranks first for what was told.

The index of disputes weighs every provision in memory. Up to `MOST` of them that is the better way; where there are
more, an excerpt of the knowledge base is made for the dispute, with the provisions and cases that have most of its
words, and weighed in the same way.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from contextlib import closing

from kb.analysis.words import terms
from kb.dispute.index import Index, index_of, load_index
from kb.read.kept import once_a_build
from kb.read.lookup import json_list
from kb.read.rows import fetch

MOST = 10_000
"""Provisions that are held in memory, about 17 kB each."""
_CANDIDATES, _CASES = 400, 60

COUNT = "select count(*) from unit where role = 'provision' and code_id is not null"
NEAREST = """
select u.id from entry_fts join entry e on e.id = entry_fts.rowid join unit u on u.id = e.unit_id
where entry_fts match :match and u.role = :role
order by entry_fts.rank limit :most
"""
# By `rank` FTS5 weighs all that match before it knows what they are; of a few, those alone that the plus leaves.
NEAREST_OF_FEW = """
select e.unit_id from entry_fts join entry e on e.id = entry_fts.rowid where entry_fts match :match
and +entry_fts.rowid in (
    select e.id from unit u join entry e on e.unit_id = u.id where u.role = :role
    and (:codes = '[]' or u.code_id in (select value from json_each(:codes)))
) order by bm25(entry_fts) limit :most
"""
WHOLE = "select iif(kind = 'subclause', parent_id, id) from unit where id = ?"
UNITS = """
with recursive part(id) as (
    select value from json_each(:units) union select u.id from part p join unit u on u.parent_id = p.id
)
select * from unit where id in (select id from part)
"""
_OF_UNITS = "in (select value from json_each(:parts))"
_OF_FACETS = f"in (select facet_id from deciding where unit_id {_OF_UNITS})"
ROWS = {
    "code": "select * from code",
    "topic": "select * from topic",
    "asking": "select * from asking order by rowid",
    "concept_label": "select * from concept_label order by rowid",
    "concept_pattern": "select * from concept_pattern order by rowid",
    "gloss": f"select * from gloss where unit_id {_OF_UNITS}",
    "unit_concept": f"select * from unit_concept where unit_id {_OF_UNITS}",
    "facet": f"select * from facet where id {_OF_FACETS}",
    "principal": f"select * from principal where facet_id {_OF_FACETS} order by rowid",
    "telling": f"select * from telling where facet_id {_OF_FACETS} order by rowid",
    "facet_concept": f"select * from facet_concept where facet_id {_OF_FACETS}",
    "cell": f"select * from cell where facet_id {_OF_FACETS} order by rowid",
    "link": f"select * from link where a {_OF_UNITS} and b {_OF_UNITS} order by rowid",
    "digest": f"select * from digest where unit_id {_OF_UNITS}",
    "precedent": f"select * from precedent where unit_id {_OF_UNITS} and target_id {_OF_UNITS} order by rowid",
}


def index_for(conn: sqlite3.Connection, told: str, codes: Collection[str] = (), unit_id: str = "") -> Index:
    """The index by which a dispute is settled: of all provisions, or in a large library of those near to it.

    Args:
        conn: the knowledge base.
        told: what happened, in anybody's words.
        codes: those that are asked; all if none is named.
        unit_id: a provision, or a paragraph of one, that must be there.
    """
    if not is_large(conn):
        return index_of(conn)
    words = " OR ".join(f'"{term}"' for term in dict.fromkeys(terms(told)))
    found = fetch(conn, str, WHOLE, (unit_id,))
    wanted: Sequence[tuple[str, Collection[str], int]] = (("provision", codes, _CANDIDATES), ("case", (), _CASES))
    for role, among, most in wanted:
        params = {"match": words, "role": role, "codes": json_list(among), "most": most}
        sql = NEAREST if role == "provision" and not among else NEAREST_OF_FEW
        found += fetch(conn, str, sql, params) if words else []
    with closing(excerpt(conn, found)) as part:
        return load_index(part)


@once_a_build
def is_large(conn: sqlite3.Connection) -> bool:
    """Whether a library has more provisions than are held in memory."""
    return fetch(conn, int, COUNT)[0] > MOST


def excerpt(conn: sqlite3.Connection, units: list[str]) -> sqlite3.Connection:
    """A knowledge base in memory with some units, what stands in them, and what is said of them."""
    part = sqlite3.connect(":memory:")
    _copy(conn, part, "unit", UNITS, {"units": json_list(units)})
    part.execute("create index by_id on unit(id)")
    part.execute("create index by_parent on unit(parent_id)")
    params = {"parts": json_list(fetch(part, str, "select id from unit"))}
    for table, sql in ROWS.items():
        _copy(conn, part, table, sql, params)
    return part


def _copy(conn: sqlite3.Connection, part: sqlite3.Connection, table: str, sql: str, params: dict[str, str]) -> None:
    rows = conn.cursor().execute(sql, params)
    names = [column[0] for column in rows.description]
    part.execute(f"create table [{table}] ({', '.join(f'[{name}]' for name in names)})")
    part.executemany(f"insert into [{table}] values ({', '.join('?' * len(names))})", map(tuple, rows))
