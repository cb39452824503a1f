"""Bad scans through the whole of `make_edition`: small books made of pieces of the four real ones."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Mapping
from pathlib import Path

from mutations import MUTATIONS
from samples import undo

from extract.corpus.book import Book
from extract.corpus.plan import AnyPart
from extract.edition import make_edition
from extract.errors import EditError, WhistError
from extract.ledger import settle
from extract.text.source import read_scan
from extract.text.textlayer import TextLayer

PIECE = 24_000


def pieces(books: Mapping[str, Book]) -> dict[str, tuple[Book, str]]:
    """For each part of a book that has a grammar of its own: the book with this part alone, and a piece of its scan."""
    found: dict[str, tuple[Book, str]] = {}
    for book in books.values():
        scan = read_scan(book.scan_path, book.sha256)
        at = 0
        for part in book.parts:
            at = max(at, _place(scan, part.begins, at))
            alone = {"parts": (part.model_copy(update={"begins": ""}),), "witnesses": ()}
            found.setdefault(f"{book.id} {part.grammar}", (book.model_copy(update=alone), scan[at : at + PIECE]))
    return found


def whole(book: Book) -> tuple[Book, str]:
    """A book with all its parts, and the beginning of its scan; parts that lie beyond are left out."""
    scan = read_scan(book.scan_path, book.sha256)[: 2 * PIECE]
    kept: list[AnyPart] = []
    at = 0
    for part in book.parts:
        place = _place(scan, part.begins, at)
        if place >= 0:
            kept.append(part)
            at = place + 1
    return book.model_copy(update={"parts": tuple(kept), "witnesses": (), "layout": None}), scan


def _place(scan: str, words: str, at: int) -> int:
    return scan.find(words.split()[0], at) if words.split() else at


def outcome(book: Book, text: str, mutation: str, seed: int, folder: Path) -> str:
    """What becomes of a bad scan: `an edition`, or the sentence that refuses it.

    Raises:
        AssertionError: the edition does not hold what an edition promises, or the refusal is no single sentence.
    """
    scan = MUTATIONS[mutation](text, random.Random(f"{mutation} {seed}"))
    folder.mkdir(parents=True, exist_ok=True)
    data = scan.encode()
    (folder / "scan.txt").write_bytes(data)
    book = book.model_copy(update={"folder": folder, "sha256": hashlib.sha256(data).hexdigest()})
    try:
        edition = make_edition(book)
    except WhistError as error:
        message = str(error)
        assert not isinstance(error, EditError), "the machine's own edits fit together"
        assert re.fullmatch(r".{,999}\.", message), message[:1000]
        return message
    assert edition.scan.encode() == data
    assert settle(edition.scan, edition.units, edition.edits).balanced
    layer = TextLayer(edition.scan, edition.edits)
    assert layer.read(0, len(edition.scan)) == layer.reading
    assert undo(layer.reading, edition.edits) == edition.scan
    return "an edition"
