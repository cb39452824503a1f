"""The head of a column of page numbers (`Page`) in a list of contents: it belongs to the page, not to the entries."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extract.model import Edit
from extract.text.lines import Line

_HEAD = re.compile(r"(?:^|(?<=\s))pages?\.?$", re.IGNORECASE)
_NUMBERED = re.compile(r"[\s.,·•](?:\d{1,3}|[ivxl]+)$")
_LOOKED_AT = 3
_NEEDED = 2


def column_heads(scan: str, lines: Sequence[Line]) -> list[Edit]:
    """Find the words `Page` that stand over a column of numbers.

    The word ends a line, and of the next three lines at least two end with a number. Where a scan has such a column,
    a cell with nothing but the word is its head too.

    Args:
        scan: the text of the scan.
        lines: its lines.
    Returns:
        Deletions (kind `furniture`) in order.
    """
    ends = [(i, m) for i, line in enumerate(lines) if (m := _HEAD.search(scan, line.start, line.end))]
    over = [m for i, m in ends if sum(bool(_NUMBERED.search(x.text)) for x in _below(lines, i)) >= _NEEDED]
    cells = [m for _, m in ends if over and scan[: m.start()].endswith("\t")]
    return [
        Edit(m.start(), m.end(), m[0], "", "furniture", "rule", 0.9, "head of a column")
        for m in sorted({m.start(): m for m in (*over, *cells)}.values(), key=lambda m: m.start())
    ]


def _below(lines: Sequence[Line], at: int) -> Sequence[Line]:
    return lines[at + 1 : at + 1 + _LOOKED_AT]
