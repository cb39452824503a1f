"""What several views need: what an address chooses, and the page for an address that leads nowhere."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Annotated

from datasette_plugins.catalogue import Works, works
from datasette_plugins.endpoint import PageRequest
from datasette_plugins.page import As, Page, Shown, Url, says
from kb.comparison import table
from kb.read import lookup, queries

# What `build` does in the address of a comparison.
BUILD_ASKED = "a build by name: notes say if another one is served now"
# So many values of a field are told of when they name nothing.
MOST_NOTES = 5


def at_page(number: int) -> str:
    """The query string that names a page of a list; the first needs none."""
    return f"?page={number}" if number > 1 else ""


def shortened(typed: str, most: int = 80) -> str:
    """What was typed, as a heading or message repeats it: cut if nobody would read it to its end."""
    return typed if len(typed) <= most else typed[:most] + "…"


def rebuilt(request: PageRequest) -> list[str]:
    """A note if the address names another build than the one that is served."""
    build = request.get("build")
    if not build or not request.build or build == request.build:
        return []
    return [f"The library has been rebuilt since this address was made: it names build {shortened(build)}, "
            f"this is build {request.build}. Answers and texts may have changed."]  # fmt: skip


def club(request: PageRequest, catalogue: Works) -> tuple[str, list[str]]:
    """The code that the reader's club plays, as an address has it in `code`: "" for all; with notes on what is none."""
    given = [value.strip() for value in request.all("code")]
    known = [value for value in given if value in catalogue.codes]
    unknown = [value for value in given if value not in catalogue.codes]
    notes = [f"There is no code “{shortened(value)}”; it was left out." for value in unknown[:1]]
    notes += [f"Only one code can be chosen; this is {catalogue.label(known[0])}."] if len(set(known)) > 1 else []
    return (known[0] if known else ""), notes


@dataclass(frozen=True, slots=True)
class Option:
    """A code that may be chosen, and the address of the page with the code in the first place."""

    id: str
    chosen: bool
    first: str = ""


def named_codes(request: PageRequest, catalogue: Works) -> tuple[tuple[str, ...], list[str]]:
    """The codes that `codes` names, by commas or repeated, in their order; with notes on what is left out of it."""
    given = dict.fromkeys(v.strip() for field in request.all("codes") for v in field.split(",") if v.strip())
    unknown = [value for value in given if value not in catalogue.codes]
    notes = [f"There is no code “{shortened(value)}”; it was left out." for value in unknown[:MOST_NOTES]]
    if len(unknown) > MOST_NOTES:
        notes.append(f"{len(unknown) - MOST_NOTES} more names of codes that do not exist were left out.")
    known = tuple(value for value in given if value in catalogue.codes)
    if len(known) > table.MOST:
        notes.append(f"{len(known)} codes were named; the first {table.MOST} of them are shown.")
    return known[: table.MOST], notes


def concept_names(conn: sqlite3.Connection) -> dict[str, str]:
    """The concepts by id, each of which will do as a topic."""
    return {k.id: k.label for k in queries.concepts(conn)}


@dataclass(frozen=True, slots=True)
class Nearest:
    """Something that exists, for a page about something that does not."""

    id: str
    url: Annotated[str, As(Url)]
    title: str


class Missing(Page, template="missing"):
    """An address that leads nowhere: it names what is nearest."""

    error: str = says("one sentence")
    nearest: tuple[Nearest, ...] = says("what is nearest to it")
    what: Shown[str]
    wanted: Shown[str]
    status: Shown[int] = 404


def missing(
    conn: sqlite3.Connection, request: PageRequest, what: str, wanted: str, names: dict[str, str] | None = None
) -> Missing:
    """The page for an address that leads nowhere.

    Args:
        what: the kind of thing wanted, which begins the paths of its like; units stand at the root.
        names: all things of that kind by id; units if not given.
    """
    short = shortened(wanted)
    if names is None:
        ids = lookup.nearest_ids(conn, wanted)
        found, catalogue = queries.units(conn, ids), works(conn)
        near = tuple(Nearest(i, f"/{i}", catalogue.full(found[i])) for i in ids)
    else:
        folder = "compare" if what in ("topic", "table of answers", "comparison of codes") else what
        ids = lookup.nearest(wanted, list(names)) or list(names)[:12]
        near = tuple(Nearest(i, f"/{folder}/{i}", names[i]) for i in ids)
    told = f"There is no {what} {short}"
    return Missing(url=request.path, title=told, error=f"{told}.", nearest=near, what=what, wanted=short)
