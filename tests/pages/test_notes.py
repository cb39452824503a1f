"""Notes at the foot of a page, told by their smaller type, and words that the page cuts before them."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import make_book

from extract.edition import make_edition
from extract.pages.notes import find_notes
from extract.text.lines import split_lines

PLAN = '\n[[part]]\nid = "text"\nbegins = ""\ngrammar = "paragraphs"\n'
TEXT = "The dealer shall give the cards to be cut by\nthe player who sits at his right and who has\n"
NOTE = (
    "t While it is usual that the eldest hand should play first,\n"
    "it is no rule that binds the others who sit at the table.\n"
)


def spans(scan: str) -> list[str]:
    lines = split_lines(scan)
    tops = [line.start for line in lines if line.above > 3]
    return sorted((scan[n.start : n.end] for n in find_notes(scan, tops)), key=scan.index)


def test_a_note_in_smaller_type_is_found_whatever_its_mark_is_read_as() -> None:
    assert spans(TEXT * 8 + "\n\n\n\n" + TEXT * 3 + NOTE + "\n\n\n\n" + TEXT * 3) == [NOTE.strip()]


def test_a_note_goes_on_overleaf_without_a_mark() -> None:
    first, end = NOTE.replace("table.\n", "table and\n"), NOTE.removeprefix("t ")
    scan = TEXT * 8 + "\n\n\n\n" + TEXT * 3 + first + "\n\n\n\n" + TEXT * 3 + end
    assert spans(scan) == [first.strip(), end.strip()]


def test_the_rows_of_a_table_are_no_note() -> None:
    rows = "*Ace, King, Queen, and one or more of the others   King\nKing, Queen, with or without any others    Queen\n"
    assert spans(TEXT * 8 + "\n\n\n\n" + TEXT * 3 + rows) == []


@pytest.mark.parametrize("gap", ["", "\n"], ids=["close", "apart"])
@pytest.mark.parametrize("mark", ["*", "t", "+"])
def test_a_word_is_joined_over_the_note_that_parts_its_page(tmp_path: Path, mark: str, gap: str) -> None:
    cut = TEXT * 5 + "each of them and the other two make one declara-\n" + gap
    pages = [TEXT * 6, cut + NOTE.replace("t", mark, 1)]
    pages += ["tion before the first lead of the game. He is\n" + TEXT * 5, TEXT * 6]
    scan = "".join(f"{page}\n({n})\n\n\n\n" for n, page in enumerate(pages, 11))
    edition = make_edition(make_book(tmp_path / "book-1850", scan, "lines", PLAN), unaided=True)
    body = " ".join(u.text for u in edition.units if u.kind != "footnote")
    assert "make one declaration before the first lead" in body
    assert [u.text for u in edition.units if u.kind == "footnote"] == [" ".join(NOTE.replace("t", mark, 1).split())]


def test_a_speck_before_a_paragraph_makes_no_note_of_it(tmp_path: Path) -> None:
    pages = [TEXT * 6, TEXT * 5 + "\n* " + TEXT * 2, TEXT * 6, TEXT * 6]
    scan = "".join(f"{page}\n({n})\n\n\n\n" for n, page in enumerate(pages, 11))
    edition = make_edition(make_book(tmp_path / "book-1850", scan, "lines", PLAN), unaided=True)
    assert not [u for u in edition.units if u.kind == "footnote"]


FULL = "he may look at his own cards but not at those\n"
UNMARKED = "The dealer alone may do so while he deals to them.\n"


@pytest.mark.parametrize("mark", ["* ", "1 ", "2"], ids=["a sign", "a figure", "a figure close by"])
def test_a_note_is_told_by_the_sentence_that_it_interrupts(mark: str) -> None:
    scan = TEXT * 6 + FULL + "\n" + mark + UNMARKED + "\n\n\n\n" + "of the others till the game is over.\n" + TEXT * 5
    assert spans(scan) == [mark + UNMARKED.strip()]


def test_two_notes_below_one_another_are_two() -> None:
    second = "2 His partner may not.\n"
    scan = TEXT * 6 + FULL + f"\n1 {UNMARKED}\n{second}\n\n\n\n" + "of the others till it is over.\n" + TEXT * 5
    assert spans(scan) == [f"1 {UNMARKED.strip()}", second.strip()]
    assert spans(scan.replace("\n2 His", "2 His")) == spans(scan)


@pytest.mark.parametrize(
    ("last", "following"),
    [
        ("If the dealer should look at them before he has\n", "dealt all of the others.\n"),
        (UNMARKED, "The game is then over.\n"),
        ("NEW CARDS\n", "are to be called for then.\n"),
    ],
    ids=["a paragraph that goes on", "one after which another begins", "a heading"],
)
def test_what_a_page_ends_with_is_no_note(last: str, following: str) -> None:
    assert spans(TEXT * 6 + FULL + "\n" + last + "\n\n\n\n" + following + TEXT * 5) == []


def test_a_note_above_another_is_found_with_it() -> None:
    first, second = f"1 {UNMARKED}", "* " + NOTE.removeprefix("t ")
    scan = TEXT * 6 + FULL + f"\n{first}{second}\n\n\n\nof the others till it is over.\n" + TEXT * 5
    assert spans(scan) == [first.strip(), second.strip()]


def test_a_speck_before_a_long_paragraph_is_no_mark() -> None:
    interrupting = TEXT * 6 + FULL + f"\n+ {UNMARKED}\n\n\n\nof the others till it is over.\n" + TEXT * 5
    assert len(spans(f"{interrupting}\n\n\n\n{TEXT * 5}\n+ {TEXT * 3}")) == 1


def test_paragraphs_below_a_comma_and_above_dirt_are_no_note() -> None:
    body = "G. The dealer shall give the cards to any of\nthem that he may choose.\n\nHe may do so again, but\n"
    body += "each of those who play with him may then ask\n\nou\n"
    scan = (
        TEXT * 6
        + FULL.replace("those\n", "any,\n")
        + "\n"
        + body
        + "\n\n\n(not more than two) of the others.\n"
        + TEXT * 5
    )
    assert spans(scan) == []
