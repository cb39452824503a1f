"""Try a plan: run the build's segmentation with it, and refuse the codes that do not come out as proposed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory

from extract.corpus.book import load_book
from extract.corpus.domain import Domain
from extract.errors import BookError
from extract.segment.outline import WorkingText
from extract.segment.segment import Segment
from extract.segment.segmentation import outline
from extract.survey.codes import FoundCode
from extract.survey.plan import Imprint, ProposedPlan, book_file, propose
from extract.survey.survey import Survey
from extract.weights import weights

(_FOUND,) = weights("labels", "survey.found")
_NOBODY = Imprint("Untitled", 1900, (("", "Anonymous"),), "0" * 64, "utf-8")


def buildable_plan(found: Survey, book_id: str, chosen: Sequence[FoundCode] | None = None) -> ProposedPlan:
    """Propose a plan for a book that the build segments as proposed.

    The code with most labels is tried first, then each of the others together with those kept. A code is refused if the
    build does not find its labels, or leaves some of its text outside all units; its text is then prose.

    Args:
        found: the survey of its scan.
        book_id: its id, with which the ids of its codes begin.
        chosen: the codes to include, out of those found; all of them by default.
    """
    kept: list[FoundCode] = []
    refused: list[tuple[FoundCode, str]] = []
    for code in sorted(found.codes if chosen is None else chosen, key=lambda code: -len(code.run.labels)):
        beside = sorted([*kept, code], key=lambda code: code.start)
        if fault := _fault(found.work, propose(found, book_id, beside), book_id, code):
            refused.append((code, fault))
        else:
            kept = beside
    return replace(propose(found, book_id, kept), refused=tuple(refused))


def segmented(work: WorkingText, plan: ProposedPlan, book_id: str) -> list[Segment]:
    """Return the segments into which the build divides a working text according to a plan.

    Raises:
        BookError: the plan does not fit the text.
    """
    with TemporaryDirectory() as name:
        folder = Path(name) / book_id
        folder.mkdir()
        (folder / "book.toml").write_text(book_file(_NOBODY, plan), encoding="utf-8")
        return outline(work, load_book(folder, Domain()))


def _fault(work: WorkingText, plan: ProposedPlan, book_id: str, code: FoundCode) -> str:
    """Return what is wrong with a code of a plan when the build segments it; empty if nothing is."""
    try:
        segments = segmented(work, plan, book_id)
    except BookError as error:
        return str(error).rpartition(": ")[2]
    inside = [x for x in segments if x.start < code.end and code.start < x.end]
    labels, built = code.sections or code.run.labels, sum(x.kind in ("law", "case") for x in inside)
    if built < _FOUND * len(labels):
        return f"the build finds {built} of its {len(labels)} labels"
    ends = accumulate((x.end for x in inside), max, initial=code.start)
    outside = (work.text[a:b] for a, b in zip(ends, [*(x.start for x in inside), code.end], strict=True))
    lost = next((text.split() for text in outside if any(map(str.isalnum, text))), None)
    return f"{' '.join(lost[:4])!r} is in no unit" if lost else ""
