"""The concordance of numbers as a page, as data and as CSV."""

from __future__ import annotations

import sqlite3
from typing import Any

from datasette_plugins.page import Document, PageRequest, TemplateResponse
from datasette_plugins.shared import Option, Works, named_codes, shortened, works
from kb.comparison.concordance import Grid, GridCell, concordance, csv_of, fullest, shown
from kb.comparison.table import has_room
from kb.read import cite, queries
from kb.read.rows import UnitRow

USUAL = "those with most provisions linked to it"
# A longer name (`Mode of playing, scoring, paragraph 4`) gives way to the page on which the provision is printed.
_LONGEST_NAME = 14


def page(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse | Document:
    """The provisions of a code (`by`) with the numbers of their counterparts in others: in one (`against`), in those
    named (`codes`), or in all for which there is room; page by page (`page`)."""
    catalogue = works(conn)
    by, against, named, notes = _chosen(conn, request, catalogue)
    form = request.parts.get("format")
    folded = not has_room([code for code in catalogue.codes.values() if code.id != by])
    page = None if form else request.number("page", 1, 1, 10_000)
    table = concordance(conn, by, named or ((against,) if against else ()), page) if by else None
    units = {u.id: u for u in shown(table)} if table else {}
    if form and table:
        numbers = {i: cite.title(u) if u.kind != "law" else u.number or cite.title(u) for i, u in units.items()}
        return Document(csv_of(table, numbers), "text/csv; charset=utf-8", f"concordance-{by}.csv")
    codes = table.codes if table else ()
    fields = [f"by={by}"] if request.get("by") and by else []
    fields += [f"against={against}"] if against else []
    fields += [f"codes={','.join(named)}"] if named else []

    def query(number: int) -> str:
        asked = [*fields, f"page={number}"] if number > 1 else fields
        return "?" + "&".join(asked) if asked else ""

    chosen = [c.id for c in codes]
    others = [c for c in catalogue.codes if c != by and c not in chosen]
    context: dict[str, Any] = {
        "works": catalogue,
        "table": table,
        "codes": codes,
        "against": against,
        "number": {i: short_number(u) for i, u in units.items()},
        "unprinted": any(code in queries.lacks(conn) for code in (by, *chosen)),
        "notes": notes,
        "folded": folded,
        "options": [Option(c, True) for c in chosen] + [Option(c, False) for c in others],
        "why": "" if named else USUAL if table and table.linked else "the oldest",
        "address": lambda number: "/concordance" + query(number),
    }
    data = {
        "by": by or None,
        "codes": chosen,
        "every": len(catalogue.codes),
        "notes": notes,
        "page": table.page.number if table else 1,
        "pages": table.page.pages if table else 1,
        **_data(table, chosen),
    }
    title = f"Concordance of the codes by {catalogue.label(by)}" if by else "Concordance of the codes"
    about = "The provisions of all codes by number, each with its counterparts."
    return TemplateResponse(
        "concordance", title, "/concordance", data, context, about, query=query(table.page.number if table else 1)
    )


def short_number(unit: UnitRow) -> str:
    """A provision's number for a narrow column; its name, or the page it stands on, if it has no number of its own."""
    if unit.kind == "law" and unit.number:
        return unit.number.upper()
    name = cite.title(unit).strip(" .")
    return name if len(name) <= _LONGEST_NAME or not unit.page else f"p. {unit.page}"


def _chosen(
    conn: sqlite3.Connection, request: PageRequest, catalogue: Works
) -> tuple[str, str, tuple[str, ...], list[str]]:
    """The code that gives the order, the one it is set against ("" for several), those named, and what was left out."""
    asked = {field: request.get(field) for field in ("by", "against")}
    notes = [
        f"There is no code “{shortened(code)}”; it was left out."
        for code in asked.values()
        if code and code not in catalogue.codes
    ]
    by, against = (code if code in catalogue.codes else "" for code in asked.values())
    by = by or fullest(conn)
    if against == by:
        notes += ["A code cannot be set against itself; all the others are shown."] if by else []
        against = ""
    named, unknown = named_codes(request, catalogue)
    return by, against, tuple(c for c in named if c != by and not against), notes + unknown


def _data(table: Grid | None, codes: list[str]) -> dict[str, Any]:
    if table is None:
        return {"provisions": [], "without": {}}
    return {
        "provisions": [
            {
                "id": row.unit.id,
                "number": row.unit.number,
                "heading": row.unit.heading,
                "cells": {code: _cell(row.cells[code]) for code in codes},
            }
            for row in table.rows
        ],
        "without": {code: [{"id": u.id, "state": state} for u, state in table.without[code]] for code in codes},
    }


def _cell(cell: GridCell) -> dict[str, Any]:
    return {
        "state": cell.state,
        "counterparts": [
            {"id": there.unit.id, "number": there.unit.number, "ties": there.ties} for there in cell.counterparts
        ],
    }
