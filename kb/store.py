"""Open a built knowledge base for reading."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from extract.errors import DatabaseError
from kb.schema import TABLES


@contextmanager
def open_store(path: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection to a knowledge base.

    Args:
        path: the file that `whist build` wrote.
    Raises:
        DatabaseError: it is missing, is no SQLite file, or lacks a table of the contract.
    """
    if not path.is_file():
        raise DatabaseError(f"There is no knowledge base at {path}; make it with `whist build --db {path}`.")
    conn = sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1", uri=True)
    try:
        found = {name for (name,) in conn.execute("select name from sqlite_master where type = 'table'")}
        missing = [t.name for t in TABLES if t.name not in found]
        if missing:
            raise DatabaseError(
                f"{path} is no knowledge base of this version (it lacks the table {missing[0]}); build it again."
            )
        yield conn
    except sqlite3.DatabaseError as error:
        raise DatabaseError(f"{path} cannot be read as a knowledge base ({error}); build it again.") from error
    finally:
        conn.close()
