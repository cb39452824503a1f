"""What several views need: the works by id, and units in the short form of lists and JSON."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from datasette_plugins.page import PageRequest, TemplateResponse
from kb.comparison import table
from kb.read import cite, lookup, queries
from kb.read.kept import once_a_build
from kb.read.rows import BookRow, CodeRow, UnitRow

# So many values of a field are told of when they name nothing.
MOST_NOTES = 5


@dataclass(frozen=True, slots=True)
class Works:
    """All codes and books by id, oldest first."""

    codes: dict[str, CodeRow]
    books: dict[str, BookRow]

    def code(self, unit: UnitRow) -> CodeRow | None:
        """The code of a unit."""
        return self.codes.get(unit.code_id or "")

    def name(self, unit: UnitRow) -> str:
        """The work of a unit for a list: `English club code, 1864`."""
        return self.label(unit.code_id or unit.book_id)

    def label(self, work_id: str) -> str:
        """A work by id for a list."""
        work = self.codes.get(work_id) or self.books[work_id]
        return work.short if str(work.year) in work.short else f"{work.short}, {work.year}"

    def bare(self, work: CodeRow | BookRow) -> str:
        """A work's short name without its year, where the year stands beside it."""
        return work.short.removesuffix(str(work.year)).rstrip(" ,")

    def bares(self, works: Iterable[CodeRow | BookRow]) -> str:
        """The short names of several works without their years, each once."""
        return " and ".join(dict.fromkeys(self.bare(work) for work in works))

    def year(self, unit: UnitRow) -> int:
        """The year of a unit's code, or else of its book."""
        return (self.codes.get(unit.code_id or "") or self.books[unit.book_id]).year

    def title(self, unit: UnitRow, parent: UnitRow | None = None) -> str:
        """What a unit is called where its work is named: `Law 72 (II)`."""
        return cite.title(unit, parent)

    def full(self, unit: UnitRow, parent: UnitRow | None = None) -> str:
        """A unit with its work: `English laws, 1864, Law 72 (II)`."""
        return f"{self.name(unit)}, {cite.title(unit, parent)}"


@once_a_build
def works(conn: sqlite3.Connection) -> Works:
    """Read the works."""
    return Works({c.id: c for c in queries.codes(conn)}, {b.id: b for b in queries.books(conn)})


def brief(unit: UnitRow, catalogue: Works, request: PageRequest, *, text: bool = True) -> dict[str, Any]:
    """A unit as the JSON twins list it."""
    short: dict[str, Any] = {
        "id": unit.id,
        "url": request.absolute(f"/{unit.id}"),
        "kind": unit.kind,
        "title": catalogue.title(unit),
        "work": catalogue.name(unit),
        "year": catalogue.year(unit),
        "page": unit.page,
    }
    return short | {"text": unit.text} if text else short


def parents_of(conn: sqlite3.Connection, units: Iterable[UnitRow]) -> dict[str, UnitRow]:
    """The parents of some units, by parent id."""
    return queries.units(conn, {u.parent_id for u in units if u.parent_id})


def at_page(number: int) -> str:
    """The query string that names a page of a list; the first needs none."""
    return f"?page={number}" if number > 1 else ""


def shortened(typed: str, most: int = 80) -> str:
    """What was typed, as a heading or message repeats it: cut if nobody would read it to its end."""
    return typed if len(typed) <= most else typed[:most] + "…"


def club(request: PageRequest, catalogue: Works) -> tuple[str, list[str]]:
    """The code that the reader's club plays, as an address has it in `code`: "" for all; with notes on what is none."""
    given = [value.strip() for value in request.all("code")]
    known = [value for value in given if value in catalogue.codes]
    unknown = [value for value in given if value not in catalogue.codes]
    notes = [f"There is no code “{shortened(value)}”; it was left out." for value in unknown[:1]]
    notes += [f"Only one code can be chosen; this is {catalogue.label(known[0])}."] if len(set(known)) > 1 else []
    return (known[0] if known else ""), notes


@dataclass(frozen=True, slots=True)
class Option:
    """A code that may be chosen, and the address of the page with the code in the first place."""

    id: str
    chosen: bool
    first: str = ""


def named_codes(request: PageRequest, catalogue: Works) -> tuple[tuple[str, ...], list[str]]:
    """The codes that `codes` names, by commas or repeated, in their order; with notes on what is left out of it."""
    given = dict.fromkeys(v.strip() for field in request.all("codes") for v in field.split(",") if v.strip())
    unknown = [value for value in given if value not in catalogue.codes]
    notes = [f"There is no code “{shortened(value)}”; it was left out." for value in unknown[:MOST_NOTES]]
    if len(unknown) > MOST_NOTES:
        notes.append(f"{len(unknown) - MOST_NOTES} more names of codes that do not exist were left out.")
    known = tuple(value for value in given if value in catalogue.codes)
    if len(known) > table.MOST:
        notes.append(f"{len(known)} codes were named; the first {table.MOST} of them are shown.")
    return known[: table.MOST], notes


def concept_names(conn: sqlite3.Connection) -> dict[str, str]:
    """The concepts by id, each of which will do as a topic."""
    return {k.id: k.label for k in queries.concepts(conn)}


@dataclass(frozen=True, slots=True)
class Near:
    """Something that exists, for a page about something that does not."""

    id: str
    path: str
    name: str


def missing(
    conn: sqlite3.Connection, request: PageRequest, what: str, wanted: str, names: dict[str, str] | None = None
) -> TemplateResponse:
    """The page for an address that leads nowhere: it names what is nearest.

    Args:
        what: the kind of thing wanted, which begins the paths of its like; units stand at the root.
        names: all things of that kind by id; units if not given.
    """
    catalogue = works(conn)
    told = shortened(wanted)
    if names is None:
        ids = lookup.nearest_ids(conn, wanted)
        found = queries.units(conn, ids)
        near = [Near(i, f"/{i}", catalogue.full(found[i])) for i in ids]
    else:
        folder = "compare" if what in ("topic", "table of answers", "comparison of codes") else what
        near = [Near(i, f"/{folder}/{i}", names[i]) for i in lookup.nearest(wanted, list(names)) or list(names)[:12]]
    data = [{"id": n.id, "url": request.absolute(n.path), "title": n.name} for n in near]
    return TemplateResponse(
        "missing",
        f"There is no {what} {told}",
        request.path,
        {"error": f"There is no {what} {told}.", "nearest": data},
        {"what": what, "wanted": told, "near": near, "works": catalogue},
        status=404,
    )
