"""The margins of a page: what the edge of a leaf, or its shadow, is read as beside the lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extract.model import Edit
from extract.pages.deletion import deletion
from extract.text.lines import Line

_STROKE = re.compile(r"(?:^[|¦](?= )|(?<=[ \t])[|¦]$|^[|¦]$)")


def margin_rules(scan: str, lines: Sequence[Line]) -> list[Edit]:
    """Find strokes alone at the beginning or the end of a line; a line with several is the row of a table.

    Args:
        scan: the text of the scan.
        lines: its lines.
    Returns:
        Deletions (kind `furniture`) in order.
    """
    found: list[Edit] = []
    for line in lines:
        text = scan[line.start : line.end]
        if sum(text.count(stroke) for stroke in "|¦") == 1 and (match := _STROKE.search(text)):
            found.append(deletion(scan, line.start + match.start(), line.start + match.end(), "edge of the leaf", 0.8))
    return found
