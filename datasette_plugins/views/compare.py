"""Comparisons of texts: the page to start from, a few provisions in parallel columns, and two codes, law by law."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import urlencode

from pydantic import Field

from datasette_plugins.arguments import BUILD_ASKED, at_page, rebuilt, shortened
from datasette_plugins.catalogue import parents_of, works
from datasette_plugins.endpoint import Moved, PageRequest
from datasette_plugins.missing import Missing, missing
from datasette_plugins.page import As, Briefs, Id, Ids, Notes, Page, Paged, Shape, Share, Shown, Tupled, says
from kb.collation import parallel
from kb.collation.parallel import MOST_TEXTS, MOST_WORDS, CollatedPiece, Collation, Variant
from kb.comparison import answers, changes, concordance
from kb.comparison import topics as subjects
from kb.comparison.concordance import Counterpart, State, Tie, twin_codes
from kb.read import cite, lookup, queries
from kb.read.rows import CodeRow, RelatedRow, UnitRow
from kb.read.written import LONGEST, resolve


class TopicListed(Shape):
    """A topic, with how many questions it has."""

    id: str
    label: str
    concept_id: str | None
    note: str
    questions: int


class Start(Page, template="compare_start", at=["/compare.json"]):
    """The page from which comparisons start."""

    topics: Sequence[TopicListed] = says("the topics, with how many questions each has")
    twins: Sequence[tuple[str, str]] = says("codes that print the same provisions: see /compare/CODE/CODE.json")
    pairs: Sequence[tuple[str, str]] = says("pairs of codes listed: all of a few codes, of more the twins")


def compare(conn: sqlite3.Connection, request: PageRequest) -> Start | Moved:
    """What can be compared; a URL of earlier releases, with two provisions `a` and `b`, is redirected to `collate`."""
    if given := [("u", typed) for side in ("a", "b") if (typed := request.get(side))]:
        build = [("build", build)] if (build := request.get("build")) else []
        return Moved("/collate", urlencode([*given, *build]))
    counts = answers.question_counts(conn)
    return Start(
        url="/compare",
        title="Compare",
        topics=[
            TopicListed(id=t.id, label=t.label, concept_id=t.concept_id, note=t.note, questions=counts.get(t.id, 0))
            for t in subjects.topics(conn)
        ],
        twins=list(concordance.twin_codes(conn)),
        pairs=changes.listed_pairs(conn),
    )


class Typed(Tupled):
    """What was typed, and the ids it may mean."""

    typed: str
    candidates: tuple[Id, ...]


class Collated(Page, template="collate", at=["/collate.json?u=ID&u=ID"], asks={"build": BUILD_ASKED}):
    """Provisions in parallel columns."""

    notes: Notes
    build: str | None = says("the build it is taken from, or null")
    units: Briefs = says("the provisions")
    asked: Annotated[Sequence[tuple[str, Sequence[UnitRow]]], As(tuple[Typed, ...])] = says(
        "what else was typed, and what it may mean (status 404 if it means nothing)"
    )
    shares: Sequence[Share] = says("share of common words with the first, 0 to 1")
    bands: Sequence[Sequence[Sequence[CollatedPiece]]] = says("what stands side by side: for each provision its pieces")
    links: Sequence[RelatedRow | None] = says("what is recorded between the first and each of the others, or null")
    error: str = says("if something means no provision, one sentence", default="", exclude_if=lambda error: not error)
    parents: Shown[Mapping[str, UnitRow]]
    short: Shown[Sequence[str]]
    collation: Shown[Collation | None]
    related: Shown[Sequence[tuple[RelatedRow, UnitRow]]]
    lost: Shown[Sequence[str]]
    fields: Shown[Sequence[str]]
    page_request: Shown[PageRequest]


def collate(conn: sqlite3.Connection, request: PageRequest) -> Collated:
    """Two to five provisions `u`, given as ids or citations, word by word beside the first of them.

    If one names no provision, the status is 404, and the page lists the nearest that exist; if one may mean several,
    the reader can choose.
    """
    catalogue = works(conn)
    typed = request.all("u")
    notes = rebuilt(request)
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
    names = " and ".join(f"“{shortened(text)}”" for text in lost)
    related: dict[str, RelatedRow] = {}
    for row in queries.related(conn, ids[0]) if together else ():
        if row.other not in ids:
            related.setdefault(row.other, row)
    others = queries.units(conn, related)
    return Collated(
        url="/collate" + request.query(),
        title=f"Word by word: {', '.join(map(catalogue.full, found))}" if together else "Collate provisions",
        status=404 if lost else 200,
        notes=notes,
        build=request.build or None,
        units=found,
        asked=asked,
        shares=together.shares if together else (),
        bands=together.bands if together else (),
        links=[queries.link(conn, ids[0], other) for other in ids[1:]] if together else (),
        error=f"{names} {'names' if len(lost) == 1 else 'name'} no provision here." if lost else "",
        parents=parents_of(conn, found),
        short=[cite.short(cite.cited(conn, u)) for u in found],
        collation=together,
        related=[(row, others[other]) for other, row in related.items()],
        lost=lost,
        fields=[*ids, *(shortened(text) for text, _ in asked), *[""] * MOST_TEXTS][:MOST_TEXTS],
        page_request=request,
    )


class Changed(Shape):
    """A provision that two codes have, and the variants between its texts."""

    a: Id
    b: Id
    rewritten: bool
    variants: tuple[Variant, ...]


class LinkedThere(Shape):
    """A provision of the newer code, and the links from it, or from parts of it, to a provision of the older one."""

    b: Id = Field(validation_alias="unit")
    links: tuple[Tie, ...] = Field(validation_alias="ties")


class Linked(Tupled):
    """A provision of the older code, and the provisions of the newer one with which it is linked."""

    a: Id
    counterparts: tuple[LinkedThere, ...]


class Alone(Tupled):
    """A provision without a counterpart: the editor found none, nobody has looked, or the other book omits it."""

    id: Id
    state: State


class Changes(
    Paged,
    template="changes",
    at=["/compare/CODE/CODE.json"],
    asks={"page": "of the provisions of the older code, from 1", "build": BUILD_ASKED},
):
    """Two codes, provision by provision."""

    notes: Notes
    build: str | None = says("the build it is taken from, or null")
    a: CodeRow = says("the older code")
    b: CodeRow = says("the newer code")
    provisions: Annotated[Sequence[changes.Changed], As(tuple[Changed, ...])] = says(
        "those with one text in both, with each change of words, spelling or signs"
    )
    unchanged: Ids = says("ids of those without change, in the older code")
    linked: Annotated[Sequence[tuple[UnitRow, Sequence[Counterpart]]], As(tuple[Linked, ...])] = says(
        "those linked with others than their own text: the same rule, another one ..."
    )
    only_a: Annotated[Sequence[tuple[UnitRow, State]], As(tuple[Alone, ...])] = says(
        "those of the older code that are linked with none of the newer"
    )
    only_b: Annotated[Sequence[tuple[UnitRow, State]], As(tuple[Alone, ...])] = says(
        "those of the newer code that are linked with none of the older, on the last page"
    )
    found: Shown[changes.Changes]
    twins: Shown[bool]
    alone: Shown[Sequence[Any]]


def codes(conn: sqlite3.Connection, request: PageRequest) -> Changes | Missing | Moved:
    """Two codes, from the older to the newer: changes of wording, links, and provisions that only one of them has."""
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
    found = changes.changes(conn, a, b, request.number("page", 1, 1, 10_000))
    one, other = catalogue.codes[a], catalogue.codes[b]
    lacks = queries.lacks(conn)
    here = f"/compare/{a}/{b}"
    return Changes(
        url=here + at_page(found.page.number),
        title=f"{catalogue.label(a)} against {catalogue.label(b)}",
        place=found.page,
        address=lambda number: here + at_page(number),
        notes=rebuilt(request),
        build=request.build or None,
        a=one,
        b=other,
        provisions=found.both,
        unchanged=[c.a for c in found.unchanged],
        linked=[(row.unit, row.cells[b].counterparts) for row in found.linked],
        only_a=found.only_a,
        only_b=found.only_b,
        found=found,
        twins=(a, b) in twin_codes(conn),
        alone=[
            (code, against, *_by_reason(units, lacks.get(against.id, {})))
            for code, against, units in ((one, other, found.only_a), (other, one, found.only_b))
        ],
    )


def _by_reason(
    found: Sequence[tuple[UnitRow, State]], why: Mapping[str, str]
) -> tuple[list[UnitRow], list[UnitRow], dict[str, list[UnitRow]]]:
    """Split provisions without a counterpart: the editor found none, nobody has looked, not printed (by the reason)."""
    by_state: dict[str, list[UnitRow]] = {}
    for unit, state in found:
        by_state.setdefault(why[unit.kind] if state == "not printed" else state, []).append(unit)
    return by_state.pop("none", []), by_state.pop("not judged", []), by_state


def _bounded(unit: UnitRow, notes: list[str]) -> str:
    """The text of a unit, cut to the number of words that are collated; a cut is noted."""
    words = unit.body.split()
    if len(words) <= MOST_WORDS:
        return unit.body
    notes.append(f"Only the first {MOST_WORDS} words of {unit.label} were collated.")
    return " ".join(words[:MOST_WORDS])
