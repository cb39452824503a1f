"""Lists for programs: the same lines as JSON and as CSV, every unit with id, citation, printed page and address."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from typing import Any

from datasette_plugins.catalogue import works
from datasette_plugins.site import Document, PageRequest
from kb.comparison.tabular import lines_as_csv
from kb.read.rows import UnitRow

# Id, citation, printed page and address of a unit.
Place = tuple[str, str, str, str]


def places(conn: sqlite3.Connection, request: PageRequest) -> Callable[[UnitRow | None], Place]:
    """Return a function that gives the place of a unit; that of None is empty."""
    catalogue = works(conn)

    def place(unit: UnitRow | None) -> Place:
        if unit is None:
            return "", "", "", ""
        return unit.id, catalogue.full(unit), unit.folio or "", request.absolute(f"/{unit.id}")

    return place


def csv_document(kind: type[Any], lines: Iterable[Any], name: str) -> Document:
    """Return lines as a CSV file.

    Args:
        kind: the dataclass of the lines.
        lines: the lines.
        name: the name of the file, without `.csv`.
    """
    return Document(lines_as_csv(kind, lines), "text/csv; charset=utf-8", f"{name}.csv")
