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
from kb.build import serialisation
from kb.build.atomic import JOURNALS, require_writable, unwritable, whole_file
from kb.build.cache import Cache
from kb.build.editions import Progress, at_work
from kb.build.knowledge import gather, read_ground
from kb.build.load import Knowledge, load
from kb.build.moved import read_moved
from kb.concepts.tagging import read_thesaurus


def build(
    corpus: Path,
    target: Path,
    *,
    unaided: bool = False,
    executor: Executor | None = None,
    progress: Progress = print,
    cache: Cache | None = None,
) -> None:
    """Build the knowledge base of a corpus.

    Args:
        corpus: the folder of book folders.
        target: the SQLite file to write; an older one is replaced when the new one is complete.
        unaided: leave the editor's files aside.
        executor: where editions are made; by default a pool of processes. Any `concurrent.futures` executor will do.
        progress: told, in words, how far the build is.
        cache: what was made before, and need not be made again; None to make all (see also `kb.build.reuse`).
    Raises:
        WhistError: a book is not what it must be, or the file cannot be written.
    """
    books = load_books(corpus)
    require_writable(target)
    concepts = read_thesaurus(corpus / "thesaurus.toml")
    with at_work(books, concepts, unaided=unaided, executor=executor, progress=progress, cache=cache) as done:
        ground = read_ground(corpus, concepts, unaided=unaided)
        works = {work.book_id: work for work in done}
    editions = [serialisation.read(works[book.id].edition) for book in books]
    tags = sorted(tag for work in works.values() for tag in serialisation.read_tags(work.tags))
    progress("links and answers")
    known = gather(ground, books, editions, tags, cache)
    moved = {} if unaided else {old: new for book in books for old, new in read_moved(book.folder).items()}
    progress("database")
    with whole_file(target, beside=JOURNALS) as path:
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
