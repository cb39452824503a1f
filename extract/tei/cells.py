"""Where the cells of a table row lie in the scan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from extract.model import Span, Unit
from extract.text.textlayer import TextLayer


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its place in the row, its stretch of the scan (empty if it has no text), and what it is said to read.

    `value` is None where that is what the stretch reads.
    """

    index: int
    span: Span
    value: str | None


def cells_of(unit: Unit, layer: TextLayer, notes: Sequence[Span], undivided: Iterable[Span]) -> tuple[Cell, ...]:
    """Find the cells of a row by their letters, in order; the cells together cover the row.

    Args:
        unit: a unit with cells.
        layer: the scan and its edits.
        notes: the stretches of all notes of the book.
        undivided: stretches inside the row that no border of a cell may divide.
    Returns:
        A cell for each of the unit's. Where they cannot be found, the first one has all the text.
    """
    starts = _starts(unit, layer, notes) or [unit.raw_start, *(unit.raw_end for _ in unit.cells[1:])]
    if any(span.start < start < span.end for span in undivided for start in starts):
        starts = [unit.raw_start, *(unit.raw_end for _ in unit.cells[1:])]
    spans = [Span(a, b) for a, b in pairwise([*starts, unit.raw_end])]
    read = [cell_text(layer, span, notes) for span in spans]
    return tuple(
        Cell(i, span, None if value == text else value)
        for i, (span, value, text) in enumerate(zip(spans, unit.cells, read, strict=True))
    )


def cell_text(layer: TextLayer, span: Span, notes: Sequence[Span]) -> str:
    """The reading text of a cell, blanks collapsed."""
    return " ".join(layer.read_around(span, notes).split())


def _starts(unit: Unit, layer: TextLayer, notes: Sequence[Span]) -> list[int] | None:
    """Where each cell begins; the first one begins with the row."""
    letters = _letters(unit.span, layer, [n for n in notes if unit.span.covers(n) and n != unit.span])
    if "".join(c for c, _ in letters) != "".join("".join(unit.cells).split()):
        return None
    starts: list[int] = []
    at = 0
    for cell in unit.cells:
        if at == 0:
            starts.append(unit.raw_start)
        elif at == len(letters):
            starts.append(unit.raw_end)
        elif letters[at][1] == letters[at - 1][1]:  # both in one edit, which cannot be divided
            return None
        else:
            starts.append(letters[at][1])
        at += len("".join(cell.split()))
    return starts


def _letters(span: Span, layer: TextLayer, notes: Sequence[Span]) -> list[tuple[str, int]]:
    """The letters and signs that a stretch reads, each with its place in the scan (for an edit, its start)."""
    found: list[tuple[str, int]] = []
    at = span.start
    for edit in (*layer.within(span.start, span.end), None):
        stop = edit.raw_start if edit else span.end
        found += [(c, i) for i, c in enumerate(layer.scan[at:stop], at)]
        if edit:
            found += [(c, edit.raw_start) for c in edit.after]
            at = edit.raw_end
    return [(c, i) for c, i in found if not c.isspace() and not any(n.start <= i < n.end for n in notes)]
