"""What others than the printer put into a text: marks of pages, of pictures, stamps; and what is none of them."""

from __future__ import annotations

import random

import pytest
from samples import prose

from extract.edition import FURNITURE
from extract.pages.insertions import page_marks

WORDS = [prose(random.Random(n), 120) for n in range(12)]


def marked(convention: str) -> str:
    """Pages of prose, a mark in the midst of each."""
    pages = [words.split() for words in WORDS]
    return "\n\n".join(
        " ".join([*words[:60], convention.replace("#", str(n)), *words[60:]]) for n, words in enumerate(pages, 7)
    )


@pytest.mark.parametrize("convention", ["{#}", "[Pg #]", "[p. #]", "[#]", "|#|", "{p. #}", "[Pg\n#]"])
@pytest.mark.parametrize("layout", ["lines", "markdown"])
def test_marks_of_pages_are_taken_out_and_tell_the_pages(convention: str, layout: str) -> None:
    scan = marked(convention)
    furniture = FURNITURE["lines" if layout == "lines" else "markdown"](scan)
    gone = [e.before for e in furniture.edits if e.note == "mark of a page"]
    assert gone == [convention.replace("#", str(n)) for n in range(7, 19)]
    assert [p.folio for p in furniture.pages if p.status == "printed"] == [str(n) for n in range(7, 19)]


@pytest.mark.parametrize("wrong", ["71", "1", "10", "1000"])
@pytest.mark.parametrize("place", [0, 1, 5, 10])
def test_a_mark_that_is_misread_costs_no_other(wrong: str, place: int) -> None:
    words = [*WORDS, *WORDS]
    numbers = [str(n) for n in range(30, 54)]
    numbers[place] = wrong
    scan = "\n\n".join(f"{said} {{{n}}} {said}" for n, said in zip(numbers, words, strict=True))
    furniture = FURNITURE["lines"](scan)
    printed = {p.folio for p in furniture.pages if p.status == "printed"}
    assert printed - {wrong} == {str(n) for n in range(30, 54)} - {str(30 + place)}
    assert (wrong in printed) == (place == 0 and int(wrong) < 30), "the first mark may be any that is lower"
    assert [e.before for e in furniture.edits if e.note == "mark of a page"] == [f"{{{n}}}" for n in numbers]


def test_a_note_among_marks_in_square_brackets_stays() -> None:
    pages = [f"{said} [{n}] {said}" for n, said in enumerate([*WORDS, *WORDS], 30)]
    furniture = FURNITURE["lines"]("\n\n".join([*pages[:9], "[1] See Hoyle.", *pages[9:]]))
    gone = [e.before for e in furniture.edits if e.note == "mark of a page"]
    assert gone == [f"[{n}]" for n in range(30, 54)]


def test_roman_marks_come_first() -> None:
    pages = [
        f"{words} [Pg {mark}] {words}" for words, mark in zip(WORDS, ["v", "vi", "vii", *"123456789"], strict=True)
    ]
    assert [f.text for f in page_marks("\n\n".join(pages))[0]] == ["v", "vi", "vii", *"123456789"]


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


def test_pictures_and_stamps_are_taken_out() -> None:
    scan = "\n\n".join(
        [WORDS[0], "[Illustration: FIG. 1.]", WORDS[1], "Digitized by Google", WORDS[2], "Digitized by hand."]
    )
    gone = {e.before.strip(): e.note for e in FURNITURE["lines"](scan).edits}
    assert gone == {"[Illustration: FIG. 1.]": "picture", "Digitized by Google": "stamp of the scanner"}


@pytest.mark.parametrize("gap", ["\n\n", "\r\n\r\n", "\n \t\n"])
def test_a_picture_takes_no_law_out(gap: str) -> None:
    scan = gap.join([WORDS[0], "[Illustration: FIG. 1.", "3. The dealer deals.", "4. Trumps win.]", WORDS[1]])
    assert not [e for e in FURNITURE["lines"](scan).edits if e.note == "picture"]
    caption = "[Illustration: FIG. 1.\n_The first hand._]"
    scan = "\n\n".join([WORDS[0], caption, WORDS[1]])
    assert [e.before.strip() for e in FURNITURE["lines"](scan).edits if e.note == "picture"] == [caption]
