"""Other forms of an address: `/1864/72`, `/1864/law-72` and `/english-1864/72` lead to the provision they mean."""

from __future__ import annotations

import sqlite3

from datasette_plugins.catalogue import works
from datasette_plugins.endpoint import Moved, PageRequest
from datasette_plugins.shared import Missing, missing
from kb.read import queries
from kb.read.rows import UnitRow


def of_year(conn: sqlite3.Connection, request: PageRequest) -> Missing | Moved:
    """A provision by the year of its code or book; a year that has several works is not guessed at."""
    catalogue = works(conn)
    year, rest = int(request.parts["year"]), request.parts["rest"].lower()
    years = [(w.id, w.year) for w in catalogue.codes.values()] + [(w.id, w.year) for w in catalogue.books.values()]
    of_that_year = [work for work, of in years if of == year]
    found = {u.id for work in dict.fromkeys(of_that_year) if (u := meant(conn, work, rest))}
    if len(found) == 1:
        return Moved(f"/{found.pop()}{'/evidence' if 'evidence' in request.parts else ''}")
    return missing(conn, request, "provision", f"{of_that_year[0] if of_that_year else year}/{rest}")


def meant(conn: sqlite3.Connection, work: str, rest: str) -> UnitRow | None:
    """The unit of a work that the rest of an address means.

    Args:
        work: the id of a code or book.
        rest: an id within it, or the number of a provision with those of its parts: `law-72`, `72`, `72/ii`.
    """
    if unit := queries.find_unit(conn, f"{work}/{rest}"):
        return unit
    number, slash, part = rest.partition("/")
    provision = queries.provision(conn, work, number)
    return queries.find_unit(conn, f"{provision.id}{slash}{part}") if provision else None
