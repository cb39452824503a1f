"""Datasette's own table pages: limits on visitors' queries, and cells that link to the reading pages."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

from datasette.app import Datasette
from datasette.database import Database
from datasette.utils.asgi import BadRequest, Request
from markupsafe import Markup

from datasette_plugins import library
from extract.corpus.table import WORK_ID
from kb.tables.canned import CHOICES
from kb.tables.metadata import SHOWN
from kb.tables.schema import TABLES

# Each facet is a separate query, which may use up its time limit.
MOST_FACETS = 4
_FACETS = ("_facet", "_facet_array", "_facet_date")


class ThrottledDatabase(Database):  # type: ignore[misc]  # Datasette is not typed
    """A database whose table pages never use all threads, so that the reading pages do not wait for them.

    It does not print the errors of visitors' queries; the visitors see them.
    """

    def __init__(self, ds: Datasette, *args: Any, **options: Any) -> None:
        super().__init__(ds, *args, **options)
        self._turn = asyncio.Semaphore(max(ds.setting("num_sql_threads") - 1, 1))

    async def execute(self, sql: str, *args: Any, **options: Any) -> Any:
        """As in Datasette, but limited in number at once; the PRAGMA queries that precede every page do not wait."""
        turn = contextlib.nullcontext() if sql.startswith("PRAGMA") else self._turn
        async with turn:
            return await super().execute(sql, *args, **{**options, "log_sql_errors": False})


class InternalDatabase(Database):  # type: ignore[misc]
    """Datasette's in-memory database about its tables, written without a separate thread, which would never end."""

    _write_connection: sqlite3.Connection | None

    async def execute_write_fn(self, fn: Callable[[sqlite3.Connection], Any], block: bool = True) -> Any:
        """As in Datasette, but in a thread of its executor; Datasette has its own lock for these writes."""

        def write() -> Any:
            if self._write_connection is None:
                self._write_connection = self.connect(write=True)
            return fn(self._write_connection)

        return await asyncio.get_running_loop().run_in_executor(self.ds.executor, write)


async def check_arguments(datasette: Datasette, request: Request, database: str, table: str) -> None:
    """Refuse arguments on which Datasette fails halfway through the page of a table of a knowledge base.

    Raises:
        BadRequest: too many facets, facets of columns that the table does not have, or a facet size that is not a
            number.
    """
    if not library.is_named(datasette, database):
        return
    facets = [column for name in _FACETS for column in request.args.getlist(name)]
    if len(facets) > MOST_FACETS:
        raise BadRequest(f"Ask for at most {MOST_FACETS} facets at once")
    size = request.args.get("_facet_size") or "max"
    if size != "max" and not (size.isascii() and size.isdecimal()):
        raise BadRequest("_facet_size must be a whole number or max")
    if facets:
        columns = await datasette.get_database(database).table_columns(table)
        for column in facets:
            if column not in columns:
                raise BadRequest(f"There is no column {column[:40]!r} in the table {table}")


async def choices(datasette: Datasette, database: str) -> dict[str, Any]:
    """The values from which a visitor may choose for a parameter of a saved query, by parameter, for its template."""

    if not library.is_named(datasette, database):
        return {}

    def read(conn: sqlite3.Connection) -> dict[str, list[tuple[str, str]]]:
        return {parameter: conn.execute(sql).fetchall() for parameter, sql in CHOICES.items()}

    return {"choices": await datasette.get_database(database).execute_fn(read)}


# The path of a row's page, by its table, with the id of the row as {}.
_PAGES = {
    "unit": "/{}", "provision": "/{}", "book": "/book/{}", "code": "/code/{}", "concept": "/concept/{}",
    "topic": "/compare/{}", "question": "/compare/{}",
}  # fmt: skip
_REFERS = {(t.name, c.name): c.refers.partition(".")[0] for t in TABLES for c in t.columns if c.refers}
# In views and saved queries a column with the name of a foreign key is taken for one.
_KEYS = {"book_id": "book", "code_id": "code", "concept_id": "concept", "topic_id": "topic", "question_id": "question"}
_UNIT = re.compile(rf"{WORK_ID}/[^\s.\"]+")


def render_cell(
    row: Mapping[str, Any], value: Any, column: str, table: str | None, database: str, datasette: Datasette
) -> Markup | None:
    """Render a cell as a link to the page of what it names; None if it names nothing.

    Args:
        row: the row of the cell.
        value: its value; for an expanded foreign key a dict of value and label.
        column: its column.
        table: its table or view; None in the result of a query.
        database: the name of the database.
        datasette: the Datasette that shows it.
    """
    knowledge = library.find(datasette)
    if knowledge is None or knowledge.db.name != database or value in (None, ""):
        return None
    key, label = (value["value"], value["label"]) if isinstance(value, dict) else (value, value)
    if table in _PAGES and column == SHOWN.get(table, SHOWN["unit"]).label and "id" in row.keys():  # noqa: SIM118
        return _link(datasette, table, row["id"], label)
    if not isinstance(key, str):
        return None
    refers = _REFERS.get((table or "", column)) or _KEYS.get(column)
    if refers in _PAGES:
        return _link(datasette, refers, key, label)
    if _UNIT.fullmatch(key):
        return _link(datasette, "unit", key, key)
    if column in ("cites", "citations") and key.startswith("["):
        return Markup(", ").join(_link(datasette, "unit", unit, unit) for unit in json.loads(key))
    return None


def _link(datasette: Datasette, table: str, key: str, label: str) -> Markup:
    href = datasette.urls.path(_PAGES[table].format(key))
    named = Markup('<a href="{}">{}</a>').format(href, label)
    return named if label == key else Markup("{}&nbsp;<em>{}</em>").format(named, key)
