"""What a line has beside its text: the edge of the leaf, or its shadow, read as a stroke; the head of a column."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extract.model import Edit
from extract.pages.deletion import deletion
from extract.text.lines import Line

_STROKE = re.compile(r"(?:^[|¦](?= )|(?<=[ \t])[|¦]$|^[|¦]$)")
# Where the edge is mostly read as a stroke, it is now and then a stop or an apostrophe too: none of them begins or
# ends a line of print by itself. On a scan with 62 strokes these are 18, all of them specks.
_SIGN = re.compile(r"^[.,)_‘'](?= +[^\W\d_])|(?<=[^\W_][.,;: ] )['‘’_]$|(?<=[^\W\d_] )['‘’_]$")
_COLUMN_HEAD = re.compile(r"(?:^|(?<=\s))pages?\.?$", re.IGNORECASE)
_NUMBERED = re.compile(r"[\s.,·•](?:\d{1,3}|[ivxl]+)$")
_LOOKED_AT = 3
_NEEDED = 2


def margin_rules(scan: str, lines: Sequence[Line]) -> list[Edit]:
    """Find strokes alone at the beginning or the end of a line; a line with several is the row of a table.

    Args:
        scan: the text of the scan.
        lines: its lines.
    Returns:
        Deletions (kind `furniture`) in order.
    """
    strokes, signs = [], []
    for line in lines:
        text = scan[line.start : line.end]
        if sum(text.count(stroke) for stroke in "|¦") == 1 and (match := _STROKE.search(text)):
            strokes.append(_gone(scan, line, match))
        elif match := _SIGN.search(text):
            signs.append(_gone(scan, line, match))
    return sorted([*strokes, *signs]) if len(strokes) > len(signs) else strokes


def _gone(scan: str, line: Line, match: re.Match[str]) -> Edit:
    return deletion(scan, line.start + match.start(), line.start + match.end(), "edge of the leaf", 0.8)


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
    ends = [(i, m) for i, line in enumerate(lines) if (m := _COLUMN_HEAD.search(scan, line.start, line.end))]
    numbered = [bool(_NUMBERED.search(line.text)) for line in lines]
    over = [m for i, m in ends if sum(numbered[i + 1 : i + 1 + _LOOKED_AT]) >= _NEEDED]
    cells = [m for _, m in ends if over and scan[: m.start()].endswith("\t")]
    return [deletion(scan, *span, "head of a column", 0.9) for span in sorted({m.span() for m in over + cells})]
