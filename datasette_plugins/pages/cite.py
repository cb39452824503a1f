"""Citations: what a typed one means, and the records of a whole code or book for reference managers."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlencode

from datasette_plugins.catalogue import parents_of
from datasette_plugins.missing import missing, shortened
from datasette_plugins.site import Document, Missing, PageRequest, SitePage, TemporaryRedirect
from kb.cite.formats import in_all_forms, whole_book, whole_code
from kb.cite.resolve import resolve
from kb.read import nearest, queries
from kb.read.rows import UnitRow

RECORDS = {
    "bib": ("bibtex", "application/x-bibtex; charset=utf-8"),
    "ris": ("ris", "application/x-research-info-systems; charset=utf-8"),
    "csl.json": ("csl", "application/vnd.citationstyles.csl+json; charset=utf-8"),
}


@dataclass(frozen=True, kw_only=True)
class CitePage(SitePage):
    """What a citation may mean: the provisions; if it means none, an error, and the nearest ids."""

    template: ClassVar[str] = "cite"
    internal: ClassVar[frozenset[str]] = frozenset({"ends", "units", "parents"})
    query: str
    candidates: Sequence[UnitRow]
    nearest: Sequence[str]
    note: str
    error: str
    ends: Sequence[tuple[UnitRow, UnitRow]]
    units: Sequence[UnitRow]
    parents: Mapping[str, UnitRow]


def cite(conn: sqlite3.Connection, request: PageRequest) -> CitePage | TemporaryRedirect:
    """Find the provision that an id or a citation `q` means, or those it may mean.

    If it means none, the status is 404, and the page lists the nearest provisions that exist.
    """
    typed = request.get("q")
    found = resolve(conn, typed, request.host)
    if len(found.units) == 1 and not found.note:
        return TemporaryRedirect(f"/{found.units[0].id}")
    near = queries.units(conn, nearest.ids(conn, typed)) if typed and not (found.units or found.ends) else {}
    units = found.units or tuple(near.values())
    lost = bool(typed) and not found.units
    return CitePage(
        url="/cite" + ("?" + urlencode({"q": shortened(typed)}) if typed else ""),
        title="Find a cited law",
        description="Type a citation of a law of whist, a case or a maxim, and read what it means: 1864 law 72.",
        status=404 if lost else 200,
        query=shortened(typed),
        candidates=found.units,
        nearest=list(near),
        note=found.note,
        error=f"“{shortened(typed)}” names no provision here." if lost else "",
        ends=found.ends,
        units=units,
        parents=parents_of(conn, units),
    )


def record(conn: sqlite3.Connection, request: PageRequest) -> Document | Missing:
    """Return the record of a whole code or book for reference managers: `.bib`, `.ris` or `.csl.json`."""
    kind, work = request.parts["kind"], request.parts["work"]
    form, content_type = RECORDS[request.parts["format"]]
    whole = (whole_code if kind == "code" else whole_book)(conn, work, request.absolute(f"/{kind}/{work}"))
    if whole is None:
        return missing(request, kind, work)
    text = str(getattr(in_all_forms(whole), form))
    return Document(text, content_type, f"{work}.{request.parts['format']}")
