"""A figure: how many of how many."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

_SHOWN = 5  # examples of what is missed


@dataclass(frozen=True, slots=True)
class Figure:
    """A number `reached` of those there are; `missed` are examples of the others, or of errors."""

    reached: float
    of: int
    missed: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """The share reached, from 0 to 1; 0 of nothing is 0."""
        return self.reached / self.of if self.of else 0.0

    def __str__(self) -> str:
        missed = f"; missed {', '.join(self.missed[:_SHOWN])}" if self.missed else ""
        return f"{self.reached:,.5g} of {self.of:,} ({self.share:.2%}){missed}"


def figure(held: Iterable[bool]) -> Figure:
    """Count what holds."""
    every = list(held)
    return Figure(sum(every), len(every))
