"""Paragraphs that the scan joins or splits wrongly: the grammar of a unit knows where its paragraphs begin."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from extract.segment.outline import WorkingText
from extract.segment.segment import Segment
from extract.text.lines import Line


def borders(work: WorkingText, segments: Sequence[Segment]) -> dict[int, bool]:
    """Find where the units decide on a paragraph: one begins at each numbered paragraph, and after the last of them.

    In a unit that knows its breaks, a paragraph begins there and at no other line after the first.

    Args:
        work: the working text.
        segments: the units of the book.
    Returns:
        For offsets into the scan at which a word begins: whether a paragraph begins there.
    """
    found: dict[int, bool] = {}
    for segment in segments:
        if segment.breaks is not None:
            first = bisect_right(work.lines, segment.start, key=_start)
            for line in work.lines[first : bisect_left(work.lines, segment.end, key=_start)]:
                found[work.to_scan(line.start, line.end).start] = line.start in segment.breaks
        if segment.kind == "subclause" and segment.parent is not None:
            found[work.to_scan(segment.start, segment.end).start] = True
            goes_on, ends = work.trim(segment.end, segment.parent.end)
            if goes_on < ends:
                found[work.to_scan(goes_on, ends).start] = True
    return found


def _start(line: Line) -> int:
    return line.start
