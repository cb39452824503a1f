"""Notes at the foot of a page, recognised by their smaller type, and words that are split around them."""

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
    tops = [line.start for line in split_lines(scan) if line.above > 3]
    return sorted((scan[n.start : n.end] for n in find_notes(scan, tops)), key=scan.index)


LEAF = "\n\n\n\n"
FULL = "he may look at his own cards but not at those\n"
UNMARKED = "The dealer alone may do so while he deals to them.\n"
OVERLEAF = f"{LEAF}of the others till the game is over.\n{TEXT * 5}"
ROWS = "*Ace, King, Queen, and one or more of the others   King\nKing, Queen, with or without any others    Queen\n"
DIRT = (
    "\nG. The dealer shall give the cards to any of\nthem that he may choose.\n\nHe may do so again, but\n"
    "each of those who play with him may then ask\n\nou\n\n\n\n(not more than two) of the others.\n"
)


@pytest.mark.parametrize(
    ("foot", "following", "notes"),
    [
        (NOTE, TEXT * 3, [NOTE]),
        (NOTE.replace("table.\n", "table and\n"), TEXT * 3 + NOTE.removeprefix("t "),
         [NOTE.replace("table.\n", "table and\n"), NOTE.removeprefix("t ")]),
        (ROWS, "", []),
    ],
    ids=["a misread mark", "continued overleaf without a mark", "rows of a table"],
)  # fmt: skip
def test_recognises_notes_by_their_smaller_type(foot: str, following: str, notes: list[str]) -> None:
    assert spans(TEXT * 8 + LEAF + TEXT * 3 + foot + LEAF + following) == [note.strip() for note in notes]


@pytest.mark.parametrize(
    ("foot", "notes"),
    [
        *((f"{FULL}\n{mark}{UNMARKED}{OVERLEAF}", [mark + UNMARKED]) for mark in ("* ", "2")),
        *((f"{FULL}\n1 {UNMARKED}{apart}2 His partner may not.\n{OVERLEAF}",
           [f"1 {UNMARKED}", "2 His partner may not."]) for apart in ("\n", "")),
        (f"{FULL}\n1 {UNMARKED}* {NOTE.removeprefix('t ')}{OVERLEAF}",
         [f"1 {UNMARKED}", f"* {NOTE.removeprefix('t ')}"]),
        (f"{FULL}\nIf the dealer should look at them before he has\n{LEAF}dealt all of the others.\n{TEXT * 5}", []),
        (f"{FULL}\n{UNMARKED}{LEAF}The game is then over.\n{TEXT * 5}", []),
        (f"{FULL}\nNEW CARDS\n{LEAF}are to be called for then.\n{TEXT * 5}", []),
        (FULL.replace("those\n", "any,\n") + DIRT + TEXT * 5, []),
        (f"{FULL}\n+ {UNMARKED}{OVERLEAF}{LEAF}{TEXT * 5}\n+ {TEXT * 3}", [f"+ {UNMARKED}"]),
    ],
    ids=["a mark", "a figure without a space", "two apart", "two", "different marks", "a paragraph that continues",
         "another paragraph begins", "a heading", "paragraphs below a comma", "a speck before a long paragraph"],
)  # fmt: skip
def test_recognises_notes_by_the_sentence_they_interrupt(foot: str, notes: list[str]) -> None:
    assert spans(TEXT * 6 + foot) == [note.strip() for note in notes]


def read(folder: Path, *pages: str) -> tuple[str, list[str]]:
    """The body and the notes of a book of some pages, each with its folio below it."""
    scan = "".join(f"{page}\n({n})\n\n\n\n" for n, page in enumerate(pages, 11))
    units = make_edition(make_book(folder / "book-1850", scan, "lines", PLAN), unaided=True).units
    body = " ".join(u.text for u in units if u.kind != "footnote")
    return body, [u.text for u in units if u.kind == "footnote"]


def test_speck_before_a_paragraph_does_not_make_it_a_note(tmp_path: Path) -> None:
    assert read(tmp_path, TEXT * 6, TEXT * 5 + "\n* " + TEXT * 2, TEXT * 6, TEXT * 6)[1] == []
