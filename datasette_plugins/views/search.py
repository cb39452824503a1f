"""The search page: the provision itself if a citation was typed, then units with facets."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from functools import partial

from datasette_plugins.page import Asked, Page
from datasette_plugins.views.shared import brief, parents_of, works
from kb import lookup, queries, reading
from kb import search as engine

PAGE = 20


def search(conn: sqlite3.Connection, asked: Asked) -> Page:
    """Search by `q`, narrowed by any number of `code`, `kind`, `year` and `book`, from result page `page`."""
    text = asked.get("q")[:400]
    of = works(conn)
    number = asked.number("page", 1, 1, 500)
    found = partial(
        engine.search,
        conn,
        text,
        codes=asked.all("code"),
        kinds=asked.all("kind"),
        books=asked.all("book"),
        years=[int(y) for y in asked.all("year") if y.isdecimal() and len(y) == 4],
        limit=PAGE,
    )
    result = found(offset=(number - 1) * PAGE)
    if number > (last := max(1, -(-result.total // PAGE))):
        number, result = last, found(offset=(last - 1) * PAGE)
    typed = lookup.resolve_typed(conn, text) if text else lookup.Resolution()
    answers = typed.units[:6] if number == 1 else ()
    if typed.units and result.mode == "some":
        result = replace(result, total=0, hits=(), facets=(), suggestion=None, mode="named")
    parents = parents_of(conn, [*answers, *(h.unit for h in result.hits)])
    pages = -(-result.total // PAGE)
    within = queries.units(conn, (p for h in result.hits for p in h.paragraphs))
    context = {
        "q": text,
        "works": of,
        "result": result,
        "answers": [(u, reading.passage(conn, u)) for u in answers],
        "note": typed.note,
        "parents": parents,
        "within": within,
        "number": number,
        "pages": pages,
        "first": (number - 1) * PAGE + 1,
        "facets": [f for f in result.facets if len(f.values) > 1 or any(v.chosen for v in f.values)],
    }
    data = {
        "query": text,
        "mode": result.mode,
        "total": result.total,
        "page": number,
        "pages": pages,
        "answers": [brief(u, of, asked) for u in answers],
        "hits": [
            brief(h.unit, of, asked) | {"score": h.score, "paragraphs": h.paragraphs, "snippet": _parts(h.snippet)}
            for h in result.hits
        ],
        "facets": {f.name: f.values for f in result.facets},
        "concepts": [{"id": k.id, "label": k.label} for k in result.concepts],
        "suggestion": result.suggestion,
        "notes": result.notes,
    }
    title = f"Search: {text}" if text else "Search"
    return Page(
        "search",
        title,
        "/search",
        data,
        context,
        query=asked.query(page=[str(number)] if number > 1 else None),
    )


def _parts(snippet: str) -> list[dict[str, object]]:
    """A snippet as stretches of text that are hits or not: JSON should carry no markup of ours."""
    parts: list[dict[str, object]] = []
    for i, piece in enumerate(snippet.split(engine.BEGIN)):
        hit, mark, rest = piece.partition(engine.END) if i else ("", "", piece)
        parts += [{"text": t, "hit": h} for t, h in ((hit, True), (rest if mark or not i else piece, False)) if t]
    return parts
