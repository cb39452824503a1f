"""The editor's readings: errata.toml of a book, each entry checked against the scan."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from extract.corpus.table import (
    Fault,
    Line,
    LineOrNone,
    Many,
    Prose,
    Table,
    UnitId,
    matching,
    read_if_there,
    shown,
)
from extract.model import Edit, EditorNote, Slip, Span
from extract.numbering.numerals import arabic
from extract.text.source import LONGEST_SCAN

_NEAR = 200  # characters around a wrong offset in which its text is searched for


Offset = Annotated[int, Field(ge=0, le=LONGEST_SCAN)]
Scan = Annotated[str, Field(min_length=1, max_length=20_000)]  # the text of the scan, unchanged
Text = Prose  # the text as read by the editor
Folio = Annotated[
    str,
    matching(
        r"[1-9][0-9]{0,3}|(?=.)m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})",
        'is not a page number; write digits ("46") or small roman numerals ("viii")',
    ),
]  # fmt: skip


class _Located(Table):
    """A place of the scan: its offset, the text of the scan there, and the reason for the entry."""

    at: Offset
    scan: Scan
    reason: Line

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        for key in ("read", "meant", "guess"):
            if getattr(self, key, None) == self.scan:
                raise Fault(f"{shown(self.scan)} is what the scan has; correct the reading, or delete the entry", key)
        return self


class Emendation(_Located):
    """An OCR error; `read` is what the print has, empty for a speck."""

    kind: Literal["ocr", "join", "space", "furniture"] = "ocr"
    read: Text


class Misprint(_Located):
    """The book's own misprint, which stays; `slip`: the author cites a wrong provision; `cites`: the one he means."""

    kind: Literal["typo"]
    meant: Text | None = None
    slip: bool = False
    cites: UnitId | None = None


class Illegible(_Located):
    """An illegible place, which stays as scanned; `guess` is what it might be."""

    kind: Literal["illegible"]
    guess: Text | None = None


class Doubt(_Located):
    """An open question, which changes nothing."""

    guess: Text


class Confirmed(_Located):
    """Words that the scan has as they are printed: the machine neither changes them nor suggests another reading."""


class Cited(_Located):
    """What a reference cites where its words mislead: the id of a unit, or "" if that is not certain."""

    cites: UnitId | Literal[""]


class Passage(Table):
    """A span of the scan that the editor assigns: a footnote, or the continuation of a unit or a footnote.

    `start` and `end` are offsets into the scan; `first` are the words it begins with; `of` is the id of the unit it
    belongs to; `label` is the mark of the footnote.
    """

    start: Offset
    end: Offset
    kind: Literal["footnote", "continuation"]
    reason: Line
    first: Text = ""
    of: UnitId | None = None
    label: LineOrNone = ""


class Note(_Located):
    """The editor's note to readers on words that stay as they are."""

    text: Prose


class PageStart(Table):
    """The start of a page whose number the scan does not have; `first` are the words it begins with."""

    at: Offset
    folio: Folio
    first: Scan
    reason: Line


Reading = Emendation | Misprint | Illegible


def _with_default_kind(entry: Any) -> Any:
    return {"kind": "ocr", **entry} if isinstance(entry, dict) else entry


class _ErrataFile(Table):
    """An errata.toml."""

    reading: Many[Annotated[Reading, Field(discriminator="kind"), BeforeValidator(_with_default_kind)]] = ()
    doubt: Many[Doubt] = ()
    confirmed: Many[Confirmed] = ()
    reference: Many[Cited] = ()
    passage: Many[Passage] = ()
    page: Many[PageStart] = ()
    note: Many[Note] = ()


@dataclass(frozen=True, slots=True)
class Errata:
    """The contents of an errata.toml.

    `edits` are the editor's readings, `doubts` change nothing, `confirmed` are spans that the scan has right, `folios`
    are the offsets and numbers of pages whose number is lost, `slips` the author's wrong references, `notes` the notes
    to readers.
    """

    edits: tuple[Edit, ...] = ()
    doubts: tuple[Edit, ...] = ()
    confirmed: tuple[Span, ...] = ()
    passages: tuple[Passage, ...] = ()
    folios: tuple[tuple[int, str], ...] = ()
    slips: tuple[Slip, ...] = ()
    notes: tuple[EditorNote, ...] = ()


def read_errata(path: Path, scan: str) -> Errata:
    """Read and check a book's errata.toml.

    Args:
        path: the file; a missing one has no entries.
        scan: the scan that its offsets refer to.
    Returns:
        Edits with source `editor`, doubts that no reading settles, passages, page numbers, slips and notes.
    Raises:
        BookError: the file is invalid, an entry is not at its offset or changes nothing, or two contradict each
            other.
    """
    file = read_if_there(path, _ErrataFile, partial(_misfits, scan))
    edits = tuple(sorted(map(_edit, file.reading)))
    confirmed = tuple(Span(place.at, place.at + len(place.scan)) for place in file.confirmed)
    doubts = tuple(sorted(d for d in map(_edit, file.doubt) if not _settled(d, edits, confirmed)))
    slips = (r for r in file.reading if isinstance(r, Misprint) and (r.slip or r.cites))
    return Errata(
        edits,
        doubts,
        confirmed,
        file.passage,
        tuple((page.at, page.folio) for page in file.page),
        (*(Slip(r.at, r.cites) for r in slips), *(Slip(r.at, r.cites) for r in file.reference)),
        tuple(EditorNote(note.at, note.at + len(note.scan), note.text, note.reason) for note in file.note),
    )


def _settled(doubt: Edit, edits: Sequence[Edit], confirmed: Sequence[Span]) -> bool:
    """Whether a reading overlaps a doubt, or a confirmed span contains it; readings are sorted and do not overlap."""
    before = bisect_left(edits, doubt.raw_end, key=lambda edit: edit.raw_start)
    read = before > 0 and edits[before - 1].raw_end > doubt.raw_start
    return read or any(span.start <= doubt.raw_start and doubt.raw_end <= span.end for span in confirmed)


def _edit(entry: Reading | Doubt) -> Edit:
    end, reason = entry.at + len(entry.scan), entry.reason
    match entry:
        case Emendation():
            return Edit(entry.at, end, entry.scan, entry.read, entry.kind, "editor", 1.0, reason)
        case Misprint():
            note = reason if entry.meant is None else f"read {entry.meant!r}: {reason}"
            return Edit(entry.at, end, entry.scan, entry.scan, "typo", "editor", 1.0, note)
        case Illegible():
            note = reason if entry.guess is None else f"perhaps {entry.guess!r}: {reason}"
            return Edit(entry.at, end, entry.scan, entry.scan, "illegible", "editor", 0.5, note)
        case Doubt():
            return Edit(entry.at, end, entry.scan, entry.guess, "ocr", "editor", 0.5, reason)


def _misfits(scan: str, file: _ErrataFile) -> Iterator[Fault]:
    """Where entries do not fit the scan or each other."""
    for table, places in (
        ("reading", file.reading), ("doubt", file.doubt), ("confirmed", file.confirmed), ("note", file.note),
        ("reference", file.reference),
    ):  # fmt: skip
        for i, place in enumerate(places):
            yield from _other_words(scan, place.at, place.scan, table, i, "at")
    for i, page in enumerate(file.page):
        yield from _other_words(scan, page.at, page.first, "page", i, "at")
    for i, passage in enumerate(file.passage):
        yield from _other_words(scan, passage.start, passage.first, "passage", i, "start")
        if not passage.start < passage.end <= len(scan):
            yield Fault(
                f"{passage.end} is not after `start`, or is beyond the end of the scan ({len(scan)} characters); "
                "correct `start` or `end`", "passage", i, "end",
            )  # fmt: skip
    yield from _overlaps([(r.at, r.at + len(r.scan)) for r in file.reading], "reading", "at")
    yield from _overlaps([(p.start, p.end) for p in file.passage], "passage", "start")
    yield from _overlaps([(p.at, p.at + 1) for p in file.page], "page", "at")
    pages = sorted(enumerate(file.page), key=lambda page: page[1].at)
    for (_, one), (i, two) in pairwise(pages):
        if (one.folio.isdecimal(), arabic(one.folio)) >= (two.folio.isdecimal(), arabic(two.folio)):
            yield Fault(f"page {one.folio}, at {one.at}, comes before it; correct one of the two", "page", i, "folio")


def _other_words(scan: str, at: int, words: str, table: str, i: int, key: str) -> Iterator[Fault]:
    """A fault if the scan does not have these words at this offset, with the place nearby that has them."""
    if not scan.startswith(words, at):
        near = scan.find(words, max(0, at - _NEAR), at + _NEAR + len(words))
        hint = f"these words are at {near}" if near >= 0 else "these words are not nearby"
        yield Fault(
            f"at {at} the scan has {shown(scan[at : at + len(words)])}, not {shown(words)}; {hint}: "
            f"correct `{key}`", table, i, key,
        )  # fmt: skip


def _overlaps(spans: Sequence[tuple[int, int]], table: str, key: str) -> Iterator[Fault]:
    """A fault for each two spans of the scan that overlap."""
    order = sorted(range(len(spans)), key=lambda i: spans[i])
    for before, after in pairwise(order):
        if spans[after][0] < spans[before][1]:
            yield Fault(
                f"{table} {before + 1} at {spans[before][0]} and this entry overlap; delete or merge one",
                table, after, key,
            )  # fmt: skip
