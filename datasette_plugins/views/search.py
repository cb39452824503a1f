"""The search page: the provision itself if a citation was typed, then the units found, with facets."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Literal

from pydantic import BeforeValidator

from datasette_plugins.arguments import shortened
from datasette_plugins.catalogue import parents_of, works
from datasette_plugins.endpoint import PageRequest
from datasette_plugins.page import Brief, Briefs, JsonAs, Named, Paged, Shape, Shown, described
from kb.read import queries, reading
from kb.read.lookup import Resolution
from kb.read.paging import ListPage
from kb.read.reading import UnitText
from kb.read.rows import ConceptRow, UnitRow
from kb.search import search as engine
from kb.search.facets import NAMES, FacetValue, SearchFacet
from kb.search.querylang import loosened, parse

PAGE = 20
MOST_OF_STRETCH = 12
_HIT = re.compile(f"{engine.BEGIN}(.*?){engine.END}")


class Snippet(Shape):
    """A span of text, and whether it is a hit: words that were searched."""

    text: str
    hit: bool


def _parts(snippet: str) -> list[Snippet]:
    """Split a snippet into spans that are hits or not, since JSON should contain no markup of ours."""
    pieces = enumerate(_HIT.split(snippet))
    return [Snippet(text=text, hit=at % 2 == 1) for at, text in pieces if text]


class Hit(Brief):
    """A unit that was found; `twin` is the id of the unit before it, if that has the same text."""

    score: float
    paragraphs: tuple[str, ...]
    snippet: Annotated[tuple[Snippet, ...], BeforeValidator(_parts)]
    twin: str | None


Facets = Annotated[
    dict[Literal["code", "kind", "book", "year"], tuple[FacetValue, ...]],
    BeforeValidator(lambda facets: {facet.name: facet.values for facet in facets}),
]


class Search(
    Paged,
    template="search",
    at=["/search.json"],
    asks={
        "q": "the words, with quotation marks, -word, start*, code:, kind:, book:, year:",
        "code": "a code, by id",
        "kind": "a kind of unit",
        "book": "a book, by id",
        "year": "a year, or two with a hyphen",
        "page": "from 1",
    },
):
    """What a search finds."""

    query: str = described("the query as typed")
    mode: str = described(
        "how it was searched: all (words), some (words), browse (filters only), named (a citation) or none"
    )
    total: int = described("number of units found")
    answers: Briefs = described("the provisions that a typed citation means")
    hits: Annotated[Sequence[engine.Hit], JsonAs(tuple[Hit, ...])] = described(
        "the results, best first; a higher score is better; twin is the result before it, if that has the same text"
    )
    facets: Annotated[Sequence[SearchFacet], JsonAs(Facets)] = described(
        "filters that narrow the search, with numbers of results"
    )
    concepts: Annotated[Sequence[ConceptRow], JsonAs(tuple[Named, ...])] = described("concepts that the query names")
    works_named: Sequence[Named] = described("the codes or books that the query names, if it says nothing else")
    joined: int = described("number of results that match by other words or by their heading")
    corrected: str | None = described("the query with its spelling corrected, if this was searched, or null")
    literal: str | None = described(
        "a query for the typed words as they are, if they were understood otherwise, or null"
    )
    suggestion: str | None = described("a query with another spelling of words that are not in these books, or null")
    notes: Sequence[str] = described("parts of the query that were ignored, or understood as a year or a work")
    passages: Shown[Sequence[tuple[UnitRow, UnitText]]]
    result: Shown[engine.SearchResult]
    looser: Shown[Sequence[tuple[str, str]]]
    named: Shown[Resolution]
    parents: Shown[Mapping[str, UnitRow]]
    within: Shown[Mapping[str, UnitRow]]
    choices: Shown[Sequence[tuple[SearchFacet, Sequence[tuple[FacetValue, str]]]]]
    page_request: Shown[PageRequest]


def search(conn: sqlite3.Connection, request: PageRequest) -> Search:
    """Search by `q`, narrowed by any number of `code`, `kind`, `year` and `book`, from result page `page`."""
    text = request.get("q")
    number = request.number("page", 1, 1, 500)
    found = partial(
        engine.search_or_cite,
        conn,
        codes=request.all("code"),
        kinds=request.all("kind"),
        books=request.all("book"),
        years=request.all("year"),
        limit=PAGE,
    )
    result, typed = found(text, offset=(number - 1) * PAGE)
    place = ListPage(number, PAGE, result.total)
    if number > place.number:
        result, typed = found(text, offset=place.skipped)
    # URLs are made only from what was understood, so that they cannot grow with the rest.
    text = text[: engine.MOST_LETTERS]
    request = replace(request, args={"q": [text], **{name: list(result.given[name]) for name in NAMES}})
    # In the URLs of facet values, restrictions from the words of the query (`code:` ...) become chosen values too.
    counted = replace(request, args={"q": [result.rest], **{name: list(result.where[name]) for name in NAMES}})
    answers = typed.units[: MOST_OF_STRETCH if typed.every else 6] if place.number == 1 else ()
    parents = parents_of(conn, [*answers, *(h.unit for h in result.hits)])
    within = queries.units(conn, (p for h in result.hits for p in h.paragraphs))
    codes = result.given["code"]
    return Search(
        url="/search" + request.query(page=[place.number] if place.number > 1 else None),
        title=f"Search: {shortened(text)}" if text else "Search",
        query=text,
        mode=result.mode,
        total=result.total,
        place=place,
        address=lambda number: "/search" + request.query(page=[number]),
        answers=answers,
        hits=result.hits,
        facets=result.facets,
        concepts=result.concepts,
        works_named=[Named(id=work, label=works(conn).label(work)) for work in result.works],
        joined=result.joined,
        corrected=result.corrected,
        literal=result.literal,
        suggestion=result.suggestion,
        notes=[*result.notes, *result.understood, *filter(None, [typed.note])],
        passages=[(u, reading.passage(conn, u)) for u in answers],
        result=result,
        looser=[(what, less) for what, less in loosened(parse(text)) if not result.total and found(less)[0].total],
        named=typed,
        parents=parents,
        within=within,
        club=codes[0] if len(codes) == 1 else "",
        choices=[
            (f, [(v, _choice(counted, f.name, v)) for v in f.values])
            for f in result.facets
            if len(f.values) > 1 or any(v.chosen for v in f.values)
        ],
        page_request=request,
    )


def _choice(request: PageRequest, name: str, value: FacetValue) -> str:
    """The URL of the search without a value if it is chosen, else with it; "" if that is not possible.

    A value chosen by the words of the query can only be removed there.
    """
    given = request.all(name)
    if not value.chosen:
        return "/search" + request.query(**{name: [*given, value.value]}) if len(given) < engine.MOST_FIELDS else ""
    others = [v for v in given if not engine.means(name, v, value.value)]
    return "/search" + request.query(**{name: others}) if len(others) < len(given) else ""
