"""Find the numberings among labels: all labels of a shape are decoded together, as numberings in succession.

The numberings that explain most labels at least cost are chosen (the principle of minimum description length: Rissanen,
Automatica 14, 1978). An explained label is worth 1. A numbering pays for its beginning, for numbers that it skips, and
for labels of its shape that it steps over. Without a heading above it, it must explain more labels than a list has: so
a list within a law is stepped over, and numbers of a list of contents are not used. The labels that are stepped over
are decoded in turn.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from extract.numbering.chain import Costs, best_chains
from extract.numbering.sequence import stepping
from extract.survey.labels import LabelCandidate, LabelShape
from extract.weights import weights

if TYPE_CHECKING:
    from extract.numbering.chain import Floats, Ints

_SKIPPED, _OVER, _LIST = weights("labels", "survey.skipped", "label.over", "survey.list")
LONGEST_GAP = int(weights("labels", "step.list")[0])
"""The most numbers that may be missing between two labels of a numbering; also, lists seldom have more items."""


@dataclass(frozen=True, slots=True)
class FoundNumbering:
    """Labels of one shape with increasing numbers; `inserted` are those with a letter (`12a`) between them."""

    labels: tuple[LabelCandidate, ...]
    inserted: tuple[LabelCandidate, ...] = ()

    @property
    def shape(self) -> LabelShape:
        return self.labels[0].shape

    @property
    def start(self) -> int:
        return self.labels[0].start

    @property
    def end(self) -> int:
        """The offset at which the last label ends, and its text begins."""
        return max(x.end for x in (*self.labels[-1:], *self.inserted))

    @property
    def last(self) -> int:
        return self.labels[-1].number

    @property
    def alone(self) -> bool:
        """Whether most of its labels are alone on their lines."""
        return sum(x.alone for x in self.labels) * 3 > len(self.labels) * 2

    @property
    def first(self) -> int:
        """The first number in print: 1, except in an excerpt, which begins with a high number."""
        return self.labels[0].number if self.labels[0].number > LONGEST_GAP else 1

    @property
    def gaps(self) -> tuple[int, ...]:
        """The numbers without a label, from the first in print to the last."""
        return tuple(sorted(set(range(self.first, self.last + 1)) - {x.number for x in self.labels}))


def find_numberings(
    seen: Sequence[LabelCandidate], titles: Sequence[int] = (), heads: Sequence[int] = ()
) -> list[FoundNumbering]:
    """Find the numberings of a text, except those by letters.

    Args:
        seen: all possible labels, in reading order.
        titles: the offsets of headings that announce laws; numberings begin below them.
        heads: the offsets of headings of any kind.
    Returns:
        The numberings in reading order. One of fewer than three labels is below a heading or is the first of its shape.
    """
    shapes: dict[LabelShape, list[LabelCandidate]] = defaultdict(list)
    for label in seen:
        if label.shape.numeral != "a":
            shapes[label.shape].append(label)
    found = (x for labels in shapes.values() for x in _numberings(labels, titles, heads))
    return sorted(found, key=lambda x: x.start)


def _numberings(
    labels: Sequence[LabelCandidate], titles: Sequence[int], heads: Sequence[int]
) -> Iterator[FoundNumbering]:
    """Yield the numberings of one shape: those that follow one another, then the lists within them."""
    plain, lettered = [x for x in labels if not x.letter], [x for x in labels if x.letter]
    unheaded_cost = float(LONGEST_GAP)
    while plain and (chains := _decode(plain, titles, heads, unheaded_cost)):
        yield from (FoundNumbering(tuple(chain), tuple(_inserted(lettered, chain))) for chain in chains)
        gone = {x.start for chain in chains for x in chain}
        plain, unheaded_cost = [x for x in plain if x.start not in gone], _LIST


def _inserted(lettered: Sequence[LabelCandidate], chain: Sequence[LabelCandidate]) -> Iterator[LabelCandidate]:
    """Yield the labels with a letter that follow the label of the same number, before the next one."""
    for label in lettered:
        at = bisect_left(chain, label.start, key=lambda x: x.start) - 1
        if at >= 0 and chain[at].number == label.number:
            yield label


def _decode(
    labels: Sequence[LabelCandidate], titles: Sequence[int], heads: Sequence[int], unheaded_cost: float
) -> list[list[LabelCandidate]]:
    """Return the successive numberings that explain most; beginning one without a heading costs `unheaded_cost`."""
    import numpy as np

    number = np.array([x.number for x in labels])
    above = list(zip(_above(labels), labels, strict=True))
    below, titled = (
        np.array([not at or bisect_right(places, at) < bisect_right(places, x.start) for at, x in above])
        for places in (heads, titles)
    )

    def step(before: Ints, after: Ints) -> Floats:
        cost: Floats = _SKIPPED * (number[after] - number[before] - 1) + _OVER * stepping(after - before - 1)
        return cost

    late = _SKIPPED * np.minimum(number - 1, LONGEST_GAP)
    begin = np.where(titled, late / 2, late) + np.where(below, 0.0, unheaded_cost)
    far = _SKIPPED * (LONGEST_GAP - 1)  # less than the cost of a new beginning
    costs = Costs(begin, step, LONGEST_GAP + 1, LONGEST_GAP, far)
    chains = best_chains(np.arange(len(labels)), number, np.ones(len(labels)), costs)
    return [[labels[i] for i in chain] for chain in chains]


def _above(labels: Sequence[LabelCandidate]) -> Iterator[int]:
    """Yield, for each label, the offset of the last label above it with another number; 0 if there is none.

    A label of the same number is passed over: a list of contents may have the first number of the chapter below it,
    with no heading between the two.
    """
    at = 0
    for before, label in pairwise([*labels[:1], *labels]):
        at = before.start if before.number != label.number else at
        yield at
