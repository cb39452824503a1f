"""The not-found page: what does not exist, and the search box."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Annotated

from datasette_plugins.catalogue import works
from datasette_plugins.endpoint import PageRequest
from datasette_plugins.page import JsonAs, Page, Shown, Url, described
from kb.read import nearest, queries


@dataclass(frozen=True, slots=True)
class Nearest:
    """An existing provision whose id is similar to one that does not exist."""

    id: str
    url: Annotated[str, JsonAs(Url)]
    title: str


class Missing(Page, template="missing"):
    """A path without a page."""

    error: str = described("what is wrong, in one sentence")
    nearest: tuple[Nearest, ...] = described("if a provision was wanted: those with the most similar ids")
    what: Shown[str]
    wanted: Shown[str]
    hint: Shown[str] = ""
    status: Shown[int] = 404


def shortened(typed: str, most: int = 80) -> str:
    """Shorten typed text that a heading or message repeats."""
    return typed if len(typed) <= most else typed[:most] + "…"


def missing(
    request: PageRequest, what: str, wanted: str, near: tuple[Nearest, ...] = (), hint: str = "", status: int = 404
) -> Missing:
    """Make the page for something that does not exist.

    Args:
        what: the kind of thing wanted.
        wanted: its id.
        near: existing things with similar ids.
        hint: a sentence that says what there is.
        status: 400 if it is the address that is wrong.
    """
    short = shortened(wanted)
    message = f"There is no {what} {short}"
    error = f"{message}. {hint}".strip()
    return Missing(
        url=request.path, title=message, error=error, nearest=near, what=what, wanted=short, hint=hint, status=status
    )


def missing_provision(conn: sqlite3.Connection, request: PageRequest, wanted: str) -> Missing:
    """Make the page for a provision that does not exist; its JSON names those with the most similar ids."""
    ids = nearest.ids(conn, wanted)
    found, catalogue = queries.units(conn, ids), works(conn)
    return missing(request, "provision", wanted, tuple(Nearest(i, f"/{i}", catalogue.full(found[i])) for i in ids))
