"""Grammar of numbered provisions: laws and articles with their numbered paragraphs, etiquette rules, tests."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from extract.corpus.plan import Provisions, Series
from extract.errors import BookError
from extract.language.sentences import boundaries, ends_paragraph
from extract.numbering.numerals import lettered, roman
from extract.segment.label import series_marks
from extract.segment.mark import Mark
from extract.segment.outline import Paragraph, WorkingText
from extract.segment.segment import Segment, heading_segment
from extract.text.headings import is_heading
from extract.text.lines import Line, collapse

_LABEL_SEEN = re.compile(r"[(\[_*]?(?:§ ?|[A-Z][A-Za-z]{1,10}\.? )?(?:\d{1,4}|[IVXL]{1,7})[.):\],_*—-]+(?=\s)")
_NOTE = re.compile(r"(?m)^N\. ?B\.")
_COLON = re.compile(r":\s?[—–-]*\s*")
_CITED = re.compile(r"\[.*\]$")  # `[§§ 6-11]` below a title
_CLOSES = re.compile(r"[.;:,?!)]$")
_GOES_ON = re.compile(r"—\(|— \(|\(See|-\(")
_MAY_END = re.compile(r"[.!?:;,)\]*}—\"'”’]\W*$")
_LONGEST_TITLE = 50  # characters of a heading that is not in capitals
# Of a full line: the last one of a paragraph where no blank lines part paragraphs, and the last one of an item.
_SHORT, _SHORT_END = 0.75, 0.85
_MOST = 12  # numbered paragraphs of a provision


def provisions(work: WorkingText, part: Provisions, book_id: str, start: int, end: int) -> list[Segment]:
    """Segment a part whose units bear labels of one or more series, one series after the other.

    Args:
        work: the working text.
        part: the part of the book, with its series.
        book_id: the book's id, for units that belong to no code.
        start, end: the part, as offsets into the working text.
    Returns:
        Headings, provisions, their numbered paragraphs and notes.
    Raises:
        BookError: a series that is the only one, or of which the plan expects labels, finds none as they are written.
    """
    placed = [(series, mark) for series in part.series for mark in _labels(work, part, series, start, end)]
    placed.sort(key=lambda x: x[1].start)
    marks = [mark for _, mark in placed]
    own = {work.trim(mark.end, end)[0] for series, mark in placed if series.alone}  # a title below a provision's label
    segments = [heading_segment(book_id, h) for h in _headings(work, start, end, marks) if h.start not in own]
    borders = sorted([*(d.start for d in segments), *(m.start for m in marks), end])
    for series, mark in placed:
        segments += provision(work, series, mark, borders[bisect_right(borders, mark.start)], book_id)
    return segments


def _labels(work: WorkingText, part: Provisions, series: Series, start: int, end: int) -> list[Mark]:
    shy = any("{I}" in label for label in series.subdivisions)
    found = series_marks(work, start, end, series.label, series.highest, alone=series.alone, running=series.running,
                         shy=shy, first=series.first, expect=series.expect)  # fmt: skip
    if all(mark.misreadings for mark in found) and (series.expect or len(part.series) == 1):
        matches = (_LABEL_SEEN.match(work.text, at, end) for at in work.line_starts(start, end))
        seen = [collapse(match[0]) for match in matches if match]
        if not found or len(found) * 2 < len(seen):  # a few of another kind were read as misread ones
            what = f"labels seen there are {', '.join(seen[:6])}" if seen else "no line there begins with a number"
            raise BookError(
                f"no line begins with a label like {series.label!r}; {what}: "
                "correct the label, or where the part begins."
            )
    return found


def _headings(work: WorkingText, start: int, end: int, marks: Sequence[Mark]) -> list[Paragraph]:
    """The headings of a part: paragraphs in capitals, up to a label below them, and titles above a label.

    A label may be misread as capitals (`C J.` for C 1).
    """
    starts = {m.start for m in marks}
    stretches = pairwise([start, *sorted(starts), end])
    found = [p for a, b in stretches for p in work.paragraphs(a, b) if p.heading and p.start not in starts]
    taken = {line for p in found for line in range(p.start, p.end)}
    return [*found, *(p for p in _titles(work, start, marks) if p.start not in taken)]


def _titles(work: WorkingText, start: int, marks: Sequence[Mark]) -> list[Paragraph]:
    """Headings not in capitals (`The Rubber.`, `_Scoring._`): a line alone, directly before a label."""
    found: list[Paragraph] = []
    for at, mark in zip([start, *(m.end for m in marks)], marks, strict=False):
        lines = work.lines_within(at, mark.start)
        if lines and _CITED.match(lines[-1].text):
            lines.pop()
        if len(lines) < 2 and at > start:  # what stands beside the label before is no title
            continue
        line, above = lines[-1] if lines else None, lines[-2] if lines[1:] else None
        if line and not line.capital and len(line.text) <= _LONGEST_TITLE and _is_title(work, line, above):
            found.append(Paragraph(line.start, line.end, line.text, True))
    return found


def _is_title(work: WorkingText, line: Line, above: Line | None) -> bool:
    """Whether a line above a label is a heading: it stands apart, or directly below the short last line of a text."""
    line = replace(line, text=line.text.rstrip(","))  # a stop, misread: `Whistle Signals,`
    if above is None or line.isolated:
        return is_heading(line) and (above is None or is_heading(above) or _MAY_END.search(above.text) is not None)
    apart = line.above > 1 or len(above.text) < _SHORT * _line_width(work, line.start, line.end)
    return apart and line.below == 1 and is_heading(replace(line, above=2, below=2)) and ends_paragraph(above.text)


def provision(work: WorkingText, series: Series, mark: Mark, stop: int, book_id: str) -> list[Segment]:
    """One provision with its paragraphs and notes, from its label to `stop`."""
    start, end = work.trim(mark.start, stop)
    number = f"{series.prefix}{mark.number}{mark.letter}"
    notes = [m.start() for m in _NOTE.finditer(work.text, mark.end, end)]
    main = Segment(
        series.kind, *work.trim(start, notes[0] if notes else end), series.code or book_id,
        f"{series.slug}-{number.lower()}", f"{series.name} {number.upper() if series.prefix else number}".strip(),
        number, series.code, confidence=mark.confidence, misreadings=mark.misreadings,
    )  # fmt: skip
    segments = [main, *_subdivisions(work, series, main, mark.end)]
    for i, (a, b) in enumerate(pairwise([*notes, end]), 1):
        segments.append(main.inner("note", *work.trim(a, b), f"note-{i}" if len(notes) > 1 else "note", "Note"))
    return segments


def _subdivisions(work: WorkingText, series: Series, main: Segment, start: int) -> list[Segment]:
    """The numbered paragraphs of a provision, or its unnumbered items after a colon."""
    for label in series.subdivisions:
        marks = _with_lost_first(work, start, series_marks(work, start, main.end, label, _MOST))
        if len(marks) > 1 and marks[0].number == 1:
            break
    else:
        return _items(work, main) if series.items else []
    segments: list[Segment] = []
    ends = [*(m.start for m in marks[1:]), _last_end(work, marks[-1], main.end)]
    for mark, end in zip(marks, ends, strict=True):
        number = roman(mark.number) if "{I}" in label else lettered(mark.number) if "{a}" in label else str(mark.number)
        shown = number.upper() if "{I}" in label else number
        a, b = work.trim(mark.start, end)
        paragraph = main.inner("subclause", a, b, number, f"{main.label} ({shown})", number, mark.confidence)
        paragraph.misreadings = mark.misreadings
        segments.append(paragraph)
    return segments


def _with_lost_first(work: WorkingText, start: int, marks: list[Mark]) -> list[Mark]:
    """Where the label of the second paragraph stands, but none of the first: that one follows the colon."""
    if len(marks) > 1 and marks[0].number == 2:
        colon = _COLON.search(work.text, start, marks[0].start)
        if colon and colon.end() < marks[0].start:
            return [Mark(colon.end(), colon.end(), 1, 0.6), *marks]
    return marks


def _last_end(work: WorkingText, mark: Mark, end: int) -> int:
    """Where the last numbered paragraph ends: what follows it may be the provision's own text again."""
    if work.layout == "single-line":
        return next((gap.start for gap in boundaries(work.text, mark.end, end)), end)
    width = _line_width(work, mark.start, end)
    for line, after in pairwise(work.lines_from(work.text.rfind("\n", 0, mark.start) + 1, end)):
        overleaf = after.text[0].islower() and work.page_between(line.end, after.start)
        if overleaf or not _CLOSES.search(line.text) or _GOES_ON.match(after.text):
            continue
        if line.below > 1 or (line.text[-1] in ";:." and len(line.text) < _SHORT_END * width):
            return line.end
    return end


def _line_width(work: WorkingText, start: int, end: int) -> int:
    """The length of a full printed line hereabouts, in characters."""
    first, last = work.line_after(start - 600), work.line_after(end + 599)
    lengths = [line.end - line.start for line in work.lines[first:last]]
    return sorted(lengths)[int(len(lengths) * 0.8)] if lengths else 1


def _items(work: WorkingText, main: Segment) -> list[Segment]:
    """Unnumbered items: the paragraphs after a first one that ends with a colon."""
    paragraphs = [p for p in work.paragraphs(main.start, main.end) if not p.text.startswith(("[", "⁽", "("))]
    if len(paragraphs) < 3 or not paragraphs[0].text.endswith(":"):
        return []
    return [
        main.inner("subclause", p.start, p.end, str(i), f"{main.label} ({i})", str(i), 0.9)
        for i, p in enumerate(paragraphs[1:], 1)
    ]
