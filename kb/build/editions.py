"""Make the editions of a corpus, side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial

from extract.corpus.book import Book
from extract.edition import make_edition
from extract.model import Edition
from kb.build.workers import workers

Progress = Callable[[str], None]


def make_editions(
    books: Sequence[Book], *, unaided: bool, executor: Executor | None = None, progress: Progress = print
) -> list[Edition]:
    """Make the edition of each book, side by side.

    Args:
        books: the books.
        unaided: leave the editor's files aside.
        executor: where; by default a pool of as many processes as there are books and processors.
        progress: told when a book is done.
    Raises:
        WhistError: a book is not what it must be, or a process of the pool was killed.
    """
    make = partial(make_edition, unaided=unaided)
    if executor is None:
        with workers(min(len(books), os.cpu_count() or 1)) as pool:
            return make_editions(books, unaided=unaided, executor=pool, progress=progress)
    editions: list[Edition] = []
    for edition in executor.map(make, books):
        progress(f"{edition.book_id}: {len(edition.units)} units")
        editions.append(edition)
    return editions
