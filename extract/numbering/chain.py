"""The best increasing chain of numbers, whatever they number: labels, page numbers, marks of pages.

A text offers readings in order, each of one number at one place, and some of them count on. Which do is a weighted
longest increasing subsequence under costs that the caller gives, found as by Viterbi (IEEE Trans. Inf. Theory 13,
1967): a chain is worth its readings, and pays for where it begins and for each step from one to the next. A short step
costs what the caller says. No step costs more than `far`; for the long ones the best chain that ends below a number is
enough, and it is kept as in patience sorting (Fredman, Discrete Mathematics 11, 1975). So the work grows as n log n.
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
    """What chains pay.

    `begin`: for beginning with each reading. `step`: for short steps, from readings to later ones, as arrays of their
    indices that broadcast; `reach`: how many numbers a short step rises at most; `latest`: for each number a short step
    leads from the best reading so far, or from one of so many latest. `far`: for a step at most; a long one costs that.
    """

    begin: Floats | float = 0.0
    step: Callable[[Ints, Ints], Floats] | None = None
    reach: int = 0
    latest: int = 0
    far: float = inf


def best_chain(place: Ints, number: Ints, worth: Floats, costs: Costs, least: float = 0.0) -> list[int]:
    """The chain of readings that is worth most; its places and numbers strictly increase.

    Args:
        place, number, worth, costs, least: as for `best_chains`.
    Returns:
        The indices of its readings; none if no chain is worth enough.
    """
    chains = best_chains(place, number, worth, costs, least, several=False)
    return chains[0] if chains else []


def best_chains(
    place: Ints, number: Ints, worth: Floats, costs: Costs, least: float = 0.0, *, several: bool = True
) -> list[list[int]]:
    """The chains of readings, one behind the other, that are worth most together.

    Args:
        place: of each reading, in order; those of one place exclude each other, and no two of them are of one number.
        number: what each is read as, 0 or more.
        worth: of each reading.
        costs: what chains pay.
        least: what the chains must be worth more than.
        several: whether a chain may begin where another has ended; else there is one.
    Returns:
        The indices of the readings of each chain, whose places and numbers increase strictly; none if no chain is worth
        enough. Of chains that are worth the same the last is the one that ends with the lowest number, and goes back
        from it by the shortest step.
    """
    import numpy as np

    if not len(number):
        return []
    score = worth - costs.begin  # of the best chain that ends with each reading, and those before it
    before = np.full(len(number), -1)
    ended = np.full(len(number), -1)  # with what the chain before it ends, where a chain begins
    top = -1  # with what the best chains so far end
    kept = np.full((int(number.max()) + costs.reach + 1, 1 + costs.latest), -1)
    below = np.arange(costs.reach)[::-1]  # kept[n + reach]: the readings of n, the best and the latest
    front: list[int] = []  # the best readings for a long step: their numbers and their scores do not fall
    numbers = number.tolist()
    borders = np.flatnonzero(np.diff(place, prepend=place[0] - 1, append=place[-1] + 1)).tolist()
    for first, end in pairwise(borders):
        here = np.arange(first, end)
        if several and top >= 0:
            score[here] += score[top]
            ended[here] = top
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
            if score[reading] > (score[top] if top >= 0 else 0.0):
                top = reading
            at = above = bisect_right(front, numbers[reading], key=numbers.__getitem__)
            if not above or score[front[above - 1]] < score[reading]:
                while above < len(front) and score[front[above]] < score[reading]:
                    above += 1
                front[at:above] = [reading]
    last = int(np.lexsort((number, -score))[0])
    chains: list[list[int]] = []
    while last >= 0 and (chains or score[last] > least):
        chain = [last]
        while before[chain[-1]] >= 0:
            chain.append(int(before[chain[-1]]))
        chains.append(chain[::-1])
        last = int(ended[chain[-1]])
    return chains[::-1]
