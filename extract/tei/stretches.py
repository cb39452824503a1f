"""The spans of the scan that have an element of their own: units, table rows with their cells, references."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise

from extract.model import Edition, Reference, Span, Unit
from extract.tei.terms import FORMS, NOTES
from extract.text.textlayer import TextLayer

_NO_ROWS = (*FORMS, "table")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: its span of the scan (empty if it has no text), and its value.

    `value` is None if it is the reading text of the span.
    """

    span: Span
    value: str | None


@dataclass(frozen=True, slots=True)
class MarkedSpan:
    """A span of the scan with an element of its own: a unit, or references with the same span, status and confidence.

    `cells` are the cells of a unit that is a row.
    """

    span: Span
    item: Unit | tuple[Reference, ...]
    cells: tuple[Cell, ...] = ()


def stretches(edition: Edition, layer: TextLayer) -> list[MarkedSpan]:
    """Return all spans with an element of their own, outer before inner."""
    notes = sorted(u.span for u in edition.units if u.kind in NOTES or u.continues is not None)
    spans = [(u.id, u.span) for u in edition.units] + [("", Span(r.raw_start, r.raw_end)) for r in edition.references]
    found: list[MarkedSpan] = []
    closed_until = -1  # the end of the last unit that cannot hold a table
    for unit in sorted(edition.units, key=lambda u: (u.raw_start, -u.raw_end, u.seq)):
        cells: tuple[Cell, ...] = ()
        if unit.cells and unit.kind not in _NO_ROWS and unit.raw_start >= closed_until:
            inner = [span for key, span in spans if unit.span.covers(span) and key != unit.id]
            cells = cells_of(unit, layer, notes, inner)
        found.append(MarkedSpan(unit.span, unit, cells))
        if cells or unit.kind in FORMS:
            closed_until = max(closed_until, unit.raw_end)
    ordered = sorted(edition.references, key=lambda r: (r.raw_start, r.raw_end))
    for _, same in groupby(enumerate(ordered), lambda r: _group_key(*r)):
        group = tuple(reference for _, reference in same)
        found.append(MarkedSpan(Span(group[0].raw_start, group[0].raw_end), group))
    return sorted(found, key=lambda s: (s.span.start, -s.span.end))


def _group_key(i: int, r: Reference) -> tuple[object, ...]:
    """The key that the references of one `<ref>` share; a reference without a target has an element of its own."""
    return r.raw_start, r.raw_end, r.status, r.confidence, i if r.target_id is None else None


def cells_of(unit: Unit, layer: TextLayer, notes: Sequence[Span], undivided: Iterable[Span]) -> tuple[Cell, ...]:
    """Find the cells of a row by their characters, in order; together the cells cover the row.

    Args:
        unit: a unit with cells.
        layer: the scan and its edits.
        notes: the spans of all notes of the book.
        undivided: spans inside the row that no border of a cell may divide.
    Returns:
        A cell for each cell of the unit. If they cannot be found, the first one has all the text.
    """
    characters = _characters(unit.span, layer, [n for n in notes if unit.span.covers(n) and n != unit.span])
    before = [0, *accumulate(len("".join(cell.split())) for cell in unit.cells)][1:-1]  # characters before inner cells
    starts = [unit.raw_end for _ in before]
    if "".join(c for c, _ in characters) == "".join("".join(unit.cells).split()):
        places = [*(place for _, place in characters), unit.raw_end]
        divided = any(0 < n < len(characters) and places[n - 1] == places[n] for n in before)
        if not divided and not any(s.start < places[n] < s.end for s in undivided for n in before):
            starts = [places[n] if n else unit.raw_start for n in before]
    starts = [unit.raw_start, *starts]
    spans = [Span(a, b) for a, b in pairwise([*starts, unit.raw_end])]
    return tuple(
        Cell(span, None if value == cell_text(layer, span, notes) else value)
        for span, value in zip(spans, unit.cells, strict=True)
    )


def cell_text(layer: TextLayer, span: Span, notes: Sequence[Span]) -> str:
    """The reading text of a cell, white space collapsed."""
    return " ".join(layer.read_around(span, notes).split())


def _characters(span: Span, layer: TextLayer, notes: Sequence[Span]) -> list[tuple[str, int]]:
    """The non-blank characters of a span's reading text, each with its offset in the scan (in an edit, its start)."""
    read = range(layer.to_reading(span.start), layer.to_reading(span.end))
    found = [(layer.reading[i], layer.to_scan(Span(i, i + 1)).start) for i in read if not layer.reading[i].isspace()]
    return [(c, at) for c, at in found if not any(n.start <= at < n.end for n in notes)]
