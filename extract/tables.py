"""Grammar of tables: captions, the block with the heads of its columns, and its rows cut into cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from rapidfuzz import fuzz

from extract.book import Part
from extract.draft import Draft
from extract.lines import Line
from extract.outline import Paragraph, WorkingText
from extract.provisions import heading_draft

_ROW = re.compile(r"\d|[^\s]\t+[^\t]*\w|\w.*\t")
_WIDE = re.compile(r"\t|\s{3,}|\. \. ?")
_LEADERS = re.compile(r"(?:\s+\.)+\s*$")
_SAME_HEAD = 94.0
_ILLEGIBLE = "[illegible]"


@dataclass(slots=True)
class _Block:
    """A table in the making: the lines of its captions, of the heads of its columns, and of its rows."""

    captions: list[Line] = field(default_factory=list)
    heads: list[Line] = field(default_factory=list)
    rows: list[Line] = field(default_factory=list)


def table(work: WorkingText, part: Part, book_id: str, start: int, end: int) -> list[Draft]:
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
    lines = [x for x in work.lines if start <= x.start and x.end <= end and not work.in_footnote(x.start)]
    drafts: list[Draft] = []
    section: Draft | None = None
    stem = part.slug or part.id
    count = 0
    for block in _blocks(work, lines):
        for line in block.captions:
            section = heading_draft(book_id, Paragraph(line.start, line.end, line.text, True))
            drafts.append(section)
        if not block.rows:
            continue
        count += 1
        heading = section.label if section else None
        first = (block.heads or block.rows)[0].start
        whole = Draft(
            "table", min(first, block.rows[0].start), block.rows[-1].end, book_id, f"{stem}-table-{count}",
            f"{stem.replace('-', ' ').capitalize()} table {count}", str(count), None, section, heading,
            cells=_column_heads(work, block),
        )  # fmt: skip
        drafts.append(whole)
        drafts += [
            Draft(part.kind or "table_row", line.start, line.end, book_id, f"{whole.name}/{i}", f"Row {i}", str(i),
                  None, whole, heading, cells=_cells(work, line))
            for i, line in enumerate(block.rows, 1)
        ]  # fmt: skip
    return drafts


def _blocks(work: WorkingText, lines: Sequence[Line]) -> list[_Block]:
    """The tables of a part in order; captions that head no rows make a block without any."""
    letters = ["".join(filter(str.isalpha, x.text.casefold())) for x in lines]
    numeric = _numeric(work, lines)
    blocks = [_Block()]
    for i, line in enumerate(lines):
        block = blocks[-1]
        text = work.text[line.start : line.end]
        digits = any(map(str.isdigit, text))
        repeated = any(
            j != i and other and fuzz.ratio(letters[i], other) >= _SAME_HEAD for j, other in enumerate(letters)
        )
        row = bool(_ROW.search(text)) or _tabbed(work, line)
        if row and not line.capital and (digits or not (repeated or numeric[i])):
            block.rows.append(line)
        elif repeated or _tabbed(work, line) or "   " in text:
            if not block.rows:
                block.heads.append(line)
        else:
            if block.rows or block.heads:
                blocks.append(_Block())
            blocks[-1].captions.append(line)
    for block in blocks:
        if not block.rows:
            block.captions, block.heads = sorted([*block.captions, *block.heads], key=lambda x: x.start), []
    return blocks


def _numeric(work: WorkingText, lines: Sequence[Line]) -> list[bool]:
    """For each line whether it stands among lines of figures, from one caption to the next."""
    tokens = [any(map(str.isdigit, x.text)) for x in lines]
    inside = [figures or _tabbed(work, x) for figures, x in zip(tokens, lines, strict=True)]
    found: list[bool] = []
    for among, run in groupby(range(len(lines)), key=lambda i: inside[i]):
        members = list(run)
        share = sum(tokens[i] for i in members) / len(members)
        found += [among and share > 0.8] * len(members)
    return found


def _extent(work: WorkingText, line: Line) -> tuple[int, int]:
    """The line with the blanks at its ends, where empty cells are."""
    begins = work.text.rfind("\n", 0, line.start) + 1
    ends = work.text.find("\n", line.end)
    return begins, ends if ends >= 0 else len(work.text)


def _tabbed(work: WorkingText, line: Line) -> bool:
    begins, ends = _extent(work, line)
    return "\t" in work.text[begins:ends]


def _cells(work: WorkingText, line: Line) -> tuple[str, ...]:
    """The cells of a row; what nobody can read is said to be illegible, not shown."""
    begins, ends = _extent(work, line)
    if "\t" not in work.text[begins:ends]:
        begins, ends = line.start, line.end
    text = work.text[begins:ends]
    span = work.to_scan(line.start, line.end)
    for edit in reversed(work.layer.within(span.start, span.end)):
        if edit.kind == "illegible":
            a = max(work.layer.to_reading(edit.raw_start) - begins, 0)
            b = work.layer.to_reading(edit.raw_end) - begins
            text = text[:a] + re.sub(r"[^\t]*\S[^\t]*", _ILLEGIBLE, text[a:b]) + text[b:]
    cells = text.split("\t") if "\t" in text else _WIDE.split(text)
    found = [_LEADERS.sub("", " ".join(c.split())) for c in cells]
    while found and not found[-1]:
        found.pop()
    return tuple(found)


def _column_heads(work: WorkingText, block: _Block) -> tuple[str, ...]:
    """The heads of the columns: the lines above the rows, read downwards."""
    heads = [_cells(work, line) for line in block.heads]
    width = max(map(len, heads), default=0)
    return tuple(" ".join(h[i] for h in heads if i < len(h) and h[i]) for i in range(width))
