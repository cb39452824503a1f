"""Decode a numbering as a whole: the best increasing sequence of labels under an OCR confusion cost.

A label is garbled on its own (`i.`, `n.`, `1 8.`) but not in its place: each candidate is either noise or the label
of a number greater than all before it; skipped numbers cost, so does reading a numeral badly. What is read as a
numeral is seldom another one, so the first decoding takes it as it stands. Numbers that are missing between two labels
are then decoded among all that stands between them: there the neighbours prove what is misread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import inf
from typing import TYPE_CHECKING

from extract.numbering.chain import Costs, best_chain
from extract.numbering.numerals import reading_cost, readings
from extract.weights import weights

if TYPE_CHECKING:
    from extract.numbering.chain import Floats, Ints

_LIST, _FAR, _BEFORE = weights("labels", "step.list", "step.far", "step.before")
_WORTH, _SKIPPED, _WORST, _LATER = weights("labels", "label.worth", "label.skipped", "label.worst", "label.later")
_DUE, _WORDED, _UNREAD, _PROVED = weights("labels", "due.glyph", "due.worded", "due.unread", "due.proved")
_RECENT = 4  # labels of one number that are tried as the one before
_WIDEST = 24  # numbers skipped that are paid for: some books leave many out, a hundred for each of their chapters


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
    gap: float = _SKIPPED,
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
        gap: the cost of each number skipped.
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
        read = readings(candidate.read, highest, printed, _WORST)
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
    worth = np.array([_WORTH + x.candidate.prior - x.cost for x in labels]) + later
    begin = gap * np.minimum(numbers - first, _WIDEST) + _BEFORE * over * stepping(clear - 1)
    chain = best_chain(place, numbers, worth, Costs(begin, step, _WIDEST + 1, _RECENT, _WIDEST * gap))
    within = within or (lambda after, before: [c for c in candidates if after < c.start < before])
    while len(chain) > 1 and labels[chain[-1]].cost and numbers[chain[-1]] != numbers[chain[-2]] + 1:
        chain.pop()  # a misread label at the end that does not follow the one before (`so.`, 50, below 48)
    chosen = [labels[i] for i in chain]
    found: list[Label] = []
    below, at = first - 1, -1
    for label, after in zip_longest(chosen, chosen[1:]):
        missing = _between(within, at, label, below, printed)
        # What is read as the number of a label may be the one before it, which itself stands further on.
        anew = _between(within, at, after, below, printed) if after and below + len(missing) + 1 < label.number else []
        found += anew if after and below + len(anew) + 1 == after.number else [*missing, label]
        below, at = found[-1].number, found[-1].candidate.start
    return tuple(found)


def _between(within: Within, at: int, label: Label, below: int, printed: Callable[[int], str]) -> list[Label]:
    """The labels of the numbers that are missing between one that stands at an offset and a later label."""
    import numpy as np

    missing = range(below + 1, label.number)
    due: list[Label] = []
    worth: list[float] = []
    for candidate in within(at, label.candidate.start) if missing else ():
        read, believed = candidate.read, _DUE + candidate.prior + _WORDED * candidate.worded
        for number in missing:
            if len(missing) > _WIDEST and printed(number) != read.lower():
                continue
            cost = reading_cost(printed(number), read)
            share = min(cost / len(printed(number)), _UNREAD if candidate.worded or not read else inf)
            if share < believed:
                due.append(Label(candidate, number, cost, proved=True))
                worth.append(believed - share)
    place, numbers = (np.array(x, dtype=np.intp) for x in ([x.candidate.start for x in due], [x.number for x in due]))
    return [due[i] for i in best_chain(place, numbers, np.array(worth), Costs(far=0.0))]


def stepping(count: Ints) -> Floats:
    """What it takes to step over so many clear labels: for a short list little, for another numbering much."""
    import numpy as np

    cost: Floats = np.log2(1 + np.maximum(0, count)) + _FAR * np.maximum(0, count - _LIST)
    return cost
