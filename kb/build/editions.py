"""The work on each book, side by side: its edition and what its units speak of, made anew or taken from the cache."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

from extract.corpus.book import Book
from extract.edition import make_edition
from extract.model import Edition
from extract.pieces import Recall, anew
from extract.text.textlayer import TextLayer
from kb.build import fingerprint, serialisation
from kb.build.cache import Cache, is_private
from kb.build.load import book_rows
from kb.build.workers import Crew
from kb.concepts.passages import passages
from kb.concepts.tagging import Concept, Tagger, tag_units

_T = TypeVar("_T")
Progress = Callable[[str], None]
TOLD = ("tags", "outline", "rows")
"""What is told of an edition, by the names under which the cache has it."""


@dataclass(frozen=True, slots=True)
class BookJob:
    """What a worker is given: a book, its edition if that is made already, and the thesaurus if it is to be tagged.

    `cache`: where pieces are kept that outlive a change of the editor's files.
    """

    book: Book
    unaided: bool
    concepts: tuple[Concept, ...] | None
    edition: bytes | None = None
    cache: Cache | None = None


@dataclass(frozen=True, slots=True)
class BookWork:
    """What a worker gives back: an edition as bytes (`kb.build.serialisation`), and what is told of it if asked for.

    `told` has, by name, its tags, its outline (units and references alone) and its rows (`kb.build.load.book_rows`), so
    that who brings all books together need not read the edition.
    """

    book_id: str
    edition: bytes
    told: Mapping[str, bytes] = field(default_factory=dict)


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
    editions: dict[str, Edition] = {}

    def take(work: BookWork) -> None:
        editions[work.book_id] = serialisation.read(work.edition)

    with Crew(executor) as crew:
        at_work(books, None, crew, take, unaided=unaided, progress=progress, cache=cache)()
    return [editions[book.id] for book in books]


def at_work(
    books: Sequence[Book],
    concepts: tuple[Concept, ...] | None,
    crew: Crew,
    take: Callable[[BookWork], None],
    *,
    unaided: bool,
    progress: Progress = print,
    cache: Cache | None = None,
) -> Callable[[], None]:
    """Have the edition of each book made and tagged, side by side, the longest scan first.

    The work is begun at once; what the cache has is not made again, and what is made is kept there.

    Args:
        books: the books.
        concepts: the thesaurus to tag with; None for no tags.
        crew: who does it.
        take: given what is done, each when it is done.
        unaided, progress, cache: as in `make_editions`.
    Returns:
        A function that waits until all is done and taken.
    Raises:
        WhistError: a book is not what it must be, or a process of the pool was killed again and again.
    """
    made_of: dict[str, _Keys] = {}
    done = set[str]()

    def taken(work: BookWork, how: str) -> None:
        take(work)
        done.add(work.book_id)
        progress(f"{work.book_id} {how}: {len(done)} of {len(books)} books")

    def jobs() -> Iterator[BookJob]:
        for book in sorted(books, key=lambda book: -_length(book)):
            keys = _keys(book, concepts, unaided) if cache else _Keys()
            edition = keys.find_edition(cache)
            told = keys.find_told(cache, edition)
            if edition is not None and told is not None:
                taken(BookWork(book.id, edition, told), "as it was")
            else:
                made_of[book.id] = keys
                yield BookJob(book, unaided, concepts, edition, cache)

    def finish() -> None:
        for job, work in made:
            keys = made_of.pop(work.book_id)
            if cache and _keys(job.book, concepts, unaided) == keys:  # nobody has written in its files meanwhile
                keys.keep(cache, work)
            taken(work, "made")

    progress(f"{len(books)} books")
    made = crew.each(do_work, jobs())
    return finish


def do_work(job: BookJob) -> BookWork:
    """Make an edition and tag it: a pure function of what it is given and the book's files, fit for any process.

    Raises:
        WhistError: the book is not what it must be.
    """
    if job.edition:
        edition = serialisation.read(job.edition)
    else:
        edition = make_edition(job.book, unaided=job.unaided, recall=pieces(job.cache))
    data = job.edition or serialisation.written(edition)
    if job.concepts is None:
        return BookWork(job.book.id, data)
    texts = passages(edition.units, TextLayer(edition.scan, edition.edits))
    tags = tag_units(texts, Tagger(job.concepts))
    outline = replace(edition, scan="", edits=(), suggestions=(), pages=(), findings=(), notes=())
    told = {
        "tags": serialisation.written_tags(tags),
        "outline": serialisation.written(outline),
        "rows": book_rows(edition, tags, job.concepts),
    }
    return BookWork(job.book.id, data, told)


def pieces(cache: Cache | None) -> Recall:
    """What keeps the pieces of an edition, each by the texts it is made of and the code that makes it.

    Args:
        cache: where; None, or a folder that is not the user's own on the machine at work, to keep nothing.
    """
    if cache is None or not is_private(cache.folder):
        return anew
    code = fingerprint.digest(fingerprint.of_extract(), _form())

    def recall(kind: type[_T], made_of: Sequence[str], make: Callable[[], _T]) -> _T:
        key, adapter = fingerprint.digest(code, *made_of), TypeAdapter(kind)
        data = cache.recall(kind.__name__.lower(), key, lambda: zlib.compress(adapter.dump_json(make()), 1))
        return adapter.validate_json(zlib.decompress(data))

    return recall


@dataclass(frozen=True, slots=True)
class _Keys:
    """By what a book's edition is found in the cache, and what is told of it; empty if they are not to be kept."""

    edition: str = ""
    concepts: str = ""

    def find_edition(self, cache: Cache | None) -> bytes | None:
        return cache.get("edition", self.edition) if cache and self.edition else None

    def find_told(self, cache: Cache | None, edition: bytes | None) -> dict[str, bytes] | None:
        if not self.concepts:
            return {}
        if not cache or edition is None:
            return None
        key = self._told(edition)
        found = {name: data for name in TOLD if (data := cache.get(name, key)) is not None}
        return found if len(found) == len(TOLD) else None

    def keep(self, cache: Cache, work: BookWork) -> None:
        if self.edition:
            cache.put("edition", self.edition, work.edition)
            for name, data in work.told.items():
                cache.put(name, self._told(work.edition), data)

    def _told(self, edition: bytes) -> str:
        return fingerprint.digest(self.concepts, edition)


def _keys(book: Book, concepts: Iterable[Concept] | None, unaided: bool) -> _Keys:
    paths = [book.scan_path, *(book.folder.parent / witness / "scan.txt" for witness in book.witnesses)]
    read = fingerprint.of_files([*paths, *([] if unaided else [book.folder / "errata.toml"])])
    if read is None:
        return _Keys()
    # Of what the library says of itself, an edition depends on the terms of its subject alone.
    about = book.model_dump_json(exclude={"folder", "domain"})
    terms = " ".join(book.domain.terms)
    edition = fingerprint.digest(fingerprint.of_extract(), _form(), about, terms, read, "unaided" if unaided else "")
    said = None if concepts is None else [concept.model_dump_json() for concept in concepts]
    return _Keys(edition, "" if said is None else fingerprint.digest(fingerprint.of_code(), *said))


def _form() -> str:
    """The code that writes editions, and what is kept of them, as bytes."""
    return fingerprint.of_files([Path(serialisation.__file__)]) or ""


def _length(book: Book) -> int:
    """How long a scan is, in bytes; what cannot be read is found to be so when its turn comes."""
    try:
        return book.scan_path.stat().st_size
    except OSError:
        return 0
