"""Notes at the foot of a page, told by their smaller type, and words that the page cuts before them."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import make_book

from extract.edition import make_edition
from extract.pages.notes import notes_at_feet
from extract.text.lines import split_lines

PLAN = '\n[[part]]\nid = "text"\nbegins = ""\ngrammar = "paragraphs"\n'
TEXT = "The dealer shall give the cards to be cut by\nthe player who sits at his right and who has\n"
NOTE = (
    "t While it is usual that the eldest hand should play first,\n"
    "it is no rule that binds the others who sit at the table.\n"
)


def spans(scan: str) -> list[str]:
    lines = split_lines(scan)
    tops = [i for i, line in enumerate(lines) if line.above > 3]
    return [scan[s.start : s.end] for s in notes_at_feet(lines, tops, ())]


def test_a_note_in_smaller_type_is_found_whatever_its_mark_is_read_as() -> None:
    assert spans(TEXT * 8 + "\n\n\n\n" + TEXT * 3 + NOTE + "\n\n\n\n" + TEXT * 3) == [NOTE.strip()]


def test_a_note_goes_on_overleaf_without_a_mark() -> None:
    first, end = NOTE.replace("table.\n", "table and\n"), NOTE.removeprefix("t ")
    scan = TEXT * 8 + "\n\n\n\n" + TEXT * 3 + first + "\n\n\n\n" + TEXT * 3 + end
    assert spans(scan) == [first.strip(), end.strip()]


def test_the_rows_of_a_table_are_no_note() -> None:
    rows = "*Ace, King, Queen, and one or more of the others   King\nKing, Queen, with or without any others    Queen\n"
    assert spans(TEXT * 8 + "\n\n\n\n" + TEXT * 3 + rows) == []


@pytest.mark.parametrize("mark", ["*", "t", "+"])
def test_a_word_is_joined_over_the_note_that_parts_its_page(tmp_path: Path, mark: str) -> None:
    pages = [TEXT * 6, TEXT * 5 + "each of them and the other two make one declara-\n" + NOTE.replace("t", mark, 1)]
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
