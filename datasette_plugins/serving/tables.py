"""Datasette's own table pages: what visitors may ask of them."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable
from typing import Any

from datasette.app import Datasette
from datasette.database import Database
from datasette.utils.asgi import BadRequest, Request

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
