"""What a visitor is told when something goes wrong, and what the log keeps of it."""

from __future__ import annotations

import logging
import sqlite3
from dataclasses import dataclass
from typing import Any

from datasette.app import Datasette
from datasette.database import QueryInterrupted
from datasette.utils import InvalidSql, tilde_decode
from datasette.utils.asgi import Base400, Forbidden, NotFound, Request, Response
from datasette.views.base import DatasetteError

from datasette_plugins import address, library
from datasette_plugins.answering.headers import SECURITY
from datasette_plugins.endpoint import rendered
from datasette_plugins.page import Page, Shown
from datasette_plugins.routes import is_own

log = logging.getLogger("whist.site")
TITLES = {
    400: "This cannot be read", 403: "Not open to visitors", 404: "Not found", 405: "For reading only",
    414: "Too long", 500: "Something went wrong here", 503: "This takes too long",
}  # fmt: skip
NO_ROW = "There is no such table or row."
CLOSED = "This is not open to visitors; the whole database can be downloaded (/data tells how) and asked anything."
ARGUMENTS = "The tables cannot be asked like this: the address names a row, column or argument they do not have."
TOO_LONG = "This question takes too long to answer; ask for less of it."
BROKEN = "The server failed at this page. The fault is on its side and has been noted in its log."
# What Datasette's pages raise when an argument or a row's key makes no sense to them. The file cannot change, so a
# damaged or unreadable one (another sqlite3.DatabaseError) is all that is left for a fault of the server.
_BAD_ARGUMENTS = (
    ValueError, LookupError, TypeError, AttributeError, AssertionError, ArithmeticError, InvalidSql,
    sqlite3.OperationalError, sqlite3.ProgrammingError, sqlite3.InterfaceError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Failure:
    """An answer that is no page: its status, one sentence for the visitor, and headers that belong to it."""

    status: int
    sentence: str
    headers: tuple[tuple[str, str], ...] = ()


class ErrorPage(Page, template="error"):
    """A page that says what is wrong."""

    sentence: Shown[str]


def fault_of(exception: Exception, own: bool) -> Failure:
    """What an exception means to the visitor.

    Args:
        own: whether it came from a page of the site; there only a slow question is not our own fault.
    """
    if isinstance(exception, QueryInterrupted) or (own and exception.args == ("interrupted",)):
        return Failure(503 if own else 400, TOO_LONG)
    if isinstance(exception, NotFound):
        return Failure(404, NO_ROW)
    if isinstance(exception, Forbidden):
        return Failure(403, CLOSED)
    if isinstance(exception, DatasetteError):
        status = exception.status if 400 <= exception.status < 500 else 400
        # Datasette writes its one message in HTML when a query was interrupted.
        sentence = TOO_LONG if exception.message_is_html else _sentence(exception.message)
        return Failure(status, NO_ROW if status == 404 else sentence)
    if isinstance(exception, Base400):
        return Failure(exception.status, _sentence(str(exception)))
    if not own and isinstance(exception, _BAD_ARGUMENTS):
        return Failure(400, ARGUMENTS)
    return Failure(500, BROKEN)


def concerns(datasette: Datasette, request: Request) -> bool:
    """Whether a request is for a page of ours or the tables of a knowledge base; the rest is Datasette's to answer."""
    database = request.url_vars.get("database")
    if database is None:
        path = address.path(datasette, request.scope)
        if is_own(path):
            return True
        # No route fits it, but it is asked of one of the databases.
        database = path[1:].partition("/")[0].partition(".")[0]
    return any(db.route == tilde_decode(database) and library.holds(db) for db in datasette.databases.values())


async def of_exception(datasette: Datasette, request: Request, exception: Exception) -> Response:
    """The answer to a request that ended in an exception; only what is the server's fault is logged."""
    fault = fault_of(exception, is_own(address.path(datasette, request.scope)))
    if fault.status == 500:
        log.error("%s %r failed: %s", request.method, request.path, type(exception).__name__, exc_info=exception)
    return await respond(datasette, request.path, fault)


async def respond(datasette: Datasette, path: str, fault: Failure) -> Response:
    """A fault as a page of the site, or as JSON where JSON was asked for."""
    data: dict[str, Any] = {"error": fault.sentence, "status": fault.status}
    headers = SECURITY | {"Cache-Control": "no-store"} | dict(fault.headers)
    if path.lower().endswith(".json"):
        return Response.json(data, fault.status, headers)
    title = TITLES.get(fault.status, "Not possible")
    page = ErrorPage(url="", title=title, status=fault.status, sentence=fault.sentence)
    body = rendered(datasette, page.template, {"page": page, "sentence": page.sentence})
    return Response.html(body, fault.status, headers)


def _sentence(message: str) -> str:
    return message[:1].upper() + message[1:].rstrip(".") + "."
