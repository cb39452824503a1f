"""The concepts of the thesaurus, and the passages that speak of each or of a narrower one."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from datasette_plugins import metadata
from datasette_plugins.arguments import only
from datasette_plugins.listing import csv_document, places
from datasette_plugins.missing import missing
from datasette_plugins.site import Document, Missing, PageRequest, SitePage
from kb.comparison import topics as thesaurus
from kb.read import queries
from kb.read.rows import ConceptRow, UnitRow


@dataclass(frozen=True, slots=True)
class ConceptLine:
    """A concept, and how many passages speak of it or of a narrower one."""

    id: str
    label: str
    note: str
    broader: str
    passages: int
    url: str


@dataclass(frozen=True, kw_only=True)
class ConceptsPage(SitePage):
    """The thesaurus: every concept, and for readers those below each (`None`: those without a broader one)."""

    template: ClassVar[str] = "concepts"
    internal: ClassVar[frozenset[str]] = frozenset({"below"})
    concepts: Sequence[ConceptLine]
    below: Mapping[str, Sequence[ConceptLine]]


@dataclass(frozen=True, slots=True)
class PassageLine:
    """A passage that speaks of a concept, with the ids of the concept and narrower ones that it mentions."""

    id: str
    citation: str
    page: str
    url: str
    kind: str
    concepts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ConceptPage(SitePage):
    """A concept, its terms, and the passages that speak of it or of a narrower one."""

    template: ClassVar[str] = "concept"
    internal: ClassVar[frozenset[str]] = frozenset({"also", "broader", "groups", "labels_of"})
    concept: ConceptRow
    terms: Sequence[tuple[str, str]]
    narrower: Sequence[ConceptRow]
    passages: Sequence[PassageLine]
    also: Sequence[str]
    broader: ConceptRow | None
    groups: Sequence[tuple[str, Mapping[str, Sequence[UnitRow]]]]
    labels_of: Mapping[str, str]


def concepts(conn: sqlite3.Connection, request: PageRequest) -> ConceptsPage | Document:
    """The thesaurus: every concept under its broader one."""
    only(request)
    rows = queries.concepts(conn)
    known = {k.id for k in rows}
    lines = [
        ConceptLine(k.id, k.label, k.note, k.broader or "", k.units, request.absolute(f"/concept/{k.id}")) for k in rows
    ]
    if request.parts.get("format") == "csv":
        return csv_document(ConceptLine, lines, "concepts")
    return ConceptsPage(
        url="/concepts",
        title="Concepts of whist",
        description="The concepts of the laws of whist, each with the number of passages that speak of it.",
        alternates=(("text/csv", "/concepts.csv"),),
        concepts=lines,
        below={
            broader: [line for line in lines if (line.broader if line.broader in known else "") == broader]
            for broader in ("", *known)
        },
    )


def concept(conn: sqlite3.Connection, request: PageRequest) -> ConceptPage | Document | Missing:
    """One concept: its terms, and the passages that speak of it or of a narrower one, by code and year."""
    only(request)
    this = thesaurus.concept(conn, request.parts["concept"])
    if this is None:
        return missing(request, "concept", request.parts["concept"])
    speaking, place = thesaurus.speaking_of(conn, this.id), places(conn, request)
    lines = [PassageLine(*place(unit), unit.kind, of) for unit, of in speaking] if request.as_data else []
    if request.parts.get("format") == "csv":
        return csv_document(PassageLine, lines, f"concept-{this.id}")
    known = {k.id: k for k in queries.concepts(conn)}
    terms = thesaurus.terms(conn, this.id)
    also = [term for term, _ in terms if term.lower() != this.label.lower()]
    return ConceptPage(
        url=f"/concept/{this.id}",
        title=f"Concept: {this.label}",
        description=f"{this.label} in the laws of whist: {len(speaking)} passages. {this.note}".strip(),
        linked_data=metadata.of_concept(this, also, request.absolute),
        alternates=(("text/csv", f"/concept/{this.id}.csv"),),
        concept=this,
        terms=terms,
        narrower=[k for k in known.values() if k.broader == this.id],
        passages=lines,
        also=also,
        broader=known.get(this.broader or ""),
        groups=[
            (work, _by_kind([unit for unit, _ in those]))
            for work, those in groupby(speaking, key=lambda pair: pair[0].code_id or pair[0].book_id)
        ],
        labels_of={unit.id: ", ".join(known[i].label for i in of) for unit, of in speaking if this.id not in of},
    )


def _by_kind(units: Sequence[UnitRow]) -> dict[str, list[UnitRow]]:
    return {kind: [u for u in units if u.kind == kind] for kind in dict.fromkeys(u.kind for u in units)}
