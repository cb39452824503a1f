"""Datasette's own table pages: what visitors may ask of them."""

from __future__ import annotations

import sqlite3
from typing import Any

from datasette.app import Datasette
from datasette.database import Database
from datasette.utils.asgi import BadRequest, Request

# Each facet is a query of its own that may use up its time.
MOST_FACETS = 4
_FACETS = ("_facet", "_facet_array", "_facet_date")


class Quiet(Database):  # type: ignore[misc]  # Datasette is not typed
    """A database that does not print the errors of visitors' queries; they are told to the visitor."""

    async def execute(self, sql: str, *args: Any, **options: Any) -> Any:
        """As in Datasette."""
        return await super().execute(sql, *args, **{**options, "log_sql_errors": False})


async def look_through(datasette: Datasette, request: Request, database: str, table: str) -> None:
    """Refuse arguments on which Datasette breaks down halfway.

    Raises:
        BadRequest: too many facets, or facets of columns that the table does not have.
    """
    asked = [column for name in _FACETS for column in request.args.getlist(name)]
    if len(asked) > MOST_FACETS:
        raise BadRequest(f"Ask for at most {MOST_FACETS} facets at once")
    if asked:
        try:
            columns = await datasette.get_database(database).table_columns(table)
        except sqlite3.Error:
            columns = []
        for column in asked:
            if column not in columns:
                raise BadRequest(f"There is no column {column[:40]!r} in the table {table}")
