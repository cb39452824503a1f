"""Decode a numbering as a whole: the best increasing sequence of labels under an OCR confusion cost.

A garbled label (`i.`, `n.`, `1 8.`) is unclear by itself but not in its place: each candidate is either noise or the
label of a number higher than all before it. Skipped numbers have a cost, and so has a misread numeral. A string that
is read as a numeral is seldom a different one, so the first decoding takes it at face value. Numbers that are missing
between two labels are then decoded among everything between them, where the neighbours prove what was misread.
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
_RECENT = 4  # latest labels of each number that are tried as the previous one
_WIDEST = 24  # the most skipped numbers that cost: some books leave many out, a hundred for each of their chapters


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible label: its span, the characters read as its number, and a score for its shape and surroundings.

    `worded`: a word or symbol precedes the number, so that it is a label even if the number cannot be read; `at`: the
    offset of the characters read; `tail`: what follows them in the label.
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
    """A decoded label: the candidate, its number, the cost of that reading, and whether its neighbours prove it."""

    candidate: Candidate
    number: int
    cost: float
    proved: bool = False

    @property
    def confidence(self) -> float:
        """1 for a faithful reading, falling with the reading cost; a proved label has a minimum."""
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
    """Choose the candidates that are labels, and their numbers.

    Args:
        candidates: in reading order.
        highest: the highest number to consider.
        printed: the function that formats a number as it is printed (`str`, or one for roman numerals).
        gap: the cost of each number skipped.
        over: the factor of the cost of stepping over candidates in plain digits (see `stepping`).
        first: the number with which the numbering begins; lower numbers are not part of it.
        expect: the highest number that the print is known to have: a higher one must be read without error.
        within: returns further candidates between two offsets, if numbers are missing there.
    Returns:
        The labels, with strictly increasing numbers.
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

    # Of two worded labels with the same number the later one wins: the earlier may be in a table of contents.
    later = [_LATER * i * x.candidate.worded for i, x in enumerate(labels)]
    worth = np.array([_WORTH + x.candidate.prior - x.cost for x in labels]) + later
    begin = gap * np.minimum(numbers - first, _WIDEST) + _BEFORE * over * stepping(clear - 1)
    chain = best_chain(place, numbers, worth, Costs(begin, step, _WIDEST + 1, _RECENT, _WIDEST * gap))
    within = within or (lambda after, before: [c for c in candidates if after < c.start < before])
    while len(chain) > 1 and labels[chain[-1]].cost and numbers[chain[-1]] != numbers[chain[-2]] + 1:
        chain.pop()  # a misread label at the end that is not the next number (`so.`, 50, after 48)
    chosen = [labels[i] for i in chain]
    found: list[Label] = []
    below, at = first - 1, -1
    for label, after in zip_longest(chosen, chosen[1:]):
        missing = _between(within, at, label, below, printed)
        # This may be the misread label of a lower number, with the right one further on: decode again without it.
        again = _between(within, at, after, below, printed) if after and below + len(missing) + 1 < label.number else []
        found += again if after and below + len(again) + 1 == after.number else [*missing, label]
        below, at = found[-1].number, found[-1].candidate.start
    return tuple(found)


def _between(within: Within, at: int, label: Label, below: int, printed: Callable[[int], str]) -> list[Label]:
    """Decode the numbers missing between `below`, whose label is at offset `at`, and a later label."""
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
    """The cost of stepping over `count` clear labels: low for a short list, high for another numbering."""
    import numpy as np

    cost: Floats = np.log2(1 + np.maximum(0, count)) + _FAR * np.maximum(0, count - _LIST)
    return cost
