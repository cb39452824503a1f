"""The numberings among labels: one decoding of all labels of a shape, in which numberings follow one another.

What explains most labels at least cost is taken (the principle of minimum description length: Rissanen, Automatica 14,
1978). A label explained is worth 1. A numbering pays for its beginning, for numbers that it skips, and for labels of
its shape that it steps over. One without a title above it must explain more labels than a list has: so the list
within a law is stepped over, and no list of contents lends its numbers. What is stepped over is decoded in turn.
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
from extract.survey.labels import LabelShape, Sighting
from extract.weights import weights

if TYPE_CHECKING:
    from extract.numbering.chain import Floats, Ints

_SKIPPED, _OVER, _LIST = weights("labels", "survey.skipped", "label.over", "survey.list")
LONGEST_GAP = int(weights("labels", "step.list")[0])
"""Numbers that may be missing between two labels of a numbering, and the items that a list seldom exceeds."""


@dataclass(frozen=True, slots=True)
class FoundNumbering:
    """Labels of one shape, their numbers increasing; `inserted` are those with a letter (`12a`) among them."""

    labels: tuple[Sighting, ...]
    inserted: tuple[Sighting, ...] = ()

    @property
    def shape(self) -> LabelShape:
        return self.labels[0].shape

    @property
    def start(self) -> int:
        return self.labels[0].start

    @property
    def end(self) -> int:
        """Where the text of the last label begins."""
        return max(x.end for x in (*self.labels[-1:], *self.inserted))

    @property
    def last(self) -> int:
        return self.labels[-1].number

    @property
    def alone(self) -> bool:
        """Whether its labels have lines of their own."""
        return sum(x.alone for x in self.labels) * 3 > len(self.labels) * 2

    @property
    def first(self) -> int:
        """The number with which it begins in print: 1, but for an excerpt, which begins with a high one."""
        return self.labels[0].number if self.labels[0].number > LONGEST_GAP else 1

    @property
    def gaps(self) -> tuple[int, ...]:
        """The numbers that no label bears, from the first in print to the last."""
        return tuple(sorted(set(range(self.first, self.last + 1)) - {x.number for x in self.labels}))


def find_numberings(
    seen: Sequence[Sighting], titles: Sequence[int] = (), heads: Sequence[int] = ()
) -> list[FoundNumbering]:
    """The numberings of a text, but for those by letters.

    Args:
        seen: all labels seen, in reading order.
        titles: where headings stand that say that laws follow; numberings begin below them.
        heads: where headings stand of any kind.
    Returns:
        In reading order. Those of less than three labels stand below a title, beside others of their shape.
    """
    shapes: dict[LabelShape, list[Sighting]] = defaultdict(list)
    for label in seen:
        if label.shape.numeral != "a":
            shapes[label.shape].append(label)
    found = (x for labels in shapes.values() for x in _numberings(labels, titles, heads))
    return sorted(found, key=lambda x: x.start)


def _numberings(labels: Sequence[Sighting], titles: Sequence[int], heads: Sequence[int]) -> Iterator[FoundNumbering]:
    """The numberings of one shape: those that follow one another, then the lists within them."""
    plain, lettered = [x for x in labels if not x.letter], [x for x in labels if x.letter]
    lone = float(LONGEST_GAP)
    while plain and (chains := _decode(plain, titles, heads, lone)):
        yield from (FoundNumbering(tuple(chain), tuple(_inserted(lettered, chain))) for chain in chains)
        gone = {x.start for chain in chains for x in chain}
        plain, lone = [x for x in plain if x.start not in gone], _LIST


def _inserted(lettered: Sequence[Sighting], chain: Sequence[Sighting]) -> Iterator[Sighting]:
    """The labels with a letter that stand behind their number and before the next one."""
    for label in lettered:
        at = bisect_left(chain, label.start, key=lambda x: x.start) - 1
        if at >= 0 and chain[at].number == label.number:
            yield label


def _decode(
    labels: Sequence[Sighting], titles: Sequence[int], heads: Sequence[int], lone: float
) -> list[list[Sighting]]:
    """The numberings, one behind the other, that explain most; one without a heading above it begins at a cost."""
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
    begin = np.where(titled, late / 2, late) + np.where(below, 0.0, lone)
    far = _SKIPPED * (LONGEST_GAP - 1)  # less than to begin anew
    costs = Costs(begin, step, LONGEST_GAP + 1, LONGEST_GAP, far)
    chains = best_chains(np.arange(len(labels)), number, np.ones(len(labels)), costs)
    return [[labels[i] for i in chain] for chain in chains]


def _above(labels: Sequence[Sighting]) -> Iterator[int]:
    """For each label where the last one of another number stands above it, or 0: it is then within no numbering.

    A list of contents has the first number of the chapter below it, and no heading between.
    """
    at = 0
    for before, label in pairwise([*labels[:1], *labels]):
        at = before.start if before.number != label.number else at
        yield at
