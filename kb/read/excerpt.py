"""One unit as a TEI document of its own: its text with the edits, pages and references in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import cast

from lxml import etree

from extract.corpus.book import Author, Book, Code
from extract.model import Edit, Edition, Page, Role, Unit
from extract.tei import SCHEMA, to_tei
from kb.read import queries
from kb.read.domain import domain
from kb.read.rows import Statement, UnitRow

EDITS = Statement(Edit, """
select raw_start, raw_end, before, after, kind, source, confidence, note, coalesce(rule, '') from edit
where book_id = ?1 and raw_start >= ?2 and raw_end <= ?3 order by raw_start, raw_end
""")  # fmt: skip
PAGES = Statement(Page, """
select seq, raw_start, raw_end, folio, status from page
where book_id = ?1 and raw_start < ?3 and raw_end > ?2 order by seq
""")  # fmt: skip


def excerpt(conn: sqlite3.Connection, this: UnitRow, absolute: Callable[[str], str]) -> bytes:
    """Return the TEI document of a unit, as `extract.tei` makes it.

    Its header names the book, the checksum of the whole scan, and the licence. Pointers to anything outside the
    document are permalinks, so that none is broken.

    Args:
        this: the unit; the units within it (paragraphs, footnotes) and its continuations are included.
        absolute: makes the absolute URL of a path of the site.
    Returns:
        UTF-8, with an XML declaration.
    """
    tree = to_tei(_book(conn, this), _edition(conn, this), lambda unit_id: absolute(f"/{unit_id}"))
    root = tree.getroot()
    for model in root.itersiblings(preceding=True):
        model.text = (model.text or "").replace(SCHEMA.name, absolute(f"/schemas/{SCHEMA.name}"))
    root.addprevious(etree.Comment(f" An excerpt: {absolute('/' + this.id)} "))
    return etree.tostring(tree, encoding="UTF-8", xml_declaration=True)


def _book(conn: sqlite3.Connection, this: UnitRow) -> Book:
    """Return the book as the header needs it, without validation: the build has validated its book.toml."""
    row = next(b for b in queries.books(conn) if b.id == this.book_id)
    codes = [c for c in queries.codes(conn) if c.id == this.code_id]
    return Book.model_construct(
        id=row.id, title=row.title, short=row.short, year=row.year, place=row.place, publisher=row.publisher,
        note=row.note, sha256=_scan(conn, row.id)[0], domain=domain(conn),
        author=tuple(Author(family=a.family, given=a.given) for a in queries.authors(conn, row.id)),
        codes=tuple(Code.model_construct(id=c.id, title=c.title, authority=c.authority, year=c.year) for c in codes),
    )  # fmt: skip


def _scan(conn: sqlite3.Connection, book: str) -> tuple[str, int]:
    """Return the checksum and the length of a scan."""
    return queries.scan_facts(conn, book) or ("", 0)


def _edition(conn: sqlite3.Connection, this: UnitRow) -> Edition:
    """Return the edition of the book with what belongs to a unit and no more."""
    book = this.book_id
    above = {u.id for u in queries.ancestors(conn, [this])[this.id]}
    cells = queries.table_cells(conn, book)
    spans = [(part.raw_start, part.raw_end) for part in (this, *queries.continued(conn, this.id))]
    edits = [edit for span in spans for edit in EDITS(conn, book, *span)]
    pages = [page for span in spans for page in PAGES(conn, book, *span)]
    units = [
        Unit(
            u.id, u.book_id, u.code_id, u.kind, u.label, u.number, u.parent_id, u.heading, u.seq, u.raw_start,
            u.raw_end, u.page, u.text, u.confidence, (), cells.get(u.id, ()), u.continues, cast(Role, u.role),
        )
        for span in spans for u in queries.units_between(conn, book, *span) if u.id not in above
    ]  # fmt: skip
    references = [reference for span in spans for reference in queries.cites(conn, book, *span)]
    notes = [note for span in spans for note in queries.notes(conn, book, *span)]
    scan = queries.scan(conn, book, 0, _scan(conn, book)[1])
    return Edition(book, scan, tuple(edits), (), tuple(pages), tuple(units), tuple(references), (), tuple(notes))
