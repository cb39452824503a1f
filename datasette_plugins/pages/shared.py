"""What each code has alone, and what it shares with earlier ones: an overview, and a page for each code."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from datasette_plugins.arguments import only
from datasette_plugins.catalogue import works
from datasette_plugins.listing import csv_document, places
from datasette_plugins.missing import missing
from datasette_plugins.pages.concordance import short_number
from datasette_plugins.site import Document, Missing, PageRequest, SitePage
from kb.comparison.matrix import Row, State
from kb.comparison.shared import Shared, SharedCount, counts, degree, shared
from kb.read.rows import CodeRow


@dataclass(frozen=True, kw_only=True)
class OverviewPage(SitePage):
    """How much of each code is in each earlier one."""

    template: ClassVar[str] = "shared"
    counts: Sequence[SharedCount]


@dataclass(frozen=True, slots=True)
class SharedLine:
    """A provision of a code against an earlier code; at the end those of earlier codes against this one.

    `standing` is `only here` (in no other code), `new` (in no earlier code), `shared`, `open` (not every earlier code
    was looked through, or prints such provisions), or of an earlier provision `left out`; `state`, `degree`, `relation`
    and `why` are those of the other code.
    """

    standing: Literal["only here", "new", "shared", "open", "left out"]
    id: str
    citation: str
    page: str
    url: str
    other_code: str
    state: State
    degree: str
    relation: str
    other_id: str
    other_citation: str
    other_page: str
    other_url: str
    why: str


@dataclass(frozen=True, kw_only=True)
class SharedPage(SitePage):
    """A code against the earlier ones; `lines` has its provisions for programs, `found` for readers."""

    template: ClassVar[str] = "shared_code"
    internal: ClassVar[frozenset[str]] = frozenset({"found", "numbers"})
    code: CodeRow
    lines: Sequence[SharedLine]
    found: Shared
    numbers: Mapping[str, str]


def overview(conn: sqlite3.Connection, request: PageRequest) -> OverviewPage | Document:
    """Every code against each earlier one, in numbers."""
    only(request)
    if request.parts.get("format") == "csv":
        return csv_document(SharedCount, counts(conn), "shared")
    return OverviewPage(
        url="/shared",
        title="New and shared laws",
        description="How many laws of each code of whist are in an earlier code too, and how many are new.",
        alternates=(("text/csv", "/shared.csv"),),
        counts=counts(conn),
    )


def of_code(conn: sqlite3.Connection, request: PageRequest) -> SharedPage | Document | Missing:
    """What is new in a code, what it shares with which earlier one, and what it left out."""
    only(request)
    catalogue, name = works(conn), request.parts["code"]
    if name not in catalogue.codes:
        return missing(request, "code", name)
    found = shared(conn, name)
    lines = [*lines_of(conn, request, name, found)] if request.as_data else []
    if request.parts.get("format") == "csv":
        return csv_document(SharedLine, lines, f"shared-{name}")
    return SharedPage(
        url=f"/shared/{name}",
        title=f"{catalogue.label(name)}: what is new, and what it shares",
        description=f"Which laws of {catalogue.label(name)} are in no other code, and which are in an earlier one.",
        alternates=(("text/csv", f"/shared/{name}.csv"),),
        code=catalogue.codes[name],
        lines=lines,
        found=found,
        numbers={
            there.unit.id: short_number(there.unit)
            for rows in found.taken.values()
            for row in rows
            for earlier in found.earlier
            for there in row.cells[earlier].counterparts
        },
    )


def lines_of(conn: sqlite3.Connection, request: PageRequest, code: str, found: Shared) -> Iterator[SharedLine]:
    """Yield the lines of a code: its provisions against each earlier code, then what it left out of these."""
    place = places(conn, request)

    def against(
        standing: Literal["only here", "new", "shared", "open", "left out"], row: Row, other: str
    ) -> Iterator[SharedLine]:
        cell = row.cells[other]
        start = standing, *place(row.unit), other, cell.state, degree(row, other)
        for there in cell.counterparts:
            for tie in there.ties:
                yield SharedLine(*start, tie.relation, *place(there.unit), tie.why)
        if not cell.counterparts:
            yield SharedLine(*start, "", *place(None), "")

    standings: Mapping[str, Literal["only here", "new", "shared", "open"]] = {
        **{row.unit.id: "only here" if row.unit.id in found.alone else "new" for row, _ in found.new},
        **{row.unit.id: "shared" for rows in found.taken.values() for row in rows},
        **{row.unit.id: "open" for row in found.open},
    }
    every = {row.unit.id: row for row, _ in found.new}
    every |= {row.unit.id: row for rows in (*found.taken.values(), found.open) for row in rows}
    for row in sorted(every.values(), key=lambda row: row.unit.seq):
        for other in found.earlier or found.later:
            yield from against(standings[row.unit.id], row, other)
    for rows in found.left_out.values():
        for row in rows:
            yield from against("left out" if row.cells[code].state == "none" else "open", row, code)
