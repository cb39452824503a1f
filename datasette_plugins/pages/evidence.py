"""The evidence of a unit: its OCR text and its reading text side by side, with every edit and why it was made."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from datasette_plugins.catalogue import works
from datasette_plugins.site import SitePage
from kb.cite import writing
from kb.read import queries, reading
from kb.read.reading import APART, UnitText
from kb.read.rows import EditRow, SuggestionRow, UnitRow


@dataclass(frozen=True, slots=True)
class Remark:
    """An edit with its number on the page."""

    number: int
    edit: EditRow


@dataclass(frozen=True, slots=True)
class ScanPiece:
    """A span of the scan, with the edit that replaced it if there is one."""

    text: str
    note: Remark | None = None


@dataclass(frozen=True, kw_only=True)
class EvidencePage(SitePage):
    """The OCR text of a unit and all edits of it; `further` are its parts elsewhere in the OCR text, as offsets."""

    template: ClassVar[str] = "evidence"
    internal: ClassVar[frozenset[str]] = frozenset({"parent", "passage", "pieces", "notes", "stretches", "facts"})
    unit: UnitRow
    scan: str
    raw_start: int
    raw_end: int
    further: Sequence[tuple[int, int]]
    edits: Sequence[EditRow]
    suggestions: Sequence[SuggestionRow]
    parent: UnitRow | None
    passage: UnitText
    pieces: Sequence[ScanPiece]
    notes: Mapping[int, Remark]
    stretches: Sequence[UnitRow]
    facts: tuple[str, int] | None


def shown(edit: EditRow) -> bool:
    """Whether an edit changes more than white space."""
    return bool((edit.before + edit.after).strip())


def evidence(conn: sqlite3.Connection, unit: UnitRow) -> EvidencePage:
    """Make the page of a unit's evidence."""
    passage = reading.passage(conn, unit)
    stretches = [unit, *(f.unit for f in passage.further)]
    edits = [*filter(shown, passage.edits)]
    notes = {e.raw_start: Remark(i, e) for i, e in enumerate(edits, 1)}
    parent = next(iter(writing.cited(conn, unit).parents), None)
    name = works(conn).full(unit, parent)
    pieces = list(_pieces(unit, passage.scan[: unit.raw_end - unit.raw_start], notes))
    for rest in passage.further:
        pieces += [ScanPiece(APART), *_pieces(rest.unit, rest.scan, notes)]
    return EvidencePage(
        url=f"/{unit.id}/evidence",
        title=f"Evidence for {name}",
        description=f"{name}: its OCR text and its reading text, with the reason for every change.",
        unit=unit,
        scan=passage.scan,
        raw_start=unit.raw_start,
        raw_end=unit.raw_end,
        further=[(u.raw_start, u.raw_end) for u in stretches[1:]],
        edits=edits,
        suggestions=[d for u in stretches for d in queries.suggestions(conn, u.book_id, u.raw_start, u.raw_end)],
        parent=parent,
        passage=passage,
        pieces=pieces,
        notes=notes,
        stretches=stretches,
        facts=queries.scan_facts(conn, unit.book_id),
    )


def _pieces(unit: UnitRow, scan: str, notes: Mapping[int, Remark]) -> Iterator[ScanPiece]:
    """Yield the scan of a unit, cut at its edits; each edited span has the remark on its edit."""
    at = 0
    for note in notes.values():
        if unit.raw_start < note.edit.raw_end and note.edit.raw_start < unit.raw_end:
            a = max(note.edit.raw_start - unit.raw_start, at)
            b = min(note.edit.raw_end - unit.raw_start, len(scan))
            yield ScanPiece(scan[at:a])
            yield ScanPiece(scan[a:b], note)
            at = b
    yield ScanPiece(scan[at:])
