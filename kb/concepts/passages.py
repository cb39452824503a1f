"""Tag the units of a book with the concepts that they mention, at their places in the scan."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from extract.model import Span, Unit
from extract.text.textlayer import TextLayer
from kb.concepts.tagging import Tag, Tagger


def tags_of(units: Sequence[Unit], layer: TextLayer, tagger: Tagger) -> tuple[Tag, ...]:
    """Return the tags of a book, sorted and without duplicates.

    Args:
        units: the units of the book.
        layer: its scan and reading text.
        tagger: finds the concepts.
    """
    notes = [u.span for u in units if u.kind in ("footnote", "note") or u.continues is not None]
    further: dict[str | None, list[Span]] = defaultdict(list)
    for unit in units:
        further[unit.continues].append(unit.span)
    found = set()
    for unit in units:
        concepts = tagger.find(unit.text) if unit.continues is None else ()
        if concepts:
            holes = [n for n in notes if n.start < unit.raw_end and unit.span.covers(n) and n != unit.span]
            placed = _in_scan([span for _, span in concepts], unit, layer, holes, further.get(unit.id, ()))
            found |= {
                Tag(unit.id, concept, raw.start, raw.end) for (concept, _), raw in zip(concepts, placed, strict=True)
            }
    return tuple(sorted(found))


def _in_scan(
    spans: Iterable[Span], unit: Unit, layer: TextLayer, holes: Sequence[Span], further: Sequence[Span]
) -> Iterator[Span]:
    """Map spans of a unit's text to the scan, character by character; to the whole unit if the texts do not match.

    White space is not counted, since a unit's text is trimmed at its ends and at each note within it.

    Args:
        spans: the spans of the unit's text.
        unit: the unit.
        layer: the scan and reading text of its book.
        holes: the notes within the unit, which are not part of its text.
        further: the spans in which it is continued.
    """
    pieces, at = list[Span](), unit.raw_start
    for hole in [*holes, Span(unit.raw_end, unit.raw_end)]:
        if hole.start >= at:
            pieces.append(Span(at, hole.start))
            at = hole.end
    letters = [
        i
        for piece in (*pieces, *further)
        for i in range(layer.to_reading(piece.start), layer.to_reading(piece.end))
        if not layer.reading[i].isspace()
    ]
    matches = "".join(layer.reading[i] for i in letters) == "".join(unit.text.split())
    blanks = [*accumulate(map(str.isspace, unit.text), initial=0)]  # for each offset of the text, the blanks before it
    for span in spans:
        first, last = span.start - blanks[span.start], span.end - blanks[span.end] - 1
        placed = matches and first <= last < len(letters)
        yield layer.to_scan(Span(letters[first], letters[last] + 1)) if placed else unit.span
