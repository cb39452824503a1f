"""Pages of long lists."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ListPage:
    """Page `number`, from 1, of a list of `total` items, `size` per page; the last page if there are fewer."""

    number: int
    size: int
    total: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "number", min(self.number, self.pages))

    @property
    def pages(self) -> int:
        """The number of pages that the list fills, at least one."""
        return max(1, -(-self.total // self.size))

    @property
    def skipped(self) -> int:
        """The number of items on the pages before."""
        return (self.number - 1) * self.size
