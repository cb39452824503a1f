"""Paragraphs of a scan that has lost its lines: numbered paragraphs begin anew in the reading text."""

from __future__ import annotations

from collections.abc import Sequence

from extract.draft import Draft
from extract.mend.space import PARAGRAPH
from extract.model import Edit, Span
from extract.outline import WorkingText


def with_breaks(work: WorkingText, scan: str, edits: Sequence[Edit], drafts: Sequence[Draft]) -> tuple[Edit, ...]:
    """Put an empty line before each numbered paragraph of a single-line scan, and after the last of a provision.

    Args:
        work: the working text.
        scan: the scan.
        edits: all edits so far; one of white space gives way to the paragraph.
        drafts: the units of the book.
    Returns:
        The edits with the new ones, sorted. A scan with lines tells its paragraphs itself: nothing is changed.
    """
    if work.layout != "single-line":
        return tuple(edits)
    made: list[Edit] = []
    for draft in drafts:
        if draft.kind != "subclause":
            continue
        span = work.to_scan(draft.start, draft.end)
        ends = work.to_scan(draft.start, draft.parent.end).end if draft.parent else span.end
        gaps = [_blank_before(scan, span.start)] + ([_blank_after(scan, span.end)] if span.end < ends else [])
        made += [
            Edit(gap.start, gap.end, scan[gap.start : gap.end], PARAGRAPH, "space", "rule", 1.0, "paragraph")
            for gap in gaps
            if len(gap)
        ]
    new = sorted(set(made))
    solid = [e for e in edits if e.before.strip()]
    new = [x for x in new if not any(x.span.meets(e.span) for e in solid)]
    rest = [e for e in edits if e.before.strip() or not any(e.span.meets(x.span) for x in new)]
    return tuple(sorted([*rest, *new]))


def _blank_before(scan: str, at: int) -> Span:
    return Span(len(scan[:at].rstrip()), at)


def _blank_after(scan: str, at: int) -> Span:
    return Span(at, len(scan) - len(scan[at:].lstrip()))
