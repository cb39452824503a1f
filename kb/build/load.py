"""Load editions into an empty database: rows for every table of the contract."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Any

import sqlite_utils

from extract.corpus.book import Book
from extract.corpus.domain import Domain
from extract.language.folding import fold
from extract.model import Edition, Unit
from kb.concepts.tagging import Tag
from kb.read.domain import rows as rows_of
from kb.schema import TABLES, create

_COLUMNS = {table.name: tuple(column.name for column in table.columns) for table in TABLES}
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

# What units speak of comes book by book, and is wanted in order of units.
SPOKEN = "create temp table spoken(unit_id, concept_id, raw_start, raw_end)"
IN_ORDER = """
insert into unit_concept(unit_id, concept_id, raw_start, raw_end)
select unit_id, concept_id, raw_start, max(raw_end) from spoken group by 1, 2, 3 order by 1, 2, 3
"""
NOT_THERE = "delete from explains where target_id not in (select id from unit)"

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known beyond the single book: rows by table, terms of concepts, and what the units of a book speak of.

    Rows that are many may come one by one, once.
    """

    labels: tuple[Row, ...] = ()
    tags: Callable[[str], Iterable[Tag]] = lambda book_id: ()
    tables: Mapping[str, Iterable[Row]] = field(default_factory=dict)


def load(
    db: sqlite_utils.Database,
    books: Sequence[Book],
    editions: Iterable[Edition],
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
    _insert(db, "code", (_row("code", c, book_id=b.id) for b in books for c in b.codes))
    _insert(db, "moved", ({"old_id": old, "unit_id": new} for old, new in (moved or {}).items()))
    _insert(db, "concept_label", known.labels)
    for table, rows in known.tables.items():
        _insert(db, table, rows)
    numbers = defaultdict[str, Iterator[int]](lambda: count(1))
    search = _Search(known)
    db.execute(SPOKEN)
    for edition in editions:
        _load_edition(db, edition, numbers)
        spoken = known.tags(edition.book_id)
        _insert(db, "spoken", ({n: getattr(tag, n) for n in _COLUMNS["unit_concept"]} for tag in spoken))
        _insert(db, "entry", search.entries(edition.units, spoken))
    db.execute(NOT_THERE)
    db.execute(IN_ORDER)
    db.execute("drop table spoken")
    db.execute("insert into entry_fts(entry_fts) values('rebuild')")
    db.execute("insert into entry_fts(entry_fts) values('optimize')")
    _insert(db, "word", ({"word": w, "count": n} for w, n in sorted(search.words.items())))
    if alone:
        db.conn.commit()


def _load_edition(db: sqlite_utils.Database, e: Edition, numbers: Mapping[str, Iterator[int]]) -> None:
    """The rows of one book; `numbers` gives each table its running numbers."""

    def numbered(table: str, things: Iterable[object]) -> Iterator[Row]:
        return (_row(table, this, id=next(numbers[table]), book_id=e.book_id) for this in things)

    _insert(db, "scan", [_scan_row(e)])
    _insert(db, "edit", numbered("edit", e.edits))
    _insert(db, "suggestion", numbered("suggestion", e.suggestions))
    _insert(db, "page", numbered("page", e.pages))
    _insert(db, "unit", (_row("unit", u) for u in e.units))
    _insert(db, "table_cell", ({"unit_id": u.id, "col": i, "text": c} for u in e.units for i, c in enumerate(u.cells)))
    _insert(db, "editor_note", (
        _row("editor_note", note, id=next(numbers["editor_note"]), book_id=e.book_id,
             unit_id=holder.id if (holder := e.holder(note.span)) else None)
        for note in e.notes
    ))  # fmt: skip
    _insert(db, "explains", ({"unit_id": u.id, "target_id": t} for u in e.units for t in dict.fromkeys(u.explains)))
    _insert(db, "citation", numbered("citation", e.references))
    _insert(db, "audit", numbered("audit", e.findings))


class _Search:
    """Makes the entries that search looks through, and counts the vocabulary for its suggestions."""

    def __init__(self, known: Knowledge) -> None:
        self.words: Counter[str] = Counter()
        self._numbers = count(1)
        self._terms: dict[str, list[str]] = {}
        for row in known.labels:
            self._terms.setdefault(row["concept_id"], []).append(row["label"])
        self._glosses: dict[str, list[tuple[int, str]]] = {}
        for i, row in enumerate(known.tables.get("gloss", ())):
            self._glosses.setdefault(row["unit_id"], []).append((i, row["words"]))

    def entries(self, units: Sequence[Unit], tags: Iterable[Tag]) -> Iterator[Row]:
        """The entries of the units of one book."""
        spoken: dict[str, dict[str, None]] = {}
        for tag in tags:
            spoken.setdefault(tag.unit_id, {}).update(dict.fromkeys(self._terms.get(tag.concept_id, ())))
        whole = [u for u in units if u.continues is None]
        glosses = self._of_units(whole)
        for u in whole:
            self.words.update(w.lower() for w in _WORD.findall(u.text) if len(w) > 2)
            yield {
                "id": next(self._numbers),
                "unit_id": u.id,
                "text": fold(u.text),
                "concepts": " · ".join(spoken.get(u.id, ())),
                "heading": fold(" ".join(filter(None, (u.label, u.heading)))),
                "gloss": fold(" ".join(glosses.get(u.id, ()))),
            }

    def _of_units(self, units: Iterable[Unit]) -> dict[str, list[str]]:
        """The glosses of each unit, with those of its paragraphs: who is found by one is found as a whole."""
        found: dict[str, list[tuple[int, str]]] = {}
        for unit in units:
            for gloss in self._glosses.get(unit.id, ()):
                found.setdefault(unit.id, []).append(gloss)
                if unit.kind == "subclause" and unit.parent_id:
                    found.setdefault(unit.parent_id, []).append(gloss)
        return {unit_id: [words for _, words in sorted(glosses)] for unit_id, glosses in found.items()}


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


def _scan_row(e: Edition) -> Row:
    digest = hashlib.sha256(e.scan.encode("utf-8")).hexdigest()
    return {"book_id": e.book_id, "text": e.scan, "sha256": digest, "length": len(e.scan)}
