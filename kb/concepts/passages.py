"""Where the words of a unit's reading text stand in the scan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, compress
from operator import not_

from extract.model import Span, Unit
from extract.text.textlayer import TextLayer
from kb.concepts.tagging import TaggedText


def passages(units: Sequence[Unit], layer: TextLayer) -> Iterator[TaggedText]:
    """The units of one book as passages to be tagged.

    Args:
        units: the units of the book.
        layer: its scan and reading text.
    """
    notes = [u.span for u in units if u.kind in ("footnote", "note") or u.continues is not None]
    further: dict[str, list[Span]] = {}
    for unit in units:
        if unit.continues is not None:
            further.setdefault(unit.continues, []).append(unit.span)
    for unit in units:
        if unit.continues is None:
            holes = [n for n in notes if n.start < unit.raw_end and unit.span.covers(n) and n != unit.span]
            yield TaggedText(unit.id, unit.text, _Places(unit, layer, holes, further.get(unit.id, ())))


class _Places:
    """Maps spans of a unit's text to the scan, letter by letter; notes set in its midst are stepped over.

    A footnote goes on in its `further` stretches.

    White space is left out of the count, since a unit's text is trimmed at its ends and at each note.
    """

    def __init__(self, unit: Unit, layer: TextLayer, holes: Sequence[Span], further: Sequence[Span] = ()) -> None:
        self._unit, self._layer, self._holes, self._further = unit, layer, holes, further
        self._letters: list[int] | None = None  # for each letter of the text its offset in the reading text
        self._blanks: list[int] = []  # for each offset of the text the blanks before it

    def __call__(self, span: Span) -> Span:
        if self._letters is None:
            self._letters = self._find()
            self._blanks = list(accumulate(map(str.isspace, self._unit.text), initial=0))
        first = span.start - self._blanks[span.start]
        last = span.end - self._blanks[span.end] - 1
        if first > last or last >= len(self._letters):
            return self._unit.span
        return self._layer.to_scan(Span(self._letters[first], self._letters[last] + 1))

    def _find(self) -> list[int]:
        """The letters of the unit in the reading text; none if they are not those of its own text."""
        reading, found, at = self._layer.reading, list[int](), self._unit.raw_start
        pieces: list[Span] = []
        for hole in [*self._holes, Span(self._unit.raw_end, self._unit.raw_end)]:
            if hole.start >= at:
                pieces.append(Span(at, hole.start))
                at = hole.end
        for piece in [*pieces, *self._further]:
            start, end = self._layer.to_reading(piece.start), self._layer.to_reading(piece.end)
            found += compress(range(start, end), map(not_, map(str.isspace, reading[start:end])))
        letters = "".join(self._unit.text.split())
        return found if "".join(reading[i] for i in found) == letters else []
