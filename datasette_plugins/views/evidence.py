"""The evidence of a unit: its OCR text and its reading text side by side, with every edit and why it was made.

A reader can point at a word that is still misread; the page makes the entry for errata.toml, to be copied or sent.
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
    """A span of the scan with its offset and the edit that replaced it; a separator between spans has neither."""

    text: str
    at: int | None
    note: Remark | None = None

    @property
    def word(self) -> bool:
        """Whether it has text at which a reader can point."""
        return self.at is not None and bool(self.text.strip())


def shown(edit: EditRow) -> bool:
    """Whether an edit changes more than white space."""
    return bool((edit.before + edit.after).strip())


def doubtful(edit: EditRow) -> bool:
    """Whether an edit corrects an OCR error with so little confidence that readers should see a mark in the text."""
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
    """Make the page of a unit's evidence."""
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
    """Cut the scan of a passage with `_scan`; if a footnote is continued elsewhere, span by span."""
    unit = passage.unit
    pieces = _scan(passage.scan[: unit.raw_end - unit.raw_start], unit.raw_start, _of(edits, unit), notes)
    for rest in passage.further:
        pieces += [ScanPiece(APART, None), *_scan(rest.scan, rest.unit.raw_start, _of(edits, rest.unit), notes)]
    return pieces


def _of(edits: list[EditRow], unit: UnitRow) -> list[EditRow]:
    return [e for e in edits if e.raw_start < unit.raw_end and e.raw_end > unit.raw_start]


def _scan(scan: str, start: int, edits: list[EditRow], notes: dict[int, Remark]) -> list[ScanPiece]:
    """Cut a scan at its edits; each edited span has the remark on its edit."""
    pieces: list[ScanPiece] = []
    at = 0
    for edit in edits:
        a, b = max(edit.raw_start - start, at), min(edit.raw_end - start, len(scan))
        pieces += [ScanPiece(scan[at:a], start + at), ScanPiece(scan[a:b], start + a, notes[edit.raw_start])]
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


LARGEST = 10**8  # no scan has as many characters


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

    @property
    def mail(self) -> str:
        """A mailto URL with the entry as the text; the reader fills in the recipient."""
        about = self.place.unit_id or self.place.book_id if self.place else ""
        return f"mailto:?subject={quote(f'Misreading in {about}')}&body={quote(self.entry)}"

    def holds(self, at: int) -> bool:
        """Whether an offset lies in the word at which the reader pointed."""
        return self.place is not None and self.place.raw_start <= at < self.place.raw_end


def misreading(conn: sqlite3.Connection, request: PageRequest, unit: UnitRow) -> MisreadingReport:
    """Read a report on a word from the URL: its offset `at`, its reading `read`, the `kind` and the `reason`.

    Without a reading the likeliest is filled in; it becomes an entry at once only if it is that of a recorded doubt.
    """
    pointed = bool(request.get("at"))
    at = request.number("at", -1, 0, LARGEST)
    place = place_at(conn, unit, at)
    if place is None:
        return MisreadingReport(pointed or bool(request.get("pick")), None, fault=_NO_WORD if pointed else "")
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


_NO_WORD = "No word of this piece stands there; point at one in the OCR text."
