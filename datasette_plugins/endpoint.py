"""From a request to a view, and from its answer to an HTTP response in the form that was asked for."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import fields, replace
from functools import partial
from typing import Any, cast
from urllib.parse import parse_qs

from datasette.app import Datasette
from datasette.utils import sqlite_timelimit
from datasette.utils.asgi import Request, Response
from jinja2 import Environment

from datasette_plugins import address, library
from datasette_plugins.catalogue import works
from datasette_plugins.headers import PUBLIC, SECURITY
from datasette_plugins.serialise import as_json
from datasette_plugins.site import (
    Document,
    Missing,
    PageRequest,
    PermanentRedirect,
    Refused,
    SitePage,
    TemporaryRedirect,
    View,
)
from kb.comparison.tabular import as_csv

# No page takes more fields in its query string; a search has at most some twenty values of each facet.
MOST_FIELDS = 100
# Milliseconds after which a page's database queries are interrupted; on an idle machine none needs a tenth of it.
PATIENCE = 1500


def endpoint(view: View) -> Callable[..., Awaitable[Response]]:
    """Wrap a view as a Datasette route; the view runs in a thread, with one connection for all its queries."""

    async def handle(request: Request, datasette: Datasette) -> Response:
        knowledge = library.of(datasette)
        await datasette.ensure_permissions(request.actor, [("view-database", knowledge.db.name), "view-instance"])
        tag = entity_tag(datasette, request, knowledge)
        known = request.headers.get("if-none-match", "").split(",")
        if tag and tag in [each.strip().removeprefix("W/") for each in known]:  # weak: a proxy may have compressed it
            response = Response("", 304)
        else:  # all in a thread: what is being rendered does not block other requests
            response = await knowledge.db.execute_fn(partial(respond, view, request, datasette, knowledge))
        response.headers |= SECURITY
        if response.status in (200, 304):
            response.headers |= {"Cache-Control": PUBLIC} | ({"ETag": tag} if tag else {})
        elif response.status >= 400:
            response.headers["Cache-Control"] = "no-store"
        return response

    return handle


def entity_tag(datasette: Datasette, request: Request, knowledge: library.Library) -> str:
    """The ETag of a page: it changes with the build, the software and the address; empty if the file is mutable."""
    if not knowledge.hash:
        return ""
    base = address.base(datasette, request.scope)
    parts = (knowledge.hash, library.software(), base, request.scope["path"], request.query_string)
    return '"' + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32] + '"'


def respond(
    view: View, request: Request, datasette: Datasette, knowledge: library.Library, conn: sqlite3.Connection
) -> Response:
    """Ask a view, and make the HTTP response of its answer."""
    base = address.base(datasette, request.scope)
    asked = PageRequest(
        str(request.scope.get("route_path", request.path)).partition("?")[0].removesuffix(".json"),
        {name: part for name, part in request.url_vars.items() if part is not None},
        {},
        lambda path: str(datasette.urls.path(path)),
        lambda path: base + path,
        knowledge.build,
        knowledge.built,
    )
    try:
        args = parse_qs(request.query_string, max_num_fields=MOST_FIELDS)
    except ValueError:
        told = f"The address has more than {MOST_FIELDS} fields; leave some out."
        return page_response(Missing(url=asked.path, title=told, error=told, status=400), asked, datasette)
    try:
        with sqlite_timelimit(conn, PATIENCE):
            answer = view(conn, asked := replace(asked, args=args))
    except Refused as refused:
        answer = refused.page
    except sqlite3.OperationalError as error:
        if error.args != ("interrupted",):
            raise
        told = "This page takes too long; ask for less."
        answer = Missing(url=asked.path, title=told, error=told, status=503)
    if isinstance(answer, PermanentRedirect):
        query = request.query_string if answer.query is None else answer.query
        return Response.redirect(_moved(answer.path, asked, query), status=301)
    if isinstance(answer, TemporaryRedirect):
        return Response.redirect(_moved(answer.path, asked, ""), status=302)
    if isinstance(answer, Document):
        headers = {"Content-Disposition": f'inline; filename="{answer.filename}"'} if answer.filename else {}
        return Response(answer.text, headers=headers, content_type=answer.content_type)
    return page_response(answer, asked, datasette, works=works(conn))


def page_response(page: SitePage, request: PageRequest, datasette: Datasette, **context: Any) -> Response:
    """The response with a page in the form that was asked for: whoever asks for data never gets HTML.

    Args:
        page: the page; forms other than HTML and JSON exist only of an error.
        request: the request.
        datasette: the Datasette that serves it.
        context: what its template has besides its fields.
    """
    if request.form in ("json", "csl.json"):
        return Response(as_json(page, request.absolute), page.status, content_type="application/json; charset=utf-8")
    if isinstance(page, Missing) and request.as_data:
        csv = request.form == "csv"
        text = as_csv(["error"], [[page.error]]) if csv else page.error
        return Response(text, page.status, content_type=f"text/{'csv' if csv else 'plain'}; charset=utf-8")
    context |= {
        "page": page,
        "page_request": request,
        "canonical": request.absolute(page.url),
        "alternate": request.href(page.json_path),
        **{field.name: getattr(page, field.name) for field in fields(page)},
    }
    template = templates(datasette).get_template(f"whist/{page.template}.html")
    return Response.html(template.render(context), page.status)


def _moved(path: str, request: PageRequest, query: str) -> str:
    """The URL of a redirect, with the format suffix (`.json`, `.bib` ...) of the request."""
    suffix = f".{request.form}" if request.as_data else ""
    return request.href(path) + suffix + (f"?{query}" if query else "")


@library.cached_on_it
def templates(datasette: Datasette) -> Environment:
    """The Jinja environment of our templates, which are full of macros and await nothing.

    Datasette's own environment compiles asynchronous templates, which take three times as long.
    """
    return cast(Environment, datasette.jinja_env.overlay(enable_async=False))
