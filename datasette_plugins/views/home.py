"""The front page and the page about the edition."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Sequence
from typing import Any

from datasette_plugins import library
from datasette_plugins.page import Document, PageRequest, TemplateResponse
from datasette_plugins.present import timeline
from datasette_plugins.shapes import openapi as described
from datasette_plugins.shapes.pages import TWINS
from datasette_plugins.shared import at_page, works
from extract.corpus.domain import Domain
from extract.tei.terms import SCHEMA as TEI_SCHEMA
from kb.comparison.topics import topics as all_topics
from kb.read import queries
from kb.read.domain import domain
from kb.read.paging import ListPage
from kb.tables.canned import QUERIES
from kb.tables.metadata import WORD
from kb.tables.schema import TABLES
from kb.tables.views import VIEWS

WORKS_ON_A_PAGE = 60


def home(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse:
    """The codes on a time line, the topics, the concepts and the books; of many works, some on each `page`."""
    catalogue, about = works(conn), domain(conn)
    most = max(len(catalogue.codes), len(catalogue.books))
    place = ListPage(request.number("page", 1, 1, 10_000), WORKS_ON_A_PAGE, most)
    counts = queries.kind_counts(conn)
    laws = {c: counts.get(c, {}).get("law", 0) for c in catalogue.codes}
    topics = all_topics(conn)
    concepts = queries.concepts(conn)
    frequent = sorted(sorted(concepts, key=lambda k: -k.units)[:36], key=lambda k: k.label)
    # In an order of their own, lest one build be told in two ways.
    printed = {
        b: dict.fromkeys((*(c.id for c in catalogue.codes.values() if c.book_id == b), b)) for b in catalogue.books
    }
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
        "place": place,
        "address": lambda number: f"/{at_page(number)}#codes",
        "books_at": lambda number: f"/{at_page(number)}#books",
        "tagline": _tagline(about, [code.year for code in catalogue.codes.values()]),
    }
    title = about.library.title
    query = at_page(place.number)
    return TemplateResponse("home", title, "/", data, context, about.library.description or title, query=query)


def _tagline(about: Domain, years: Sequence[int]) -> str:
    """The tagline with the first and the last year of the codes; without codes there are no years to tell."""
    line = about.library.tagline
    if not years:
        return "" if "{" in line else line
    return line.replace("{first}", str(min(years))).replace("{last}", str(max(years)))


def about(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse:
    """How the edition is made and how to use it, with the numbers of this build."""
    catalogue = works(conn)
    edits: dict[str, Counter[str]] = {b: Counter() for b in catalogue.books}
    for book, kind, source, n in queries.edit_counts(conn):
        edits[book][kind] += n
        edits[book][f"by {source}"] += n
    facts = {b: queries.scan_facts(conn, b) for b in catalogue.books}
    shapes = {path: dict(described.keys(twin.model)) for path, twin in TWINS.items()}
    data = {
        "books": [{"id": b, "scan": facts[b], "edits": edits[b]} for b in catalogue.books],
        "json": shapes,
    }
    links = queries.link_counts(conn)
    context = {"works": catalogue, "edits": edits, "facts": facts, "shapes": shapes, "links": links}
    return TemplateResponse("about", "About this edition", "/about", data, context)


def data(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse:
    """How to have the data: the file, its tables, saved queries, and the addresses for programs."""
    base = request.absolute(f"/{library.served(conn)}")
    notes = {t.name: t.note for t in TABLES} | {v.name: v.note for v in VIEWS} | {"word": WORD}
    tables = queries.tables(conn)
    facts: dict[str, Any] = {
        "file": f"{base}.db",
        "bytes": queries.size(conn),
        "tables": [
            {"name": name, "note": notes.get(name, ""), "rows": rows, "url": f"{base}/{name}"}
            for name, rows in tables.items()
        ],
        "queries": [{"name": q.name, "title": q.title, "note": q.note, "url": f"{base}/{q.name}"} for q in QUERIES],
    }
    context = {
        "documents": [(path, note) for path, (_, note) in described.DOCUMENTS.items()],
        "views": [v.name for v in VIEWS],
        "name": library.served(conn),
    }
    return TemplateResponse("data", "The data", "/data", facts, context,
                            "The knowledge base as a file, as tables, and as saved queries.")  # fmt: skip


def openapi(conn: sqlite3.Connection, request: PageRequest) -> Document:
    """The description of all addresses that answer with data, in OpenAPI's terms."""
    told = domain(conn).library
    return _json(described.openapi(library.release(), told.title, told.rights, told.rights_url), "application/json")


def schema(conn: sqlite3.Connection, request: PageRequest) -> Document:
    """The JSON Schema of a page's twin, by its name."""
    return _json(described.schemas()[request.parts["name"]], "application/schema+json")


def tei_schema(conn: sqlite3.Connection, request: PageRequest) -> Document:
    """The schema that the TEI documents follow."""
    return Document(TEI_SCHEMA.read_text("utf-8"), "application/xml; charset=utf-8")


def _json(told: dict[str, Any], kind: str) -> Document:
    return Document(json.dumps(told, ensure_ascii=False, indent=1), f"{kind}; charset=utf-8")


def _row(row: object) -> dict[str, object]:
    return {name: getattr(row, name) for name in row.__slots__}  # type: ignore[attr-defined]
