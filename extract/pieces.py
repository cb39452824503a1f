"""Pieces of the work on a book that depend on its scan alone, so that a cache may have them from an earlier build."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

_T = TypeVar("_T")


class Recall(Protocol):
    """Gives a piece that may be known already; whoever keeps pieces looks after the code they were made with.

    Called with the class of the piece, all texts that it depends on, and the function that makes it.
    """

    def __call__(self, kind: type[_T], made_of: Sequence[str], make: Callable[[], _T]) -> _T: ...


def anew(kind: type[_T], made_of: Sequence[str], make: Callable[[], _T]) -> _T:
    """The `Recall` that knows nothing."""
    return make()
