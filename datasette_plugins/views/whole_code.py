"""A whole code as one page to read, with its notes, its commentary, and a link to each of its numbers."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from datasette_plugins.arguments import shortened
from datasette_plugins.catalogue import works
from datasette_plugins.endpoint import Elsewhere, PageRequest
from datasette_plugins.missing import Missing, missing
from datasette_plugins.page import As, Brief, Briefs, Notes, Page, Shown, says
from datasette_plugins.views.works import by_heading
from kb.read import lookup, queries, reading
from kb.read.commentary import Commentary, by_target
from kb.read.reading import UnitText
from kb.read.rows import BookRow, CodeRow, NoteRow, UnitRow
from kb.read.written import LONGEST

# Roles of units that are not in the text; commentary and remarks are shown beside what they explain.
APART = ("paragraph", "commentary", "remark", "case", "decision", "entry", "heading")


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

    code: CodeRow = says("the code")
    notes: Notes
    units: Briefs = says("its units in order")
    editor_notes: Sequence[NoteRow] = says("what the editor tells the reader of places in it")
    commentary: Annotated[Sequence[Commentary], As(tuple[Explaining, ...])] = says("units that explain its provisions")
    book: Shown[BookRow]
    groups: Shown[Sequence[tuple[UnitRow | None, str, Sequence[Band]]]]
    passages: Shown[Mapping[str, UnitText]]
    notes_of: Shown[Mapping[str, Sequence[NoteRow]]]
    numbered: Shown[Sequence[UnitRow]]
    rows: Shown[Mapping[str, Sequence[str]]]
    number_typed: Shown[str]


def read(conn: sqlite3.Connection, request: PageRequest) -> Read | Missing | Elsewhere:
    """A whole code; `number` redirects to the place of a provision on the page, or for JSON to its own page."""
    catalogue = works(conn)
    this = catalogue.codes.get(request.parts["code"])
    if this is None:
        return missing(conn, request, "code", request.parts["code"], {c: catalogue.label(c) for c in catalogue.codes})
    typed = request.get("number")
    if found := _numbered(conn, this, typed):
        return Elsewhere(f"/{found.id}" if "json" in request.parts else f"/code/{this.id}/read#{found.anchor}")
    notes = [f"“{shortened(typed)}” is no number of this code; the whole stands below."] if typed else []
    units = [u for u in queries.units_of_code(conn, this.id) if u.role not in APART]
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
        book=catalogue.books[this.book_id],
        groups=groups,
        passages={u.id: reading.passage(conn, u) if u.id in further else reading.read(source, u) for u in units},
        notes_of={u.id: _within(u, remarks) for u in units},
        numbered=[u for u in units if u.role == "provision"],
        rows=queries.table_cells(conn, this.book_id) if any(u.kind == "table_row" for u in units) else {},
        number_typed=shortened(typed),
    )


def _numbered(conn: sqlite3.Connection, code: CodeRow, typed: str) -> UnitRow | None:
    """The provision or paragraph of a code that a typed number means: `72`, `72 (ii)`, `A4`, `etiquette 3`."""
    if not typed or len(typed) > LONGEST:
        return None
    readings = (lookup.resolve_typed(conn, text) for text in (f"{code.year} {typed}", typed))
    meant = (u for read in readings for u in read.units)
    return next((u for u in meant if u.work == code.id and u.role in ("provision", "paragraph")), None)


def _bands(
    units: Sequence[UnitRow], commentary: Mapping[str, tuple[Commentary, ...]], seen: set[str]
) -> Iterator[Band]:
    """Cut units in order where their commentary changes; a unit that is not a provision stays with the one before."""
    members: list[UnitRow] = []
    now: tuple[Commentary, ...] = ()

    def band() -> Band:
        new = tuple(c for c in now if c.unit.id not in seen)
        above = tuple(c for c in now if c.unit.id in seen)
        seen.update(c.unit.id for c in new)
        return Band(tuple(members), new, above)

    for unit in units:
        beside = commentary.get(unit.id, ()) if unit.role == "provision" or not members else now
        if members and beside != now:
            yield band()
            members = []
        now = beside
        members.append(unit)
    if members:
        yield band()


def _within(unit: UnitRow, notes: Sequence[NoteRow]) -> list[NoteRow]:
    return [n for n in notes if unit.raw_start <= n.raw_start and n.raw_end <= unit.raw_end]
