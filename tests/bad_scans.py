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
_GERMAN = ["der", "die", "Spieler", "wer", "hat", "Karten", "ausgespielt", "ist", "Stich", "für", "über", "nächste"]
_STRANGE = "²³¹½٣๓Ⅷ➀一①𝟛ǅßİſﬁ"


def _every(share: float, change: Callable[[str], str]) -> Mutation:
    """A mutation that changes a share of the words."""
    return lambda text, noise: re.sub(r"\S+", lambda m: change(m[0]) if noise.random() < share else m[0], text)


def _between(inserted: Sequence[str], share: float) -> Mutation:
    """A mutation that inserts a random one of some strings after a share of the characters."""
    return lambda text, noise: "".join(c + noise.choice(inserted) if noise.random() < share else c for c in text)


def _instead(pattern: str, replacements: Sequence[str], share: float = 1.0) -> Mutation:
    """A mutation that replaces a share of the matches of a pattern with random ones of some strings."""
    return lambda text, noise: re.sub(
        pattern, lambda m: noise.choice(replacements) if noise.random() < share else m[0], text
    )  # fmt: skip


def _shuffled(mark: str) -> Mutation:
    """A mutation that shuffles the pieces between the marks."""

    def shuffle(text: str, noise: random.Random) -> str:
        pieces = text.split(mark)
        noise.shuffle(pieces)
        return mark.join(pieces)

    return shuffle


def _amid(inserted: str) -> Mutation:
    """A mutation that inserts a text in the middle of the scan."""
    return lambda text, _: f"{text[: len(text) // 2]}\n\n{inserted}\n\n{text[len(text) // 2 :]}"


MUTATIONS: dict[str, Mutation] = {
    "as it was": lambda text, _: text,
    "cut short": lambda text, noise: text[: noise.randrange(1, len(text))],
    "beheaded": lambda text, noise: text[noise.randrange(1, len(text)) :],
    "one letter": lambda *_: "a",
    "one sign": lambda *_: "§",
    "lines shuffled": _shuffled("\n"),
    "paragraphs shuffled": _shuffled("\n\n"),
    "words shuffled": _shuffled(" "),
    "pages repeated": lambda text, _: text[:6000] * 4,
    "lines doubled": lambda text, _: "".join(line * 2 for line in text.splitlines(keepends=True)),
    "backwards": lambda text, _: text[::-1],
    "upper case": lambda text, _: text.upper(),
    "lower case": lambda text, _: text.lower(),
    "cases swapped": lambda text, _: text.swapcase(),
    "digits garbled": _instead(r"\d", "oOlIzZsSgqB?/]|"),
    "digits changed": _instead(r"\d", "0123456789"),
    "digits gone": _instead(r"\d", " "),
    "nothing but ones": _instead(r"\d+", "1"),
    "digits superscript": _instead(r"\d", "⁰¹²³⁴⁵⁶⁷⁸⁹"),
    "digits of the world": _instead(r"\d", "٠٣๓৪７𝟛߂"),
    "strange numerals": _instead(r"\d", _STRANGE),
    "long numbers": _instead(r"\d+", ["9" * 900], 0.05),
    "a number of 900 digits at each line": lambda text, _: "\n".join(
        f"{'1' * 900}. {line}" if i % 200 == 0 else line for i, line in enumerate(text.split("\n"))
    ),
    "letters strange": _instead(r"[a-z]", _STRANGE, 0.03),
    "letters lost": _instead(r"[a-z]", " ", 0.1),
    "stops lost": _instead(r"[.,;:]", " "),
    "blanks lost": _instead(r" ", ["", " "]),
    "no blank at all": lambda text, _: re.sub(r"\s+", "", text)[:20_000],
    "one line": lambda text, _: " ".join(text.split()),
    "one word a line": lambda text, _: "\n".join(text.split()),
    "one letter a line": lambda text, _: "\n".join(text[:5000]),
    "no empty lines": lambda text, _: re.sub(r"\n\s*\n", "\n", text),
    "empty lines everywhere": lambda text, _: re.sub(r"\n", "\n\n", text),
    "many empty lines": lambda text, _: re.sub(r"\n", "\n" * 9, text[:8000]),
    "an ocean of empty lines": _amid("\n" * 900),
    "an ocean of blanks": _amid((" " * 900 + "a") * 50),
    "an ocean of tabs": _amid(("\t" * 900 + "a\n") * 50),
    "CRLF": lambda text, _: text.replace("\n", "\r\n"),
    "CR": lambda text, _: text.replace("\n", "\r"),
    "line ends mixed": _instead(r"\n", ["\n", "\r\n", "\r", "\x85", "\u2028"]),
    "form feeds": _instead(r"\n\n", ["\n\x0c", "\x0c", "\n\n\x0c\n"]),
    "separators strewn": _between(_SEPARATORS, 0.01),
    "separators for blanks": _instead(r" ", _SEPARATORS, 0.5),
    "tabs for blanks": lambda text, _: text.replace(" ", "\t"),
    "marks of direction": _between("\u202e\u2066\u2069\u200f\u061c", 0.02),
    "combining marks": _between("\u0301\u0308\u20dd\u0489", 0.1),
    "a letter under 20,000 accents": _amid("e" + "\u0301" * 20_000),
    "signs beyond the plane": _between("𝔏🂡🃞𒀀", 0.02),
    "private and unassigned signs": _between("\ue000\U0010ffff\ufffe\ufffd", 0.02),
    "surrogates in writing": _between(["\\udc80", "&#xD800;", "\\x00"], 0.01),
    "markup": _every(0.05, lambda w: f"<p class='x'>**{w}**</p>"),
    "markdown heads": lambda text, _: text.replace("\n\n", "\n\n# "),
    "a word of 100,000 letters": _amid("whist" * 20_000),
    "a number of 5,000 digits": _amid("Law " + "1" * 5000 + "."),
    "a gap of 200,000 lines": _amid("\n" * 200_000),
    "a line of 4 MB": _amid("whist " * 700_000),
    "a line of 200 KB": _amid("whist is a game " * 12_000),
    "capitals before a label": _amid("OF TO " * 200 + "a 1. A law. " + "OF TO THE " * 200 + "Article 2."),
    "a run of one letter": _amid(("l" * 900 + " ") * 20),
    "a run of ones": _amid(("1" * 900 + " ") * 20),
    "a run of hyphens": _amid(("-" * 900 + " ") * 20),
    "a run of dashes": _amid(("—" * 900 + " ") * 20),
    "a run of full stops": _amid(("." * 900 + " ") * 20),
    "leaders": _amid(". " * 30_000),
    "hyphens at each line": lambda text, _: re.sub(r"\s*\n", "-\n", text),
    "thousands of labels": _amid("\n".join(f"{n}. A law." for n in range(1, 3000))),
    "thousands of labels, all 1": _amid("\n\n".join(["1. A law."] * 2000)),
    "thousands of bare labels": _amid("1. " * 5000),
    "thousands of articles": _amid("\n\n".join(f"Article {n}. A law." for n in range(1, 2000))),
    "thousands of cases": _amid("\n\n".join("Case 1.—The case.\n\nDecision.—The decision." for _ in range(1000))),
    "thousands of folios": _amid("\n\n\n".join(map(str, range(1, 2000)))),
    "thousands of folios, all 7": _amid("\n\n\n7\n\n\n" * 2000),
    "thousands of heads": _amid("\n\n".join(f"THE LAWS OF WHIST. {n}" for n in range(1, 1500))),
    "thousands of headings": _amid("THE REVOKE.\n\n" * 2000),
    "thousands of footnotes": _amid("\n\n".join(["* A note.", "(a) Another note."] * 1000)),
    "thousands of references": _amid("See Law 12 and 13, Article 94, Case 3 to 9; " * 1500),
    "a reference of thousands": _amid("See Laws " + ", ".join(map(str, range(1, 3000))) + "."),
    "a range of thousands": _amid("See Laws 1 to 999, Articles 1-99999999, Law ² and Law 12²."),
    "roman thousands": _amid("See Chapter " + "M" * 900 + ". " + "I" * 900 + ". " + "iv" * 400),
    "quotation marks nested": _amid("“" * 500 + "a" + "”" * 400 + ' "' * 5000),
    "brackets nested": _amid(("(" * 400 + "a" + ")" * 400 + " [") * 20),
    "apostrophes": _amid(("'" * 900 + " ") * 10 + "s 's s' " * 2000),
    "carets and bars": _between("^|\\/_~", 0.1),
    "another language": lambda text, noise: " ".join(
        noise.choice(_GERMAN) + noise.choice(["", ".", ",", "\n", "\n\n"]) for _ in range(3000)
    ),
    "another alphabet": lambda text, _: text.translate({c: c + 0x3B0 for c in range(ord("a"), ord("z") + 1)}),
    "a language without blanks": _amid("惠斯特紙牌遊戲規則。\n" * 2000),
    "words with their signs": _every(0.3, lambda w: f"({w}—“{w}”)."),
    "words run together": _every(0.3, lambda w: w * 12),
    "noise": lambda text, noise: "".join(map(chr, noise.choices(range(32, 0x2FFF), k=20_000))),
    "noise in lines": lambda text, noise: "".join(noise.choices("abcIl1.,;: \n\n\"'()-—0", k=20_000)),
    "figures only": lambda text, noise: " ".join(str(noise.randrange(1, 999)) for _ in range(4000)),
    "figures in lines": lambda text, noise: "\n\n\n".join(str(noise.randrange(1, 999)) for _ in range(2000)),
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
            alone = {"parts": (part.model_copy(update={"begins": ""}),), "witnesses": ()}
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
    return book.model_copy(update={"parts": tuple(kept), "witnesses": (), "layout": None}), scan


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
    assert undo(layer.reading, edition.edits) == edition.scan
    return "an edition"
