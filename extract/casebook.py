"""Grammar of cases: each a numbered story, and the decision that follows it."""

from __future__ import annotations

import re

from extract.draft import Draft
from extract.outline import WorkingText
from extract.plan import CasesPart
from extract.provisions import provisions


def cases(work: WorkingText, part: CasesPart, book_id: str, start: int, end: int) -> list[Draft]:
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
    words = "|".join(map(re.escape, part.split))
    opening = re.compile(rf"(?:{words})[.,:]?\s*[—-]")
    drafts: list[Draft] = []
    for draft in provisions(work, part, book_id, start, end):
        drafts.append(draft)
        if draft.kind != "case":
            continue
        starts = work.line_starts(draft.start, draft.end)
        begins = next((at for at in starts if opening.match(work.text, at)), None)
        if begins is None:
            continue
        finish = draft.end
        draft.end = work.trim(draft.start, begins)[1]
        drafts.append(
            Draft("decision", begins, finish, draft.owner, f"{draft.name}/decision", f"{draft.label}, decision", None,
                  draft.code, draft, draft.heading, draft.confidence)
        )  # fmt: skip
    return drafts
