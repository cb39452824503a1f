"""Grammar of cases: each a numbered story, and the decision that follows it."""

from __future__ import annotations

import re

from extract.corpus.plan import CasesPart
from extract.segment.grammars.provisions import provisions
from extract.segment.outline import WorkingText
from extract.segment.segment import Segment


def cases(work: WorkingText, part: CasesPart, book_id: str, start: int, end: int) -> list[Segment]:
    """Segment a part of cases.

    A case ends where its decision begins; the decision is a unit beside it, whose parent is the case.

    Args:
        work: the working text.
        part: the part; `split` has the words that open a decision.
        book_id: the book's id.
        start, end: the part, as offsets into the working text.
    Returns:
        Headings, cases and decisions in reading order.
    """
    kinds = {series.kind for series in part.series}
    words = "|".join(map(re.escape, part.split))
    opening = re.compile(rf"(?:{words})[.,:]?\s*[—-]")
    segments: list[Segment] = []
    for segment in provisions(work, part, book_id, start, end):
        segments.append(segment)
        if segment.kind not in kinds:
            continue
        starts = work.line_starts(segment.start, segment.end)
        begins = next((at for at in starts if opening.match(work.text, at)), None)
        if begins is None:
            continue
        finish = segment.end
        segment.end = work.trim(segment.start, begins)[1]
        label = f"{segment.label}, decision"
        segments.append(segment.inner("decision", begins, finish, "decision", label, sure=segment.confidence))
    return segments
