"""The text of a unit for reading: paragraphs of runs, each run with the edit that made it and the reference in it."""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeVar

from extract.language.sentences import ends_paragraph
from extract.model import Edit, Span
from extract.text.lines import join_parts
from extract.text.textlayer import TextLayer
from kb.read import queries
from kb.read.rows import CitationRow, EditRow, UnitRow, label_end

_BLANKS = re.compile(" {2,}")
_GAP = re.compile(r"\s*\n\s*\n\s*")
_NUMBER = re.compile(r"\b(?:[a-z]\s?)?\d+\b|\b[ivxl]+\b", re.IGNORECASE)
# Kinds of units printed within another unit: they are read by themselves, and left out of the unit around them.
OMITTED = ("footnote",)
# How far before a unit something that overlaps it may begin, in characters: no page furniture is wider.
_WIDEST = 2000
# Separates two parts of a scan that are not adjacent.
APART = "\n[…]\n"


Spanned = TypeVar("Spanned", UnitRow, EditRow, CitationRow)


@dataclass(frozen=True, slots=True)
class Run:
    """A span of reading text with one edit and one reference at most; `raw` is its text in the scan."""

    text: str
    raw: str
    raw_start: int
    edit: EditRow | None = None
    cite: CitationRow | None = None


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
class Source:
    """A span of a book with its edits, references and units, read once for all the units in it."""

    book_id: str
    start: int
    scan: str
    edits: tuple[EditRow, ...]
    cites: tuple[CitationRow, ...]
    units: tuple[UnitRow, ...] = field(repr=False)
    numbers: dict[str, str] = field(repr=False, default_factory=dict)


def passage(conn: sqlite3.Connection, unit: UnitRow, blanks: bool = False) -> UnitText:
    """Read a unit from its scan, its edits and its references, with its continuations.

    Args:
        unit: the unit.
        blanks: also with the edits that make several blanks one.
    """
    (text,) = passages(conn, [unit], blanks)
    return text


def passages(conn: sqlite3.Connection, units: Sequence[UnitRow], blanks: bool = False) -> list[UnitText]:
    """Read units of one book that are near one another, such as a case and its decision; see `passage`."""
    around = source(conn, units[0].book_id, min(u.raw_start for u in units), max(u.raw_end for u in units), blanks)
    return [_with_further(conn, read(around, unit), blanks) for unit in units]


def _with_further(conn: sqlite3.Connection, first: UnitText, blanks: bool) -> UnitText:
    for further in queries.continued(conn, first.unit.id):
        around = source(conn, further.book_id, further.raw_start, further.raw_end, blanks)
        first = _together(first, read(around, further))
    return first


def _together(first: UnitText, rest: UnitText) -> UnitText:
    """Join a passage and its continuation; a sentence that goes on makes one paragraph."""
    *before, last = first.paragraphs
    begins, *after = (TextParagraph(first.unit.id, p.runs, p.opens) for p in rest.paragraphs)
    text = join_parts([last.text, begins.text])
    if "\n\n" in text:
        paragraphs = (*before, last, begins, *after)
    else:
        cut = last.runs[-1]
        cut = replace(cut, text=cut.text.rstrip("-")) if text.startswith(last.text[:-1] + begins.text[:1]) else cut
        blank = () if cut is not last.runs[-1] else (Run(" ", "", rest.unit.raw_start),)
        runs = (*last.runs[:-1], cut, *blank, *begins.runs)
        paragraphs = (*before, TextParagraph(last.unit_id, runs, last.opens), *after)
    scan = f"{first.scan}{APART}{rest.scan}"
    return UnitText(
        first.unit, scan, paragraphs, (*first.edits, *rest.edits), (*first.cites, *rest.cites), (*first.further, rest)
    )


def source(conn: sqlite3.Connection, book_id: str, start: int, end: int, blanks: bool = False) -> Source:
    """Fetch a span of a scan, [start, end) in characters, with its edits (see `passage`), references and units."""
    cites = tuple(queries.cites(conn, book_id, start, end))
    targets = {c.target_id for c in cites if c.target_id}
    return Source(
        book_id,
        start,
        queries.scan(conn, book_id, start, end),
        tuple((queries.edits if blanks else queries.edits_but_blanks)(conn, book_id, start, end)),
        cites,
        tuple(queries.units_between(conn, book_id, start, end)),
        queries.numbers(conn, targets) if targets else {},
    )


def read(source: Source, unit: UnitRow) -> UnitText:
    """Read a unit that lies within a source, without its continuations."""
    inner, holes, edits, layer = _read(source, unit)
    cites = [
        c
        for c in _near(source.cites, unit)
        if _covers(unit, c.raw_start, c.raw_end) and not any(_covers(h, c.raw_start, c.raw_end) for h in holes)
    ]
    parts = [
        (layer.to_reading(u.raw_start - unit.raw_start), layer.to_reading(u.raw_end - unit.raw_start), u.id)
        for u in inner
        if u.kind == "subclause"
    ]
    links = list(_links(cites, source.numbers, layer, unit.raw_start))
    breaks = {*_blank_lines(unit, layer, edits), *(x for a, b, _ in parts for x in (a, b))}
    cuts = sorted({*breaks, *(x for a, b, _ in links for x in (a, b))})
    runs = _runs(unit, layer, edits, links, cuts)
    paragraphs = tuple(_paragraphs(unit.id, runs, breaks, parts))
    return UnitText(unit, layer.scan, paragraphs, tuple(edits), tuple(cites))


def layer(conn: sqlite3.Connection, unit: UnitRow) -> TextLayer:
    """The text layer of a unit without its continuations, with offsets from its start."""
    return _read(source(conn, unit.book_id, unit.raw_start, unit.raw_end), unit)[-1]


def _read(source: Source, unit: UnitRow) -> tuple[list[UnitRow], list[UnitRow], list[EditRow], TextLayer]:
    """The units within a unit, those of them that its text leaves out, its edits, and its text layer."""
    scan = source.scan[unit.raw_start - source.start : unit.raw_end - source.start]
    inner = [u for u in _near(source.units, unit) if _covers(unit, u.raw_start, u.raw_end) and u.id != unit.id]
    holes = [u for u in inner if _apart(u) and not _apart(unit) and not _same_span(u, unit)]
    edits = [e for e in _near(source.edits, unit) if e.raw_end > unit.raw_start]
    for h in holes:
        edits = [e for e in edits if not (h.raw_start < e.raw_end and e.raw_start < h.raw_end)]
    return inner, holes, edits, _layer(unit, scan, edits, holes)


def without_label(paragraph: TextParagraph, number: str | None, kind: str = "") -> tuple[str, TextParagraph]:
    """Remove the printed label from the front of a paragraph, for pages that show it separately.

    Args:
        number, kind: the number and kind of the unit, see `kb.read.rows.label_end`.
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
            raw = run.raw[cut:] if run.edit is None else run.raw
            runs.append(Run(run.text[cut:], raw, run.raw_start + cut, run.edit, run.cite))
    return " ".join(text[:end].split()).rstrip("—–- "), TextParagraph(paragraph.unit_id, tuple(runs), paragraph.opens)


def _near(rows: Sequence[Spanned], unit: UnitRow) -> Sequence[Spanned]:
    """Return those of some rows, sorted by their start, that start in the unit or not far before it."""
    first = bisect_left(rows, unit.raw_start - _WIDEST, key=lambda r: r.raw_start)
    return rows[first : bisect_left(rows, unit.raw_end, key=lambda r: r.raw_start)]


def _apart(unit: UnitRow) -> bool:
    return unit.kind in OMITTED or unit.continues is not None


def _same_span(a: UnitRow, b: UnitRow) -> bool:
    return (a.raw_start, a.raw_end) == (b.raw_start, b.raw_end)


def _covers(unit: UnitRow, start: int, end: int) -> bool:
    return unit.raw_start <= start and end <= unit.raw_end


def _layer(unit: UnitRow, scan: str, edits: Iterable[EditRow], holes: Iterable[UnitRow]) -> TextLayer:
    """Return a unit's text layer, with offsets from its start, without holes and what edits across its border cover."""
    changes: list[Edit] = []
    for e in edits:
        if _covers(unit, e.raw_start, e.raw_end):
            changes.append(_change(unit, scan, e.raw_start, e.raw_end, e.after))
        else:
            changes.append(_change(unit, scan, max(e.raw_start, unit.raw_start), min(e.raw_end, unit.raw_end), ""))
    changes += [_change(unit, scan, h.raw_start, h.raw_end, "") for h in holes]
    return TextLayer(scan, tuple(changes))


def _change(unit: UnitRow, scan: str, start: int, end: int, after: str) -> Edit:
    start, end = start - unit.raw_start, end - unit.raw_start
    return Edit(start, end, scan[start:end], after, "ocr", "rule")


def _links(
    cites: Sequence[CitationRow], numbers: dict[str, str], layer: TextLayer, start: int
) -> Iterable[tuple[int, int, CitationRow]]:
    """Yield the spans of the reading text that link to a target, as (start, end, reference).

    In a list of several targets, each number links to its own target; numbers without one stay plain text.
    """
    spans: dict[tuple[int, int], list[CitationRow]] = {}
    for c in cites:
        spans.setdefault((c.raw_start, c.raw_end), []).append(c)
    for (raw_start, raw_end), rows in sorted(spans.items()):
        a, b = layer.to_reading(raw_start - start), layer.to_reading(raw_end - start)
        rows = [r if r.target_id in numbers else replace(r, target_id=None) for r in rows]
        if len(rows) == 1:
            yield a, b, rows[0]
            continue
        by_number = {numbers.get(r.target_id or "", ""): r for r in rows}
        for m in _NUMBER.finditer(layer.reading[a:b]):
            row = by_number.pop("".join(m[0].lower().split()), None)
            if row is not None:
                yield a + m.start(), a + m.end(), row


def _blank_lines(unit: UnitRow, layer: TextLayer, edits: Iterable[EditRow]) -> Iterable[int]:
    """Yield where paragraphs begin: after blank lines, but at a page break only if a sentence ended before it."""
    pages = [layer.to_reading(e.raw_start - unit.raw_start) for e in edits if e.kind == "furniture"]
    for gap in _GAP.finditer(layer.reading):
        turned = any(gap.start() <= p <= gap.end() for p in pages)
        follows = layer.reading[gap.end() : gap.end() + 1]
        if not turned or (ends_paragraph(layer.reading[: gap.start()]) and not follows.islower()):
            yield gap.end()


def _runs(
    unit: UnitRow,
    layer: TextLayer,
    edits: Iterable[EditRow],
    links: Sequence[tuple[int, int, CitationRow]],
    cuts: Sequence[int],
) -> Iterator[tuple[int, Run]]:
    """Yield the reading text as runs, each with its offset: cut at `cuts`, and at edits that a reader can see.

    Most edits only change white space; they do not cut the text.
    """
    begins, ends = unit.raw_start, len(layer.scan)
    own = {
        (e.raw_start - begins, e.raw_end - begins): e for e in edits if not (e.before.isspace() and e.after.isspace())
    }
    visible = [e for e in layer.edits if (e.raw_start, e.raw_end) in own]
    at = 0
    for edit in (*visible, Edit(ends, ends, "", "", "ocr", "rule")):
        to = layer.to_reading(edit.raw_start) - (0 if edit.before else len(edit.after))
        for x, y in pairwise((at, *cuts[bisect_right(cuts, at) : bisect_left(cuts, to)], to)):
            if y > x:
                raw = layer.to_scan(Span(x, y))
                yield (
                    x,
                    Run(
                        _BLANKS.sub(" ", layer.reading[x:y]),
                        layer.scan[raw.start : raw.end],
                        begins + raw.start,
                        None,
                        _cite(links, x, y),
                    ),
                )
        at = to + len(edit.after)
        if edit.before or edit.after:
            row = own[edit.raw_start, edit.raw_end]
            yield to, Run(edit.after, edit.before, begins + edit.raw_start, row, _cite(links, to, at))


def _cite(links: Sequence[tuple[int, int, CitationRow]], a: int, b: int) -> CitationRow | None:
    return next((cite for start, end, cite in links if a < b and start < b and a < end), None) if links else None


def _paragraphs(
    unit_id: str,
    runs: Iterable[tuple[int, Run]],
    breaks: set[int],
    parts: Sequence[tuple[int, int, str]],
) -> Iterable[TextParagraph]:
    gathered: list[Run] = []
    begins = 0
    seen: set[str] = set()
    for at, run in (*runs, (-1, None)):
        if run is None or (at in breaks and run.text):
            if any(r.text.strip() for r in gathered):
                owner = next((part for a, b, part in parts if a <= begins < b), unit_id)
                yield TextParagraph(owner, tuple(gathered), owner != unit_id and owner not in seen)
                seen.add(owner)
                gathered = []
            begins = at
        if run is not None:
            gathered.append(run)
