"""Divide a stretch of text into pages where no folio tells them.

The breaks lie where something speaks for one and pages are of about the same length. The best division is found by
dynamic programming, as lines are broken into a paragraph (Knuth & Plass, "Breaking Paragraphs into Lines", Software:
Practice and Experience 11, 1981).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf, nan

Break = tuple[int, float]

_WHOLE_PAGE = 3.2
_BLANK_PAGE = 1.2
_UNEVEN = 3.5
_ASTRAY = 12  # pages that one may be from where it would be if all between two that are known were equally long


@dataclass(frozen=True, slots=True)
class Anchor:
    """An offset of the scan that is known to lie on a page."""

    start: int
    page: int


def divide(
    places: Sequence[Break],
    anchors: Sequence[Anchor],
    typical: float,
    openings: Collection[int],
    last: int | None = None,
) -> list[tuple[int, int]]:
    """The cheapest division in which every anchor is on its page.

    Args:
        places: where a page may begin (offset, weight of the evidence), the first and the last included.
        anchors: what is known, in the order of the offsets; the first one is on the first page.
        typical: the usual length of a page, in characters.
        openings: places before which a blank page may stand, so that a number is passed over.
        last: the number of the page that begins at the last place, if known.
    Returns:
        The number and offset of each page from the first place on, the last place left out; empty if there is none.
    """
    ceilings = _ceilings(places, anchors, last)
    expected = _expected(places, anchors, last)
    best: list[dict[int, tuple[float, int, int]]] = [{} for _ in places]
    best[0][anchors[0].page] = (0.0, -1, 0)
    for j in range(1, len(places)):
        end, weight = places[j]
        known: set[int] = set()
        above = bisect_left(anchors, end, key=_start)
        for i in range(j - 1, -1, -1):
            begin = places[i][0]
            below = bisect_left(anchors, begin, hi=above, key=_start)
            known |= {a.page for a in anchors[below:above]}
            above = below
            if end - begin > _WHOLE_PAGE * typical or len(known) > 1:
                break
            cost = ((end - begin - typical) / typical) ** 2 * _UNEVEN - weight
            for number in known & best[i].keys() if known else best[i]:
                score = best[i][number][0]
                for step, blank in ((1, 0.0), (2, _BLANK_PAGE)) if end in openings else ((1, 0.0),):
                    total = score + cost + blank
                    if abs(number + step - expected[j]) > _ASTRAY:
                        continue
                    if number + step <= ceilings[j] and total < best[j].get(number + step, (1e9, 0, 0))[0]:
                        best[j][number + step] = (total, i, number)
        if last is None and best[j] and end > anchors[-1].start:
            # Nothing that follows asks for a number, so only the cheapest can matter.
            cheapest = min(best[j], key=lambda n: best[j][n][0])
            best[j] = {cheapest: best[j][cheapest]}
    if not best[-1] or (last is not None and last not in best[-1]):
        return []
    found: list[tuple[int, int]] = []
    j, number = len(places) - 1, last if last is not None else min(best[-1], key=lambda n: best[-1][n][0])
    while j:
        _, j, number = best[j][number]
        found.append((number, places[j][0]))
    return found[::-1]


def _ceilings(places: Sequence[Break], anchors: Sequence[Anchor], last: int | None) -> list[float]:
    """The greatest number of a page that begins at each place, if every later anchor is to be on its own."""
    ceiling = inf if last is None else last
    ceilings: list[float] = []
    at = len(anchors)
    for begin, _ in reversed(places):
        while at and anchors[at - 1].start >= begin:
            at -= 1
            ceiling = min(ceiling, anchors[at].page)
        ceilings.append(ceiling)
    return ceilings[::-1]


def _expected(places: Sequence[Break], anchors: Sequence[Anchor], last: int | None) -> list[float]:
    """The page at each place if those between two that are known are equally long; behind the last there is none."""
    known = [*anchors, *([Anchor(places[-1][0], last)] if last is not None else [])]
    expected: list[float] = []
    for at, _ in places:
        after = bisect_right(known, at, lo=1, key=_start)
        if after == len(known) and last is None:
            expected.append(nan)
            continue
        a, b = known[min(after, len(known) - 1) - 1], known[min(after, len(known) - 1)]
        share = (at - a.start) / max(1, b.start - a.start)
        expected.append(a.page + share * (b.page - a.page))
    return expected


def _start(anchor: Anchor) -> int:
    return anchor.start
