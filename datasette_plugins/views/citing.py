"""Citing: what a typed citation means, and whether the citations of a text still hold."""

from __future__ import annotations

import sqlite3

from datasette_plugins.page import Elsewhere, PageRequest, TemplateResponse, plain
from datasette_plugins.shared import brief, parents_of, shortened, works
from kb.citing import verification
from kb.read import lookup, queries
from kb.read.domain import domain
from kb.read.written import LONGEST, resolve

# A text that is longer does not fit an address; the command reads it.
LONGEST_TEXT, MOST_CITATIONS = 4000, 100


def cite(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse | Elsewhere:
    """The provision that an id or a citation `q` means, or those it may mean.

    What means none is not found (404), with the nearest that exist.
    """
    catalogue = works(conn)
    typed = request.get("q")
    read = typed if len(typed) <= LONGEST else ""
    meant = queries.moved(conn, read.lower().strip("/")) or read
    resolved = resolve(conn, meant) if meant else lookup.Resolution()
    if len(resolved.units) == 1 and not resolved.note:
        return Elsewhere(f"/{resolved.units[0].id}")
    near = queries.units(conn, lookup.nearest_ids(conn, read)) if read and not resolved.units else {}
    data = {
        "candidates": [brief(u, catalogue, request) for u in resolved.units],
        "nearest": list(near),
        "notes": [resolved.note] if resolved.note else [],
    }
    lost = bool(typed) and not resolved.units
    if lost:
        data["error"] = f"“{shortened(typed)}” names no provision here."
    units = resolved.units or tuple(near.values())
    context = {
        "works": catalogue,
        "typed": shortened(typed),
        "units": units,
        "parents": parents_of(conn, units),
        "notes": data["notes"],
        "lost": lost,
    }
    query = request.query(q=[read])
    return TemplateResponse("cite", "Cite", "/cite", data, context, status=404 if lost else 200, query=query)


def verify(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse:
    """Each citation of a text: whether it leads to its provision, and whether the words quoted stand there."""
    typed = request.get("text")
    text = typed[:LONGEST_TEXT]
    verdicts, note = verification.verify(conn, text, request.absolute(""), MOST_CITATIONS)
    notes = [note] if note else []
    if len(typed) > LONGEST_TEXT:
        notes.append(f"Only the first {LONGEST_TEXT} characters were read; `whist cite --verify` reads whole books.")
    if text and not verdicts:
        example = domain(conn).examples.unit or "CODE/NUMBER"
        notes.append(f"No citation was found; one names its work and a number, or has an id such as {example}.")
    marked = verification.marked(text, verdicts)
    marked = marked if marked != text else ""
    data = {"citations": [_told(verdict) for verdict in verdicts], "marked": marked, "notes": notes}
    context = {"verdicts": verdicts, "marked": marked, "notes": notes, "text": text, "longest": LONGEST_TEXT}
    query = request.query(text=[text])
    return TemplateResponse("verify", "Check citations", "/cite/verify", data, context, query=query)


def _told(verdict: verification.CitationVerdict) -> dict[str, object]:
    told = plain(verdict)
    return {**plain(told.pop("claim")), **told}
