"""The rows of the database: those of a book, made where its edition is made, and all of them in one file.

The rows of a book are a small database of their own, which is cheap to send, to keep and to copy. What it numbers
begins with 1; when it is copied, the numbers go on where the last book ended.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain, count
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from extract.corpus.book import Book
from extract.corpus.domain import Domain
from extract.language.folding import fold
from extract.model import Edition, Unit
from kb.concepts.tagging import Concept, Tag
from kb.read.domain import rows as rows_of
from kb.schema import TABLES, create

if TYPE_CHECKING:
    import sqlite_utils

_COLUMNS = {table.name: tuple(column.name for column in table.columns) for table in TABLES}
_NUMBERED = ("edit", "suggestion", "page", "editor_note", "citation", "audit", "entry")
_GIVEN = ("scan", "unit", "table_cell", "explains")
_OF_A_BOOK = {name: _COLUMNS[name] for name in (*_NUMBERED, *_GIVEN, "unit_concept")} | {"word": ("word", "count")}
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

# What units speak of comes book by book, and is wanted in order of units.
SPOKEN = "create temp table spoken(unit_id, concept_id, raw_start, raw_end)"
ALL_SPOKEN = "insert into spoken select unit_id, concept_id, raw_start, raw_end from rows_of.unit_concept"
IN_ORDER = """
insert into unit_concept(unit_id, concept_id, raw_start, raw_end)
select unit_id, concept_id, raw_start, max(raw_end) from spoken group by 1, 2, 3 order by 1, 2, 3
"""
ALL_WORDS = """
insert into word(word, count) select word, count from rows_of.word where true
on conflict(word) do update set count = count + excluded.count
"""
NOT_THERE = "delete from explains where target_id not in (select id from unit)"
# Who is found by the gloss of a paragraph is found as a whole.
GLOSSED = """
select id, case when kind = 'subclause' then parent_id end from unit where id = ? and continues is null
"""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known beyond the single book: rows by table; then `more` of them, which come bit by bit, once."""

    tables: Mapping[str, Iterable[Row]] = field(default_factory=dict)
    more: Iterable[tuple[str, Iterable[Row]]] = ()


def book_rows(edition: Edition, tags: Sequence[Tag] = (), concepts: Iterable[Concept] = ()) -> bytes:
    """The rows of one book, for `add_book`.

    Args:
        edition: the edition of the book.
        tags: what its units speak of.
        concepts: the thesaurus, by whose labels units are found.
    Returns:
        A compressed SQLite database with the tables that books have, without keys and indexes.
    """
    with closing(sqlite3.connect(":memory:")) as conn:
        for table, columns in _OF_A_BOOK.items():
            conn.execute(f"create table [{table}] ({', '.join(f'[{name}]' for name in columns)})")
        for table, things in _numbered(edition):
            _insert_numbered(conn, table, edition.book_id, things)
        for table, rows in _rows_of_book(edition, tags, concepts):
            _insert(conn, table, rows)
        conn.commit()
        return zlib.compress(conn.serialize(), 1)


def begin(db: sqlite_utils.Database, books: Sequence[Book], moved: Mapping[str, str] | None = None) -> None:
    """Make the tables in an empty database, and fill in what is said of the books themselves.

    Args:
        db: an empty database.
        books: the books, in the order in which they are shown.
        moved: ids that units had in earlier releases, and those of today.
    """
    db.conn.isolation_level = None
    create(db)
    db.execute(SPOKEN)
    db.execute("attach ':memory:' as rows_of")
    db.execute("begin")
    _insert(db.conn, "library", rows_of(books[0].domain if books else Domain()))
    _insert(db.conn, "book", (table_row("book", b, author=b.byline) for b in books))
    _insert(
        db.conn, "author", (table_row("author", a, book_id=b.id, seq=i) for b in books for i, a in enumerate(b.author))
    )
    _insert(db.conn, "elsewhere", (
        {"name": name, "book_id": b.id}
        for b in books
        for name in dict.fromkeys(name for s in b.citations.series if not s.target for name in s.names)
    ))  # fmt: skip
    _insert(db.conn, "code", (table_row("code", c, book_id=b.id) for b in books for c in b.codes))
    lacks = ((c, lack) for b in books for c in b.codes for lack in c.lacks)
    _insert(db.conn, "lack", (table_row("lack", lack, code_id=c.id) for c, lack in lacks))
    _insert(db.conn, "moved", ({"old_id": old, "unit_id": new} for old, new in (moved or {}).items()))
    db.execute("commit")


def add_book(db: sqlite_utils.Database, rows: bytes) -> None:
    """Copy the rows of a book (`book_rows`) into a database that was begun; books come in their order."""
    db.conn.deserialize(zlib.decompress(rows), name="rows_of")
    db.execute("begin")
    for table in (*_GIVEN, *_NUMBERED):
        names = ", ".join(f"[{name}]" for name in _COLUMNS[table])
        last = db.execute(f"select coalesce(max(id), 0) from main.[{table}]").fetchone()[0] if table in _NUMBERED else 0
        values = names.replace("[id]", f"[id] + {last}") if table in _NUMBERED else names
        db.execute(f"insert into main.[{table}] ({names}) select {values} from rows_of.[{table}] order by rowid")
    db.execute(ALL_SPOKEN)
    db.execute(ALL_WORDS)
    db.execute("commit")


def finish(db: sqlite_utils.Database, known: Knowledge) -> None:
    """Fill in what is known beyond the single book, when all books have been added, and index the whole.

    Args:
        db: the database.
        known: concepts, links, topics and what the editor says of provisions.
    """
    db.execute("begin")
    for table, rows in chain(known.tables.items(), known.more):
        _insert(db.conn, table, rows)
    for unit_id, words in _glosses(db, known.tables.get("gloss", ())):
        db.execute("update entry set gloss = ? where unit_id = ?", [fold(words), unit_id])
    db.execute(NOT_THERE)
    db.execute(IN_ORDER)
    db.execute("insert into entry_fts(entry_fts) values('rebuild')")
    db.execute("insert into entry_fts(entry_fts) values('optimize')")
    db.execute("commit")
    db.execute("drop table spoken")
    db.execute("detach rows_of")


def table_row(table: str, this: object, **given: Any) -> Row:
    """A row of a table: the columns given, and the others from what has attributes of these names.

    Args:
        table: the name of the table.
        this: what the row is of.
        given: columns that are not as `this` has them.
    """
    return given | {name: getattr(this, name) for name in _COLUMNS[table] if name not in given}


def _glosses(db: sqlite_utils.Database, rows: Iterable[Row]) -> Iterator[tuple[str, str]]:
    """The glosses of each unit, with those of its paragraphs."""
    found: dict[str, list[str]] = {}
    for row in rows:
        for units in db.execute(GLOSSED, [row["unit_id"]]):
            for unit_id in filter(None, units):
                found.setdefault(unit_id, []).append(row["words"])
    return ((unit_id, " ".join(words)) for unit_id, words in found.items())


def _numbered(e: Edition) -> Iterator[tuple[str, Iterable[object]]]:
    """What is of a book as it is, by its number and its book, table by table."""
    yield "edit", e.edits
    yield "suggestion", e.suggestions
    yield "page", e.pages
    yield "citation", e.references
    yield "audit", e.findings


def _rows_of_book(e: Edition, tags: Sequence[Tag], concepts: Iterable[Concept]) -> Iterator[tuple[str, Iterable[Row]]]:
    """The other rows of one book, table by table."""
    digest = hashlib.sha256(e.scan.encode("utf-8")).hexdigest()
    yield "scan", [{"book_id": e.book_id, "text": e.scan, "sha256": digest, "length": len(e.scan)}]
    yield "unit", (table_row("unit", u) for u in e.units)
    yield "table_cell", ({"unit_id": u.id, "col": i, "text": c} for u in e.units for i, c in enumerate(u.cells))
    yield "editor_note", (
        table_row("editor_note", note, id=i, book_id=e.book_id,
             unit_id=holder.id if (holder := e.holder(note.span)) else None)
        for i, note in enumerate(e.notes, 1)
    )  # fmt: skip
    yield "explains", ({"unit_id": u.id, "target_id": t} for u in e.units for t in dict.fromkeys(u.explains))
    yield "unit_concept", (table_row("unit_concept", tag) for tag in tags)
    whole = [u for u in e.units if u.continues is None]
    yield "entry", _entries(whole, tags, concepts)
    words = Counter(w.lower() for u in whole for w in _WORD.findall(u.text) if len(w) > 2)
    yield "word", ({"word": word, "count": n} for word, n in sorted(words.items()))


def _entries(units: Iterable[Unit], tags: Iterable[Tag], concepts: Iterable[Concept]) -> Iterator[Row]:
    """What search looks through; the glosses come when they are known."""
    terms = {concept.id: [label for label, _ in concept.labels] for concept in concepts}
    spoken: dict[str, dict[str, None]] = {}
    for tag in tags:
        spoken.setdefault(tag.unit_id, {}).update(dict.fromkeys(terms.get(tag.concept_id, ())))
    for number, unit in zip(count(1), units, strict=False):
        yield {
            "id": number,
            "unit_id": unit.id,
            "text": fold(unit.text),
            "concepts": " · ".join(spoken.get(unit.id, ())),
            "heading": fold(" ".join(filter(None, (unit.label, unit.heading)))),
            "gloss": "",
        }


def _insert(conn: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    """Insert rows, all with the columns of the first."""
    rows = iter(rows)
    first = next(rows, None)
    if first is not None:
        columns = tuple(first)
        names, places = ", ".join(f"[{name}]" for name in columns), ", ".join("?" * len(columns))
        values = ([row[name] for name in columns] for row in chain([first], rows))
        conn.executemany(f"insert into [{table}] ({names}) values ({places})", values)


def _insert_numbered(conn: sqlite3.Connection, table: str, book_id: str, things: Iterable[object]) -> None:
    """Insert things that have the attributes of a table's columns, numbered from 1."""
    told = [name for name in _COLUMNS[table] if name not in ("id", "book_id")]
    names, places = ", ".join(f"[{name}]" for name in ("id", "book_id", *told)), ", ".join("?" * (len(told) + 2))
    values = ((number, book_id, *row) for number, row in enumerate(map(attrgetter(*told), things), 1))
    conn.executemany(f"insert into [{table}] ({names}) values ({places})", values)
