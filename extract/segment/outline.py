"""The working text that segmentation reads: the scan with misreadings corrected and furniture removed, lines kept.

White space and line-end hyphens stay as they are, so that lines and blank lines still mark paragraphs; only blanks at
line ends are removed.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise
from statistics import median

from extract.corpus.errata import Passage
from extract.language.sentences import boundaries
from extract.model import STANDING, Edit, Page, Span
from extract.pages.notes import Footnote, footnotes
from extract.text.headings import division, heading_end, inline_headings
from extract.text.lines import Line, collapse, split_lines
from extract.text.paragraphs import goes_on
from extract.text.source import Layout
from extract.text.textlayer import TextLayer

_CLAUSE_END = re.compile(
    r"(?<=[.:;,)\]\"'!?—-])\s+(?=\S)|(?<=[.!?][^\w\s])\s+|\n\s*|\s{2,}|(?<=[A-Z]{3}\.)\s+|(?<=[A-Z]{4})\s+(?=\S)"
    r"|\s(?=[IVX]{1,4}\. [A-Z])"
)
_FULL = 0.7  # share of a full line of text that a full line in capitals has, at least: they are wider
_LEAST, _USUAL = 20, 60  # characters that a line needs to be measured; the length assumed if none has them
_LINE_END = re.compile(r"[^\S\n]*(?:\n|$)")
_BLANK_END = re.compile(r"(?<! ) +(?=\n)")
_BLANK_LINE = re.compile(r"\n[ \t]*\n\s*")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of the working text: its span, its text with white space collapsed, whether it is a heading."""

    start: int
    end: int
    text: str
    heading: bool


@dataclass(frozen=True)
class WorkingText:
    """The working text of a scan, with its layout and the mapping back to scan offsets."""

    layer: TextLayer
    layout: Layout
    pages: tuple[Page, ...]
    footnotes: tuple[Footnote, ...] = ()

    @cached_property
    def text(self) -> str:
        return self.layer.reading

    @cached_property
    def page_starts(self) -> tuple[int, ...]:
        """Where pages begin, as offsets into the working text."""
        return tuple(self.layer.to_reading(p.raw_start) for p in self.pages)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        return split_lines(self.text)

    def in_footnote(self, at: int) -> bool:
        """Whether an offset of the working text lies in a footnote."""
        i = bisect_right(self._note_starts, at) - 1
        return i >= 0 and at < self.footnotes[i].end

    @cached_property
    def _note_starts(self) -> tuple[int, ...]:
        return tuple(n.start for n in self.footnotes)

    def to_scan(self, start: int, end: int) -> Span:
        """The span of the scan for a span of the working text."""
        return self.layer.to_scan(Span(start, end))

    def trim(self, start: int, end: int) -> tuple[int, int]:
        """The span without white space at its ends."""
        piece = self.text[start:end]
        return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())

    def line_starts(self, start: int, end: int) -> list[int]:
        """Offsets where a printed line may begin: line starts; in a single-line scan, sentence and clause starts."""
        if self.layout != "single-line":
            return [x.start for x in self.lines_from(start, end)]
        found = [start, *(m.end() for m in _CLAUSE_END.finditer(self.text, start, end))]
        return [at for at in found if not self.in_footnote(at)]

    def lines_from(self, start: int, end: int) -> list[Line]:
        """The lines that begin within a span, except those of footnotes."""
        first, last = (bisect_left(self._outside_notes, at, key=lambda x: x.start) for at in (start, end))
        return list(self._outside_notes[first:last])

    @cached_property
    def _outside_notes(self) -> tuple[Line, ...]:
        """The lines except those of footnotes; of a line that begins with notes and goes on, the part after them."""
        found: list[Line] = []
        for line in self.lines:
            noted = self.in_footnote(line.start)
            start = self.footnotes[bisect_left(self._note_starts, line.end) - 1].end if noted else line.start
            if start < line.end:
                found.append(self._clipped(line, start, line.end))
        return tuple(found)

    def lines_within(self, start: int, end: int) -> list[Line]:
        """The lines of a span, except those of footnotes; of a line that extends beyond the span, the part inside."""
        lines = self.lines if self.in_footnote(start) else self._outside_notes
        first = bisect_right(lines, start, key=lambda x: x.end)
        last = bisect_left(lines, end, key=lambda x: x.start)
        return [x for line in lines[first:last] if (x := self._clipped(line, start, end)).text]

    def _clipped(self, line: Line, start: int, end: int) -> Line:
        if start <= line.start and line.end <= end:
            return line
        a, b = self.trim(max(line.start, start), min(line.end, end))
        return replace(line, start=a, end=b, text=collapse(self.text[a:b]))

    def paragraphs(self, start: int, end: int, headings: Sequence[str] = ()) -> list[Paragraph]:
        """The paragraphs within a span, with a division (`SECTION II.`) and the lines of its title as one heading.

        A single-line scan has lost its paragraphs: there the sentences of each page make one, apart from text in
        capitals and the `headings` that the book's plan names. In other scans a named heading has lines of its own.
        """
        if self.layout == "single-line":
            return self._chunks(start, end, headings)
        found: list[Paragraph] = []
        for part in self.set_apart(start, end, headings):
            if found and part.heading and found[-1].heading and self._same_heading(found[-1], part.text):
                title = found.pop()
                part = Paragraph(title.start, part.end, f"{title.text} {part.text}", heading=True)
            found.append(part)
        return found

    def set_apart(self, start: int, end: int, headings: Sequence[str] = ()) -> list[Paragraph]:
        """The paragraphs within a span, joined over page breaks and stray blank lines; title lines stand apart.

        Args:
            start, end: the span, as offsets into the working text; without lines, all of it is one paragraph.
            headings: the headings that only the book's plan knows.
        """
        blocks: list[list[Line]] = []
        ends: dict[int, int] = {}  # of the named headings, by their starts
        for line in self.lines_within(start, end):
            above = blocks[-1] if blocks else None
            head = ends.get(above[0].start) if above else None
            stop = heading_end(self.text, line.start, end, headings)
            if stop > line.start and _LINE_END.match(self.text, stop):
                ends[line.start] = stop
                blocks.append([line])
            elif above and (line.start < head if head else self._goes_on(above, line)):
                above.append(line)
            else:
                blocks.append([line])
        return [
            Paragraph(
                block[0].start,
                block[-1].end,
                collapse(" ".join(x.text for x in block)),
                block[0].start in ends or all(x.capital for x in block),
            )
            for block in blocks
        ]

    def _same_heading(self, above: Paragraph, text: str) -> bool:
        if division(text):
            return False
        if division(above.text):
            return True
        # A heading goes on below its last line if this lacks the full stop of all headings, or has no room for more.
        full = len(collapse(self.text[above.start : above.end].rpartition("\n")[2])) > _FULL * self._full_line
        ends = (".", ":", ";", "!") if full else (".", ":", ";", "!", ",")
        return (full or self._headings_end) and not above.text.endswith(ends)

    @cached_property
    def _full_line(self) -> float:
        """The usual length of a full line, in characters: the median of all but short lines."""
        return median([n for line in self.lines if (n := len(line.text)) > _LEAST] or [_USUAL])

    @cached_property
    def _headings_end(self) -> bool:
        """Whether headings of this book end with a full stop."""
        headings = [x.text for x in self.lines if x.capital and x.isolated and x.letters > 6]
        return sum(text.endswith(".") for text in headings) * 5 > len(headings) * 3

    def _goes_on(self, above: Sequence[Line], line: Line) -> bool:
        last = above[-1]
        cell = line.above == 1 and self.text[line.start - 1 : line.start] == " "
        return goes_on(above, line, self.layout, cell=cell, overleaf=self.page_between(last.end, line.start))

    def page_between(self, start: int, end: int) -> bool:
        """Whether a page begins between two offsets of the working text."""
        i = bisect_right(self.page_starts, start)
        return i < len(self.page_starts) and self.page_starts[i] <= end

    def _chunks(self, start: int, end: int, headings: Sequence[str]) -> list[Paragraph]:
        """The paragraphs of a single-line scan, divided at headings, at blank lines from the editor, and at pages."""
        heads = inline_headings(self.text, start, end, headings)
        borders = {start, end, *(at for span in heads for at in span)}
        borders |= {m.end() for m in _BLANK_LINE.finditer(self.text, start, end)}
        for page in self.page_starts:
            if start < page < end:
                last = max(b for b in borders if b <= page)
                borders |= {gap.end for gap in islice(boundaries(self.text, max(last, page - 2), end), 1)}
        pieces = [(a, b) for a, b in (self.trim(a, b) for a, b in pairwise(sorted(borders))) if a < b]
        return [Paragraph(a, b, collapse(self.text[a:b]), any(x <= a and b <= y for x, y in heads)) for a, b in pieces]


def working_text(
    scan: str,
    edits: Sequence[Edit],
    pages: Sequence[Page],
    layout: Layout,
    passages: Sequence[Passage] = (),
) -> WorkingText:
    """Make the working text of a scan by the edits that change letters, without those that change lines.

    Args:
        scan: the scan.
        edits: all edits of the book.
        pages: its pages.
        layout: its layout.
        passages: the editor's statements on passages that are out of place.
    """
    kept = [
        e._replace(after=e.before) if e.kind in STANDING else e  # tabs and line ends are significant here
        for e in edits
        if (e.kind != "space" or e.source == "editor") and not (e.kind == "join" and "\n" in e.before)
    ]
    layer = TextLayer(scan, (*kept, *_blank_ends(scan, kept)), as_scanned=True)
    return WorkingText(layer, layout, tuple(pages), footnotes(layer, layout, pages, passages))


def _blank_ends(scan: str, edits: Sequence[Edit]) -> Iterator[Edit]:
    """Edits that delete meaningless blanks at line ends, where no other edit touches them."""
    taken = bytearray(len(scan))
    for edit in edits:
        end = max(edit.raw_end, edit.raw_start + 1)
        taken[edit.raw_start : end] = b"\1" * (end - edit.raw_start)
    for match in _BLANK_END.finditer(scan):
        if not any(taken[match.start() : match.end()]):
            yield Edit(*match.span(), match[0], "", "space", "rule")
