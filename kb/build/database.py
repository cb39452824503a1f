"""Build the knowledge base: editions in parallel, then one database file, written completely or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

import sqlite_utils

from extract.corpus.book import Book, load_book, load_books
from extract.corpus.domain import read_domain
from extract.errors import DatabaseError
from extract.model import Edition
from kb.build import load
from kb.build.atomic import JOURNALS, require_writable, unwritable, whole_file
from kb.build.edited_books import EditedBooks
from kb.build.editions import Progress, make_editions
from kb.build.knowledge import BuildGround, gather, read_ground

_SQLITE = b"SQLite format 3\x00"


def build(
    corpus: Path,
    target: Path,
    *,
    only: str | None = None,
    unaided: bool = False,
    workers: int | None = None,
    progress: Progress = print,
) -> None:
    """Build the knowledge base of a corpus.

    Args:
        corpus: the folder of book folders.
        target: the SQLite file to write; an older one is replaced when the new one is complete.
        only: the id of the only book to build; the editor's judgements on provisions are then ignored.
        unaided: ignore the editor's files.
        workers: how many processes make the editions, by default one for each processor; if 1, this one does.
        progress: called with a sentence at each stage.
    Raises:
        WhistError: a book is invalid, or the file is not a database or cannot be written.
    """
    _require_no_other(target)
    books = load_books(corpus) if only is None else (load_book(corpus / only, read_domain(corpus)),)
    require_writable(target)
    ground = read_ground(corpus, unaided=unaided or only is not None)
    editions = make_editions(books, unaided=unaided, workers=workers, progress=progress)
    assemble(books, editions, ground, target, progress)


def assemble(
    books: Sequence[Book], editions: Sequence[Edition], ground: BuildGround, target: Path, progress: Progress = print
) -> None:
    """Write the knowledge base of books whose editions are made.

    Args:
        books, editions: the books and their editions, in the same order.
        ground: the concepts and what the editor has judged.
        target, progress: as for `build`.
    Raises:
        WhistError: a judgement is invalid, or the file cannot be written.
    """
    progress("links and answers")
    library = EditedBooks(books, editions, ground.concepts)
    rows = gather(ground, library)
    if ground.matcher.outdated:
        progress(
            f"{ground.matcher.outdated} questions have changed since the last `make fit`; they are found by their words"
        )
    progress("database")
    with whole_file(target, beside=JOURNALS) as path:
        try:
            db = sqlite_utils.Database(path)
            with closing(db.conn):
                db.execute("pragma page_size = 4096")
                db.execute("pragma journal_mode = off")
                db.execute("pragma synchronous = off")  # whole_file syncs the file to disk before it is renamed
                load.write(db, library, rows, ground.judgements.titles)
                db.execute("vacuum")
        except sqlite3.OperationalError as error:
            raise unwritable(target, error) from error
    progress(f"{target}: {target.stat().st_size / 1e6:.1f} MB")


def _require_no_other(target: Path) -> None:
    """Refuse to replace a file that is not a database, such as a scan named by mistake."""
    header = b""
    if target.is_file():
        with suppress(OSError), target.open("rb") as file:
            header = file.read(len(_SQLITE))
    if header and header != _SQLITE:
        raise DatabaseError(f"{target} exists and is not a database; name another file with --db, or delete it.")
