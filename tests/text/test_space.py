"""White space: blanks, paragraphs, French spacing, and what stands beside furniture."""

from __future__ import annotations

import pytest

from extract.model import Edit
from extract.text.source import Layout
from extract.text.spacing import separators, spaced
from extract.text.stream import read_stream
from extract.text.textlayer import TextLayer


def read(scan: str, layout: Layout = "lines", gone: tuple[str, ...] = ()) -> str:
    """The tokens of a scan with their separators; `gone` is furniture."""
    furniture = [_deletion(scan, text) for text in gone]
    stream = read_stream(scan, furniture, ())
    between = separators(stream, layout)
    return "".join(s + t.text for s, t in zip(between, stream.tokens, strict=False)) + between[-1]


def _deletion(scan: str, text: str) -> Edit:
    at = scan.index(text)
    return Edit(at, at + len(text), text, "", "furniture", "rule")


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


@pytest.mark.parametrize(
    ("scan", "layout", "expected"),
    [
        ("is lost.\n\nArticle 3.", "lines", "is lost.\n\nArticle 3."),
        ("to score\n\nfour points", "markdown", "to score four points"),
        ("have been played,\n\nand", "lines", "have been played, and"),
        ("1. A deal.\n2. A cut.", "markdown", "1. A deal.\n\n2. A cut."),
        ("is lost.  Article 3.", "single-line", "is lost. Article 3."),
    ],
)
def test_paragraphs_end_where_no_sentence_runs_on(scan: str, layout: Layout, expected: str) -> None:
    assert read(scan, layout) == expected


def test_a_page_break_in_a_sentence_leaves_one_blank() -> None:
    scan = "such other \n\n\n19 \n\n\ntable to admit"
    assert read(scan, gone=("19",)) == "such other table to admit"


def test_a_paragraph_that_ends_the_page_is_told_by_its_short_last_line() -> None:
    line = "the players shall settle their precedence by cutting as before"
    full = f"{line}\n{line}\n{line}.\n\n\n19\n\n\nThe next"
    short = f"{line}\n{line}\nas before.\n\n\n19\n\n\nThe next"
    assert read(full, gone=("19",)).endswith("before. The next")
    assert read(short, gone=("19",)).endswith("before.\n\nThe next")


def test_an_editor_who_deletes_a_character_inside_a_word_joins_it() -> None:
    scan = "the ex^posed card"
    fixed = Edit(6, 7, "^", "", "ocr", "editor")
    stream = read_stream(scan, (), [fixed])
    assert [t.text for t in stream.tokens] == ["the", "exposed", "card"]
    assert TextLayer(scan, (fixed,)).reading == "the exposed card"


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
