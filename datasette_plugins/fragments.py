"""Finished parts of pages, cached while a build is served: many addresses share a part that has been made for one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable

from cachetools import LRUCache
from markupsafe import Markup

# Characters of all parts together; one takes a byte, or two where it has signs that Latin-1 has not.
MOST = 8_000_000


class Fragments:
    """Parts of pages by key, bounded in characters.

    Args:
        most: characters of all parts together.
    """

    def __init__(self, most: int = MOST) -> None:
        self.parts: LRUCache[Hashable, Markup] = LRUCache(most, getsizeof=len)
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Markup]) -> Markup:
        """The part of a key, made if it is not there; two threads may both make it."""
        with self._lock:
            if key in self.parts:
                return self.parts[key]
        part = make()
        if len(part) <= self.parts.maxsize:
            with self._lock:
                self.parts[key] = part
        return part
