"""The text of a unit for reading: paragraphs of runs, each with the edit that made it and the link that it bears."""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from extract.model import Edit
from extract.text.lines import join_parts
from extract.text.textlayer import TextLayer
from kb.read import queries
from kb.read.build_cache import cached_per_build
from kb.read.rows import CitationRow, EditRow, UnitRow, label_end

_GAP = re.compile(r"\s*\n\s*\n\s*")
_NUMBER = re.compile(r"\b(?:[a-z]\s?)?\d+\b|\b[ivxl]+\b", re.IGNORECASE)
# How far before a unit something that overlaps it may begin, in characters: no page furniture is wider.
_WIDEST = 2000
# Separates two parts of a scan that are not adjacent.
APART = "\n[…]\n"


@dataclass(frozen=True, slots=True)
class Term:
    """A word in the text of a unit that names a concept of the thesaurus, with the concept's note."""

    concept: str
    label: str
    note: str
    raw_start: int
    raw_end: int


Spanned = TypeVar("Spanned", UnitRow, EditRow, CitationRow)
Link = CitationRow | Term


@dataclass(frozen=True, slots=True)
class Run:
    """A span of reading text with one edit and one reference or term at most."""

    text: str
    edit: EditRow | None = None
    link: Link | None = None


@dataclass(frozen=True, slots=True)
class TextParagraph:
    """A paragraph of a unit; `unit_id` is the numbered paragraph it belongs to, or the unit itself.

    `opens` is whether it is the first of a numbered paragraph.
    """

    unit_id: str
    runs: tuple[Run, ...]
    opens: bool = False

    @property
    def text(self) -> str:
        """The paragraph's text, with each run of white space as one space."""
        return " ".join("".join(r.text for r in self.runs).split())


@dataclass(frozen=True, slots=True)
class UnitText:
    """A unit ready to be read: its paragraphs, edits and references; offsets are into the scan, in characters.

    `further` are continuations of the unit elsewhere in the scan; all other fields include them.
    """

    unit: UnitRow
    scan: str
    paragraphs: tuple[TextParagraph, ...]
    edits: tuple[EditRow, ...]
    cites: tuple[CitationRow, ...]
    further: tuple[UnitText, ...] = ()

    @property
    def text(self) -> str:
        """The whole reading text, with each run of white space as one space."""
        return " ".join(p.text for p in self.paragraphs)


@dataclass(frozen=True, slots=True)
class _Source:
    """A span of a book from `start` on with what stands in it, read once for all its units."""

    start: int
    scan: str
    edits: Sequence[EditRow]
    cites: Sequence[CitationRow]
    units: Sequence[UnitRow]
    numbers: dict[str, str]


def passage(conn: sqlite3.Connection, unit: UnitRow) -> UnitText:
    """Read a unit from its scan, its edits and its references, with its continuations."""
    return passages(conn, [unit])[0]


def passages(conn: sqlite3.Connection, units: Sequence[UnitRow], terms: Iterable[Term] = ()) -> list[UnitText]:
    """Read units of one book that are near one another, such as a case and its decision; see `passage`.

    Args:
        conn: the knowledge base.
        units: the units, at least one.
        terms: words to be explained in them.
    """
    book = units[0].book_id
    source = _source(conn, book, min(u.raw_start for u in units), max(u.raw_end for u in units))
    going_on = _going_on(conn)
    found = []
    for unit in units:
        text = _read(source, unit, terms)
        for further in queries.continued(conn, unit.id) if unit.id in going_on else ():
            around = _source(conn, book, further.raw_start, further.raw_end)
            text = _together(text, _read(around, further))
        found.append(text)
    return found


@cached_per_build
def _going_on(conn: sqlite3.Connection) -> frozenset[str]:
    """The ids of the units that have continuations."""
    return frozenset(i for book in queries.books(conn) for i in queries.going_on(conn, book.id))


def _together(first: UnitText, rest: UnitText) -> UnitText:
    """Join a passage and its continuation; a sentence that goes on makes one paragraph."""
    *before, last = first.paragraphs
    begins, *after = (TextParagraph(first.unit.id, p.runs, p.opens) for p in rest.paragraphs)
    text = join_parts([last.text, begins.text])
    if "\n\n" in text:
        paragraphs = (*before, last, begins, *after)
    else:
        hyphenated = text.startswith(last.text[:-1] + begins.text[:1])
        cut = replace(last.runs[-1], text=last.runs[-1].text.rstrip("-")) if hyphenated else last.runs[-1]
        runs = (*last.runs[:-1], cut, *(() if hyphenated else (Run(" "),)), *begins.runs)
        paragraphs = (*before, TextParagraph(last.unit_id, runs, last.opens), *after)
    return UnitText(
        first.unit,
        f"{first.scan}{APART}{rest.scan}",
        paragraphs,
        (*first.edits, *rest.edits),
        (*first.cites, *rest.cites),
        (*first.further, rest),
    )


def _source(conn: sqlite3.Connection, book: str, start: int, end: int) -> _Source:
    """Fetch the span [start, end) of a scan, with what stands in it."""
    cites = queries.cites(conn, book, start, end)
    targets = {c.target_id for c in cites if c.target_id}
    return _Source(
        start,
        queries.scan(conn, book, start, end),
        queries.edits(conn, book, start, end),
        cites,
        queries.units_between(conn, book, start, end),
        queries.numbers(conn, targets) if targets else {},
    )


def _read(source: _Source, unit: UnitRow, terms: Iterable[Term] = ()) -> UnitText:
    """Read a unit that lies within a source, without its continuations.

    What is printed within it but is no part of it, a footnote or the end of another unit, is left out.
    """
    start, apart = unit.raw_start, _apart(unit)
    scan = source.scan[start - source.start : unit.raw_end - source.start]
    inner = [u for u in _near(source.units, unit) if _covers(unit, u) and u.id != unit.id]
    holes = [] if apart else [u for u in inner if _apart(u) and not _covers(u, unit)]
    edits = [e for e in _near(source.edits, unit) if e.raw_end > start and not any(_overlap(h, e) for h in holes)]
    cites = [c for c in _near(source.cites, unit) if _covers(unit, c) and not any(_covers(h, c) for h in holes)]
    layer = TextLayer(scan, tuple(_changes(unit, scan, edits, holes)))
    parts = [(*_place(layer, unit, u), u.id) for u in inner if u.kind == "subclause"]
    links = list(_links(unit, cites, source.numbers, layer))
    for term in terms:
        a, b = _place(layer, unit, term)
        if _covers(unit, term) and a < b and not any(x < b and a < y for x, y, _ in links):
            links.append((a, b, term))
    breaks = {*(gap.end() for gap in _GAP.finditer(layer.reading)), *(x for a, b, _ in parts for x in (a, b))}
    runs = _runs(unit, layer, edits, links, sorted({*breaks, *(x for a, b, _ in links for x in (a, b))}))
    return UnitText(unit, scan, tuple(_paragraphs(unit.id, runs, breaks, parts)), tuple(edits), tuple(cites))


def without_label(paragraph: TextParagraph, number: str | None, kind: str = "") -> tuple[str, TextParagraph]:
    """Remove the printed label from the front of a paragraph, for pages that show it separately.

    Args:
        paragraph: the first paragraph of a unit.
        number: the number of the unit, see `kb.read.rows.label_end`.
        kind: the kind of the unit.
    Returns:
        The label as read (`72.`, "" if there is none) and the paragraph from its first word on.
    """
    text = "".join(r.text for r in paragraph.runs)
    left = end = label_end(text, number, kind)
    if not end:
        return "", paragraph
    runs: list[Run] = []
    for run in paragraph.runs:
        cut = min(left, len(run.text))
        left -= cut
        if cut < len(run.text) or not run.text:
            runs.append(replace(run, text=run.text[cut:]))
    return " ".join(text[:end].split()).rstrip("—–- "), replace(paragraph, runs=tuple(runs))


def _near(rows: Sequence[Spanned], unit: UnitRow) -> Sequence[Spanned]:
    """Return those of some rows, sorted by their start, that start in the unit or not far before it."""
    first = bisect_left(rows, unit.raw_start - _WIDEST, key=lambda r: r.raw_start)
    return rows[first : bisect_left(rows, unit.raw_end, key=lambda r: r.raw_start)]


def _apart(unit: UnitRow) -> bool:
    """Whether a unit printed within another one is read by itself."""
    return unit.kind == "footnote" or unit.continues is not None


def _covers(unit: UnitRow, inner: UnitRow | EditRow | Link) -> bool:
    return unit.raw_start <= inner.raw_start and inner.raw_end <= unit.raw_end


def _overlap(hole: UnitRow, edit: EditRow) -> bool:
    return hole.raw_start < edit.raw_end and edit.raw_start < hole.raw_end


def _place(layer: TextLayer, unit: UnitRow, inner: UnitRow | Link) -> tuple[int, int]:
    """Where something that stands in a unit begins and ends in its reading text."""
    return layer.to_reading(inner.raw_start - unit.raw_start), layer.to_reading(inner.raw_end - unit.raw_start)


def _changes(unit: UnitRow, scan: str, edits: Iterable[EditRow], holes: Iterable[UnitRow]) -> Iterator[Edit]:
    """Yield the edits of a unit with offsets from its start; holes, and what crosses its border, are deleted."""
    spans: list[tuple[EditRow | UnitRow, str]] = [(e, e.after if _covers(unit, e) else "") for e in edits]
    for each, after in (*spans, *((hole, "") for hole in holes)):
        start = max(each.raw_start, unit.raw_start) - unit.raw_start
        end = min(each.raw_end, unit.raw_end) - unit.raw_start
        yield Edit(start, end, scan[start:end], after, "ocr", "rule")


def _links(
    unit: UnitRow, cites: Sequence[CitationRow], numbers: dict[str, str], layer: TextLayer
) -> Iterator[tuple[int, int, Link]]:
    """Yield the spans of the reading text that link to a target, as (start, end, reference).

    In a list of several targets, each number links to its own target; numbers without one stay plain text.
    """
    spans: dict[tuple[int, int], list[CitationRow]] = {}
    for c in cites:
        spans.setdefault(_place(layer, unit, c), []).append(c)
    for (a, b), rows in sorted(spans.items()):
        rows = [r if r.target_id in numbers else replace(r, target_id=None) for r in rows]
        if len(rows) == 1:
            yield a, b, rows[0]
            continue
        by_number = {numbers.get(r.target_id or "", ""): r for r in rows}
        for m in _NUMBER.finditer(layer.reading[a:b]):
            row = by_number.pop("".join(m[0].lower().split()), None)
            if row is not None:
                yield a + m.start(), a + m.end(), row


def _runs(
    unit: UnitRow,
    layer: TextLayer,
    edits: Iterable[EditRow],
    links: Sequence[tuple[int, int, Link]],
    cuts: Sequence[int],
) -> Iterator[tuple[int, Run]]:
    """Yield the reading text as runs, each with its offset: cut at `cuts`, and at edits that change more than blanks.

    Most edits only change white space; they do not cut the text.
    """

    def link(a: int, b: int) -> Link | None:
        return next((which for start, end, which in links if a < b and start < b and a < end), None)

    at = 0
    for edit in (*edits, None):
        if edit and (not _covers(unit, edit) or (edit.before.isspace() and edit.after.isspace())):
            continue
        to = len(layer.reading)
        if edit:
            to = layer.to_reading(edit.raw_start - unit.raw_start) - (0 if edit.before else len(edit.after))
        for x, y in pairwise((at, *cuts[bisect_right(cuts, at) : bisect_left(cuts, to)], to)):
            if y > x:
                yield x, Run(layer.reading[x:y], None, link(x, y))
        if edit:
            at = to + len(edit.after)
            yield to, Run(edit.after, edit, link(to, at))


def _paragraphs(
    unit_id: str, runs: Iterable[tuple[int, Run]], breaks: set[int], parts: Sequence[tuple[int, int, str]]
) -> Iterator[TextParagraph]:
    """Yield the paragraphs, each with the numbered paragraph to which it belongs."""
    gathered: list[Run] = []
    begins = 0
    seen = {unit_id}
    for at, run in (*runs, (-1, None)):
        if run is None or (at in breaks and run.text):
            if any(r.text.strip() for r in gathered):
                owner = next((part for a, b, part in parts if a <= begins < b), unit_id)
                yield TextParagraph(owner, tuple(gathered), owner not in seen)
                seen.add(owner)
                gathered = []
            begins = at
        if run is not None:
            gathered.append(run)
