"""Divide a scan into pages: at the folios that are read and, where folios are lost, at the likeliest places.

Where folios are lost, page breaks are chosen by the evidence for each, and so that pages have about the same length.
The best division is found by dynamic programming, as a paragraph is broken into lines (Knuth & Plass, "Breaking
Paragraphs into Lines", Software: Practice and Experience 11, 1981).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf, nan

from extract.model import FolioStatus, Page
from extract.numbering.numerals import arabic, roman
from extract.pages.folio import Folio, typical
from extract.weights import weights

Break = tuple[int, float]

OPENING, DIVISION = weights("labels", "page.opening", "page.division")
"""Weights of a break at a heading, where a part of the book may open after a blank page, and at a numbered division."""
_UNEVEN, _BLANK_PAGE = weights("labels", "page.uneven", "page.blank")
_WHOLE_PAGE = 3.2
_LONG_PAGE = 1.6  # longest page before the first or after the last folio, in usual pages
_SHORT_PAGE = 0.15  # shortest such page, in usual pages: a title page may be that short
_FRONT = 0.3  # least distance, in usual pages, from the last page start of the front matter to the text
_ASTRAY = 12  # greatest difference from the expected page number; it limits the search


@dataclass(frozen=True, slots=True)
class Anchor:
    """An offset into the scan whose page number is known."""

    start: int
    page: int


def divide(
    places: Sequence[Break],
    anchors: Sequence[Anchor],
    usual: float,
    openings: Collection[int],
    last: int | None = None,
) -> list[tuple[int, int]]:
    """Return the cheapest division in which every anchor is on its page.

    Args:
        places: where a page may begin (offset, weight of the evidence), including the first and the last place.
        anchors: the known page numbers, in the order of their offsets; the first one is on the first page.
        usual: the usual length of a page, in characters.
        openings: places before which there may be a blank page, so that a number is skipped.
        last: the number of the page that begins at the last place, if known.
    Returns:
        The number and offset of each page from the first place on, without the last place; empty if no division fits.
    """
    import numpy as np

    known_pages = [*anchors, *([Anchor(places[-1][0], last)] if last is not None else [])]
    starts, numbers = [a.start for a in known_pages], [a.page for a in known_pages]
    expected = np.interp([at for at, _ in places], starts, numbers, right=nan).tolist()  # if all pages are equally long
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
            if end - begin > _WHOLE_PAGE * usual or len(known) > 1:
                break
            cost = ((end - begin - usual) / usual) ** 2 * _UNEVEN - weight
            for number in known & best[i].keys() if known else best[i]:
                score = best[i][number][0]
                if abs(number + 1 - expected[j]) > _ASTRAY:
                    continue
                for step, blank in ((1, 0.0), (2, _BLANK_PAGE)) if end in openings else ((1, 0.0),):
                    total = score + cost + blank
                    if total < best[j].get(number + step, (inf, 0, 0))[0]:
                        best[j][number + step] = (total, i, number)
        if last is None and best[j] and end > anchors[-1].start:
            # No later anchor requires a certain number, so only the cheapest can matter.
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


def _start(anchor: Anchor) -> int:
    return anchor.start


def paginate(length: int, folios: Sequence[Folio], starts: Sequence[int], breaks: Sequence[Break]) -> tuple[Page, ...]:
    """Cut a scan into pages.

    Args:
        length: the length of the scan, in characters.
        folios: the decoded folios.
        starts: for each folio, the offset at which its page begins.
        breaks: offsets at which a page without a folio may begin, in order, each with the strength of its evidence
            (0 to 3).
    Returns:
        The pages in order. Those whose folio is lost are spaced evenly between their neighbours, at the best breaks.
    """
    marks: list[tuple[int, str | None, FolioStatus]] = [(0, None, "unnumbered")]
    known = [(s, arabic(f.text), str if f.text.isdecimal() else roman) for s, f in zip(starts, folios, strict=True)]
    usual = typical([(b[0] - a[0]) / max(1, b[1] - a[1]) for a, b in pairwise(known) if a[2] is b[2]])
    for i, (start, number, printed) in enumerate(known):
        if i and known[i - 1][2] is printed:
            between = _interpolate(known[i - 1][:2], (start, number), breaks, usual)
        else:
            free = marks[-1][0] + usual * _FRONT
            between = _beyond(start, number, -1, free, usual, breaks) if usual else []
            first = between[0][1] if between else start
            openings = (at for at, weight in breaks if weight in (OPENING, DIVISION))
            half_title = next((at for at in openings if free < at < first), None)
            if i and half_title is not None:
                marks.append((half_title, None, "unnumbered"))
        marks += [(at, printed(n), "interpolated") for n, at in between]
        marks.append((start, folios[i].text, "printed"))
    if known and usual:
        marks += [(at, known[-1][2](n), "interpolated") for n, at in _beyond(*known[-1][:2], 1, length, usual, breaks)]
    following = [*(m[0] for m in marks[1:]), length]
    marks = [m for m, end in zip(marks, following, strict=True) if m[0] < end] or marks[:1]
    ends = [m[0] for m in marks[1:]] + [length]
    return tuple(
        Page(i, at, end, folio, status) for i, ((at, folio, status), end) in enumerate(zip(marks, ends, strict=True))
    )


def with_inferred(pages: Sequence[Page]) -> tuple[Page, ...]:
    """Mark the pages whose number is only inferred.

    A number that is not printed is certain if between the printed numbers before and after it there are as many pages
    as these leave room for.
    """
    printed = [i for i, page in enumerate(pages) if page.status == "printed"]
    certain = set(printed)
    for a, b in pairwise(printed):
        low, high = pages[a].folio or "", pages[b].folio or ""
        if low.isdecimal() is high.isdecimal() and arabic(high) - arabic(low) == b - a:
            certain.update(range(a, b))
    return tuple(replace(p, inferred=p.folio is not None and i not in certain) for i, p in enumerate(pages))


def _between(breaks: Sequence[Break], low: float, high: float) -> Sequence[Break]:
    """The breaks strictly between two offsets."""
    return breaks[bisect_right(breaks, low, key=_offset) : bisect_left(breaks, high, key=_offset)]


def _offset(place: Break) -> int:
    return place[0]


def _beyond(
    at: int, number: int, way: int, limit: float, usual: float, breaks: Sequence[Break]
) -> list[tuple[int, int]]:
    """Return the pages before the first printed folio of a run, or after the last, as far as breaks are found.

    Args:
        at, number: where the page of that folio begins, and its number.
        way: -1 for pages before it, 1 for pages after it.
        limit: for pages before it, the lowest offset at which one may begin; for pages after it, where the last ends.
        usual: the usual length of a page.
        breaks: where a page may begin.
    """
    found: list[tuple[int, int]] = []
    while (number > 1) if way < 0 else (limit - at > _LONG_PAGE * usual):
        low, high = sorted((at + way * usual * _SHORT_PAGE, at + way * usual * _LONG_PAGE))
        near = _between(breaks, max(low, limit) if way < 0 else low, high)
        if not near:
            break
        ideal = at + way * usual
        at = max(near, key=lambda b: b[1] - 2 * abs(ideal - b[0]) / usual)[0]
        number += way
        found.append((number, at))
    return found[::way]


def _interpolate(
    a: tuple[int, int], b: tuple[int, int], breaks: Sequence[Break], usual: float
) -> list[tuple[int, int]]:
    """Place the pages between two known ones whose folios are lost."""
    if b[1] - a[1] < 2:
        return []
    places = [(a[0], 0.0), *_between(breaks, a[0], b[0]), (b[0], 0.0)]
    openings = {at for at, weight in places[1:] if weight in (OPENING, DIVISION)}
    found = divide(places, [Anchor(*a)], usual, openings, b[1])
    return found[1:]
