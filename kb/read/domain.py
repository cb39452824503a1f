"""The description of the library: its library.toml, and which of its sections have content."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from extract.corpus.domain import Domain, Examples
from kb.read.build_cache import cached_per_build
from kb.read.rows import UNIT, UnitRow, fetch

TOLD = "select key, value from library"
# An example provision of each code: the first that has paragraphs if there is any, else the first.
SAMPLES = f"""
select * from (
    select {UNIT}, row_number() over (partition by u.code_id order by
        not exists (select 1 from unit s where s.parent_id = u.id and s.kind = 'subclause'), u.seq) as place
    from unit u where u.code_id is not null and u.continues is null and u.number is not null
    and u.role = 'provision'
) where place = 1
"""
YEARS_AND_NOUNS = "select id, year, provision from code order by year, id"
HELD = {
    "topics": "select 1 from topic",
    "answers": "select 1 from facet",
    "borrowings": "select 1 from borrowing",
    "concepts": "select 1 from concept",
    "cases": "select 1 from unit where role = 'case'",
    "concordance": "select 1 from link where status = 'confirmed' union all select 1 from closed",
    "codes": "select 1 from code",
    "compare": "select 1 from unit where code_id is not null limit 1 offset 1",
}


@cached_per_build
def domain(conn: sqlite3.Connection) -> Domain:
    """Return the library.toml of the library, with examples from its own provisions where the file gives none."""
    described = Domain.model_validate({key: json.loads(value) for key, value in fetch(conn, lambda *row: row, TOLD)})
    return described.model_copy(update={"examples": _examples(conn, described)})


@cached_per_build
def rooms(conn: sqlite3.Connection) -> frozenset[str]:
    """Return the sections that have content (`concepts`, `topics`, `cases` ...), without those library.toml hides."""
    held = {room for room, sql in HELD.items() if fetch(conn, bool, f"select exists ({sql})")[0]}
    found = held | ({"dispute", "collate", "cite"} if "codes" in held else set())
    return frozenset(found - set(domain(conn).pages.hidden))


def _examples(conn: sqlite3.Connection, described: Domain) -> Examples:
    """Return the examples of library.toml; missing ones are made from the library's own provisions and years."""
    first = {u.code_id: u for u in fetch(conn, lambda *row: UnitRow(*row[:-1]), SAMPLES)}
    codes = fetch(conn, lambda *row: row, YEARS_AND_NOUNS)
    found = [(year, noun, first[code]) for code, year, noun in codes if code in first]
    cited = [f"{year} {described.noun(noun).singular} {unit.number}" for year, noun, unit in found]
    given = described.examples
    update: dict[str, object] = {}
    if not given.citations:
        update["citations"] = tuple(cited[:1])
    if not given.pair:
        update["pair"] = (cited[0], cited[-1]) if cited else ()
    if not given.fields and codes:
        update["fields"] = (f"code:{codes[0][1]}", f"year:{codes[0][1]}-{codes[-1][1]}")
    if given.unit is None and found:
        update["unit"] = found[0][2].id
    return given.model_copy(update=update)


def rows(told: Domain) -> Iterable[dict[str, str]]:
    """Yield a domain as rows of the table `library`."""
    for key, value in told.model_dump(mode="json", exclude={"outcomes", "lexicon"}).items():
        yield {"key": key, "value": json.dumps(value, ensure_ascii=False)}
