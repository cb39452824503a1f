"""SQLite to pages: the public reading site, as a Datasette plugin; Datasette's own pages stay as the back room.

Datasette loads this module while it is itself being imported, so nothing here may import Datasette at the top: a
half-loaded module would be registered without its hooks.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
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
def register_routes() -> list[tuple[str, Callable[..., Any]]]:
    """The site's own addresses."""
    from datasette_plugins.routes import routes

    return routes()


@hookimpl
def prepare_jinja2_environment(env: Environment, datasette: Datasette) -> None:
    """Give the templates one object with all they may ask of the site."""
    from datasette_plugins.present import Site

    env.globals["whist"] = Site(datasette)


@hookimpl
def asgi_wrapper(datasette: Datasette) -> Callable[[Any], Any]:
    """Answer repeated requests without a query, and set the security headers."""
    from datasette_plugins.httpcache import wrap

    return wrap(datasette)


def instance(database: Path | str, **settings: Any) -> Datasette:
    """Make the Datasette that serves a knowledge base, see `datasette_plugins.server.instance`."""
    from datasette_plugins import server

    return server.instance(database, **settings)


def serve(database: Path | str, host: str = "127.0.0.1", port: int = 8001, **settings: Any) -> None:
    """Serve a knowledge base until interrupted, see `datasette_plugins.server.serve`."""
    from datasette_plugins import server

    server.serve(database, host, port, **settings)
