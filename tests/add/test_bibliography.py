"""The bibliography of a new book: the imprint of its title page, the header of an e-text, options."""

from pathlib import Path

import pytest

from extract.add.bibliography import Imprint, imprint, read_etext, year_of_print
from extract.errors import BookError

HEADER = "Title: Of Games\n\nAuthor: Hoyle, Edmond\n\n*** START OF THE E-TEXT ***\n\n"


@pytest.mark.parametrize(
    ("page", "year"),
    [
        ("LONDON\n\nMDCCCLXIV", 1864), ("M.DCC.XCVI.", 1796), ("NEW YORK, 1891.", 1891),
        ("The laws of 1864 are good.\n\nLondon: 1850.", 1850), ("First published 1906\nReprinted 1911", 1911),
        ("Copyright, 1897, by\nJohn Hand", 1897), ("As they were in 1742 and later.", 1742),
        ("MIX AND MILL", None), ("Scanned in 2015.", None), ("Release date: 1 May 2011", None),
        ("LONDON, 1864.\n\nProduced by volunteers,\nJuly 2009", 1864), ("New York: 1955.", 1955),
    ],
)  # fmt: skip
def test_year_is_that_of_the_imprint(page: str, year: int | None) -> None:
    assert year_of_print(page) == year


def data(folder: Path, name: str, text: str, *given: str | int | None) -> Imprint:
    scan = folder / name
    scan.write_text(text, encoding="utf-8")
    return imprint(scan, "utf-8", text, read_etext(text), *given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "text", "given", "expected"),
    [
        ("hand.txt", "LAWS", (), ("hand-1900", "Hand", 1900, (("", "Anonymous"),), True)),
        ("hand_1875.txt", "LAWS", (), ("hand-1875", "Hand 1875", 1875, (("", "Anonymous"),), False)),
        ("hand.txt", f"{HEADER}LONDON, 1864.", (), ("hand-1864", "Of Games", 1864, (("Edmond", "Hoyle"),), False)),
        ("hand.txt", "July 2009", (), ("hand-2009", "Hand", 2009, (("", "Anonymous"),), True)),
        ("hand.txt", HEADER, ("a-1870", "Loo", 1870, ["A. Hand"]), ("a-1870", "Loo", 1870, (("A.", "Hand"),), False)),
    ],
    ids=["nothing known", "year in the name", "header and title page", "the year of a copy", "options"],
)  # fmt: skip
def test_options_are_preferred_to_the_header_and_guesses_are_marked(
    tmp_path: Path, name: str, text: str, given: tuple[str, ...], expected: tuple[object, ...]
) -> None:
    found = data(tmp_path, name, text, *given)
    assert (found.id, found.title, found.year, found.authors, found.guessed) == expected


@pytest.mark.parametrize("book_id", ["hand", "../hand-1875", "Hand-1875"])
def test_id_must_be_an_address_with_a_year(tmp_path: Path, book_id: str) -> None:
    with pytest.raises(BookError, match="end it in the year"):
        data(tmp_path, "hand.txt", "LAWS", book_id)
