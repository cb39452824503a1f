"""Decode a numbering as a whole: the best increasing sequence of labels under an OCR confusion cost.

A label is garbled on its own (`i.`, `n.`, `1 8.`) but not in its place: each candidate is either noise or the label
of a number greater than all before it; skipped numbers cost, so does reading a numeral badly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from extract.numbering.chain import best_chain
from extract.numbering.numerals import readings

if TYPE_CHECKING:
    from extract.numbering.chain import Floats, Ints

# Figures that were read as figures are seldom other figures: rather leave a number out than change one.
_PLAIN_FIGURE = 0.65
# Items that a list within a provision seldom exceeds, and what each one beyond weighs.
_LIST, _FAR = 12, 0.5
_BEGINS_LIST = "1"  # as `I.` is read: the first item of a list rather than a figure that it is not like
_RECENT = 4  # labels of one number that are tried as the one before
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

    labels = [
        Label(candidate, number, cost)
        for candidate in candidates
        for number, plain_cost in readings(candidate.read, highest, printed, worst)
        if number >= first and not (candidate.read == _BEGINS_LIST and number < 10 and plain_cost >= 1)
        if (cost := plain_cost + _PLAIN_FIGURE * _changed(candidate.read, printed(number))) <= worst
    ]
    place = np.array([x.candidate.start for x in labels])
    numbers = np.array([x.number for x in labels], dtype=np.intp)
    clear = np.searchsorted([c.start for c in candidates if c.read.isdecimal()], place, side="right")

    def step(before: Ints, after: Ints) -> Floats:
        return gap * (numbers[after] - numbers[before] - 1) + over * stepping(clear[after] - clear[before] - 1)

    worth = np.array([reward + x.candidate.prior - x.cost for x in labels])
    begin = gap * np.minimum(numbers - first, _WIDEST) + _BEGIN * over * stepping(clear - 1)
    chain = best_chain(place, numbers, worth, begin, step, _WIDEST + 1, _RECENT, _WIDEST * gap)
    return _as_read([labels[i] for i in chain], candidates)


def _changed(read: str, printed: str) -> bool:
    """Whether figures were read as other figures."""
    return read != printed and read.isdecimal() and printed.isdecimal()


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


def stepping(count: Ints) -> Floats:
    """What it takes to step over so many clear labels: for a short list little, for another numbering much."""
    import numpy as np

    cost: Floats = np.log2(1 + np.maximum(0, count)) + _FAR * np.maximum(0, count - _LIST)
    return cost
