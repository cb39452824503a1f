"""Delete what stands beside the text of a line: page edges and shadows read as strokes, and heads of columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extract.model import Edit
from extract.pages.deletion import deletion
from extract.text.lines import Line

_STROKE = re.compile(r"(?:^[|¦](?= )|(?<=[ \t])[|¦]$|^[|¦]$)")
# Where OCR mostly reads the edge as a stroke, it sometimes reads it as a full stop or an apostrophe: no printed line
# begins or ends with one standing alone. On a scan with 62 strokes there are 18 of these, all of them specks.
_SIGN = re.compile(r"^[.,)_‘'](?= +[^\W\d_])|(?<=[^\W_][.,;: ] )['‘’_]$|(?<=[^\W\d_] )['‘’_]$")
_COLUMN_HEAD = re.compile(r"(?:^|(?<=\s))pages?\.?$", re.IGNORECASE)
_NUMBERED = re.compile(r"[\s.,·•](?:\d{1,3}|[ivxl]+)$")
_LOOKED_AT = 3
_NEEDED = 2


def margin_rules(scan: str, lines: Sequence[Line]) -> list[Edit]:
    """Find single strokes at the beginning or the end of a line; a line with several strokes is a table row.

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
    """Find the word `Page` where it heads a column of numbers.

    The word ends a line, and at least two of the next three lines end with a number. If a scan has a column like this,
    every table cell at the end of a line that holds only this word is a head too.

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
