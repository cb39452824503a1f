"""The front page and the page about the edition."""

from __future__ import annotations

import sqlite3
from collections import Counter

from datasette_plugins import shapes
from datasette_plugins.page import PageRequest, TemplateResponse
from datasette_plugins.present import timeline
from datasette_plugins.shared import works
from kb.comparison import treatment as comparison
from kb.read import queries


def home(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse:
    """The codes on a time line, the topics, the concepts and the books."""
    catalogue = works(conn)
    counts = queries.kind_counts(conn)
    laws = {c: counts.get(c, {}).get("law", 0) for c in catalogue.codes}
    topics = comparison.topics(conn)
    concepts = queries.concepts(conn)
    frequent = sorted(sorted(concepts, key=lambda k: -k.units)[:36], key=lambda k: k.label)
    printed = {b: {b, *(c.id for c in catalogue.codes.values() if c.book_id == b)} for b in catalogue.books}
    books = {b: sum((Counter(counts.get(work, {})) for work in works_in), Counter()) for b, works_in in printed.items()}
    data = {
        "codes": [
            {**_row(c), "laws": laws[c.id], "url": request.absolute(f"/code/{c.id}")} for c in catalogue.codes.values()
        ],
        "books": [{**_row(b), "url": request.absolute(f"/book/{b.id}")} for b in catalogue.books.values()],
        "topics": topics,
        "concepts": concepts,
    }
    context = {
        "works": catalogue,
        "laws": laws,
        "line": timeline(list(catalogue.codes.values()), laws),
        "topics": topics,
        "concepts": frequent,
        "all_concepts": len(concepts),
        "books": books,
    }
    return TemplateResponse("home", "The Law Library of Whist", "/", data, context,
                "The laws of whist as printed from 1829 to 1894: searched, compared and cited.")  # fmt: skip


def about(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse:
    """How the edition is made and how to use it, with the numbers of this build."""
    catalogue = works(conn)
    edits: dict[str, Counter[str]] = {b: Counter() for b in catalogue.books}
    for book, kind, source, n in queries.edit_counts(conn):
        edits[book][kind] += n
        edits[book][f"by {source}"] += n
    facts = {b: queries.scan_facts(conn, b) for b in catalogue.books}
    data = {
        "books": [{"id": b, "scan": facts[b], "edits": edits[b]} for b in catalogue.books],
        "json": {path: dict(keys) for path, keys in shapes.SHAPES.items()},
    }
    context = {"works": catalogue, "edits": edits, "facts": facts, "shapes": shapes.SHAPES}
    return TemplateResponse("about", "About this edition", "/about", data, context)


def _row(row: object) -> dict[str, object]:
    return {name: getattr(row, name) for name in row.__slots__}  # type: ignore[attr-defined]
