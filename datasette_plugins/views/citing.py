"""Citations: what a typed one means, and the references that lead nowhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import AliasPath, BeforeValidator, Field

from datasette_plugins.arguments import shortened
from datasette_plugins.catalogue import parents_of, works
from datasette_plugins.endpoint import PageRequest, TemporaryRedirect
from datasette_plugins.page import Briefs, Id, JsonAs, MaybeId, Notes, Page, Shape, Share, Shown, Url, described
from kb.desk.unresolved import Unresolved as UnresolvedReference
from kb.desk.unresolved import counts, unresolved
from kb.read import lookup, nearest, queries
from kb.read.rows import BookRow, UnitRow
from kb.read.written import LONGEST, resolve


class Cite(Page, template="cite", at=["/cite.json?q=CITATION"]):
    """What a citation may mean."""

    candidates: Briefs = described(
        "the provisions that it may mean; if there is only one, the response redirects to /ID.json (302)"
    )
    nearest: Sequence[str] = described("similar ids, if it means no provision (status 404)")
    notes: Notes
    error: str = described("if it means no provision: one sentence", default="", exclude_if=lambda error: not error)
    typed: Shown[str]
    ends: Shown[Sequence[tuple[UnitRow, UnitRow]]]
    units: Shown[Sequence[UnitRow]]
    parents: Shown[Mapping[str, UnitRow]]


def cite(conn: sqlite3.Connection, request: PageRequest) -> Cite | TemporaryRedirect:
    """Find the provision that an id or a citation `q` means, or those it may mean.

    If it means none, the status is 404, and the page lists the nearest provisions that exist.
    """
    typed = request.get("q")
    read = typed if len(typed) <= LONGEST else ""
    resolved = resolve(conn, read) if read else lookup.Resolution()
    if len(resolved.units) == 1 and not resolved.note:
        return TemporaryRedirect(f"/{resolved.units[0].id}")
    known = resolved.units or resolved.ends
    near = queries.units(conn, nearest.ids(conn, read)) if read and not known else {}
    units = resolved.units or tuple(near.values())
    lost = bool(typed) and not resolved.units
    return Cite(
        url="/cite" + request.query(q=[read]),
        title="Cite",
        candidates=resolved.units,
        nearest=list(near),
        notes=[resolved.note] if resolved.note else [],
        error=f"“{shortened(typed)}” names no provision here." if lost else "",
        typed=shortened(typed),
        ends=resolved.ends,
        units=units,
        parents=parents_of(conn, units),
        status=404 if lost else 200,
    )


def _within(owner: str, name: str) -> Any:
    """A key whose value is an attribute of an attribute."""
    return Field(validation_alias=AliasPath(owner, name))


class Open(Shape):
    """A reference that could not be resolved, or that the author got wrong, with the words around it."""

    unit: Id
    book: str = _within("unit", "book_id")
    page: str | None = _within("unit", "folio")
    raw_start: int = _within("cite", "raw_start")
    raw_end: int = _within("cite", "raw_end")
    raw: str = _within("cite", "raw")
    words: str
    before: str
    after: str
    status: Literal["ambiguous", "dangling", "foreign", "slip"] = _within("cite", "status")
    target_id: str | None = _within("cite", "target_id")
    confidence: Share = _within("cite", "confidence")
    note: str | None
    evidence: Annotated[Url, BeforeValidator(lambda unit: f"/{unit.id}/evidence")] = Field(validation_alias="unit")


class Unresolved(
    Page,
    template="references",
    at=["/references/unresolved.json"],
    asks={"book": "id of a book: only its references"},
):
    """Unresolved references, with the reasons."""

    book: Annotated[BookRow | None, JsonAs(MaybeId)] = described("id of the chosen book, or null")
    notes: Notes
    counts: Mapping[str, Mapping[str, int]] = described(
        "by book: the number of references of each status, including resolved ones"
    )
    references: Annotated[Sequence[UnresolvedReference], JsonAs(tuple[Open, ...])] = described(
        "each unresolved reference, with the reading text around it"
    )
    books: Shown[Sequence[tuple[BookRow, Sequence[UnresolvedReference], int]]]
    parents: Shown[Mapping[str, UnitRow]]
    targets: Shown[Mapping[str, UnitRow]]


def references(conn: sqlite3.Connection, request: PageRequest) -> Unresolved:
    """The references of all books, or of one (`book`), that lead nowhere or not where their author meant."""
    catalogue = works(conn)
    book = request.get("book")
    notes = [f"There is no book “{shortened(book)}”; all are shown."] if book and book not in catalogue.books else []
    book = book if book in catalogue.books else ""
    chosen = [b for b in catalogue.books.values() if not book or b.id == book]
    known = unresolved(conn)
    found = {b.id: [u for u in known if u.unit.book_id == b.id] for b in chosen}
    every = [u for of_book in found.values() for u in of_book]
    totals = counts(conn)
    return Unresolved(
        url="/references/unresolved" + (f"?book={book}" if book else ""),
        title=f"Unresolved references of {catalogue.label(book)}" if book else "Unresolved references",
        book=catalogue.books.get(book),
        notes=notes,
        counts={b.id: totals.get(b.id, {}) for b in chosen},
        references=every,
        books=[(b, found[b.id], sum(totals.get(b.id, {}).values())) for b in chosen],
        parents=parents_of(conn, (u.unit for u in every)),
        targets=queries.units(conn, {u.cite.target_id for u in every if u.cite.target_id}),
    )
