"""The editions of all books, made in parallel by worker processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import nullcontext
from pathlib import Path

from extract.corpus.book import Book
from extract.edition import make_edition
from extract.model import Edition
from kb.build.workers import workers

Progress = Callable[[str], None]


def make_editions(
    books: Sequence[Book],
    *,
    unaided: bool,
    executor: Executor | None = None,
    progress: Progress = print,
) -> list[Edition]:
    """Make the edition of each book, in parallel.

    Args:
        books: the books.
        unaided: ignore the editor's files.
        executor: any `concurrent.futures` executor; by default a pool of processes.
        progress: called with a sentence when an edition is made.
    Returns:
        The editions, in the order of the books.
    Raises:
        WhistError: a book is invalid, or a process of the pool was killed.
    """
    with nullcontext(executor) if executor else workers() as pool:
        progress(f"{len(books)} books")
        # The longest scans come first, so that no process works on one alone at the end.
        longest_first = sorted(books, key=lambda book: -_length(book.scan_path))
        ids = {pool.submit(make_edition, book, unaided=unaided): book.id for book in longest_first}
        editions: dict[str, Edition] = {}
        for future in as_completed(ids):
            editions[ids[future]] = future.result()
            progress(f"{ids[future]} made: {len(editions)} of {len(books)} books")
        return [editions[book.id] for book in books]


def _length(path: Path) -> int:
    """Return the size of a file in bytes; 0 if it cannot be read, which is reported when its edition is made."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
