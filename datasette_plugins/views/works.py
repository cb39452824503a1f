"""Codes and books: their contents, what the numbering audit found, and a whole code as one page to read."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Annotated

from datasette_plugins import metadata
from datasette_plugins.catalogue import parents_of, works
from datasette_plugins.endpoint import PageRequest, PermanentRedirect, TemporaryRedirect
from datasette_plugins.missing import Missing, missing, shortened
from datasette_plugins.page import Brief, Briefs, Ids, JsonAs, Listed, Notes, Page, Shown, described
from kb.cite import writing
from kb.cite.resolve import LONGEST, resolve
from kb.comparison.cases import cases
from kb.read import queries, reading
from kb.read.commentary import Commentary, by_target
from kb.read.domain import domain
from kb.read.reading import UnitText
from kb.read.rows import AuditRow, BookRow, CodeRow, NoteRow, UnitRow

# Kinds of units that are listed with the unit to which they belong.
WITHIN = ("subclause", "footnote", "note", "decision")
# Roles of units that are not in the whole text; commentary and remarks are shown beside what they explain.
APART = ("paragraph", "commentary", "remark", "case", "decision", "entry", "heading")


def work(conn: sqlite3.Connection, request: PageRequest) -> Missing | PermanentRedirect:
    """Redirect from a bare work id to the page of that code or book."""
    wanted = request.parts["work"].lower()
    catalogue = works(conn)
    if wanted in catalogue.codes:
        return PermanentRedirect(f"/code/{wanted}")
    if wanted in catalogue.books:
        return PermanentRedirect(f"/book/{wanted}")
    return missing(request, "book", wanted)


class Headed(Listed):
    """A unit of a code, with its heading."""

    heading: str | None


class Code(Page, template="code", at=["/code/CODE.json"]):
    """The contents of a code."""

    code: CodeRow = described("the code")
    counts: dict[str, int] = described("number of units of each kind")
    lacks: Mapping[str, str] = described(
        "kinds of provisions that the code has but our print of it leaves out, each with the reason"
    )
    units: Annotated[Sequence[UnitRow], JsonAs(tuple[Headed, ...])] = described(
        "its units in order, without their text"
    )
    groups: Shown[Sequence[tuple[UnitRow | None, str, Sequence[UnitRow]]]]
    pages: Shown[tuple[str, str] | None]
    cases: Shown[Sequence[UnitRow]]


def code(conn: sqlite3.Connection, request: PageRequest) -> Code | Missing:
    """The table of contents of a code, by heading."""
    catalogue = works(conn)
    this = catalogue.codes.get(request.parts["code"])
    if this is None:
        return missing(request, "code", request.parts["code"])
    book = catalogue.books[this.book_id]
    units = queries.units_of_code(conn, this.id)
    listed = [u for u in units if u.kind not in ("subclause", "section", "footnote", "note", "table_row")]
    kinds = Counter(u.kind for u in listed)
    pages = [folio for u in units if (folio := u.folio)]
    writers, about = writing.names(queries.authors(conn, this.book_id)), domain(conn)
    given_by = writing.given_by(this, book, writers)
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
        groups=by_heading(conn, listed),
        pages=(pages[0], pages[-1]) if pages else None,
        cases=[case.unit for case in cases(conn) if any(t.work == this.id for t in case.on)],
    )


class Book(Page, template="book", at=["/book/BOOK.json"]):
    """The contents of a book."""

    book: BookRow = described("the book")
    codes: Ids = described("ids of the codes in it")
    counts: dict[str, int] = described("number of units of each kind")
    units: Annotated[Sequence[UnitRow], JsonAs(tuple[Listed, ...])] = described(
        "its units that belong to no code, without their text"
    )
    audit: Sequence[AuditRow] = described("the findings of the check of its numbers")
    groups: Shown[Sequence[tuple[str, Sequence[UnitRow]]]]
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
        return missing(request, "book", request.parts["book"])
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
        linked_data=metadata.of_book(
            domain(conn), this, writing.names(queries.authors(conn, this.id)), request.absolute
        ),
        book=this,
        codes=codes,
        counts=Counter(u.kind for u in units),
        units=listed,
        audit=queries.audit(conn, this.id),
        groups=[(kind, list(members)) for kind, members in groupby(listed, key=lambda u: u.kind)],
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


def _unresolved(conn: sqlite3.Connection, book_id: str) -> tuple[int, int]:
    """How many references of a book are not resolved as their author meant them, and how many it has in all."""
    statuses = dict(queries.reference_counts(conn, book_id))
    every = sum(statuses.values())
    return every - statuses.get("resolved", 0), every


@dataclass(frozen=True, slots=True)
class Band:
    """Consecutive units with the same commentary; `above` is the commentary already shown further up on the page."""

    units: tuple[UnitRow, ...]
    commentary: tuple[Commentary, ...] = ()
    above: tuple[Commentary, ...] = ()


class Explaining(Brief):
    """A commentary, with the provisions that it explains."""

    explains: tuple[str, ...]


class Read(
    Page,
    template="read",
    at=["/code/CODE/read.json"],
    asks={"number": "a number: leads to the provision (302)"},
):
    """A code to be read from beginning to end."""

    code: CodeRow = described("the code")
    notes: Notes
    units: Briefs = described("its units in order")
    editor_notes: Sequence[NoteRow] = described("the editor's notes on passages in it")
    commentary: Annotated[Sequence[Commentary], JsonAs(tuple[Explaining, ...])] = described(
        "commentaries on its provisions"
    )
    groups: Shown[Sequence[tuple[UnitRow | None, str, Sequence[Band]]]]
    passages: Shown[Mapping[str, UnitText]]
    notes_of: Shown[Mapping[str, Sequence[NoteRow]]]
    belongs_to: Shown[Mapping[str, UnitRow]]
    rows: Shown[Mapping[str, Sequence[str]]]
    number_typed: Shown[str]


def read(conn: sqlite3.Connection, request: PageRequest) -> Read | Missing | TemporaryRedirect:
    """A whole code; `number` redirects to the place of a provision on the page, or for JSON to its own page."""
    catalogue = works(conn)
    this = catalogue.codes.get(request.parts["code"])
    if this is None:
        return missing(request, "code", request.parts["code"])
    typed = request.get("number")
    if found := _numbered(conn, this, typed):
        return TemporaryRedirect(f"/{found.id}" if "json" in request.parts else f"/code/{this.id}/read#{found.anchor}")
    notes = [f"“{shortened(typed)}” is no number of this code; the whole stands below."] if typed else []
    every = {u.id: u for u in queries.units_of_code(conn, this.id)}
    units = sorted((u for u in every.values() if u.role not in APART), key=lambda u: _place(u, every))
    start, end = (min(u.raw_start for u in units), max(u.raw_end for u in units)) if units else (0, 0)
    source = reading.source(conn, this.book_id, start, end)
    further = queries.going_on(conn, this.book_id)
    remarks = queries.notes(conn, this.book_id, start, end)
    commentary = by_target(conn, this.id)
    seen: set[str] = set()
    groups = [(s, heading, list(_bands(of, commentary, seen))) for s, heading, of in by_heading(conn, units)]
    return Read(
        url=f"/code/{this.id}/read",
        title=f"{this.title} ({catalogue.label(this.id)}), whole text",
        code=this,
        notes=notes,
        units=units,
        editor_notes=remarks,
        commentary=list({c.unit.id: c for u in units for c in commentary.get(u.id, ())}.values()),
        groups=groups,
        passages={u.id: reading.passage(conn, u) if u.id in further else reading.read(source, u) for u in units},
        notes_of={u.id: [n for n in remarks if u.raw_start <= n.raw_start and n.raw_end <= u.raw_end] for u in units},
        belongs_to={u.id: of for u in units if u.role == "note" and (of := every.get(u.parent_id or ""))},
        rows=queries.table_cells(conn, this.book_id) if any(u.kind == "table_row" for u in units) else {},
        number_typed=shortened(typed),
    )


def _place(unit: UnitRow, every: Mapping[str, UnitRow]) -> tuple[int, int]:
    """Where a unit is read: a note after what it belongs to, although its page may end with later units before it."""
    outer = unit
    while outer.role in ("note", "paragraph") and (above := every.get(outer.parent_id or "")):
        outer = above
    return outer.seq, unit.seq


def _numbered(conn: sqlite3.Connection, code: CodeRow, typed: str) -> UnitRow | None:
    """The provision or paragraph of a code that a typed number means: `72`, `72 (ii)`, `A4`, `etiquette 3`."""
    if not typed or len(typed) > LONGEST:
        return None
    readings = (resolve(conn, text) for text in (f"{code.year} {typed}", typed))
    meant = (u for read in readings for u in read.units)
    return next((u for u in meant if u.work == code.id and u.role in ("provision", "paragraph")), None)


def _bands(
    units: Sequence[UnitRow], commentary: Mapping[str, tuple[Commentary, ...]], seen: set[str]
) -> Iterator[Band]:
    """Cut units in order where their commentary changes; a unit that is not a provision stays with the one before."""
    beside: list[tuple[Commentary, ...]] = []
    for unit in units:
        beside.append(commentary.get(unit.id, ()) if unit.role == "provision" or not beside else beside[-1])
    for now, band in groupby(zip(beside, units, strict=True), key=itemgetter(0)):
        new = tuple(c for c in now if c.unit.id not in seen)
        yield Band(tuple(unit for _, unit in band), new, tuple(c for c in now if c.unit.id in seen))
        seen.update(c.unit.id for c in new)
