"""Editions on their way from the workers to the database: in a file, one in memory at a time."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType

from extract.model import Edition, Span
from kb.build import serialisation
from kb.build.atomic import unwritable
from kb.build.editions import BookWork
from kb.concepts.tagging import Tag
from kb.drafts.pieces import DraftPiece, Sentence

EDITION = "edition"


class Spool:
    """Keeps what workers gave back, in a file without a name: it is gone with the process, however that ends."""

    def __init__(self, folder: Path) -> None:
        """Begin a file.

        Args:
            folder: where there is room for it, as for the database: it is about half as large.
        Raises:
            DatabaseError: it cannot be written there.
        """
        self._folder = folder
        try:
            self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed when the spool is left
        except OSError as error:
            raise unwritable(folder, error) from error
        self._books: dict[str, dict[str, tuple[int, int]]] = {}

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, work: BookWork) -> None:
        """Keep the edition of a book, and what is told of it.

        Raises:
            DatabaseError: there is no room.
        """
        parts = {EDITION: work.edition, **work.told}
        self._books[work.book_id] = {part: self.append(data) for part, data in parts.items()}

    def append(self, data: bytes) -> tuple[int, int]:
        """Keep something; tells where it stands.

        Raises:
            DatabaseError: there is no room.
        """
        try:
            start = self._file.seek(0, 2)
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            raise unwritable(self._folder, error) from error
        return start, start + len(data)

    def at(self, start: int, end: int) -> bytes:
        """What stands at a place."""
        self._file.seek(start)
        return self._file.read(end - start)

    def read(self, book_id: str, part: str) -> bytes:
        """The edition of a book (`EDITION`), or what is told of it, as bytes."""
        return self.at(*self._books[book_id][part])


class SpooledEditions:
    """What is told of the books of a library, in their order; read from the spool when it is asked for."""

    def __init__(self, spool: Spool, books: Iterable[str]) -> None:
        """Have the ids of the books, in their order."""
        self.spool, self.books = spool, tuple(books)

    def outlines(self) -> Iterator[Edition]:
        """Of each book its units and what they refer to, without its scan."""
        return (serialisation.read(self.told(book, "outline")) for book in self.books)

    def rows(self) -> Iterator[bytes]:
        """Of each book its rows, for `kb.build.load.add_book`."""
        return (self.told(book, "rows") for book in self.books)

    def tags(self, book_id: str) -> tuple[Tag, ...]:
        """What the units of a book speak of, sorted."""
        return serialisation.read_tags(self.told(book_id, "tags"))

    def edition(self, book_id: str) -> bytes:
        """The edition of a book, as bytes."""
        return self.spool.read(book_id, EDITION)

    def told(self, book_id: str, part: str) -> bytes:
        """What is told of a book, as bytes: one of `kb.build.editions.TOLD`."""
        return self.spool.read(book_id, part)


class SpooledPieces:
    """The pieces of drafts; their sentences wait in the spool, and are read when they are asked for."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._places: dict[str, tuple[int, int]] = {}

    def taken(self, packed: Iterable[bytes]) -> Iterator[DraftPiece]:
        """The pieces of books, as `find_pieces` gives them; without their sentences, which are put into the spool.

        What many speak of alike is held once.
        """
        sets = dict[frozenset[str], frozenset[str]]()
        counts = dict[tuple[tuple[str, int], ...], dict[str, int]]()
        for data in packed:
            for unit_id, spoken, times, sentences in serialisation.unpacked(data):
                self._places[unit_id] = self._spool.append(sentences.encode())
                concepts = frozenset(map(sys.intern, spoken))
                told = counts.setdefault(tuple(times.items()), times)
                yield DraftPiece(sys.intern(unit_id), sets.setdefault(concepts, concepts), told, ())

    def sentences(self, unit_id: str) -> tuple[Sentence, ...]:
        """The sentences of a piece."""
        return tuple(
            Sentence(Span(start, end), Span(raw_start, raw_end), lead, tuple((c, Span(a, b)) for c, a, b in spoken))
            for start, end, raw_start, raw_end, lead, spoken in json.loads(self._spool.at(*self._places[unit_id]))
        )
