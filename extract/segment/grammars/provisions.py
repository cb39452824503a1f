"""Grammar of numbered provisions: laws and articles with their numbered paragraphs, etiquette rules, tests, cases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from extract.corpus.plan import CasesPart, Provisions, Series
from extract.errors import BookError
from extract.language.sentences import boundaries
from extract.numbering.label import forms
from extract.segment.labels import UnitLabel, unit_labels
from extract.segment.outline import Paragraph, WorkingText
from extract.segment.segment import Segment, heading_segment
from extract.text.headings import is_heading
from extract.text.lines import Line, collapse

_LABEL_SEEN = re.compile(r"[(\[_*]?(?:§ ?|[A-Z][A-Za-z]{1,10}\.? )?(?:\d{1,4}|[IVXL]{1,7})[.):\],_*—-]+(?=\s)")
_NOTE = re.compile(r"(?m)^N\. ?B\.")
_CLOSES = re.compile(r"[.;:,?!)]$")
_MAY_END = re.compile(r"[.!?:;,)\]*}—\"'”’]\W*$")
_LONGEST_TITLE = 50  # characters of a heading that is not in capitals
_ITEMS = 26  # the most numbered paragraphs of a provision: as many as there are letters


def provisions(work: WorkingText, part: Provisions, book_id: str, start: int, end: int) -> list[Segment]:
    """Segment a part whose units have labels of one or more series, which are decoded one after the other.

    Args:
        work: the working text.
        part: the part of the book, with its series.
        book_id: the book's id, for units that do not belong to a code.
        start, end: the part, as offsets into the working text.
    Returns:
        Headings, provisions, their numbered paragraphs and notes.
    Raises:
        BookError: no label has the form that the plan gives, in the only series or in one with `expect`.
    """
    placed = [(series, label) for series in part.series for label in _labels(work, part, series, start, end)]
    placed.sort(key=lambda x: x[1].start)
    own = {
        work.trim(label.end, end)[0] for series, label in placed if series.alone
    }  # a title below a provision's label
    headings = [h for h in _headings(work, part, start, end, [label for _, label in placed]) if h.start not in own]
    ends = dict(pairwise(sorted({end, *(h.start for h in headings), *(label.start for _, label in placed)})))
    found = [_provision(work, series, label, ends[label.start], book_id) for series, label in placed]
    return [*(heading_segment(book_id, h) for h in headings), *(segment for family in found for segment in family)]


def cases(work: WorkingText, part: CasesPart, book_id: str, start: int, end: int) -> list[Segment]:
    """Segment a part of cases.

    A case ends where its decision begins; the decision is a unit after it, whose parent is the case.

    Args:
        work: the working text.
        part: the part; `split` has the words that open a decision.
        book_id: the book's id.
        start, end: the part, as offsets into the working text.
    Returns:
        Headings, cases and decisions in reading order.
    """
    opening = re.compile(rf"(?:{'|'.join(map(re.escape, part.split))})[.,:]?\s*[—-]")
    segments: list[Segment] = []
    for case in provisions(work, part, book_id, start, end):
        segments.append(case)
        starts = work.line_starts(case.start, case.end)
        if begins := next((at for at in starts if opening.match(work.text, at)), 0):
            label = f"{case.label}, decision"
            segments.append(case.inner("decision", begins, case.end, "decision", label, sure=case.confidence))
            case.end = work.trim(case.start, begins)[1]
    return segments


def _labels(work: WorkingText, part: Provisions, series: Series, start: int, end: int) -> list[UnitLabel]:
    shy = any("{I}" in label for label in series.subdivisions)
    found = unit_labels(
        work, start, end, series.label, first=series.first, last=series.expect, alone=series.alone, no_roman=shy
    )
    if all(label.misreadings for label in found) and (series.expect or len(part.series) == 1):
        matches = (_LABEL_SEEN.match(work.text, at, end) for at in work.line_starts(start, end))
        seen = [collapse(match[0]) for match in matches if match]
        if not found or len(found) * 2 < len(seen):  # a few labels of another kind were taken for misread ones
            what = f"it has labels such as {', '.join(seen[:6])}" if seen else "no line begins with a number"
            raise BookError(
                f"no line of the part begins with a label like {series.label!r} ({what}); "
                "correct the label, or the words with which the part begins."
            )
    return found


def _headings(
    work: WorkingText, part: Provisions, start: int, end: int, labels: Sequence[UnitLabel]
) -> Iterator[Paragraph]:
    """The headings of a part: paragraphs in capitals, those that the plan names, and titles in the line above a label.

    A label that was misread as capitals (`C J.` for C 1) is not a heading.
    """
    starts = [m.start for m in labels]
    for a, b in pairwise([start, *starts, end]):
        yield from (p for p in work.paragraphs(a, b, part.headings) if p.heading and p.start not in starts)
    for at, below in zip([start, *(m.end for m in labels)], starts, strict=False):
        lines = work.lines_within(at, below)[-2:]
        if len(lines) == 2 and _is_title(*lines):
            yield Paragraph(lines[1].start, lines[1].end, lines[1].text, True)


def _is_title(above: Line, line: Line) -> bool:
    """Whether the line above a label is a heading not in capitals (`The Rubber.`, `_Scoring._`): below a blank line."""
    if line.capital or len(line.text) > _LONGEST_TITLE or line.above == 1:
        return False
    shape = replace(line, text=line.text.rstrip(","), above=2, below=2)  # `Whistle Signals,` has a misread stop
    return is_heading(shape) and (is_heading(above) or _MAY_END.search(above.text) is not None)


def _provision(work: WorkingText, series: Series, label: UnitLabel, stop: int, book_id: str) -> list[Segment]:
    """One provision with its paragraphs and notes, from its label to `stop`."""
    start, end = work.trim(label.start, stop)
    number = f"{series.prefix}{label.number}"
    notes = [*(m.start() for m in _NOTE.finditer(work.text, label.end, end)), end]
    main = Segment(
        series.kind, *work.trim(start, notes[0]), series.code or book_id,
        f"{series.slug}-{number.lower()}", f"{series.name} {number.upper() if series.prefix else number}".strip(),
        number, series.code, confidence=label.confidence, misreadings=label.misreadings,
    )  # fmt: skip
    beside = [main.inner("note", *work.trim(a, b), "note", "Note") for a, b in pairwise(notes)]
    return [main, *_subdivisions(work, series, main, label.end), *beside]


def _subdivisions(work: WorkingText, series: Series, main: Segment, start: int) -> list[Segment]:
    """The numbered paragraphs of a provision, or its unnumbered items after a colon."""
    for form in series.subdivisions:
        labels = unit_labels(work, start, main.end, form, last=_ITEMS)
        if len(labels) > 1 and labels[0].number == 1:
            break
    else:
        return _items(work, main) if series.items else []
    segments: list[Segment] = []
    ends = [*(x.start for x in labels[1:]), _last_end(work, labels[-1], main.end)]
    for label, end in zip(labels, ends, strict=True):
        number = forms(form)[0].printed(label.number)
        shown = number.upper() if "{I}" in form else number
        a, b = work.trim(label.start, end)
        paragraph = main.inner("subclause", a, b, number, f"{main.label} ({shown})", number, label.confidence)
        paragraph.misreadings = label.misreadings
        segments.append(paragraph)
    return segments


def _last_end(work: WorkingText, label: UnitLabel, end: int) -> int:
    """Where the last numbered paragraph ends: what follows it may be the provision's own text again."""
    if work.layout == "single-line":
        return next((gap.start for gap in boundaries(work.text, label.end, end)), end)
    for line, below in pairwise(work.lines_from(work.text.rfind("\n", 0, label.start) + 1, end)):
        if line.below > 1 and _CLOSES.search(line.text) and not work.page_between(line.end, below.start):
            return line.end
    return end


def _items(work: WorkingText, main: Segment) -> list[Segment]:
    """Unnumbered items: the paragraphs after a first one that ends with a colon."""
    first, *items = work.paragraphs(main.start, main.end)
    return [
        main.inner("subclause", p.start, p.end, str(i), f"{main.label} ({i})", str(i), 0.9)
        for i, p in enumerate(items if len(items) > 1 and first.text.endswith(":") else (), 1)
    ]
