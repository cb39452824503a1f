"""The cases with their decisions, grouped by the topic on which they turned."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Annotated
from urllib.parse import urlencode

from pydantic import AliasPath, Field

from datasette_plugins.arguments import chosen_code, only
from datasette_plugins.catalogue import Works, parents_of, works
from datasette_plugins.endpoint import Document, PageRequest, Refused
from datasette_plugins.missing import Missing, missing, shortened
from datasette_plugins.page import Id, JsonAs, MaybeId, Notes, Page, Shape, Shown, Url, described
from kb.cite.resolve import LONGEST, resolve
from kb.comparison import cases as precedents
from kb.comparison import tabular
from kb.comparison.cases import Case, CaseGroup, Outcome
from kb.read import queries
from kb.read.domain import domain
from kb.read.rows import UnitRow


class Decided(Shape):
    """A case, with the provisions on which it turned."""

    id: Id = Field(validation_alias="unit")
    url: Url = Field(validation_alias="unit")
    facts: str | None
    decision: str | None
    page: str | None = Field(validation_alias=AliasPath("unit", "folio"))
    on: tuple[Id, ...]
    questions: tuple[Id, ...] = described("ids of the questions that decide it, the most decisive first")
    outcomes: tuple[Outcome, ...] = described("how the editor thinks each code would decide it; empty if not judged")


class OnATopic(Shape):
    """Cases on one topic; for the cases without a topic it is null."""

    topic: MaybeId
    label: str | None = Field(None, validation_alias=AliasPath("topic", "label"))
    cases: tuple[Decided, ...]


class Cases(
    Page,
    template="cases",
    at=["/cases.json"],
    asks={
        "code": "only this code, by id or year",
        "law": "only cases that turned on this provision, by id or citation",
        "otherwise": "only cases that this code, by id or year, or `any` other would decide otherwise",
    },
):
    """Cases by the topic on which they turned."""

    code: Annotated[str, JsonAs(MaybeId)] = described("id of the chosen code, or null")
    law: Annotated[UnitRow | None, JsonAs(MaybeId)] = described("id of the chosen provision, or null")
    otherwise: Annotated[str, JsonAs(MaybeId)] = described(
        "id of the code under which the result would differ, `any`, or null"
    )
    notes: Notes
    total: int = described("number of cases found")
    matters: Annotated[Sequence[CaseGroup], JsonAs(tuple[OnATopic, ...])] = described("the topics, with their cases")
    found: Shown[Sequence[UnitRow]]
    judged: Shown[bool]
    choices: Shown[Sequence[tuple[str, Sequence[UnitRow]]]]
    parents: Shown[Mapping[str, UnitRow]]


def page(conn: sqlite3.Connection, request: PageRequest) -> Cases | Document | Missing:
    """All cases, or those that turned on a provision (`law`, an id or a citation), or on any of a code (`code`).

    `otherwise` is a code that would decide them otherwise, or `any`. As `.csv`, what each code would decide.
    """
    only(request, "code", "law", "otherwise")
    catalogue = works(conn)
    every = precedents.cases(conn)
    found, code, law, notes = _chosen(conn, request, catalogue, every)
    under = chosen_code(request, catalogue, "otherwise", ("any",))
    if under:
        found = [case for case in found if case.otherwise("" if under == "any" else under)]
    if request.parts.get("format") and notes:  # a file has no place for notes
        return missing(request, "single provision", request.get("law"), hint=notes[0])
    if request.parts.get("format"):
        return Document(tabular.cases_as_csv(found, request.absolute), "text/csv; charset=utf-8", "cases.csv")
    on = queries.units(conn, precedents.laws(every))
    choices = sorted(on.values(), key=lambda u: (list(catalogue.codes).index(u.work), u.seq))
    chosen = {"law": law.id if law else "", "code": "" if law else code, "otherwise": under}
    query = f"?{urlencode(given)}" if (given := {k: v for k, v in chosen.items() if v}) else ""
    about = domain(conn)
    of = f" of {about.library.subject}" if about.library.subject else ""
    return Cases(
        url="/cases" + query,
        title=f"Cases on {catalogue.full(law)}" if law else "Cases by topic",
        description=(f"Decided cases{of} by topic, each with its facts, decision and {about.provision.singular}."),
        code=code,
        law=law,
        otherwise=under,
        notes=notes,
        total=len(found),
        matters=precedents.by_matter(conn, found),
        found=[case.unit for case in found],
        judged=any(case.outcomes for case in every),
        choices=[(work, list(units)) for work, units in groupby(choices, key=lambda u: u.work)],
        parents=parents_of(conn, {t.id: t for c in found for t in c.on}.values()),
    )


def _chosen(
    conn: sqlite3.Connection, request: PageRequest, catalogue: Works, every: tuple[Case, ...]
) -> tuple[list[Case], str, UnitRow | None, list[str]]:
    """The cases that the URL selects, its code and provision, and notes on how that was read."""
    code, typed = chosen_code(request, catalogue), request.get("law")
    read = resolve(conn, typed) if typed and len(typed) <= LONGEST else None
    meant = [u for u in read.units if u.work in catalogue.codes and (not code or u.work == code)] if read else []
    law = meant[0] if meant else None
    notes = [read.note] if read and read.note else []
    if typed and law is None:
        examples = [f"Write {words}." for words in domain(conn).examples.pair[:1]]
        raise Refused(missing(request, domain(conn).provision.singular, typed, hint=" ".join(notes or examples)))
    if len(meant) > 1 and law:
        notes.append(f"“{shortened(typed)}” may mean several provisions; this is {catalogue.full(law)}.")
    found = [
        c for c in every
        if (law is None or precedents.turned_on(c, law)) and (not code or any(t.work == code for t in c.on))
    ]  # fmt: skip
    return found, code, law, notes
