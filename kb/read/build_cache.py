"""What is loaded from a knowledge base once in a process, and cached while its file stands or until more is wanted."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar, TypeVarTuple

from cachetools import LRUCache, cached

Loaded = TypeVar("Loaded")
More = TypeVarTuple("More")
# File name, inode, time of the last change and size.
Identity = tuple[str, int, int, int]

_BUILDS = 2  # while one takes another's place, both are asked


def cached_per_build(
    load: Callable[[sqlite3.Connection, *More], Loaded],
    most: int = _BUILDS,
    size: Callable[[Loaded], int] = lambda _: 1,
) -> Callable[[sqlite3.Connection, *More], Loaded]:
    """Cache what a function loads from each knowledge base; of threads that ask at once, one loads.

    Args:
        load: reads what is to be cached, from a connection and further arguments that can be hashed; it keeps nothing
            of the connection. A knowledge base that is no file cannot be recognised again, and is read each time.
        most: how many results are cached; the one not asked for longest is dropped first (LRU).
        size: for how many a result counts; one that is larger than all may be is read each time.
    """
    results: LRUCache[object, Loaded] = LRUCache(most, getsizeof=size)

    @cached(results, key=lambda identity, _, *args: (identity, *args), condition=threading.Condition())
    def of_file(identity: Identity, conn: sqlite3.Connection, *args: *More) -> Loaded:
        # The connection at hand may have a limit of time for what its visitor asks; a load that is broken off would be
        # begun anew for each. What only it sees, in the midst of a transaction, is read by it.
        if conn.in_transaction:
            return load(conn, *args)
        with closing(sqlite3.connect(f"{Path(identity[0]).as_uri()}?mode=ro", uri=True)) as own:
            return load(own, *args)

    def loaded(conn: sqlite3.Connection, *args: *More) -> Loaded:
        identity = _identity(conn)
        return of_file(identity, conn, *args) if identity else load(conn, *args)

    return loaded


def _identity(conn: sqlite3.Connection) -> Identity | None:
    """The file of a connection, with what changes when another takes its place."""
    # As bytes: the name of a file need not be UTF-8.
    told = conn.cursor().execute("select cast(file as blob) from pragma_database_list where name = 'main'").fetchone()
    path = os.fsdecode(told[0] or b"") if told else ""
    if not path:
        return None
    found = os.stat(path)  # noqa: PTH116 - asked several times for every page, and a Path takes longer to make
    return path, found.st_ino, found.st_mtime_ns, found.st_size
