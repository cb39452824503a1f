"""E-texts made for tests: a header and a licence, prose with lists, and numbered codes printed in various ways."""

import hashlib
import random
import textwrap
from collections.abc import Mapping, Sequence
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
    "A BOOK OF GAMES",
    "LONDON\n\n1875",
)
LICENCE = (
    "*** END OF THE PROJECT GUTENBERG EBOOK A BOOK OF GAMES ***",
    "1. Of the terms of use.",
    "2. Of redistribution.",
    "3. Of donations.",
)
HEADS = ("THE RUBBER.", "SCORING.", "CUTTING.", "SHUFFLING.", "THE DEAL.", "THE REVOKE.")


NOISE = random.Random(1)
"""The random generator of words, reset before each test."""


def said(words: int = 0) -> str:
    """Random prose with a given number of words, by default 10 to 40."""
    return prose(NOISE, words or NOISE.randint(10, 40))


def etext(*codes: Sequence[str]) -> list[str]:
    """The pieces of a book of games: an e-text header, a list of contents, chapters around the codes, a licence."""
    titles = ["Of the Lead", *(title.title() for title, *_ in codes), "Of Finesse"]
    contents = "\n".join(f"{n}. {title} {'.' * 10} {n * 20}" for n, title in enumerate(titles, 1))
    pieces = [*HEADER, "CONTENTS", contents]
    for n, code in enumerate(codes, 1):
        pieces += [*chapter(n, "OF THE LEAD"), *code]
    return [*pieces, *chapter(9, "OF MEMORY"), *LICENCE]


def chapter(number: int, title: str) -> list[str]:
    """The pieces of a chapter of prose with a numbered list."""
    listed = numbered([said(14) for _ in range(4)], "{n}.")
    return [f"CHAPTER {roman(number).upper()}.", title, said(90), *listed, said(60)]


def added(folder: Path, scan: str, *, gaps: bool = False) -> tuple[list[list[tuple[str, str]]], str]:
    """The laws of each code that the proposed plan finds, and the plan; `gaps` allows missing numbers."""
    data = scan.encode()
    plan = book_file(
        Imprint("A Book", 1875, (("", "Hand"),), hashlib.sha256(data).hexdigest(), "utf-8"),
        buildable_plan(survey(scan), folder.name),
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


def page(*pieces: str, gap: str = "\n\n", width: int = 70, indent: str = "") -> str:
    """Pieces of text as printed on a page, later lines with an indent; a piece with line ends keeps its own."""
    wrap = textwrap.TextWrapper(width, break_on_hyphens=False, subsequent_indent=indent)
    return gap.join(p if "\n" in p else wrap.fill(p) for p in pieces) + "\n"


Laws = Sequence[str] | Mapping[int, str]


def numbered(texts: Laws, label: str, heads: Mapping[int, str] | None = None) -> list[str]:
    """Laws with their labels; a heading that ends with white space directly precedes the label below it."""
    pieces: list[str] = []
    for number, text in texts.items() if isinstance(texts, Mapping) else enumerate(texts, 1):
        numeral = roman(number) if number < 4000 else ""
        head = (heads or {}).get(number, "")
        law = f"{label.format(n=number, I=numeral.upper(), i=numeral)} {text}"
        pieces += [head + law] if not head or head[-1].isspace() else [head, law]
    return pieces


def require_whole(folder: Path, scan: str, *codes: Laws, gaps: bool = False) -> str:
    """Assert that all laws of all codes are found complete, with their numbers if given; return the plan."""
    found, plan = added(folder, scan, gaps=gaps)
    assert [len(code) for code in found] == [len(code) for code in codes]
    for units, texts in zip(found, codes, strict=True):
        if isinstance(texts, Mapping):
            assert [number for number, _ in units] == [str(number) for number in texts]
        for (number, unit), words in zip(units, texts.values() if isinstance(texts, Mapping) else texts, strict=True):
            assert unit.endswith(words[-40:]) and len(unit) < len(words) + 40, number
    return plan
