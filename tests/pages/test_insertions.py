"""Insertions by transcribers and scanners, column heads, and the furniture of markdown scans."""

import random
import re
from pathlib import Path

import pytest
from samples import edition_of, prose, shown

from extract.edition import FURNITURE
from extract.pages.furniture import Furniture
from extract.pages.insertions import page_marks
from extract.pages.margins import column_heads
from extract.pages.markdown_furniture import find_markdown_furniture
from extract.text.lines import split_lines
from extract.text.source import Layout
from extract.text.textlayer import check_edits

WORDS = [prose(random.Random(n), 120) for n in range(12)]


def marks(furniture: Furniture) -> list[str]:
    return [e.before for e in furniture.edits if e.note == "mark of a page"]


@pytest.mark.parametrize(
    ("convention", "layout"),
    [("{#}", "lines"), ("[Pg #]", "markdown"), ("[p. #]", "lines"), ("[#]", "lines"), ("|#|", "lines"),
     ("[Pg\n#]", "lines")],
)  # fmt: skip
def test_page_marks_are_removed_and_number_the_pages(convention: str, layout: str) -> None:
    numbers = [str(n) for n in range(7, 19)]
    marked = [convention.replace("#", n) for n in numbers]
    pages = zip(WORDS, marked, (words[::-1] for words in WORDS), strict=True)
    furniture = FURNITURE["lines" if layout == "lines" else "markdown"]("\n\n".join(map(" ".join, pages)))
    assert marks(furniture) == marked
    assert [p.folio for p in furniture.pages if p.status == "printed"] == numbers


@pytest.mark.parametrize(("wrong", "place"), [("10", 0), ("1000", 0), ("1", 1), ("71", 5)])
def test_misread_page_mark_does_not_affect_the_others(wrong: str, place: int) -> None:
    numbers = [wrong if n == 30 + place else str(n) for n in range(30, 54)]
    pages = (f"{text} {{{n}}} {text}" for n, text in zip(numbers, [*WORDS, *WORDS], strict=True))
    furniture = FURNITURE["lines"]("\n\n".join(pages))
    printed = {p.folio for p in furniture.pages if p.status == "printed"}
    assert printed - {wrong} == {str(n) for n in range(30, 54)} - {str(30 + place)}
    assert (wrong in printed) == (place == 0 and int(wrong) < 30), "the first mark may be any that is lower"
    assert marks(furniture) == [f"{{{n}}}" for n in numbers]


def test_notes_among_page_marks_stay_and_roman_marks_come_first() -> None:
    pages = [f"{text} [{n}] {text}" for n, text in enumerate([*WORDS, *WORDS], 30)]
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
    ids=["notes", "notes behind paragraphs", "cells", "numbers close together", "the same number repeated"],
)
def test_other_bracketed_numbers_are_not_page_marks(scan: str) -> None:
    assert page_marks(scan) == ((), ())


PICTURE = "[Illustration: FIG. 1.\n_The first hand._]"
LAWS = ["[Illustration: FIG. 1.", "3. The dealer deals.", "4. Trumps win.]"]


@pytest.mark.parametrize(
    ("gap", "between", "gone"),
    [
        ("\n\n", ["[Illustration: FIG. 1.]"], {"[Illustration: FIG. 1.]": "picture"}),
        ("\n\n", [PICTURE], {PICTURE: "picture"}),
        ("\n\n", ["Digitized by Google", "Digitized by hand."], {"Digitized by Google": "stamp of the scanner"}),
        *((gap, LAWS, {}) for gap in ("\r\n\r\n", "\n \t\n")),
    ],
)
def test_removes_pictures_and_scanner_stamps_but_no_law(gap: str, between: list[str], gone: dict[str, str]) -> None:
    found = {e.before.strip(): e.note for e in FURNITURE["lines"](gap.join([WORDS[0], *between, WORDS[1]])).edits}
    assert {text: note for text, note in found.items() if note in ("picture", "stamp of the scanner")} == gone


CONTENTS = '[[part]]\nid = "contents"\nbegins = "CONTENTS"\ngrammar = "entries"\nkind = "front_matter"\n'


@pytest.mark.parametrize(
    ("layout", "scan"),
    [
        ("lines", "CONTENTS \n\n\nPage \n\nPreface    vii \n\nThe  Rubber 3 \n\nScoring 5 \n"),
        ("lines", "CONTENTS \n\nPAGE \n\nPreface. . .   vii \n\nThe  Rubber 3 \n\nScoring 5 \n"),
        ("markdown", "CONTENTS\n\n\tPage\nPreface,\tvii\nThe Rubber,\t3\nScoring,\t5\n"),
    ],
)
def test_column_head_is_not_part_of_an_entry(tmp_path: Path, layout: Layout, scan: str) -> None:
    edition = edition_of(tmp_path / "small", scan, CONTENTS, layout)
    assert [e.before.casefold() for e in edition.edits if e.note == "head of a column"] == ["page"]
    assert [name for name, _ in shown(edition.units, "front_matter")] == [
        "small/contents-preface", "small/contents-the-rubber", "small/contents-scoring",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "marked",
    [
        "CONTENTS \n\nThe  Laws:  «page» \n\nThe  Rubber 3 \n\nScoring 5 \n",
        "\t«Page»\nPreface,\t11\nDefinitions,\t19\nMaxims, viz.\t«Page»\n(Contractions,)\t\nWhat Suit to lead\t\n"
        "when in doubt\t47\n",
        "Maxims, viz.\tPage\n(Contractions,)\t\nWhat Suit to lead\t\nwhen in doubt\t47\n",
        "Ace, queen, &c. See next page \nThe king is led from 4. \nThe queen is not.\n",
        "This is on another page\n",
        "He turned to page\n23, where it is said\nthat the trick is lost.\n",
    ],
    ids=["beside a heading", "in a cell", "in no list of contents", "in a cell of text", "alone", "before a figure"],
)
def test_distinguishes_column_heads_from_the_same_word_in_text(marked: str) -> None:
    scan = found = re.sub("[«»]", "", marked)
    for edit in reversed(column_heads(scan, split_lines(scan))):
        found = f"{found[: edit.raw_start]}«{edit.before}»{found[edit.raw_end :]}"
    assert found == marked


def book(running: dict[int, str], pages: int = 24) -> tuple[str, dict[int, int]]:
    """A markdown scan with contents, a heading every sixth page and running heads; and where each page begins."""
    noise = random.Random(7)
    titles = {9: "OF THE DEAL.", 15: "OF THE REVOKE.", 21: "OF BYSTANDERS.", 27: "MAXIMS FOR PLAYING."}
    scan = "INDEX.\n\n" + "".join(f"{t.rstrip('.').title()},\t{n}\n" for n, t in titles.items()) + "\n\n"
    starts: dict[int, int] = {}
    for number in range(9, 9 + pages):
        starts[number] = len(scan)
        # A page ends in the middle of a sentence, so that the page break is recognisable.
        body = [prose(noise, 60), prose(noise, 60).rstrip(".")]
        above = [words[number] for words in (running, titles) if number in words]
        scan += "".join(f"{piece}\n\n" for piece in above + body)
    return scan, starts


OF_THE_DEAL = {12: "Of the Deal.", 13: "Of the Deal.", 14: "Ot the Deal.", 18: "Of the Revoke.", 19: "Of the Rebole."}
SENTENCE = "This section takes effect at once."
MARKS = "LAWS.\n\n- 12. Having called *two* honours is no bar.\n* A player may look at the **last** trick. 3 * 4\n"


@pytest.mark.parametrize(
    ("scan", "gone"),
    [
        (book(OF_THE_DEAL)[0], "|".join(OF_THE_DEAL.values())),
        (book({12: "- Of the Deal.", 13: "Of the Deal.", 14: "**Of the Deal.**"})[0],
         "- Of the Deal.|Of the Deal.|**Of the Deal.**"),
        (book({12: SENTENCE, 18: SENTENCE})[0], ""),
        (MARKS, "- |*|*|* |**|**"),
        ("Slam - all the tricks won by one party.\n\nA sequence—three cards - or more.\n", ""),
    ],
    ids=["repeated heads", "heads with marks", "a repeated sentence", "emphasis and list marks", "dashes"],
)  # fmt: skip
def test_removes_running_heads_and_transcription_marks_but_no_words(scan: str, gone: str) -> None:
    assert "|".join(e.before for e in check_edits(scan, find_markdown_furniture(scan).edits)) == gone


def test_head_with_a_folio_is_removed_and_numbers_the_page() -> None:
    scan, starts = book({24: "BYSTANDERS. 24"})
    furniture = find_markdown_furniture(scan)
    assert [e.before for e in furniture.edits] == ["BYSTANDERS. 24"]
    assert [(p.raw_start, p.status) for p in furniture.pages if p.folio == "24"] == [(starts[24], "printed")]


def test_pages_are_numbered_by_the_contents_and_interpolated_between() -> None:
    scan, starts = book({})
    furniture = find_markdown_furniture(scan)
    middles = {number: start + 200 for number, start in starts.items()}
    right = {
        n for n, at in middles.items() for p in furniture.pages if p.raw_start <= at < p.raw_end and p.folio == str(n)
    }
    assert right >= {9, 15, 21, 27}
    assert len(right) >= 0.9 * len(starts)
    # Page numbers come from the contents: no folio is printed on the pages.
    assert {p.status for p in furniture.pages} == {"unnumbered", "interpolated"}
