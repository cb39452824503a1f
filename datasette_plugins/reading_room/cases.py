"""The cases with their decisions by the matter on which they turned."""

from __future__ import annotations

import sqlite3
from itertools import groupby
from urllib.parse import urlencode

from datasette_plugins.page import Document, PageRequest, TemplateResponse
from datasette_plugins.shared import Works, parents_of, shortened, works
from kb.comparison import cases as precedents
from kb.comparison import tabular
from kb.comparison.cases import Case
from kb.read import queries
from kb.read.domain import domain
from kb.read.rows import UnitRow
from kb.read.written import LONGEST, resolve


def page(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse | Document:
    """All cases, or those that turned on a provision (`law`, an id or a citation), or on any of a code (`code`).

    `otherwise` is a code under which they would be decided otherwise, or `any`. As `.csv`, what each code would decide.
    """
    catalogue = works(conn)
    every = precedents.cases(conn)
    found, code, law, notes = _chosen(conn, request, catalogue, every)
    under = request.get("otherwise")
    if under and under != "any" and under not in catalogue.codes:
        notes.append(f"There is no code “{shortened(under)}”; it was left out.")
        under = ""
    if under:
        found = [case for case in found if case.otherwise("" if under == "any" else under)]
    if request.parts.get("format"):
        return Document(tabular.cases_as_csv(found, request.absolute), "text/csv; charset=utf-8", "cases.csv")
    matters = precedents.by_matter(conn, found)
    on = queries.units(conn, precedents.laws(every))
    choices = sorted(on.values(), key=lambda u: (list(catalogue.codes).index(u.work), u.seq))
    context = {
        "works": catalogue,
        "matters": matters,
        "total": len(found),
        "every": len(every),
        "code": code,
        "law": law,
        "under": under,
        "judged": sum(bool(case.outcomes) for case in every),
        "choices": [(work, list(units)) for work, units in groupby(choices, key=lambda u: u.work)],
        "parents": parents_of(conn, {t.id: t for c in found for t in c.on}.values()),
        "notes": notes,
    }
    data = {
        "code": code or None,
        "law": law.id if law else None,
        "otherwise": under or None,
        "notes": notes,
        "total": len(found),
        "matters": [
            {
                "topic": matter.topic.id if matter.topic else None,
                "label": matter.topic.label if matter.topic else None,
                "cases": [
                    {"id": c.unit.id, "url": request.absolute(f"/{c.unit.id}"), "page": c.unit.page, "facts": c.facts,
                     "decision": c.decision, "on": [t.id for t in c.on],
                     "questions": [q.id for q in c.questions], "outcomes": c.outcomes}
                    for c in matter.cases
                ],
            }
            for matter in matters
        ],
    }  # fmt: skip
    chosen = {"law": law.id if law else "", "code": "" if law else code, "otherwise": under}
    query = f"?{urlencode(given)}" if (given := {k: v for k, v in chosen.items() if v}) else ""
    context["csv"] = f"/cases.csv{query}"
    title = f"Cases on {catalogue.full(law)}" if law else "Cases by topic"
    told = domain(conn)
    of = f" of {told.library.subject}" if told.library.subject else ""
    about = (
        f"Decided cases{of} by the matter on which they turned, each in two lines with its {told.provision.singular}."
    )
    return TemplateResponse("cases", title, "/cases", data, context, about, query=query)


def _chosen(
    conn: sqlite3.Connection, request: PageRequest, catalogue: Works, every: tuple[Case, ...]
) -> tuple[list[Case], str, UnitRow | None, list[str]]:
    """The cases asked for, the code and the provision that were named, and what of the address was left out."""
    code, typed = request.get("code"), request.get("law")
    notes = []
    if code and code not in catalogue.codes:
        notes.append(f"There is no code “{shortened(code)}”; it was left out.")
        code = ""
    read = resolve(conn, typed) if typed and len(typed) <= LONGEST else None
    meant = [u for u in read.units if u.work in catalogue.codes and (not code or u.work == code)] if read else []
    law = meant[0] if meant else None
    if read and read.note:
        notes.append(read.note)
    elif typed and law is None:
        hint = "".join(f" Write {words}." for words in domain(conn).examples.pair[:1])
        notes.append(f"“{shortened(typed)}” names no provision here; it was left out.{hint}")
    if len(meant) > 1 and law:
        notes.append(f"“{shortened(typed)}” may mean several provisions; this is {catalogue.full(law)}.")
    found = [
        c for c in every
        if (law is None or precedents.turned_on(c, law)) and (not code or any(t.work == code for t in c.on))
    ]  # fmt: skip
    return found, code, law, notes
