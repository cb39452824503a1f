"""Paragraphs that the scan runs together or tears apart: the text begins anew where the grammar of its unit says so."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extract.model import Edit
from extract.segment.outline import WorkingText
from extract.segment.segment import Segment
from extract.text.spacing import PARAGRAPH
from extract.text.textlayer import TextLayer

_LINE_END = re.compile(r"[ \t]*\n\s*")


def with_breaks(work: WorkingText, scan: str, edits: Sequence[Edit], segments: Sequence[Segment]) -> tuple[Edit, ...]:
    """Put an empty line before each numbered paragraph, and after the last of a provision, where none is read.

    A unit that knows its breaks has an empty line there and nowhere else.

    Args:
        work: the working text.
        scan: the scan.
        edits: all edits so far; one of white space gives way to the paragraph.
        segments: the units of the book.
    Returns:
        The edits with the new ones, sorted.
    """
    full = TextLayer(scan, tuple(edits))
    made: dict[int, Edit] = {}
    for segment in segments:
        if segment.breaks is not None:
            made.update(_as_told(work, scan, full, segment, segment.breaks))
        if segment.kind != "subclause" or segment.parent is None:
            continue
        places = [work.to_scan(segment.start, segment.end).start]
        goes_on, ends = work.trim(segment.end, segment.parent.end)
        if goes_on < ends:
            places.append(work.to_scan(goes_on, ends).start)
        for place in places:
            start = len(scan[:place].rstrip())
            if start < place and not _told(full, place) and not full.read(start, place).strip():
                made[place] = Edit(start, place, scan[start:place], PARAGRAPH, "space", "rule", 1.0, "paragraph")
                made.update(_blank_before(scan, edits, start))
    new = [made[place] for place in sorted(made)]
    solid = [e for e in edits if e.before.strip()]
    new = [x for x in new if not any(x.span.meets(e.span) for e in solid)]
    rest = [e for e in edits if e.before.strip() or not any(e.span.meets(x.span) for x in new)]
    return tuple(sorted([*rest, *new]))


def _blank_before(scan: str, edits: Sequence[Edit], at: int) -> dict[int, Edit]:
    """The edit that takes out the blank before a speck, if a speck that is read as nothing ends at `at`."""
    speck = next((e for e in edits if e.raw_end == at and e.before and not e.after), None)
    start = len(scan[: speck.raw_start].rstrip()) if speck else at
    if speck is None or start == speck.raw_start:
        return {}
    blank = scan[start : speck.raw_start]
    return {speck.raw_start: Edit(start, speck.raw_start, blank, "", "space", "rule", 1.0, "before a paragraph")}


def _as_told(work: WorkingText, scan: str, full: TextLayer, segment: Segment, breaks: Sequence[int]) -> dict[int, Edit]:
    """Edits of the white space between the lines of a unit, so that its text begins anew at its breaks alone."""
    begins = {work.to_scan(at, segment.end).start for at in breaks}
    span = work.to_scan(segment.start, segment.end)
    found: dict[int, Edit] = {}
    for gap in _LINE_END.finditer(scan, span.start, span.end):
        read, note = (PARAGRAPH, "paragraph") if gap.end() in begins else (" ", "the entry goes on")
        if _told(full, gap.end()) != (gap.end() in begins) and not full.read(gap.start(), gap.end()).strip():
            found[gap.end()] = Edit(gap.start(), gap.end(), gap[0], read, "space", "rule", 1.0, note)
    return found


def _told(full: TextLayer, place: int) -> bool:
    """Whether the reading text has an empty line before a place of the scan."""
    at = full.to_reading(place)
    return PARAGRAPH in full.reading[len(full.reading[:at].rstrip()) : at]
