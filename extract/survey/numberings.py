"""The numberings among labels: one decoding of all labels of a shape, in which numberings follow one another.

What explains most labels at least cost is taken (the principle of minimum description length: Rissanen, Automatica 14,
1978). A label explained is worth 1. A numbering pays for its beginning, for numbers that it skips, and for labels of
its shape that it steps over. One without a heading above it must explain more labels than a list has: so the list
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

if TYPE_CHECKING:
    from extract.numbering.chain import Floats, Ints

# Costs, a label seen being worth 1; set by hand on invented e-texts and two statute codes (docs/quality.md).
LONGEST_GAP = 12
"""Numbers that may be missing between two labels of a numbering, and the items that a list seldom exceeds."""
_SKIPPED = 0.7  # each number that is missing between two labels, or before the first
_FAR = 8.0  # a gap that is longer: a leaf is lost, or each chapter begins a hundred
_OVER = 0.35  # labels stepped over, by their `stepping`
_INDENTED, _INDENT = 0.5, 3  # a label as many characters nearer the margin than the one before
_WITHIN, _DOUBTFUL = 0.2, 0.3  # a label within a line, and one that is misread
_HEADED, _LONE = 0.6, 2.0  # a numbering below a heading, and a list within another numbering
_FEWEST = 3  # labels of a numbering within another


@dataclass(frozen=True, slots=True)
class FoundNumbering:
    """Labels of one shape, their numbers increasing; `inserted` are those with a letter (`12a`) that stand among them.

    `inner`: it stands within another of its shape.
    """

    labels: tuple[Sighting, ...]
    inserted: tuple[Sighting, ...] = ()
    inner: bool = False

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
    def first(self) -> int:
        return self.labels[0].number

    @property
    def last(self) -> int:
        return self.labels[-1].number

    @property
    def alone(self) -> bool:
        """Whether its labels have lines of their own."""
        return sum(x.alone for x in self.labels) * 3 > len(self.labels) * 2

    @property
    def running(self) -> bool:
        """Whether its labels stand in running text: a sixth of them and more within lines."""
        return sum(x.within for x in self.labels) * 6 > len(self.labels)

    @property
    def begins(self) -> int:
        """The number with which it begins in print: 1, but for an excerpt, which begins with a high one."""
        return self.first if self.first > LONGEST_GAP else 1

    @property
    def gaps(self) -> tuple[int, ...]:
        """The numbers that no label bears, from the first in print to the last."""
        return tuple(sorted(set(range(self.begins, self.last + 1)) - {x.number for x in self.labels}))


def find_numberings(
    seen: Sequence[Sighting], titles: Sequence[int] = (), heads: Sequence[int] = ()
) -> list[FoundNumbering]:
    """The numberings of a text.

    Args:
        seen: all labels seen, in reading order.
        titles: where headings stand that say that laws or rules follow; numberings begin below them.
        heads: where headings stand of any kind.
    Returns:
        In reading order. Those of less than three labels stand below a heading, beside others of their shape.
    """
    shapes: dict[LabelShape, list[Sighting]] = defaultdict(list)
    for label in seen:
        shapes[label.shape].append(label)
    found = [x for labels in shapes.values() for x in _numberings(labels, titles, heads)]
    found.sort(key=lambda x: (-len(x.labels), x.shape.numeral == "a"))
    taken: set[int] = set()
    kept: list[FoundNumbering] = []
    for numbering in found:  # a letter that is a roman numeral too belongs to the longer one
        places = {x.start for x in numbering.labels}
        if len(places & taken) * 2 <= len(places):
            kept.append(numbering)
            taken |= places
    return sorted(kept, key=lambda x: x.start)


def _numberings(labels: Sequence[Sighting], titles: Sequence[int], heads: Sequence[int]) -> Iterator[FoundNumbering]:
    """The numberings of one shape: those that follow one another, then the lists within them."""
    plain, lettered = [x for x in labels if not x.letter], [x for x in labels if x.letter]
    inner = False
    while plain:
        chains = _decode(plain, titles, heads, _LONE if inner else LONGEST_GAP)
        for chain in chains:
            if not inner or len(chain) >= _FEWEST:
                yield FoundNumbering(tuple(chain), tuple(_inserted(lettered, chain)), inner)
        if inner and not chains:
            return
        gone = {x.start for chain in chains for x in chain}
        plain, inner = [x for x in plain if x.start not in gone], True


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

    number, indent, within, doubtful = (
        np.array([getattr(x, name) for x in labels]) for name in ("number", "indent", "within", "doubtful")
    )
    clear = np.cumsum(~within)
    above = list(_above(labels))
    headed = np.array([not a or _between(heads, a, x.start) for a, x in zip(above, labels, strict=True)])
    titled = np.array([_between(titles, a, x.start) for a, x in zip(above, labels, strict=True)])

    def step(before: Ints, after: Ints) -> Floats:
        cost: Floats = _SKIPPED * (number[after] - number[before] - 1)
        cost += _OVER * stepping(clear[after] - clear[before] - 1)
        cost += _INDENTED * ((abs(indent[after] - indent[before]) > _INDENT) & ~within[after])
        return cost

    worth = 1.0 - _DOUBTFUL * doubtful - _WITHIN * within
    late = _SKIPPED * np.minimum(number - 1, LONGEST_GAP)
    begin = np.where(titled, late / 2, late) + np.where(headed, _HEADED, lone)
    first = {x.number: x.start for x in reversed(labels)}
    begin[(number > LONGEST_GAP) & [first[x.number] < x.start for x in labels]] = np.inf  # no excerpt repeats a number
    costs = Costs(begin, step, LONGEST_GAP + 1, LONGEST_GAP, _FAR)
    chains = best_chains(np.arange(len(labels)), number, worth, costs)
    return [[labels[i] for i in chain] for chain in chains]


def _above(labels: Sequence[Sighting]) -> Iterator[int]:
    """For each label where the last one of another number stands above it, or 0: it is then within no numbering.

    A list of contents has the first number of the chapter below it, and no heading between.
    """
    at = 0
    for before, label in pairwise([*labels[:1], *labels]):
        at = before.start if before.number != label.number else at
        yield at


def _between(places: Sequence[int], start: int, end: int) -> bool:
    """Whether one of some places lies behind `start`, and not behind `end`."""
    return bisect_right(places, start) < bisect_right(places, end)
