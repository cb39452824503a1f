"""The cases with their decisions, by the topic on which they turned, and how each code would decide them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import groupby
from typing import ClassVar
from urllib.parse import urlencode

from datasette_plugins.arguments import chosen_code, only
from datasette_plugins.catalogue import parents_of, works
from datasette_plugins.listing import places
from datasette_plugins.missing import missing, shortened
from datasette_plugins.site import Document, PageRequest, Refused, SitePage
from kb.cite.resolve import LONGEST, resolve
from kb.comparison.cases import Case, CaseGroup, Outcome, by_topic, cases, laws, turned_on
from kb.comparison.tabular import as_csv
from kb.read import queries
from kb.read.rows import UnitRow


@dataclass(frozen=True, slots=True)
class CaseEntry:
    """A case: what it turned on (ids of laws, and of questions, the most decisive first), and under each code."""

    id: str
    citation: str
    page: str
    url: str
    topic: str
    facts: str
    decision: str
    turned_on: tuple[str, ...]
    questions: tuple[str, ...]
    outcomes: tuple[Outcome, ...]


# The columns of the CSV.
_OF_CASE = [field.name for field in fields(CaseEntry) if field.name != "outcomes"]
_OF_OUTCOME = ("code", "outcome", "result", "rule", "rests_on")


@dataclass(frozen=True, kw_only=True)
class CasesPage(SitePage):
    """Cases by topic: all, or those that turned on a `law`, on any of a `code`, or would end `otherwise` elsewhere."""

    template: ClassVar[str] = "cases"
    internal: ClassVar[frozenset[str]] = frozenset({"groups", "found", "judged", "choices", "parents"})
    code: str
    law: str
    otherwise: str
    notes: Sequence[str]
    cases: Sequence[CaseEntry]
    groups: Sequence[CaseGroup]
    found: Sequence[UnitRow]
    judged: bool
    choices: Sequence[tuple[str, Sequence[UnitRow]]]
    parents: Mapping[str, UnitRow]


def page(conn: sqlite3.Connection, request: PageRequest) -> CasesPage | Document:
    """All cases, or those that turned on a provision (`law`, an id or a citation), or on any of a code (`code`).

    `otherwise` is a code that would decide them otherwise, or `any`. As CSV, a line for each case and code.
    """
    only(request, "code", "law", "otherwise")
    catalogue, every = works(conn), cases(conn)
    code, under = chosen_code(request, catalogue), chosen_code(request, catalogue, "otherwise", ("any",))
    law, notes = _law(conn, request, code)
    found = [
        case for case in every
        if (law is None or turned_on(case, law)) and (not code or any(unit.work == code for unit in case.on))
        and (not under or case.otherwise("" if under == "any" else under))
    ]  # fmt: skip
    entries = [*_entries(conn, request, found)] if request.as_data else []
    if request.parts.get("format") == "csv":
        return Document(as_csv([*_OF_CASE, *_OF_OUTCOME], _rows(entries)), "text/csv; charset=utf-8", "cases.csv")
    order = [*catalogue.codes]
    choices = sorted(queries.units(conn, laws(every)).values(), key=lambda u: (order.index(u.work), u.seq))
    chosen = {"law": law.id if law else "", "code": code, "otherwise": under}
    return CasesPage(
        url="/cases" + (f"?{urlencode(asked)}" if (asked := {k: v for k, v in chosen.items() if v}) else ""),
        title=f"Cases on {catalogue.full(law)}" if law else "Cases by topic",
        description="Decided cases of whist by topic, each with its facts, its decision and the law.",
        alternates=(("text/csv", "/cases.csv"),),
        code=code,
        law=law.id if law else "",
        otherwise=under,
        notes=notes,
        cases=entries,
        groups=by_topic(conn, found),
        found=[case.unit for case in found],
        judged=any(case.outcomes for case in every),
        choices=[(work, [*units]) for work, units in groupby(choices, key=lambda u: u.work)],
        parents=parents_of(
            conn, {u.id: u for u in (*((law and [law]) or []), *(t for c in found for t in c.on))}.values()
        ),
    )


def _law(conn: sqlite3.Connection, request: PageRequest, code: str) -> tuple[UnitRow | None, list[str]]:
    """The provision that the URL names, and notes on how that was read.

    Raises:
        Refused: it names none, or as data several.
    """
    typed, catalogue = request.get("law"), works(conn)
    if not typed:
        return None, []
    read = resolve(conn, typed, request.host) if len(typed) <= LONGEST else None
    meant = [u for u in read.units if u.work in catalogue.codes and code in ("", u.work)] if read else []
    notes = [read.note] if read and read.note else []
    if not meant or (request.as_data and (len(meant) > 1 or notes)):
        hint = " ".join(notes) or "Write 1864 law 72."
        raise Refused(missing(request, "single law" if meant else "law", typed, hint=hint))
    if len(meant) > 1:
        notes.append(f"“{shortened(typed)}” may mean several provisions; this is {catalogue.full(meant[0])}.")
    return meant[0], notes


def _entries(conn: sqlite3.Connection, request: PageRequest, found: Sequence[Case]) -> Iterator[CaseEntry]:
    place = places(conn, request)
    for case in found:
        yield CaseEntry(
            *place(case.unit), case.topic or "", case.facts or "", case.decision or "",
            tuple(u.id for u in case.on), tuple(q.id for q in case.questions), case.outcomes,
        )  # fmt: skip


def _rows(entries: Sequence[CaseEntry]) -> Iterator[list[object]]:
    """Yield a row of CSV for each case and code, and one for a case that no code is known to decide."""
    for entry in entries:
        start: list[object] = [getattr(entry, name) for name in _OF_CASE]
        for o in entry.outcomes:
            yield [*start, o.code, o.state, o.words, o.rule, o.rests_on]
        if not entry.outcomes:
            yield [*start, *[""] * len(_OF_OUTCOME)]
