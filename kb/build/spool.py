"""Editions on their way from the workers to the database: in a file, one in memory at a time."""

from __future__ import annotations

import tempfile
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType

from extract.model import Edition, Span
from extract.text.textlayer import TextLayer
from kb.build import serialisation
from kb.build.atomic import unwritable
from kb.build.editions import BookWork
from kb.concepts.passages import passages
from kb.concepts.tagging import Tag, TaggedText

_AT_HAND = 8_000_000  # characters of scans whose passages are kept for the next question


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
        self._places: dict[str, tuple[int, int, int]] = {}

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, work: BookWork) -> None:
        """Keep the edition and the tags of a book.

        Raises:
            DatabaseError: there is no room.
        """
        try:
            start = self._file.seek(0, 2)
            self._file.write(work.edition + work.tags)
            self._file.flush()
        except OSError as error:
            raise unwritable(self._folder, error) from error
        middle = start + len(work.edition)
        self._places[work.book_id] = start, middle, middle + len(work.tags)

    def edition(self, book_id: str) -> Edition:
        """The edition of a book."""
        start, end, _ = self._places[book_id]
        return serialisation.read(self._read(start, end))

    def tags(self, book_id: str) -> tuple[Tag, ...]:
        """What the units of a book speak of, sorted."""
        _, start, end = self._places[book_id]
        return serialisation.read_tags(self._read(start, end)) if end > start else ()

    def _read(self, start: int, end: int) -> bytes:
        self._file.seek(start)
        return self._file.read(end - start)


class SpooledEditions:
    """The editions of a library in the order of its books, each read from the spool when it is asked for."""

    def __init__(self, spool: Spool, books: Iterable[str]) -> None:
        """Have the ids of the books, in their order."""
        self._spool, self._books = spool, tuple(books)
        self._kept: OrderedDict[str, tuple[int, dict[str, TaggedText]]] = OrderedDict()

    def __iter__(self) -> Iterator[Edition]:
        return map(self._spool.edition, self._books)

    def tags(self, book_id: str) -> tuple[Tag, ...]:
        """What the units of a book speak of, sorted."""
        return self._spool.tags(book_id)

    def to_scan(self, book_id: str, unit_id: str, span: Span) -> Span:
        """The stretch of the scan that holds a stretch of a unit's text; the books asked for last are at hand."""
        if book_id not in self._kept:
            edition = self._spool.edition(book_id)
            texts = {text.unit_id: text for text in passages(edition.units, TextLayer(edition.scan, edition.edits))}
            self._kept[book_id] = len(edition.scan), texts
        self._kept.move_to_end(book_id)
        while len(self._kept) > 1 and sum(length for length, _ in self._kept.values()) > _AT_HAND:
            self._kept.popitem(last=False)
        return self._kept[book_id][1][unit_id].to_scan(span)
