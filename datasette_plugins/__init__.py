"""SQLite to web pages: the public reading site as a Datasette plugin; Datasette's own pages stay as the back room.

Datasette loads this module while it is itself being imported, so nothing here may import Datasette at module level: a
half-loaded module would be registered without its hooks.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable, Generator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pluggy import HookimplMarker

if TYPE_CHECKING:
    from datasette.app import Datasette
    from jinja2 import Environment

hookimpl = HookimplMarker("datasette")


@hookimpl
def startup(datasette: Datasette) -> None:
    """Find the knowledge base before the first request."""
    from datasette_plugins import library

    library.find(datasette)


@hookimpl
def prepare_connection(conn: sqlite3.Connection, database: str, datasette: Datasette) -> None:
    """Decode the text of a build, which is all UTF-8, with SQLite's own converter, not Datasette's lenient one."""
    from datasette_plugins.serving.tables import ThrottledDatabase

    if isinstance(datasette.databases.get(database), ThrottledDatabase):
        conn.text_factory = str


@hookimpl
def register_routes(datasette: Datasette) -> list[tuple[str, Callable[..., Any]]]:
    """The site's own routes if any database is a knowledge base, else none."""
    from datasette_plugins import library
    from datasette_plugins.routes import routes

    ours = library.routes(datasette)
    others = [db.route for db in datasette.databases.values() if db.route not in ours]
    return routes(others) if ours else []


@hookimpl(trylast=True)
def permission_allowed(datasette: Datasette, action: str, resource: Any) -> bool | None:
    """Forbid arbitrary SQL on a knowledge base; `trylast`, because Datasette takes the answer of the last hook.

    SQLite checks its time limit only between steps: one `instr` of long strings is a step of 9 s, and a statement whose
    common table expressions each refer to the previous one twice takes exponential time and memory before its first
    step. With eight visitors running these queries, half of the pages take more than 9 s instead of 0.1 s. Visitors can
    run the queries of `kb.tables.canned`; for other queries they can download the file (docs/data.md).
    """
    from datasette_plugins import library

    return False if action == "execute-sql" and library.is_named(datasette, resource) else None


@hookimpl
def prepare_jinja2_environment(env: Environment, datasette: Datasette) -> None:
    """Give the templates two globals: `whist`, the functions of the site, and `metadata`, for the head of a page."""
    from datasette_plugins import metadata
    from datasette_plugins.present import Site

    env.globals["whist"] = Site(datasette)
    env.globals["metadata"] = metadata


@hookimpl(hookwrapper=True)
def handle_exception(datasette: Datasette, request: Any, exception: Exception) -> Generator[None, Any, None]:
    """Replace Datasette's error pages with ours; Datasette would print a traceback with locals for each 404."""
    yield from _replace_error_page(datasette, request, exception)


@hookimpl(hookwrapper=True)
def forbidden(datasette: Datasette, request: Any, message: str) -> Generator[None, Any, None]:
    """Replace Datasette's page for forbidden requests with ours."""
    from datasette.utils.asgi import Forbidden

    yield from _replace_error_page(datasette, request, Forbidden(message))


def _replace_error_page(datasette: Datasette, request: Any, exception: Exception) -> Generator[None, Any, None]:
    """Replace the last result, Datasette's own, if the request is for our pages; other plugins' results come first."""
    from datasette_plugins.serving import errors

    outcome = yield
    if errors.concerns(datasette, request):
        *others, _ = outcome.get_result()
        outcome.force_result([*others, partial(errors.of_exception, datasette, request, exception)])


@hookimpl
def render_cell(row: Any, value: Any, column: str, table: str | None, database: str, datasette: Datasette) -> Any:
    """Link the cells of tables to the reading pages."""
    from datasette_plugins.serving import tables

    return tables.render_cell(row, value, column, table, database, datasette)


@hookimpl
def extra_template_vars(template: str, database: str | None, datasette: Datasette) -> Awaitable[dict[str, Any]] | None:
    """Give the page of a saved query the values for its menus."""
    from datasette_plugins.serving import tables

    return tables.choices(datasette, database) if database and template == "query.html" else None


@hookimpl
def filters_from_request(
    datasette: Datasette, request: Any, database: str, table: str
) -> Callable[[], Awaitable[None]]:
    """Check the query arguments of the table pages of a knowledge base."""
    from datasette_plugins.serving import tables

    return partial(tables.check_arguments, datasette, request, database, table)


def instance(database: Path | str, url: str | None = None, **settings: Any) -> Datasette:
    """Make the Datasette that serves a knowledge base, see `datasette_plugins.serving.application.instance`."""
    from datasette_plugins.serving import application

    return application.instance(database, url, **settings)
