"""Bad scans: each ends in an edition that holds its promises, or in one sentence; the long row runs in `make bench`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from bad_scans import outcome, pieces, whole
from samples import LAWS_PLAN, make_book, render

from extract.corpus.book import Book
from extract.correction.spelling.collation import witnesses_of
from extract.edition import make_edition
from extract.errors import ScanError
from extract.text.source import LONGEST_RUN, read_scan

# One of each sort of fault that was ever found, and one of each grammar.
SLICE = [
    ("arnaud-1829 series", "digits superscript"),
    ("arnaud-1829 table", "tabs for blanks"),
    ("arnaud-1829 definitions", "strange numerals"),
    ("deschapelles-1839 commentary", "CR"),
    ("deschapelles-1839 entries", "an ocean of blanks"),
    ("deschapelles-1839 series", "roman thousands"),
    ("drayson-1896 cases", "thousands of cases"),
    ("drayson-1896 series", "digits of the world"),
    ("drayson-1896 paragraphs", "separators strewn"),
    ("drayson-1896 cases", "a number of 5,000 digits"),
    ("pole-1895 chapters", "upper case"),
    ("pole-1895 series", "one sign"),
]


@pytest.mark.parametrize(("name", "mutation"), SLICE)
def test_a_bad_scan_ends_in_an_edition_or_a_sentence(
    tmp_path: Path, books: Mapping[str, Book], name: str, mutation: str
) -> None:
    book, text = pieces(books)[name]
    assert outcome(book, text[:8000], mutation, 0, tmp_path / book.id)


@pytest.mark.parametrize("book_id", ["arnaud-1829", "deschapelles-1839", "drayson-1896", "pole-1895"])
def test_a_book_cut_short_is_told_which_part_is_missing(
    tmp_path: Path, books: Mapping[str, Book], book_id: str
) -> None:
    book, text = whole(books[book_id])
    assert outcome(book, text[:4000], "as it was", 0, tmp_path / book_id) != "an edition"


@pytest.mark.parametrize(
    ("scan", "kind"), [("w{}", "one word"), ("a{}b", "white space"), ("a\n1{}", "one word")], ids=["w", "gap", "1"]
)
def test_a_run_that_no_page_has_is_refused(tmp_path: Path, scan: str, kind: str) -> None:
    path = tmp_path / "scan.txt"
    sign = "\n" if kind == "white space" else scan.strip("{}")[-1]
    longest = LONGEST_RUN - (kind == "one word")
    path.write_text(scan.format(sign * longest), encoding="utf-8")
    assert read_scan(path)
    path.write_text(scan.format(sign * (longest + 1)), encoding="utf-8")
    with pytest.raises(ScanError, match=rf"has 1,001 characters of {kind} at offset \d"):
        read_scan(path)


def test_a_page_copied_thousands_of_times_is_no_witness_of_itself() -> None:
    forms = ["whist", "is", "a", "game"] * 5_000
    assert witnesses_of(range(len(forms)), forms, ()) == {}
    twice = ["a", "player", "may", "not", "lead"] * 2
    assert witnesses_of([2], twice, ())[2] == {"may": 1}


def test_a_law_numbered_beyond_all_books_is_no_label(tmp_path: Path) -> None:
    matter = ["WHIST LAWS", "1. The first law of it.", f"{'7' * 900}. No law.", "2. The second law of it."]
    edition = make_edition(make_book(tmp_path / "small", render(matter, "lines"), "lines", LAWS_PLAN))
    assert [u.number for u in edition.units if u.kind == "law"] == ["1", "2"]
