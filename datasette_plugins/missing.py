"""The not-found page: it lists the pages of the site with the most similar paths."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from typing import Annotated

from datasette_plugins.arguments import shortened
from datasette_plugins.catalogue import Works, works
from datasette_plugins.endpoint import PageRequest
from datasette_plugins.page import JsonAs, Page, Shown, Url, described
from kb.comparison.topics import topics
from kb.read import nearest, queries

# Longer than any id; longer paths, which scanners request, get no suggestions.
LONGEST = 80
PAGES = {
    "about": "About this edition", "search": "Search", "dispute": "Settle a dispute", "compare": "Compare the codes",
    "concepts": "Concepts", "browse": "Alphabetical index", "cite": "Cite",
    "data": "The data",
}  # fmt: skip
_ENDING = re.compile(r"\.\w+$")


def concept_names(conn: sqlite3.Connection) -> dict[str, str]:
    """The labels of the concepts by id; any concept can be used as a topic."""
    return {k.id: k.label for k in queries.concepts(conn)}


@dataclass(frozen=True, slots=True)
class Nearest:
    """An existing page, suggested in place of one that does not exist."""

    id: str
    url: Annotated[str, JsonAs(Url)]
    title: str


class Missing(Page, template="missing"):
    """A path without a page, with the most similar pages."""

    error: str = described("what is wrong, in one sentence")
    nearest: tuple[Nearest, ...] = described("the most similar pages")
    what: Shown[str]
    wanted: Shown[str]
    status: Shown[int] = 404


def missing(
    conn: sqlite3.Connection, request: PageRequest, what: str, wanted: str, names: dict[str, str] | None = None
) -> Missing:
    """Make the page for something that does not exist, with the most similar things that do.

    Args:
        what: the kind of thing wanted, which determines the first segment of the suggested paths.
        wanted: its id.
        names: the names of all things of that kind, by id; if not given, units are searched.
    """
    short = shortened(wanted)
    if names is None:
        ids = nearest.ids(conn, wanted)
        found, catalogue = queries.units(conn, ids), works(conn)
        near = tuple(Nearest(i, f"/{i}", catalogue.full(found[i])) for i in ids)
    else:
        folder = "compare" if what in ("topic", "table of answers", "comparison of codes") else what
        ids = nearest.names(wanted, list(names)) or list(names)[:12]
        near = tuple(Nearest(i, f"/{folder}/{i}", names[i]) for i in ids)
    message = f"There is no {what} {short}"
    return Missing(url=request.path, title=message, error=f"{message}.", nearest=near, what=what, wanted=short)


def nowhere(conn: sqlite3.Connection, request: PageRequest) -> Missing:
    """Make the page for any other missing path; similar works, topics, concepts and provisions are suggested."""
    address = request.parts["wanted"]
    wanted = _ENDING.sub("", address).strip("/").lower()
    catalogue = works(conn)
    near = _nearest(conn, catalogue, wanted) if wanted and len(address) <= LONGEST else []
    return Missing(
        url=address,
        title="Not found",
        error=f"There is no page {address}.",
        nearest=tuple(near),
        what="page",
        wanted=address,
    )


def _nearest(conn: sqlite3.Connection, catalogue: Works, wanted: str) -> list[Nearest]:
    head = wanted.partition("/")[0]
    names = (
        PAGES
        | {f"code/{c}": catalogue.label(c) for c in catalogue.codes}
        | {f"book/{b}": catalogue.label(b) for b in catalogue.books}
    )
    # Most missing paths are not readers' typing errors; the long lists are searched only for those that look like one.
    if nearest.names(head, ("compare", "concept")):
        names |= {f"compare/{t.id}": t.label for t in topics(conn)}
        names |= {f"concept/{k.id}": k.label for k in queries.concepts(conn)}
    near = [Nearest(name, f"/{name}", names[name]) for name in nearest.names(wanted, list(names))]
    if nearest.names(head, [*catalogue.codes, *catalogue.books]):
        ids = nearest.ids(conn, wanted)
        units = queries.units(conn, ids)
        near += [Nearest(i, f"/{i}", catalogue.full(units[i])) for i in ids]
    return near
