"""The work on each book, side by side: its edition and what its units speak of, made anew or taken from the cache."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, as_completed
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from extract.corpus.book import Book
from extract.edition import make_edition
from extract.model import Edition
from extract.text.textlayer import TextLayer
from kb.build import fingerprint, serialisation
from kb.build.cache import Cache
from kb.build.workers import workers
from kb.concepts.passages import passages
from kb.concepts.tagging import Concept, Tagger, tag_units

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class BookJob:
    """What a worker is given: a book, its edition if that is made already, and the thesaurus if it is to be tagged."""

    book: Book
    unaided: bool
    concepts: tuple[Concept, ...] | None
    edition: bytes | None = None


@dataclass(frozen=True, slots=True)
class BookWork:
    """What a worker gives back: an edition as bytes (`kb.build.serialisation`), and its tags if asked for."""

    book_id: str
    edition: bytes
    tags: bytes = b""


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
        executor: where; by default a pool of as many processes as there are books and processors.
        progress: told when a book is done.
        cache: where editions are kept; None to make all of them.
    Returns:
        The editions, in the order of the books.
    Raises:
        WhistError: a book is not what it must be, or a process of the pool was killed.
    """
    with at_work(books, None, unaided=unaided, executor=executor, progress=progress, cache=cache) as done:
        editions = {work.book_id: serialisation.read(work.edition) for work in done}
    return [editions[book.id] for book in books]


@contextmanager
def at_work(
    books: Sequence[Book],
    concepts: tuple[Concept, ...] | None,
    *,
    unaided: bool,
    executor: Executor | None = None,
    progress: Progress = print,
    cache: Cache | None = None,
) -> Iterator[Iterator[BookWork]]:
    """Have the edition of each book made and tagged, side by side, the longest scan first.

    The work has begun when the block is entered; what the cache has is not made again, and what is made is kept there.

    Args:
        books: the books.
        concepts: the thesaurus to tag with; None for no tags.
        unaided, executor, progress, cache: as in `make_editions`.
    Returns:
        What is done, each when it is done: those of the cache first.
    Raises:
        WhistError: a book is not what it must be, or a process of the pool was killed.
    """
    kept: list[BookWork] = []
    jobs: list[tuple[BookJob, _Keys]] = []
    for book in books:
        keys = _keys(book, concepts, unaided) if cache else _Keys()
        edition = keys.find_edition(cache)
        tags = keys.find_tags(cache, edition)
        if edition is not None and tags is not None:
            kept.append(BookWork(book.id, edition, tags))
        else:
            jobs.append((BookJob(book, unaided, concepts, edition), keys))
    jobs.sort(key=lambda job: -_length(job[0].book))

    def come(begun: dict[Future[BookWork], tuple[BookJob, _Keys]]) -> Iterator[BookWork]:
        yield from kept
        for count, future in enumerate(as_completed(begun), len(kept) + 1):
            job, keys = begun.pop(future)
            work = future.result()
            if cache and _keys(job.book, concepts, unaided) == keys:  # nobody has written in its files meanwhile
                keys.keep(cache, work)
            progress(f"{job.book.id} made: {count} of {len(books)} books")
            yield work

    progress(f"{len(books)} books, {len(kept)} of them as they were" if kept else f"{len(books)} books")
    with ExitStack() as open_:
        if jobs and executor is None:
            executor = open_.enter_context(workers(min(len(jobs), os.cpu_count() or 1)))
        begun = {executor.submit(do_work, job): (job, keys) for job, keys in jobs} if executor else {}
        open_.callback(lambda: [future.cancel() for future in list(begun)])  # those not begun, when one has failed
        yield come(begun)


def do_work(job: BookJob) -> BookWork:
    """Make an edition and tag it: a pure function of what it is given and the book's files, fit for any process.

    Raises:
        WhistError: the book is not what it must be.
    """
    edition = serialisation.read(job.edition) if job.edition else make_edition(job.book, unaided=job.unaided)
    data = job.edition or serialisation.written(edition)
    if job.concepts is None:
        return BookWork(job.book.id, data)
    texts = passages(edition.units, TextLayer(edition.scan, edition.edits))
    return BookWork(job.book.id, data, serialisation.written_tags(tag_units(texts, Tagger(job.concepts))))


@dataclass(frozen=True, slots=True)
class _Keys:
    """By what a book's edition is found in the cache, and its tags; empty if they are not to be kept."""

    edition: str = ""
    concepts: str = ""

    def find_edition(self, cache: Cache | None) -> bytes | None:
        return cache.get("edition", self.edition) if cache and self.edition else None

    def find_tags(self, cache: Cache | None, edition: bytes | None) -> bytes | None:
        if not self.concepts:
            return b""
        return cache.get("tags", self._tags(edition)) if cache and edition is not None else None

    def keep(self, cache: Cache, work: BookWork) -> None:
        if self.edition:
            cache.put("edition", self.edition, work.edition)
            if self.concepts:
                cache.put("tags", self._tags(work.edition), work.tags)

    def _tags(self, edition: bytes) -> str:
        return fingerprint.digest(self.concepts, edition)


def _keys(book: Book, concepts: Iterable[Concept] | None, unaided: bool) -> _Keys:
    paths = [book.scan_path, *(book.folder.parent / witness / "scan.txt" for witness in book.witnesses)]
    read = fingerprint.of_files([*paths, *([] if unaided else [book.folder / "errata.toml"])])
    if read is None:
        return _Keys()
    form = fingerprint.of_files([Path(serialisation.__file__)]) or ""
    # Of what the library says of itself, an edition depends on the terms of its subject alone.
    about = book.model_dump_json(exclude={"folder", "domain"})
    terms = " ".join(book.domain.terms)
    edition = fingerprint.digest(fingerprint.of_extract(), form, about, terms, read, "unaided" if unaided else "")
    said = None if concepts is None else [concept.model_dump_json() for concept in concepts]
    return _Keys(edition, "" if said is None else fingerprint.digest(fingerprint.of_code(), *said))


def _length(book: Book) -> int:
    """How long a scan is, in bytes; what cannot be read is found to be so when its turn comes."""
    try:
        return book.scan_path.stat().st_size
    except OSError:
        return 0
