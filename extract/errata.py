"""The editor's readings: errata.toml of a book, each entry checked against the scan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from extract.book import read_toml
from extract.errors import BookError
from extract.model import Edit, EditKind, EditorNote, Slip

_KINDS: dict[str, EditKind] = {
    "ocr": "ocr", "join": "join", "space": "space", "typo": "typo", "illegible": "illegible", "furniture": "furniture"
}  # fmt: skip
_TABLES = {"reading", "doubt", "passage", "page", "note"}


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of the scan whose place in the book the editor tells: a footnote's continuation, say.

    `start` and `end` are offsets into the scan; `of` is the id of the unit it belongs to.
    """

    start: int
    end: int
    kind: str
    of: str | None
    label: str
    reason: str


@dataclass(frozen=True, slots=True)
class Errata:
    """What the editor knows of a scan: readings, doubts (which change nothing), passages out of place, lost folios,
    the author's slips, and notes to the reader."""

    edits: tuple[Edit, ...] = ()
    doubts: tuple[Edit, ...] = ()
    passages: tuple[Passage, ...] = ()
    folios: tuple[tuple[int, str], ...] = ()
    slips: tuple[Slip, ...] = ()
    notes: tuple[EditorNote, ...] = ()


def read_errata(path: Path, scan: str) -> Errata:
    """Read and check a book's errata.toml.

    Args:
        path: the file; one that does not exist says nothing.
        scan: the scan that its offsets refer to.
    Returns:
        Edits with source `editor`, doubts where no reading has settled them, passages, folios and slips.
    Raises:
        BookError: a table is unknown, an entry lacks a key, the scan does not read so at its place, or two readings
            overlap.
    """
    if not path.exists():
        return Errata()
    data = read_toml(path)
    if unknown := set(data) - _TABLES:
        raise BookError(f"{path}: there is no table [[{min(unknown)}]]; write {', '.join(sorted(_TABLES))}.")
    readings = data.get("reading", [])
    edits = tuple(sorted(_edit(path, scan, entry) for entry in readings))
    for one, two in pairwise(edits):
        if two.raw_start < one.raw_end:
            raise BookError(f"{path}: the readings at {one.raw_start} and {two.raw_start} overlap; take one out.")
    asked = (_edit(path, scan, {"read": entry.get("guess"), **entry}) for entry in data.get("doubt", []))
    doubts = tuple(replace(d, confidence=0.5) for d in sorted(asked) if not any(d.span.meets(e.span) for e in edits))
    passages = tuple(_passage(path, scan, entry) for entry in data.get("passage", []))
    folios = tuple(_folio(path, scan, entry) for entry in data.get("page", []))
    slips = tuple(_slip(path, entry) for entry in readings if "slip" in entry or "cites" in entry)
    notes = tuple(_note(path, scan, entry) for entry in data.get("note", []))
    return Errata(edits, doubts, passages, folios, slips, notes)


def _slip(path: Path, entry: Mapping[str, Any]) -> Slip:
    if entry.get("kind") != "typo":
        raise BookError(f"{path}: at {entry['at']} only a reading of kind typo can be a slip.")
    return Slip(int(entry["at"]), entry.get("cites"))


def _edit(path: Path, scan: str, entry: Mapping[str, Any]) -> Edit:
    try:
        at, before = int(entry["at"]), str(entry["scan"])
        kind = _KINDS[str(entry.get("kind", "ocr"))]
        after = before if kind in ("typo", "illegible") else entry["read"]
        if not isinstance(after, str):
            raise TypeError("what to read")
        reason = str(entry["reason"])
    except (KeyError, ValueError, TypeError) as error:
        raise BookError(f"{path}: the entry {dict(entry)} lacks or misspells {error}.") from error
    end = at + len(before)
    if scan[at:end] != before:
        near = scan.find(before, max(0, at - 200))
        hint = f"it reads so at {near}" if 0 <= near < at + 200 else "it does not read so nearby"
        raise BookError(f"{path}: at {at} the scan reads {scan[at:end]!r}, not {before!r}; {hint}: correct `at`.")
    if kind == "typo" and "meant" in entry:
        reason = f"read {entry['meant']!r}: {reason}"
    if kind == "illegible" and "guess" in entry:
        reason = f"perhaps {entry['guess']!r}: {reason}"
    return Edit(at, end, before, after, kind, "editor", 1.0 if kind != "illegible" else 0.5, reason)


def _note(path: Path, scan: str, entry: Mapping[str, Any]) -> EditorNote:
    """A note to the reader on words of the text, which stay as they are."""
    try:
        at, words = int(entry["at"]), str(entry["scan"])
        note = EditorNote(at, at + len(words), str(entry["text"]), str(entry["reason"]))
    except (KeyError, ValueError, TypeError) as error:
        raise BookError(f"{path}: the note {dict(entry)} lacks or misspells {error}.") from error
    if not words or not scan.startswith(words, at):
        raise BookError(f"{path}: the note at {at} is on {words!r}, which the scan does not have there; correct `at`.")
    return note


def _folio(path: Path, scan: str, entry: Mapping[str, Any]) -> tuple[int, str]:
    """Where a page begins whose folio the scan does not have."""
    try:
        at, folio, first, _ = int(entry["at"]), str(entry["folio"]), str(entry["first"]), entry["reason"]
    except (KeyError, ValueError, TypeError) as error:
        raise BookError(f"{path}: the page {dict(entry)} lacks or misspells {error}.") from error
    if not scan.startswith(first, at):
        raise BookError(f"{path}: the page {folio} does not begin with {first!r} at {at}; correct `at`.")
    return at, folio


def _passage(path: Path, scan: str, entry: Mapping[str, Any]) -> Passage:
    try:
        passage = Passage(
            int(entry["start"]), int(entry["end"]), str(entry["kind"]), entry.get("of"),
            str(entry.get("label", "")), str(entry["reason"]),
        )  # fmt: skip
    except (KeyError, ValueError, TypeError) as error:
        raise BookError(f"{path}: the passage {dict(entry)} lacks or misspells {error}.") from error
    first = str(entry.get("first", ""))
    if not scan.startswith(first, passage.start):
        raise BookError(f"{path}: the passage at {passage.start} does not begin with {first!r}; correct `start`.")
    return passage
