"""Codes and books: their contents, and what the numbering audit found."""

from __future__ import annotations

import sqlite3
from collections import Counter
from itertools import groupby

from datasette_plugins.discovery import linked_data
from datasette_plugins.page import Moved, PageRequest, TemplateResponse
from datasette_plugins.shared import brief, missing, parents_of, works
from kb.comparison import borrowing
from kb.comparison.cases import cases
from kb.desk.unresolved import counts
from kb.read import cite, queries
from kb.read.domain import domain
from kb.read.rows import UnitRow

# What is read with the unit it belongs to.
WITHIN = ("subclause", "footnote", "note", "decision")


def work(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse | Moved:
    """A bare work id leads to the page of the code or book of that name."""
    wanted = request.parts["work"].lower()
    catalogue = works(conn)
    if wanted in catalogue.codes:
        return Moved(f"/code/{wanted}")
    if wanted in catalogue.books:
        return Moved(f"/book/{wanted}")
    return missing(conn, request, "book", wanted, {b: catalogue.label(b) for b in catalogue.books})


def code(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse:
    """The table of contents of a code, by heading."""
    catalogue = works(conn)
    this = catalogue.codes.get(request.parts["code"])
    if this is None:
        return missing(conn, request, "code", request.parts["code"], {c: catalogue.label(c) for c in catalogue.codes})
    book = catalogue.books[this.book_id]
    units = queries.units_of_code(conn, this.id)
    listed = [u for u in units if u.kind not in ("subclause", "section", "footnote", "note", "table_row")]
    kinds = Counter(u.kind for u in listed)
    lacks = queries.lacks(conn).get(this.id, {})
    context = {
        "code": this,
        "book": book,
        "works": catalogue,
        "groups": by_heading(conn, listed),
        "counts": kinds,
        "pages": _pages(units),
        "lacks": lacks,
        "cases": sum(any(t.work == this.id for t in case.on) for case in cases(conn)),
        "unresolved": _unresolved(conn, this.book_id)[0],
        "others": [c for c in catalogue.codes.values() if c.id != this.id],
        "borrowed": any(this.id in (b.code, b.source) for b in borrowing.borrowings(conn)),
    }
    data = {
        "code": this,
        "counts": kinds,
        "lacks": lacks,
        "units": [brief(u, catalogue, request, text=False) | {"heading": u.heading} for u in listed],
    }
    title = f"{this.title} ({catalogue.label(this.id)})"
    writers, told = cite.names(queries.authors(conn, this.book_id)), domain(conn)
    context["ld"] = linked_data.of_code(told, this, cite.given_by(this, book, writers), book, writers, request.absolute)
    about = f"Contents of {this.title}, {this.year}: {kinds['law']} {told.provision.of(kinds['law'])} by heading."
    return TemplateResponse("code", title, f"/code/{this.id}", data, context, about)


def book(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse:
    """A book: its bibliography, its contents, and what is odd in its numbering."""
    catalogue = works(conn)
    this = catalogue.books.get(request.parts["book"])
    if this is None:
        return missing(conn, request, "book", request.parts["book"], {b: catalogue.label(b) for b in catalogue.books})
    units = [u for u in queries.units_of_book(conn, this.id) if u.continues is None]
    codes = [c for c in catalogue.codes.values() if c.book_id == this.id]
    listed = _outline(units)
    kinds = Counter(u.kind for u in units)
    audit = queries.audit(conn, this.id)
    edits: Counter[str] = Counter()
    for kind, n in ((kind, n) for book_id, kind, _, n in queries.edit_counts(conn) if book_id == this.id):
        edits[kind] += n
    unresolved, references = _unresolved(conn, this.id)
    context = {
        "book": this,
        "works": catalogue,
        "codes": codes,
        "groups": _by_kind(listed),
        "code_at": {u.id: catalogue.codes[u.code_id] for u in listed if u.role == "provision" and u.code_id},
        "rows": queries.table_cells(conn, this.id),
        "tables": {t.id: [u for u in units if u.parent_id == t.id] for t in units if t.kind == "table"},
        "counts": kinds,
        "audit": audit,
        "unresolved": unresolved,
        "references": references,
        "facts": queries.scan_facts(conn, this.id),
        "edits": edits,
        "ld": linked_data.of_book(domain(conn), this, cite.names(queries.authors(conn, this.id)), request.absolute),
    }
    data = {
        "book": this,
        "codes": [c.id for c in codes],
        "counts": kinds,
        "units": [brief(u, catalogue, request, text=False) for u in listed],
        "audit": audit,
    }
    return TemplateResponse("book", f"{this.title} ({this.author}, {this.year})", f"/book/{this.id}", data, context)


def by_heading(conn: sqlite3.Connection, listed: list[UnitRow]) -> list[tuple[UnitRow | None, str, list[UnitRow]]]:
    """Units under their headings, in reading order: the heading's own unit if there is one, its words, its units."""
    parents = parents_of(conn, listed)
    sections = {i: u for i, u in parents.items() if u.kind == "section"}
    groups: list[tuple[UnitRow | None, str, list[UnitRow]]] = []
    under: tuple[str | None, str | None] | None = None
    for unit in listed:
        if unit.kind in WITHIN and groups:
            groups[-1][2].append(unit)
            continue
        above = (unit.parent_id if unit.parent_id in sections else None, unit.heading)
        if above != under:
            section = sections.get(above[0] or "")
            groups.append((section, unit.heading or (section.label if section else ""), []))
        under = above
        groups[-1][2].append(unit)
    return groups


def _outline(units: list[UnitRow]) -> list[UnitRow]:
    """A book's units for its contents: of each code only its first provision, no rows, no heading of a code."""
    heads = {u.parent_id for u in units if u.role != "provision" and u.parent_id}
    only_code = {u.parent_id for u in units if u.role == "provision"} - heads
    tables = {u.id for u in units if u.kind == "table"}
    seen: set[str | None] = set()
    listed = []
    for u in units:
        if u.role == "provision":
            if u.code_id in seen:
                continue
            seen.add(u.code_id)
        elif u.kind in WITHIN or u.id in only_code or u.parent_id in tables:
            continue
        listed.append(u)
    return listed


def _by_kind(listed: list[UnitRow]) -> list[tuple[str, list[UnitRow]]]:
    """Runs of units of one kind, in reading order."""
    return [(kind, list(members)) for kind, members in groupby(listed, key=lambda u: u.kind)]


def _pages(units: list[UnitRow]) -> tuple[str, str] | None:
    numbers = [u.page for u in units if u.page]
    return (numbers[0], numbers[-1]) if numbers else None


def _unresolved(conn: sqlite3.Connection, book_id: str) -> tuple[int, int]:
    """How many references of a book are not resolved as their author meant them, and how many it has."""
    statuses = counts(conn).get(book_id, {})
    every = sum(statuses.values())
    return every - statuses.get("resolved", 0), every
