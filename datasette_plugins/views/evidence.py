"""The evidence of a unit: its OCR text and its reading text side by side, with every edit and why it was made.

A reader can point at a word that is still misread; the page makes the entry for errata.toml, to be copied or sent.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from datasette_plugins.catalogue import Works
from datasette_plugins.endpoint import PageRequest
from datasette_plugins.page import Brief, JsonAs, Page, Shown, described
from extract.errors import BookError
from kb.desk.emendation import KINDS, REASON, MisreadPlace, block, place_at
from kb.read import cite, queries, reading
from kb.read.reading import APART, UnitText
from kb.read.rows import EditRow, SuggestionRow, UnitRow

_WORD = re.compile(r"\S+|\s+")


@dataclass(frozen=True, slots=True)
class Remark:
    """An edit with its number on the page."""

    number: int
    edit: EditRow


@dataclass(frozen=True, slots=True)
class ScanPiece:
    """A span of the scan with its offset and the edit that replaced it; a separator between spans has neither."""

    text: str
    at: int | None
    note: Remark | None = None


def shown(edit: EditRow) -> bool:
    """Whether an edit changes more than white space."""
    return bool((edit.before + edit.after).strip())


@dataclass(frozen=True, slots=True)
class MisreadingReport:
    """The word at which a reader pointed, and the entry for it.

    `picking` is true if the reader can point at words. Either `entry` is a complete entry, or `fault` a sentence on
    what is wrong; until something has been filled in, both are empty. `guessed` is true if the reading is that of a
    recorded doubt and not the reader's own.
    """

    picking: bool
    place: MisreadPlace | None
    read: str = ""
    kind: str = KINDS[0]
    reason: str = REASON
    entry: str = ""
    fault: str = ""
    guessed: bool = False

    def holds(self, at: int) -> bool:
        """Whether an offset lies in the word at which the reader pointed."""
        return self.place is not None and self.place.raw_start <= at < self.place.raw_end


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
    pointed: Shown[MisreadingReport]
    notes: Shown[Mapping[int, Remark]]
    stretches: Shown[Sequence[UnitRow]]
    facts: Shown[tuple[str, int] | None]


def evidence(conn: sqlite3.Connection, request: PageRequest, unit: UnitRow, catalogue: Works) -> Evidence:
    """Make the page of a unit's evidence."""
    passage = reading.passage(conn, unit, blanks=True)
    stretches = [unit, *(f.unit for f in passage.further)]
    notes = {e.raw_start: Remark(i, e) for i, e in enumerate(filter(shown, passage.edits), 1)}
    cited = cite.cited(conn, unit)
    pieces = _scans(passage, notes.values())
    pointed = misreading(conn, request, unit)
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
        pieces=list(_words(pieces)) if pointed.picking else pieces,
        pointed=pointed,
        notes=notes,
        stretches=stretches,
        facts=queries.scan_facts(conn, unit.book_id),
    )


def _scans(passage: UnitText, notes: Iterable[Remark]) -> list[ScanPiece]:
    """Cut the scan of a passage with `_scan`; if a footnote is continued elsewhere, span by span."""
    unit = passage.unit
    pieces = _scan(unit, passage.scan[: unit.raw_end - unit.raw_start], notes)
    for rest in passage.further:
        pieces += [ScanPiece(APART, None), *_scan(rest.unit, rest.scan, notes)]
    return pieces


def _scan(unit: UnitRow, scan: str, notes: Iterable[Remark]) -> list[ScanPiece]:
    """Cut the scan of a unit at its edits; each edited span has the remark on its edit."""
    pieces: list[ScanPiece] = []
    start, at = unit.raw_start, 0
    for note in notes:
        if note.edit.raw_start >= unit.raw_end or note.edit.raw_end <= start:
            continue
        a, b = max(note.edit.raw_start - start, at), min(note.edit.raw_end - start, len(scan))
        pieces += [ScanPiece(scan[at:a], start + at), ScanPiece(scan[a:b], start + a, note)]
        at = b
    pieces.append(ScanPiece(scan[at:], start + at))
    return [piece for piece in pieces if piece.text or piece.note]


def _words(pieces: Iterable[ScanPiece]) -> Iterable[ScanPiece]:
    """Split the pieces into words, so that a reader can point at each; edited pieces stay whole."""
    for piece in pieces:
        if piece.at is None or piece.note:
            yield piece
        else:
            yield from (ScanPiece(m[0], piece.at + m.start()) for m in _WORD.finditer(piece.text))


def misreading(conn: sqlite3.Connection, request: PageRequest, unit: UnitRow) -> MisreadingReport:
    """Read a report on a word from the URL: its offset `at`, its reading `read`, the `kind` and the `reason`.

    Without a reading the likeliest is filled in; it becomes an entry at once only if it is that of a recorded doubt.
    """
    pointed = bool(request.get("at"))
    at = request.number("at", -1, 0, 10**8)  # no scan has as many characters
    place = place_at(conn, unit, at)
    if place is None:
        fault = "There is no word of this text there; click one in the OCR text." if pointed else ""
        return MisreadingReport(pointed or bool(request.get("pick")), None, fault=fault)
    if place.entries:
        return MisreadingReport(True, place)
    given = bool(request.get("kind") or request.get("read"))
    read = request.get("read") if given else place.likeliest
    kind = request.get("kind") if request.get("kind") in KINDS else KINDS[0] if read else "furniture"
    reason = request.get("reason") or REASON
    if not given and not place.doubts:
        return MisreadingReport(True, place, read, kind, reason)
    try:
        text = block(conn, place, read, kind, reason)
        return MisreadingReport(True, place, read, kind, reason, entry=text, guessed=not given)
    except BookError as error:
        return MisreadingReport(True, place, read, kind, reason, fault=str(error))
