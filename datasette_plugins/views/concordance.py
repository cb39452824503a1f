"""The concordance of numbers as a page, as data and as CSV."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import AliasPath, Field

from datasette_plugins.arguments import chosen_code, only
from datasette_plugins.catalogue import Works, works
from datasette_plugins.endpoint import Document, PageRequest
from datasette_plugins.missing import Missing, missing
from datasette_plugins.page import Id, Ids, JsonAs, MaybeId, Notes, Page, Shape, Shown, Tupled, described
from kb.cite import writing
from kb.comparison.concordance import ConcordanceRow, Grid, State, Tie, concordance, csv_of, fullest, shown
from kb.read import queries
from kb.read.rows import UnitRow

# A longer name (`Mode of playing, scoring, paragraph 4`) is replaced by the page on which the provision is printed.
_LONGEST_NAME = 14


class Counterpart(Shape):
    """A provision of another code on the same matter."""

    id: Id = Field(validation_alias="unit")
    number: str | None = Field(validation_alias=AliasPath("unit", "number"))
    ties: tuple[Tie, ...]


class Cell(Shape):
    """What another code has for a provision."""

    state: State
    counterparts: tuple[Counterpart, ...]


class Row(Shape):
    """A provision, with its counterparts in other codes."""

    id: Id = Field(validation_alias="unit")
    number: str | None = Field(validation_alias=AliasPath("unit", "number"))
    heading: str | None = Field(validation_alias=AliasPath("unit", "heading"))
    cells: dict[str, Cell]


class Alone(Tupled):
    """A provision without a counterpart: the editor found none, nobody has looked, or the other book omits it."""

    id: Id
    state: State


class Concordance(
    Page,
    template="concordance",
    at=["/concordance.json"],
    asks={
        "by": "the code that gives the order, by id or year",
        "against": "only this other code, by id or year",
    },
):
    """The provisions of all codes by number."""

    by: Annotated[str, JsonAs(MaybeId)] = described("id of the code whose order is followed, or null")
    codes: Ids = described("ids of the other codes")
    notes: Notes
    provisions: Annotated[Sequence[ConcordanceRow], JsonAs(tuple[Row, ...])] = described(
        "the provisions of the code in order, each with its counterparts by code"
    )
    without: Annotated[Mapping[str, Sequence[tuple[UnitRow, State]]], JsonAs(dict[str, tuple[Alone, ...]])] = described(
        "by code, the provisions without a counterpart"
    )
    table: Shown[Grid | None]
    against: Shown[str]
    number: Shown[Mapping[str, str]]
    unprinted: Shown[bool]


def page(conn: sqlite3.Connection, request: PageRequest) -> Concordance | Document | Missing:
    """The provisions of a code (`by`) with the numbers of their counterparts in another (`against`) or all others."""
    only(request, "by", "against")
    catalogue = works(conn)
    by, against, notes = _chosen(conn, request, catalogue)
    form = request.parts.get("format")
    if form and notes:  # a file has no place for notes
        return missing(request, "other code", by, hint="A code cannot be set against itself.")
    table = concordance(conn, by, against) if by else None
    units = {u.id: u for u in shown(table)} if table else {}
    if form and table:
        numbers = {i: writing.title(u) if u.kind != "law" else u.number or writing.title(u) for i, u in units.items()}
        return Document(csv_of(table, numbers), "text/csv; charset=utf-8", f"concordance-{by}.csv")
    codes = table.codes if table else ()
    fields = [f"by={by}"] if request.get("by") and by else []
    fields += [f"against={against}"] if against else []
    return Concordance(
        url="/concordance" + ("?" + "&".join(fields) if fields else ""),
        title=f"Concordance of the codes by {catalogue.label(by)}" if by else "Concordance of the codes",
        description="The provisions of all codes by number, each with its counterparts.",
        by=by,
        codes=codes,
        notes=notes,
        provisions=table.rows if table else (),
        without=table.without if table else {},
        table=table,
        against=against,
        number={i: short_number(u) for i, u in units.items()},
        unprinted=any(code in queries.lacks(conn) for code in (by, *(c.id for c in codes))),
    )


def short_number(unit: UnitRow) -> str:
    """A provision's number for a narrow column; if it has none, its name, or its page if the name is too long."""
    if unit.kind == "law" and unit.number:
        return unit.number.upper()
    name = writing.title(unit).strip(" .")
    return name if len(name) <= _LONGEST_NAME or not unit.page else f"p. {unit.folio}"


def _chosen(conn: sqlite3.Connection, request: PageRequest, catalogue: Works) -> tuple[str, str, list[str]]:
    """The code that gives the order, the one it is compared with ("" for all), and notes."""
    by, against = (chosen_code(request, catalogue, field) for field in ("by", "against"))
    notes = []
    by = by or fullest(conn)
    if against == by:
        notes += ["A code cannot be set against itself; all the others are shown."] if by and against else []
        against = ""
    return by, against, notes
