"""Finished parts of pages, kept while a build is served: many addresses share a part that has been made for one."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from markupsafe import Markup

# Characters of all parts together; one takes a byte, or two where it has signs that Latin-1 has not.
MOST = 2_000_000


class Fragments:
    """Parts of pages by key, bounded in characters; which was not asked for longest is dropped first (LRU).

    Args:
        most: characters of all parts together.
    """

    def __init__(self, most: int = MOST) -> None:
        self.size = 0
        self._most = most
        self._parts: OrderedDict[Hashable, Markup] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Markup]) -> Markup:
        """The part of a key, made if it is not there; two threads may both make it."""
        with self._lock:
            if key in self._parts:
                self._parts.move_to_end(key)
                return self._parts[key]
        part = make()
        with self._lock:
            self.size += len(part) - len(self._parts.get(key, ""))
            self._parts[key] = part
            while self.size > self._most:
                self.size -= len(self._parts.popitem(last=False)[1])
        return part
