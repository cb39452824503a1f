"""Collation: a few provisions in parallel columns, and two codes, law by law."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace

from datasette_plugins.page import Moved, PageRequest, TemplateResponse
from datasette_plugins.shared import at_page, brief, missing, parents_of, shortened, works
from kb.collation import parallel
from kb.collation.parallel import MOST_TEXTS, MOST_WORDS
from kb.comparison.changes import changes
from kb.comparison.concordance import State, twin_codes
from kb.read import cite, lookup, queries
from kb.read.rows import UnitRow
from kb.read.written import LONGEST, resolve


def collate(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse:
    """Two to five provisions `u`, given by id or typed as a citation, word by word beside the first of them.

    What names no provision is not found (404), with the nearest that exist; what may mean several can be chosen from.
    """
    catalogue = works(conn)
    typed = request.all("u")
    notes = []
    if len(typed) > MOST_TEXTS:
        notes.append(f"Only the first {MOST_TEXTS} provisions were read; {len(typed)} were given.")
    if any(len(text) > LONGEST for text in typed[:MOST_TEXTS]):
        notes.append("What is too long to be an id or a citation was left out.")
    typed = [text.strip() for text in typed[:MOST_TEXTS] if len(text) <= LONGEST]
    found: list[UnitRow] = []
    asked: list[tuple[str, tuple[UnitRow, ...]]] = []
    lost: list[str] = []
    for text in typed:
        resolved = resolve(conn, text)
        notes += [resolved.note] if resolved.note and resolved.units else []
        if len(resolved.units) != 1:
            near = queries.units(conn, lookup.nearest_ids(conn, text)) if not resolved.units else {}
            asked.append((text, resolved.units or tuple(near.values())))
            lost += [] if resolved.units else [text]
        elif resolved.units[0] in found:
            notes.append(f"“{shortened(text)}” was given twice.")
        else:
            found.append(resolved.units[0])
    ids = [u.id for u in found]
    request = replace(request, args={"u": ids})
    bodies = [_bounded(u, notes) for u in found]
    together = parallel.collate(bodies) if len(found) > 1 and not asked else None
    data = {
        "notes": notes,
        "units": [brief(u, catalogue, request) for u in found],
        "asked": [{"typed": text, "candidates": [u.id for u in units]} for text, units in asked],
        "shares": together.shares if together else [],
        "bands": together.bands if together else [],
    }
    if lost:
        names = " and ".join(f"“{shortened(text)}”" for text in lost)
        data["error"] = f"{names} {'names' if len(lost) == 1 else 'name'} no provision here."
    context = {
        "works": catalogue,
        "units": found,
        "parents": parents_of(conn, found),
        "short": [cite.short(cite.cited(conn, u)) for u in found],
        "collation": together,
        "asked": asked,
        "lost": lost,
        "notes": notes,
        "fields": [*ids, *(shortened(text) for text, _ in asked), *[""] * MOST_TEXTS][:MOST_TEXTS],
        "page_request": request,
    }
    title = "Word by word: " + ", ".join(catalogue.full(u) for u in found) if together else "Collate provisions"
    status = 404 if lost else 200
    return TemplateResponse("collate", title, "/collate", data, context, status=status, query=request.query())


def codes(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse | Moved:
    """Two codes, from the older to the newer: changes of wording, what is linked, and what only one of them has."""
    catalogue = works(conn)
    a, b = request.parts["a"], request.parts["b"]
    for name in (a, b):
        if name not in catalogue.codes:
            return missing(conn, request, "code", name, {c: catalogue.label(c) for c in catalogue.codes})
    place = list(catalogue.codes)
    if a == b:
        return Moved(f"/code/{a}")
    if place.index(a) > place.index(b):
        return Moved(f"/compare/{b}/{a}")
    found = changes(conn, a, b, request.number("page", 1, 1, 10_000))
    one, other = catalogue.codes[a], catalogue.codes[b]
    data = {
        "a": one,
        "b": other,
        "page": found.page.number,
        "pages": found.page.pages,
        "provisions": [
            {"a": c.a.id, "b": c.b.id, "rewritten": c.rewritten, "variants": c.variants} for c in found.both
        ],
        "unchanged": [c.a.id for c in found.unchanged],
        "linked": [
            {"a": row.unit.id, "counterparts": [{"b": c.unit.id, "links": c.ties} for c in row.cells[b].counterparts]}
            for row in found.linked
        ],
        "only_a": [{"id": unit.id, "state": state} for unit, state in found.only_a],
        "only_b": [{"id": unit.id, "state": state} for unit, state in found.only_b],
    }
    twins, lacks = (a, b) in twin_codes(conn), queries.lacks(conn)
    here = f"/compare/{a}/{b}"
    context = {
        "works": catalogue,
        "one": one,
        "other": other,
        "found": found,
        "twins": twins,
        "alone": [(code, against, *_sorted(units, lacks.get(against.id, {}))) for code, against, units in
                  ((one, other, found.only_a), (other, one, found.only_b))],
        "address": lambda number: here + at_page(number),
    }  # fmt: skip
    title = f"{catalogue.label(a)} against {catalogue.label(b)}"
    return TemplateResponse("changes", title, here, data, context, query=at_page(found.page.number))


def _sorted(
    found: Sequence[tuple[UnitRow, State]], why: Mapping[str, str]
) -> tuple[list[UnitRow], list[UnitRow], dict[str, list[UnitRow]]]:
    """Provisions without a counterpart: the editor found none, nobody looked, and by why none is printed."""
    by_state: dict[str, list[UnitRow]] = {}
    for unit, state in found:
        by_state.setdefault(why[unit.kind] if state == "not printed" else state, []).append(unit)
    return by_state.pop("none", []), by_state.pop("not judged", []), by_state


def _bounded(unit: UnitRow, notes: list[str]) -> str:
    """The text of a unit, as far as it is collated."""
    words = unit.body.split()
    if len(words) <= MOST_WORDS:
        return unit.body
    notes.append(f"Only the first {MOST_WORDS} words of {unit.label} were collated.")
    return " ".join(words[:MOST_WORDS])
