"""The best increasing chain of numbers of any kind: labels, page numbers, marks of pages.

A text offers readings in order, each of one number at one place, and some of them form a series. Which ones is a
weighted longest increasing subsequence problem with costs given by the caller, solved as by Viterbi (IEEE Trans. Inf.
Theory 13, 1967): the value of a chain is the worth of its readings, less the cost of where it begins and of each step
to the next reading. The caller defines the cost of a short step. No step costs more than `far`; for a long one it is
enough to know the best chain that ends below a number, which is kept as in patience sorting (Fredman, Discrete
Mathematics 11, 1975). So the running time is O(n log n).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of chains.

    `begin`: the cost of beginning with each reading. `step`: the costs of short steps between readings, given as arrays
    of the indices of the earlier and the later ones, which broadcast; `reach`: the most by which a short step raises
    the number; `latest`: of the readings of each number, a short step starts from the best so far or from one of this
    many latest. `far`: the highest cost of a step, which is that of a long one.
    """

    begin: Floats | float = 0.0
    step: Callable[[Ints, Ints], Floats] | None = None
    reach: int = 0
    latest: int = 0
    far: float = inf


def best_chain(place: Ints, number: Ints, worth: Floats, costs: Costs) -> list[int]:
    """Find the chain of readings with the highest value; its places and numbers strictly increase.

    Args:
        place: the place of each reading, in order; readings of one place exclude each other and differ in number.
        number: the number of each reading, 0 or more.
        worth: the worth of each reading.
        costs: the costs of chains.
    Returns:
        The indices of its readings; empty if no chain is worth anything. Of chains with the same value, it is the one
        that ends with the lowest number, and goes back from it by the shortest step.
    """
    import numpy as np

    if not len(number):
        return []
    score = worth - costs.begin  # of the best chain that ends with each reading
    before = np.full(len(number), -1)
    kept = np.full((int(number.max()) + costs.reach + 1, 1 + costs.latest), -1)
    below = np.arange(costs.reach)[::-1]  # kept[n + reach]: the best and the latest readings of n
    front: list[int] = []  # the best readings to start a long step from, in rising order of number and of score
    numbers = number.tolist()
    borders = np.flatnonzero(np.diff(place, prepend=place[0] - 1, append=place[-1] + 1)).tolist()
    for first, end in pairwise(borders):
        here = np.arange(first, end)
        lower = [bisect_left(front, n, key=numbers.__getitem__) for n in numbers[first:end]]
        near = kept[number[here, None] + below].reshape(len(here), -1)
        source = np.column_stack((near, [front[k - 1] if k else -1 for k in lower]))
        cost = np.full(source.shape, costs.far)
        if costs.step:
            cost[:, :-1] = costs.step(near, here[:, None])
        value = np.where(source < 0, -inf, score[source] + worth[here, None] - cost)
        best = value.argmax(axis=1)
        reached = value[here - first, best]
        before[here] = np.where(reached > score[here], source[here - first, best], -1)
        score[here] = np.maximum(reached, score[here])
        row = number[here] + costs.reach
        held = kept[row, 0]
        kept[row, 1:] = np.column_stack((kept[row, 1:], here))[:, 1:]
        kept[row, 0] = np.where((held < 0) | (score[here] > score[held]), here, held)
        for reading in range(first, end):
            at = above = bisect_right(front, numbers[reading], key=numbers.__getitem__)
            if not above or score[front[above - 1]] < score[reading]:
                while above < len(front) and score[front[above]] < score[reading]:
                    above += 1
                front[at:above] = [reading]
    last = int(np.lexsort((number, -score))[0])
    if score[last] <= 0:
        return []
    chain = [last]
    while before[chain[-1]] >= 0:
        chain.append(int(before[chain[-1]]))
    return chain[::-1]
