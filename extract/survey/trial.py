"""The trial of a plan: the segmentation of the build is given it, and what does not come out as proposed is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from extract.corpus.book import load_book
from extract.corpus.domain import Domain
from extract.errors import BookError
from extract.segment.outline import WorkingText
from extract.segment.segment import Segment
from extract.segment.segmentation import outline
from extract.survey.codes import FoundCode
from extract.survey.numberings import LONGEST_GAP, FoundNumbering
from extract.survey.plan import Imprint, ProposedPlan, book_file, propose
from extract.survey.survey import Survey

_FOUND = 0.7  # of the numbers seen, those that the build must find
_SHOWN = 20  # characters of what stands in no unit
_NOBODY = Imprint("Untitled", 1900, (("", "Anonymous"),), "0" * 64, "utf-8")


def buildable_plan(found: Survey, book_id: str, chosen: Sequence[FoundCode] | None = None) -> ProposedPlan:
    """Propose the plan of a book that the build segments as it is proposed.

    The code that explains most is tried first, then each beside those that are kept. Where the build does not find
    the labels of a code, or puts a part of its matter in no unit, its longest stretch without a great gap is tried,
    and if that is no better the code is refused: its matter is prose.

    Args:
        found: the survey of its scan.
        book_id: its id, with which the ids of its codes begin.
        chosen: which of the codes found are to be taken; all of them by default.
    """
    kept: list[FoundCode] = []
    refused: list[tuple[FoundCode, str]] = []
    for code in sorted(found.codes if chosen is None else chosen, key=lambda code: -len(code.run.labels)):
        fault = ""
        for attempt in (code, *_longest_stretch(code)):
            beside = sorted([*kept, attempt], key=lambda code: code.start)
            if not (fault := _fault(found.work, propose(found, book_id, beside), book_id, attempt)):
                kept = beside
                break
        refused += [(code, fault)] if fault else []
    return replace(propose(found, book_id, kept), refused=tuple(refused))


def _longest_stretch(code: FoundCode) -> list[FoundCode]:
    """A code cut down to the labels of its longest stretch without a great gap, an excerpt; none if it has no gap."""
    labels = code.run.labels
    borders = [i for i in range(1, len(labels)) if labels[i].number - labels[i - 1].number > LONGEST_GAP]
    if not borders or code.divisions:
        return []
    begin, end = max(pairwise([0, *borders, len(labels)]), key=lambda span: span[1] - span[0])
    start = labels[begin].start if begin else code.start
    stop = labels[end].start if end < len(labels) else code.end
    return [replace(code, run=FoundNumbering(labels[begin:end]), start=start, end=stop)]


def segmented(work: WorkingText, plan: ProposedPlan, book_id: str) -> list[Segment]:
    """The segments that the build makes of a working text by a plan.

    Raises:
        BookError: the plan does not fit the text.
    """
    with TemporaryDirectory() as name:
        folder = Path(name) / book_id
        folder.mkdir()
        (folder / "book.toml").write_text(book_file(_NOBODY, plan), encoding="utf-8")
        return outline(work, load_book(folder, Domain()))


def _fault(work: WorkingText, plan: ProposedPlan, book_id: str, code: FoundCode) -> str:
    """What is wrong with a code of a plan as the build segments it; nothing if all is well."""
    try:
        segments = segmented(work, plan, book_id)
    except BookError as error:
        return str(error).rpartition(": ")[2]
    begin, end = work.trim(code.start, code.end)
    inside = [x for x in segments if x.start < end and begin < x.end]
    built = {x.number for x in inside if x.kind in ("law", "case")}
    labels = [x for part in code.stretches for x in part.labels]
    missing = [x for x in labels if str(x.number) not in built]
    if len(labels) - len(missing) < _FOUND * len(labels):
        return f"the build does not find {len(missing)} of its {len(labels)} labels"
    taken = {at for x in inside for at in range(x.start, x.end)}
    lost = next((at for at in range(begin, end) if at not in taken and work.text[at].isalnum()), end)
    return f"{' '.join(work.text[lost : lost + _SHOWN].split())!r} stands in no unit" if lost < end else ""
