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
from extract.survey.proposal import ProposedCode, ProposedPlan, propose
from extract.survey.survey import Survey

_FOUND = 0.7  # of the labels seen, those that the build must find, each under its number
_STRAY = 7  # characters before a label that the build may count to it: a quotation mark, those of markdown
_NOBODY = Imprint("Untitled", 1900, (("", "Anonymous"),), "0" * 64, "utf-8")


def tested_plan(found: Survey, book_id: str, chosen: Sequence[FoundCode] | None = None) -> ProposedPlan:
    """Propose the plan of a book that the build segments as it is proposed.

    Where the build does not find the labels of a code, or puts a part of its matter in no unit, its longest stretch
    without a great gap is proposed, and if that is no better the code is refused: its matter is prose. Where the build
    would count on beyond the last label, the plan names the highest number.

    Args:
        found: the survey of its scan.
        book_id: its id, with which the ids of its codes begin.
        chosen: which of the codes found are to be taken; all of them by default.
    """
    codes = list(found.codes if chosen is None else chosen)
    refused: list[tuple[FoundCode, str]] = []
    bounded: set[FoundCode] = set()
    while True:
        plan = propose(found, book_id, codes, bounded)
        faults = dict(_faults(found, plan, book_id))
        beyond = {code for code, fault in faults.items() if not fault}
        if not faults:
            return replace(plan, refused=tuple(refused))
        bounded |= beyond
        for code in faults.keys() - beyond:
            shorter = _longest_stretch(code)
            refused += [] if shorter else [(code, faults[code])]
            codes[codes.index(code) : codes.index(code) + 1] = [shorter] if shorter else []


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
    """What is wrong with the codes of a plan as the build segments it; nothing, if one needs but a highest number."""
    if not plan.codes:
        return
    try:
        segments = segmented(found.work, plan, book_id)
    except BookError as error:
        alone = [code.found for code in plan.codes]
        if len(alone) == 1:
            yield alone[0], str(error).rpartition(": ")[2]
            return
        faults = [fault for code in alone for fault in _faults(found, propose(found, book_id, [code]), book_id)]
        yield from ((code, fault) for code, fault in faults or [(alone[-1], str(error))] if fault)
        return
    taken = bytearray(len(found.work.text))
    for segment in segments:
        taken[segment.start : segment.end] = b"\1" * (segment.end - segment.start)
    for code in plan.codes:
        fault = _fault(found.work, code, segments, taken)
        if fault is not None:
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


def _fault(work: WorkingText, code: ProposedCode, segments: Sequence[Segment], taken: bytearray) -> str | None:
    """Why a code is refused; None if it is not, and nothing where the build counts on beyond its last label."""
    found = code.found
    begin, end = work.trim(found.start, found.end)
    built = [x for x in segments if x.kind == "law" and begin <= x.start < end]
    starts: dict[str | None, list[int]] = {}
    for unit in built:
        starts.setdefault(unit.number, []).append(unit.start)
    labels = [x for part in found.divisions for x in part.labels] or [*found.run.labels]
    missing = [x for x in labels if all(abs(x.start - at) > _STRAY for at in starts.get(str(x.number), ()))]
    if len(labels) - len(missing) < _FOUND * len(labels):
        return f"the build does not find {len(missing)} of its {len(labels)} labels"
    lost = next((at for at in range(begin, end) if not taken[at] and work.text[at].isalnum()), None)
    if lost is not None:
        return f"{' '.join(work.text[lost : lost + 20].split())!r} stands in no unit"
    beyond = any((x.number or "").isdecimal() and int(x.number or 0) > found.run.last for x in built)
    return "" if beyond and not found.divisions and not code.bounded else None
