"""The references that could not be resolved, each with its place and the reason."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import AliasPath, BeforeValidator, Field

from datasette_plugins.arguments import shortened
from datasette_plugins.catalogue import parents_of, works
from datasette_plugins.endpoint import PageRequest
from datasette_plugins.page import As, Id, MaybeId, Notes, Page, Shape, Share, Shown, Url, says
from kb.desk.unresolved import Unresolved as UnresolvedReference
from kb.desk.unresolved import counts, unresolved
from kb.read import queries
from kb.read.rows import BookRow, UnitRow


def _of_unit(name: str) -> Any:
    return Field(validation_alias=AliasPath("unit", name))


def _of_citation(name: str) -> Any:
    return Field(validation_alias=AliasPath("cite", name))


class Open(Shape):
    """A reference that could not be resolved, or that the author got wrong, with the words around it."""

    unit: Id
    book: str = _of_unit("book_id")
    page: str | None = _of_unit("page")
    raw_start: int = _of_citation("raw_start")
    raw_end: int = _of_citation("raw_end")
    raw: str = _of_citation("raw")
    words: str
    before: str
    after: str
    status: Literal["ambiguous", "dangling", "foreign", "slip"] = _of_citation("status")
    target_id: str | None = _of_citation("target_id")
    confidence: Share = _of_citation("confidence")
    note: str | None
    evidence: Annotated[Url, BeforeValidator(lambda unit: f"/{unit.id}/evidence")] = Field(validation_alias="unit")


class Unresolved(
    Page,
    template="references",
    at=["/references/unresolved.json"],
    asks={"book": "only this book, by id"},
):
    """Unresolved references, with the reasons."""

    book: Annotated[BookRow | None, As(MaybeId)] = says("id of the book chosen, or null")
    notes: Notes
    counts: Mapping[str, Mapping[str, int]] = says(
        "by book, how many references of each status it has, resolved ones among them"
    )
    references: Annotated[Sequence[UnresolvedReference], As(tuple[Open, ...])] = says(
        "each reference, with the words around it as they are read"
    )
    books: Shown[Sequence[tuple[BookRow, Sequence[UnresolvedReference], int]]]
    parents: Shown[Mapping[str, UnitRow]]
    targets: Shown[Mapping[str, UnitRow]]


def page(conn: sqlite3.Connection, request: PageRequest) -> Unresolved:
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
