"""The references that could not be resolved, each with its place and the reason."""

from __future__ import annotations

import sqlite3
from collections import Counter

from datasette_plugins.page import PageRequest, TemplateResponse
from datasette_plugins.shared import parents_of, shortened, works
from kb.desk.unresolved import Unresolved, counts, unresolved
from kb.read import queries


def page(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse:
    """What of the references of all books, or of one (`book`), leads nowhere, or not where its author meant."""
    catalogue = works(conn)
    book = request.get("book")
    notes = [f"There is no book “{shortened(book)}”; all are shown."] if book and book not in catalogue.books else []
    book = book if book in catalogue.books else ""
    chosen = [b for b in catalogue.books.values() if not book or b.id == book]
    known = unresolved(conn)
    found = {b.id: [u for u in known if u.unit.book_id == b.id] for b in chosen}
    every = [u for of_book in found.values() for u in of_book]
    totals = counts(conn)
    context = {
        "works": catalogue,
        "book": catalogue.books.get(book),
        "books": [(b, found[b.id], sum(totals.get(b.id, {}).values())) for b in chosen],
        "statuses": Counter(u.cite.status for u in every),
        "parents": parents_of(conn, (u.unit for u in every)),
        "targets": queries.units(conn, {u.cite.target_id for u in every if u.cite.target_id}),
        "notes": notes,
    }
    data = {
        "book": book or None,
        "notes": notes,
        "counts": {b.id: totals.get(b.id, {}) for b in chosen},
        "references": [_data(u, request) for u in every],
    }
    query = f"?book={book}" if book else ""
    title = f"Unresolved references of {catalogue.label(book)}" if book else "Unresolved references"
    return TemplateResponse("references", title, "/references/unresolved", data, context, query=query)


def _data(found: Unresolved, request: PageRequest) -> dict[str, object]:
    return {
        "unit": found.unit.id,
        "book": found.unit.book_id,
        "page": found.unit.page,
        "raw_start": found.cite.raw_start,
        "raw_end": found.cite.raw_end,
        "raw": found.cite.raw,
        "words": found.words,
        "before": found.before,
        "after": found.after,
        "status": found.cite.status,
        "target_id": found.cite.target_id,
        "confidence": found.cite.confidence,
        "note": found.note,
        "evidence": request.absolute(f"/{found.unit.id}/evidence"),
    }
