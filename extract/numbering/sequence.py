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

from extract.numbering.numerals import readings

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
    # best[n]: score of the best chain ending in number n; step[n]: its last link.
    below = first - 1
    size = max(0, highest - below) + 1  # n counts from the number before the first
    best: list[float] = [0.0] + [float("-inf")] * (size - 1)
    chain: list[_Link | None] = [None] * size
    # recent[n]: the last chains that ended in n; of two, the later one steps over less.
    recent: list[list[tuple[float, int, _Link]]] = [[] for _ in range(size)]
    clear = 0
    behind = [0] * size  # how many clear candidates there were up to the last one of a chain
    for candidate in candidates:
        reached = best
        if over:
            clear += candidate.read.isdecimal()
            reached = [s - over * stepping(clear - b - 1) if b else s for s, b in zip(best, behind, strict=True)]
            reached[0] -= _BEGIN * over * stepping(clear - 1)
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
            before, last_link = reach[place - 1], chain[source[place - 1]]
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
    last = max(range(size), key=lambda n: best[n])
    labels: list[Label] = []
    link: _Link | None = chain[last]
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


def _reach(best: Sequence[float], gap: float) -> tuple[list[float], list[int]]:
    """For each number the best score of a chain that ends at or below it, gaps paid, and where it ends."""
    reach, source = [best[0]], [0]
    highest = 0  # where the best chain so far ends
    for number in range(1, len(best)):
        carried, jumped = reach[-1] - gap, best[highest] - _WIDEST * gap
        if best[number] >= max(carried, jumped):
            reach.append(best[number])
            source.append(number)
        elif carried >= jumped:
            reach.append(carried)
            source.append(source[-1])
        else:
            reach.append(jumped)
            source.append(highest)
        if best[number] > best[highest]:
            highest = number
    return reach, source
