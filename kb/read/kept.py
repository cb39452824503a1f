"""What is loaded from a knowledge base once in a process, and kept while its file stands or until more is wanted."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import closing
from pathlib import Path
from typing import Generic, TypeVar

Loaded = TypeVar("Loaded")
Key = TypeVar("Key", bound=Hashable)

_KEPT = 2  # builds: while one takes another's place, both are asked


class Recent(Generic[Key, Loaded]):
    """What was loaded last, by key; any number of threads may ask for it, and one loads at a time.

    Args:
        most: how many are kept; which was not asked for longest is dropped first (LRU).
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Key, Loaded] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def __contains__(self, key: Key) -> bool:
        return key in self._kept

    def get(self, key: Key, load: Callable[[], Loaded]) -> Loaded:
        """What is kept for a key, loaded if it is not there."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = load()
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
            return self._kept[key]


def once_a_build(load: Callable[[sqlite3.Connection], Loaded]) -> Callable[[sqlite3.Connection], Loaded]:
    """Have what a function loads kept for each knowledge base; any number of threads may ask for it.

    Args:
        load: reads what is to be kept; it keeps nothing of the connection. A knowledge base that is no file has
            nothing to be known by again, and is read anew each time.
    """
    kept: Recent[tuple[str, int, int, int], Loaded] = Recent(_KEPT)

    def loaded(conn: sqlite3.Connection) -> Loaded:
        identity = _identity(conn)
        return kept.get(identity, lambda: _loaded(load, conn, identity[0])) if identity else load(conn)

    return loaded


def _loaded(load: Callable[[sqlite3.Connection], Loaded], conn: sqlite3.Connection, path: str) -> Loaded:
    """What a function loads, by a connection of its own.

    The one at hand may have a limit of time for what its visitor asks; a load that is broken off would be begun anew
    for each. What only that one sees, in the midst of a transaction, is read by it.
    """
    if conn.in_transaction:
        return load(conn)
    with closing(sqlite3.connect(f"{Path(path).as_uri()}?mode=ro", uri=True)) as own:
        return load(own)


def _identity(conn: sqlite3.Connection) -> tuple[str, int, int, int] | None:
    """The file of a connection, with what changes when another takes its place."""
    # As bytes: the name of a file need not be UTF-8.
    told = conn.cursor().execute("select cast(file as blob) from pragma_database_list where name = 'main'").fetchone()
    path = os.fsdecode(told[0] or b"") if told else ""
    if not path:
        return None
    found = os.stat(path)  # noqa: PTH116 - asked several times for every page, and a Path takes longer to make
    return path, found.st_ino, found.st_mtime_ns, found.st_size
