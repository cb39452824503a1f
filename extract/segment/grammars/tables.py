"""Grammar of tables: captions, the block with the heads of its columns, and its rows cut into cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise

from rapidfuzz import fuzz

from extract.corpus.plan import TablePart
from extract.segment.grammars.provisions import heading_segment
from extract.segment.inline_headings import inline_headings
from extract.segment.outline import Paragraph, WorkingText
from extract.segment.segment import Segment, in_words
from extract.text.lines import Line, split_lines

_ROW = re.compile(r"\d|[^\s]\t+[^\t]*\w|\w.*\t")
_WIDE = re.compile(r"\t|\s{3,}|\. \. ?")
_LEADERS = re.compile(r"(?:\s+\.)+\s*$")
_SAME_HEAD = 94.0
_ILLEGIBLE = "[illegible]"


@dataclass(slots=True)
class _Grid:
    """A table in the making: the lines of its captions, of the heads of its columns, and of its rows."""

    captions: list[Line] = field(default_factory=list)
    heads: list[Line] = field(default_factory=list)
    rows: list[Line] = field(default_factory=list)


def table(work: WorkingText, part: TablePart, book_id: str, start: int, end: int) -> list[Segment]:
    """Segment a part of tables; cells end at tabs, wide gaps or leaders, rows at line ends.

    Where a scan has lost its lines or its tabs, the editor's readings put them in.

    Args:
        work: the working text.
        part: the part; `kind` is given to its rows (`table_row`, unless it says so), `slug` begins the ids.
        book_id: the book's id.
        start, end: the part, as offsets into the working text.
    Returns:
        The captions as headings; for each table the unit of the whole block, whose cells are the heads of its
        columns, and its rows. A table runs on over footnotes, and over its heads repeated on the next page.
    """
    lines = _lines(work, part, start, end)
    segments: list[Segment] = []
    section: Segment | None = None
    stem = part.slug or part.id
    count = 0
    extents = _Extents(work, start, end)
    for block in _blocks(extents, lines):
        for line in block.captions:
            section = heading_segment(book_id, Paragraph(line.start, line.end, line.text, True))
            segments.append(section)
        if not block.rows:
            continue
        count += 1
        first = (block.heads or block.rows)[0].start
        whole = Segment(
            "table", min(first, block.rows[0].start), block.rows[-1].end, book_id, f"{stem}-table-{count}",
            f"{in_words(stem)} table {count}", str(count), parent=section,
            cells=_column_heads(extents, block),
        )  # fmt: skip
        segments.append(whole)
        if work.layout == "single-line" and len(block.rows) == 1:
            continue  # where the rows end is lost
        for i, line in enumerate(block.rows, 1):
            row = whole.inner(part.kind, line.start, line.end, str(i), f"Row {i}", str(i))
            row.cells = _cells(extents, line)
            segments.append(row)
    return segments


def _lines(work: WorkingText, part: TablePart, start: int, end: int) -> list[Line]:
    """The lines of a part; in a single-line scan those the editor tells, and the headings that stand before them."""
    if work.layout != "single-line":
        return work.lines_within(start, end)
    notes = [n for n in work.footnotes if start <= n.start < end]
    borders = [start, *(at for n in notes for at in (n.start, n.end)), end]
    stretches = list(zip(borders[::2], borders[1::2], strict=True))
    captions = [h for h in inline_headings(work.text, start, stretches[0][1], part.headings) if h[0] == start]
    cuts = [stretches[0][0], *(b for _, b in captions), stretches[0][1]]
    found: list[Line] = []
    for a, b in [*pairwise(cuts), *stretches[1:]]:
        found += [replace(x, start=a + x.start, end=a + x.end) for x in split_lines(work.text[a:b])]
    return found


def _blocks(extents: _Extents, lines: Sequence[Line]) -> list[_Grid]:
    """The tables of a part in order; captions that head no rows make a block without any."""
    letters = ["".join(filter(str.isalpha, x.text.casefold())) for x in lines]
    numeric = _numeric(extents, lines)
    blocks = [_Grid()]
    for i, line in enumerate(lines):
        block = blocks[-1]
        text = extents.work.text[line.start : line.end]
        repeated = any(
            j != i and other and fuzz.ratio(letters[i], other) >= _SAME_HEAD for j, other in enumerate(letters)
        )
        digits = any(map(str.isdecimal, text))
        head = (
            line.capital or (not digits and (repeated or numeric[i])) or (not block.rows and _titles(extents, lines, i))
        )
        if (_ROW.search(text) or extents.tabbed(line)) and not head:
            block.rows.append(line)
        elif repeated or extents.tabbed(line) or "   " in text or _cells(extents, line) == (_ILLEGIBLE,):
            if not block.rows:
                block.heads.append(line)
        else:
            if block.rows or block.heads:
                blocks.append(_Grid())
            blocks[-1].captions.append(line)
    for block in blocks:
        if not block.rows:
            block.captions, block.heads = sorted([*block.captions, *block.heads], key=lambda x: x.start), []
    return blocks


def _titles(extents: _Extents, lines: Sequence[Line], i: int) -> bool:
    """Whether a line is that of the heads of the columns: words in capitals, or words over figures."""
    cells = _cells(extents, lines[i])
    if i + 1 == len(lines):
        return False
    if cells == (_ILLEGIBLE,) or (len(cells) > 1 and len(cells[0]) > 3 and cells[0].isupper()):
        return True
    below = _cells(extents, lines[i + 1])
    worded = [any(map(str.isalpha, c)) for c in cells if c]
    if len(worded) < 2 or not all(worded):
        return False
    figures = all(any(map(str.isdecimal, c)) for c in below) and not any(c.isdecimal() for cell in cells for c in cell)
    return figures or not any(c.isalpha() for cell in below for c in cell)


def _numeric(extents: _Extents, lines: Sequence[Line]) -> list[bool]:
    """For each line whether it stands among lines of figures, from one caption to the next."""
    figures = [any(map(str.isdecimal, x.text)) for x in lines]
    inside = [digits or extents.tabbed(x) for digits, x in zip(figures, lines, strict=True)]
    found: list[bool] = []
    for among, run in groupby(range(len(lines)), key=lambda i: inside[i]):
        members = list(run)
        share = sum(figures[i] for i in members) / len(members)
        found += [among and share > 0.8] * len(members)
    return found


@dataclass(frozen=True, slots=True)
class _Extents:
    """The lines of a part with the blanks at their ends, where empty cells are."""

    work: WorkingText
    start: int
    end: int

    def extent(self, line: Line) -> tuple[int, int]:
        """A line from the line end before it to its own."""
        begins = max(self.work.text.rfind("\n", 0, line.start) + 1, self.start)
        ends = self.work.text.find("\n", line.end)
        return begins, min(ends, self.end) if ends >= 0 else self.end

    def tabbed(self, line: Line) -> bool:
        begins, ends = self.extent(line)
        return "\t" in self.work.text[begins:ends]


def _cells(extents: _Extents, line: Line) -> tuple[str, ...]:
    """The cells of a row; what nobody can read is said to be illegible, not shown."""
    begins, ends = extents.extent(line) if extents.tabbed(line) else (line.start, line.end)
    layer = extents.work.layer
    text = extents.work.text[begins:ends]
    span = extents.work.to_scan(line.start, line.end)
    for edit in reversed(layer.within(span.start, span.end)):
        if edit.kind == "illegible":
            a, b = max(layer.to_reading(edit.raw_start) - begins, 0), layer.to_reading(edit.raw_end) - begins
            text = text[:a] + re.sub(r"[^\t]*\S[^\t]*", _ILLEGIBLE, text[a:b]) + text[b:]
    cells = text.split("\t") if "\t" in text else _WIDE.split(text)
    found = [_LEADERS.sub("", " ".join(c.split())) for c in cells]
    while found and not found[-1]:
        found.pop()
    return tuple(found)


def _column_heads(extents: _Extents, block: _Grid) -> tuple[str, ...]:
    """The heads of the columns: the lines above the rows, read downwards."""
    heads = [_cells(extents, line) for line in block.heads]
    width = max(map(len, heads), default=0)
    return tuple(" ".join(h[i] for h in heads if i < len(h) and h[i]) for i in range(width))
