"""Notes: the last paragraphs of a page that begin with a mark, and those to which a word above refers."""

import pytest

from extract.pages.notes import find_notes
from extract.text.lines import split_lines

TEXT = "The dealer shall give the cards to be cut by\nthe player who sits at his right and who has\n"
NOTE = "* While it is usual that the eldest hand should play first,\nit is no rule.\n"


def notes(scan: str, layout: str = "lines") -> list[str]:
    tops = [line.start for line in split_lines(scan) if line.above > 3]
    return [scan[n.start : n.end] for n in find_notes(scan, tops, in_paragraphs=layout == "markdown")]


@pytest.mark.parametrize(
    ("foot", "found"),
    [
        (f"\n{NOTE}", [NOTE]),
        (f"{NOTE}† So is this.\n", [NOTE, "† So is this."]),
        (f"\n{NOTE}\nAnother paragraph.\n", []),
        ("\n*Ace, King, Queen   King\n", []),
        ("\n* * * * *\n", []),
        ("\n§ 12. Be it enacted.\n", []),
    ],
    ids=["a note", "two without a blank line", "a paragraph below it", "a row of a table", "stars", "a section"],
)
def test_note_at_the_foot_is_the_last_paragraph_of_its_page(foot: str, found: list[str]) -> None:
    assert notes(f"{TEXT * 4}{foot}\n\n\n\n{TEXT * 4}") == [note.strip() for note in found]


@pytest.mark.parametrize(
    ("scan", "layout", "found"),
    [
        ("So it is.[49]\n\n[49] In Hoyle.\n\nAnd so on.\n", "lines", ["[49] In Hoyle."]),
        ("So it is.\n\n[49] In Hoyle.\n", "lines", []),
        ("So it is.*\n\n* In Hoyle.\n", "lines", ["* In Hoyle."]),
        ("So it is.\n\n(a) In Hoyle.\nOr not.\n", "markdown", ["(a) In Hoyle."]),
        ("He may:\n\n(a) deal.\n\n(b) or lead.\n", "markdown", []),
    ],
    ids=["a number", "none above", "a sign", "a mark that is misread above", "a list"],
)
def test_note_elsewhere_is_a_paragraph_to_which_a_word_refers(scan: str, layout: str, found: list[str]) -> None:
    assert notes(scan, layout) == found
