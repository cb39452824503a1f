"""The rows of the database: about the books, each edition, and all editions together."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from extract.corpus.book import Book
from extract.corpus.domain import Domain
from extract.language.folding import fold
from extract.model import Unit
from kb.build.edited_books import EditedBooks
from kb.concepts.tagging import Concept, Tag
from kb.read.domain import rows as rows_of
from kb.tables.schema import TABLES, create

if TYPE_CHECKING:
    import sqlite_utils

_COLUMNS = {table.name: tuple(column.name for column in table.columns) for table in TABLES}
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
NOT_THERE = "delete from explains where target_id not in (select id from unit)"

Row = dict[str, Any]


def write(
    db: sqlite_utils.Database, library: EditedBooks, known: Mapping[str, Iterable[Row]], titles: Mapping[str, str]
) -> None:
    """Create the tables in an empty database, fill them and build the full-text index.

    Args:
        db: an empty database.
        library: the books, in the order in which they are shown, and their editions.
        known: the rows about all books together, by table.
        titles: the short titles of units, by id.
    """
    db.conn.isolation_level = None
    create(db)
    db.execute("begin")
    editions = _of_editions(library, known.get("gloss", ()), titles)
    for table, rows in chain(_of_books(library.books), editions, known.items()):
        _insert(db.conn, table, rows)
    db.execute(NOT_THERE)
    db.execute("insert into entry_fts(entry_fts) values('rebuild')")
    db.execute("insert into entry_fts(entry_fts) values('optimize')")
    db.execute("commit")


def table_row(table: str, this: object, **given: Any) -> Row:
    """Return a row of a table, with the given columns, and the others from the attributes with the same names.

    Args:
        table: the name of the table.
        this: the object that the row describes.
        given: columns that differ from the attributes.
    """
    return given | {name: getattr(this, name) for name in _COLUMNS[table] if name not in given}


def _of_books(books: Sequence[Book]) -> Iterator[tuple[str, Iterable[Row]]]:
    """Yield the tables about the library and its books, each with its rows."""
    yield "library", rows_of(books[0].domain if books else Domain())
    yield "book", (table_row("book", b, author=b.byline) for b in books)
    yield "author", (table_row("author", a, book_id=b.id, seq=i) for b in books for i, a in enumerate(b.author))
    yield "code", (table_row("code", c, book_id=b.id) for b in books for c in b.codes)
    yield "lack", (table_row("lack", lack, code_id=c.id) for b in books for c in b.codes for lack in c.lacks)


def _of_editions(
    library: EditedBooks, glosses: Iterable[Row], titles: Mapping[str, str]
) -> Iterator[tuple[str, Iterable[Row]]]:
    """Yield the tables with the contents of the editions, and with what is derived from their texts."""
    for e in library.editions:
        digest = hashlib.sha256(e.scan.encode("utf-8")).hexdigest()
        yield "scan", [{"book_id": e.book_id, "text": e.scan, "sha256": digest, "length": len(e.scan)}]
        yield "unit", (table_row("unit", u, title=None if u.continues else titles.get(u.id)) for u in e.units)
        yield "table_cell", ({"unit_id": u.id, "col": i, "text": c} for u in e.units for i, c in enumerate(u.cells))
        yield "editor_note", (
            table_row("editor_note", note, id=None, book_id=e.book_id,
                 unit_id=holder.id if (holder := e.holder(note.span)) else None)
            for note in e.notes
        )  # fmt: skip
        yield "explains", ({"unit_id": u.id, "target_id": t} for u in e.units for t in dict.fromkeys(u.explains))
        plain_tables: dict[str, Iterable[object]] = {
            "edit": e.edits,
            "suggestion": e.suggestions,
            "page": e.pages,
            "citation": e.references,
            "audit": e.findings,
        }
        for table, objects in plain_tables.items():
            yield table, (table_row(table, each, id=None, book_id=e.book_id) for each in objects)
    whole = [unit for unit in library.units if unit.continues is None]
    tags = [tag for some in library.tags for tag in some]
    yield "entry", _entries(whole, tags, library.concepts, glosses, titles)
    words = Counter(w.lower() for unit in whole for w in _WORD.findall(unit.text) if len(w) > 2)
    yield "word", ({"word": word, "count": n} for word, n in words.items())
    concept_ends: dict[tuple[str, str, int], int] = {}
    for tag in tags:
        place = tag.unit_id, tag.concept_id, tag.raw_start
        concept_ends[place] = max(tag.raw_end, concept_ends.get(place, 0))
    yield (
        "unit_concept",
        (
            {"unit_id": unit, "concept_id": concept, "raw_start": start, "raw_end": end}
            for (unit, concept, start), end in sorted(concept_ends.items())
        ),
    )


def _entries(
    units: Sequence[Unit],
    tags: Iterable[Tag],
    concepts: Iterable[Concept],
    glosses: Iterable[Row],
    titles: Mapping[str, str],
) -> Iterator[Row]:
    """Yield the rows of the full-text search; a provision also has the glosses of its paragraphs."""
    parents = {unit.id: unit.parent_id for unit in units if unit.kind == "subclause"}
    glossed: dict[str | None, list[str]] = {}
    for row in glosses:
        for unit_id in (row["unit_id"], parents.get(row["unit_id"])):
            glossed.setdefault(unit_id, []).append(row["words"])
    terms = {concept.id: [label for label, _ in concept.labels] for concept in concepts}
    unit_labels: dict[str, dict[str, None]] = {}
    for tag in tags:
        unit_labels.setdefault(tag.unit_id, {}).update(dict.fromkeys(terms.get(tag.concept_id, ())))
    for unit in units:
        yield {
            "id": None,
            "unit_id": unit.id,
            "text": fold(unit.text),
            "concepts": " · ".join(unit_labels.get(unit.id, ())),
            "heading": fold(" ".join(filter(None, (unit.label, titles.get(unit.id), unit.heading)))),
            "gloss": fold(" ".join(glossed.get(unit.id, ()))),
        }


def _insert(conn: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    """Insert rows that all have the columns of the first."""
    rows = iter(rows)
    first = next(rows, None)
    if first is not None:
        names, places = ", ".join(f"[{name}]" for name in first), ", ".join(f":{name}" for name in first)
        conn.executemany(f"insert into [{table}] ({names}) values ({places})", chain([first], rows))
