"""SQLite to web pages: the public reading site as a Datasette plugin, beside Datasette's own pages.

Datasette loads this module while it is itself being imported, so nothing here may import Datasette at module level: a
half-loaded module would be registered without its hooks.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable, Generator
from functools import partial
from typing import TYPE_CHECKING, Any

from pluggy import HookimplMarker

if TYPE_CHECKING:
    from datasette.app import Datasette
    from jinja2 import Environment

hookimpl = HookimplMarker("datasette")


@hookimpl
def startup(datasette: Datasette) -> Callable[[], Awaitable[None]] | None:
    """Find the knowledge base before the first request; a public server also opens it in all threads."""
    from datasette_plugins import library, public

    library.find(datasette)
    return partial(public.start, datasette) if public.concerns(datasette) else None


@hookimpl
def prepare_connection(conn: sqlite3.Connection, database: str, datasette: Datasette) -> None:
    """Decode the text of a build, which is all UTF-8, with SQLite's own converter, not Datasette's lenient one."""
    from datasette_plugins import library, public

    if library.is_named(datasette, database):
        conn.text_factory = str
        if public.concerns(datasette):
            conn.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, public.LONGEST_PATTERN)


@hookimpl(trylast=True)
def register_routes(datasette: Datasette) -> list[tuple[str, Callable[..., Any]]]:
    """The site's own routes, after those of other plugins, if any database is a knowledge base."""
    from datasette_plugins import library
    from datasette_plugins.routes import routes

    others = [db.route for db in datasette.databases.values() if not library.is_knowledge_base(db)]
    return routes(others) if library.find(datasette) else []


@hookimpl
def asgi_wrapper(datasette: Datasette) -> Callable[[Any], Any]:
    """Put the guard of a public server in front of its application."""
    from datasette_plugins import public

    return partial(public.guarded, datasette) if public.concerns(datasette) else lambda app: app


@hookimpl
def prepare_jinja2_environment(env: Environment, datasette: Datasette) -> None:
    """Give the templates two globals: `whist`, the functions of the site, and `metadata`, for the head of a page."""
    from datasette_plugins import metadata
    from datasette_plugins.present import Site

    env.globals["whist"] = Site(datasette)
    env.globals["metadata"] = metadata


@hookimpl(hookwrapper=True)
def handle_exception(datasette: Datasette, request: Any, exception: Exception) -> Generator[None, Any, None]:
    """Replace the last result, Datasette's own, on a public server: it prints a traceback with locals for each 404."""
    from datasette_plugins import public

    outcome = yield
    if public.concerns(datasette):
        *others, _ = outcome.get_result()
        outcome.force_result([*others, partial(public.error_response, datasette, request, exception)])


@hookimpl
def render_cell(row: Any, value: Any, column: str, table: str | None, database: str, datasette: Datasette) -> Any:
    """Link the cells of tables to the reading pages."""
    from datasette_plugins import cells

    return cells.render_cell(row, value, column, table, database, datasette)


@hookimpl(trylast=True)
def filters_from_request(datasette: Datasette, request: Any, database: str, table: str) -> Any:
    """Search the tables of a knowledge base, and check the query arguments of their pages on a public server.

    It runs after Datasette's own search, whose word on whether the table has a search box it replaces.
    """
    from datasette_plugins import library, public, table_search

    if public.concerns(datasette, database):
        public.check_arguments(request)
    return table_search.filtered(request, table) if library.is_named(datasette, database) else None
