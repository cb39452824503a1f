"""The concepts of the thesaurus, and the units that speak of each."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Annotated, Literal

from datasette_plugins import metadata
from datasette_plugins.arguments import only
from datasette_plugins.endpoint import PageRequest
from datasette_plugins.missing import Missing, missing
from datasette_plugins.page import Ids, JsonAs, Listed, Page, Shown, Tupled, described
from kb.comparison import topics as subjects
from kb.read import queries
from kb.read.domain import domain
from kb.read.rows import ConceptRow, UnitRow


class Concepts(Page, template="concepts", at=["/concepts.json"]):
    """The thesaurus."""

    concepts: Sequence[ConceptRow] = described("the concepts, each with the number of units that mention it")
    roots: Shown[Sequence[ConceptRow]]
    below: Shown[Mapping[str, Sequence[ConceptRow]]]


def concepts(conn: sqlite3.Connection, request: PageRequest) -> Concepts:
    """The thesaurus: every concept under its broader one."""
    only(request)
    rows = queries.concepts(conn)
    known = {k.id for k in rows}
    return Concepts(
        url="/concepts",
        title=domain(conn).concepts,
        concepts=rows,
        roots=[k for k in rows if k.broader not in known],
        below={k.id: [n for n in rows if n.broader == k.id] for k in rows},
    )


class Term(Tupled):
    """A term of a concept."""

    label: str
    role: Literal["preferred", "variant", "historical"]


class Concept(Page, template="concept", at=["/concept/CONCEPT.json"]):
    """A concept."""

    concept: ConceptRow = described("the concept")
    labels: Annotated[Sequence[tuple[str, str]], JsonAs(tuple[Term, ...])] = described("its terms")
    narrower: Ids = described("ids of narrower concepts")
    total: int = described("number of units that mention it; paragraphs are not counted separately")
    units: Annotated[Sequence[UnitRow], JsonAs(tuple[Listed, ...])] = described(
        "units that mention it, by year, without their text"
    )
    others: Shown[Sequence[str]]
    broader: Shown[ConceptRow | None]
    groups: Shown[Sequence[tuple[str, Mapping[str, Sequence[UnitRow]]]]]


def concept(conn: sqlite3.Connection, request: PageRequest) -> Concept | Missing:
    """One concept: its terms, and the units that speak of it by code and year."""
    this = subjects.concept(conn, request.parts["concept"])
    if this is None:
        return missing(request, "concept", request.parts["concept"])
    units = subjects.speaking_of(conn, this.id)
    labels = subjects.labels(conn, this.id)
    others = [label for label, _ in labels if label.lower() != this.label.lower()]
    return Concept(
        url=f"/concept/{this.id}",
        title=f"Concept: {this.label}",
        linked_data=metadata.of_concept(domain(conn), this, others, request.absolute),
        concept=this,
        labels=labels,
        narrower=subjects.narrower(conn, this.id),
        total=len(units),
        units=units,
        others=others,
        broader=subjects.concept(conn, this.broader) if this.broader else None,
        groups=[(work, _by_kind(members)) for work, members in groupby(units, key=lambda u: u.code_id or u.book_id)],
    )


def _by_kind(units: Iterable[UnitRow]) -> dict[str, list[UnitRow]]:
    kinds: dict[str, list[UnitRow]] = {}
    for u in units:
        kinds.setdefault(u.kind, []).append(u)
    return kinds
