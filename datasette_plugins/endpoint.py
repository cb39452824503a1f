"""The request that a view gets, and how its answer becomes an HTTP response in HTML or JSON."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, fields
from typing import Any, cast
from urllib.parse import parse_qs, urlencode

from datasette.app import Datasette
from datasette.utils import sqlite_timelimit
from datasette.utils.asgi import BadRequest, Request, Response
from jinja2 import Environment

from datasette_plugins import address, library
from datasette_plugins.catalogue import Works, works
from datasette_plugins.headers import PUBLIC, SECURITY
from datasette_plugins.page import JsonContext, Page
from datasette_plugins.serialise import as_json as serialised
from datasette_plugins.site import SitePage

# No page takes more fields in its query string; a search has at most some twenty values of each facet.
MOST_FIELDS = 100
# Milliseconds after which a page's database queries are interrupted; on an idle machine none needs a tenth of it.
PATIENCE = 1500


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request as the views see it: path, arguments, functions that make URLs, and the build with its date.

    `parts` are the named groups of the route.
    """

    path: str
    parts: dict[str, str]
    args: dict[str, list[str]]
    href: Callable[[str], str]
    absolute: Callable[[str], str]
    build: str = ""
    built: str = ""

    @property
    def as_data(self) -> bool:
        """Whether the answer is read by a program: as JSON, CSV or a citation."""
        return "json" in self.parts or "format" in self.parts

    def get(self, name: str) -> str:
        """The first value of an argument, "" if there is none."""
        return self.args.get(name, [""])[0].strip()

    def all(self, name: str) -> list[str]:
        """All non-empty values of an argument."""
        return [v for v in self.args.get(name, []) if v.strip()]

    def number(self, name: str, default: int, least: int, most: int) -> int:
        """An argument as a whole number, clamped to the bounds; `default` if it is not a number."""
        value = self.get(name)
        return min(max(int(value), least), most) if value.isdecimal() and len(value) < 9 else default

    def query(self, **changes: Any) -> str:
        """The arguments as a query string with some replaced; a value of None or [] removes one."""
        args = {**self.args, **changes}
        pairs = {k: v for k, v in args.items() if v not in (None, [], "", [""])}
        return "?" + urlencode(pairs, doseq=True) if pairs else ""


@dataclass(frozen=True, slots=True)
class PermanentRedirect:
    """A permanent redirect to another path of the site, with another query string if one is given."""

    path: str
    query: str | None = None


@dataclass(frozen=True, slots=True)
class TemporaryRedirect:
    """A temporary redirect to another page of the site, without the query string of the request."""

    path: str


@dataclass(frozen=True, slots=True)
class Document:
    """An answer that is not a page: a citation, robots.txt."""

    text: str
    content_type: str
    filename: str = ""


class Refused(Exception):
    """What is asked cannot be answered; `page` says why."""

    def __init__(self, page: Page) -> None:
        super().__init__(page.title)
        self.page = page


Answer = Page | SitePage | PermanentRedirect | TemporaryRedirect | Document
View = Callable[[sqlite3.Connection, PageRequest], Answer]


def endpoint(view: View) -> Callable[..., Awaitable[Response]]:
    """Wrap a view as a Datasette route; the view runs in a thread, with one connection for all its queries."""

    async def handle(request: Request, datasette: Datasette) -> Response:
        knowledge = library.of(datasette)
        await datasette.ensure_permissions(request.actor, [("view-database", knowledge.db.name), "view-instance"])
        tag = entity_tag(datasette, request, knowledge)
        asked = request.headers.get("if-none-match", "").split(",")
        if tag and tag in [each.strip().removeprefix("W/") for each in asked]:  # weak: a proxy may have compressed it
            response = Response("", 304)
        else:
            response = await _reply(view, request, datasette, knowledge)
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


async def _reply(view: View, request: Request, datasette: Datasette, knowledge: library.Library) -> Response:
    page_request = _page_request(request, datasette, knowledge)
    as_json = bool(request.url_vars.get("json"))

    def render(conn: sqlite3.Connection) -> tuple[Answer, str]:
        """The answer, and its body if it is a page: rendered in this thread, a page does not block other requests."""
        with sqlite_timelimit(conn, PATIENCE):
            try:
                answer = view(conn, page_request)
            except Refused as refused:
                answer = refused.page
        if not isinstance(answer, Page | SitePage):
            return answer, ""
        return answer, (_json if as_json else _html)(answer, works(conn), page_request, datasette)

    answer, body = await knowledge.db.execute_fn(render)
    if isinstance(answer, PermanentRedirect):
        query = request.query_string if answer.query is None else answer.query
        return Response.redirect(_moved(answer.path, page_request, query), status=301)
    if isinstance(answer, TemporaryRedirect):
        return Response.redirect(_moved(answer.path, page_request, ""), status=302)
    if isinstance(answer, Document):
        headers = {"Content-Disposition": f'inline; filename="{answer.filename}"'} if answer.filename else {}
        return Response(answer.text, headers=headers, content_type=answer.content_type)
    if as_json:
        return Response(body, answer.status, content_type="application/json; charset=utf-8")
    return Response.html(body, status=answer.status)


def _page_request(request: Request, datasette: Datasette, knowledge: library.Library) -> PageRequest:
    parts = {k: v for k, v in request.url_vars.items() if v is not None}
    route = str(request.scope.get("route_path", request.path))
    base = address.base(datasette, request.scope)
    return PageRequest(
        route.partition("?")[0].removesuffix(".json"),
        parts,
        _fields(request.query_string),
        lambda path: str(datasette.urls.path(path)),
        lambda path: base + path,
        knowledge.build,
        knowledge.built,
    )


def _moved(path: str, request: PageRequest, query: str) -> str:
    """The URL of a redirect, with the format suffix (`.json`, `.bib` ...) of the request."""
    form = "json" if "json" in request.parts else request.parts.get("format")
    return request.href(path) + (f".{form}" if form else "") + (f"?{query}" if query else "")


def _fields(query: str) -> dict[str, list[str]]:
    """Parse a query string.

    Raises:
        BadRequest: it has more fields than any page takes.
    """
    if query.count("&") >= MOST_FIELDS:
        raise BadRequest(f"The address has more than {MOST_FIELDS} fields; leave some out.")
    return parse_qs(query, keep_blank_values=False)


def _json(page: Page | SitePage, catalogue: Works, request: PageRequest, datasette: Datasette) -> str:
    if isinstance(page, SitePage):
        return serialised(page, request.absolute)
    return page.model_dump_json(indent=1, by_alias=True, context=JsonContext(catalogue, request.absolute))


def _html(page: Page | SitePage, catalogue: Works, request: PageRequest, datasette: Datasette) -> str:
    names = [f.name for f in fields(page)] if isinstance(page, SitePage) else [*type(page).model_fields]
    context = {
        "works": catalogue,
        "page_request": request,
        **{name: getattr(page, name) for name in names},
        "page": page,
        "canonical": request.absolute(page.url),
        "alternate": request.href(page.json_path) if page.json_path else "",
    }
    return str(templates(datasette).get_template(f"whist/{page.template}.html").render(context))


@library.cached_on_it
def templates(datasette: Datasette) -> Environment:
    """The Jinja environment of our templates, which are full of macros and await nothing.

    Datasette's own environment compiles asynchronous templates, which take three times as long.
    """
    return cast(Environment, datasette.jinja_env.overlay(enable_async=False))
