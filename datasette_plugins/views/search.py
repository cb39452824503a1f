"""The search page: the provision itself if a citation was typed, then the units found, with facets."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Literal, NamedTuple

from pydantic import BeforeValidator

from datasette_plugins.arguments import shortened
from datasette_plugins.catalogue import parents_of
from datasette_plugins.endpoint import PageRequest
from datasette_plugins.page import As, Brief, Briefs, Named, Paged, Shape, Shown, says
from kb.read import queries, reading
from kb.read.lookup import Resolution
from kb.read.paging import ListPage
from kb.read.reading import UnitText
from kb.read.rows import ConceptRow, UnitRow
from kb.search import search as engine
from kb.search.facets import SearchFacet

PAGE = 20
MOST_OF_STRETCH = 12
FACETS = ("code", "kind", "book", "year")


class Choice(NamedTuple):
    """A value of a facet, and the URL of the search that adds or removes it, "" if that is not possible."""

    value: engine.FacetValue
    address: str


class Snippet(Shape):
    """A span of text, and whether it is a hit: words that were searched."""

    text: str
    hit: bool


def _parts(snippet: str) -> list[Snippet]:
    """Split a snippet into spans that are hits or not, since JSON should contain no markup of ours."""
    parts: list[Snippet] = []
    for i, piece in enumerate(snippet.split(engine.BEGIN)):
        hit, mark, rest = piece.partition(engine.END) if i else ("", "", piece)
        cut = ((hit, True), (rest if mark or not i else piece, False))
        parts += [Snippet(text=text, hit=is_hit) for text, is_hit in cut if text]
    return parts


class Hit(Brief):
    """A unit that was found; `twin` is the id of the unit before it, if that has the same text."""

    score: float
    paragraphs: tuple[str, ...]
    snippet: Annotated[tuple[Snippet, ...], BeforeValidator(_parts)]
    twin: str | None


class FacetValue(Shape):
    """A value by which a search can be narrowed."""

    value: str
    count: int
    chosen: bool


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

    query: str = says("the words searched")
    mode: str = says("all, some, browse, named (a citation, no search) or none")
    total: int = says("how many units were found")
    answers: Briefs = says("the provisions a typed citation means")
    hits: Annotated[Sequence[engine.Hit], As(tuple[Hit, ...])] = says(
        "what was found, best first; score: more is better; twin: the same text, just before"
    )
    facets: Annotated[Sequence[SearchFacet], As(Facets)] = says("by what the search can be narrowed")
    concepts: Annotated[Sequence[ConceptRow], As(tuple[Named, ...])] = says("concepts the words name")
    joined: int = says("how many of the total have not all the words in their text, but other words or a heading")
    corrected: str | None = says("the query with misspelt words put right, which was searched, or null")
    literal: str | None = says("the query that is searched as it stands, if it was understood otherwise, or null")
    suggestion: str | None = says("the query with words respelled that these books do not have, or null")
    notes: Sequence[str] = says("what was left out of the query, and what of it was understood as a year or a work")
    passages: Shown[Sequence[tuple[UnitRow, UnitText]]]
    result: Shown[engine.SearchResult]
    named: Shown[Resolution]
    parents: Shown[Mapping[str, UnitRow]]
    within: Shown[Mapping[str, UnitRow]]
    given: Shown[Sequence[tuple[str, str]]]
    choices: Shown[Sequence[tuple[SearchFacet, Sequence[Choice]]]]
    page_request: Shown[PageRequest]


def search(conn: sqlite3.Connection, request: PageRequest) -> Search:
    """Search by `q`, narrowed by any number of `code`, `kind`, `year` and `book`, from result page `page`."""
    text = request.get("q")
    number = request.number("page", 1, 1, 500)
    found = partial(
        engine.asked,
        conn,
        text,
        codes=request.all("code"),
        kinds=request.all("kind"),
        books=request.all("book"),
        years=request.all("year"),
        limit=PAGE,
    )
    result, typed = found(offset=(number - 1) * PAGE)
    place = ListPage(number, PAGE, result.total)
    if number > place.number:
        result, typed = found(offset=place.skipped)
    # URLs are made only from what was understood, so that they cannot grow with the rest.
    text = text[: engine.MOST_LETTERS]
    request = replace(request, args={"q": [text], **{name: list(result.given[name]) for name in FACETS}})
    # In the URLs of facet values, restrictions from the words of the query (`code:` ...) become chosen values too.
    counted = replace(request, args={"q": [result.rest], **{name: list(result.where[name]) for name in FACETS}})
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
        joined=result.joined,
        corrected=result.corrected,
        literal=result.literal,
        suggestion=result.suggestion,
        notes=[*result.notes, *result.understood, *filter(None, [typed.note])],
        passages=[(u, reading.passage(conn, u)) for u in answers],
        result=result,
        named=typed,
        parents=parents,
        within=within,
        club=codes[0] if len(codes) == 1 else "",
        given=[(name, value) for name in FACETS for value in result.given[name]],
        choices=[
            (f, [Choice(v, _choice(counted, f.name, v)) for v in f.values])
            for f in result.facets
            if len(f.values) > 1 or any(v.chosen for v in f.values)
        ],
        page_request=request,
    )


def _choice(request: PageRequest, name: str, value: engine.FacetValue) -> str:
    """The URL of the search without a value if it is chosen, else with it.

    A value chosen by the words of the query can only be removed there.
    """
    given = request.all(name)
    if not value.chosen:
        return "/search" + request.query(**{name: [*given, value.value]}) if len(given) < engine.MOST_FIELDS else ""
    others = [v for v in given if not engine.means(name, v, value.value)]
    return "/search" + request.query(**{name: others}) if len(others) < len(given) else ""
