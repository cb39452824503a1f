"""Queries of the knowledge base for works, units and what belongs to them: statements with the class of their rows.

A `Statement` is called with a connection and the parameters ?1, ?2 ... of its SQL, and returns a list of rows. A query
that needs more than one statement, or returns something other than its rows, is a function below.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from typing import Any

from extract.errors import QueryError, UnknownIdError
from kb.read import nearest
from kb.read.build_cache import cached_per_build
from kb.read.rows import (
    BOOK,
    CODE,
    UNIT,
    AuditRow,
    AuthorRow,
    BookRow,
    CitationRow,
    CodeRow,
    ConceptRow,
    EditRow,
    NoteRow,
    RelatedRow,
    Statement,
    SuggestionRow,
    UnitRow,
    as_tuple,
    columns,
    grouped,
    json_list,
)

CITATION = columns(CitationRow, "c")
TURNED = "case l.relation when 'broader' then 'narrower' when 'narrower' then 'broader' else l.relation end"
# A concept, given as {}, and all that are narrower.
BELOW = "below(id) as (select {} union select n.id from concept n join below on n.broader = below.id)"
# What counts as a passage that speaks of a concept: a paragraph counts in its provision; a heading or an entry of an
# index says nothing of it.
PASSAGE = "+u.kind <> 'subclause' and u.role not in ('heading', 'entry')"
CONCEPT = f"""k.id, k.label, k.note, k.broader, (
    with recursive {BELOW.format("k.id")} select count(distinct s.unit_id) from unit_concept s
    join unit u on u.id = s.unit_id where s.concept_id in (select id from below) and {PASSAGE}
)"""


def _units(rest: str) -> Statement[UnitRow]:
    return Statement(UnitRow, f"select {UNIT} from unit u {rest}")


# Units.
_UNIT_OF_ID = _units("where u.id = ?1")
_UNITS_OF_IDS = _units("where u.id in (select value from json_each(?1)) order by u.book_id, u.seq")
children = _units("where u.parent_id = ?1 and u.continues is null order by u.seq")
"""The child units of a unit, by its id, in reading order."""
continued = _units("where u.continues = ?1 order by u.seq")
"""The continuations of a unit, by its id, in the order of the scan: of a footnote that goes on overleaf, say."""
units_of_code = _units("where u.code_id = ?1 and u.continues is null order by u.seq")
"""All units of a code, in reading order."""
units_of_book = _units("where u.book_id = ?1 order by u.seq")
"""All units of a book, including continuations (of footnotes, say), in reading order."""
units_between = _units("""
where u.book_id = ?1 and u.raw_start between ?2 and ?3 and u.raw_end <= ?3 order by u.raw_start, u.raw_end desc
""")
"""The units of a book whose span lies between two offsets into its scan."""
explains = _units("join explains x on x.target_id = u.id where x.unit_id = ?1 order by u.seq")
"""The provisions that a commentary explains."""
_PROVISIONS = _units("""
where u.code_id = ?1 and u.kind = 'law' and lower(u.number) = ?2 and u.continues is null order by u.seq limit 1
""")
# The next unit of the same kind and work, before or after a unit; if a parent is given, within that parent.
_BESIDE = """
where u.book_id = ?1 and u.seq {} ?2 and u.kind = ?3 and u.code_id is ?4 and u.continues is null
and (?5 is null or u.parent_id = ?5) order by u.seq {} limit 1
"""
_BEFORE, _AFTER = _units(_BESIDE.format("<", "desc")), _units(_BESIDE.format(">", "asc"))

_WITH_ABOVE = Statement(UnitRow, f"""
with recursive line(id) as (
    select value from json_each(?1)
    union select u.parent_id from line join unit u on u.id = line.id where u.parent_id is not null
)
select {UNIT} from line join unit u on u.id = line.id
""")  # fmt: skip

# Ids.
whole_ids = Statement(str, """
select u.id from unit u join book b on b.id = u.book_id where u.continues is null order by b.year, b.id, u.seq
""")  # fmt: skip
"""The ids of all units, without continuations: the oldest book first, each in reading order."""
going_on = Statement(str, "select distinct continues from unit where book_id = ?1 and continues is not null")
"""The ids of a book's units that have continuations."""
_NUMBERS = Statement(as_tuple, """
select id, lower(coalesce(number, '')) from unit where id in (select value from json_each(?1))
""")  # fmt: skip

# The contents of a span of a scan, given by the id of its book and its offsets in characters.
_SCAN = Statement(str, "select substr(text, ?2 + 1, ?3 - ?2) from scan where book_id = ?1")
_SCAN_FACTS = Statement(as_tuple, "select sha256, length from scan where book_id = ?1")
# Of edits that begin before a span only the last one can reach into it, since edits do not overlap.
edits = Statement(EditRow, f"""
select {columns(EditRow, "edit")} from edit
where book_id = ?1 and raw_start < ?3 and raw_end > ?2 and raw_start >= coalesce(
    (select max(raw_start) from edit where book_id = ?1 and raw_start <= ?2), ?2)
order by raw_start, raw_end
""")  # fmt: skip
"""The edits that overlap a span of a scan, in order."""
suggestions = Statement(SuggestionRow, f"""
select {columns(SuggestionRow, "suggestion")} from suggestion
where book_id = ?1 and raw_start >= ?2 and raw_end <= ?3 order by raw_start
""")  # fmt: skip
"""The doubtful readings, the machine's and the editor's, within a span of a scan."""
notes = Statement(NoteRow, f"""
select {columns(NoteRow, "n")} from editor_note n where book_id = ?1 and raw_start >= ?2 and raw_end <= ?3
""")  # fmt: skip
"""The editor's notes within a span of a scan."""
cites = Statement(CitationRow, f"""
select {CITATION} from citation c where c.book_id = ?1 and c.raw_start between ?2 and ?3 and c.raw_end <= ?3
order by c.raw_start, c.id
""")  # fmt: skip
"""The references found within a span of a scan, in order."""

# What belongs to a unit, by its id.
cited_by = Statement(CitationRow, f"""
select {CITATION} from citation c join unit u on u.id = c.from_unit
where (c.target_id = ?1 or c.target_id in (select id from unit where parent_id = ?1 and +kind = 'subclause'))
and c.from_unit <> ?1 order by u.book_id, u.seq, c.raw_start
""")  # fmt: skip
"""The references to a unit, or to one of its paragraphs, from elsewhere."""
# The plus keeps SQLite from using the index of kinds, which would match half of all units.
_RELATED = Statement(RelatedRow, f"""
with these as (select ?1 as id union select id from unit where parent_id = ?1 and +kind = 'subclause'),
ends as (
    select b as other, relation, score, source, why, a as here from these join link l on l.a = these.id
    union all
    select a, {TURNED}, score, source, why, b from these join link l on l.b = these.id
)
select e.* from ends e join unit u on u.id = e.other left join code c on c.id = u.code_id
order by e.source <> 'editor', c.year, u.seq, e.score desc, e.here
""")  # fmt: skip
_LINKS = Statement(RelatedRow, f"""
select b, relation, score, source, why from link l where a = ?1 and b = ?2
union all select a, {TURNED}, score, source, why from link l where b = ?1 and a = ?2
""")  # fmt: skip
_CONCEPTS_OF = Statement(str, """
select concept_id from unit_concept where unit_id = ?1 group by concept_id order by count(*) desc, min(raw_start)
""")  # fmt: skip
_CELLS_OF_ROWS = Statement(as_tuple, """
select t.unit_id, t.text from table_cell t join unit u on u.id = t.unit_id where u.book_id = ?1 order by u.seq, t.col
""")  # fmt: skip

# The library as a whole.
_BOOKS = Statement(BookRow, f"select {BOOK} from book b order by b.year, b.id")
_CODES = Statement(CodeRow, f"select {CODE} from code c order by c.year, c.id")
_AUTHORS = Statement(as_tuple, "select book_id, family, given from author order by book_id, seq")
_LACKS = Statement(as_tuple, "select code_id, kind, reason from lack order by code_id, kind")
_CONCEPTS = Statement(ConceptRow, f"select {CONCEPT} from concept k order by k.label")
audit = Statement(AuditRow, f"select {columns(AuditRow, 'a')} from audit a where book_id = ?1 order by id")
"""The findings of the numbering audit of a book."""
reference_counts = Statement(as_tuple, "select status, count(*) from citation where book_id = ?1 group by 1 order by 1")
"""How many references of a book have each status."""
_KIND_COUNTS = Statement(as_tuple, """
select coalesce(code_id, book_id), kind, count(*) from unit where continues is null group by 1, 2
""")  # fmt: skip
_EDIT_COUNTS = Statement(as_tuple, "select book_id, kind, source, count(*) from edit group by 1, 2, 3 order by 1, 2, 3")
_SHOWN = Statement(str, """
select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite~_%' escape '~'
and name not like 'entry~_fts%' escape '~' order by type desc, rowid
""")  # fmt: skip
_SIZE = Statement(int, "select page_count * page_size from pragma_page_count(), pragma_page_size()")


@cached_per_build
def books(conn: sqlite3.Connection) -> tuple[BookRow, ...]:
    """All books, oldest first."""
    return tuple(_BOOKS(conn))


@cached_per_build
def codes(conn: sqlite3.Connection) -> tuple[CodeRow, ...]:
    """All codes, oldest first."""
    return tuple(_CODES(conn))


def codes_named(conn: sqlite3.Connection, names: Collection[str]) -> tuple[str, ...]:
    """Return the ids of the codes that are named by id or year.

    Raises:
        QueryError: there is no such code.
    """
    known = {name: code.id for code in codes(conn) for name in (code.id, str(code.year))}
    for name in names:
        if name not in known:
            raise QueryError(f"There is no code {name!r}; the codes are {', '.join(dict.fromkeys(known.values()))}.")
    return tuple(dict.fromkeys(known[name] for name in names))


@cached_per_build
def _authors(conn: sqlite3.Connection) -> dict[str, list[AuthorRow]]:
    return {book: [AuthorRow(*name) for name in names] for book, names in grouped(_AUTHORS(conn)).items()}


def authors(conn: sqlite3.Connection, book_id: str) -> list[AuthorRow]:
    """The authors of a book, in the order of its title page."""
    return _authors(conn).get(book_id, [])


@cached_per_build
def lacks(conn: sqlite3.Connection) -> dict[str, dict[str, str]]:
    """Return the kinds of provisions that each code has but its book does not print, with how that is known."""
    return {code: dict(kinds) for code, kinds in grouped(_LACKS(conn)).items()}


def find_unit(conn: sqlite3.Connection, unit_id: str) -> UnitRow | None:
    """Return the unit with an id, or None."""
    return _UNIT_OF_ID.first(conn, unit_id)


def unit(conn: sqlite3.Connection, unit_id: str) -> UnitRow:
    """Return the unit with an id.

    Raises:
        UnknownIdError: no unit has the id; the message names the nearest ones.
    """
    found = find_unit(conn, unit_id)
    if found is None:
        near = nearest.ids(conn, unit_id)
        hint = f"; did you mean {', '.join(near[:3])}?" if near else "."
        raise UnknownIdError(f"There is no {unit_id}{hint}")
    return found


def units(conn: sqlite3.Connection, ids: Iterable[str]) -> dict[str, UnitRow]:
    """Return the units with some ids, by id, in the order of their books; unknown ids are left out."""
    return {u.id: u for u in _UNITS_OF_IDS(conn, json_list(ids))}


def ancestors(conn: sqlite3.Connection, units: Iterable[UnitRow]) -> dict[str, tuple[UnitRow, ...]]:
    """Return the ancestors of units, by the id of the unit: its parent first, then the parent of that, and so on."""
    wanted = list(units)
    known = {u.id: u for u in _WITH_ABOVE(conn, json_list(u.id for u in wanted))}

    def above(unit: UnitRow) -> tuple[UnitRow, ...]:
        parent = known.get(unit.parent_id or "")
        return (parent, *above(parent)) if parent else ()

    return {unit.id: above(unit) for unit in wanted}


def numbers(conn: sqlite3.Connection, ids: Iterable[str]) -> dict[str, str]:
    """Return the numbers of units by id, in lower case; "" for a unit without a number."""
    return dict(_NUMBERS(conn, json_list(ids)))


def provision(conn: sqlite3.Connection, code_id: str, number: str) -> UnitRow | None:
    """Return the law of a code with a number, given in lower case, or None."""
    return _PROVISIONS.first(conn, code_id, number)


def neighbours(conn: sqlite3.Connection, unit: UnitRow) -> tuple[UnitRow | None, UnitRow | None]:
    """Return the units of the same kind and work before and after a unit; for a paragraph, within its provision."""
    within = unit.parent_id if unit.kind == "subclause" else None
    place = unit.book_id, unit.seq, unit.kind, unit.code_id, within
    return _BEFORE.first(conn, *place), _AFTER.first(conn, *place)


def scan(conn: sqlite3.Connection, book_id: str, start: int, end: int) -> str:
    """Return a span of a scan, unchanged; offsets are in characters."""
    return _SCAN.first(conn, book_id, start, end) or ""


def whole_scan(conn: sqlite3.Connection, book_id: str) -> str:
    """Return the scan of a book."""
    facts = scan_facts(conn, book_id)
    return scan(conn, book_id, 0, facts[1]) if facts else ""


def scan_facts(conn: sqlite3.Connection, book_id: str) -> tuple[str, int] | None:
    """Return the SHA-256 and the length in characters of a book's scan."""
    return _SCAN_FACTS.first(conn, book_id)


def related(conn: sqlite3.Connection, unit_id: str) -> list[RelatedRow]:
    """Return the links to provisions of other codes, confirmed ones and earlier codes first.

    Links of its paragraphs (`here`) are included, unless they lead to a unit that the whole is linked to as well.
    """
    rows = _RELATED(conn, unit_id)
    whole = {row.other for row in rows if row.here == unit_id}
    return [row for row in rows if row.here == unit_id or row.other not in whole]


def link(conn: sqlite3.Connection, a: str, b: str) -> RelatedRow | None:
    """Return the link between two provisions, if there is one; the relation is that of `a` to `b`."""
    return _LINKS.first(conn, a, b)


@cached_per_build
def _concepts(conn: sqlite3.Connection) -> dict[str, ConceptRow]:
    return {row.id: row for row in _CONCEPTS(conn)}


def concepts(conn: sqlite3.Connection) -> list[ConceptRow]:
    """Return all concepts, sorted by label."""
    return list(_concepts(conn).values())


def concepts_of(conn: sqlite3.Connection, unit_id: str) -> list[ConceptRow]:
    """Return the concepts that a unit mentions, the most frequent first."""
    known = _concepts(conn)
    return [known[i] for i in _CONCEPTS_OF(conn, unit_id)]


def table_cells(conn: sqlite3.Connection, book_id: str) -> dict[str, tuple[str, ...]]:
    """Return the cells of every table row of a book, by unit id."""
    return {
        unit_id: tuple(text for (text,) in cells) for unit_id, cells in grouped(_CELLS_OF_ROWS(conn, book_id)).items()
    }


@cached_per_build
def kind_counts(conn: sqlite3.Connection) -> dict[str, dict[str, int]]:
    """Count the units of each kind in every code, and in every book outside its codes."""
    return {work: dict(kinds) for work, kinds in grouped(_KIND_COUNTS(conn)).items()}


@cached_per_build
def edit_counts(conn: sqlite3.Connection) -> list[tuple[str, str, str, int]]:
    """Count the edits by book, kind and source."""
    return _EDIT_COUNTS(conn)


@cached_per_build
def tables(conn: sqlite3.Connection) -> dict[str, int]:
    """Return the tables and views that have rows, with the number of rows."""
    counts = {name: Statement(int, f"select count(*) from [{name}]")(conn)[0] for name in _SHOWN(conn)}
    return {name: count for name, count in counts.items() if count}


@cached_per_build
def whole(conn: sqlite3.Connection, view: str) -> list[tuple[Any, ...]]:
    """Return all rows of a view, by its name."""
    return Statement(as_tuple, f"select * from [{view}]")(conn)


def size(conn: sqlite3.Connection) -> int:
    """Return the size of the knowledge base in bytes."""
    return _SIZE(conn)[0]
