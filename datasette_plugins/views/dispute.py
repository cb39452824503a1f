"""A dispute: what happened goes in, and each code's provision that decides it comes out, with where to cite it."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from urllib.parse import urlencode

from datasette_plugins.page import PageRequest, TemplateResponse
from datasette_plugins.shared import club, shortened, works
from kb.dispute.settlement import Settlement, as_data, ruling_address, settle
from kb.read.domain import domain

# A player types a few lines; what is longer is no question, and an address could not hold it.
MOST_LETTERS = 2000
_CANDIDATES = 3


def dispute(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse:
    """What decides a dispute `q`, in the code `code` or in all of them; without a dispute, the form.

    `fact` is the question that is meant, as the answer to the fact that the page asked back tells.
    """
    catalogue, about = works(conn), domain(conn)
    chosen, notes = club(request, catalogue)
    typed = request.get("q")
    text = typed[:MOST_LETTERS].strip()
    if len(typed) > MOST_LETTERS:
        notes.append(f"Only the first {MOST_LETTERS:,} letters were read; say it in fewer.")
    asked = [chosen] if chosen else []
    fact = request.get("fact")
    settled = settle(conn, text, asked, _CANDIDATES, fact) if text else Settlement({}, (), (), (), ())
    chosen_fact = fact if any(i.depends and i.depends.chosen for i in settled.heard) else ""
    notes += [f"“{word}” was read as “{other}”." for word, other in settled.respelt.items()]
    limits = {"code": chosen} if chosen else {}
    kept = replace(request, args={k: [v] for k, v in (("q", text), ("code", chosen), ("fact", chosen_fact)) if v})
    purpose = f"{about.dispute.label}, and get the {about.provision.singular} that decides it."
    context = {
        "q": text,
        "works": catalogue,
        "club": chosen,
        "notes": notes,
        "settled": settled,
        "ruling_address": ruling_address,
        "examples": [(e, "/dispute?" + urlencode({"q": e} | limits)) for e in about.examples.dispute],
        "most": MOST_LETTERS,
        "with_fact": lambda facet: "/dispute?" + urlencode({"q": text} | limits | ({"fact": facet} if facet else {})),
    }
    data = {
        "query": text,
        "code": chosen or None,
        "notes": notes,
    } | as_data(settled, request.absolute)
    title = f"Dispute: {shortened(text)}" if text else "Settle a dispute"
    return TemplateResponse("dispute", title, "/dispute", data, context, purpose, query=kept.query())
