"""The editor's desk: lists of open work, each item with its place and the next step.

Served only by `whist serve --edit`. Nothing is written: the editor copies entries into the files of the corpus.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from datasette_plugins.catalogue import parents_of, works
from datasette_plugins.endpoint import PageRequest
from datasette_plugins.page import Page, Paged, Shown
from extract.errors import BookError
from kb.desk.emendation import MisreadPlace, block, confirmation, place_at, stretch
from kb.desk.waiting import LISTS, Waiting
from kb.read import queries
from kb.read.paging import ListPage
from kb.read.rows import UnitRow

PER_PAGE = 25
# The heading and description of each list, by its name.
NAMES = {
    "doubts": (
        "Doubtful words",
        "Those that the machine did not change, and readings that the editor left open ([[doubt]] in "
        "errata.toml). Most are right. The command whist suggest lists them too.",
    ),
    "illegible": ("Illegible places", "Words that nobody could read in these scans."),
    "numbering": ("Numbering", "Missing, repeated and doubtful numbers of provisions and pages."),
    "stale": ("Stale judgements", "Judgements whose text has changed since."),
    "open": ("Left open", "Provisions and questions that nobody has judged."),
}


@dataclass(frozen=True, slots=True)
class Task:
    """One open item, as the page shows it, with entries for errata.toml to copy.

    If a reading is proposed, `entry` accepts it, and `rejection` confirms the scan.
    """

    waiting: Waiting
    unit: UnitRow | None
    place: MisreadPlace | None
    entry: str
    rejection: str


class Desk(Page, template="editor"):
    """The number of open items in each list, by book."""

    names: Shown[Mapping[str, tuple[str, str]]] = NAMES
    counts: Shown[Mapping[str, Counter[str | None]]]


class DeskList(Paged, template="editor"):
    """The open items of one list."""

    names: Shown[Mapping[str, tuple[str, str]]] = NAMES
    chosen: Shown[str]
    notes: Shown[Sequence[str]]
    book: Shown[str]
    books: Shown[Mapping[str, int]]
    every: Shown[int]
    tasks: Shown[Sequence[Task]]
    parents: Shown[Mapping[str, UnitRow]]


def overview(conn: sqlite3.Connection, request: PageRequest) -> Desk:
    """Count the open items in each list, by book."""
    counts = {name: Counter(w.book_id for w in LISTS[name](conn)) for name in NAMES}
    return Desk(url=request.path, title="The editor’s desk", counts=counts)


def waiting(conn: sqlite3.Connection, request: PageRequest) -> DeskList:
    """One list, of all books or of one (`book`), page by page."""
    catalogue = works(conn)
    name = request.parts["list"]
    every = LISTS[name](conn)
    book = request.get("book")
    notes = [] if not book or book in catalogue.books else ["There is no such book; all are shown."]
    book = book if book in catalogue.books else ""
    chosen = [w for w in every if not book or w.book_id == book]
    place = ListPage(request.number("page", 1, 1, 10_000), PER_PAGE, len(chosen))
    shown = chosen[place.skipped : place.skipped + place.size]
    units = queries.units(conn, {w.unit_id for w in shown if w.unit_id})
    return DeskList(
        url=request.path,
        title=f"{NAMES[name][0]}: the editor’s desk",
        place=place,
        address=lambda number: request.path + request.query(page=[number]),
        chosen=name,
        notes=notes,
        book=book,
        books=Counter(w.book_id for w in every if w.book_id),
        every=len(every),
        tasks=[_task(conn, w, units) for w in shown],
        parents=parents_of(conn, units.values()),
    )


def _task(conn: sqlite3.Connection, w: Waiting, units: dict[str, UnitRow]) -> Task:
    unit = units.get(w.unit_id or "")
    if w.book_id is None or w.at is None:
        return Task(w, unit, None, "", "")
    place = place_at(conn, unit, w.at) if unit and w.end is None else None
    place = place or stretch(conn, w.book_id, w.at, w.end or w.at, w.unit_id)
    entry = rejection = ""
    if w.guess is not None:
        with suppress(BookError):  # there is another entry; the page says so
            entry = block(conn, place, w.guess, "ocr" if w.guess else "speck", w.message)
            rejection = confirmation(conn, place)
    return Task(w, unit, place, entry, rejection)
