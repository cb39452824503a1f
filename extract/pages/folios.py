"""Page numbers: folios that rise with the text, read exactly or with the table of misread figures.

The numbers of the text that are read exactly and rise as pages of one length do are folios. Between two of them, a
number that is missing is the mark, near its place, that costs least to read as it. Roman folios stand before the
arabic ones.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from statistics import median_high

from extract.numbering.numerals import arabic, misreading_cost, roman
from extract.pages.marks import Mark

_SHORTEST, _USUAL = 200, 1500  # characters of a page, at least, and if no two folios show its length
_RECENT = 60  # earlier marks to which a folio may be next
_LEAST, _MOST = 0.15, 3.0  # how long the pages between two folios are, in usual pages: some are blank
_WORST = 1.3  # cost of reading a misread folio, at most (`misreading_cost`)
_ASTRAY, _AWAY = 1.5, 0.3  # how far a misread folio may stand from its place, in pages; what each of these costs
_BEYOND = 12  # pages before the first exact folio, and after the last, whose misread folios are looked for


@dataclass(frozen=True, slots=True)
class Folio:
    """A mark that is a page number: the number as printed, and the cost of reading it."""

    mark: Mark
    printed: str
    cost: float = 0.0

    @property
    def number(self) -> int:
        return arabic(self.printed)

    @property
    def confidence(self) -> float:
        """1 for a faithful reading, falling with its cost."""
        return round(1 / (1 + self.cost * self.cost), 3)


def rising(marks: Sequence[Mark]) -> list[Folio]:
    """The page numbers among marks: roman ones, then arabic ones, each rising.

    Args:
        marks: marks in reading order.
    """
    body, length = _exact_series(marks, str)
    first = body[0].mark.start if body else inf
    front, front_length = _exact_series([mark for mark in marks if mark.start < first], roman)
    front = _with_misread(front, [mark for mark in marks if mark.start < first], roman, front_length)
    last = front[-1].mark.start if front else -1
    return [*front, *_with_misread(body, [mark for mark in marks if mark.start > last], str, length)]


def _exact_series(marks: Sequence[Mark], printed: Callable[[int], str]) -> tuple[list[Folio], float]:
    """The longest series of rising numbers that are read exactly, at distances that fit; and the length of a page."""
    exact = [Folio(mark, figures) for mark in marks if (figures := _exact(mark.folio, printed))]
    lengths = [(b.mark.start - a.mark.start) / (b.number - a.number) for a, b in pairwise(exact) if b.number > a.number]
    length = median_high([x for x in lengths if x >= _SHORTEST] or [_USUAL])
    chain = _longest(exact, length)
    return chain if len(chain) > 1 else [], length


def _exact(read: str, printed: Callable[[int], str]) -> str:
    """A folio as printed if its characters are those of a number; otherwise empty."""
    figures = read.replace(" ", "") if printed is str else read.lower()
    number = arabic(figures) if len(figures) < 4 or printed is roman else 0
    return figures if number > 0 and (printed is str) is figures.isdecimal() else ""


def _longest(exact: Sequence[Folio], length: float) -> list[Folio]:
    """The longest series of rising numbers at distances that fit them."""
    if not exact:
        return []
    best: list[tuple[float, int]] = []  # for each folio: the worth of the series up to it, and the one before it
    for i, folio in enumerate(exact):
        ways = [(1.0, -1)]
        for k in range(max(0, i - _RECENT), i):
            pages = folio.number - exact[k].number
            room = (folio.mark.start - exact[k].mark.start) / length
            if pages > 0 and _LEAST * pages <= room <= _MOST * pages:
                ways.append((best[k][0] + 1 - min(0.9, abs(room - pages) / pages), k))
        best.append(max(ways))
    at = max(range(len(exact)), key=lambda i: best[i][0])
    chain: list[Folio] = []
    while at >= 0:
        chain.insert(0, exact[at])
        at = best[at][1]
    return chain


def _with_misread(
    known: Sequence[Folio], marks: Sequence[Mark], printed: Callable[[int], str], length: float
) -> list[Folio]:
    """Add the misread folios: of the marks near the place of a missing number, the one that costs least to read so.

    Before the first folio and after the last, places are those of pages of the usual length.
    """
    if not known:
        return []
    places = [(folio.mark.start, folio.number) for folio in known]
    first, last = places[0], places[-1]
    before = min(_BEYOND, first[1] - 1)
    opening = [(first[0] - before * length, first[1] - before)] if before else []
    anchors = [*opening, *places, (last[0] + _BEYOND * length, last[1] + _BEYOND)]
    ways: list[tuple[float, int, Mark]] = []
    for (start, number), (end, after) in pairwise(anchors):
        step = (end - start) / (after - number)
        between = marks[bisect_left(marks, start, key=_start) : bisect_right(marks, end, key=_start)]
        for missing in range(number, after):
            for mark in between:
                away = abs(mark.start - start - (missing - number) * step) / step
                cost = misreading_cost(printed(missing), mark.folio) if away < _ASTRAY else inf
                if cost <= _WORST:
                    ways.append((cost + _AWAY * away, missing, mark))
    found = [*known]
    for _, number, mark in sorted(ways, key=lambda way: way[:2]):
        i = bisect_left(found, mark.start, key=lambda folio: folio.mark.start)
        above, below = found[max(0, i - 1) : i], found[i : i + 1]
        if all(x.number < number for x in above) and all(
            x.number > number and x.mark.start > mark.start for x in below
        ):
            found.insert(i, Folio(mark, printed(number), misreading_cost(printed(number), mark.folio)))
    return found


def _start(mark: Mark) -> int:
    return mark.start
