"""Scans damaged on purpose, as by careless copying or a prank, and what `make_edition` makes of them."""

import hashlib
import random
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from samples import undo

from extract.corpus.book import Book
from extract.corpus.plan import AnyPart
from extract.edition import make_edition
from extract.errors import EditError, WhistError
from extract.ledger import compute_ledger
from extract.text.source import read_scan
from extract.text.textlayer import TextLayer

Mutation = Callable[[str, random.Random], str]

_SEPARATORS = "\x85\u2028\u2029\x0c\u00a0\u200b\ufeff"
_STRANGE = "²³¹½٣๓Ⅷ➀一①𝟛ǅßİſﬁ"


def _between(inserted: Sequence[str], share: float) -> Mutation:
    """A mutation that inserts a random one of some strings after a share of the characters."""
    return lambda text, noise: "".join(c + noise.choice(inserted) if noise.random() < share else c for c in text)


def _instead(pattern: str, replacements: Sequence[str], share: float = 1.0) -> Mutation:
    """A mutation that replaces a share of the matches of a pattern with random ones of some strings."""
    return lambda text, noise: re.sub(
        pattern, lambda m: noise.choice(replacements) if noise.random() < share else m[0], text
    )  # fmt: skip


def _amid(inserted: str) -> Mutation:
    """A mutation that inserts a text in the middle of the scan."""
    return lambda text, _: f"{text[: len(text) // 2]}\n\n{inserted}\n\n{text[len(text) // 2 :]}"


MUTATIONS: dict[str, Mutation] = {
    "as it was": lambda text, _: text,
    "one sign": lambda *_: "§",
    "upper case": lambda text, _: text.upper(),
    "digits superscript": _instead(r"\d", "⁰¹²³⁴⁵⁶⁷⁸⁹"),
    "digits of the world": _instead(r"\d", "٠٣๓৪７𝟛߂"),
    "strange numerals": _instead(r"\d", _STRANGE),
    "an ocean of blanks": _amid((" " * 900 + "a") * 50),
    "CR": lambda text, _: text.replace("\n", "\r"),
    "separators strewn": _between(_SEPARATORS, 0.01),
    "tabs for blanks": lambda text, _: text.replace(" ", "\t"),
    "a number of 5,000 digits": _amid("Law " + "1" * 5000 + "."),
    "thousands of cases": _amid("\n\n".join("Case 1.—The case.\n\nDecision.—The decision." for _ in range(1000))),
    "roman thousands": _amid("See Chapter " + "M" * 900 + ". " + "I" * 900 + ". " + "iv" * 400),
}

PIECE = 24_000


def pieces(books: Mapping[str, Book]) -> dict[str, tuple[Book, str]]:
    """For each grammar of a book: the book with only its first part of this grammar, and a piece of the scan there."""
    found: dict[str, tuple[Book, str]] = {}
    for book in books.values():
        scan = read_scan(book.scan_path, book.sha256)
        at = 0
        for part in book.parts:
            at = max(at, _place(scan, part.begins, at))
            alone = {"parts": (part.model_copy(update={"begins": ""}),)}
            found.setdefault(f"{book.id} {part.grammar}", (book.model_copy(update=alone), scan[at : at + PIECE]))
    return found


def whole(book: Book) -> tuple[Book, str]:
    """The beginning of a book's scan, with the book; its parts that lie beyond are left out."""
    scan = read_scan(book.scan_path, book.sha256)[: 2 * PIECE]
    kept: list[AnyPart] = []
    at = 0
    for part in book.parts:
        place = _place(scan, part.begins, at)
        if place >= 0:
            kept.append(part)
            at = place + 1
    return book.model_copy(update={"parts": tuple(kept), "layout": None}), scan


def _place(scan: str, words: str, at: int) -> int:
    return scan.find(words.split()[0], at) if words.split() else at


def outcome(book: Book, text: str, mutation: str, seed: int, folder: Path) -> str:
    """Make an edition of a bad scan; return `an edition`, or the error message.

    Raises:
        AssertionError: the edition breaks an invariant, or the error message is not a single sentence.
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
    assert compute_ledger(edition.scan, edition.units, edition.edits).balanced
    layer = TextLayer(edition.scan, edition.edits)
    assert layer.read(0, len(edition.scan)) == layer.reading
    assert undo(layer.reading, layer.changes) == edition.scan
    return "an edition"
