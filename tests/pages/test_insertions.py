"""What others than the printer put into a text: marks of pages, of pictures, stamps; and what is none of them."""

from __future__ import annotations

import random

import pytest
from samples import prose

from extract.edition import FURNITURE
from extract.pages.furniture import Furniture
from extract.pages.insertions import page_marks

WORDS = [prose(random.Random(n), 120) for n in range(12)]


def marks(furniture: Furniture) -> list[str]:
    return [e.before for e in furniture.edits if e.note == "mark of a page"]


@pytest.mark.parametrize("convention", ["{#}", "[Pg #]", "[p. #]", "[#]", "|#|", "{p. #}", "[Pg\n#]"])
@pytest.mark.parametrize("layout", ["lines", "markdown"])
def test_marks_of_pages_are_taken_out_and_tell_the_pages(convention: str, layout: str) -> None:
    numbers = [str(n) for n in range(7, 19)]
    marked = [convention.replace("#", n) for n in numbers]
    pages = zip(WORDS, marked, (words[::-1] for words in WORDS), strict=True)
    furniture = FURNITURE["lines" if layout == "lines" else "markdown"]("\n\n".join(map(" ".join, pages)))
    assert marks(furniture) == marked
    assert [p.folio for p in furniture.pages if p.status == "printed"] == numbers


@pytest.mark.parametrize("wrong", ["71", "1", "10", "1000"])
@pytest.mark.parametrize("place", [0, 1, 5, 10])
def test_a_mark_that_is_misread_costs_no_other(wrong: str, place: int) -> None:
    numbers = [wrong if n == 30 + place else str(n) for n in range(30, 54)]
    pages = (f"{said} {{{n}}} {said}" for n, said in zip(numbers, [*WORDS, *WORDS], strict=True))
    furniture = FURNITURE["lines"]("\n\n".join(pages))
    printed = {p.folio for p in furniture.pages if p.status == "printed"}
    assert printed - {wrong} == {str(n) for n in range(30, 54)} - {str(30 + place)}
    assert (wrong in printed) == (place == 0 and int(wrong) < 30), "the first mark may be any that is lower"
    assert marks(furniture) == [f"{{{n}}}" for n in numbers]


def test_a_note_among_marks_in_square_brackets_stays_and_roman_marks_come_first() -> None:
    pages = [f"{said} [{n}] {said}" for n, said in enumerate([*WORDS, *WORDS], 30)]
    furniture = FURNITURE["lines"]("\n\n".join([*pages[:9], "[1] See Hoyle.", *pages[9:]]))
    assert marks(furniture) == [f"[{n}]" for n in range(30, 54)]
    numbers = ["v", "vi", "vii", *"123456789"]
    pages = [f"{words} [Pg {mark}] {words}" for words, mark in zip(WORDS, numbers, strict=True)]
    assert [f.text for f in page_marks("\n\n".join(pages))[0]] == numbers


@pytest.mark.parametrize(
    "scan",
    [
        "\n\n".join(f"{words}[{n}] {words}\n\n[{n}] {words}" for n, words in enumerate(WORDS, 1)),
        "\n\n".join(f"{words}\n\n[{n}] {words}" for n, words in enumerate(WORDS, 1)),
        "\n".join(f"| card | {n} | points |{n}| to him who leads" for n in range(1, 20)),
        " ".join(f"[{n}] tricks" for n in range(1, 30)),
        "\n\n".join(f"{words} {{5}} {words}" for words in WORDS),
    ],
    ids=["notes", "notes behind paragraphs", "cells", "numbers close together", "one number again and again"],
)
def test_other_numbers_in_brackets_are_left_as_they_stand(scan: str) -> None:
    assert page_marks(scan) == ((), ())


PICTURE = "[Illustration: FIG. 1.\n_The first hand._]"
LAWS = ["[Illustration: FIG. 1.", "3. The dealer deals.", "4. Trumps win.]"]


@pytest.mark.parametrize(
    ("gap", "between", "gone"),
    [
        ("\n\n", ["[Illustration: FIG. 1.]"], {"[Illustration: FIG. 1.]": "picture"}),
        ("\n\n", [PICTURE], {PICTURE: "picture"}),
        ("\n\n", ["Digitized by Google", "Digitized by hand."], {"Digitized by Google": "stamp of the scanner"}),
        *((gap, LAWS, {}) for gap in ("\n\n", "\r\n\r\n", "\n \t\n")),
    ],
)
def test_pictures_and_stamps_are_taken_out_and_no_law(gap: str, between: list[str], gone: dict[str, str]) -> None:
    scan = gap.join([WORDS[0], *between, WORDS[1]])
    found = {e.before.strip(): e.note for e in FURNITURE["lines"](scan).edits}
    assert {text: note for text, note in found.items() if note in ("picture", "stamp of the scanner")} == gone
