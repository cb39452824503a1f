"""Paragraphs that the scan runs together or tears apart: the text begins anew where the grammar of its unit says so."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from extract.segment.outline import WorkingText
from extract.segment.segment import Segment
from extract.text.lines import Line


def borders(work: WorkingText, segments: Sequence[Segment]) -> dict[int, bool]:
    """Where the units know whether a paragraph begins: before each numbered one, and after the last of a provision.

    A unit that knows its breaks has an empty line there and before no other line of its own.

    Args:
        work: the working text.
        segments: the units of the book.
    Returns:
        For offsets into the scan at which a word begins: whether a paragraph does.
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
