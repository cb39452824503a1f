"""About the library: how its text is made, who judged what and how, and when it was built."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from datasette_plugins import library
from datasette_plugins.catalogue import works
from datasette_plugins.site import PageRequest, SitePage
from kb.read import queries


@dataclass(frozen=True)
class Edited:
    """A book: the checksum and the length of its OCR text, and the number of edits by kind and by source."""

    id: str
    sha256: str
    characters: int
    kinds: Mapping[str, int]
    sources: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class AboutPage(SitePage):
    """About the library; `judged` counts what the editor wrote."""

    template: ClassVar[str] = "about"
    books: Sequence[Edited]
    judged: Mapping[str, int]
    build: str
    built: str
    software: str


def about(conn: sqlite3.Connection, request: PageRequest) -> AboutPage:
    """How the library is made, with the numbers of this build."""
    rows, kinds = queries.tables(conn), defaultdict[str, Counter[str]](Counter)
    sources: dict[str, Counter[str]] = defaultdict(Counter)
    for book, kind, source, n in queries.edit_counts(conn):
        kinds[book][kind] += n
        sources[book][source] += n
    return AboutPage(
        url="/about",
        title="About this library",
        description="How the texts of the old codes of whist are made from scanned books, who judged what and how, "
        "what the marks mean, and how to cite a law.",
        books=[
            Edited(book, *(queries.scan_facts(conn, book) or ("", 0)), kinds[book], sources[book])
            for book in works(conn).books
        ],
        judged={table: rows.get(table, 0) for table in ("question", "answer", "equivalence", "gloss", "digest")},
        build=request.build,
        built=request.built,
        software=library.release(),
    )
