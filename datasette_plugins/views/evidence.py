"""The evidence of a unit: its OCR text and its reading text side by side, with every edit and why it was made.

A word that is misread all the same can be pointed at: then the entry for errata.toml is made, to be copied or sent.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from datasette_plugins.catalogue import Works
from datasette_plugins.endpoint import PageRequest
from datasette_plugins.inline import DOUBT
from datasette_plugins.page import As, Brief, Page, Shown, says
from extract.errors import BookError
from kb.desk.emendation import KINDS, REASON, MisreadPlace, block, place_at
from kb.read import cite, queries, reading
from kb.read.reading import APART, UnitText
from kb.read.rows import EditRow, SuggestionRow, UnitRow

ROUTINE = ("join", "space", "furniture")
_WORD = re.compile(r"\S+|\s+")


@dataclass(frozen=True, slots=True)
class Remark:
    """An edit with its number on the page."""

    number: int
    edit: EditRow


@dataclass(frozen=True, slots=True)
class ScanPiece:
    """A stretch of the scan from an offset on, with the edit that replaced it; what parts two stretches has none."""

    text: str
    at: int | None
    note: Remark | None = None

    @property
    def word(self) -> bool:
        """Whether there is something in it that can be pointed at."""
        return self.at is not None and bool(self.text.strip())


def shown(edit: EditRow) -> bool:
    """Whether an edit changes more than the width of a blank or the end of a line."""
    return bool((edit.before + edit.after).strip())


def doubtful(edit: EditRow) -> bool:
    """Whether a reader should be told beside the text that a reading is not certain."""
    return edit.kind == "ocr" and edit.confidence < DOUBT


class Evidence(Page, template="evidence", at=["/ID/evidence.json"]):
    """A unit's OCR text and every edit in it."""

    unit: Annotated[UnitRow, As(Brief)] = says("the unit")
    scan: str = says("the OCR text of the unit, unchanged")
    raw_start: int = says("its first character, as an offset into the OCR text")
    raw_end: int = says("offset just after its last character")
    further: Sequence[tuple[int, int]] = says("stretches that stand elsewhere in the OCR text: pairs of offsets")
    edits: Sequence[EditRow] = says("what was changed, where, and why")
    suggestions: Sequence[SuggestionRow] = says("doubts that were not made edits")
    parent: Shown[UnitRow | None]
    passage: Shown[UnitText]
    pieces: Shown[Sequence[ScanPiece]]
    pointed: Shown[MisreadingReport]
    notes: Shown[Mapping[int, Remark]]
    closely: Shown[Sequence[Remark]]
    routine: Shown[Sequence[Remark]]
    doubtful: Shown[bool]
    stretches: Shown[Sequence[UnitRow]]
    facts: Shown[tuple[str, int] | None]
    kinds: Shown[Sequence[str]]


def evidence(conn: sqlite3.Connection, request: PageRequest, unit: UnitRow, catalogue: Works) -> Evidence:
    """The page of a unit's evidence."""
    passage = reading.passage(conn, unit)
    stretches = [unit, *(f.unit for f in passage.further)]
    numbered = [e for e in passage.edits if shown(e)]
    notes = {e.raw_start: Remark(i, e) for i, e in enumerate(numbered, 1)}
    cited = cite.cited(conn, unit)
    pieces = _scans(passage, numbered, notes)
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
        closely=[n for n in notes.values() if n.edit.kind not in ROUTINE],
        routine=[n for n in notes.values() if n.edit.kind in ROUTINE],
        doubtful=any(n.edit.confidence < DOUBT for n in notes.values()),
        stretches=stretches,
        facts=queries.scan_facts(conn, unit.book_id),
        kinds=list(dict.fromkeys(n.edit.kind for n in notes.values())),
    )


def _scans(passage: UnitText, edits: list[EditRow], notes: dict[int, Remark]) -> list[ScanPiece]:
    """The scan of a passage as `_scan` cuts it; of a footnote that goes on elsewhere, stretch by stretch."""
    unit = passage.unit
    pieces = _scan(passage.scan[: unit.raw_end - unit.raw_start], unit.raw_start, _of(edits, unit), notes)
    for rest in passage.further:
        pieces += [ScanPiece(APART, None), *_scan(rest.scan, rest.unit.raw_start, _of(edits, rest.unit), notes)]
    return pieces


def _of(edits: list[EditRow], unit: UnitRow) -> list[EditRow]:
    return [e for e in edits if e.raw_start < unit.raw_end and e.raw_end > unit.raw_start]


def _scan(scan: str, start: int, edits: list[EditRow], notes: dict[int, Remark]) -> list[ScanPiece]:
    """The scan cut at its edits, each stretch with the note of the edit that replaced it."""
    pieces: list[ScanPiece] = []
    at = 0
    for edit in edits:
        a, b = max(edit.raw_start - start, at), min(edit.raw_end - start, len(scan))
        pieces += [ScanPiece(scan[at:a], start + at), ScanPiece(scan[a:b], start + a, notes[edit.raw_start])]
        at = b
    pieces.append(ScanPiece(scan[at:], start + at))
    return [piece for piece in pieces if piece.text or piece.note]


def _words(pieces: Iterable[ScanPiece]) -> Iterable[ScanPiece]:
    """The pieces with each word by itself, so that it can be pointed at; what was edited stays whole."""
    for piece in pieces:
        if piece.at is None or piece.note:
            yield piece
        else:
            yield from (ScanPiece(m[0], piece.at + m.start()) for m in _WORD.finditer(piece.text))


LARGEST = 10**8  # no scan has as many characters


@dataclass(frozen=True, slots=True)
class MisreadingReport:
    """What was pointed at, and the entry made of it.

    `picking` tells whether words are to be pointed at. Of `entry` and `fault` one is empty: the entry is whole, or a
    sentence says what is wrong; both are while nothing has been filled in. `guessed` is a reading that nobody has said
    yet, but a doubt.
    """

    picking: bool
    place: MisreadPlace | None
    read: str = ""
    kind: str = KINDS[0]
    reason: str = REASON
    entry: str = ""
    fault: str = ""
    guessed: bool = False

    @property
    def mail(self) -> str:
        """The address that opens a letter with the entry in it; to whom it goes the reader knows."""
        about = self.place.unit_id or self.place.book_id if self.place else ""
        return f"mailto:?subject={quote(f'Misreading in {about}')}&body={quote(self.entry)}"

    def holds(self, at: int) -> bool:
        """Whether a character belongs to the word that was pointed at."""
        return self.place is not None and self.place.raw_start <= at < self.place.raw_end


def misreading(conn: sqlite3.Connection, request: PageRequest, unit: UnitRow) -> MisreadingReport:
    """What an address says of a word of a unit: `at` its offset, and what is `read` there, of which `kind`, and why.

    Without a reading the likeliest is filled in; an entry is made of it at once only if somebody thought of it before.
    """
    asked = bool(request.get("at"))
    at = request.number("at", -1, 0, LARGEST)
    place = place_at(conn, unit, at)
    if place is None:
        return MisreadingReport(asked or bool(request.get("pick")), None, fault=_NO_WORD if asked else "")
    if place.entries:
        return MisreadingReport(True, place)
    given = bool(request.get("kind") or request.get("read"))
    read = request.get("read") if given else place.likeliest
    kind = request.get("kind") if request.get("kind") in KINDS else KINDS[0] if read else "furniture"
    reason = request.get("reason") or REASON
    if not given and not place.doubts:
        return MisreadingReport(True, place, read, kind, reason)
    try:
        made = block(conn, place, read, kind, reason)
        return MisreadingReport(True, place, read, kind, reason, entry=made, guessed=not given)
    except BookError as error:
        return MisreadingReport(True, place, read, kind, reason, fault=str(error))


_NO_WORD = "No word of this piece stands there; point at one in the OCR text."
