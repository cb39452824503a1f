"""Questions to the knowledge base about works, units and what hangs on them; every statement is named here."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

from extract.errors import UnknownIdError
from kb.read import lookup
from kb.read.kept import once_a_build
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
    SuggestionRow,
    UnitRow,
    fetch,
)

BOOKS = f"select {BOOK} from book b order by b.year, b.id"
AUTHORS = "select book_id, family, given from author order by book_id, seq"
CODES = f"select {CODE} from code c order by c.year, c.id"
UNIT_BY_ID = f"select {UNIT} from unit u where u.id = ?"
UNITS_BY_ID = f"select {UNIT} from unit u where u.id in (select value from json_each(?)) order by u.book_id, u.seq"
NUMBERS = "select id, lower(coalesce(number, '')) from unit where id in (select value from json_each(?))"
CHILDREN = f"select {UNIT} from unit u where u.parent_id = ? and u.continues is null order by u.seq"
LACKS = "select code_id, kind, reason from lack order by code_id, kind"
UNITS_OF_CODE = f"select {UNIT} from unit u where u.code_id = ? and u.continues is null order by u.seq"
CONTINUED = f"select {UNIT} from unit u where u.continues = ? order by u.seq"
GOING_ON = "select distinct continues from unit where book_id = ? and continues is not null"
MOVED = "select unit_id from moved where old_id = ?"
NOTES = "select raw_start, raw_end, text, reason from editor_note where book_id = ? and raw_start >= ? and raw_end <= ?"
PROVISION = f"""
select {UNIT} from unit u where u.code_id = ? and u.kind = 'law' and lower(u.number) = ? and u.continues is null
order by u.seq limit 1
"""
MOVED_IDS = "select old_id from moved order by old_id"
UNITS_OF_BOOK = f"select {UNIT} from unit u where u.book_id = ? order by u.seq"
PREVIOUS = f"""
select {UNIT} from unit u where u.book_id = :book and u.seq < :seq and u.kind = :kind
and u.code_id is :code and u.continues is null and (:parent is null or u.parent_id = :parent)
order by u.seq desc limit 1
"""
NEXT = f"""
select {UNIT} from unit u where u.book_id = :book and u.seq > :seq and u.kind = :kind
and u.code_id is :code and u.continues is null and (:parent is null or u.parent_id = :parent)
order by u.seq limit 1
"""
BETWEEN = f"""
select {UNIT} from unit u where u.book_id = :book and u.raw_start between :start and :end and u.raw_end <= :end
order by u.raw_start, u.raw_end desc
"""
SCAN = "select substr(text, ? + 1, ? - ?) from scan where book_id = ?"
SCAN_FACTS = "select sha256, length from scan where book_id = ?"
# Edits do not overlap: of those that begin before a span only the last one can reach into it.
EDITS = """
select raw_start, raw_end, before, after, kind, source, confidence, note from edit
where book_id = :book and raw_start < :end and raw_end > :start and raw_start >= coalesce(
    (select max(raw_start) from edit where book_id = :book and raw_start <= :start), :start)
order by raw_start, raw_end
"""
SUGGESTIONS = """
select raw_start, raw_end, before, after, confidence, note, source from suggestion
where book_id = ? and raw_start >= ? and raw_end <= ? order by raw_start
"""
WHOLE_IDS = """
select u.id from unit u join book b on b.id = u.book_id where u.continues is null order by b.year, b.id, u.seq
"""
# Of the row with the least `seq` SQLite gives the id too (its documentation of `select`, on bare columns).
SAMPLES = """
select id, min(seq) from unit where continues is null group by coalesce(code_id, book_id), kind order by id limit 200
"""
CITATION = "c.from_unit, c.raw_start, c.raw_end, c.raw, c.target_id, c.status, c.confidence"
CITES = f"""
select {CITATION} from citation c where c.book_id = :book and c.raw_start between :start and :end and c.raw_end <= :end
order by c.raw_start, c.id
"""
CITED_BY = f"""
select {CITATION} from citation c join unit u on u.id = c.from_unit
where (c.target_id = :id or c.target_id in (select id from unit where parent_id = :id and +kind = 'subclause'))
and c.from_unit <> :id order by u.book_id, u.seq, c.raw_start
"""
EXPLAINED_BY = f"""
select {UNIT} from explains x join unit u on u.id = x.unit_id where x.target_id = ? order by u.book_id, u.seq
"""
EXPLAINS = f"select {UNIT} from explains x join unit u on u.id = x.target_id where x.unit_id = ? order by u.seq"
TURNED = "case l.relation when 'broader' then 'narrower' when 'narrower' then 'broader' else l.relation end"
# A plus keeps SQLite from the index of kinds, which names half of all units.
RELATED = f"""
with these as (select :id as id union select id from unit where parent_id = :id and +kind = 'subclause'),
ends as (
    select b as other, relation, topic, score, status, source, why, a as here from these join link l on l.a = these.id
    union all
    select a, {TURNED}, topic, score, status, source, why, b from these join link l on l.b = these.id
)
select e.* from ends e join unit u on u.id = e.other left join code c on c.id = u.code_id
where e.status <> 'rejected'
order by e.status <> 'confirmed', c.year, u.seq, e.score desc, e.here
"""
LINK = f"""
select b, relation, topic, score, status, source, why from link l where a = :a and b = :b
union all select a, {TURNED}, topic, score, status, source, why from link l where b = :a and a = :b
"""
# Places that speak of a concept are counted as the concept's page and search list them: a paragraph in its provision.
CONCEPT = """k.id, k.label, k.note, k.broader, (select count(distinct s.unit_id) from unit_concept s
join unit u on u.id = s.unit_id where s.concept_id = k.id and +u.kind <> 'subclause')"""
CONCEPTS = f"select {CONCEPT} from concept k order by k.label"
CONCEPTS_OF = """
select concept_id from unit_concept where unit_id = ? group by concept_id order by count(*) desc, min(raw_start)
"""
TERMS = """
select l.label, k.id, k.label from concept_label l join concept k on k.id = l.concept_id order by lower(l.label), k.id
"""
HEADINGS = f"select {UNIT} from unit u where u.kind = 'section' and u.continues is null order by u.book_id, u.seq"
CELLS_OF_ROWS = """
select t.unit_id, t.text from table_cell t join unit u on u.id = t.unit_id where u.book_id = ? order by u.seq, t.col
"""
AUDIT = "select series, finding, label, raw_start, note from audit where book_id = ? order by id"
KIND_COUNTS = "select coalesce(code_id, book_id), kind, count(*) from unit where continues is null group by 1, 2"
SHOWN = """
select name, type from sqlite_master where type in ('table', 'view') and name not like 'sqlite~_%' escape '~'
and name not like 'entry~_fts%' escape '~' order by type desc, rowid
"""
SIZE = "select page_count * page_size from pragma_page_count(), pragma_page_size()"
EDIT_COUNTS = "select book_id, kind, source, count(*) from edit group by 1, 2, 3 order by 1, 2, 3"


@once_a_build
def books(conn: sqlite3.Connection) -> tuple[BookRow, ...]:
    """All books, oldest first."""
    return tuple(fetch(conn, BookRow, BOOKS))


@once_a_build
def _authors(conn: sqlite3.Connection) -> dict[str, list[AuthorRow]]:
    rows = fetch(conn, lambda book_id, *name: (book_id, AuthorRow(*name)), AUTHORS)
    return {book_id: [author for _, author in named] for book_id, named in groupby(rows, key=itemgetter(0))}


def authors(conn: sqlite3.Connection, book_id: str) -> list[AuthorRow]:
    """The authors of a book, in the order of its title page."""
    return _authors(conn).get(book_id, [])


@once_a_build
def codes(conn: sqlite3.Connection) -> tuple[CodeRow, ...]:
    """All codes, oldest first."""
    return tuple(fetch(conn, CodeRow, CODES))


@once_a_build
def lacks(conn: sqlite3.Connection) -> dict[str, dict[str, str]]:
    """What codes have and their books do not print: by code the kinds of provisions, each with how that is known."""
    found: dict[str, dict[str, str]] = {}
    for code, kind, reason in fetch(conn, lambda *row: row, LACKS):
        found.setdefault(code, {})[kind] = reason
    return found


def find_unit(conn: sqlite3.Connection, unit_id: str) -> UnitRow | None:
    """The unit of that id, or nothing."""
    found = fetch(conn, UnitRow, UNIT_BY_ID, (unit_id,))
    return found[0] if found else None


def moved(conn: sqlite3.Connection, old_id: str) -> str | None:
    """The id of today of a unit that had another in an earlier release, or that of a unit for its further stretch.

    Args:
        old_id: the id asked for.
    """
    found = find_unit(conn, old_id)
    if found is not None:
        return found.continues
    rows = fetch(conn, str, MOVED, (old_id,))
    return rows[0] if rows else None


def moved_ids(conn: sqlite3.Connection) -> list[str]:
    """The ids that units had in earlier releases."""
    return fetch(conn, str, MOVED_IDS)


def provision(conn: sqlite3.Connection, code_id: str, number: str) -> UnitRow | None:
    """The law of a code by its number in lower case, or nothing."""
    found = fetch(conn, UnitRow, PROVISION, (code_id, number))
    return found[0] if found else None


def unit(conn: sqlite3.Connection, unit_id: str) -> UnitRow:
    """The unit of that id.

    Raises:
        UnknownIdError: no unit has the id; the message names the nearest ones.
    """
    found = find_unit(conn, unit_id)
    if found is None:
        near = lookup.nearest_ids(conn, unit_id)
        hint = f"; did you mean {', '.join(near[:3])}?" if near else "."
        raise UnknownIdError(f"There is no {unit_id}{hint}")
    return found


def units(conn: sqlite3.Connection, ids: Iterable[str]) -> dict[str, UnitRow]:
    """The units of several ids, by id, in the order of their books; unknown ids are left out."""
    return {u.id: u for u in fetch(conn, UnitRow, UNITS_BY_ID, (lookup.json_list(ids),))}


def numbers(conn: sqlite3.Connection, ids: Iterable[str]) -> dict[str, str]:
    """The numbers of several units by id, in lower case; "" of one that has none."""
    return dict(fetch(conn, lambda *row: row, NUMBERS, (lookup.json_list(ids),)))


def children(conn: sqlite3.Connection, unit_id: str) -> list[UnitRow]:
    """The units whose parent it is, in reading order."""
    return fetch(conn, UnitRow, CHILDREN, (unit_id,))


def continued(conn: sqlite3.Connection, unit_id: str) -> list[UnitRow]:
    """The further stretches of a unit, in the order of the scan: of a footnote that goes on overleaf, say."""
    return fetch(conn, UnitRow, CONTINUED, (unit_id,))


def going_on(conn: sqlite3.Connection, book_id: str) -> set[str]:
    """The ids of a book's units that have further stretches."""
    return set(fetch(conn, str, GOING_ON, (book_id,)))


def notes(conn: sqlite3.Connection, book_id: str, start: int, end: int) -> list[NoteRow]:
    """What the editor tells of places within a stretch of a scan."""
    return fetch(conn, NoteRow, NOTES, (book_id, start, end))


def units_of_code(conn: sqlite3.Connection, code_id: str) -> list[UnitRow]:
    """All units of a code, in reading order."""
    return fetch(conn, UnitRow, UNITS_OF_CODE, (code_id,))


def whole_ids(conn: sqlite3.Connection) -> list[str]:
    """The ids of all units, each once, by book in reading order."""
    return fetch(conn, str, WHOLE_IDS)


def units_of_book(conn: sqlite3.Connection, book_id: str) -> list[UnitRow]:
    """All units of a book, the further stretches of footnotes among them, in reading order."""
    return fetch(conn, UnitRow, UNITS_OF_BOOK, (book_id,))


def neighbours(conn: sqlite3.Connection, unit: UnitRow) -> tuple[UnitRow | None, UnitRow | None]:
    """The units of the same kind and work before and after it; a paragraph's within its own provision."""
    params = {
        "book": unit.book_id,
        "seq": unit.seq,
        "kind": unit.kind,
        "code": unit.code_id,
        "parent": unit.parent_id if unit.kind == "subclause" else None,
    }
    before, after = (fetch(conn, UnitRow, sql, params) for sql in (PREVIOUS, NEXT))
    return (before[0] if before else None, after[0] if after else None)


def units_between(conn: sqlite3.Connection, book_id: str, start: int, end: int) -> list[UnitRow]:
    """The units whose span lies inside a stretch of a scan."""
    return fetch(conn, UnitRow, BETWEEN, {"book": book_id, "start": start, "end": end})


def scan(conn: sqlite3.Connection, book_id: str, start: int, end: int) -> str:
    """A stretch of a scan, unchanged; offsets in characters."""
    found = fetch(conn, str, SCAN, (start, end, start, book_id))
    return found[0] if found else ""


def scan_facts(conn: sqlite3.Connection, book_id: str) -> tuple[str, int] | None:
    """SHA-256 and length in characters of a book's scan."""
    found = fetch(conn, lambda sha, n: (str(sha), int(n)), SCAN_FACTS, (book_id,))
    return found[0] if found else None


def edits(conn: sqlite3.Connection, book_id: str, start: int, end: int) -> list[EditRow]:
    """The edits that touch a stretch of a scan, in order."""
    return fetch(conn, EditRow, EDITS, {"book": book_id, "start": start, "end": end})


def suggestions(conn: sqlite3.Connection, book_id: str, start: int, end: int) -> list[SuggestionRow]:
    """The doubts, the machine's and the editor's, within a stretch of a scan."""
    return fetch(conn, SuggestionRow, SUGGESTIONS, (book_id, start, end))


def cites(conn: sqlite3.Connection, book_id: str, start: int, end: int) -> list[CitationRow]:
    """The references found within a stretch of a scan, in order."""
    return fetch(conn, CitationRow, CITES, {"book": book_id, "start": start, "end": end})


def cited_by(conn: sqlite3.Connection, unit_id: str) -> list[CitationRow]:
    """The references to a unit, or to one of its paragraphs, from elsewhere."""
    return fetch(conn, CitationRow, CITED_BY, {"id": unit_id})


def explained_by(conn: sqlite3.Connection, unit_id: str) -> list[UnitRow]:
    """The commentary on a provision."""
    return fetch(conn, UnitRow, EXPLAINED_BY, (unit_id,))


def explains(conn: sqlite3.Connection, unit_id: str) -> list[UnitRow]:
    """The provisions a commentary explains."""
    return fetch(conn, UnitRow, EXPLAINS, (unit_id,))


def related(conn: sqlite3.Connection, unit_id: str) -> list[RelatedRow]:
    """The provisions of other codes on the same matter, judged ones and earlier codes first; rejected ones left out.

    Of a provision with paragraphs also those that answer one of these (`here`), unless they answer the whole as well.
    """
    rows = fetch(conn, RelatedRow, RELATED, {"id": unit_id})
    whole = {row.other for row in rows if row.here == unit_id}
    return [row for row in rows if row.here == unit_id or row.other not in whole]


def link(conn: sqlite3.Connection, a: str, b: str) -> RelatedRow | None:
    """What is recorded between two provisions, rejected pairs included; the relation is that of `a` to `b`."""
    found = fetch(conn, RelatedRow, LINK, {"a": a, "b": b})
    return found[0] if found else None


@once_a_build
def _concepts(conn: sqlite3.Connection) -> dict[str, ConceptRow]:
    return {row.id: row for row in fetch(conn, ConceptRow, CONCEPTS)}


def concepts(conn: sqlite3.Connection) -> list[ConceptRow]:
    """All concepts, by label."""
    return list(_concepts(conn).values())


def concepts_of(conn: sqlite3.Connection, unit_id: str) -> list[ConceptRow]:
    """The concepts a unit speaks of, most often named first."""
    known = _concepts(conn)
    return [known[i] for i in fetch(conn, str, CONCEPTS_OF, (unit_id,)) if i in known]


def table_cells(conn: sqlite3.Connection, book_id: str) -> dict[str, tuple[str, ...]]:
    """The cells of every table row of a book, by unit id."""
    rows: dict[str, tuple[str, ...]] = {}
    for unit_id, text in fetch(conn, lambda *r: (str(r[0]), str(r[1])), CELLS_OF_ROWS, (book_id,)):
        rows[unit_id] = (*rows.get(unit_id, ()), text)
    return rows


def audit(conn: sqlite3.Connection, book_id: str) -> list[AuditRow]:
    """The findings of the numbering audit of a book."""
    return fetch(conn, AuditRow, AUDIT, (book_id,))


@once_a_build
def kind_counts(conn: sqlite3.Connection) -> dict[str, dict[str, int]]:
    """How many units of each kind every code, and every book outside its codes, has."""
    counts: dict[str, dict[str, int]] = {}
    for work, kind, n in fetch(conn, lambda *r: r, KIND_COUNTS):
        counts.setdefault(work, {})[kind] = n
    return counts


def samples(conn: sqlite3.Connection) -> list[str]:
    """The first unit of each kind in every work, 200 at most: those after it are cited in the same way."""
    return fetch(conn, lambda unit_id, _: str(unit_id), SAMPLES)


@once_a_build
def edit_counts(conn: sqlite3.Connection) -> list[tuple[str, str, str, int]]:
    """How many edits there are, by book, kind and source."""
    return fetch(conn, lambda book, kind, source, n: (book, kind, source, n), EDIT_COUNTS)


def link_counts(conn: sqlite3.Connection) -> dict[str, int]:
    """How many links there are of each status."""
    return dict(conn.execute("select status, count(*) from link group by status"))


@once_a_build
def tables(conn: sqlite3.Connection) -> dict[str, int]:
    """The tables that have rows, and the views, with the number of their rows."""
    names = fetch(conn, lambda name, kind: str(name), SHOWN)
    counts = {name: fetch(conn, int, f"select count(*) from [{name}]")[0] for name in names}
    return {name: count for name, count in counts.items() if count}


def size(conn: sqlite3.Connection) -> int:
    """The size of the knowledge base in bytes."""
    return fetch(conn, int, SIZE)[0]


def terms(conn: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Every term of the thesaurus with the id and the label of its concept, by the alphabet."""
    return fetch(conn, lambda label, concept_id, preferred: (label, concept_id, preferred), TERMS)


def headings(conn: sqlite3.Connection) -> list[UnitRow]:
    """All headings, in reading order."""
    return fetch(conn, UnitRow, HEADINGS)
