"""`whist serve`: Datasette's own application with the settings of the library, run by uvicorn."""

from __future__ import annotations

import os
import resource
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from datasette.app import Datasette
from datasette.plugins import pm

import datasette_plugins
from datasette_plugins import routes
from extract.errors import DatabaseError, WhistError
from kb.read.domain import domain
from kb.read.store import open_store
from kb.tables.metadata import metadata
from kb.tables.schema import TABLES

# Anybody may ask, so none of Datasette's own pages may cost more than a moment, and nobody runs SQL of their own, but
# on the file: SQLite checks its time limit only between steps, and one `instr` of long strings is a step of 9 s.
SETTINGS = {
    "default_allow_sql": False,
    "allow_csv_stream": False,
    "suggest_facets": False,
    "sql_time_limit_ms": 1000,
    "facet_time_limit_ms": 100,
    "max_returned_rows": 500,
    "default_page_size": 50,
    "truncate_cells_html": 400,
    "default_cache_ttl": 300,
}
MOST_CONNECTIONS = 250
# Seconds that open requests have to finish when the server is stopped.
GRACE = 10


def instance(database: Path | str, url: str | None = None, **settings: Any) -> Datasette:
    """Make the Datasette that serves a knowledge base.

    Args:
        database: the file `whist build` has written.
        url: the public URL of the front page; without it, URLs in pages name the listening socket.
        settings: Datasette settings that override those of the library, such as `base_url`.
    Raises:
        DatabaseError: the file is missing or damaged, is not a knowledge base, or has a name the site uses itself.
    """
    path = Path(database)
    if routes.hides(path.stem) or set("?#%") & set(str(path)):
        raise DatabaseError(f"A file called {path} hides pages or has no address; rename it, say to whist.db.")
    with open_store(path, sound=True) as conn:
        empty = [t.name for t in TABLES if not conn.execute(f"select exists (select 1 from [{t.name}])").fetchone()[0]]
        about = domain(conn)
    if datasette_plugins not in pm.get_plugins():
        pm.register(datasette_plugins, "whist")
    settings = SETTINGS | ({"base_url": urlsplit(url).path.rstrip("/") + "/"} if url else {}) | settings
    told = metadata(path.stem, empty, about)
    told |= {"about": "the data", "about_url": f"{settings.get('base_url', '/')}data"}
    told |= {"plugins": {"whist": {"url": url, "public": True}}}
    return Datasette(
        files=[],
        immutables=[str(path)],
        metadata=told,
        settings=settings,
    )


class Server(uvicorn.Server):
    """A server that says when it listens."""

    def __init__(self, config: uvicorn.Config, listens: Callable[[], None]) -> None:
        super().__init__(config)
        self._listens = listens

    async def startup(self, sockets: Any = None) -> None:
        """As in uvicorn."""
        await super().startup(sockets)
        self._listens()


def serve(
    database: Path, host: str, port: int, url: str | None, listens: Callable[[], None], *, reload: bool = False
) -> None:
    """Serve a knowledge base until SIGINT or SIGTERM; then open requests may finish.

    Args:
        database: the file `whist build` has written.
        host, port: the address.
        url: the public URL of the front page, see `instance`.
        listens: called when the address can be used.
        reload: whether to start again when another build replaces the file; otherwise the one that is open is served.
    Raises:
        WhistError: the file cannot be served, or the address cannot be used.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    served = database.stat() if reload else None
    # h11 refuses addresses with characters on which Datasette fails.
    config = uvicorn.Config(
        instance(database, url).app(),
        http="h11",
        h11_max_incomplete_event_size=16_384,
        ws="none",
        lifespan="on",
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS,
        backlog=64,
        timeout_graceful_shutdown=GRACE,
    )
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        reason = str(error.strerror).partition(" (")[0].lower()  # create_server adds the address
        raise WhistError(f"Port {port} of {host} cannot be used ({reason}); choose another with --port.") from error
    # asyncio sets it only on sockets whose protocol it knows. Without it the body of an answer waits 40 ms, until the
    # client acknowledges the head.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    server = Server(config, listens)
    replaced = threading.Event()
    if served:
        threading.Thread(target=_watch, args=(database, served, server, replaced), daemon=True).start()
    server.run([listening])
    if replaced.is_set():
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def _watch(file: Path, served: os.stat_result, server: uvicorn.Server, replaced: threading.Event) -> None:
    """Stop a server when another build has replaced its file; one that cannot be served is left alone."""
    while not replaced.wait(0.5):
        with suppress(OSError, DatabaseError):
            if not os.path.samestat(file.stat(), served):
                with open_store(file, sound=True):
                    replaced.set()
    server.should_exit = True
