"""E-texts made for tests: a header and a licence, prose with lists, and two numbered codes printed in many ways."""

from __future__ import annotations

import hashlib
import random
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from samples import prose

from extract.corpus.book import load_book
from extract.edition import make_edition
from extract.numbering.numerals import roman
from extract.survey.plan import Imprint, book_file
from extract.survey.report import report_on
from extract.survey.survey import survey
from extract.survey.trial import buildable_plan

HEADER = (
    "The Project Gutenberg eBook of A Book of Games",
    "This ebook is for the use of anyone anywhere.",
    "Title: A Book of Games\n\nAuthor: Charles Hand",
    "*** START OF THE PROJECT GUTENBERG EBOOK A BOOK OF GAMES ***",
    "Produced by nobody",
)
LICENCE = (
    "*** END OF THE PROJECT GUTENBERG EBOOK A BOOK OF GAMES ***",
    "1. Of the terms of use.",
    "2. Of redistribution.",
    "3. Of donations.",
)
HEADS = ("THE RUBBER.", "SCORING.", "CUTTING.", "SHUFFLING.", "THE DEAL.", "THE REVOKE.")
TITLED = ("The Rubber.", "Scoring.", "Cutting Out.", "Shuffling.", "The Deal.", "The Revoke.")
SLANTED = tuple(f"_{head}_" for head in TITLED)


NOISE = random.Random(1)
"""The words of tests: each test begins them anew."""


def said(words: int = 0) -> str:
    """Some words; a number not told is any from 10 to 40."""
    return prose(NOISE, words or NOISE.randint(10, 40))


@dataclass(frozen=True, slots=True)
class PrintedCode:
    """How a code is printed: its title, label and length, the heads between its laws, its items, inserted laws."""

    title: str
    label: str
    length: int
    heads: tuple[str, ...] = ()
    item: str = ""
    inserted: bool = False
    alone: bool = False


@dataclass(frozen=True, slots=True)
class EditedText:
    """An e-text, and the laws of each of its codes: number and text."""

    text: str
    laws: tuple[tuple[tuple[str, str], ...], ...]


def etext(codes: tuple[PrintedCode, ...], style: str = "wrapped", contents: str = "plain", seed: int = 1) -> EditedText:
    """Print a book of games.

    Args:
        codes: its codes, a chapter of prose between them.
        style: how lines are broken: `wrapped`, `paragraphs` (one a line), `hanging`.
        contents: how the list of contents is numbered: `plain`, `numbered`, or `` for none.
        seed: of the words.
    """
    noise = random.Random(seed)
    matter = [*HEADER, "A BOOK OF GAMES", "LONDON\n\n1875"]
    titles = ["Of the Lead", *(code.title.title() for code in codes), "Of Finesse"]
    if contents:
        matter += ["CONTENTS", "\n".join(_entry(i, t, contents) for i, t in enumerate(titles, 1))]
    laws: list[tuple[tuple[str, str], ...]] = []
    matter += _chapter(noise, 1, "OF THE LEAD")
    for i, code in enumerate(codes):
        printed, found = _code(noise, code)
        matter += printed
        laws.append(tuple(found))
        matter += _chapter(noise, i + 2, "OF FINESSE") if i + 1 < len(codes) else []
    matter += [*_chapter(noise, 9, "OF MEMORY"), *LICENCE]
    return EditedText("\n\n".join(_set(piece, style) for piece in matter) + "\n", tuple(laws))


def _entry(place: int, title: str, contents: str) -> str:
    number = f"{place}. " if contents == "numbered" else ""
    return f"{number}{title} {'.' * 10} {place * 20}"


def _chapter(noise: random.Random, number: int, title: str) -> list[str]:
    listed = [f"{i}. {prose(noise, 14)}" for i in range(1, 5)]
    return [f"CHAPTER {roman(number).upper()}.", title, prose(noise, 90), *listed, prose(noise, 60)]


def _code(noise: random.Random, code: PrintedCode) -> tuple[list[str], list[tuple[str, str]]]:
    matter = [code.title]
    laws: list[tuple[str, str]] = []
    every = max(1, code.length // max(1, len(code.heads)))
    for number in range(1, code.length + 1):
        if code.heads and number % every == 1 and number // every < len(code.heads):
            matter.append(code.heads[number // every])
        text = prose(noise, noise.randint(8, 60))
        printed = [*_labelled(code, str(number), roman(number).upper(), text)]
        if code.item and number % 7 == 3:
            items = [f"{code.item.replace('#', mark)} {prose(noise, 9)}" for mark in "abc"]
            printed += items
            text = " ".join([text, *items])
        laws.append((str(number), text))
        if code.inserted and number % 11 == 5:
            added = prose(noise, 20)
            printed += _labelled(code, f"{number}a", "", added)
            laws.append((f"{number}a", added))
        matter += printed
    return matter, laws


def _labelled(code: PrintedCode, number: str, numeral: str, text: str) -> list[str]:
    label = code.label.replace("{n}", number).replace("{I}", numeral)
    return [label, text] if code.alone else [f"{label} {text}"]


def _set(piece: str, style: str) -> str:
    if "\n" in piece or style == "paragraphs":
        return piece
    return textwrap.fill(piece, 70, subsequent_indent="    " if style == "hanging" else "")


def added(folder: Path, made: EditedText, *, gaps: bool = False) -> tuple[list[list[tuple[str, str]]], str]:
    """The laws of each code as the proposed plan finds them, and the plan; with `gaps` the print leaves numbers out."""
    data = made.text.encode()
    plan = book_file(
        Imprint("A Book", 1875, (("", "Hand"),), hashlib.sha256(data).hexdigest(), "utf-8"),
        buildable_plan(survey(made.text), folder.name),
    )
    folder.mkdir()
    (folder / "scan.txt").write_bytes(data)
    (folder / "book.toml").write_text(plan, encoding="utf-8")
    book = load_book(folder)
    edition = make_edition(book)
    laws = [u for u in edition.units if u.kind == "law"]
    found = [[(u.number or "", " ".join(u.text.split())) for u in laws if u.code_id == c.id] for c in book.codes]
    left = [u.text for u in edition.units if "Gutenberg" in u.text or "redistribution" in u.text]
    assert not left, "header and licence are left out"
    assert gaps or report_on(book, edition).numberings[0].missing == ()
    return found, plan


def page(*pieces: str, gap: str = "\n\n", width: int = 70) -> str:
    """Pieces of text as a page has them; what has line ends keeps its own."""
    return gap.join(p if "\n" in p else textwrap.fill(p, width, break_on_hyphens=False) for p in pieces) + "\n"


Laws = Sequence[str] | Mapping[int, str]


def numbered(texts: Laws, label: str, heads: Mapping[int, str] | None = None) -> list[str]:
    """Laws with their labels; a head that ends with a blank or a line end stands close to the law below it."""
    pieces: list[str] = []
    for number, text in texts.items() if isinstance(texts, Mapping) else enumerate(texts, 1):
        numeral = roman(number) if number < 4000 else ""
        head = (heads or {}).get(number, "")
        law = f"{label.format(n=number, I=numeral.upper(), i=numeral)} {text}"
        pieces += [head + law] if not head or head[-1].isspace() else [head, law]
    return pieces


def require_whole(folder: Path, scan: str, *codes: Laws, gaps: bool = False) -> str:
    """All laws of all codes are found, under numbers that are given, and end where they end; gives the plan."""
    found, plan = added(folder, EditedText(scan, ()), gaps=gaps)
    assert [len(code) for code in found] == [len(code) for code in codes]
    for units, texts in zip(found, codes, strict=True):
        if isinstance(texts, Mapping):
            assert [number for number, _ in units] == [str(number) for number in texts]
        for (number, unit), words in zip(units, texts.values() if isinstance(texts, Mapping) else texts, strict=True):
            assert unit.endswith(words[-40:]) and len(unit) < len(words) + 40, number
    return plan
