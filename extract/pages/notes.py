"""Notes at the foot of a page, told by their smaller type: more letters stand in their lines than in those of the text.

So a note is found whatever its mark is read as (`t`, `«*`), and where it goes on overleaf without one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from statistics import median

from extract.model import Span
from extract.text.lines import Line

# A full line of a note has this share of the letters of one of the text, or more; a last line less than this.
LONG, SHORT = 1.12, 0.93
_FULL = 20
_MARKED = re.compile(r"^(?:[^\w\s(]{1,2} ?|[a-z] )[\"“‘']?[A-Z]")
_ENDS = re.compile(r"[.!?;:]\W*$")
_UNFINISHED = re.compile(r"[\w,-]$")


def measure(lines: Iterable[Line]) -> float:
    """The usual length of a full line, in characters."""
    return median([n for line in lines if (n := len(line.text)) > _FULL] or [60])


def notes_at_feet(lines: Sequence[Line], tops: Sequence[int], gone: Iterable[int]) -> list[Span]:
    """Find the notes of several lines at the feet of pages.

    Args:
        lines: the lines of the scan.
        tops: the indices of the lines that begin a page, in order.
        gone: the lines that are known to be furniture.
    Returns:
        Their spans in the scan, a page's together.
    """
    known = frozenset(gone)
    usual = measure(lines)
    found: list[Span] = []
    goes_on = False
    for top, end in zip(tops, [*tops[1:], len(lines)], strict=False):
        foot = _small([lines[i] for i in range(top, end) if i not in known], usual)
        begins = [n for n, line in enumerate(foot) if _MARKED.match(line.text)]
        starts = [0, *begins] if goes_on else begins
        at = next((n for n in starts if _is_note(foot[n:], usual)), None)
        if goes_on and at != 0:
            found.pop()  # what does not end, and goes on nowhere, is a table
        goes_on = at is not None and _UNFINISHED.search(foot[-1].text) is not None
        if at is not None:
            found.append(Span(foot[at].start, foot[-1].end))
    return found[:-1] if goes_on else found


def _small(page: Sequence[Line], usual: float) -> Sequence[Line]:
    """The last lines of a page after the last one that is as long as a line of the text; a note may end so long."""
    ends = len(page) > 1 and len(page[-2].text) >= LONG * usual and _ENDS.search(page[-1].text) is not None
    for n in range(len(page) - ends, 0, -1):
        if SHORT * usual <= len(page[n - 1].text) < LONG * usual:
            return page[n:]
    return page


def _is_note(lines: Sequence[Line], usual: float) -> bool:
    """Whether lines are the prose of a note: full lines, of which only the last of a paragraph is short."""
    full = [len(line.text) >= LONG * usual for line in lines]
    return (
        bool(full) and full[0] and all(long or _ENDS.search(line.text) for long, line in zip(full, lines, strict=True))
    )
