"""Databases made from the samples of books."""

import sqlite3
from pathlib import Path

from kb.build.database import build


def build_database(corpus: Path, target: Path) -> Path:
    """Build a knowledge base in this process, and return its path."""
    build(corpus, target, workers=1, progress=lambda _: None)
    return target


def damaged(database: Path) -> bytes:
    """A database with an index overwritten by zeros; it opens, and most queries still work."""
    data = bytearray(database.read_bytes())
    with sqlite3.connect(database) as db:
        (page,) = db.execute("select rootpage from sqlite_master where name = 'sqlite_autoindex_unit_1'").fetchone()
    data[(page - 1) * 4096 : page * 4096] = bytes(4096)
    return bytes(data)
