"""Intermediate results that depend on given texts alone, so that a cache may keep them between builds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

_T = TypeVar("_T")


class ResultCache(Protocol):
    """Returns an intermediate result, from a cache or newly made.

    Called with the class of the result, all texts that it depends on, and the function that makes it. A cache must
    not return results made by another version of the code.
    """

    def __call__(self, kind: type[_T], made_of: Sequence[str], make: Callable[[], _T]) -> _T: ...


def make_uncached(kind: type[_T], made_of: Sequence[str], make: Callable[[], _T]) -> _T:
    """The `Recall` without a cache."""
    return make()
