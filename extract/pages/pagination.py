"""Divide a scan into pages: at the folios that are read and, where folios are lost, at the likeliest places.

A lost page begins at the break with the best evidence near the place where it would begin if pages were equally long.
Where this is wrong, the editor states the start of the page (`[[page]]` in errata.toml).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median_high

from extract.model import FolioStatus, Page
from extract.numbering.numerals import arabic, roman
from extract.pages.folio import Folio

Break = tuple[int, float]
"""An offset at which a page may begin, and how strong the evidence is: 0 for none."""

OPENING, DIVISION = 1.6, 1.9
"""The evidence of a heading, and of a numbered division, that a page begins there."""
_AWAY = 1.5  # the evidence that a page needs to begin a usual page away from where it should
_NEAR = 0.7  # how far it may begin from there, in usual pages
_BLANK = 0.6  # where pages would be shorter than this, in usual pages, some are blank
_FRONT = 0.3  # the shortest page before the first folio, and before a half-title, in usual pages
_LAST = 1.6  # the longest page after the last folio, in usual pages


@dataclass(frozen=True, slots=True)
class Anchor:
    """An offset into the scan at which the page with a number begins."""

    start: int
    page: int


def usual_length(anchors: Sequence[Anchor]) -> float:
    """The usual length of a page in characters, by the pages that are known; 0 if none is."""
    lengths = [(b.start - a.start) / (b.page - a.page) for a, b in pairwise(anchors) if b.page > a.page]
    return median_high(lengths) if lengths else 0.0


def fill(anchors: Sequence[Anchor], breaks: Sequence[Break], stop: int) -> list[Anchor]:
    """Add the pages that are missing between known ones, before the first and after the last.

    Args:
        anchors: the known pages in order, with rising numbers.
        breaks: where a page may begin, in order.
        stop: the offset at which the last page ends.
    Returns:
        The pages in order; without those for which no break is near the place where they should begin.
    """
    usual = usual_length(anchors)
    if not usual:
        return [*anchors]
    front: list[Anchor] = []
    first, least = anchors[0], usual * _FRONT
    while first.page > 1 and (at := _best(breaks, first.start - usual, usual, least, first.start)) is not None:
        first = Anchor(at, first.page - 1)
        front.insert(0, first)
    found = front
    for a, b in pairwise(anchors):
        found += [a, *_between(a, b, breaks, usual)]
    last = anchors[-1]
    found.append(last)
    while stop - last.start > usual * _LAST:
        if (at := _best(breaks, last.start + usual, usual, last.start, stop)) is None:
            break
        last = Anchor(at, last.page + 1)
        found.append(last)
    return found


def _between(a: Anchor, b: Anchor, breaks: Sequence[Break], usual: float) -> Iterator[Anchor]:
    """The pages between two known ones; if there is no room for all, the one before an opening is blank."""
    room, number = b.start - a.start, a.page
    pages = b.page - a.page
    opens = any(a.start < at < b.start and weight in (OPENING, DIVISION) for at, weight in breaks)
    if opens and pages > 2 and room < pages * usual * _BLANK:
        pages = max(2, round(room / usual))
    blank = b.page - a.page - pages
    at = a.start
    for page in range(1, pages):
        step = (b.start - at) / (pages - page + 1)
        place = _best(breaks, at + step, step, at, b.start)
        if place is None:
            return
        at = place
        if blank and dict(breaks)[at] in (OPENING, DIVISION):
            number, blank = number + blank, 0
        number += 1
        yield Anchor(at, number)


def _best(breaks: Sequence[Break], place: float, usual: float, low: float, high: float) -> int | None:
    """The break with the best evidence near a place, strictly between two offsets."""
    near = ((weight - _AWAY * abs(at - place) / usual, at) for at, weight in breaks if low < at < high)
    found = max((x for x in near if abs(x[1] - place) <= _NEAR * usual), default=None)
    return found[1] if found else None


def paginate(length: int, folios: Sequence[Folio], starts: Sequence[int], breaks: Sequence[Break]) -> tuple[Page, ...]:
    """Cut a scan into pages.

    Args:
        length: the length of the scan, in characters.
        folios: the decoded folios, roman ones first.
        starts: for each folio, the offset at which its page begins.
        breaks: offsets at which a page without a folio may begin, in order.
    Returns:
        The pages in order; the first one has no number unless a folio stands at the beginning.
    """
    known = [(Anchor(at, arabic(f.text)), f) for at, f in zip(starts, folios, strict=True)]
    front = [anchor for anchor, folio in known if not folio.text.isdecimal()]
    body = [anchor for anchor, folio in known if folio.text.isdecimal()]
    usual = usual_length(body) or usual_length(front)
    text = fill(body, [b for b in breaks if not front or b[0] > front[-1].start], length) if body else []
    begins = text[0].start if text else length
    pages = [*_numbered(fill(front, breaks, begins) if front else [], roman), *_numbered(text, str)]
    if front and body:
        free = front[-1].start + usual * _FRONT
        opening = next((at for at, weight in breaks if weight in (OPENING, DIVISION) and free < at < begins), None)
        pages += [(opening, None)] if opening is not None else []
    printed = {folio.text for folio in folios}
    return cut(length, [
        (at, folio, "unnumbered" if folio is None else "printed" if folio in printed else "interpolated")
        for at, folio in sorted(pages, key=lambda page: page[0])
    ])  # fmt: skip


def _numbered(anchors: Sequence[Anchor], printed: Callable[[int], str]) -> list[tuple[int, str | None]]:
    return [(anchor.start, printed(anchor.page)) for anchor in anchors]


def cut(length: int, marks: Sequence[tuple[int, str | None, FolioStatus]]) -> tuple[Page, ...]:
    """The pages of a scan of a length, given where each begins, its number and status."""
    first: list[tuple[int, str | None, FolioStatus]] = [] if marks and marks[0][0] == 0 else [(0, None, "unnumbered")]
    every = [*first, *marks]
    ends = [*(at for at, _, _ in every[1:]), length]
    placed = [(mark, end) for mark, end in zip(every, ends, strict=True) if mark[0] < end or mark is every[0]]
    return tuple(Page(i, at, end, folio, status) for i, ((at, folio, status), end) in enumerate(placed))


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
