"""The editions of all books, made in parallel by worker processes; each worker caches what it makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from extract.corpus.book import Book
from extract.edition import make_edition
from extract.model import Edition
from extract.pieces import make_uncached
from kb.build import fingerprint
from kb.build.cache import Cache, is_private
from kb.build.workers import workers

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class BookJob:
    """The input of a worker: a book, whether to ignore the editor's files, and where to cache the results."""

    book: Book
    unaided: bool
    cache: Cache | None = None


def make_editions(
    books: Sequence[Book],
    *,
    unaided: bool,
    executor: Executor | None = None,
    progress: Progress = print,
    cache: Cache | None = None,
) -> list[Edition]:
    """Make the edition of each book, in parallel.

    Args:
        books: the books.
        unaided: ignore the editor's files.
        executor: any `concurrent.futures` executor; by default a pool of processes.
        progress: called with a sentence when an edition is made.
        cache: where editions are cached.
    Returns:
        The editions, in the order of the books.
    Raises:
        WhistError: a book is invalid, or a process of the pool was killed.
    """
    with nullcontext(executor) if executor else workers() as pool:
        progress(f"{len(books)} books")
        # The longest scans come first, so that no process works on one alone at the end.
        longest_first = sorted(books, key=lambda book: -_length(book.scan_path))
        ids = {pool.submit(cached_edition, BookJob(book, unaided, cache)): book.id for book in longest_first}
        editions: dict[str, Edition] = {}
        for future in as_completed(ids):
            editions[ids[future]] = future.result()
            progress(f"{ids[future]} made: {len(editions)} of {len(books)} books")
        return [editions[book.id] for book in books]


def cached_edition(job: BookJob) -> Edition:
    """Return the edition of a book, from the cache if possible: a pure function of the book's files, for any process.

    It is not cached if a file changes while it is made.

    Raises:
        WhistError: the book is invalid.
    """
    cache = job.cache if job.cache and is_private(job.cache.folder) else None  # a worker may run on another machine
    made_of = _made_of(job) if cache else ()
    edition = cache.read(Edition, made_of) if cache and made_of else None
    if edition is None:
        edition = make_edition(job.book, unaided=job.unaided, recall=cache.recall if cache else make_uncached)
        if cache and made_of and _made_of(job) == made_of:
            cache.write(Edition, made_of, edition)
    return edition


def _made_of(job: BookJob) -> tuple[str, ...]:
    """Return everything an edition depends on besides the code; empty if a file cannot be read."""
    book = job.book
    paths = [book.scan_path, *(book.folder.parent / witness / "scan.txt" for witness in book.witnesses)]
    contents = fingerprint.of_files([*paths, *([] if job.unaided else [book.folder / "errata.toml"])])
    metadata = book.model_dump_json(exclude={"folder", "domain"})
    # Of the data in library.toml, an edition depends only on the terms of its subject and the kinds of units.
    of_library = [" ".join(book.domain.terms), repr(sorted(book.domain.roles.items()))]
    return (contents, metadata, *of_library, str(job.unaided)) if contents else ()


def _length(path: Path) -> int:
    """Return the size of a file in bytes; 0 if it cannot be read, which is reported when its edition is made."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
