"""The margins of a page: what the edge of a leaf, or its shadow, is read as beside the lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extract.model import Edit
from extract.pages.deletion import deletion
from extract.text.lines import Line

_STROKE = re.compile(r"(?:^[|¦](?= )|(?<=[ \t])[|¦]$|^[|¦]$)")
# Where the edge is often read, it is so now and then as a stop or an apostrophe too: none of them begins or ends a line
# of print by itself. On a scan with 62 strokes these are 18, all of them specks.
_SIGN = re.compile(r"^[.,)_‘'](?= +[^\W\d_])|(?<=[^\W_][.,;: ] )['‘’_]$|(?<=[^\W\d_] )['‘’_]$")
_OFTEN = 10


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
    return sorted([*strokes, *signs]) if len(strokes) >= _OFTEN else strokes


def _gone(scan: str, line: Line, match: re.Match[str]) -> Edit:
    return deletion(scan, line.start + match.start(), line.start + match.end(), "edge of the leaf", 0.8)
