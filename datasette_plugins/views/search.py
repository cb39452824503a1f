"""The search page: the provision itself if a citation was typed, then units with facets."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from datasette_plugins.page import PageRequest, TemplateResponse
from datasette_plugins.shared import brief, parents_of, shortened, works
from kb.read import queries, reading
from kb.read.paging import ListPage
from kb.search import search as engine

PAGE = 20
MOST_OF_STRETCH = 12
FACETS = ("code", "kind", "book", "year")


class Choice(NamedTuple):
    """A value of a facet with the address of the search that takes it up or leaves it, "" if that cannot be."""

    value: engine.FacetValue
    address: str


def search(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse:
    """Search by `q`, narrowed by any number of `code`, `kind`, `year` and `book`, from result page `page`."""
    text = request.get("q")
    catalogue = works(conn)
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
    # Addresses are made of what was understood: they cannot grow with what was not.
    text = text[: engine.MOST_LETTERS]
    request = replace(request, args={"q": [text], **{name: list(result.given[name]) for name in FACETS}})
    # What is chosen from the facets narrows what they count: where the words say where to look, that is chosen too.
    counted = replace(request, args={"q": [result.rest], **{name: list(result.where[name]) for name in FACETS}})
    answers = typed.units[: MOST_OF_STRETCH if typed.every else 6] if place.number == 1 else ()
    parents = parents_of(conn, [*answers, *(h.unit for h in result.hits)])
    within = queries.units(conn, (p for h in result.hits for p in h.paragraphs))
    codes = result.given["code"]
    context = {
        "q": text,
        "club": codes[0] if len(codes) == 1 else "",
        "works": catalogue,
        "result": result,
        "answers": [(u, reading.passage(conn, u)) for u in answers],
        "note": typed.note,
        "every": typed.every,
        "understood": result.understood,
        "joined": result.joined,
        "parents": parents,
        "within": within,
        "place": place,
        "address": lambda number: "/search" + request.query(page=[number]),
        "given": [(name, value) for name in FACETS for value in result.given[name]],
        "facets": [
            (f, [Choice(v, _choice(counted, f.name, v)) for v in f.values])
            for f in result.facets
            if len(f.values) > 1 or any(v.chosen for v in f.values)
        ],
        "request": request,
    }
    data = {
        "query": text,
        "mode": result.mode,
        "total": result.total,
        "page": place.number,
        "pages": -(-result.total // PAGE),
        "answers": [brief(u, catalogue, request) for u in answers],
        "hits": [
            brief(h.unit, catalogue, request)
            | {"score": h.score, "paragraphs": h.paragraphs, "snippet": _parts(h.snippet), "twin": h.twin}
            for h in result.hits
        ],
        "facets": {f.name: f.values for f in result.facets},
        "concepts": [{"id": k.id, "label": k.label} for k in result.concepts],
        "joined": result.joined,
        "corrected": result.corrected,
        "literal": result.literal,
        "suggestion": result.suggestion,
        "notes": [*result.notes, *result.understood, *filter(None, [typed.note])],
    }
    title = f"Search: {shortened(text)}" if text else "Search"
    return TemplateResponse(
        "search",
        title,
        "/search",
        data,
        context,
        query=request.query(page=[place.number] if place.number > 1 else None),
    )


def _choice(request: PageRequest, name: str, value: engine.FacetValue) -> str:
    """The address of the search without a value that is chosen, or else with it.

    A value chosen by the words of the query can only be taken back there.
    """
    given = request.all(name)
    if not value.chosen:
        return "/search" + request.query(**{name: [*given, value.value]}) if len(given) < engine.MOST_FIELDS else ""
    others = [v for v in given if not engine.means(name, v, value.value)]
    return "/search" + request.query(**{name: others}) if len(others) < len(given) else ""


def _parts(snippet: str) -> list[dict[str, object]]:
    """A snippet as stretches of text that are hits or not: JSON should carry no markup of ours."""
    parts: list[dict[str, object]] = []
    for i, piece in enumerate(snippet.split(engine.BEGIN)):
        hit, mark, rest = piece.partition(engine.END) if i else ("", "", piece)
        parts += [{"text": t, "hit": h} for t, h in ((hit, True), (rest if mark or not i else piece, False)) if t]
    return parts
