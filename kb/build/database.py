"""Build the knowledge base: editions side by side, then one database file, written whole or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from extract.corpus.book import Book, load_book, load_books
from extract.corpus.domain import read_domain
from kb.build import load
from kb.build.atomic import JOURNALS, require_writable, unwritable, whole_file
from kb.build.cache import Cache
from kb.build.editions import Progress, at_work
from kb.build.load import Knowledge
from kb.build.spool import Spool, SpooledEditions
from kb.build.workers import Crew
from kb.concepts.tagging import read_thesaurus
from kb.moved import read_moved

if TYPE_CHECKING:
    import sqlite_utils


def build(
    corpus: Path,
    target: Path,
    *,
    only: str | None = None,
    unaided: bool = False,
    executor: Executor | None = None,
    workers: int | None = None,
    progress: Progress = print,
    cache: Cache | None = None,
) -> None:
    """Build the knowledge base of a corpus.

    Args:
        corpus: the folder of book folders.
        target: the SQLite file to write; an older one is replaced when the new one is complete.
        only: the id of the one book to build; what the editor says of provisions of several books is left aside then.
        unaided: leave the editor's files aside.
        executor: where editions are made; by default a pool of processes. Any `concurrent.futures` executor will do
            (`kb.build.workers.cluster` gives that of a Dask cluster).
        workers: how many processes, if no executor is given; by default one for each processor.
        progress: told, in words, how far the build is.
        cache: what was made before, and need not be made again; None to make all (see also `kb.build.reuse`).
    Raises:
        WhistError: a book is not what it must be, or the file cannot be written.
    """
    books = load_books(corpus) if only is None else (load_book(corpus / only, read_domain(corpus)),)
    require_writable(target)
    concepts = read_thesaurus(corpus / "thesaurus.toml")
    with Crew(executor, workers) as crew, Spool(target.parent) as spool:
        finish = at_work(books, concepts, crew, spool.add, unaided=unaided, progress=progress, cache=cache)
        # What the editions need not is loaded while others are at work on them.
        import sqlite_utils

        from kb.build.knowledge import gather, read_ground

        ground = read_ground(corpus, concepts, unaided=unaided or only is not None, cache=cache)
        moved = {} if unaided else {old: new for book in books for old, new in read_moved(book.folder).items()}
        finish()
        editions = SpooledEditions(spool, [book.id for book in books])
        progress("links and answers")
        known = gather(ground, books, editions, crew, cache)
        with whole_file(target, beside=JOURNALS) as path:
            try:
                _write(sqlite_utils.Database(path), books, editions, known, moved, progress)
            except sqlite3.OperationalError as error:
                raise unwritable(target, error) from error
    progress(f"{target}: {target.stat().st_size / 1e6:.1f} MB")


def _write(
    db: sqlite_utils.Database,
    books: Sequence[Book],
    editions: SpooledEditions,
    known: Callable[[], Knowledge],
    moved: Mapping[str, str],
    progress: Progress,
) -> None:
    """Write what is known of the single books while the rest is looked for, then the rest."""
    with closing(db.conn):
        db.execute("pragma page_size = 4096")
        db.execute("pragma journal_mode = off")
        db.execute("pragma synchronous = off")  # whole_file has the whole written out before it takes its place
        load.begin(db, books, moved)
        for rows in editions.rows():
            load.add_book(db, rows)
        found = known()
        progress("database")
        load.finish(db, found)
        db.execute("vacuum")
