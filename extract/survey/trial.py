"""The trial of a plan: the segmentation of the build is given it, and what does not come out as proposed is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from extract.survey.book_file import Imprint, book_file
from extract.survey.codes import FoundCode
from extract.survey.numberings import LONGEST_GAP, LabelRun
from extract.survey.proposal import ProposedPlan, propose
from extract.survey.survey import Survey

_FOUND = 0.7  # of the numbers seen, those that the build must find
_SHOWN = 20  # characters of what stands in no unit
_NOBODY = Imprint("Untitled", 1900, (("", "Anonymous"),), "0" * 64, "utf-8")


def buildable_plan(found: Survey, book_id: str, chosen: Sequence[FoundCode] | None = None) -> ProposedPlan:
    """Propose the plan of a book that the build segments as it is proposed.

    Where the build does not find the labels of a code, or puts a part of its matter in no unit, its longest stretch
    without a great gap is proposed, and if that is no better the code is refused: its matter is prose.

    Args:
        found: the survey of its scan.
        book_id: its id, with which the ids of its codes begin.
        chosen: which of the codes found are to be taken; all of them by default.
    """
    codes = list(found.codes if chosen is None else chosen)
    refused: list[tuple[FoundCode, str]] = []
    while faults := dict(_faults(found, plan := propose(found, book_id, codes), book_id)):
        for code, fault in faults.items():
            shorter = _longest_stretch(code)
            refused += [] if shorter else [(code, fault)]
            codes[codes.index(code) : codes.index(code) + 1] = [shorter] if shorter else []
    return replace(plan, refused=tuple(refused))


def _longest_stretch(code: FoundCode) -> FoundCode | None:
    """A code cut down to the labels of its longest stretch without a great gap, an excerpt; None if it has none."""
    labels = code.run.labels
    borders = [i for i in range(1, len(labels)) if labels[i].number - labels[i - 1].number > LONGEST_GAP]
    if not borders or code.divisions:
        return None
    begin, end = max(pairwise([0, *borders, len(labels)]), key=lambda span: span[1] - span[0])
    start = labels[begin].start if begin else code.start
    stop = labels[end].start if end < len(labels) else code.end
    run = LabelRun(code.run.shape, labels[begin:end])
    return replace(code, run=run, start=start, end=stop, opening=None)


def _faults(found: Survey, plan: ProposedPlan, book_id: str) -> Iterator[tuple[FoundCode, str]]:
    """What is wrong with the codes of a plan as the build segments it."""
    try:
        segments = segmented(found.work, plan, book_id)
    except BookError as error:
        if len(plan.codes) == 1:
            yield plan.codes[0].found, str(error).rpartition(": ")[2]
        for code in plan.codes if len(plan.codes) > 1 else ():
            yield from _faults(found, propose(found, book_id, [code.found]), book_id)
        return
    taken = bytearray(len(found.work.text))
    for segment in segments:
        taken[segment.start : segment.end] = b"\1" * (segment.end - segment.start)
    for code in plan.codes:
        if fault := _fault(found.work, code.found, segments, taken):
            yield code.found, fault


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


def _fault(work: WorkingText, code: FoundCode, segments: Sequence[Segment], taken: bytearray) -> str:
    """Why a code is refused; nothing if it is not."""
    begin, end = work.trim(code.start, code.end)
    built = {x.number for x in segments if x.kind in ("law", "case") and begin <= x.start < end}
    labels = [x for part in code.divisions for x in part.labels] or [*code.run.labels]
    missing = [x for x in labels if str(x.number) not in built]
    if len(labels) - len(missing) < _FOUND * len(labels):
        return f"the build does not find {len(missing)} of its {len(labels)} labels"
    lost = next((at for at in range(begin, end) if not taken[at] and work.text[at].isalnum()), end)
    return f"{' '.join(work.text[lost : lost + _SHOWN].split())!r} stands in no unit" if lost < end else ""
