"""Build the knowledge base: editions in parallel, then one database file, written completely or not at all.

Other libraries are imported only when something has to be built.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import closing, nullcontext, suppress
from pathlib import Path
from typing import Literal

from extract.errors import DatabaseError
from kb.build import fingerprint
from kb.build.atomic import JOURNALS, require_writable, unwritable, whole_file
from kb.build.cache import Cache

Made = Literal["unchanged", "built"]
_SQLITE = b"SQLite format 3\x00"


def bring_up_to_date(
    corpus: Path,
    target: Path,
    cache: Cache | None,
    *,
    unaided: bool = False,
    executor: Executor | None = None,
    workers: int | None = None,
    progress: Callable[[str], None] = print,
) -> Made:
    """Build the knowledge base of a corpus, unless the file is up to date.

    Args:
        corpus, target, unaided, executor, workers, progress: as for `build`.
        cache: the results of earlier builds; None to make everything again.
    Returns:
        Whether the file was up to date (and was not touched) or was built.
    Raises:
        WhistError: a book is invalid, or the file is not a database or cannot be written.
    """
    _require_no_other(target)
    key = _key(corpus, unaided) if cache else None
    if cache and key and (found := cache.get(key)) and _is_unchanged(target, found):
        return "unchanged"
    build(
        corpus.resolve(), target,
        unaided=unaided, executor=executor, workers=workers, progress=progress, cache=cache,
    )  # fmt: skip
    if cache:
        if key and _key(corpus, unaided) == key:  # the corpus has not changed during the build
            cache.put(key, fingerprint.of_file(target).encode())
        cache.trim()
    return "built"


def build(
    corpus: Path,
    target: Path,
    *,
    only: str | None = None,
    unaided: bool = False,
    executor: Executor | None = None,
    workers: int | None = None,
    progress: Callable[[str], None] = print,
    cache: Cache | None = None,
) -> None:
    """Build the knowledge base of a corpus.

    Args:
        corpus: the folder of book folders.
        target: the SQLite file to write; an older one is replaced when the new one is complete.
        only: the id of the only book to build; the editor's judgements on provisions are then ignored.
        unaided: ignore the editor's files.
        executor: where editions are made: any `concurrent.futures` executor; by default a pool of processes.
        workers: how many processes the pool has; by default one for each processor.
        progress: called with a sentence at each stage.
        cache: where editions are cached; None to make all of them.
    Raises:
        WhistError: a book is invalid, or the file cannot be written.
    """
    import sqlite_utils

    from extract.corpus.book import load_book, load_books
    from extract.corpus.domain import read_domain
    from kb.build import load
    from kb.build.edited_books import EditedBooks
    from kb.build.editions import make_editions
    from kb.build.knowledge import gather, read_ground
    from kb.build.workers import workers as pool_of

    books = load_books(corpus) if only is None else (load_book(corpus / only, read_domain(corpus)),)
    require_writable(target)
    basis = read_ground(corpus, unaided=unaided or only is not None)
    with nullcontext(executor) if executor else pool_of(workers) as pool:
        editions = make_editions(books, unaided=unaided, executor=pool, progress=progress, cache=cache)
        progress("links and answers")
        library = EditedBooks(books, editions, basis.concepts)
        rows = gather(basis, library)
    if basis.matcher.outdated:
        progress(
            f"{basis.matcher.outdated} questions have changed since the last `make fit`; they are found by their words"
        )
    progress("database")
    with whole_file(target, beside=JOURNALS) as path:
        try:
            db = sqlite_utils.Database(path)
            with closing(db.conn):
                db.execute("pragma page_size = 4096")
                db.execute("pragma journal_mode = off")
                db.execute("pragma synchronous = off")  # whole_file syncs the file to disk before it is renamed
                load.write(db, library, rows, basis.titles)
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


def _key(corpus: Path, unaided: bool) -> str | None:
    contents = fingerprint.of_folder(corpus)
    return fingerprint.digest(fingerprint.of_code(), contents, "unaided" if unaided else "") if contents else None


def _is_unchanged(target: Path, digest: bytes) -> bool:
    """Whether the file has this digest, and no other process has begun to write to it."""
    with suppress(OSError):
        being_written = any(target.with_name(target.name + ending).exists() for ending in JOURNALS)
        return not being_written and fingerprint.of_file(target).encode() == digest
    return False
