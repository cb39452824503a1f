"""Divide a stretch of text into pages where no folio tells them.

The breaks lie where something speaks for one and pages are of about the same length. The best division is found by
dynamic programming, as lines are broken into a paragraph (Knuth & Plass, "Breaking Paragraphs into Lines", Software:
Practice and Experience 11, 1981).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

Break = tuple[int, float]

_WHOLE_PAGE = 3.2
_BLANK_PAGE = 1.2
_UNEVEN = 3.5


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
        anchors: what is known; the first one is on the first page.
        typical: the usual length of a page, in characters.
        openings: places before which a blank page may stand, so that a number is passed over.
        last: the number of the page that begins at the last place, if known.
    Returns:
        The number and offset of each page from the first place on, the last place left out; empty if there is none.
    """
    best: list[dict[int, tuple[float, int, int]]] = [{} for _ in places]
    best[0][anchors[0].page] = (0.0, -1, 0)
    for j in range(1, len(places)):
        end, weight = places[j]
        for i in range(j - 1, -1, -1):
            begin = places[i][0]
            if end - begin > _WHOLE_PAGE * typical:
                break
            cost = ((end - begin - typical) / typical) ** 2 * _UNEVEN - weight
            known = {a.page for a in anchors if begin <= a.start < end}
            if len(known) > 1:
                continue
            for number in known & best[i].keys() if known else best[i]:
                score = best[i][number][0]
                for step, blank in ((1, 0.0), (2, _BLANK_PAGE)) if end in openings else ((1, 0.0),):
                    total = score + cost + blank
                    if total < best[j].get(number + step, (1e9, 0, 0))[0]:
                        best[j][number + step] = (total, i, number)
    if not best[-1] or (last is not None and last not in best[-1]):
        return []
    found: list[tuple[int, int]] = []
    j, number = len(places) - 1, last if last is not None else min(best[-1], key=lambda n: best[-1][n][0])
    while j:
        _, j, number = best[j][number]
        found.append((number, places[j][0]))
    return found[::-1]
