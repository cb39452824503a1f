"""What does not exist: the answer that says so, and names what there is instead."""

from __future__ import annotations

import sqlite3

from datasette_plugins.catalogue import works
from datasette_plugins.site import Missing, Nearest, PageRequest
from kb.read import nearest, queries


def shortened(typed: str, most: int = 80) -> str:
    """Shorten typed text that a heading or message repeats."""
    return typed if len(typed) <= most else typed[:most] + "…"


def missing(
    request: PageRequest, what: str, wanted: str, near: tuple[Nearest, ...] = (), hint: str = "", status: int = 404
) -> Missing:
    """Make the answer for something that does not exist.

    Args:
        request: the request.
        what: the kind of thing wanted.
        wanted: its id.
        near: existing things with similar ids.
        hint: a sentence that says what there is.
        status: 400 if it is the address that is wrong.
    """
    title = f"There is no {what} {shortened(wanted)}"
    error = f"{title}. {hint}".strip()
    return Missing(url=request.path, title=title, error=error, nearest=near, wanted=shortened(wanted), status=status)


def missing_provision(conn: sqlite3.Connection, request: PageRequest, wanted: str) -> Missing:
    """Make the answer for a provision that does not exist, with those that have the most similar ids."""
    ids = nearest.ids(conn, wanted)
    found, catalogue = queries.units(conn, ids), works(conn)
    return missing(request, "provision", wanted, tuple(Nearest(i, f"/{i}", catalogue.full(found[i])) for i in ids))
