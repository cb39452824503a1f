"""Load editions into an empty database: rows for every table of the contract."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlite_utils

from extract.corpus.book import Book, Code
from extract.language.folding import fold
from extract.model import Edit, Edition, EditorNote, Finding, Page, Reference, Unit
from kb.schema import create

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known beyond the single book: rows for concepts, their places, links, topics and the editor's bases."""

    concepts: tuple[Row, ...] = ()
    labels: tuple[Row, ...] = ()
    tags: tuple[Row, ...] = ()
    links: tuple[Row, ...] = ()
    topics: tuple[Row, ...] = ()
    topic_concepts: tuple[Row, ...] = ()
    bases: tuple[Row, ...] = ()


def load(
    db: sqlite_utils.Database,
    books: Sequence[Book],
    editions: Sequence[Edition],
    known: Knowledge,
    moved: Mapping[str, str] | None = None,
) -> None:
    """Fill an empty database with books, their editions, and what is known beyond them.

    Args:
        db: an empty database.
        books: the books, in the order in which they are shown.
        editions: the edition of each book, in the same order.
        known: concepts, links and topics.
        moved: ids that units had in earlier releases, and those of today.
    """
    create(db)
    _insert(db, "book", (_book_row(b) for b in books))
    _insert(db, "author", (
        {"book_id": b.id, "seq": i, "family": a.family, "given": a.given} for b in books for i, a in enumerate(b.author)
    ))  # fmt: skip
    _insert(db, "scan", (_scan_row(e) for e in editions))
    _insert(db, "code", (_code_row(b.id, c) for b in books for c in b.codes))
    _insert(db, "edit", _numbered(_edit_row(e.book_id, x) for e in editions for x in e.edits))
    _insert(db, "suggestion", _numbered(_suggestion_row(e.book_id, x) for e in editions for x in e.suggestions))
    _insert(db, "page", _numbered(_page_row(e.book_id, p) for e in editions for p in e.pages))
    units = [unit for e in editions for unit in e.units]
    _insert(db, "unit", map(_unit_row, units))
    _insert(
        db,
        "table_cell",
        ({"unit_id": u.id, "col": i, "text": c} for u in units for i, c in enumerate(u.cells)),
    )
    _insert(db, "moved", ({"old_id": old, "unit_id": new} for old, new in (moved or {}).items()))
    _insert(db, "editor_note", _numbered(_note_row(e, n) for e in editions for n in e.notes))
    ids = {u.id for u in units}
    _insert(db, "explains", (
        {"unit_id": u.id, "target_id": t} for u in units for t in dict.fromkeys(u.explains) if t in ids
    ))  # fmt: skip
    _insert(db, "citation", _numbered(_citation_row(e.book_id, r) for e in editions for r in e.references))
    _insert(db, "audit", _numbered(_audit_row(f) for e in editions for f in e.findings))
    for table, rows in (("concept", known.concepts), ("concept_label", known.labels), ("unit_concept", known.tags),
                        ("link", known.links), ("topic", known.topics),
                        ("topic_concept", known.topic_concepts), ("basis", known.bases)):  # fmt: skip
        _insert(db, table, rows)
    _load_search(db, units, known)


def _load_search(db: sqlite_utils.Database, units: Sequence[Unit], known: Knowledge) -> None:
    """The entries that search looks through, and the vocabulary for its suggestions."""
    terms: dict[str, list[str]] = {}
    for row in known.labels:
        terms.setdefault(row["concept_id"], []).append(row["label"])
    spoken: dict[str, dict[str, None]] = {}
    for tag in known.tags:
        spoken.setdefault(tag["unit_id"], {}).update(dict.fromkeys(terms.get(tag["concept_id"], ())))
    whole = [u for u in units if u.continues is None]
    _insert(db, "entry", (
        {"id": i, "unit_id": u.id, "text": fold(u.text), "concepts": " · ".join(spoken.get(u.id, ())),
         "heading": fold(" ".join(filter(None, (u.label, u.heading))))}
        for i, u in enumerate(whole, 1)
    ))  # fmt: skip
    db.execute("insert into entry_fts(entry_fts) values('rebuild')")
    db.execute("insert into entry_fts(entry_fts) values('optimize')")
    words = Counter(w.lower() for u in whole for w in _WORD.findall(u.text) if len(w) > 2)
    _insert(db, "word", ({"word": w, "count": n} for w, n in sorted(words.items())))


def _insert(db: sqlite_utils.Database, table: str, rows: Iterable[Row]) -> None:
    db.table(table).insert_all(rows, batch_size=5000)


def _numbered(rows: Iterable[Row]) -> Iterator[Row]:
    return ({"id": i, **row} for i, row in enumerate(rows, 1))


def _book_row(b: Book) -> Row:
    return {"id": b.id, "title": b.title, "short": b.short, "author": b.byline, "year": b.year, "place": b.place,
            "publisher": b.publisher, "note": b.note}  # fmt: skip


def _scan_row(e: Edition) -> Row:
    digest = hashlib.sha256(e.scan.encode("utf-8")).hexdigest()
    return {"book_id": e.book_id, "text": e.scan, "sha256": digest, "length": len(e.scan)}


def _code_row(book_id: str, c: Code) -> Row:
    return {"id": c.id, "title": c.title, "short": c.short, "year": c.year, "authority": c.authority,
            "book_id": book_id, "provision": c.provision, "note": c.note}  # fmt: skip


def _edit_row(book_id: str, e: Edit) -> Row:
    return {"book_id": book_id, "raw_start": e.raw_start, "raw_end": e.raw_end, "before": e.before, "after": e.after,
            "kind": e.kind, "source": e.source, "confidence": e.confidence, "note": e.note, "rule": e.rule}  # fmt: skip


def _suggestion_row(book_id: str, e: Edit) -> Row:
    return {"book_id": book_id, "raw_start": e.raw_start, "raw_end": e.raw_end, "before": e.before, "after": e.after,
            "confidence": e.confidence, "note": e.note}  # fmt: skip


def _page_row(book_id: str, p: Page) -> Row:
    return {"book_id": book_id, "seq": p.seq, "raw_start": p.raw_start, "raw_end": p.raw_end, "folio": p.folio,
            "status": p.status}  # fmt: skip


def _unit_row(u: Unit) -> Row:
    return {"id": u.id, "book_id": u.book_id, "code_id": u.code_id, "kind": u.kind, "label": u.label,
            "number": u.number, "parent_id": u.parent_id, "heading": u.heading, "seq": u.seq,
            "raw_start": u.raw_start, "raw_end": u.raw_end, "page": u.page, "text": u.text,
            "confidence": u.confidence, "continues": u.continues}  # fmt: skip


def _note_row(e: Edition, n: EditorNote) -> Row:
    holder = e.holder(n.span)
    return {"unit_id": holder.id if holder else None, "book_id": e.book_id, "raw_start": n.raw_start,
            "raw_end": n.raw_end, "text": n.text, "reason": n.reason}  # fmt: skip


def _citation_row(book_id: str, r: Reference) -> Row:
    return {"from_unit": r.from_unit, "book_id": book_id, "raw_start": r.raw_start, "raw_end": r.raw_end,
            "raw": r.raw, "target_id": r.target_id, "status": r.status, "confidence": r.confidence}  # fmt: skip


def _audit_row(f: Finding) -> Row:
    return {"book_id": f.book_id, "series": f.series, "finding": f.finding, "label": f.label,
            "raw_start": f.raw_start, "note": f.note}  # fmt: skip
