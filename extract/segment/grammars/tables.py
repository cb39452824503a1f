"""Grammar of tables: captions, the block with the heads of its columns, and its rows cut into cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from extract.corpus.plan import TablePart
from extract.segment.outline import WorkingText
from extract.segment.segment import Segment, heading_segment, in_words
from extract.text.headings import inline_headings
from extract.text.lines import Line

_FIGURE = re.compile(r"\d")
_WIDE = re.compile(r"\t|\s{3,}|\. \. ?")
_LEADERS = re.compile(r"(?:\s+\.)+\s*$")
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
        part: the part; `kind` is given to its rows (`table_row`, unless it says so), `slug` begins the ids, and the
            lines of the heads of its columns begin with `heads`.
        book_id: the book's id.
        start, end: the part, as offsets into the working text.
    Returns:
        The captions as headings; for each table the unit of the whole block, whose cells are the heads of its
        columns, and its rows. A table runs on over footnotes, and over its heads repeated on the next page.
    """
    lines = _lines(work, part, start, end)
    segments: list[Segment] = []
    stem = part.slug or part.id
    count = 0
    extents = _Extents(work, start, end)
    for block in _blocks(extents, part, lines):
        for line in block.captions:
            segments.append(heading_segment(book_id, line))
        if not block.rows:
            continue
        count += 1
        first = (block.heads or block.rows)[0].start
        whole = Segment(
            "table", min(first, block.rows[0].start), block.rows[-1].end, book_id, f"{stem}-table-{count}",
            f"{in_words(stem)} table {count}", str(count),
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
    """The lines of a part; in a single-line scan those the editor tells, and the captions that stand before them."""
    if work.layout != "single-line":
        return work.lines_within(start, end)
    captions = [b for a, b in inline_headings(work.text, start, end, part.headings) if a == start]
    notes = [at for n in work.footnotes if start <= n.start < end for at in (n.start, n.end)]
    stretches = pairwise(sorted({start, *captions, *notes, end}))
    return [x for a, b in stretches if not work.in_footnote(a) for x in work.lines_within(a, b)]


def _blocks(extents: _Extents, part: TablePart, lines: Sequence[Line]) -> list[_Grid]:
    """The tables of a part in order; captions that head no rows make a block without any."""
    blocks = [_Grid()]
    heads = tuple(words.casefold() for words in part.heads)
    for line in lines:
        block = blocks[-1]
        if line.text.casefold().startswith(heads) and line is not lines[-1]:
            if not block.rows:  # else they are repeated on the next page
                block.heads.append(line)
        elif not line.capital and (_FIGURE.search(line.text) or extents.tabbed(line)):
            block.rows.append(line)
        else:
            if block.rows or block.heads:
                blocks.append(_Grid())
            blocks[-1].captions.append(line)
    for block in blocks:
        if not block.rows:
            block.captions, block.heads = sorted([*block.captions, *block.heads], key=lambda x: x.start), []
    return blocks


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
