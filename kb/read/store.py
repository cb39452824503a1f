"""Open a built knowledge base for reading."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from extract.errors import DatabaseError, WhistError
from kb.tables.schema import APPLICATION, VERSION

# SQLite quotes the damaged data in its error message, which Python cannot always decode.
_DAMAGE = (sqlite3.DatabaseError, UnicodeDecodeError)


@contextmanager
def open_store(path: Path, *, sound: bool = False) -> Iterator[sqlite3.Connection]:
    """Open a read-only connection to a knowledge base.

    Args:
        path: the file that `whist build` wrote.
        sound: check the whole file for damage first.
    Raises:
        DatabaseError: the file is missing, damaged, not an SQLite file, or from another version of `whist build`.
    """
    if not _is_file(path):
        raise DatabaseError(f"There is no knowledge base at {path}; make it with `whist build --db {path}`.")
    try:
        with closing(
            sqlite3.connect(f"file:{quote(os.fsencode(path.resolve()))}?mode=ro&immutable=1", uri=True)
        ) as conn:
            _require_ours(conn, path)
            if sound and not _sound(conn):
                raise DatabaseError(f"{path} is damaged; build it again.")
            try:
                yield conn
            except (WhistError, *_DAMAGE):
                raise
            except Exception as error:  # a row with wrong data: the file is damaged, or else the bug is ours
                if _sound(conn):
                    raise
                raise DatabaseError(f"{path} is damaged; build it again.") from error
    except _DAMAGE as error:
        raise DatabaseError(f"{path} cannot be read as a knowledge base ({error}); build it again.") from error


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _require_ours(conn: sqlite3.Connection, path: Path) -> None:
    (application,) = conn.execute("pragma application_id").fetchone()
    (version,) = conn.execute("pragma user_version").fetchone()
    if application != APPLICATION:
        raise DatabaseError(
            f"{path} is not a knowledge base made by `whist build`; name another file with --db, or build one."
        )
    if version != VERSION:
        raise DatabaseError(f"{path} was written by another version of `whist build`; build it again.")


def _sound(conn: sqlite3.Connection) -> bool:
    """Whether the file passes SQLite's integrity check."""
    try:
        return conn.execute("pragma integrity_check(1)").fetchall() == [("ok",)]
    except _DAMAGE:
        return False
