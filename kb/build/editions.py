"""The editions of all books, made side by side in worker processes, each cached where it is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from extract.corpus.book import Book
from extract.edition import make_edition
from extract.model import Edition
from extract.pieces import anew
from kb.build import fingerprint
from kb.build.cache import Cache, is_private
from kb.build.workers import workers

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class BookJob:
    """What a worker gets: a book, whether to leave the editor's files aside, and where to cache what it makes."""

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
    """Make the edition of each book, side by side.

    Args:
        books: the books.
        unaided: leave the editor's files aside.
        executor: any `concurrent.futures` executor; by default a pool of processes.
        progress: called with a sentence when an edition is made.
        cache: where editions are cached.
    Returns:
        The editions, in the order of the books.
    Raises:
        WhistError: a book is not what it must be, or a process of the pool was killed.
    """
    with nullcontext(executor) if executor else workers() as pool:
        progress(f"{len(books)} books")
        # The longest scan is begun first, so that no process is left waiting for it in the end.
        longest_first = sorted(books, key=lambda book: -_length(book.scan_path))
        ids = {pool.submit(cached_edition, BookJob(book, unaided, cache)): book.id for book in longest_first}
        made: dict[str, Edition] = {}
        for future in as_completed(ids):
            made[ids[future]] = future.result()
            progress(f"{ids[future]} made: {len(made)} of {len(books)} books")
        return [made[book.id] for book in books]


def cached_edition(job: BookJob) -> Edition:
    """The edition of a book: a pure function of the book's files, fit for any process.

    It is not cached if a file has changed while it was made.

    Raises:
        WhistError: the book is not what it must be.
    """
    cache = job.cache if job.cache and is_private(job.cache.folder) else None  # another machine may have none
    made_of = _made_of(job) if cache else ()
    edition = cache.read(Edition, made_of) if cache and made_of else None
    if edition is None:
        edition = make_edition(job.book, unaided=job.unaided, recall=cache.recall if cache else anew)
        if cache and made_of and _made_of(job) == made_of:
            cache.write(Edition, made_of, edition)
    return edition


def _made_of(job: BookJob) -> tuple[str, ...]:
    """All that an edition depends on besides the code; empty if a file cannot be read."""
    book = job.book
    paths = [book.scan_path, *(book.folder.parent / witness / "scan.txt" for witness in book.witnesses)]
    read = fingerprint.of_files([*paths, *([] if job.unaided else [book.folder / "errata.toml"])])
    about = book.model_dump_json(exclude={"folder", "domain"})
    # Of what the library says of itself, an edition depends on the terms of its subject and on the kinds of units.
    of_library = [" ".join(book.domain.terms), repr(sorted(book.domain.roles.items()))]
    return (read, about, *of_library, str(job.unaided)) if read else ()


def _length(path: Path) -> int:
    """The size of a file in bytes; one that cannot be read is reported when its turn comes."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
