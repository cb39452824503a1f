"""Printed page numbers: garbled folios decoded as one increasing sequence, lost ones interpolated."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from extract.errors import BookError
from extract.model import FolioStatus, Page, Span
from extract.numbering.chain import Costs, best_chain
from extract.numbering.numerals import arabic, like_roman, reading_cost, readings, roman
from extract.numbering.sequence import Candidate, Label
from extract.pages.pagination import Anchor, Break, divide

if TYPE_CHECKING:
    from extract.numbering.chain import Floats, Ints

GLYPHS = r"0-9IVXLCivxlcTJjoOSUHnhgq?Q§!\]\[\"'*^fsztyU"
FOLIO = re.compile(rf"^(?:[{GLYPHS}] ?){{1,6}}\.?$")
ONCE = -1.0
"""What speaks for a folio beside words that return on no other page: it must be read without a fault."""
_MORE_THAN_ANY_BOOK = 2000
# The weight of a break at a heading, where a part of the book may open after a blank page.
OPENING = 1.6
# The same where a numbered division begins.
DIVISION = 1.9
_REWARD = 1.6
_WORST = 1.5
# What folios that are lost between two cost at most, and two at another distance than their numbers say.
_SKIPPED, _ASTRAY = 1.2, 1.6
# Numbers that a folio is weighed against the ones before it, and how many readings of each.
_RISE, _RECENT = 24, 8
# A line in the text, if it is a folio at all, is read as it stands.
_UNLIKELY, _WORST_OF_UNLIKELY = -0.5, 0.3
_LONG_PAGE = 1.6
# Numbers that follow each other at fewer characters than a page has count something else.
_LEAST = 200
_NEARLY = 3  # pages from one folio to the next that is read


@dataclass(frozen=True, slots=True)
class Folio:
    """A page number that was found: its place in the scan, and what it says."""

    span: Span
    text: str
    confidence: float


def decode_folios(candidates: Sequence[Candidate]) -> tuple[Folio, ...]:
    """Decode page numbers: roman in the front matter, arabic after it.

    Args:
        candidates: places that may bear a folio, in reading order.
    Returns:
        The folios, roman first, numbers increasing within each run.
    """
    digits = [
        replace(c, prior=c.prior - 1.5) if _only_roman(c.read.lower()) else c
        for c in candidates
        if any(x.isdecimal() for x in c.read) or len(c.read) <= 4
    ]
    arabic = _chain(digits, _largest(digits) + len(digits), str)
    arabic = _by_place(arabic, candidates)
    first = arabic[0].candidate.start if arabic else None
    front = _chain([c for c in candidates if first is None or c.start < first], 60, roman)
    return tuple(
        Folio(Span(label.candidate.start, label.candidate.end), printed(label.number), label.confidence)
        for labels, printed in ((front, roman), (arabic, str))
        for label in labels
    )


def _only_roman(read: str) -> bool:
    """Whether what was read can be no figures: strokes, and a v or an x among them."""
    return like_roman(read, "ivxl") and not {"v", "x"}.isdisjoint(read)


def _chain(candidates: Sequence[Candidate], highest: int, printed: Callable[[int], str]) -> tuple[Label, ...]:
    """The best increasing chain of folios, each about as far from the last as its number says."""
    import numpy as np

    length = _page_length(candidates)
    read = [
        Label(c, number, cost)
        for c in candidates
        for number, cost in readings(
            c.read, min(highest, _MORE_THAN_ANY_BOOK), printed, _WORST if c.prior > _UNLIKELY else _WORST_OF_UNLIKELY
        )
    ]
    number = np.array([x.number for x in read])
    start = np.array([x.candidate.start for x in read])

    def step(before: Ints, after: Ints) -> Floats:
        apart = np.maximum(number[after] - number[before], 1)
        astray = np.abs(start[after] - start[before] - apart * length) / length
        cost: Floats = np.minimum(_SKIPPED, 0.15 * (apart - 1)) + np.minimum(_ASTRAY, 0.8 * astray / np.sqrt(apart))
        return cost

    worth = np.array([_REWARD + x.candidate.prior - x.cost * (1 + x.cost) for x in read])
    chain = best_chain(start, number, worth, Costs(0.0, step, _RISE, _RECENT, _SKIPPED + _ASTRAY))
    return tuple(read[i] for i in chain) if len(chain) > 1 else ()


def _start(candidate: Candidate) -> int:
    return candidate.start


def _by_place(labels: tuple[Label, ...], candidates: Sequence[Candidate]) -> tuple[Label, ...]:
    """Add folios too garbled to be read that stand just where a page is missing."""
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
            far = (candidate.start - a.candidate.start) / step
            number = a.number + round(far)
            if not a.number < number < (b.number if b else a.number + 2):
                continue
            cost = reading_cost(str(number), candidate.read)
            if candidate.prior == ONCE and cost:
                continue
            if cost <= (1.5 if abs(far - round(far)) > 0.2 else 2.0) and (
                number not in found or cost < found[number].cost
            ):
                found[number] = Label(candidate, number, cost)
    return tuple(sorted([*labels, *found.values()], key=lambda x: x.number))


def _page_length(candidates: Sequence[Candidate]) -> float:
    """The typical length of a page: the distance of neighbouring folios that were read without a fault.

    Where none are neighbours, as where only left pages bear a folio that is read, those are asked that nearly are.
    """
    plain = [(c.start, int(c.read)) for c in candidates if c.read.isdecimal()]
    steps = [((b[0] - a[0]) / (b[1] - a[1]), b[1] - a[1]) for a, b in pairwise(plain) if 1 <= b[1] - a[1] <= _NEARLY]
    lengths = [[length for length, apart in steps if apart <= n and length >= _LEAST] for n in (1, _NEARLY)]
    return _typical(lengths[0]) or _typical(lengths[1]) or 1500.0


def _largest(candidates: Iterable[Candidate]) -> int:
    plain = sorted(int(c.read) for c in candidates if c.read.isdecimal() and len(c.read) < 4)
    return plain[-1] if plain else 0


def paginate(length: int, folios: Sequence[Folio], starts: Sequence[int], breaks: Sequence[Break]) -> tuple[Page, ...]:
    """Cut a scan into pages.

    Args:
        length: characters of the scan.
        folios: the decoded folios.
        starts: for each folio, the offset at which its page begins.
        breaks: offsets at which a page without a folio may begin, in order, each with the strength of its evidence
            (0 to 3).
    Returns:
        The pages in order. Those whose folio is lost lie evenly between their neighbours, at the best breaks.
    """
    marks: list[tuple[int, str | None, FolioStatus]] = [(0, None, "unnumbered")]
    known = [(s, arabic(f.text), str if f.text.isdecimal() else roman) for s, f in zip(starts, folios, strict=True)]
    spread = _typical([(b[0] - a[0]) / max(1, b[1] - a[1]) for a, b in pairwise(known) if a[2] is b[2]])
    for i, (start, number, printed) in enumerate(known):
        if i and known[i - 1][2] is printed:
            between = _interpolate(known[i - 1][:2], (start, number), breaks, spread)
        else:
            between = _before_first(start, number, marks[-1][0], spread, breaks) if spread else []
            first = between[0][1] if between else start
            openings = (at for at, weight in breaks if weight in (OPENING, DIVISION))
            half_title = next((at for at in openings if marks[-1][0] + spread * 0.3 < at < first), None)
            if i and half_title is not None:
                marks.append((half_title, None, "unnumbered"))
        marks += [(at, printed(n), "interpolated") for n, at in between]
        marks.append((start, folios[i].text, "printed"))
    if known and spread:
        marks += [(at, known[-1][2](n), "interpolated") for n, at in _after_last(known[-1], length, spread, breaks)]
    marks = [m for i, m in enumerate(marks) if i + 1 == len(marks) or marks[i + 1][0] > m[0]]
    ends = [m[0] for m in marks[1:]] + [length]
    return tuple(
        Page(i, at, end, folio, status) for i, ((at, folio, status), end) in enumerate(zip(marks, ends, strict=True))
    )


def with_known(pages: Sequence[Page], known: Iterable[tuple[int, str]]) -> tuple[Page, ...]:
    """Let pages begin where the editor knows them to begin; interpolated pages that are at odds with him go.

    Args:
        pages: the pages of a scan.
        known: offsets and folios of pages without a printed folio, in the order in which the editor names them.
    Raises:
        BookError: a page is said to begin where a printed folio tells that it does not.
    """
    told = {folio: (at, number) for number, (at, folio) in enumerate(known, 1)}
    if not told:
        return tuple(pages)
    found = [replace(p, raw_start=told[p.folio][0]) for p in pages if p.folio in told]
    for page in (p for p in pages if p.folio not in told):
        odd = next(((f, *place) for f, place in told.items() if _at_odds(page, f, place[0])), None)
        if odd is None:
            found.append(page)
        elif page.status == "printed":
            raise BookError(
                f"[[page]] {odd[2]} at {odd[1]}, key 'folio': the page {page.folio}, whose folio the scan has, begins "
                f"at {page.raw_start}; correct `at` or `folio`."
            )
    new = told.keys() - {p.folio for p in pages}
    found += [Page(0, told[folio][0], 0, folio, "interpolated") for folio in new]
    found.sort(key=lambda p: p.raw_start)
    starts = [0, *(p.raw_start for p in found[1:]), pages[-1].raw_end if pages else 0]
    return tuple(
        replace(p, seq=i, raw_start=a, raw_end=b)
        for i, (p, (a, b)) in enumerate(zip(found, pairwise(starts), strict=True))
    )


def _at_odds(page: Page, folio: str, at: int) -> bool:
    """Whether a page cannot be where it is if another, of that folio, begins at an offset."""
    if page.folio is None or page.raw_start == at:
        return page.raw_start == at and at > 0
    before = (page.folio.isdecimal(), arabic(page.folio)) < (folio.isdecimal(), arabic(folio))
    return before != (page.raw_start < at)


def _typical(lengths: list[float]) -> float:
    return sorted(lengths)[len(lengths) // 2] if lengths else 0.0


def _between(breaks: Sequence[Break], low: float, high: float) -> Sequence[Break]:
    """The breaks strictly between two offsets."""
    return breaks[bisect_right(breaks, low, key=_offset) : bisect_left(breaks, high, key=_offset)]


def _offset(place: Break) -> int:
    return place[0]


def _before_first(start: int, number: int, floor: int, spread: float, breaks: Sequence[Break]) -> list[tuple[int, int]]:
    """Pages before the first printed folio of a run, as far back as the breaks go."""
    found: list[tuple[int, int]] = []
    at = start
    for n in range(number - 1, 0, -1):
        near = _between(breaks, max(floor + spread * 0.3, at - spread * 1.6), at - spread * 0.15)
        if not near:
            break
        ideal = at - spread
        at = max(near, key=lambda bw: bw[1] - abs(ideal - bw[0]) / spread)[0]
        found.append((n, at))
    return found[::-1]


def _after_last(
    last: tuple[int, int, Callable[[int], str]], length: int, spread: float, breaks: Sequence[Break]
) -> list[tuple[int, int]]:
    """Pages after the last printed folio, where much text follows it."""
    found: list[tuple[int, int]] = []
    at, number = last[0], last[1]
    while length - at > _LONG_PAGE * spread:
        ideal = at + spread
        near = _between(breaks, at + spread * 0.5, at + spread * 1.6)
        if not near:
            break
        at = max(near, key=lambda bw: bw[1] - 2 * abs(ideal - bw[0]) / spread)[0]
        number += 1
        found.append((number, at))
    return found


def _interpolate(
    a: tuple[int, int], b: tuple[int, int], breaks: Sequence[Break], typical: float
) -> list[tuple[int, int]]:
    """Place the pages whose folios are lost between two known ones."""
    if b[1] - a[1] < 2:
        return []
    places = [(a[0], 0.0), *_between(breaks, a[0], b[0]), (b[0], 0.0)]
    openings = {at for at, weight in places[1:] if weight in (OPENING, DIVISION)}
    found = divide(places, [Anchor(*a)], typical or 1.0, openings, b[1])
    return found[1:]
