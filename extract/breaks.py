"""Paragraphs that the scan runs together: where the numbering proves one, it begins anew in the reading text."""

from __future__ import annotations

from collections.abc import Sequence

from extract.draft import Draft
from extract.mend.space import PARAGRAPH
from extract.model import Edit
from extract.outline import WorkingText
from extract.textlayer import TextLayer


def with_breaks(work: WorkingText, scan: str, edits: Sequence[Edit], drafts: Sequence[Draft]) -> tuple[Edit, ...]:
    """Put an empty line before each numbered paragraph, and after the last of a provision, where none is read.

    Args:
        work: the working text.
        scan: the scan.
        edits: all edits so far; one of white space gives way to the paragraph.
        drafts: the units of the book.
    Returns:
        The edits with the new ones, sorted.
    """
    full = TextLayer(scan, tuple(edits))
    made: dict[int, Edit] = {}
    for draft in drafts:
        if draft.kind != "subclause" or draft.parent is None:
            continue
        places = [work.to_scan(draft.start, draft.end).start]
        goes_on, ends = work.trim(draft.end, draft.parent.end)
        if goes_on < ends:
            places.append(work.to_scan(goes_on, ends).start)
        for place in places:
            start = len(scan[:place].rstrip())
            if start < place and not _told(full, place) and not full.read(start, place).strip():
                made[place] = Edit(start, place, scan[start:place], PARAGRAPH, "space", "rule", 1.0, "paragraph")
    new = [made[place] for place in sorted(made)]
    solid = [e for e in edits if e.before.strip()]
    new = [x for x in new if not any(x.span.meets(e.span) for e in solid)]
    rest = [e for e in edits if e.before.strip() or not any(e.span.meets(x.span) for x in new)]
    return tuple(sorted([*rest, *new]))


def _told(full: TextLayer, place: int) -> bool:
    """Whether the reading text has an empty line before a place of the scan."""
    at = full.to_reading(place)
    return PARAGRAPH in full.reading[len(full.reading[:at].rstrip()) : at]
