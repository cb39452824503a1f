"""One unit as a TEI document of its own: its span of the scan with the edits, pages and references in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar, cast

from lxml import etree

from extract.corpus.book import Author, Book, Code
from extract.model import Edit, Edition, EditorNote, Page, Reference, Role, Unit
from extract.tei.terms import SCHEMA, XML_ID, E, name, unit_id
from extract.tei.writer import to_tei
from kb.read import queries
from kb.read.domain import domain
from kb.read.rows import UnitRow, fetch

EDITS = """
select raw_start, raw_end, before, after, kind, source, confidence, note, coalesce(rule, '') from edit
where book_id = ? and raw_start >= ? and raw_end <= ? order by raw_start, raw_end
"""
PAGES = """
select seq, raw_start, raw_end, folio, status from page
where book_id = ? and raw_start < ? and raw_end > ? order by seq
"""
_POINTERS = ("target", "corresp", "next", "prev")
# Separates two parts of a unit that are apart in the scan.
_APART = "\n\n"

Placed = TypeVar("Placed", Page, Unit, Reference, EditorNote)


def excerpt(conn: sqlite3.Connection, this: UnitRow, absolute: Callable[[str], str]) -> bytes:
    """Return the TEI document of a unit, in the vocabulary of `extract.tei`.

    Its header names the book, the checksum of the whole scan, and the licence. Pointers to anything outside the
    document are permalinks, so that none is broken.

    Args:
        this: the unit; the units within it (paragraphs, footnotes) and its continuations are included.
        absolute: makes the absolute URL of a path of the site.
    Returns:
        UTF-8, with an XML declaration.
    Raises:
        TeiError: the spans of the unit in the knowledge base do not nest.
    """
    parts = [this, *queries.continued(conn, this.id)]
    tree = to_tei(_book(conn, this), _edition(conn, this, parts))
    root = tree.getroot()
    for model in root.itersiblings(preceding=True):
        model.text = (model.text or "").replace(SCHEMA.name, absolute(f"/schemas/{SCHEMA.name}"))
    root.addprevious(etree.Comment(f" An excerpt: {absolute('/' + this.id)} "))
    _add_source(conn, root, parts)
    _link_outwards(root, absolute)
    return etree.tostring(tree, encoding="UTF-8", xml_declaration=True)


def _book(conn: sqlite3.Connection, this: UnitRow) -> Book:
    """Return the book as the header needs it, without validation: the build has validated its book.toml."""
    row = next(b for b in queries.books(conn) if b.id == this.book_id)
    codes = [c for c in queries.codes(conn) if c.id == this.code_id]
    return Book.model_construct(
        id=row.id, title=row.title, short=row.short, year=row.year, place=row.place, publisher=row.publisher,
        note=row.note, domain=domain(conn),
        author=tuple(Author(family=a.family, given=a.given) for a in queries.authors(conn, row.id)),
        codes=tuple(Code.model_construct(id=c.id, title=c.title, authority=c.authority, year=c.year) for c in codes),
    )  # fmt: skip


def _edition(conn: sqlite3.Connection, this: UnitRow, parts: list[UnitRow]) -> Edition:
    """Return the parts of a unit as an edition, with offsets into the joined text of the parts."""
    above = {u.id for u in queries.ancestors(conn, [this])[this.id]}
    cells = queries.table_cells(conn, this.book_id)
    scan = ""
    edits: list[Edit] = []
    pages: list[Page] = []
    units: list[Unit] = []
    references: list[Reference] = []
    notes: list[EditorNote] = []
    for part in parts:
        book, start, end = part.book_id, part.raw_start, part.raw_end
        shift = (len(scan + _APART) if scan else 0) - start
        scan += (_APART if scan else "") + queries.scan(conn, book, start, end)
        edits += [
            e._replace(raw_start=e.raw_start + shift, raw_end=e.raw_end + shift)
            for e in fetch(conn, Edit, EDITS, (book, start, end))
        ]
        for page in fetch(conn, Page, PAGES, (book, end, start)):
            inside = replace(page, raw_start=max(page.raw_start, start), raw_end=min(page.raw_end, end))
            pages.append(_moved(inside, shift))
        within = [u for u in queries.units_between(conn, book, start, end) if u.id not in above]
        units += [_moved(_unit(conn, u, cells.get(u.id, ())), shift) for u in within]
        references += [_moved(r, shift) for r in queries.cites(conn, book, start, end)]
        notes += [_moved(n, shift) for n in queries.notes(conn, book, start, end)]
    return Edition(
        this.book_id, scan, tuple(edits), (), tuple(pages), tuple(sorted(units, key=lambda u: u.seq)),
        tuple(references), (), tuple(notes),
    )  # fmt: skip


def _unit(conn: sqlite3.Connection, u: UnitRow, cells: tuple[str, ...]) -> Unit:
    explains = tuple(e.id for e in queries.explains(conn, u.id))
    return Unit(
        u.id, u.book_id, u.code_id, u.kind, u.label, u.number, u.parent_id, u.heading, u.seq,
        u.raw_start, u.raw_end, u.page, u.text, u.confidence, explains, cells, u.continues, cast(Role, u.role),
        bool(u.inferred),
    )  # fmt: skip


def _moved(this: Placed, shift: int) -> Placed:
    return replace(this, raw_start=this.raw_start + shift, raw_end=this.raw_end + shift)


def _add_source(conn: sqlite3.Connection, root: etree._Element, parts: list[UnitRow]) -> None:
    """Describe the whole scan in the header, and state the offsets of the excerpt."""
    facts = queries.scan_facts(conn, parts[0].book_id)
    scan = next(b for b in root.iter(name("bibl")) if b.get("type") == "scan")
    for element in scan.iter():
        if facts and element.tag == name("idno"):
            element.text = facts[0]
        elif facts and element.tag == name("measure"):
            element.set("quantity", str(facts[1]))
    if (note := scan.find(name("note"))) is not None:
        scan.remove(note)
    where = " and ".join(f"{s.raw_start} to {s.raw_end}" for s in parts)
    scan.append(E.note(f"An excerpt: characters {where} of the scan."))


def _link_outwards(root: etree._Element, absolute: Callable[[str], str]) -> None:
    """Turn pointers to anything outside the document into permalinks."""
    here = {f"#{element.get(XML_ID)}" for element in root.iter() if element.get(XML_ID)}
    for element in root.iter():
        for key in _POINTERS:
            if value := element.get(key):
                element.set(key, " ".join(p if p in here else _permalink(p, absolute) for p in value.split()))


def _permalink(pointer: str, absolute: Callable[[str], str]) -> str:
    return absolute("/" + unit_id(pointer.removeprefix("#"))) if pointer.startswith("#") else pointer
