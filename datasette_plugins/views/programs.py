"""The page about the edition, the page of its data as a whole, and the machine-readable descriptions of its JSON."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from datasette_plugins import library, openapi
from datasette_plugins.catalogue import works
from datasette_plugins.endpoint import Document, PageRequest
from datasette_plugins.missing import Missing, missing
from datasette_plugins.page import DESCRIBED, Page, Shape, Shown, says
from extract.tei.terms import SCHEMA as TEI_SCHEMA
from kb.read import queries
from kb.read.domain import domain
from kb.tables.canned import QUERIES
from kb.tables.metadata import WORD
from kb.tables.schema import TABLES
from kb.tables.views import VIEWS


class Scanned(Shape):
    """The scan of a book (checksum and length) and its edits by kind and source."""

    id: str
    scan: tuple[str, int] | None
    edits: dict[str, int]


class About(Page, template="about", at=["/about.json"]):
    """About the edition."""

    books: Sequence[Scanned] = says("scan (checksum, length) and edits by kind and source")
    keys: dict[str, dict[str, str]] = says("this list", serialization_alias="json")
    links: Shown[Mapping[str, int]]


def about(conn: sqlite3.Connection, request: PageRequest) -> About:
    """How the edition is made and how to use it, with the numbers of this build."""
    edits: dict[str, Counter[str]] = {b: Counter() for b in works(conn).books}
    for book, kind, source, n in queries.edit_counts(conn):
        edits[book][kind] += n
        edits[book][f"by {source}"] += n
    return About(
        url="/about",
        title="About this edition",
        books=[Scanned(id=b, scan=queries.scan_facts(conn, b), edits=counted) for b, counted in edits.items()],
        keys={address: dict(openapi.keys(page)) for address, (page, _) in DESCRIBED.items()},
        links=queries.link_counts(conn),
    )


class TableListed(Shape):
    """A table or view; its rows are at `url`, and at `url` with .json or .csv."""

    name: str
    note: str
    rows: int
    url: str


class QueryListed(Shape):
    """A saved query; its answer is at `url`, and at `url` with .json or .csv."""

    name: str
    title: str
    note: str
    url: str


class Data(Page, template="data", at=["/data.json"]):
    """The data as a whole: the file, its tables, and saved queries."""

    file: str = says("address of the SQLite file")
    bytes: int = says("its size")
    tables: Sequence[TableListed] = says("its tables and views")
    queries: Sequence[QueryListed] = says("saved queries")
    documents: Shown[Sequence[tuple[str, str]]]
    views: Shown[Sequence[str]]
    name: Shown[str]


def data(conn: sqlite3.Connection, request: PageRequest) -> Data:
    """How to get the data: the file, its tables, saved queries, and the URLs for programs."""
    base = request.absolute(f"/{library.served(conn)}")
    notes = {t.name: t.note for t in TABLES} | {v.name: v.note for v in VIEWS} | {"word": WORD}
    return Data(
        url="/data",
        title="The data",
        description="The knowledge base as a file, as tables, and as saved queries.",
        file=f"{base}.db",
        bytes=queries.size(conn),
        tables=[
            TableListed(name=name, note=notes.get(name, ""), rows=rows, url=f"{base}/{name}")
            for name, rows in queries.tables(conn).items()
        ],
        queries=[QueryListed(name=q.name, title=q.title, note=q.note, url=f"{base}/{q.name}") for q in QUERIES],
        documents=[(path, note) for path, (_, note) in openapi.DOCUMENTS.items()],
        views=[v.name for v in VIEWS],
        name=library.served(conn),
    )


def description(conn: sqlite3.Connection, request: PageRequest) -> Document:
    """The OpenAPI description of all URLs that return data."""
    info = domain(conn).library
    return _json(openapi.openapi(library.release(), info.title, info.rights, info.rights_url), "application/json")


def schema(conn: sqlite3.Connection, request: PageRequest) -> Document | Missing:
    """The JSON Schema of a page, by its name."""
    name, known = request.parts["name"], openapi.schemas()
    if name not in known:
        return missing(conn, request, "schemas", name, {n: n for n in known})
    return _json(known[name], "application/schema+json")


def tei_schema(conn: sqlite3.Connection, request: PageRequest) -> Document:
    """The schema that the TEI documents follow."""
    return Document(TEI_SCHEMA.read_text("utf-8"), "application/xml; charset=utf-8")


def _json(content: dict[str, Any], kind: str) -> Document:
    return Document(json.dumps(content, ensure_ascii=False, indent=1), f"{kind}; charset=utf-8")
