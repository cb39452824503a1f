"""Decode a numbering as a whole: the best increasing sequence of labels under an OCR confusion cost.

A label is garbled on its own (`i.`, `n.`, `1 8.`) but not in its place. The decoder is the Viterbi algorithm
(Viterbi, IEEE Trans. Inf. Theory 13, 1967) over candidates in reading order: each is either noise or the label
of a number greater than all before it; skipped numbers cost, so does reading a numeral badly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import log2
from typing import TYPE_CHECKING

from extract.numbering.numerals import readings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Scores = NDArray[np.float64]
    Places = NDArray[np.intp]

# Figures that were read as figures are seldom other figures: rather leave a number out than change one.
_PLAIN_FIGURE = 0.65
# Items that a list within a provision seldom exceeds, and what each one beyond weighs.
_LIST, _FAR = 12, 0.5
_BEGINS_LIST = "1"  # as `I.` is read: the first item of a list rather than a figure that it is not like
_NEAR, _RECENT = 6, 4
_BEYOND = 4  # labels in a row that prove the numbers of the last labels to be those that are read
_WIDEST = 24  # numbers skipped that are paid for: some books leave many out, a hundred for each of their chapters
_BEGIN = 0.5  # of that, for those before the first: a list of contents, or the first of the series itself


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place that may bear a label: where it is, what was read, and how much its surroundings speak for it."""

    start: int
    end: int
    read: str
    prior: float = 0.0


@dataclass(frozen=True, slots=True)
class Label:
    """A decoded label: the candidate, its number, and the cost of reading it so."""

    candidate: Candidate
    number: int
    cost: float

    @property
    def confidence(self) -> float:
        """1 for a faithful reading, falling with the reading cost."""
        return round(1 / (1 + self.cost * self.cost), 3)


def decode(
    candidates: Sequence[Candidate],
    highest: int,
    printed: Callable[[int], str] = str,
    *,
    reward: float = 2.0,
    gap: float = 1.6,
    worst: float = 1.7,
    over: float = 0.0,
    first: int = 1,
) -> tuple[Label, ...]:
    """Choose which candidates bear labels, and which.

    Args:
        candidates: in reading order.
        highest: the greatest number to consider.
        printed: how a number is printed (`str`, or a roman numeral).
        reward: what a label is worth; a candidate read worse than this plus its prior is noise.
        gap: the cost of each number skipped.
        worst: readings that cost more are never believed.
        over: the cost of stepping over candidates that are read without a doubt, times the `stepping` of their number.
        first: the number with which the numbering begins; those below it are none of its own.
    Returns:
        The labels, their numbers strictly increasing.
    """
    import numpy as np

    # best[n]: score of the best chain ending in number n; chain[n]: its last link.
    below = first - 1
    size = max(0, highest - below) + 1  # n counts from the number before the first
    best = np.full(size, -np.inf)
    best[0] = 0.0
    chain: list[_Link | None] = [None] * size
    # recent[n]: the last chains that ended in n; of two, the later one steps over less.
    recent: list[list[tuple[float, int, _Link]]] = [[] for _ in range(size)]
    clear = 0
    behind = np.zeros(size, dtype=np.intp)  # how many clear candidates there were up to the last one of a chain
    paid = np.array([over * stepping(n) for n in range(len(candidates) + 1)])
    for candidate in candidates:
        reached = best
        if over:
            clear += candidate.read.isdecimal()
            reached = best - paid[np.maximum(clear - behind - 1, 0)]
            reached[0] = best[0] - _BEGIN * over * stepping(clear - 1)
        reach, source = _reach(reached, gap)
        found: list[tuple[int, float, _Link]] = []
        for number, plain_cost in readings(candidate.read, highest, printed, worst):
            place = number - below
            if place < 1 or (candidate.read == _BEGINS_LIST and number < 10 and plain_cost >= 1):
                continue
            changed = plain_cost and candidate.read.isdecimal() and printed(number).isdecimal()
            cost = plain_cost + (_PLAIN_FIGURE if changed else 0.0)
            if cost > worst:
                continue
            before, last_link = float(reach[place - 1]), chain[source[place - 1]]
            for less in range(max(1, place - _NEAR), place) if over else ():
                for reached_by, then, other in recent[less]:
                    value = reached_by - gap * (place - less - 1) - over * stepping(clear - then - 1)
                    if value > before:
                        before, last_link = value, other
            score = before + reward + candidate.prior - cost
            if over or score > best[place]:
                found.append((place, score, _Link(Label(candidate, number, cost), last_link)))
        for place, score, step in found:
            recent[place] = [*recent[place][1 - _RECENT :], (score, clear, step)]
            if score > best[place]:
                best[place], chain[place], behind[place] = score, step, clear
    labels: list[Label] = []
    link: _Link | None = chain[best.argmax()]
    while link:
        labels.append(link.label)
        link = link.before
    return _as_read(labels[::-1], candidates)


def _as_read(labels: Sequence[Label], candidates: Sequence[Candidate]) -> tuple[Label, ...]:
    """The labels; those in figures that fit between their neighbours as they are read, and follow each other, so.

    Where the print leaves numbers out, it is dear to believe the few labels between two gaps: they would rather be
    others, all of them misread alike.
    """
    found = list(labels)
    at = 1
    while at < len(found):
        after = at
        while after < len(found) and found[after].cost and found[after].candidate.read.isdecimal():
            after += 1
        if after > at:
            below, last = found[at - 1], found[after].number if after < len(found) else None
            end = found[after].candidate.start if last else found[after - 1].candidate.end
            every = [c for c in candidates if below.candidate.end <= c.start < end and c.read.isdecimal()]
            read = [int(c.read) for c in every]
            enough = len(read) >= (2 if last else _BEYOND)
            fits = enough and below.number < read[0] and (last is None or read[-1] < last)
            if fits and all(b - a == 1 for a, b in pairwise(read)):
                found[at:after] = [Label(c, n, 0.0) for c, n in zip(every, read, strict=True)]
                after = at + len(every)
        at = max(after, at + 1)
    return tuple(found)


@lru_cache(maxsize=10_000)
def stepping(count: int) -> float:
    """What it takes to step over so many clear labels: for a short list little, for another numbering much."""
    return log2(1 + max(0, count)) + _FAR * max(0, count - _LIST)


@dataclass(frozen=True, slots=True)
class _Link:
    label: Label
    before: _Link | None


def _reach(best: Scores, gap: float) -> tuple[Scores, Places]:
    """For each number the best score of a chain that ends at or below it, gaps paid, and where it ends.

    Both are running maxima: of the scores with the gaps from a common number on paid, and, as no more than `_WIDEST`
    gaps are ever paid, of the scores below a number.
    """
    import numpy as np

    number = np.arange(len(best))
    level = best + gap * number
    carried = np.maximum.accumulate(level)
    source = np.maximum.accumulate(np.where(level == carried, number, 0))
    top = np.maximum.accumulate(best)
    rises = np.concatenate(([True], best[1:] > top[:-1]))
    highest = np.maximum.accumulate(np.where(rises, number, 0))
    jumped = np.concatenate(([-np.inf], top[:-1] - _WIDEST * gap))
    reach = best[source] - gap * (number - source)
    far = jumped > reach
    source[1:] = np.where(far[1:], highest[:-1], source[1:])
    return np.where(far, jumped, reach), source
