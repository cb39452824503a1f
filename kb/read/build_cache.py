"""Cache what a process loads from a knowledge base, until its file is replaced."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple

Loaded = TypeVar("Loaded")
More = TypeVarTuple("More")
# File name, inode, time of the last change and size.
Identity = tuple[str, int, int, int]


def cached_per_build(
    load: Callable[[sqlite3.Connection, *More], Loaded],
) -> Callable[[sqlite3.Connection, *More], Loaded]:
    """Cache what a function loads from the last knowledge base it was asked about; of several threads only one loads.

    Args:
        load: reads the result from a connection, and perhaps for a book. What has no file (`:memory:`) cannot be
            recognised again, and is read each time.
    """
    kept: dict[tuple[object, ...], Loaded] = {}
    lock = threading.RLock()

    @wraps(load)
    def loaded(conn: sqlite3.Connection, *args: *More) -> Loaded:
        identity = _identity(conn)
        if identity is None:
            return load(conn, *args)
        with lock:
            if (key := (identity, *args)) not in kept:
                if any(other != identity for other, *_ in kept):
                    kept.clear()
                kept[key] = _whole(load, conn, *args)
            return kept[key]

    return loaded


def _whole(load: Callable[[sqlite3.Connection, *More], Loaded], conn: sqlite3.Connection, *args: *More) -> Loaded:
    """Load with plain rows, and without the time limit of the query for which it is needed: all others need it too."""
    rows, conn.row_factory = conn.row_factory, None
    conn.set_progress_handler(None, 0)
    try:
        return load(conn, *args)
    finally:
        conn.row_factory = rows


def _identity(conn: sqlite3.Connection) -> Identity | None:
    # As bytes: a file name need not be UTF-8.
    row = conn.cursor().execute("select cast(file as blob) from pragma_database_list where name = 'main'").fetchone()
    path = os.fsdecode(row[0] or b"") if row else ""
    if not path:
        return None
    found = os.stat(path)  # noqa: PTH116 - asked several times for every page, and a Path takes longer to make
    return path, found.st_ino, found.st_mtime_ns, found.st_size
