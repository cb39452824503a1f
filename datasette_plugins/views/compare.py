"""Comparison: where it begins, and two provisions word by word."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from datasette_plugins.catalogue import works
from datasette_plugins.endpoint import PageRequest
from datasette_plugins.page import As, Brief, Id, Notes, Page, Shape, Share, Shown, says
from datasette_plugins.shared import BUILD_ASKED, rebuilt, shortened
from kb.collation import collate
from kb.collation.collate import Chunk, Comparison
from kb.comparison import answers, changes, concordance
from kb.comparison import topics as subjects
from kb.read import cite, lookup, queries
from kb.read.rows import RelatedRow, UnitRow
from kb.read.written import LONGEST, resolve


class Texts(Shape):
    """Two texts in parts."""

    a: tuple[Chunk, ...]
    b: tuple[Chunk, ...]


class Compared(Page, template="compare", at=["/compare.json?a=ID&b=ID"], asks={"build": BUILD_ASKED}):
    """Two provisions word by word."""

    notes: Notes
    build: str | None = says("the build it is taken from, or null")
    a: Annotated[UnitRow, As(Brief)] = says("one provision")
    b: Annotated[UnitRow, As(Brief)] = says("the other")
    similarity: Share = says("share of common words, 0 to 1")
    parts: Annotated[Comparison, As(Texts)] = says("each text in parts: mark (same or only) and text")
    link: RelatedRow | None = says("what is recorded between them, or null")
    parents: Shown[Mapping[str, UnitRow]]
    short: Shown[Sequence[str]]
    related: Shown[Sequence[RelatedRow]]
    others: Shown[Mapping[str, UnitRow]]


class TopicListed(Shape):
    """A topic, with how many questions it has."""

    id: str
    label: str
    concept_id: str | None
    note: str
    questions: int


Sides = Annotated[Mapping[str, Sequence[UnitRow]], As(dict[str, tuple[Id, ...]])]


class Start(Page, template="compare_start", at=["/compare.json"]):
    """Where a comparison begins."""

    topics: Sequence[TopicListed] = says("the topics, with how many questions each has")
    twins: Sequence[tuple[str, str]] = says("codes that print the same provisions: see /compare/CODE/CODE.json")
    pairs: Sequence[tuple[str, str]] = says("pairs of codes listed: all of a few codes, of more the twins")
    candidates: Sides = says("what a and b may mean")
    nearest: Sides = says("ids like those that do not exist (the status is 404 then)")
    notes: Notes
    error: str = says("if a or b means nothing, one sentence", default="", exclude_if=lambda error: not error)
    typed: Shown[Mapping[str, str]]
    page_request: Shown[PageRequest]


def compare(conn: sqlite3.Connection, request: PageRequest) -> Compared | Start:
    """Two provisions `a` and `b`, given by id or typed as a citation; without them, the topics.

    What names no provision is not found (404), with the nearest that exist; what may mean several can be chosen from.
    """
    typed = {side: request.get(side) for side in ("a", "b")}
    stale = rebuilt(request)
    request = replace(request, args={side: [text] for side, text in typed.items() if len(text) <= LONGEST})
    read = {side: resolve(conn, text) for side, text in typed.items() if text}
    found = {side: resolved.units for side, resolved in read.items()}
    notes = [*(resolved.note for resolved in read.values() if resolved.note), *stale]
    a, b = found.get("a", ()), found.get("b", ())
    if len(a) == 1 and len(b) == 1:
        return _side_by_side(conn, request, a[0], b[0], notes)
    return _start(conn, request, {side: shortened(text) for side, text in typed.items()}, found, notes)


def _side_by_side(
    conn: sqlite3.Connection, request: PageRequest, one: UnitRow, other: UnitRow, notes: Sequence[str]
) -> Compared:
    catalogue = works(conn)
    result = collate.compare_texts(one.body, other.body)
    parents = queries.units(conn, (u.parent_id for u in (one, other) if u.parent_id))
    related = queries.related(conn, one.id)
    return Compared(
        url="/compare" + request.query(a=[one.id], b=[other.id]),
        title=" and ".join(catalogue.full(u, parents.get(u.parent_id or "")) for u in (one, other)),
        notes=notes,
        build=request.build or None,
        a=one,
        b=other,
        similarity=result.similarity,
        parts=result,
        link=queries.link(conn, one.id, other.id),
        parents=parents,
        short=[cite.short(cite.cited(conn, u)) for u in (one, other)],
        related=related,
        others=queries.units(conn, (row.other for row in related)),
    )


def _start(
    conn: sqlite3.Connection,
    request: PageRequest,
    typed: Mapping[str, str],
    found: Mapping[str, Sequence[UnitRow]],
    notes: Sequence[str],
) -> Start:
    """The page on which to choose what to compare."""
    lost = [side for side, units in found.items() if not units]
    near = {side: list(queries.units(conn, lookup.nearest_ids(conn, request.get(side))).values()) for side in lost}
    counts = answers.question_counts(conn)
    names = " and ".join(f"“{typed[side]}”" for side in lost)
    return Start(
        url="/compare" + request.query(),
        title="Compare",
        status=404 if lost else 200,
        topics=[
            TopicListed(id=t.id, label=t.label, concept_id=t.concept_id, note=t.note, questions=counts.get(t.id, 0))
            for t in subjects.topics(conn)
        ],
        twins=list(concordance.twin_codes(conn)),
        pairs=changes.listed_pairs(conn),
        candidates=found,
        nearest=near,
        notes=notes,
        error=f"{names} {'names' if len(lost) == 1 else 'name'} no provision here." if lost else "",
        typed=typed,
        page_request=request,
    )
