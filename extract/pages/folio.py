"""Printed page numbers: garbled folios decoded as one increasing sequence, lost ones interpolated."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from extract.errors import BookError
from extract.model import Page, Span
from extract.numbering.chain import Costs, best_chain
from extract.numbering.numerals import arabic, reading_cost, readings, roman
from extract.numbering.sequence import Candidate, Label
from extract.weights import weights

if TYPE_CHECKING:
    from extract.numbering.chain import Floats, Ints

GLYPHS = r"0-9IVXLCivxlcTJjoOSUHnhgq?Q§!\]\[\"'*^fsztyU"
FOLIO = re.compile(rf"^(?:[{GLYPHS}] ?){{1,6}}\.?$")
_WORTH, _WORST, _WORST_IN_PLACE = weights("labels", "folio.worth", "folio.worst", "folio.worst_in_place")
_SKIPPED, _ASTRAY = weights("labels", "folio.skipped", "folio.astray")
# A folio is compared with earlier ones whose number is lower by up to _RISE, and with _RECENT readings of each number.
_RISE, _RECENT = 24, 8
LEAST_PAGE = 200
"""Fewest characters of a page: consecutive numbers that stand closer together are not page numbers."""
_USUAL = 1500.0  # characters of a page if no two folios show its length


@dataclass(frozen=True, slots=True)
class Folio:
    """A page number found in the scan: its span, the number as printed, and how certain it is."""

    span: Span
    text: str
    confidence: float


def decode_folios(candidates: Sequence[Candidate]) -> tuple[Folio, ...]:
    """Decode page numbers: roman in the front matter, arabic after it.

    Args:
        candidates: spans that may be a folio, in reading order.
    Returns:
        The folios, roman first, numbers increasing within each run.
    """
    body = _chain(candidates, _largest(candidates) + len(candidates), str)
    body = _by_place(body, candidates)
    first = body[0].candidate.start if body else None
    front = _chain([c for c in candidates if first is None or c.start < first], 60, roman)
    return tuple(
        Folio(Span(label.candidate.start, label.candidate.end), printed(label.number), label.confidence)
        for labels, printed in ((front, roman), (body, str))
        for label in labels
    )


def _chain(candidates: Sequence[Candidate], highest: int, printed: Callable[[int], str]) -> tuple[Label, ...]:
    """Return the best increasing chain of folios whose distances fit their numbers; empty if there are not even two."""
    import numpy as np

    length = _page_length(candidates)
    read = [Label(c, number, cost) for c in candidates for number, cost in readings(c.read, highest, printed, _WORST)]
    number = np.array([x.number for x in read])
    start = np.array([x.candidate.start for x in read])

    def step(before: Ints, after: Ints) -> Floats:
        pages = np.maximum(number[after] - number[before], 1)
        error = np.abs(start[after] - start[before] - pages * length) / length
        cost: Floats = np.minimum(_SKIPPED, 0.15 * (pages - 1)) + np.minimum(_ASTRAY, 0.8 * error / np.sqrt(pages))
        return cost

    worth = np.array([_WORTH + x.candidate.prior - x.cost * (1 + x.cost) for x in read])
    chain = best_chain(start, number, worth, Costs(0.0, step, _RISE, _RECENT, _SKIPPED + _ASTRAY))
    return tuple(read[i] for i in chain) if len(chain) > 1 else ()


def _start(candidate: Candidate) -> int:
    return candidate.start


def _by_place(labels: tuple[Label, ...], candidates: Sequence[Candidate]) -> tuple[Label, ...]:
    """Add folios that are too garbled to be read alone but stand where a page number is missing."""
    if not labels:
        return labels
    length = _page_length(candidates)
    found: dict[int, Label] = {}
    ends: list[Label | None] = [*labels[1:], None]
    for a, b in zip(labels, ends, strict=True):
        if b and b.number == a.number + 1:
            continue
        step = (b.candidate.start - a.candidate.start) / (b.number - a.number) if b else length
        first = bisect_left(candidates, a.candidate.start, key=_start)
        last = bisect_right(candidates, b.candidate.start if b else a.candidate.start + 2 * length, key=_start)
        for candidate in candidates[first:last]:
            number = a.number + round((candidate.start - a.candidate.start) / step)
            if not a.number < number < (b.number if b else a.number + 2):
                continue
            cost = reading_cost(str(number), candidate.read)
            if cost <= _WORST_IN_PLACE and (number not in found or cost < found[number].cost):
                found[number] = Label(candidate, number, cost)
    return tuple(sorted([*labels, *found.values()], key=lambda x: x.number))


def _page_length(candidates: Sequence[Candidate]) -> float:
    """Estimate the length of a page from the distances between candidates that are read as plain numbers."""
    plain = [(c.start, int(c.read)) for c in candidates if c.read.isdecimal()]
    steps = [((b[0] - a[0]) / (b[1] - a[1])) for a, b in pairwise(plain) if b[1] > a[1]]
    return typical([length for length in steps if length >= LEAST_PAGE]) or _USUAL


def typical(lengths: Sequence[float]) -> float:
    """Return the upper median of the lengths; 0 if there are none."""
    return sorted(lengths)[len(lengths) // 2] if lengths else 0.0


def _largest(candidates: Iterable[Candidate]) -> int:
    plain = sorted(int(c.read) for c in candidates if c.read.isdecimal() and len(c.read) < 4)
    return plain[-1] if plain else 0


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
