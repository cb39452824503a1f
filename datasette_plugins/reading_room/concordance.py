"""The concordance of numbers as a page, as data and as CSV."""

from __future__ import annotations

import sqlite3
from typing import Any

from datasette_plugins.page import Document, PageRequest, TemplateResponse
from datasette_plugins.shared import Works, shortened, works
from kb.comparison.concordance import Grid, GridCell, as_csv, concordance, fullest, shown
from kb.read import cite
from kb.read.rows import UnitRow

# A longer name (`Mode of playing, scoring, paragraph 4`) gives way to the page on which the provision is printed.
_LONGEST_NAME = 14


def page(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse | Document:
    """All provisions of a code (`by`) with the numbers of their counterparts in the others, or in one (`against`)."""
    catalogue = works(conn)
    by, against, notes = _chosen(conn, request, catalogue)
    table = concordance(conn, by) if by else None
    units = {u.id: u for u in shown(table)} if table else {}
    if request.parts.get("format") and table:
        numbers = {i: cite.title(u) if u.kind != "law" else u.number or cite.title(u) for i, u in units.items()}
        return Document(as_csv(table, numbers), "text/csv; charset=utf-8", f"concordance-{by}.csv")
    columns = [column for column in table.columns if not against or against in {c.id for c in column}] if table else []
    codes = [c for column in columns for c in column if not against or c.id == against]
    context: dict[str, Any] = {
        "works": catalogue,
        "table": table,
        "columns": [[c for c in column if c in codes] for column in columns],
        "codes": codes,
        "against": against,
        "number": {i: short_number(u) for i, u in units.items()},
        "linked": any(cell.counterparts for row in table.rows for cell in row.cells.values()) if table else False,
        "notes": notes,
    }
    fields = [f"by={by}"] if request.get("by") and by else []
    fields += [f"against={against}"] if against else []
    data = {"by": by or None, "codes": [c.id for c in codes], "notes": notes, **_data(table, [c.id for c in codes])}
    title = f"Concordance of the codes by {catalogue.label(by)}" if by else "Concordance of the codes"
    query = "?" + "&".join(fields) if fields else ""
    about = "The provisions of all codes by number, each with its counterparts."
    return TemplateResponse("concordance", title, "/concordance", data, context, about, query=query)


def short_number(unit: UnitRow) -> str:
    """A provision's number for a narrow column; its name, or the page it stands on, if it has no number of its own."""
    if unit.kind == "law" and unit.number:
        return unit.number.upper()
    name = cite.title(unit).strip(" .")
    return name if len(name) <= _LONGEST_NAME or not unit.page else f"p. {unit.page}"


def _chosen(conn: sqlite3.Connection, request: PageRequest, catalogue: Works) -> tuple[str, str, list[str]]:
    """The code that gives the order and the one it is set against ("" for all), with what was left out."""
    named = {field: request.get(field) for field in ("by", "against")}
    notes = [
        f"There is no code “{shortened(code)}”; it was left out."
        for code in named.values()
        if code and code not in catalogue.codes
    ]
    by, against = (code if code in catalogue.codes else "" for code in named.values())
    by = by or fullest(conn)
    if against == by:
        notes += ["A code cannot be set against itself; all the others are shown."] if by else []
        against = ""
    return by, against, notes


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
