"""Decode a numbering as a whole: the best increasing sequence of labels under an OCR confusion cost.

A label is garbled on its own (`i.`, `n.`, `1 8.`) but not in its place: each candidate is either noise or the label
of a number greater than all before it; skipped numbers cost, so does reading a numeral badly. What is read as a
numeral is seldom another one, so the first decoding takes it as it stands. Numbers that are missing between two labels
are then decoded among all that stands between them: there the neighbours prove what is misread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from extract.numbering.chain import Costs, best_chain
from extract.numbering.numerals import reading_cost, readings

if TYPE_CHECKING:
    from extract.numbering.chain import Floats, Ints

# Items that a list within a provision seldom exceeds, and what each one beyond weighs.
_LIST, _FAR = 12, 0.5
_RECENT = 4  # labels of one number that are tried as the one before
_WIDEST = 24  # numbers skipped that are paid for: some books leave many out, a hundred for each of their chapters
_LATER = 1e-6  # what the later of two equal labels is worth more: just enough to decide between them
# The part of the cost of stepping over labels that is paid for those before the first: they may be a list of contents.
_BEGIN = 0.5
# What a reading may cost for each glyph where its number is missing between two labels, and more behind a word.
_DUE, _WORDED = 0.5, 0.6
_ALIKE = 0.45  # that where others are missing beside it
_UNREAD = 0.9  # what each glyph costs of a label without a number, or with one that cannot be read behind a word
_PROVED = 0.85  # how sure a label is that its neighbours prove


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place that may bear a label: where it is, what was read, and how much its surroundings speak for it.

    `worded`: a word or sign stands before the number, so that it is a label even where that cannot be read; `at`: where
    what was read stands; `tail`: what stands behind it in the label.
    """

    start: int
    end: int
    read: str
    prior: float = 0.0
    worded: bool = False
    at: int = -1
    tail: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """A decoded label: the candidate, its number, the cost of reading it so, and whether its neighbours prove it."""

    candidate: Candidate
    number: int
    cost: float
    proved: bool = False

    @property
    def confidence(self) -> float:
        """1 for a faithful reading, falling with the reading cost."""
        sure = round(1 / (1 + self.cost * self.cost), 3)
        return max(sure, _PROVED) if self.proved else sure


Within = Callable[[int, int], Sequence[Candidate]]


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
    expect: int | None = None,
    within: Within | None = None,
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
        expect: the greatest number that print is known to have: a greater one is believed if it is read so.
        within: what else may be a label between two offsets, if numbers are missing there.
    Returns:
        The labels, their numbers strictly increasing.
    """
    import numpy as np

    labels: list[Label] = []
    for candidate in candidates:
        read = readings(candidate.read, highest, printed, worst)
        well = [pair for pair in read if not pair[1]]
        if not well and not (printed is str and candidate.read.isdecimal()):
            well = [(number, cost) for number, cost in read if number <= (expect or highest)]
        labels += [Label(candidate, number, cost) for number, cost in well if number >= first]
    place = np.array([x.candidate.start for x in labels])
    numbers = np.array([x.number for x in labels], dtype=np.intp)
    clear = np.searchsorted([c.start for c in candidates if c.read.isdecimal()], place, side="right")

    def step(before: Ints, after: Ints) -> Floats:
        return gap * (numbers[after] - numbers[before] - 1) + over * stepping(clear[after] - clear[before] - 1)

    # Of two labels with a word and the same number the later is believed: a list of contents stands above.
    later = [_LATER * i * x.candidate.worded for i, x in enumerate(labels)]
    worth = np.array([reward + x.candidate.prior - x.cost for x in labels]) + later
    begin = gap * np.minimum(numbers - first, _WIDEST) + _BEGIN * over * stepping(clear - 1)
    chain = best_chain(place, numbers, worth, Costs(begin, step, _WIDEST + 1, _RECENT, _WIDEST * gap))
    within = within or (lambda after, before: [c for c in candidates if after < c.start < before])
    return tuple(_with_missing(_without_strays([labels[i] for i in chain]), first, printed, within))


def _with_missing(labels: Sequence[Label], first: int, printed: Callable[[int], str], within: Within) -> list[Label]:
    """The labels, with those of the numbers that are missing between them.

    What is read as the number of a label may be the one before it, which itself stands further on.
    """
    found: list[Label] = []
    for i, label in enumerate(labels):
        below, at = (found[-1].number, found[-1].candidate.start) if found else (first - 1, -1)
        if label.number <= below:
            continue
        missing = range(below + 1, label.number)
        between = _between(within(at, label.candidate.start), missing, printed) if missing else []
        if found and len(between) < len(missing) and i + 1 < len(labels):
            after = labels[i + 1]
            anew = range(below + 1, after.number)
            again = _between(within(at, after.candidate.start), anew, printed)
            if len(again) == len(anew):
                between, label = again[:-1], again[-1]
        found += [*(between if found else (x for x in between if not x.cost)), label]
    return found


def _without_strays(labels: Sequence[Label]) -> list[Label]:
    """The labels, without misread ones at the end that do not follow the one before (`so.`, 50, below 48)."""
    found = list(labels)
    while len(found) > 1 and found[-1].cost and found[-1].number != found[-2].number + 1:
        found.pop()
    return found


def _between(candidates: Sequence[Candidate], missing: range, printed: Callable[[int], str]) -> list[Label]:
    """The labels of numbers that are missing between two others: all of them, or those that are read without a doubt.

    What counts on with another candidate is an item of a list there.
    """
    import numpy as np

    counted = {int(c.read) for c in candidates if c.read.isdecimal()}
    due: list[Label] = []
    worth: list[float] = []
    for candidate in candidates:
        read, believed = candidate.read, _DUE + candidate.prior + _WORDED * candidate.worded
        value = int(read) if read.isdecimal() and not candidate.worded else 0
        listed = 0 < value < missing.start and not counted.isdisjoint((value - 1, value + 1))
        for number in missing:
            if listed or (len(missing) > _WIDEST and printed(number) != read.lower()):
                continue
            cost = reading_cost(printed(number), read)
            share = min(cost / len(printed(number)), _UNREAD if candidate.worded or not read else inf)
            if share < believed:
                due.append(Label(candidate, number, cost, proved=True))
                worth.append(believed - share)
    place, numbers = (np.array(x, dtype=np.intp) for x in ([x.candidate.start for x in due], [x.number for x in due]))
    found = [due[i] for i in best_chain(place, numbers, np.array(worth), Costs(far=0.0))]
    return found if len(found) == len(missing) else [x for x in found if x.cost < _ALIKE * len(printed(x.number))]


def stepping(count: Ints) -> Floats:
    """What it takes to step over so many clear labels: for a short list little, for another numbering much."""
    import numpy as np

    cost: Floats = np.log2(1 + np.maximum(0, count)) + _FAR * np.maximum(0, count - _LIST)
    return cost
