"""Build the knowledge base: editions side by side, then one database file, written whole or not at all."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import sqlite_utils

from extract.book import Book, load_books
from extract.edition import make_edition
from extract.errors import DatabaseError
from extract.model import Edition
from kb.knowledge import gather
from kb.load import load
from kb.moved import read_moved

Progress = Callable[[str], None]


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
    progress(f"{len(books)} books")
    editions = make_editions(books, unaided=unaided, executor=executor, progress=progress)
    progress("concepts, citations and links")
    editions, known = gather(corpus, books, editions, unaided=unaided)
    moved = {} if unaided else {old: new for book in books for old, new in read_moved(book.folder).items()}
    progress("database")
    with whole_file(target) as path:
        db = sqlite_utils.Database(path)
        db.conn.isolation_level = None
        db.execute("pragma page_size = 4096")
        db.execute("pragma journal_mode = off")
        db.execute("begin")
        load(db, books, editions, known, moved)
        db.execute("commit")
        db.execute("vacuum")
        db.conn.close()
    progress(f"{target}: {target.stat().st_size / 1e6:.1f} MB")


def make_editions(
    books: Sequence[Book], *, unaided: bool, executor: Executor | None = None, progress: Progress = print
) -> list[Edition]:
    """Make the edition of each book, side by side.

    Args:
        books: the books.
        unaided: leave the editor's files aside.
        executor: where; by default a pool of as many processes as there are books and processors.
        progress: told when a book is done.
    """
    make = partial(make_edition, unaided=unaided)
    if executor is None:
        with ProcessPoolExecutor(min(len(books), os.cpu_count() or 1)) as pool:
            return make_editions(books, unaided=unaided, executor=pool, progress=progress)
    editions: list[Edition] = []
    for edition in executor.map(make, books):
        progress(f"{edition.book_id}: {len(edition.units)} units")
        editions.append(edition)
    return editions


@contextmanager
def whole_file(target: Path) -> Iterator[Path]:
    """A path to write to, beside the target; it takes the target's place when the block ends well.

    Raises:
        DatabaseError: the place cannot be written to.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
        os.close(handle)
    except OSError as error:
        raise DatabaseError(f"{target} cannot be written ({error.strerror}); choose another place.") from error
    part = Path(name)
    try:
        yield part
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.chmod(0o644)
        part.replace(target)
    except (OSError, sqlite3.OperationalError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DatabaseError(f"{target} cannot be written ({reason}); choose another place.") from error
    finally:
        part.unlink(missing_ok=True)
