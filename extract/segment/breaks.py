"""Where the paragraphs of the units begin, which the reading text parts by empty lines."""

from __future__ import annotations

from collections.abc import Sequence

from extract.segment.outline import WorkingText
from extract.segment.segment import Segment


def paragraph_starts(work: WorkingText, segments: Sequence[Segment]) -> set[int]:
    """Find where the paragraphs of the units begin, among them each unit, and what follows numbered paragraphs.

    A footnote begins no paragraph of the text that it interrupts.

    Args:
        work: the working text.
        segments: the units of the book.
    Returns:
        The offsets of their first words in the scan.
    """
    starts = set[int]()
    for segment in segments:
        if segment.breaks is None:
            starts.update(p.start for p in work.set_apart(segment.start, segment.end))
        else:
            starts.update(segment.breaks)
        if segment.kind == "subclause" and segment.parent is not None:
            starts.add(work.trim(segment.end, segment.parent.end)[0])
    starts.difference_update(note.start for note in work.footnotes)
    return {work.to_scan(at, at + 1).start for at in starts}
