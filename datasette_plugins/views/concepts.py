"""The concepts of the thesaurus, the units that speak of each, and all terms and headings in alphabetical order."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, Literal

from datasette_plugins import metadata
from datasette_plugins.arguments import at_page
from datasette_plugins.catalogue import Works, works
from datasette_plugins.endpoint import PageRequest
from datasette_plugins.missing import Missing, concept_names, missing
from datasette_plugins.page import Ids, JsonAs, Listed, Page, Paged, Shown, Tupled, Url, described
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


class Concept(Paged, template="concept", at=["/concept/CONCEPT.json"], asks={"page": "of units, from 1"}):
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
        return missing(conn, request, "concept", request.parts["concept"], concept_names(conn))
    units, place = subjects.speaking_of(conn, this.id, request.number("page", 1, 1, 10_000))
    here = f"/concept/{this.id}"
    labels = subjects.labels(conn, this.id)
    others = [label for label, _ in labels if label.lower() != this.label.lower()]
    return Concept(
        url=here + at_page(place.number),
        title=f"Concept: {this.label}",
        linked_data=metadata.of_concept(domain(conn), this, others, request.absolute),
        place=place,
        address=lambda number: here + at_page(number),
        concept=this,
        labels=labels,
        narrower=subjects.narrower(conn, this.id),
        total=place.total,
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


OTHER = "#"
# An index sorts a heading by its first significant word (ISO 999), without the punctuation and article before it.
_UNFILED = re.compile(r"\W*(?:(?:an?|the)\s+(?=\w))?\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A term or a heading; `of` is the concept or the work it leads to, where it has another name."""

    words: str
    url: Annotated[str, JsonAs(Url)]
    of: str | None

    @property
    def filed(self) -> str:
        """Its sort key: the words without leading punctuation and article, case-folded."""
        return self.words[_UNFILED.match(self.words).end() :].casefold()  # type: ignore[union-attr]


@dataclass(frozen=True, slots=True)
class Letter:
    """The entries under a letter."""

    letter: str
    entries: Sequence[IndexEntry]


class Browse(Page, template="browse", at=["/browse.json"]):
    """The terms and headings in alphabetical order."""

    letters: Sequence[Letter] = described("the letters of the alphabet, with their entries")


def browse(conn: sqlite3.Connection, request: PageRequest) -> Browse:
    """Terms and headings by their first letter."""
    letters: dict[str, list[IndexEntry]] = defaultdict(list)
    for entry in sorted(_entries(conn, works(conn)), key=lambda e: (e.filed, e.url)):
        first = entry.filed[:1].upper()
        letters[first if first.isascii() and first.isalpha() else OTHER].append(entry)
    return Browse(url="/browse", title="Alphabetical index", letters=[Letter(*its) for its in sorted(letters.items())])


def _entries(conn: sqlite3.Connection, catalogue: Works) -> Iterator[IndexEntry]:
    for term, concept, preferred in queries.terms(conn):
        if term.strip():
            yield IndexEntry(
                term, f"/concept/{concept}", preferred if term.casefold() != preferred.casefold() else None
            )
    for heading in queries.headings(conn):
        if words := " ".join(heading.label.split()).strip(" .,—-"):
            yield IndexEntry(words, f"/{heading.id}", catalogue.name(heading))
