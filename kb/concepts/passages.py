"""Map spans of a unit's text to the scan."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from extract.model import Span, Unit
from extract.text.textlayer import TextLayer
from kb.concepts.tagging import TaggedText


def passages(units: Sequence[Unit], layer: TextLayer) -> Iterator[TaggedText]:
    """Yield the units of one book as passages to be tagged.

    Args:
        units: the units of the book.
        layer: its scan and reading text.
    """
    notes = [u.span for u in units if u.kind in ("footnote", "note") or u.continues is not None]
    further: dict[str | None, list[Span]] = defaultdict(list)
    for unit in units:
        further[unit.continues].append(unit.span)
    for unit in units:
        if unit.continues is None:
            holes = [n for n in notes if n.start < unit.raw_end and unit.span.covers(n) and n != unit.span]
            yield TaggedText(unit.id, unit.text, _Places(unit, layer, holes, further.get(unit.id, ())))


@dataclass(frozen=True)
class _Places:
    """Maps spans of a unit's text to the scan, character by character, skipping the notes within it (`holes`).

    A footnote is continued in its `further` spans.

    White space is not counted, since a unit's text is trimmed at its ends and at each note.
    """

    unit: Unit
    layer: TextLayer
    holes: Sequence[Span]
    further: Sequence[Span]

    def __call__(self, span: Span) -> Span:
        first = span.start - self._blanks[span.start]
        last = span.end - self._blanks[span.end] - 1
        if first > last or last >= len(self._letters):
            return self.unit.span
        return self.layer.to_scan(Span(self._letters[first], self._letters[last] + 1))

    @cached_property
    def _blanks(self) -> list[int]:
        """For each offset of the text, the number of blanks before it."""
        return list(accumulate(map(str.isspace, self.unit.text), initial=0))

    @cached_property
    def _letters(self) -> list[int]:
        """The offset in the reading text of each character except white space; empty if the two texts do not match."""
        pieces, at = list[Span](), self.unit.raw_start
        for hole in [*self.holes, Span(self.unit.raw_end, self.unit.raw_end)]:
            if hole.start >= at:
                pieces.append(Span(at, hole.start))
                at = hole.end
        reading, found = self.layer.reading, list[int]()
        for piece in [*pieces, *self.further]:
            within = range(self.layer.to_reading(piece.start), self.layer.to_reading(piece.end))
            found += (i for i in within if not reading[i].isspace())
        return found if "".join(reading[i] for i in found) == "".join(self.unit.text.split()) else []
