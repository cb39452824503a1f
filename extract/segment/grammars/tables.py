"""Grammar of tables: captions, the block with its column heads, and its rows divided into cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from extract.corpus.plan import TablePart
from extract.segment.outline import WorkingText
from extract.segment.segment import Segment, heading_segment, in_words
from extract.text.lines import Line, collapse

_FIGURE = re.compile(r"\d")
_WIDE = re.compile(r"\t|\s{3,}|\. \. ?")
_LEADERS = re.compile(r"(?:\s+\.)+\s*$")
_ILLEGIBLE = "[illegible]"


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of a table, and its text with the white space at its ends, where empty cells are."""

    line: Line
    start: int
    text: str


@dataclass(slots=True)
class _Block:
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
        segments += (heading_segment(book_id, row.line) for row in block.captions)
        if not block.rows:
            continue
        count += 1
        first, last = (block.heads or block.rows)[0], block.rows[-1]
        columns = zip_longest(*(_cells(work, row) for row in block.heads), fillvalue="")
        whole = Segment(
            "table", first.line.start, last.line.end, book_id, f"{stem}-table-{count}",
            f"{in_words(stem)} table {count}", str(count),
            cells=tuple(" ".join(filter(None, column)) for column in columns),
        )  # fmt: skip
        segments.append(whole)
        for i, row in enumerate(block.rows, 1):
            unit = whole.inner(part.kind, row.line.start, row.line.end, str(i), f"Row {i}", str(i))
            unit.cells = _cells(work, row)
            segments.append(unit)
    return segments


def _blocks(work: WorkingText, part: TablePart, start: int, end: int) -> list[_Block]:
    """The tables of a part in order; captions without rows under them are a block without rows."""
    blocks = [_Block()]
    heads = tuple(words.casefold() for words in part.heads)
    for row in _rows(work, start, end):
        block = blocks[-1]
        if row.line.text.casefold().startswith(heads):
            if not block.rows:  # otherwise they are repeated on the next page
                block.heads.append(row)
        elif _FIGURE.search(row.text) or "\t" in row.text:
            block.rows.append(row)
        else:
            if block.rows:
                blocks.append(_Block())
            blocks[-1].captions.append(row)
    return blocks


def _rows(work: WorkingText, start: int, end: int) -> Iterator[_Row]:
    for line in work.lines_within(start, end):
        before, after = work.text[start : line.start], work.text[line.end : end]
        first = line.start - len(before.rpartition("\n")[2])
        yield _Row(line, first, work.text[first : line.end] + after.partition("\n")[0])


def _cells(work: WorkingText, row: _Row) -> tuple[str, ...]:
    """The cells of a row, with text that nobody can read replaced by `[illegible]`."""
    text = row.text
    span = work.to_scan(row.line.start, row.line.end)
    for edit in reversed(work.layer.within(span.start, span.end)):
        if edit.kind == "illegible":
            a, b = (work.layer.to_reading(at) - row.start for at in (edit.raw_start, edit.raw_end))
            text = text[: max(a, 0)] + re.sub(r"[^\t]*\S[^\t]*", _ILLEGIBLE, text[max(a, 0) : b]) + text[b:]
    cells = text.split("\t") if "\t" in text else _WIDE.split(text.strip())
    found = [_LEADERS.sub("", collapse(c)) for c in cells]
    while found and not found[-1]:
        found.pop()
    return tuple(found)
