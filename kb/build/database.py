"""Build the knowledge base: editions side by side, then one database file, written whole or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from pathlib import Path

import sqlite_utils

from extract.corpus.book import Book, load_books
from extract.model import Edition
from kb.build.atomic import require_writable, unwritable, whole_file
from kb.build.editions import Progress, make_editions
from kb.build.knowledge import gather
from kb.build.load import Knowledge, load
from kb.build.moved import read_moved

_JOURNALS = ("-journal", "-wal", "-shm")


def build(
    corpus: Path,
    target: Path,
    *,
    unaided: bool = False,
    executor: Executor | None = None,
    progress: Progress = print,
) -> None:
    """Build the knowledge base of a corpus.

    Args:
        corpus: the folder of book folders.
        target: the SQLite file to write; an older one is replaced when the new one is complete.
        unaided: leave the editor's files aside.
        executor: where editions are made; by default a pool of processes. Any `concurrent.futures` executor will do.
        progress: told, in words, how far the build is.
    Raises:
        WhistError: a book is not what it must be, or the file cannot be written.
    """
    books = load_books(corpus)
    require_writable(target)
    progress(f"{len(books)} books")
    editions = make_editions(books, unaided=unaided, executor=executor, progress=progress)
    progress("concepts and links")
    known = gather(corpus, books, editions, unaided=unaided)
    moved = {} if unaided else {old: new for book in books for old, new in read_moved(book.folder).items()}
    progress("database")
    with whole_file(target, beside=_JOURNALS) as path:
        try:
            _write(path, books, editions, known, moved)
        except sqlite3.OperationalError as error:
            raise unwritable(target, error) from error
    progress(f"{target}: {target.stat().st_size / 1e6:.1f} MB")


def _write(
    path: Path, books: Sequence[Book], editions: Sequence[Edition], known: Knowledge, moved: Mapping[str, str]
) -> None:
    db = sqlite_utils.Database(path)
    with closing(db.conn):
        db.conn.isolation_level = None
        db.execute("pragma page_size = 4096")
        db.execute("pragma journal_mode = off")
        db.execute("begin")
        load(db, books, editions, known, moved)
        db.execute("commit")
        db.execute("vacuum")
