"""The data: the file, its friendly tables, whole as CSV and JSON, the saved queries, and the schema of TEI."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from datasette_plugins import library, metadata
from datasette_plugins.arguments import only
from datasette_plugins.missing import missing
from datasette_plugins.site import Document, Missing, PageRequest, SitePage
from extract.tei import SCHEMA
from kb.comparison.tabular import as_csv
from kb.read import queries
from kb.tables.canned import QUERIES
from kb.tables.views import VIEWS


@dataclass(frozen=True)
class TableEntry:
    """A table for readers; `url` is its page, `csv` and `json` are the whole of it."""

    name: str
    note: str
    rows: int
    url: str
    csv: str
    json: str


@dataclass(frozen=True)
class QueryEntry:
    """A saved query; `url` is its page, and with .csv or .json its result."""

    name: str
    title: str
    note: str
    url: str


@dataclass(frozen=True, kw_only=True)
class DataPage(SitePage):
    """The data; `file` is the address of the SQLite file, `size` its bytes, and `every` that of all its tables."""

    template: ClassVar[str] = "data"
    file: str
    size: int
    every: str
    tables: Sequence[TableEntry]
    queries: Sequence[QueryEntry]


def data(conn: sqlite3.Connection, request: PageRequest) -> DataPage:
    """How to get the data."""
    base, rows = request.absolute(f"/{library.served(conn)}"), queries.tables(conn)
    description = (
        "The laws of whist as data: laws, answers, counterparts, corrections and references as CSV and JSON, saved "
        "queries, and everything in one SQLite file. Free to use."
    )
    return DataPage(
        url="/data",
        title="The data",
        description=description,
        linked_data=metadata.of_data("The laws of whist as data", description, f"{base}.db", request.absolute),
        file=f"{base}.db",
        size=queries.size(conn),
        every=base,
        tables=[
            TableEntry(
                view.name,
                view.note,
                rows.get(view.name, 0),
                f"{base}/{view.name}",
                *(request.absolute(f"/data/{view.name}.{form}") for form in ("csv", "json")),
            )
            for view in VIEWS
        ],
        queries=[QueryEntry(query.name, query.title, query.note, f"{base}/{query.name}") for query in QUERIES],
    )


def table(conn: sqlite3.Connection, request: PageRequest) -> Document | Missing:
    """A whole table for readers, as CSV or JSON."""
    only(request)
    view = next((view for view in VIEWS if view.name == request.parts["name"]), None)
    if view is None:
        hint = f"There are {', '.join(each.name for each in VIEWS)}."
        return missing(request, "table", request.parts["name"], hint=hint)
    rows = queries.whole(conn, view.name)
    if request.form == "csv":
        return Document(as_csv([*view.columns], rows), "text/csv; charset=utf-8", f"{view.name}.csv")
    objects = [dict(zip(view.columns, row, strict=True)) for row in rows]
    return Document(json.dumps(objects, ensure_ascii=False), "application/json; charset=utf-8")


def tei_schema(conn: sqlite3.Connection, request: PageRequest) -> Document:
    """The schema that the TEI documents follow."""
    return Document(SCHEMA.read_text("utf-8"), "application/xml; charset=utf-8")
