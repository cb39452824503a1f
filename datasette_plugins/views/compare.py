"""Comparison: where it begins, two provisions word by word, and the concepts behind the topics."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from itertools import groupby
from typing import Any

from datasette_plugins.discovery import linked_data
from datasette_plugins.page import Document, Moved, PageRequest, TemplateResponse, plain
from datasette_plugins.shared import Works, at_page, brief, concept_names, missing, shortened, works
from kb.collation import collate
from kb.comparison import answers, changes, concordance
from kb.comparison import topics as subjects
from kb.read import cite, lookup, queries
from kb.read.domain import domain
from kb.read.rows import UnitRow
from kb.read.written import LONGEST, resolve

MEDIA_TYPES = {"ttl": "text/turtle; charset=utf-8", "jsonld": "application/ld+json"}


def compare(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse | Moved:
    """Two provisions `a` and `b`, given by id or typed as a citation; without them, the topics.

    What names no provision is not found (404), with the nearest that exist; what may mean several can be chosen from.
    """
    catalogue = works(conn)
    typed = {side: request.get(side) for side in ("a", "b")}
    request = replace(request, args={side: [text] for side, text in typed.items() if len(text) <= LONGEST})
    read = {side: resolve(conn, text) for side, text in typed.items() if text}
    found = {side: resolved.units for side, resolved in read.items()}
    notes = [resolved.note for resolved in read.values() if resolved.note]
    context: dict[str, Any] = {"works": catalogue, "topics": subjects.topics(conn), "found": found, "notes": notes,
                               "typed": {side: shortened(text) for side, text in typed.items()}}  # fmt: skip
    a, b = found.get("a", ()), found.get("b", ())
    if len(a) != 1 or len(b) != 1:
        return _start(conn, request, catalogue, context, found)
    one, other = a[0], b[0]
    result = collate.compare_texts(one.body, other.body)
    link = queries.link(conn, one.id, other.id)
    parents = queries.units(conn, (u.parent_id for u in (one, other) if u.parent_id))
    related = queries.related(conn, one.id)
    context |= {
        "one": one,
        "other": other,
        "result": result,
        "link": link,
        "parents": parents,
        "short": [cite.short(cite.cited(conn, u)) for u in (one, other)],
        "related": related,
        "others": queries.units(conn, (row.other for row in related)),
    }
    data = {
        "notes": notes,
        "a": brief(one, catalogue, request),
        "b": brief(other, catalogue, request),
        "similarity": result.similarity,
        "parts": {"a": result.a, "b": result.b},
        "link": link,
    }
    title = " and ".join(catalogue.full(u, parents.get(u.parent_id or "")) for u in (one, other))
    return TemplateResponse("compare", title, "/compare", data, context, query=request.query(a=[one.id], b=[other.id]))


def _start(
    conn: sqlite3.Connection,
    request: PageRequest,
    catalogue: Works,
    context: dict[str, Any],
    found: dict[str, tuple[UnitRow, ...]],
) -> TemplateResponse:
    """The page on which to choose what to compare."""
    lost = [side for side, units in found.items() if not units]
    near = {side: queries.units(conn, lookup.nearest_ids(conn, request.get(side))) for side in lost}
    counts = answers.question_counts(conn)
    twins, pairs = concordance.twin_codes(conn), changes.listed_pairs(conn)
    data = {
        "topics": [plain(t) | {"questions": counts.get(t.id, 0)} for t in context["topics"]],
        "twins": twins,
        "pairs": pairs,
        "candidates": {side: [u.id for u in units] for side, units in found.items()},
        "nearest": {side: list(units) for side, units in near.items()},
        "notes": context["notes"],
    }
    if lost:
        names = " and ".join(f"“{context['typed'][side]}”" for side in lost)
        data["error"] = f"{names} {'names' if len(lost) == 1 else 'name'} no provision here."
    context |= {"near": near, "request": request, "counts": counts, "twins": twins, "pairs": pairs}
    status = 404 if lost else 200
    return TemplateResponse("compare_start", "Compare", "/compare", data, context, status=status, query=request.query())


def concepts(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse:
    """The thesaurus: every concept under its broader one."""
    rows = queries.concepts(conn)
    known = {k.id for k in rows}
    below = {k.id: [n for n in rows if n.broader == k.id] for k in rows}
    context = {"roots": [k for k in rows if k.broader not in known], "below": below}
    return TemplateResponse("concepts", domain(conn).concepts, "/concepts", {"concepts": rows}, context)


def thesaurus(conn: sqlite3.Connection, request: PageRequest) -> Document:
    """All concepts as a SKOS concept scheme, in Turtle or JSON-LD."""
    from kb.concepts.skos import skos, written  # rdflib takes 0.2 s to import, and few visitors ask for it

    form = request.parts["format"]
    graph = skos(conn, request.absolute(""))
    return Document(written(graph, form), MEDIA_TYPES[form], f"concepts.{form}")


def concept(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse:
    """One concept: its terms, and the units that speak of it by code and year."""
    this = subjects.concept(conn, request.parts["concept"])
    if this is None:
        return missing(conn, request, "concept", request.parts["concept"], concept_names(conn))
    catalogue = works(conn)
    units, place = subjects.speaking_of(conn, this.id, request.number("page", 1, 1, 10_000))
    here = f"/concept/{this.id}"
    groups = [(work, list(members)) for work, members in groupby(units, key=lambda u: u.code_id or u.book_id)]
    labels = subjects.labels(conn, this.id)
    others = [label for label, _ in labels if label.lower() != this.label.lower()]
    narrower = subjects.narrower(conn, this.id)
    context = {
        "concept": this,
        "works": catalogue,
        "labels": others,
        "ld": linked_data.of_concept(domain(conn), this, others, request.absolute),
        "broader": subjects.concept(conn, this.broader) if this.broader else None,
        "narrower": narrower,
        "groups": [(work, _by_kind(members)) for work, members in groups],
        "place": place,
        "address": lambda number: here + at_page(number),
    }
    data = {
        "concept": this,
        "labels": [{"label": label, "role": role} for label, role in labels],
        "narrower": [k.id for k in narrower],
        "total": place.total,
        "page": place.number,
        "pages": place.pages,
        "units": [brief(u, catalogue, request, text=False) for u in units],
    }
    title = f"Concept: {this.label}"
    return TemplateResponse("concept", title, here, data, context, query=at_page(place.number))


def _by_kind(units: list[UnitRow]) -> list[tuple[str, list[UnitRow]]]:
    kinds: dict[str, list[UnitRow]] = {}
    for u in units:
        kinds.setdefault(u.kind, []).append(u)
    return list(kinds.items())
