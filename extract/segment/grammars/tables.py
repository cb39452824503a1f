"""Grammar of tables: captions, the block with its column heads, and its rows divided into cells."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest

from extract.corpus.plan import TablePart
from extract.segment.outline import WorkingText
from extract.segment.segment import Segment, heading_segment, in_words
from extract.text.headings import inline_headings
from extract.text.lines import Line, collapse

_FIGURE = re.compile(r"\d")
_WIDE = re.compile(r"\t|\s{3,}|\. \. ?")
_LEADERS = re.compile(r"(?:\s+\.)+\s*$")
_ILLEGIBLE = "[illegible]"


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of a table, and its extent including the white space at its ends, where empty cells are."""

    line: Line
    start: int
    end: int


@dataclass(slots=True)
class _Grid:
    """A table in the making: the lines of its captions, of its column heads, and of its rows."""

    captions: list[_Row] = field(default_factory=list)
    heads: list[_Row] = field(default_factory=list)
    rows: list[_Row] = field(default_factory=list)


def table(work: WorkingText, part: TablePart, book_id: str, start: int, end: int) -> list[Segment]:
    """Segment a part of tables; cells end at tabs, wide gaps or leaders, rows at line ends.

    If a scan has lost its lines or tabs, the editor's readings restore them.

    Args:
        work: the working text.
        part: the part; `kind` is the kind of its rows (by default `table_row`), the ids begin with `slug`, and the
            lines of column heads begin with one of `heads`.
        book_id: the book's id.
        start, end: the part, as offsets into the working text.
    Returns:
        The captions as headings; for each table the unit of the whole block, whose cells are the column heads, and its
        rows. A table runs on over footnotes, and over its column heads repeated on the next page.
    """
    segments: list[Segment] = []
    stem = part.slug or part.id
    count = 0
    for block in _blocks(work, part, start, end):
        segments += (heading_segment(book_id, line.line) for line in block.captions)
        if not block.rows:
            continue
        count += 1
        first, last = (block.heads or block.rows)[0], block.rows[-1]
        whole = Segment(
            "table", first.line.start, last.line.end, book_id, f"{stem}-table-{count}",
            f"{in_words(stem)} table {count}", str(count), cells=_column_heads(work, block),
        )  # fmt: skip
        segments.append(whole)
        if work.layout == "single-line" and len(block.rows) == 1:
            continue  # the ends of the rows are lost
        for i, row in enumerate(block.rows, 1):
            unit = whole.inner(part.kind, row.line.start, row.line.end, str(i), f"Row {i}", str(i))
            unit.cells = _cells(work, row)
            segments.append(unit)
    return segments


def _rows(work: WorkingText, part: TablePart, start: int, end: int) -> list[_Row]:
    """The lines of a part; in a single-line scan, the lines that the editor gives, and a caption at the start."""
    captions = inline_headings(work.text, start, end, part.headings) if work.layout == "single-line" else ()
    borders = sorted({start, *(b for a, b in captions if a == start), end})
    return [
        _Row(
            line,
            line.start - len(work.text[start : line.start].rpartition("\n")[2]),
            line.end + len(work.text[line.end : end].partition("\n")[0]),
        )
        for a, b in pairwise(borders)
        for line in work.lines_within(a, b)
    ]


def _blocks(work: WorkingText, part: TablePart, start: int, end: int) -> list[_Grid]:
    """The tables of a part in order; captions without rows under them are a block without rows."""
    blocks = [_Grid()]
    heads = tuple(words.casefold() for words in part.heads)
    rows = _rows(work, part, start, end)
    for row in rows:
        block = blocks[-1]
        if row.line.text.casefold().startswith(heads) and row is not rows[-1]:
            if not block.rows:  # otherwise they are repeated on the next page
                block.heads.append(row)
        elif _FIGURE.search(row.line.text) or "\t" in work.text[row.start : row.end]:
            block.rows.append(row)
        else:
            if block.rows:
                blocks.append(_Grid())
            blocks[-1].captions.append(row)
    for block in blocks:
        if not block.rows:
            block.captions += block.heads
    return blocks


def _cells(work: WorkingText, row: _Row) -> tuple[str, ...]:
    """The cells of a row, with text that nobody can read replaced by `[illegible]`."""
    text = work.text[row.start : row.end]
    span = work.to_scan(row.line.start, row.line.end)
    for edit in reversed(work.layer.within(span.start, span.end)):
        if edit.kind == "illegible":
            a, b = max(work.layer.to_reading(edit.raw_start), row.start), work.layer.to_reading(edit.raw_end)
            a, b = a - row.start, b - row.start
            text = text[:a] + re.sub(r"[^\t]*\S[^\t]*", _ILLEGIBLE, text[a:b]) + text[b:]
    cells = text.split("\t") if "\t" in text else _WIDE.split(text.strip())
    found = [_LEADERS.sub("", collapse(c)) for c in cells]
    while found and not found[-1]:
        found.pop()
    return tuple(found)


def _column_heads(work: WorkingText, block: _Grid) -> tuple[str, ...]:
    """The heads of the columns: the cells of the lines above the rows, joined downwards."""
    columns = zip_longest(*(_cells(work, row) for row in block.heads), fillvalue="")
    return tuple(" ".join(filter(None, column)) for column in columns)
