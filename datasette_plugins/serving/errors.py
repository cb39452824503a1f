"""Error responses for visitors, and what is logged of errors."""

from __future__ import annotations

import logging
import sqlite3
from dataclasses import dataclass

from datasette.app import Datasette
from datasette.database import QueryInterrupted
from datasette.utils import InvalidSql
from datasette.utils.asgi import Base400, Forbidden, NotFound, Request, Response
from datasette.views.base import DatasetteError

from datasette_plugins import address, library
from datasette_plugins.answering.headers import SECURITY
from datasette_plugins.endpoint import rendered
from datasette_plugins.page import Page, Shown
from datasette_plugins.routes import is_own

log = logging.getLogger("whist.site")
TITLES = {
    400: "This address cannot be read", 403: "Not open to visitors", 404: "Not found", 405: "Read-only",
    414: "Too long", 500: "Something went wrong here", 503: "This takes too long",
}  # fmt: skip
NO_ROW = "There is no such table or row."
CLOSED = "This is not open to visitors; you can download the whole database at /data and run any query on it."
ARGUMENTS = "The address names a row, column or argument that the table does not have."
TOO_LONG = "This query takes too long; ask for less."
BROKEN = "The server could not make this page. The error was noted in its log."
# What Datasette's pages raise when they cannot interpret an argument or a row's key. The file cannot change, so the
# only fault left to the server is a damaged or unreadable file, which is another sqlite3.DatabaseError.
_BAD_ARGUMENTS = (
    ValueError, LookupError, TypeError, AttributeError, AssertionError, ArithmeticError, InvalidSql,
    sqlite3.OperationalError, sqlite3.ProgrammingError, sqlite3.InterfaceError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Failure:
    """An error response: its status, one sentence for the visitor, and its own headers."""

    status: int
    sentence: str
    headers: tuple[tuple[str, str], ...] = ()


class ErrorPage(Page, template="error"):
    """A page that states an error."""

    sentence: Shown[str]


def fault_of(exception: Exception, own: bool) -> Failure:
    """Find the error response for an exception.

    Args:
        own: whether a page of the site raised it; then a slow query gives 503, and an unexpected exception 500.
    """
    if isinstance(exception, QueryInterrupted) or (own and exception.args == ("interrupted",)):
        return Failure(503 if own else 400, TOO_LONG)
    if isinstance(exception, NotFound):
        return Failure(404, NO_ROW)
    if isinstance(exception, Forbidden):
        return Failure(403, CLOSED)
    if isinstance(exception, DatasetteError):
        status = exception.status if 400 <= exception.status < 500 else 400
        # The only message that Datasette writes in HTML is that for an interrupted query.
        sentence = TOO_LONG if exception.message_is_html else _sentence(exception.message)
        return Failure(status, NO_ROW if status == 404 else sentence)
    if isinstance(exception, Base400):
        return Failure(exception.status, _sentence(str(exception)))
    if not own and isinstance(exception, _BAD_ARGUMENTS):
        return Failure(400, ARGUMENTS)
    return Failure(500, BROKEN)


def concerns(datasette: Datasette, request: Request) -> bool:
    """Whether a request is for a page of ours or the tables of a knowledge base; Datasette answers all others."""
    path, tables = address.path(datasette, request.scope), library.routes(datasette)
    return bool(tables) and (is_own(path) or address.first_segment(path) in tables)


async def of_exception(datasette: Datasette, request: Request, exception: Exception) -> Response:
    """Make the response to a request that ended in an exception; only the server's own faults are logged."""
    fault = fault_of(exception, is_own(address.path(datasette, request.scope)))
    if fault.status == 500:
        log.error("%s %r failed: %s", request.method, request.path, type(exception).__name__, exc_info=exception)
    return await respond(datasette, request.path, fault)


async def respond(datasette: Datasette, path: str, fault: Failure) -> Response:
    """Make an error response: a page of the site, or JSON if that was requested."""
    headers = SECURITY | {"Cache-Control": "no-store"} | dict(fault.headers)
    if path.lower().endswith(".json"):
        return Response.json({"error": fault.sentence, "status": fault.status}, fault.status, headers)
    title = TITLES.get(fault.status, "Not possible")
    page = ErrorPage(url="", title=title, status=fault.status, sentence=fault.sentence)
    body = rendered(datasette, page.template, {"page": page, "sentence": page.sentence})
    return Response.html(body, fault.status, headers)


def _sentence(message: str) -> str:
    return message[:1].upper() + message[1:].rstrip(".") + "."
