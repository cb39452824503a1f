"""Codes and books: their contents, and what the numbering audit found."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Annotated

from datasette_plugins import metadata
from datasette_plugins.catalogue import parents_of, works
from datasette_plugins.endpoint import Moved, PageRequest
from datasette_plugins.missing import Missing, missing
from datasette_plugins.page import As, Ids, Listed, Page, Shown, says
from kb.comparison import borrowing
from kb.comparison.cases import cases
from kb.desk.unresolved import counts
from kb.read import cite, queries
from kb.read.domain import domain
from kb.read.rows import AuditRow, BookRow, CodeRow, UnitRow

# Kinds of units that are listed with the unit to which they belong.
WITHIN = ("subclause", "footnote", "note", "decision")


def work(conn: sqlite3.Connection, request: PageRequest) -> Missing | Moved:
    """Redirect from a bare work id to the page of that code or book."""
    wanted = request.parts["work"].lower()
    catalogue = works(conn)
    if wanted in catalogue.codes:
        return Moved(f"/code/{wanted}")
    if wanted in catalogue.books:
        return Moved(f"/book/{wanted}")
    return missing(conn, request, "book", wanted, {b: catalogue.label(b) for b in catalogue.books})


class Headed(Listed):
    """A unit of a code, with its heading."""

    heading: str | None


Groups = Sequence[tuple[UnitRow | None, str, Sequence[UnitRow]]]


class Code(Page, template="code", at=["/code/CODE.json"]):
    """The contents of a code."""

    code: CodeRow = says("the code")
    counts: dict[str, int] = says("how many units of each kind")
    lacks: Mapping[str, str] = says(
        "kinds of provisions that the code has and its book does not print, and how that is known"
    )
    units: Annotated[Sequence[UnitRow], As(tuple[Headed, ...])] = says("its units in order, without text")
    book: Shown[BookRow]
    groups: Shown[Groups]
    pages: Shown[tuple[str, str] | None]
    cases: Shown[int]
    unresolved: Shown[int]
    others: Shown[Sequence[CodeRow]]
    borrowed: Shown[bool]


def code(conn: sqlite3.Connection, request: PageRequest) -> Code | Missing:
    """The table of contents of a code, by heading."""
    catalogue = works(conn)
    this = catalogue.codes.get(request.parts["code"])
    if this is None:
        return missing(conn, request, "code", request.parts["code"], {c: catalogue.label(c) for c in catalogue.codes})
    book = catalogue.books[this.book_id]
    units = queries.units_of_code(conn, this.id)
    listed = [u for u in units if u.kind not in ("subclause", "section", "footnote", "note", "table_row")]
    kinds = Counter(u.kind for u in listed)
    writers, about = cite.names(queries.authors(conn, this.book_id)), domain(conn)
    given_by = cite.given_by(this, book, writers)
    return Code(
        url=f"/code/{this.id}",
        title=f"{this.title} ({catalogue.label(this.id)})",
        description=(
            f"Contents of {this.title}, {this.year}: {kinds['law']} {about.provision.of(kinds['law'])} by heading."
        ),
        linked_data=metadata.of_code(about, this, given_by, book, writers, request.absolute),
        code=this,
        counts=kinds,
        lacks=queries.lacks(conn).get(this.id, {}),
        units=listed,
        book=book,
        groups=by_heading(conn, listed),
        pages=_pages(units),
        cases=sum(any(t.work == this.id for t in case.on) for case in cases(conn)),
        unresolved=_unresolved(conn, this.book_id)[0],
        others=[c for c in catalogue.codes.values() if c.id != this.id],
        borrowed=any(this.id in (b.code, b.source) for b in borrowing.borrowings(conn)),
    )


class Book(Page, template="book", at=["/book/BOOK.json"]):
    """The contents of a book."""

    book: BookRow = says("the book")
    codes: Ids = says("ids of the codes printed in it")
    counts: dict[str, int] = says("how many units of each kind")
    units: Annotated[Sequence[UnitRow], As(tuple[Listed, ...])] = says("units outside its codes, without text")
    audit: Sequence[AuditRow] = says("the numbering audit")
    groups: Shown[Sequence[tuple[str, Sequence[UnitRow]]]]
    code_at: Shown[Mapping[str, CodeRow]]
    rows: Shown[Mapping[str, Sequence[str]]]
    tables: Shown[Mapping[str, Sequence[UnitRow]]]
    unresolved: Shown[int]
    references: Shown[int]
    facts: Shown[tuple[str, int] | None]
    edits: Shown[Mapping[str, int]]


def book(conn: sqlite3.Connection, request: PageRequest) -> Book | Missing:
    """A book: its bibliography, its contents, and what is odd in its numbering."""
    catalogue = works(conn)
    this = catalogue.books.get(request.parts["book"])
    if this is None:
        return missing(conn, request, "book", request.parts["book"], {b: catalogue.label(b) for b in catalogue.books})
    units = [u for u in queries.units_of_book(conn, this.id) if u.continues is None]
    codes = [c for c in catalogue.codes.values() if c.book_id == this.id]
    listed = _outline(units)
    edits: Counter[str] = Counter()
    for kind, n in ((kind, n) for book_id, kind, _, n in queries.edit_counts(conn) if book_id == this.id):
        edits[kind] += n
    unresolved, references = _unresolved(conn, this.id)
    return Book(
        url=f"/book/{this.id}",
        title=f"{this.title} ({this.author}, {this.year})",
        linked_data=metadata.of_book(domain(conn), this, cite.names(queries.authors(conn, this.id)), request.absolute),
        book=this,
        codes=codes,
        counts=Counter(u.kind for u in units),
        units=listed,
        audit=queries.audit(conn, this.id),
        groups=_by_kind(listed),
        code_at={u.id: catalogue.codes[u.code_id] for u in listed if u.role == "provision" and u.code_id},
        rows=queries.table_cells(conn, this.id),
        tables={t.id: [u for u in units if u.parent_id == t.id] for t in units if t.kind == "table"},
        unresolved=unresolved,
        references=references,
        facts=queries.scan_facts(conn, this.id),
        edits=edits,
    )


def by_heading(conn: sqlite3.Connection, listed: list[UnitRow]) -> list[tuple[UnitRow | None, str, list[UnitRow]]]:
    """Group units by heading, in reading order: the heading's own unit if there is one, its words, its units."""
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
    """A book's units for its contents: only the first provision of each code, no table rows, no headings of codes."""
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
    """How many references of a book are not resolved as their author meant them, and how many it has in all."""
    statuses = counts(conn).get(book_id, {})
    every = sum(statuses.values())
    return every - statuses.get("resolved", 0), every
