"""Datasette's own table pages: what visitors may ask of them, and cells that lead to the reading pages."""

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
from kb.tables.metadata import SHOWN
from kb.tables.schema import TABLES

# Each facet is a query of its own that may use up its time.
MOST_FACETS = 4
_FACETS = ("_facet", "_facet_array", "_facet_date")


class Quiet(Database):  # type: ignore[misc]  # Datasette is not typed
    """A database whose table pages never hold all threads, so that the reading pages do not wait for them.

    It does not print the errors of visitors' queries; they are told to the visitor.
    """

    def __init__(self, ds: Datasette, *args: Any, **options: Any) -> None:
        super().__init__(ds, *args, **options)
        self._turn = asyncio.Semaphore(max(ds.setting("num_sql_threads") - 1, 1))

    async def execute(self, sql: str, *args: Any, **options: Any) -> Any:
        """As in Datasette; what it asks before every page, it asks without waiting for its turn."""
        turn = contextlib.nullcontext() if sql.startswith("PRAGMA") else self._turn
        async with turn:
            return await super().execute(sql, *args, **{**options, "log_sql_errors": False})


class Inner(Database):  # type: ignore[misc]
    """What Datasette notes of its tables, in memory; written without a thread that would never end."""

    _write_connection: sqlite3.Connection | None

    async def execute_write_fn(self, fn: Callable[[sqlite3.Connection], Any], block: bool = True) -> Any:
        """As in Datasette; Datasette writes here under a lock of its own."""

        def write() -> Any:
            if self._write_connection is None:
                self._write_connection = self.connect(write=True)
            return fn(self._write_connection)

        return await asyncio.get_running_loop().run_in_executor(self.ds.executor, write)


async def look_through(datasette: Datasette, request: Request, database: str, table: str) -> None:
    """Refuse arguments on which Datasette breaks down halfway.

    Raises:
        BadRequest: too many facets, facets of columns that the table does not have, or of a size that is no number.
    """
    asked = [column for name in _FACETS for column in request.args.getlist(name)]
    if len(asked) > MOST_FACETS:
        raise BadRequest(f"Ask for at most {MOST_FACETS} facets at once")
    size = request.args.get("_facet_size") or "max"
    if size != "max" and not (size.isascii() and size.isdecimal()):
        raise BadRequest("_facet_size must be a whole number or max")
    if asked:
        try:
            columns = await datasette.get_database(database).table_columns(table)
        except sqlite3.Error:
            columns = []
        for column in asked:
            if column not in columns:
                raise BadRequest(f"There is no column {column[:40]!r} in the table {table}")


# Where the page of a row stands, by its table and the id of the row.
_PAGES = {
    "unit": "/{}", "provision": "/{}", "book": "/book/{}", "code": "/code/{}", "concept": "/concept/{}",
    "topic": "/compare/{}",
}  # fmt: skip
_REFERS = {(t.name, c.name): c.refers.partition(".")[0] for t in TABLES for c in t.columns if c.refers}
# In views and canned queries a column that has the name of a key is one.
_KEYS = {"book_id": "book", "code_id": "code", "concept_id": "concept", "topic_id": "topic"}
_UNIT = re.compile(rf"{WORK_ID}/[^\s.\"]+")


def render_cell(
    row: Mapping[str, Any], value: Any, column: str, table: str | None, database: str, datasette: Datasette
) -> Markup | None:
    """A cell as a link to the page of what it names; nothing where it names nothing.

    Args:
        row: the row around it.
        value: what it holds; of an expanded foreign key a dict of value and label.
        column: its column.
        table: its table or view; none in the answer to a query.
        database: the name of the database.
        datasette: the Datasette that shows it.
    """
    knowledge = library.known(datasette)
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
