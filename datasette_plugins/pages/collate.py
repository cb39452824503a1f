"""A few provisions in parallel columns, word by word."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlencode

from datasette_plugins.catalogue import parents_of, works
from datasette_plugins.missing import shortened
from datasette_plugins.site import PageRequest, SitePage
from kb.cite.resolve import LONGEST, resolve
from kb.collation.collate import MOST_TEXTS, MOST_WORDS, Collation, collate
from kb.read import nearest, queries
from kb.read.rows import RelatedRow, UnitRow


@dataclass(frozen=True, slots=True)
class Typed:
    """What was typed, and the provisions that it may mean; if it is `lost`: none, and these are the nearest."""

    text: str
    candidates: tuple[UnitRow, ...]
    lost: bool


@dataclass(frozen=True, kw_only=True)
class CollatePage(SitePage):
    """Provisions in parallel; `links` are the editor's between the first and each of the others, where there is one."""

    template: ClassVar[str] = "collate"
    internal: ClassVar[frozenset[str]] = frozenset({"parents", "names", "related", "fields"})
    notes: Sequence[str]
    error: str
    units: Sequence[UnitRow]
    asked: Sequence[Typed]
    collation: Collation | None
    links: Sequence[RelatedRow | None]
    parents: Mapping[str, UnitRow]
    names: Sequence[str]
    related: Sequence[tuple[RelatedRow, UnitRow]]
    fields: Sequence[str]


def collated(conn: sqlite3.Connection, request: PageRequest) -> CollatePage:
    """Two to five provisions `u`, given as ids or citations, word by word beside the first of them.

    If one names no provision, the status is 404, and the page lists the nearest that exist; if one may mean several,
    the reader can choose.
    """
    catalogue = works(conn)
    typed = [text.strip() for text in request.all("u")]
    notes = [f"Only the first {MOST_TEXTS} of {len(typed)} were compared."] if len(typed) > MOST_TEXTS else []
    if any(len(text) > LONGEST for text in typed[:MOST_TEXTS]):
        notes.append("One was too long to be an id or a citation; it was left out.")
    found: list[UnitRow] = []
    asked: list[Typed] = []
    for text in (text for text in typed[:MOST_TEXTS] if len(text) <= LONGEST):
        resolved = resolve(conn, text, request.host)
        notes += [resolved.note] if resolved.note and resolved.units else []
        if len(resolved.units) != 1:
            near = resolved.units or tuple(queries.units(conn, nearest.ids(conn, text)).values())
            asked.append(Typed(shortened(text), near, lost=not resolved.units))
        elif resolved.units[0] in found:
            notes.append(f"“{shortened(text)}” was given twice.")
        else:
            found.append(resolved.units[0])
    if len(found) == 1 and not asked:
        notes.append(f"Name another law to compare with {catalogue.full(found[0])}.")
    for unit in found:
        if len(unit.body.split()) > MOST_WORDS:
            notes.append(f"Only the first {MOST_WORDS} words of {unit.label} were compared.")
    bodies = [u.body if len(u.body.split()) <= MOST_WORDS else " ".join(u.body.split()[:MOST_WORDS]) for u in found]
    together = collate(bodies) if len(found) > 1 and not asked else None
    ids = [u.id for u in found]
    links = {row.other: row for row in reversed(queries.related(conn, ids[0]) if together else [])}
    others = queries.units(conn, links.keys() - {*ids})
    parents = parents_of(conn, [*found, *others.values()])
    lost = " or ".join(f"“{each.text}”" for each in asked if each.lost)
    return CollatePage(
        url="/collate" + ("?" + urlencode({"u": ids}, doseq=True) if ids else ""),
        title=f"Word by word: {', '.join(map(catalogue.full, found))}" if together else "Compare laws word by word",
        description=f"Laws of whist in parallel columns: {', '.join(map(catalogue.full, found))}."
        if together
        else "Two to five laws of whist side by side, with the words in which they differ.",
        status=404 if lost else 200,
        notes=notes,
        error=f"There is no law {lost}." if lost else "",
        units=found,
        asked=asked,
        collation=together,
        links=[queries.link(conn, ids[0], other) for other in ids[1:]] if together else [],
        parents=parents,
        names=[catalogue.full(u, parents.get(u.parent_id or "")) for u in found],
        related=[(links[unit.id], unit) for unit in others.values()],
        fields=[*ids, *(each.text for each in asked), *[""] * MOST_TEXTS][:MOST_TEXTS],
    )
