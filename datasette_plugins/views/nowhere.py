"""The page for an address that leads nowhere: it names the pages of the site that are nearest to it."""

from __future__ import annotations

import re
import sqlite3

from datasette_plugins.catalogue import Works, works
from datasette_plugins.endpoint import PageRequest
from datasette_plugins.shared import Missing, Nearest
from kb.comparison.topics import topics
from kb.read import lookup, queries

# Longer than any id; what scanners ask for is compared with nothing.
LONGEST = 80
PAGES = {
    "about": "About this edition", "search": "Search", "dispute": "Settle a dispute", "compare": "Compare the codes",
    "concepts": "Concepts", "browse": "Alphabetical index", "cite": "Cite", "cite/verify": "Check citations",
    "data": "The data",
}  # fmt: skip
_ENDING = re.compile(r"\.\w+$")


def nowhere(conn: sqlite3.Connection, request: PageRequest) -> Missing:
    """Any address without a page; the nearest are looked for among works, topics, concepts and provisions."""
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
    # Most of what is asked for in vain is no slip of a reader's: the long lists are looked through only for what is.
    if lookup.nearest(head, ("compare", "concept")):
        names |= {f"compare/{t.id}": t.label for t in topics(conn)}
        names |= {f"concept/{k.id}": k.label for k in queries.concepts(conn)}
    near = [Nearest(name, f"/{name}", names[name]) for name in lookup.nearest(wanted, list(names))]
    if lookup.nearest(head, [*catalogue.codes, *catalogue.books]):
        ids = lookup.nearest_ids(conn, wanted)
        units = queries.units(conn, ids)
        near += [Nearest(i, f"/{i}", catalogue.full(units[i])) for i in ids]
    return near
