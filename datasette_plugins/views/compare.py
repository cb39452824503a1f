"""Comparisons of texts: the page to start from, a few provisions in parallel columns, and two codes, law by law."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any
from urllib.parse import urlencode

from pydantic import Field

from datasette_plugins.arguments import BUILD_ASKED, rebuilt
from datasette_plugins.catalogue import parents_of, works
from datasette_plugins.endpoint import PageRequest, PermanentRedirect
from datasette_plugins.missing import Missing, missing, shortened
from datasette_plugins.page import Briefs, Id, Ids, JsonAs, Notes, Page, Shape, Share, Shown, Tupled, described
from datasette_plugins.views.concordance import Alone
from kb.cite.resolve import LONGEST, resolve
from kb.collation import parallel
from kb.collation.parallel import MOST_TEXTS, MOST_WORDS, CollatedPiece, Collation, Variant
from kb.comparison import changes, concordance
from kb.comparison import topics as subjects
from kb.comparison.concordance import Counterpart, State, Tie, twin_codes
from kb.questions.questions import shown_under
from kb.read import nearest, queries
from kb.read.domain import domain
from kb.read.rows import CodeRow, RelatedRow, TopicRow, UnitRow


@dataclass(frozen=True, slots=True)
class TopicListed(TopicRow):
    """A topic, with how many questions it has."""

    questions: int


class Start(Page, template="compare_start", at=["/compare.json"]):
    """The page from which comparisons start."""

    topics: Sequence[TopicListed] = described("the topics, each with its number of questions")
    twins: Sequence[tuple[str, str]] = described(
        "pairs of codes with largely the same text: see /compare/CODE/CODE.json"
    )
    pairs: Sequence[tuple[str, str]] = described("all pairs of codes, the older first")


def compare(conn: sqlite3.Connection, request: PageRequest) -> Start | PermanentRedirect:
    """What can be compared; a URL of earlier releases, with two provisions `a` and `b`, is redirected to `collate`."""
    if given := [("u", typed) for side in ("a", "b") if (typed := request.get(side))]:
        build = [("build", build)] if (build := request.get("build")) else []
        return PermanentRedirect("/collate", urlencode([*given, *build]))
    counts = {topic: len(ids) for topic, ids in shown_under(conn).items()}
    return Start(
        url="/compare",
        title="Compare",
        topics=[TopicListed(**asdict(t), questions=counts.get(t.id, 0)) for t in subjects.topics(conn)],
        twins=list(concordance.twin_codes(conn)),
        pairs=changes.code_pairs(conn),
    )


class Typed(Tupled):
    """What was typed, and the ids it may mean."""

    typed: str
    candidates: tuple[Id, ...]


class Collated(Page, template="collate", at=["/collate.json?u=ID&u=ID"], asks={"build": BUILD_ASKED}):
    """Provisions in parallel columns."""

    notes: Notes
    build: str | None = described("name of the build, or null")
    units: Briefs = described("the provisions")
    asked: Annotated[Sequence[tuple[str, Sequence[UnitRow]]], JsonAs(tuple[Typed, ...])] = described(
        "other text that was typed, and the provisions it may mean (status 404 if none)"
    )
    shares: Sequence[Share] = described("share of words in common with the first provision, 0 to 1")
    bands: Sequence[Sequence[Sequence[CollatedPiece]]] = described(
        "the aligned rows: for each provision its pieces of text"
    )
    links: Sequence[RelatedRow | None] = described(
        "the link between the first provision and each of the others, or null"
    )
    error: str = described(
        "if the typed text means no provision: one sentence", default="", exclude_if=lambda error: not error
    )
    parents: Shown[Mapping[str, UnitRow]]
    names: Shown[Sequence[str]]
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
        notes.append(f"Only the first {MOST_TEXTS} of {len(typed)} were compared.")
    if any(len(text) > LONGEST for text in typed[:MOST_TEXTS]):
        notes.append("One was too long to be an id or a citation; it was left out.")
    typed = [text.strip() for text in typed[:MOST_TEXTS] if len(text) <= LONGEST]
    found: list[UnitRow] = []
    asked: list[tuple[str, tuple[UnitRow, ...]]] = []
    lost: list[str] = []
    for text in typed:
        resolved = resolve(conn, text)
        notes += [resolved.note] if resolved.note and resolved.units else []
        if len(resolved.units) != 1:
            near = queries.units(conn, nearest.ids(conn, text)) if not resolved.units else {}
            asked.append((text, resolved.units or tuple(near.values())))
            lost += [] if resolved.units else [text]
        elif resolved.units[0] in found:
            notes.append(f"“{shortened(text)}” was given twice.")
        else:
            found.append(resolved.units[0])
    if len(found) == 1 and not asked:
        notes.append(f"Name another {domain(conn).provision.singular} to compare with {catalogue.full(found[0])}.")
    ids = [u.id for u in found]
    request = replace(request, args={"u": ids})
    bodies = [_bounded(u, notes) for u in found]
    together = parallel.collate(bodies) if len(found) > 1 and not asked else None
    not_found = " or ".join(f"“{shortened(text)}”" for text in lost)
    related: dict[str, RelatedRow] = {}
    for row in queries.related(conn, ids[0]) if together else ():
        if row.other not in ids:
            related.setdefault(row.other, row)
    others, parents = queries.units(conn, related), parents_of(conn, found)
    return Collated(
        url="/collate" + request.query(),
        title=f"Word by word: {', '.join(map(catalogue.full, found))}"
        if together
        else f"Compare {domain(conn).provision.several} word by word",
        status=404 if lost else 200,
        notes=notes,
        build=request.build or None,
        units=found,
        asked=asked,
        shares=together.shares if together else (),
        bands=together.bands if together else (),
        links=[queries.link(conn, ids[0], other) for other in ids[1:]] if together else (),
        error=f"There is no {domain(conn).provision.singular} {not_found}." if lost else "",
        parents=parents,
        names=[catalogue.full(u, parents.get(u.parent_id or "")) for u in found],
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


class Changes(
    Page,
    template="changes",
    at=["/compare/CODE/CODE.json"],
    asks={"build": BUILD_ASKED},
):
    """Two codes, provision by provision."""

    notes: Notes
    build: str | None = described("name of the build, or null")
    a: CodeRow = described("the older code")
    b: CodeRow = described("the newer code")
    provisions: Annotated[Sequence[changes.Changed], JsonAs(tuple[Changed, ...])] = described(
        "those with one text in both, with each change of words, spelling or punctuation"
    )
    unchanged: Ids = described("ids of the unchanged provisions, in the older code")
    linked: Annotated[Sequence[tuple[UnitRow, Sequence[Counterpart]]], JsonAs(tuple[Linked, ...])] = described(
        "provisions linked by their subject, not by their text: the same rule, another rule ..."
    )
    only_a: Annotated[Sequence[tuple[UnitRow, State]], JsonAs(tuple[Alone, ...])] = described(
        "provisions of the older code without a counterpart in the newer"
    )
    only_b: Annotated[Sequence[tuple[UnitRow, State]], JsonAs(tuple[Alone, ...])] = described(
        "provisions of the newer code without a counterpart in the older"
    )
    found: Shown[changes.Changes]
    twins: Shown[bool]
    alone: Shown[Sequence[Any]]


def codes(conn: sqlite3.Connection, request: PageRequest) -> Changes | Missing | PermanentRedirect:
    """Two codes, from the older to the newer: changes of wording, links, and provisions that only one of them has."""
    catalogue = works(conn)
    a, b = request.parts["a"], request.parts["b"]
    for name in (a, b):
        if name not in catalogue.codes:
            return missing(request, "code", name)
    place = list(catalogue.codes)
    if a == b:
        return PermanentRedirect(f"/code/{a}")
    if place.index(a) > place.index(b):
        return PermanentRedirect(f"/compare/{b}/{a}")
    found = changes.changes(conn, a, b)
    one, other = catalogue.codes[a], catalogue.codes[b]
    lacks = queries.lacks(conn)
    return Changes(
        url=f"/compare/{a}/{b}",
        title=f"{catalogue.label(a)} against {catalogue.label(b)}",
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
    notes.append(f"Only the first {MOST_WORDS} words of {unit.label} were compared.")
    return " ".join(words[:MOST_WORDS])
