"""Long lists page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class ListPage:
    """Page `number`, from 1, of a list of `total` things, `size` on a page; its last page if it has fewer."""

    number: int
    size: int
    total: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "number", min(self.number, self.pages))

    @property
    def pages(self) -> int:
        """How many pages the list fills, one at least."""
        return max(1, -(-self.total // self.size))

    @property
    def skipped(self) -> int:
        """How many things the pages before have."""
        return (self.number - 1) * self.size

    @property
    def is_last(self) -> bool:
        """Whether no page follows."""
        return self.number == self.pages

    def of(self, things: Sequence[Thing]) -> tuple[Thing, ...]:
        """What the page has of the whole list."""
        return tuple(things[self.skipped : self.skipped + self.size])
