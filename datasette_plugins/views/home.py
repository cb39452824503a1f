"""The pages on the library as a whole: front page, about, data, and the machine-readable descriptions of its JSON."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from datasette_plugins import library, openapi
from datasette_plugins.catalogue import works
from datasette_plugins.endpoint import Document, PageRequest
from datasette_plugins.missing import Missing, missing
from datasette_plugins.page import DESCRIBED, JsonAs, Page, Shape, Shown, Url, described
from extract.corpus.domain import Domain
from extract.tei import SCHEMA as TEI_SCHEMA
from kb.comparison.topics import topics as all_topics
from kb.read import queries
from kb.read.domain import domain
from kb.read.rows import BookRow, CodeRow, ConceptRow, TopicRow
from kb.tables.canned import QUERIES
from kb.tables.metadata import WORD
from kb.tables.schema import TABLES
from kb.tables.views import VIEWS


@dataclass(frozen=True, slots=True)
class CodeListed(CodeRow):
    """A code, with how many numbered provisions it has (`laws`)."""

    laws: int
    url: Annotated[str, JsonAs(Url)]


@dataclass(frozen=True, slots=True)
class BookListed(BookRow):
    """A book."""

    url: Annotated[str, JsonAs(Url)]


class Home(Page, template="home", at=["/index.json"]):
    """The front page."""

    codes: Sequence[CodeListed] = described("every code, with its number of laws and its address")
    books: Sequence[BookListed] = described("every book, with its address")
    topics: Sequence[TopicRow] = described("the topics")
    concepts: Sequence[ConceptRow] = described("the concepts")
    frequent: Shown[Sequence[ConceptRow]]
    holdings: Shown[Mapping[str, Mapping[str, int]]]
    tagline: Shown[str]


def home(conn: sqlite3.Connection, request: PageRequest) -> Home:
    """The codes, the topics, the concepts and the books."""
    catalogue, about = works(conn), domain(conn)
    counts = queries.kind_counts(conn)
    laws = {c: counts.get(c, {}).get("law", 0) for c in catalogue.codes}
    concepts = queries.concepts(conn)
    # Dicts instead of sets keep the order, so that one build always gives the same page.
    printed = {
        b: dict.fromkeys((*(c.id for c in catalogue.codes.values() if c.book_id == b), b)) for b in catalogue.books
    }
    return Home(
        url="/",
        title=about.library.title,
        description=about.library.description or about.library.title,
        codes=[CodeListed(**asdict(c), laws=laws[c.id], url=f"/code/{c.id}") for c in catalogue.codes.values()],
        books=[BookListed(**asdict(b), url=f"/book/{b.id}") for b in catalogue.books.values()],
        topics=all_topics(conn),
        concepts=concepts,
        frequent=sorted(sorted(concepts, key=lambda k: -k.units)[:36], key=lambda k: k.label),
        holdings={b: sum((Counter(counts.get(work, {})) for work in of), Counter()) for b, of in printed.items()},
        tagline=_tagline(about, [code.year for code in catalogue.codes.values()]),
    )


def _tagline(about: Domain, years: Sequence[int]) -> str:
    """The tagline with the first and last year of the codes; empty if it needs years and there are no codes."""
    line = about.library.tagline
    if not years:
        return "" if "{" in line else line
    return line.replace("{first}", str(min(years))).replace("{last}", str(max(years)))


class Scanned(Shape):
    """The scan of a book (checksum and length) and its edits by kind and source."""

    id: str
    scan: tuple[str, int] | None
    edits: dict[str, int]


class About(Page, template="about", at=["/about.json"]):
    """About the edition."""

    books: Sequence[Scanned] = described("the books: scan (checksum, length), and number of edits by kind and source")
    keys: dict[str, dict[str, str]] = described(
        "the keys of the JSON of each page, with their meanings", serialization_alias="json"
    )
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
    """A table or view; `url` is its page, and `url` with .json or .csv its first rows (with `_size=max` up to 500)."""

    name: str
    note: str
    rows: int
    url: str


class QueryListed(Shape):
    """A saved query; `url` is its page, and `url` with .json or .csv its results, at most 500 rows."""

    name: str
    title: str
    note: str
    url: str


class Data(Page, template="data", at=["/data.json"]):
    """The data: the file, its tables and views, and saved queries."""

    file: str = described("address of the SQLite file")
    bytes: int = described("size of the file, in bytes")
    tables: Sequence[TableListed] = described("the tables and views")
    queries: Sequence[QueryListed] = described("the saved queries")
    documents: Shown[Sequence[tuple[str, str]]]
    views: Shown[Sequence[str]]


def data(conn: sqlite3.Connection, request: PageRequest) -> Data:
    """How to get the data: the file, its tables, saved queries, and the URLs for programs."""
    base = request.absolute(f"/{library.served(conn)}")
    notes = {t.name: t.note for t in TABLES} | {v.name: v.note for v in VIEWS} | {"word": WORD}
    return Data(
        url="/data",
        title="The data",
        description="The knowledge base as a file, as tables and as saved queries.",
        file=f"{base}.db",
        bytes=queries.size(conn),
        tables=[
            TableListed(name=name, note=notes.get(name, ""), rows=rows, url=f"{base}/{name}")
            for name, rows in queries.tables(conn).items()
        ],
        queries=[QueryListed(name=q.name, title=q.title, note=q.note, url=f"{base}/{q.name}") for q in QUERIES],
        documents=[(path, note) for path, (_, note) in openapi.DOCUMENTS.items()],
        views=[v.name for v in VIEWS],
    )


def description(conn: sqlite3.Connection, request: PageRequest) -> Document:
    """The OpenAPI description of all URLs that return data."""
    info = domain(conn).library
    return _json(openapi.openapi(library.release(), info.title, info.rights, info.rights_url), "application/json")


def schema(conn: sqlite3.Connection, request: PageRequest) -> Document | Missing:
    """The JSON Schema of a page, by its name."""
    name, known = request.parts["name"], openapi.schemas()
    if name not in known:
        return missing(request, "schema", name)
    return _json(known[name], "application/schema+json")


def tei_schema(conn: sqlite3.Connection, request: PageRequest) -> Document:
    """The schema that the TEI documents follow."""
    return Document(TEI_SCHEMA.read_text("utf-8"), "application/xml; charset=utf-8")


def _json(content: dict[str, Any], kind: str) -> Document:
    return Document(json.dumps(content, ensure_ascii=False, indent=1), f"{kind}; charset=utf-8")
