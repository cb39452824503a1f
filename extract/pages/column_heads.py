"""The head of a column of page numbers (`Page`) in a list of contents: it belongs to the page, not to the entries."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extract.model import Edit
from extract.pages.deletion import deletion
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
    numbered = [bool(_NUMBERED.search(line.text)) for line in lines]
    over = [m for i, m in ends if sum(numbered[i + 1 : i + 1 + _LOOKED_AT]) >= _NEEDED]
    cells = [m for _, m in ends if over and scan[: m.start()].endswith("\t")]
    return [deletion(scan, *span, "head of a column", 0.9) for span in sorted({m.span() for m in over + cells})]
