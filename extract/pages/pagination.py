"""Divide a scan into pages: at the folios that are known and, where they are lost, at the likeliest places between.

Lost pages are taken to be equally long, and each begins at the break nearest to its place; a heading, or the middle of
a sentence, makes a break likelier. Where this is wrong, the editor states the start of the page (`[[page]]` in
errata.toml).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median_high
from typing import NamedTuple

from extract.errors import BookError
from extract.model import Page
from extract.numbering.numerals import arabic, roman

HEAD, CUT, DIVISION, OPENING = 1.0, 0.85, 0.8, 0.6
"""How much likelier a break is at a running head, amid a sentence, at a numbered division, and at another heading: it
may be so many pages farther from its place."""
_NEAR = 0.7  # how far a lost page may begin from its place, in pages
_LAST = 1.6  # the longest page after the last folio, in usual pages
_FRONT = 0.3  # the shortest first page of a scan, and before a half-title, in usual pages


class Start(NamedTuple):
    """The start of a page: its offset into the scan, and its number as printed."""

    at: int
    folio: str

    @property
    def number(self) -> int:
        return arabic(self.folio)


class Break(NamedTuple):
    """An offset at which a page may begin, and how likely that is by what stands there (`HEAD` ... 0)."""

    at: int
    likely: float


def paginate(
    length: int, known: Sequence[Start], printed: Collection[str], breaks: Sequence[Break]
) -> tuple[Page, ...]:
    """Cut a scan into pages.

    Args:
        length: the length of the scan, in characters.
        known: the pages whose start is known, roman ones first, each with rising numbers.
        printed: the numbers that are in the scan.
        breaks: where a page may begin, in order.
    Returns:
        The pages in order; the first one has no number unless a known one begins with the scan.
    """
    front = [start for start in known if not start.folio.isdecimal()]
    free = front[-1].at + _FRONT * _usual(front) if front else -1
    body = _filled([start for start in known if start.folio.isdecimal()], [b for b in breaks if b.at > free], length)
    begins = body[0].at if body else length
    front = _filled(front, [b for b in breaks if b.at < begins], begins)
    free = front[-1].at + _FRONT * _usual(front) if front else begins
    between = [b.at for b in breaks if b.likely in (DIVISION, OPENING) and free < b.at < begins] if body else []
    half_title = [(at, None) for at in between[:1]]
    starts: list[tuple[int, str | None]] = [*front, *half_title, *body]
    if not starts or starts[0][0] > 0:
        starts.insert(0, (0, None))
    ends = [*(at for at, _ in starts[1:]), length]
    return tuple(
        Page(i, at, end, folio, "unnumbered" if not folio else "printed" if folio in printed else "interpolated")
        for i, ((at, folio), end) in enumerate(zip(starts, ends, strict=True))
    )


def _usual(known: Sequence[Start]) -> float:
    """The usual length of a page, in characters; 0 if there are not two pages."""
    lengths = [(b.at - a.at) / (b.number - a.number) for a, b in pairwise(known)]
    return median_high(lengths) if lengths else 0.0


def _filled(known: Sequence[Start], breaks: Sequence[Break], stop: int) -> list[Start]:
    """Add the pages that are missing before the first known one, between two, and after the last, up to `stop`."""
    usual = _usual(known)
    if not usual:
        return [*known]
    printed = str if known[0].folio.isdecimal() else roman
    found = [*known]
    while (number := found[0].number) > 1:
        place = found[0].at - usual
        if (at := _nearest(breaks, place, usual, _FRONT * usual, found[0].at)) is None:
            break
        found.insert(0, Start(at, printed(number - 1)))
    for a, b in pairwise(known):
        after = a.at
        for number in range(a.number + 1, b.number):
            step = (b.at - after) / (b.number - number + 1)
            if (at := _nearest(breaks, after + step, step, after, b.at)) is not None:
                found.append(Start(at, printed(number)))
                after = at
    last = known[-1]
    while stop - last.at > _LAST * usual:
        if (at := _nearest(breaks, last.at + usual, usual, last.at, stop)) is None:
            break
        found.append(last := Start(at, printed(last.number + 1)))
    return sorted(found)


def _nearest(breaks: Sequence[Break], place: float, step: float, low: float, high: float) -> int | None:
    """The likeliest break near a place, strictly between two offsets."""
    near = (b for b in breaks if low < b.at < high and abs(b.at - place) <= _NEAR * step)
    best = max(near, key=lambda b: b.likely - abs(b.at - place) / step, default=None)
    return best.at if best else None


def with_known(pages: Sequence[Page], known: Iterable[tuple[int, str]]) -> tuple[Page, ...]:
    """Apply the page starts that the editor states, and drop pages without a printed folio that contradict them.

    Args:
        pages: the pages of a scan.
        known: offsets and folios of pages without a printed folio, in the order in which the editor lists them.
    Raises:
        BookError: the stated start of a page contradicts a printed folio.
    """
    stated = {folio: (at, number) for number, (at, folio) in enumerate(known, 1)}
    if not stated:
        return tuple(pages)
    found = [replace(p, raw_start=stated[p.folio][0]) for p in pages if p.folio in stated]
    for page in (p for p in pages if p.folio not in stated):
        clash = next(((f, *place) for f, place in stated.items() if _contradicts(page, f, place[0])), None)
        if clash is None:
            found.append(page)
        elif page.status == "printed":
            raise BookError(
                f"[[page]] {clash[2]} at {clash[1]}, key 'folio': page {page.folio}, whose number is in the scan, "
                f"begins at {page.raw_start}; correct `at` or `folio`."
            )
    new = stated.keys() - {p.folio for p in pages}
    found += [Page(0, stated[folio][0], 0, folio, "interpolated") for folio in new]
    found.sort(key=lambda p: p.raw_start)
    starts = [0, *(p.raw_start for p in found[1:]), pages[-1].raw_end if pages else 0]
    return tuple(
        replace(p, seq=i, raw_start=a, raw_end=b)
        for i, (p, (a, b)) in enumerate(zip(found, pairwise(starts), strict=True))
    )


def _contradicts(page: Page, folio: str, at: int) -> bool:
    """Whether a page cannot begin where it does if another page, with the given folio, begins at `at`."""
    if page.folio is None or page.raw_start == at:
        return page.raw_start == at and at > 0
    before = (page.folio.isdecimal(), arabic(page.folio)) < (folio.isdecimal(), arabic(folio))
    return before != (page.raw_start < at)


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
