"""Load editions into an empty database: rows for every table of the contract."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import sqlite_utils

from extract.corpus.book import Book
from extract.corpus.domain import Domain
from extract.language.folding import fold
from extract.model import Edition, Unit
from kb.read.domain import rows as rows_of
from kb.schema import TABLES, create

_COLUMNS = {table.name: tuple(column.name for column in table.columns) for table in TABLES}
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known beyond the single book: rows by table, those of concepts and their places among them."""

    labels: tuple[Row, ...] = ()
    tags: tuple[Row, ...] = ()
    tables: Mapping[str, Sequence[Row]] = field(default_factory=dict)


def load(
    db: sqlite_utils.Database,
    books: Sequence[Book],
    editions: Sequence[Edition],
    known: Knowledge,
    moved: Mapping[str, str] | None = None,
) -> None:
    """Fill an empty database with books, their editions, and what is known beyond them, in one transaction.

    Args:
        db: an empty database.
        books: the books, in the order in which they are shown.
        editions: the edition of each book, in the same order.
        known: concepts, links, topics and what the editor says of provisions.
        moved: ids that units had in earlier releases, and those of today.
    """
    alone = not db.conn.in_transaction
    create(db)
    _insert(db, "library", rows_of(books[0].domain if books else Domain()))
    _insert(db, "book", (_row("book", b, author=b.byline) for b in books))
    _insert(db, "author", (_row("author", a, book_id=b.id, seq=i) for b in books for i, a in enumerate(b.author)))
    _insert(db, "elsewhere", (
        {"name": name, "book_id": b.id}
        for b in books
        for name in dict.fromkeys(name for s in b.citations.series if not s.target for name in s.names)
    ))  # fmt: skip
    _insert(db, "scan", (_scan_row(e) for e in editions))
    _insert(db, "code", (_row("code", c, book_id=b.id) for b in books for c in b.codes))
    _insert(db, "edit", _numbered("edit", ((e, x) for e in editions for x in e.edits)))
    _insert(db, "suggestion", _numbered("suggestion", ((e, x) for e in editions for x in e.suggestions)))
    _insert(db, "page", _numbered("page", ((e, p) for e in editions for p in e.pages)))
    units = [unit for e in editions for unit in e.units]
    ids = {u.id for u in units}
    _insert(db, "unit", (_row("unit", u) for u in units))
    _insert(db, "table_cell", ({"unit_id": u.id, "col": i, "text": c} for u in units for i, c in enumerate(u.cells)))
    _insert(db, "moved", ({"old_id": old, "unit_id": new} for old, new in (moved or {}).items()))
    _insert(db, "editor_note", (
        _row("editor_note", note, id=i, book_id=e.book_id, unit_id=holder.id if holder else None)
        for i, (e, note, holder) in enumerate(((e, n, e.holder(n.span)) for e in editions for n in e.notes), 1)
    ))  # fmt: skip
    _insert(db, "explains", (
        {"unit_id": u.id, "target_id": t} for u in units for t in dict.fromkeys(u.explains) if t in ids
    ))  # fmt: skip
    _insert(db, "citation", _numbered("citation", ((e, r) for e in editions for r in e.references)))
    _insert(db, "audit", _numbered("audit", ((e, f) for e in editions for f in e.findings)))
    _insert(db, "concept_label", known.labels)
    _insert(db, "unit_concept", known.tags)
    for table, rows in known.tables.items():
        _insert(db, table, rows)
    _load_search(db, units, known)
    if alone:
        db.conn.commit()


def _load_search(db: sqlite_utils.Database, units: Sequence[Unit], known: Knowledge) -> None:
    """The entries that search looks through, and the vocabulary for its suggestions."""
    terms: dict[str, list[str]] = {}
    for row in known.labels:
        terms.setdefault(row["concept_id"], []).append(row["label"])
    spoken: dict[str, dict[str, None]] = {}
    for tag in known.tags:
        spoken.setdefault(tag["unit_id"], {}).update(dict.fromkeys(terms.get(tag["concept_id"], ())))
    whole = [u for u in units if u.continues is None]
    glosses = _glosses(whole, known)
    _insert(db, "entry", (
        {"id": i, "unit_id": u.id, "text": fold(u.text), "concepts": " · ".join(spoken.get(u.id, ())),
         "heading": fold(" ".join(filter(None, (u.label, u.heading)))), "gloss": fold(" ".join(glosses.get(u.id, ())))}
        for i, u in enumerate(whole, 1)
    ))  # fmt: skip
    db.execute("insert into entry_fts(entry_fts) values('rebuild')")
    db.execute("insert into entry_fts(entry_fts) values('optimize')")
    words = Counter(w.lower() for u in whole for w in _WORD.findall(u.text) if len(w) > 2)
    _insert(db, "word", ({"word": w, "count": n} for w, n in sorted(words.items())))


def _glosses(units: Iterable[Unit], known: Knowledge) -> dict[str, list[str]]:
    """The glosses of each unit, with those of its paragraphs: who is found by one is found as a whole."""
    parent = {u.id: u.parent_id for u in units if u.kind == "subclause"}
    glosses: dict[str, list[str]] = {}
    for row in known.tables.get("gloss", ()):
        for unit_id in filter(None, (row["unit_id"], parent.get(row["unit_id"]))):
            glosses.setdefault(unit_id, []).append(row["words"])
    return glosses


def _insert(db: sqlite_utils.Database, table: str, rows: Iterable[Row]) -> None:
    """Insert rows, all with the columns of the first."""
    rows = iter(rows)
    first = next(rows, None)
    if first is not None:
        columns = tuple(first)
        names, places = ", ".join(f"[{name}]" for name in columns), ", ".join("?" * len(columns))
        values = ([row[name] for name in columns] for row in chain([first], rows))
        db.conn.executemany(f"insert into [{table}] ({names}) values ({places})", values)


def _row(table: str, this: object, **given: Any) -> Row:
    """A row of a table: the columns given, and the others from what has attributes of these names."""
    return given | {name: getattr(this, name) for name in _COLUMNS[table] if name not in given}


def _numbered(table: str, things: Iterable[tuple[Edition, object]]) -> Iterator[Row]:
    """Rows with a running number, of things with the edition each belongs to."""
    return (_row(table, this, id=i, book_id=edition.book_id) for i, (edition, this) in enumerate(things, 1))


def _scan_row(e: Edition) -> Row:
    digest = hashlib.sha256(e.scan.encode("utf-8")).hexdigest()
    return {"book_id": e.book_id, "text": e.scan, "sha256": digest, "length": len(e.scan)}
