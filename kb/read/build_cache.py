"""Cache what a process loads from a knowledge base, until its file is replaced or the cache is full."""

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

_BUILDS = 2  # while a new build replaces another, both are queried


def cached_per_build(
    load: Callable[[sqlite3.Connection, *More], Loaded],
    most: int = _BUILDS,
    size: Callable[[Loaded], int] = lambda _: 1,
) -> Callable[[sqlite3.Connection, *More], Loaded]:
    """Cache what a function loads from each knowledge base; if several threads ask at once, only one loads.

    Args:
        load: reads the result from a connection and further hashable arguments; it must not keep the connection. A
            knowledge base that is not a file cannot be recognised again, and is read each time.
        most: the total size of the cached results, at most; the least recently used is dropped first (LRU).
        size: the size of a result, by default 1; a result larger than `most` is loaded each time.
    """
    results: LRUCache[object, Loaded] = LRUCache(most, getsizeof=size)

    @cached(results, key=lambda identity, _, *args: (identity, *args), condition=threading.Condition())
    def of_file(identity: Identity, conn: sqlite3.Connection, *args: *More) -> Loaded:
        # The caller's connection may have a time limit for a visitor's query; a load that it interrupts would start
        # again for each visitor. So the load has its own connection, unless it must see the caller's open transaction.
        if conn.in_transaction:
            return load(conn, *args)
        with closing(sqlite3.connect(f"{Path(identity[0]).as_uri()}?mode=ro", uri=True)) as own:
            return load(own, *args)

    def loaded(conn: sqlite3.Connection, *args: *More) -> Loaded:
        identity = _identity(conn)
        return of_file(identity, conn, *args) if identity else load(conn, *args)

    return loaded


def _identity(conn: sqlite3.Connection) -> Identity | None:
    """Return the file of a connection, with what changes when another replaces it; None if it has no file."""
    # As bytes: a file name need not be UTF-8.
    row = conn.cursor().execute("select cast(file as blob) from pragma_database_list where name = 'main'").fetchone()
    path = os.fsdecode(row[0] or b"") if row else ""
    if not path:
        return None
    found = os.stat(path)  # noqa: PTH116 - asked several times for every page, and a Path takes longer to make
    return path, found.st_ino, found.st_mtime_ns, found.st_size
