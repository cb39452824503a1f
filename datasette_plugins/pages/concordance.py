"""The concordance: every provision of a code by number, with its counterparts in the other codes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from datasette_plugins.arguments import chosen_code, only
from datasette_plugins.catalogue import works
from datasette_plugins.listing import csv_document, places
from datasette_plugins.missing import missing
from datasette_plugins.site import Document, Missing, PageRequest, SitePage
from kb.cite import writing
from kb.comparison.matrix import Row, State, by_heading, fullest, matrix, pairs, without
from kb.read import queries
from kb.read.rows import CodeRow, UnitRow

# A longer name (`Mode of playing, scoring, paragraph 4`) is replaced by the page on which the provision is printed.
_LONGEST_NAME = 14


@dataclass(frozen=True, slots=True)
class PairLine:
    """A provision and what another code has for it; `part` and `other_part` are the paragraphs that are linked."""

    code: str
    id: str
    citation: str
    page: str
    url: str
    other_code: str
    other_id: str
    other_citation: str
    other_page: str
    other_url: str
    state: State
    relation: str
    part: str
    other_part: str
    why: str


@dataclass(frozen=True, kw_only=True)
class ConcordancePage(SitePage):
    """The provisions of a code in order; `lines` has them for programs, `rows` for readers."""

    template: ClassVar[str] = "concordance"
    internal: ClassVar[frozenset[str]] = frozenset({"groups", "others", "without", "numbers", "unprinted", "notes"})
    by: CodeRow | None
    against: str
    lines: Sequence[PairLine]
    others: Sequence[CodeRow]
    groups: Sequence[tuple[str, Sequence[Row]]]
    without: Mapping[str, Sequence[Row]]
    numbers: Mapping[str, str]
    unprinted: bool
    notes: Sequence[str]


def concordance(conn: sqlite3.Connection, request: PageRequest) -> ConcordancePage | Document | Missing:
    """The provisions of a code (`by`) with their counterparts in another (`against`) or in all others."""
    only(request, "by", "against")
    codes = works(conn).codes
    by, against = (chosen_code(request, works(conn), name) for name in ("by", "against"))
    by = by or fullest(conn)
    itself = bool(by) and against == by
    if itself and request.as_data:
        return missing(request, "other code", by, hint="A code cannot be set against itself.")
    others = [code for code in codes.values() if code.id != by and (itself or against in (code.id, ""))]
    lines = [line for code in others for line in pair_lines(conn, request, by, code.id)] if request.as_data else []
    if request.parts.get("format") == "csv":
        return csv_document(PairLine, lines, f"concordance-{by}")
    rows = matrix(conn).get(by, ())
    alone = {code.id: without(conn, code.id, by) for code in others}
    told = [u for row in rows for u in (row.unit, *(c.unit for cell in row.cells.values() for c in cell.counterparts))]
    asked = [f"{name}={code}" for name, code in (("by", by if request.get("by") else ""), ("against", against)) if code]
    return ConcordancePage(
        url="/concordance" + ("?" + "&".join(asked) if asked and not itself else ""),
        title=f"Concordance of the codes by {works(conn).label(by)}" if by else "Concordance of the codes",
        description="The provisions of all codes by number, each with its counterparts.",
        alternates=(("text/csv", "/concordance.csv"),),
        by=codes.get(by),
        against="" if itself else against,
        lines=lines,
        others=others,
        groups=by_heading(rows),
        without=alone,
        numbers={u.id: short_number(u) for u in (*told, *(row.unit for those in alone.values() for row in those))},
        unprinted=any(code in queries.lacks(conn) for code in (by, *(code.id for code in others))),
        notes=["A code cannot be set against itself; all the others are shown."] if itself else [],
    )


def pair_lines(conn: sqlite3.Connection, request: PageRequest, a: str, b: str) -> Iterator[PairLine]:
    """Yield a line for each link between two codes, and for each provision of either that has none."""
    place = places(conn, request)
    for pair in pairs(conn, a, b):
        ends = a, *place(pair.a), b, *place(pair.b), pair.state
        for tie in pair.ties:
            part = tie.here if pair.a and tie.here != pair.a.id else ""
            other_part = tie.there if pair.b and tie.there != pair.b.id else ""
            yield PairLine(*ends, tie.relation, part, other_part, tie.why)
        if not pair.ties:
            yield PairLine(*ends, "", "", "", "")


def short_number(unit: UnitRow) -> str:
    """A provision's number for a narrow column; if it has none, its name, or its page if the name is too long."""
    if unit.kind == "law" and unit.number:
        return unit.number.upper()
    name = writing.title(unit).strip(" .")
    return name if len(name) <= _LONGEST_NAME or not unit.page else f"p. {unit.folio}"
