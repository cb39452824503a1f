"""Citations: what a typed one means."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from datasette_plugins.catalogue import parents_of
from datasette_plugins.endpoint import PageRequest, TemporaryRedirect
from datasette_plugins.missing import shortened
from datasette_plugins.page import Briefs, Notes, Page, Shown, described
from kb.cite.resolve import LONGEST, Resolution, resolve
from kb.read import nearest, queries
from kb.read.rows import UnitRow


class Cite(Page, template="cite", at=["/cite.json?q=CITATION"]):
    """What a citation may mean."""

    candidates: Briefs = described(
        "the provisions that it may mean; if there is only one, the response redirects to /ID.json (302)"
    )
    nearest: Sequence[str] = described("similar ids, if it means no provision (status 404)")
    notes: Notes
    error: str = described("if it means no provision: one sentence", default="", exclude_if=lambda error: not error)
    typed: Shown[str]
    ends: Shown[Sequence[tuple[UnitRow, UnitRow]]]
    units: Shown[Sequence[UnitRow]]
    parents: Shown[Mapping[str, UnitRow]]


def cite(conn: sqlite3.Connection, request: PageRequest) -> Cite | TemporaryRedirect:
    """Find the provision that an id or a citation `q` means, or those it may mean.

    If it means none, the status is 404, and the page lists the nearest provisions that exist.
    """
    typed = request.get("q")
    read = typed if len(typed) <= LONGEST else ""
    resolved = resolve(conn, read) if read else Resolution()
    if len(resolved.units) == 1 and not resolved.note:
        return TemporaryRedirect(f"/{resolved.units[0].id}")
    known = resolved.units or resolved.ends
    near = queries.units(conn, nearest.ids(conn, read)) if read and not known else {}
    units = resolved.units or tuple(near.values())
    lost = bool(typed) and not resolved.units
    return Cite(
        url="/cite" + request.query(q=[read]),
        title="Cite",
        candidates=resolved.units,
        nearest=list(near),
        notes=[resolved.note] if resolved.note else [],
        error=f"“{shortened(typed)}” names no provision here." if lost else "",
        typed=shortened(typed),
        ends=resolved.ends,
        units=units,
        parents=parents_of(conn, units),
        status=404 if lost else 200,
    )
