"""Codes and books: their contents, what the numbering audit found, and a whole code as one page to read."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import ClassVar
from urllib.parse import quote_plus

from datasette_plugins import metadata
from datasette_plugins.arguments import only
from datasette_plugins.catalogue import parents_of, works
from datasette_plugins.missing import missing, shortened
from datasette_plugins.site import Missing, PageRequest, PermanentRedirect, Refused, SitePage, TemporaryRedirect
from kb.cite import writing
from kb.cite.resolve import LONGEST, resolve
from kb.comparison.cases import cases
from kb.read import queries, reading
from kb.read.commentary import Commentary, by_target
from kb.read.reading import UnitText
from kb.read.rows import AuditRow, BookRow, CodeRow, NoteRow, UnitRow

# Kinds of units that are listed with the unit to which they belong.
WITHIN = ("subclause", "footnote", "note", "decision")
# Roles of units that are not in the whole text; commentary and remarks are shown beside what they explain.
APART = ("paragraph", "commentary", "remark", "case", "decision", "entry", "heading")
# Where a book may be found, with the addresses of a search for it.
CATALOGUES = {
    "WorldCat": "https://search.worldcat.org/search?q=",
    "the Internet Archive": "https://archive.org/search?query=",
}


@dataclass(frozen=True)
class Group:
    """The units under a heading: its own unit if there is one, its words, and the units."""

    section: UnitRow | None
    heading: str
    units: list[UnitRow]


@dataclass(frozen=True, kw_only=True)
class CodePage(SitePage):
    """The contents of a code."""

    template: ClassVar[str] = "code"
    internal: ClassVar[frozenset[str]] = frozenset({"groups", "cases"})
    code: CodeRow
    counts: Mapping[str, int]
    lacks: Mapping[str, str]
    units: Sequence[UnitRow]
    groups: Sequence[Group]
    cases: Sequence[UnitRow]


@dataclass(frozen=True, kw_only=True)
class BookPage(SitePage):
    """The contents of a book; `units` are those that belong to no code, `codes` the ids of its codes."""

    template: ClassVar[str] = "book"
    internal: ClassVar[frozenset[str]] = frozenset({"groups", "rows", "tables", "references", "facts", "edits"})
    book: BookRow
    codes: Sequence[str]
    counts: Mapping[str, int]
    units: Sequence[UnitRow]
    audit: Sequence[AuditRow]
    catalogues: Mapping[str, str]
    groups: Sequence[tuple[str, Sequence[UnitRow]]]
    rows: Mapping[str, Sequence[str]]
    tables: Mapping[str, Sequence[UnitRow]]
    references: Mapping[str, int]
    facts: tuple[str, int] | None
    edits: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Band:
    """Consecutive units with the same commentary; `above` is the commentary already shown further up on the page."""

    units: tuple[UnitRow, ...]
    commentary: tuple[Commentary, ...] = ()
    above: tuple[Commentary, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ReadPage(SitePage):
    """A code to be read from beginning to end."""

    template: ClassVar[str] = "read"
    internal: ClassVar[frozenset[str]] = frozenset({"groups", "passages", "notes_of", "belongs_to", "rows"})
    code: CodeRow
    notes: Sequence[str]
    units: Sequence[UnitRow]
    editor_notes: Sequence[NoteRow]
    commentary: Mapping[str, Sequence[str]]
    groups: Sequence[tuple[Group, Sequence[Band]]]
    passages: Mapping[str, UnitText]
    notes_of: Mapping[str, Sequence[NoteRow]]
    belongs_to: Mapping[str, UnitRow]
    rows: Mapping[str, Sequence[str]]


def work(conn: sqlite3.Connection, request: PageRequest) -> Missing | PermanentRedirect:
    """Redirect from a bare work id to the page of that code or book."""
    wanted, catalogue = request.parts["work"].lower(), works(conn)
    kind = "code" if wanted in catalogue.codes else "book" if wanted in catalogue.books else ""
    return PermanentRedirect(f"/{kind}/{wanted}") if kind else missing(request, "book", wanted)


def code(conn: sqlite3.Connection, request: PageRequest) -> CodePage | PermanentRedirect:
    """The table of contents of a code, by heading."""
    this = _code(conn, request)
    if isinstance(this, PermanentRedirect):
        return this
    only(request)
    catalogue = works(conn)
    book = catalogue.books[this.book_id]
    units = queries.units_of_code(conn, this.id)
    listed = [u for u in units if u.kind not in ("subclause", "section", "footnote", "note", "table_row")]
    kinds = Counter(u.kind for u in listed)
    writers = writing.names(queries.authors(conn, this.book_id))
    given_by = writing.given_by(this, book, writers)
    return CodePage(
        url=f"/code/{this.id}",
        title=f"{this.title} ({catalogue.label(this.id)})",
        description=f"{this.title}, {this.year}: its {kinds['law']} laws by heading.",
        linked_data=metadata.of_code(this, given_by, book, writers, request.absolute),
        code=this,
        counts=kinds,
        lacks=queries.lacks(conn).get(this.id, {}),
        units=listed,
        groups=by_heading(conn, listed),
        cases=[case.unit for case in cases(conn) if any(t.work == this.id for t in case.on)],
    )


def _code(conn: sqlite3.Connection, request: PageRequest) -> CodeRow | PermanentRedirect:
    """The code that a path names by its id; if it is a year with one code only, a redirect to that code.

    Raises:
        Refused: there is no such code.
    """
    wanted, codes = request.parts["code"], works(conn).codes
    if wanted in codes:
        return codes[wanted]
    if len(of_year := [code.id for code in codes.values() if str(code.year) == wanted]) == 1:
        return PermanentRedirect(request.path.replace(wanted, of_year[0], 1))
    raise Refused(missing(request, "code", wanted))


def by_heading(conn: sqlite3.Connection, listed: Sequence[UnitRow]) -> list[Group]:
    """Group units by heading, in reading order."""
    sections = {i: u for i, u in parents_of(conn, listed).items() if u.kind == "section"}
    groups: list[Group] = []
    under: tuple[str | None, str | None] | None = None
    for unit in listed:
        if unit.kind not in WITHIN or not groups:
            section = sections.get(unit.parent_id or "")
            if (above := (section.id if section else None, unit.heading)) != under:
                groups.append(Group(section, unit.heading or (section.label if section else ""), []))
            under = above
        groups[-1].units.append(unit)
    return groups


def book(conn: sqlite3.Connection, request: PageRequest) -> BookPage | Missing:
    """A book: its bibliography, its contents, and what is odd in its numbering."""
    only(request)
    catalogue = works(conn)
    this = catalogue.books.get(request.parts["book"])
    if this is None:
        return missing(request, "book", request.parts["book"])
    units = [u for u in queries.units_of_book(conn, this.id) if u.continues is None]
    listed = _outline(units)
    edits: Counter[str] = Counter()
    for kind, n in ((kind, n) for book_id, kind, _, n in queries.edit_counts(conn) if book_id == this.id):
        edits[kind] += n
    writers = writing.names(queries.authors(conn, this.id))
    sought = quote_plus(f"{this.title} {this.author} {this.year}")
    return BookPage(
        url=f"/book/{this.id}",
        title=f"{this.title} ({this.author}, {this.year})",
        description=f"{this.title} by {this.author}: where and when it was printed, its contents, and odd numbering.",
        linked_data=metadata.of_book(this, writers, request.absolute),
        book=this,
        codes=[c.id for c in catalogue.codes.values() if c.book_id == this.id],
        counts=Counter(u.kind for u in units),
        units=listed,
        audit=queries.audit(conn, this.id),
        catalogues={name: address + sought for name, address in CATALOGUES.items()},
        groups=[(kind, list(members)) for kind, members in groupby(listed, key=lambda u: u.kind)],
        rows=queries.table_cells(conn, this.id),
        tables={t.id: [u for u in units if u.parent_id == t.id] for t in units if t.kind == "table"},
        references=dict(queries.reference_counts(conn, this.id)),
        facts=queries.scan_facts(conn, this.id),
        edits=edits,
    )


def _outline(units: Sequence[UnitRow]) -> list[UnitRow]:
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


def read(conn: sqlite3.Connection, request: PageRequest) -> ReadPage | PermanentRedirect | TemporaryRedirect:
    """A whole code; `number` redirects to the place of a provision on the page, or for JSON to its own page."""
    this = _code(conn, request)
    if isinstance(this, PermanentRedirect):
        return this
    only(request, "number")
    typed = request.get("number")
    if found := _numbered(conn, this, typed):
        return TemporaryRedirect(f"/{found.id}" if request.as_data else f"/code/{this.id}/read#{found.anchor}")
    every = {u.id: u for u in queries.units_of_code(conn, this.id)}
    units = sorted((u for u in every.values() if u.role not in APART), key=lambda u: _place(u, every))
    remarks = queries.notes(conn, this.book_id, min(u.raw_start for u in units), max(u.raw_end for u in units))
    explaining, seen = by_target(conn), set[str]()
    groups = [(group, list(_bands(group.units, explaining, seen))) for group in by_heading(conn, units)]
    return ReadPage(
        url=f"/code/{this.id}/read",
        title=f"{this.title} ({works(conn).label(this.id)}), whole text",
        description=f"{this.title}, {this.year}: all its provisions on one page, as they were printed.",
        code=this,
        notes=[f"“{shortened(typed)}” is no number of this code; the whole stands below."] if typed else [],
        units=units,
        editor_notes=remarks,
        commentary={u.id: [c.unit.id for c in explaining[u.id]] for u in units if u.id in explaining},
        groups=groups,
        passages={text.unit.id: text for text in reading.passages(conn, units)},
        notes_of={u.id: [n for n in remarks if u.raw_start <= n.raw_start and n.raw_end <= u.raw_end] for u in units},
        belongs_to={u.id: of for u in units if u.role == "note" and (of := every.get(u.parent_id or ""))},
        rows=queries.table_cells(conn, this.book_id) if any(u.kind == "table_row" for u in units) else {},
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
    units: Sequence[UnitRow], explaining: Mapping[str, tuple[Commentary, ...]], seen: set[str]
) -> Iterator[Band]:
    """Cut units in order where their commentary changes; a unit that is not a provision stays with the one before."""
    beside: list[tuple[Commentary, ...]] = []
    for unit in units:
        beside.append(explaining.get(unit.id, ()) if unit.role == "provision" or not beside else beside[-1])
    for now, band in groupby(zip(beside, units, strict=True), key=itemgetter(0)):
        new = tuple(c for c in now if c.unit.id not in seen)
        yield Band(tuple(unit for _, unit in band), new, tuple(c for c in now if c.unit.id in seen))
        seen.update(c.unit.id for c in new)
