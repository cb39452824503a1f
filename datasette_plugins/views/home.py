"""The front page."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any

from datasette_plugins.arguments import at_page
from datasette_plugins.catalogue import works
from datasette_plugins.endpoint import PageRequest
from datasette_plugins.page import As, Paged, Shape, Shown, Url, says
from datasette_plugins.present import TimeLine, timeline
from extract.corpus.domain import Domain
from kb.comparison.topics import topics as all_topics
from kb.read import queries
from kb.read.domain import domain
from kb.read.paging import ListPage
from kb.read.rows import ConceptRow, TopicRow

WORKS_ON_A_PAGE = 60


class CodeListed(Shape):
    """A code, with how many numbered provisions it has (`laws`)."""

    id: str
    title: str
    short: str
    year: int
    authority: str
    book_id: str
    provision: str
    note: str
    laws: int
    url: Url


class BookListed(Shape):
    """A book."""

    id: str
    title: str
    short: str
    author: str
    year: int
    place: str
    publisher: str
    note: str
    url: Url


class Home(Paged, template="home", at=["/index.json"]):
    """The front page."""

    codes: Annotated[Sequence[Mapping[str, Any]], As(tuple[CodeListed, ...])] = says(
        "every code with its number of provisions (laws) and address"
    )
    books: Annotated[Sequence[Mapping[str, Any]], As(tuple[BookListed, ...])] = says("every book and its address")
    topics: Sequence[TopicRow] = says("the topics")
    concepts: Sequence[ConceptRow] = says("the concepts")
    laws: Shown[Mapping[str, int]]
    line: Shown[TimeLine | None]
    frequent: Shown[Sequence[ConceptRow]]
    holdings: Shown[Mapping[str, Mapping[str, int]]]
    books_at: Shown[Callable[[int], str]]
    tagline: Shown[str]


def home(conn: sqlite3.Connection, request: PageRequest) -> Home:
    """The codes on a time line, the topics, the concepts and the books; many works are split over several pages."""
    catalogue, about = works(conn), domain(conn)
    most = max(len(catalogue.codes), len(catalogue.books))
    place = ListPage(request.number("page", 1, 1, 10_000), WORKS_ON_A_PAGE, most)
    counts = queries.kind_counts(conn)
    laws = {c: counts.get(c, {}).get("law", 0) for c in catalogue.codes}
    concepts = queries.concepts(conn)
    # Dicts instead of sets keep the order, so that one build always gives the same page.
    printed = {
        b: dict.fromkeys((*(c.id for c in catalogue.codes.values() if c.book_id == b), b)) for b in catalogue.books
    }
    return Home(
        url="/" + at_page(place.number),
        title=about.library.title,
        description=about.library.description or about.library.title,
        place=place,
        address=lambda number: f"/{at_page(number)}#codes",
        codes=[asdict(c) | {"laws": laws[c.id], "url": f"/code/{c.id}"} for c in catalogue.codes.values()],
        books=[asdict(b) | {"url": f"/book/{b.id}"} for b in catalogue.books.values()],
        topics=all_topics(conn),
        concepts=concepts,
        laws=laws,
        line=timeline(list(catalogue.codes.values()), laws),
        frequent=sorted(sorted(concepts, key=lambda k: -k.units)[:36], key=lambda k: k.label),
        holdings={b: sum((Counter(counts.get(work, {})) for work in of), Counter()) for b, of in printed.items()},
        books_at=lambda number: f"/{at_page(number)}#books",
        tagline=_tagline(about, [code.year for code in catalogue.codes.values()]),
    )


def _tagline(about: Domain, years: Sequence[int]) -> str:
    """The tagline with the first and last year of the codes; empty if it needs years and there are no codes."""
    line = about.library.tagline
    if not years:
        return "" if "{" in line else line
    return line.replace("{first}", str(min(years))).replace("{last}", str(max(years)))
