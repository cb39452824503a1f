"""What holds where anybody may ask, as under `whist serve`: the plugin is then configured with `public`.

Elsewhere Datasette answers for its own pages as it always does, and whoever runs it may run any SQL.
"""

from __future__ import annotations

import asyncio
import logging
import re
import sqlite3
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import quote

from datasette.app import Datasette
from datasette.database import QueryInterrupted
from datasette.utils.asgi import BadRequest, Base400, Request, Response

from datasette_plugins import address, library
from datasette_plugins.endpoint import page_response
from datasette_plugins.headers import CSP_OF_TABLES, FOR_EVER, SECURITY
from datasette_plugins.site import Missing, PageRequest
from kb.questions.ask import matcher_of
from kb.search.search import entries

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

log = logging.getLogger("whist.site")
# One step of SQLite, which no time limit interrupts, may take minutes with a longer pattern.
LONGEST_PATTERN = 100
# The same holds for a search in SQLite's own syntax (`_searchmode=raw`), which need not be in the table that is shown.
REFUSED = ("_fts_table", "_fts_pk", "_searchmode")
MOST_FACETS = 4
# What Datasette tells of the machine and of itself.
_INTERNAL = re.compile(
    r"/-/(?:actor|allow-debug|auth-token|databases|logout|messages|metadata|patterns|permissions|plugins|settings"
    r"|threads|versions)\b"
)
SENTENCES = {
    404: "There is no such page, table or row.",
    500: "The server could not make this page. The error was noted in its log.",
    503: "This page takes too long; ask for less.",
}


def concerns(datasette: Datasette, name: str | None = None) -> bool:
    """Whether anybody may ask this Datasette, and `name`, if given, is that of its knowledge base."""
    return bool(library.configured(datasette).get("public")) and (name is None or library.is_named(datasette, name))


async def start(datasette: Datasette) -> None:
    """Open the file in every thread and load the indexes.

    All answers come from the file as it was then, also when `whist build` replaces it, and no visitor waits for this.
    """
    db, count = library.of(datasette).db, datasette.setting("num_sql_threads")
    together = threading.Barrier(count)
    await asyncio.gather(*(db.execute_fn(lambda _: together.wait()) for _ in range(count)))
    for load in (matcher_of, entries):
        await db.execute_fn(load)


def guarded(datasette: Datasette, app: App) -> App:
    """Wrap the application: requests that it answers badly never reach it, and every response has its headers."""

    async def asgi(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        path = scope["path"].removeprefix(datasette.setting("base_url").rstrip("/"))
        control = FOR_EVER if path.startswith("/-/static-plugins/") and scope["query_string"] else ""

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = {name.lower(): value for name, value in _headers(message["status"], control).items()}
                given = {name.lower() for name, _ in message["headers"]}
                added = [(n.encode(), v.encode()) for n, v in headers.items() if n.encode() not in given]
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        if scope["method"] not in ("GET", "HEAD"):
            refusal = Response.text("The library is read-only.", 405, {"allow": "GET, HEAD"})
            await refusal.asgi_send(send_with_headers)
            return
        if _INTERNAL.match(path):
            scope = {**scope, "path": f"/closed{path}", "raw_path": f"/closed{path}".encode()}
        # The site uses neither cookies nor passwords, and Datasette cannot read all of them.
        kept = [(name, value) for name, value in scope["headers"] if name not in (b"cookie", b"authorization")]
        scope = address.as_public(datasette, _of_tables(datasette, {**scope, "headers": kept}))
        await app(scope, receive, send_with_headers)

    return asgi


def _of_tables(datasette: Datasette, scope: Scope) -> Scope:
    """Take base_url from the path of a table, to which Datasette adds it again in its links (except to add a slash).

    In the path of a page a slash may be written as %2F.
    """
    base, raw = datasette.setting("base_url").encode(), scope.get("raw_path") or quote(scope["path"]).encode()
    path = b"/" + raw[len(base) :] if raw.startswith(base) else raw
    if not library.is_named(datasette, address.first_segment(path.decode())):
        return {**scope, "raw_path": raw.replace(b"%2F", b"/").replace(b"%2f", b"/")}
    if base == b"/" or path == raw or raw.endswith(b"/") or b"%" in raw:
        return scope
    if path.startswith(base):  # or Datasette would take that away too
        path = b"/~%02X" % path[1] + path[2:]
    return {**scope, "path": path.decode(), "raw_path": path}


def _headers(status: int, control: str) -> dict[str, str]:
    policy = {"content-security-policy": CSP_OF_TABLES}
    caching = {"cache-control": "no-store"} if status >= 400 else {"cache-control": control} if control else {}
    return SECURITY | policy | caching


def check_arguments(request: Request) -> None:
    """Refuse arguments of a table page that no time limit bounds.

    Raises:
        BadRequest: there is one.
    """
    for name in REFUSED:
        if name in request.args:
            raise BadRequest(f"{name} is not open to visitors; download the file and run the query on it")
    facets = sum(len(request.args.getlist(name)) for name in ("_facet", "_facet_array", "_facet_date"))
    if facets > MOST_FACETS:
        raise BadRequest(f"Ask for at most {MOST_FACETS} facets at once")


def status_of(exception: Exception, of_tables: bool) -> int:
    """The status for an exception.

    Args:
        of_tables: whether one of Datasette's own pages raised it. They raise anything for arguments they cannot read,
            and since the file cannot change, only a damaged one is the server's fault.
    """
    if of_tables and type(exception) is not sqlite3.DatabaseError:
        status = int(getattr(exception, "status", 400))
        return status if status < 500 else 400
    if isinstance(exception, Base400):
        return int(exception.status)
    return 503 if isinstance(exception, QueryInterrupted) or exception.args == ("interrupted",) else 500


async def error_response(datasette: Datasette, request: Request, exception: Exception) -> Response:
    """The response to a request that ended in an exception: only the server's own faults are logged."""
    path = address.path(datasette, request.scope)
    status = status_of(exception, library.is_named(datasette, address.first_segment(path)))
    if status == 500:
        log.error("%s %r failed: %s", request.method, path, type(exception).__name__, exc_info=exception)
    message = SENTENCES.get(status) or str(getattr(exception, "message", exception)) or type(exception).__name__
    form = path.rpartition(".")[2]
    asked = PageRequest(path, {"format": form} if form in ("json", "csv") else {}, {}, datasette.urls.path, str)
    response = page_response(Missing(url=path, title=message, error=message, status=status), asked, datasette)
    response.headers |= SECURITY
    return response
