"""White space: blanks, paragraphs, French spacing, and what stands beside furniture."""

from __future__ import annotations

import pytest

from extract.model import Edit
from extract.text.source import Layout
from extract.text.spacing import separators, spaced
from extract.text.stream import read_stream

FOLIO = "\n\n\n19\n\n\n"


def read(scan: str, layout: Layout = "lines") -> str:
    """The tokens of a scan with their separators; a folio 19 is furniture."""
    at = scan.find(FOLIO)
    furniture = [Edit(at + 3, at + 5, "19", "", "furniture", "rule")] if at >= 0 else []
    stream = read_stream(scan, furniture, ())
    between = separators(stream, layout)
    return "".join(s + t.text for s, t in zip(between, stream.tokens, strict=False)) + between[-1]


@pytest.mark.parametrize(
    ("scan", "expected"),
    [
        ("the  deal \nis  lost", "the deal is lost"),
        ("  out of  turn \n", "out of turn"),
        ("the game ;  and , when found ,", "the game; and, when found,"),
        ("is it so  ?  Yes  !", "is it so? Yes!"),
        ("( see Article 4 )", "(see Article 4)"),
        ("Decision. — Y's contention", "Decision.—Y's contention"),
        ('he said, "  Name  it  "  and', 'he said, "Name it" and'),
        ('"  Now, "  said  A  to  Y, "  lead a heart. "', '"Now," said A to Y, "lead a heart."'),
        ("First game lost . . 3 points", "First game lost . . 3 points"),
        ('"Is  it  so  ?  "  Then  Y  led', '"Is it so?" Then Y led'),
        ('A  asks  :  "  Is  it  so  ?"  Y  :  "  Yes."', 'A asks: "Is it so?" Y: "Yes."'),
        (
            '"Too  late,"  says  Z,  "the  trick  is  quitted.  "\n\nDecision.',
            '"Too late," says Z, "the trick is quitted."\n\nDecision.',
        ),
    ],
)
def test_blanks_and_french_spacing(scan: str, expected: str) -> None:
    assert read(scan) == expected


LINE = "the players shall settle their precedence by cutting as before"


@pytest.mark.parametrize(
    ("scan", "layout", "expected"),
    [
        ("is lost.\n\nArticle 3.", "lines", "is lost.\n\nArticle 3."),
        ("to score\n\nfour points", "markdown", "to score four points"),
        ("have been played,\n\nand", "lines", "have been played, and"),
        ("1. A deal.\n2. A cut.", "markdown", "1. A deal.\n\n2. A cut."),
        ("is lost.  Article 3.", "single-line", "is lost. Article 3."),
        (f"such other {FOLIO}table to admit", "lines", "such other table to admit"),
        (f"{LINE}\n{LINE}\n{LINE}.{FOLIO}The next", "lines", f"{LINE} {LINE} {LINE}. The next"),
        (f"{LINE}\n{LINE}\nas before.{FOLIO}The next", "lines", f"{LINE} {LINE} as before.\n\nThe next"),
    ],
)
def test_paragraphs_end_where_no_sentence_runs_on(scan: str, layout: Layout, expected: str) -> None:
    """One that ends the page is told by its short last line."""
    assert read(scan, layout) == expected


@pytest.mark.parametrize(
    ("words", "read"),
    [
        ("more  than  four.", "more than four."),
        ("Ar- \nticle he", "Article he"),
        ("Queen  of \nHearts", "Queen of Hearts"),
        ("game  ;", "game ;"),
        ("  nott \n", " nott "),
        ("nott", "nott"),
        (" \n", " "),
        ("", ""),
    ],
)
def test_words_that_stand_as_they_are_have_their_white_space_set_in_order(words: str, read: str) -> None:
    assert spaced(words) == read
