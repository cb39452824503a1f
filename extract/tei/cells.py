"""Where the cells of a table row lie in the scan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

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
    letters = _letters(unit.span, layer, [n for n in notes if unit.span.covers(n) and n != unit.span])
    before = [0, *accumulate(len("".join(cell.split())) for cell in unit.cells)][:-1]  # letters before each cell
    starts = [unit.raw_start, *(unit.raw_end for _ in unit.cells[1:])]
    if "".join(c for c, _ in letters) == "".join("".join(unit.cells).split()):
        places = [unit.raw_start, *(place for _, place in letters[1:]), unit.raw_end]
        borders = [places[n] for n in before]
        in_edits = any(0 < n < len(letters) and letters[n - 1][1] == letters[n][1] for n in before)
        if not in_edits and not any(s.start < border < s.end for s in undivided for border in borders):
            starts = borders
    spans = [Span(a, b) for a, b in pairwise([*starts, unit.raw_end])]
    return tuple(
        Cell(i, span, None if value == cell_text(layer, span, notes) else value)
        for i, (span, value) in enumerate(zip(spans, unit.cells, strict=True))
    )


def cell_text(layer: TextLayer, span: Span, notes: Sequence[Span]) -> str:
    """The reading text of a cell, blanks collapsed."""
    return " ".join(layer.read_around(span, notes).split())


def _letters(span: Span, layer: TextLayer, notes: Sequence[Span]) -> list[tuple[str, int]]:
    """The letters and signs that a stretch reads, each with its place in the scan (for an edit, its start)."""
    found: list[tuple[str, int]] = []
    at = span.start
    for edit in layer.within(span.start, span.end):
        found += [(layer.scan[i], i) for i in range(at, edit.raw_start)]
        found += [(c, edit.raw_start) for c in edit.after]
        at = edit.raw_end
    found += [(layer.scan[i], i) for i in range(at, span.end)]
    return [(c, i) for c, i in found if not c.isspace() and not any(n.start <= i < n.end for n in notes)]
