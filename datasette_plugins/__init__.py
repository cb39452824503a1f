"""SQLite to pages: the public reading site, as a Datasette plugin; Datasette's own pages stay as the back room.

Datasette loads this module while it is itself being imported, so nothing here may import Datasette at the top: a
half-loaded module would be registered without its hooks.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pluggy import HookimplMarker

if TYPE_CHECKING:
    from datasette.app import Datasette
    from jinja2 import Environment

hookimpl = HookimplMarker("datasette")


@hookimpl
def startup(datasette: Datasette) -> Callable[[], Awaitable[None]]:
    """Find the knowledge base before the first request."""
    from datasette_plugins import library

    async def look() -> None:
        await library.find(datasette)

    return look


@hookimpl
def prepare_connection(conn: sqlite3.Connection, database: str, datasette: Datasette) -> None:
    """Have the text of a build, which is all UTF-8, read by SQLite's own hand instead of Datasette's forgiving one."""
    from datasette_plugins.serving.tables import Quiet

    if isinstance(datasette.databases.get(database), Quiet):
        conn.text_factory = str


@hookimpl
def register_routes() -> list[tuple[str, Callable[..., Any]]]:
    """The site's own addresses."""
    from datasette_plugins.routes import routes

    return routes()


@hookimpl
def prepare_jinja2_environment(env: Environment, datasette: Datasette) -> None:
    """Give the templates all they may ask of the site, and what the head of a page says."""
    from datasette_plugins.discovery import metadata
    from datasette_plugins.present import Site

    env.globals["whist"] = Site(datasette)
    env.globals["metadata"] = metadata


@hookimpl
def asgi_wrapper(datasette: Datasette) -> Callable[[Any], Any]:
    """Answer repeated requests without a query, set the security headers, and refuse what cannot be answered."""
    from datasette_plugins.serving import content_coding, errors, gate, headers, httpcache, page_cache

    def wrapper(app: Any) -> Any:
        answers = gate.wrap(datasette)(httpcache.wrap(datasette)(app))
        return page_cache.wrap(headers.wrap(errors.guard(content_coding.wrap(answers))))

    return wrapper


@hookimpl(hookwrapper=True)
def handle_exception(datasette: Datasette, request: Any, exception: Exception) -> Generator[None, Any, None]:
    """Put our error pages in the place of Datasette's, which would print a traceback with locals for each 404."""
    from datasette_plugins import library
    from datasette_plugins.serving import errors

    outcome = yield
    if library.known(datasette):
        outcome.force_result([errors.of_exception(datasette, request, exception)])


@hookimpl
def forbidden(datasette: Datasette, request: Any, message: str) -> Awaitable[Any] | None:
    """Say in our words that a page is closed."""
    from datasette.utils.asgi import Forbidden

    from datasette_plugins import library
    from datasette_plugins.serving import errors

    return errors.of_exception(datasette, request, Forbidden(message)) if library.known(datasette) else None


@hookimpl
def render_cell(row: Any, value: Any, column: str, table: str | None, database: str, datasette: Datasette) -> Any:
    """Lead from the tables to the reading pages."""
    from datasette_plugins.serving import cells

    return cells.render_cell(row, value, column, table, database, datasette)


@hookimpl
def filters_from_request(
    datasette: Datasette, request: Any, database: str, table: str
) -> Callable[[], Awaitable[None]]:
    """Look through what is asked of Datasette's table pages."""
    from datasette_plugins.serving import tables

    return lambda: tables.look_through(datasette, request, database, table)


def instance(database: Path | str, url: str | None = None, **settings: Any) -> Datasette:
    """Make the Datasette that serves a knowledge base, see `datasette_plugins.serving.application.instance`."""
    from datasette_plugins.serving import application

    return application.instance(database, url, **settings)


def serve(database: Path | str, host: str = "127.0.0.1", port: int = 8001, url: str | None = None) -> None:
    """Serve a knowledge base until interrupted, see `datasette_plugins.serving.server.serve`."""
    from datasette_plugins.serving import server

    with server.listen(host, port) as socket:
        server.serve(database, socket, url)
