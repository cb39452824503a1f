"""The labels of one series among all that look like one: each has the next number, or a number is reported missing.

Labels that can be read make the series: of all rising sequences of them the one with most labels, less what the numbers
skipped in it cost. A label whose number is misread (`i.`, `n.`, `88.` for 38) belongs to the series only if it is the
next number, or if the labels before and after it prove which one it is; one that can be read and fits is never changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, log2

from extract.numbering.label import Label
from extract.numbering.numerals import may_be, misreading_cost

_SKIPPED = 0.8  # what each number skipped costs, where a label is worth 1: two labels make up for one
_WIDEST = 12  # the most numbers skipped that cost: a code may leave out a hundred between its chapters
_OVER = 0.15  # what a label stepped over costs; of several, the logarithm
_LATEST = 40  # labels that are tried as the one before; of earlier ones, the best for each number
_ONE = 0.6  # what a numeral may cost that was read as another number: one usual confusion


@dataclass(frozen=True, slots=True)
class Numbered:
    """A label of a series, with its number: the one that is read, or else the one that its place proves."""

    label: Label
    number: int

    @property
    def misread(self) -> bool:
        return self.label.number != self.number


def series(
    labels: Sequence[Label], printed: Callable[[int], str], first: int = 1, last: int | None = None
) -> tuple[Numbered, ...]:
    """Choose the labels of a series.

    Args:
        labels: all that look like labels of it, in reading order.
        printed: how a number is printed (`str`, `roman`).
        first: the number with which it begins.
        last: its last number, if it is known.
    Returns:
        The labels of the series, with rising numbers.
    """
    read = longest([x for x in labels if first <= x.number <= (last or x.number)], first)
    found: list[Numbered] = []
    start, due = 0, first
    for label in (*read, None):
        stop = labels.index(label) if label else len(labels)
        above = label.number if label else (last or due + len(labels)) + 1
        found += _misread(labels[start:stop], range(due, above), printed)
        if label:
            found.append(Numbered(label, label.number))
            start, due = stop + 1, label.number + 1
    return tuple(found)


def longest(labels: Sequence[Label], first: int, skipped: float = _SKIPPED) -> list[Label]:
    """The rising sequence of labels with most worth, less the cost of numbers skipped and of labels stepped over.

    Stepping over a whole list within a law costs less than taking one of its items for a law, and then stepping over
    the law. Of equal sequences it has the earlier label, but the later one if the label has a word, as a list of
    contents may stand above, or if it skips numbers, which must stand before it.

    Args:
        labels: labels that can be read, in reading order.
        first: the number with which the series begins.
        skipped: what each number skipped costs.
    """
    worth: list[float] = []  # of the best sequence that ends with each label
    before: list[int] = []
    best: dict[int, int] = {}  # for each number, the label with which the best sequence up to it ends
    for i, label in enumerate(labels):
        ways = [(-skipped * min(label.number - first, _WIDEST) - _OVER * log2(i + 1), first - 1, -1)]
        for j in {*range(max(0, i - _LATEST), i), *best.values()}:
            if (number := labels[j].number) < label.number:
                cost = skipped * min(label.number - number - 1, _WIDEST) + _OVER * log2(i - j)
                ways.append((worth[j] - cost, number, j))
        reached, below, j = max(ways)
        worth.append(reached + label.worth)
        before.append(j)
        known = worth[best[label.number]] if label.number in best else -inf
        later = label.at > label.start or below + 1 < label.number
        if worth[i] > known or (later and worth[i] == known):
            best[label.number] = i
    ends = [
        (round(x - _OVER * log2(len(labels) - i), 6), i * (labels[i].at > labels[i].start)) for i, x in enumerate(worth)
    ]
    i = ends.index(max(ends)) if ends else -1
    chain: list[Label] = []
    while i >= 0:
        chain.append(labels[i])
        i = before[i]
    return chain[::-1]


def _misread(labels: Sequence[Label], missing: range, printed: Callable[[int], str]) -> Iterator[Numbered]:
    """The labels between two of a series that are misread ones of the numbers missing there: each is the next number.

    One that reads as another number is taken for the missing one only if it alone is missing, for a usual confusion.
    """
    alone = len(missing) == 1
    for label in labels:
        if not missing:
            return
        numeral = printed(missing.start)
        if label.number:
            fits = label.number == missing.start or (alone and misreading_cost(numeral, label.read) <= _ONE)
        else:
            fits = may_be(numeral, label.read)
        if fits:
            yield Numbered(label, missing.start)
            missing = missing[1:]
