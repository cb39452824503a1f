"""The best increasing chain: no other is worth more, and the work to find it grows only linearly with the text."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from extract.numbering.chain import Costs, best_chain


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Readings at places, and what chains of them cost; weights are halves, so that sums are exact."""

    place: tuple[int, ...]
    number: tuple[int, ...]
    worth: tuple[float, ...]
    begin: tuple[float, ...]
    short: tuple[tuple[float, ...], ...]
    reach: int
    far: float

    def solved(self, latest: int = 9) -> list[int]:
        return best_chain(*self.weighed(latest))

    def weighed(self, latest: int = 9) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64], Costs]:
        """Places, numbers, worths and the costs of chains."""
        short = np.array(self.short)
        number = np.array(self.number, dtype=np.intp)

        def step(before: NDArray[np.intp], after: NDArray[np.intp]) -> NDArray[np.float64]:
            wide = number[after] - number[before]
            assert ((wide > 0) & (wide <= self.reach))[before >= 0].all()
            cost: NDArray[np.float64] = short[before, after]
            return cost

        place, worth, begin = np.array(self.place, dtype=np.intp), np.array(self.worth), np.array(self.begin)
        return place, number, worth, Costs(begin, step, self.reach, latest, self.far)

    def value(self, chain: tuple[int, ...]) -> float:
        steps = (self.cost(a, b) for a, b in pairwise(chain))
        return sum(self.worth[i] for i in chain) - self.begin[chain[0]] - sum(steps)

    def cost(self, a: int, b: int) -> float:
        return min(self.short[a][b] if self.number[b] - self.number[a] <= self.reach else inf, self.far)

    def chains(self, begun: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
        """All chains that extend a given one; by default, all."""
        for i in range(len(self.number)):
            if not begun or self.rises(begun[-1], i):
                yield (*begun, i)
                yield from self.chains((*begun, i))

    def rises(self, a: int, b: int) -> bool:
        return self.place[a] < self.place[b] and self.number[a] < self.number[b]


def puzzle(seed: int) -> Puzzle:
    """A random puzzle."""
    noise = random.Random(seed)
    read = sorted(noise.sample([*product(range(7), range(4))], noise.randint(6, 10)))

    def weights() -> tuple[float, ...]:
        return tuple(noise.randint(0, 8) / 2 for _ in read)

    return Puzzle(
        tuple(place for place, _ in read),
        tuple(number for _, number in read),
        tuple(w - 1 for w in weights()),
        weights(),
        tuple(weights() for _ in read),
        noise.randint(0, 4),
        noise.choice([0.0, 1.5, 3.0, inf, inf]),
    )


PUZZLES = st.builds(puzzle, st.integers(0, 10**9))


@settings(max_examples=150)
@given(PUZZLES)
def test_best_chain_increases_and_none_is_worth_more(puzzle: Puzzle) -> None:
    chain = tuple(puzzle.solved())
    best = max(map(puzzle.value, puzzle.chains()), default=0.0)
    assert all(puzzle.rises(a, b) for a, b in pairwise(chain))
    assert (puzzle.value(chain) if chain else 0.0) == max(best, 0.0)


@given(PUZZLES, st.lists(st.integers(0, 8), min_size=10, max_size=10))
def test_best_chain_per_number_suffices_if_costs_depend_on_numbers_only(puzzle: Puzzle, costs: list[int]) -> None:
    short = tuple(tuple(costs[abs(a - b)] / 2 for a in puzzle.number) for b in puzzle.number)
    alike = replace(puzzle, short=short)
    assert alike.solved(latest=0) == alike.solved()


@pytest.mark.parametrize("reach", [0, 9], ids=["long steps", "short steps"])
@pytest.mark.parametrize("numbers", [[1, 2, 2, 3], [1, 2, 9, 3], [1, 5, 3, 7]])
def test_ties_go_to_the_closest_chain_and_the_first_reading(reach: int, numbers: list[int]) -> None:
    places, far = np.arange(4), inf if reach else 0.0
    chain = best_chain(places, np.array(numbers), np.ones(4), Costs(0.0, lambda a, b: 0.0 * (b - a), reach, 2, far))
    assert chain == [0, 1, 3]


@pytest.mark.parametrize(("worth", "chain"), [(1.0, [0, 1, 2]), (0.0, [])])
def test_chain_must_be_worth_something(worth: float, chain: list[int]) -> None:
    assert best_chain(np.arange(3), np.arange(3), np.full(3, worth), Costs(far=0.0)) == chain


def test_number_of_steps_weighed_is_linear_in_the_text() -> None:
    weighed: list[int] = []

    def step(before: NDArray[np.intp], after: NDArray[np.intp]) -> NDArray[np.float64]:
        weighed.append(before.size)
        return np.zeros(before.shape)

    best_chain(np.arange(2000), np.arange(2000) * 7 % 100, np.ones(2000), Costs(0.0, step, 5, 3, 1.0))
    assert sum(weighed) <= 20 * 2000
