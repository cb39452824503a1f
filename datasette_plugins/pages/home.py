"""The front page: the box, what whist is, the codes, the topics on which they are compared, and the books."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from datasette_plugins.catalogue import works
from datasette_plugins.site import PageRequest, SitePage
from kb.comparison.topics import topics
from kb.read import queries
from kb.read.rows import BookRow, CodeRow, TopicRow


@dataclass(frozen=True)
class CodeEntry:
    """A code; `laws` counts its numbered laws."""

    id: str
    url: str
    title: str
    year: int
    authority: str
    laws: int


@dataclass(frozen=True)
class BookEntry:
    """A book; `holds` counts its units of each kind, those of the codes that it prints among them."""

    id: str
    url: str
    title: str
    author: str
    year: int
    holds: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class HomePage(SitePage):
    """The front page."""

    template: ClassVar[str] = "home"
    codes: Sequence[CodeEntry]
    books: Sequence[BookEntry]
    topics: Sequence[TopicRow]


def home(conn: sqlite3.Connection, request: PageRequest) -> HomePage:
    """The front page."""
    catalogue, counts = works(conn), queries.kind_counts(conn)
    codes = [*catalogue.codes.values()]
    return HomePage(
        url="/",
        title="The Law Library of Whist",
        description="What five codes of whist, from 1829 to 1894, say when something goes wrong at the table: ask a "
        "question, and read the laws, word for word, side by side.",
        codes=[_code(code, counts) for code in codes],
        books=[_book(book, codes, counts) for book in catalogue.books.values()],
        topics=topics(conn),
    )


def _code(code: CodeRow, counts: Mapping[str, Mapping[str, int]]) -> CodeEntry:
    laws = counts.get(code.id, {}).get("law", 0)
    return CodeEntry(code.id, f"/code/{code.id}", code.title, code.year, code.authority, laws)


def _book(book: BookRow, codes: Sequence[CodeRow], counts: Mapping[str, Mapping[str, int]]) -> BookEntry:
    # A dict instead of a set keeps the order, so that one build always gives the same page.
    printed = dict.fromkeys([*(code.id for code in codes if code.book_id == book.id), book.id])
    holds = sum((Counter(counts.get(work, {})) for work in printed), Counter[str]())
    return BookEntry(book.id, f"/book/{book.id}", book.title, book.author, book.year, holds)
