"""The evidence of a unit: its OCR text and its reading text side by side, with every edit and why it was made."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from datasette_plugins.catalogue import Works
from datasette_plugins.page import Brief, JsonAs, Page, Shown, described
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


def shown(edit: EditRow) -> bool:
    """Whether an edit changes more than white space."""
    return bool((edit.before + edit.after).strip())


class Evidence(Page, template="evidence", at=["/ID/evidence.json"]):
    """The OCR text of a unit and all edits of it."""

    unit: Annotated[UnitRow, JsonAs(Brief)] = described("the unit")
    scan: str = described("the OCR text of the unit, unchanged")
    raw_start: int = described("offset of its first character in the OCR text of the book")
    raw_end: int = described("offset after its last character")
    further: Sequence[tuple[int, int]] = described("its further parts, elsewhere in the OCR text: pairs of offsets")
    edits: Sequence[EditRow] = described("the edits: what was changed, where, and why")
    suggestions: Sequence[SuggestionRow] = described("doubtful words that were left unchanged")
    parent: Shown[UnitRow | None]
    passage: Shown[UnitText]
    pieces: Shown[Sequence[ScanPiece]]
    notes: Shown[Mapping[int, Remark]]
    stretches: Shown[Sequence[UnitRow]]
    facts: Shown[tuple[str, int] | None]


def evidence(conn: sqlite3.Connection, unit: UnitRow, catalogue: Works) -> Evidence:
    """Make the page of a unit's evidence."""
    passage = reading.passage(conn, unit, blanks=True)
    stretches = [unit, *(f.unit for f in passage.further)]
    notes = {e.raw_start: Remark(i, e) for i, e in enumerate(filter(shown, passage.edits), 1)}
    cited = writing.cited(conn, unit)
    parent = cited.parents[0] if cited.parents else None
    return Evidence(
        url=f"/{unit.id}/evidence",
        title=f"Evidence for {catalogue.full(unit, parent)}",
        unit=unit,
        scan=passage.scan,
        raw_start=unit.raw_start,
        raw_end=unit.raw_end,
        further=[(u.raw_start, u.raw_end) for u in stretches[1:]],
        edits=passage.edits,
        suggestions=[d for u in stretches for d in queries.suggestions(conn, u.book_id, u.raw_start, u.raw_end)],
        parent=parent,
        passage=passage,
        pieces=_scans(passage, notes.values()),
        notes=notes,
        stretches=stretches,
        facts=queries.scan_facts(conn, unit.book_id),
    )


def _scans(passage: UnitText, notes: Iterable[Remark]) -> list[ScanPiece]:
    """Cut the scan of a passage with `_scan`; if a footnote is continued elsewhere, span by span."""
    unit = passage.unit
    pieces = _scan(unit, passage.scan[: unit.raw_end - unit.raw_start], notes)
    for rest in passage.further:
        pieces += [ScanPiece(APART), *_scan(rest.unit, rest.scan, notes)]
    return pieces


def _scan(unit: UnitRow, scan: str, notes: Iterable[Remark]) -> list[ScanPiece]:
    """Cut the scan of a unit at its edits; each edited span has the remark on its edit."""
    pieces: list[ScanPiece] = []
    start, at = unit.raw_start, 0
    for note in notes:
        if note.edit.raw_start >= unit.raw_end or note.edit.raw_end <= start:
            continue
        a, b = max(note.edit.raw_start - start, at), min(note.edit.raw_end - start, len(scan))
        pieces += [ScanPiece(scan[at:a]), ScanPiece(scan[a:b], note)]
        at = b
    pieces.append(ScanPiece(scan[at:]))
    return [piece for piece in pieces if piece.text or piece.note]
