"""The printed lines of a scan, the blank space around them, which are headings, and where paragraphs continue."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.text.headings import division, inline_headings, is_heading
from extract.text.lines import collapse, split_lines
from extract.text.paragraphs import goes_on
from extract.text.source import Layout

TEXTS = st.text(st.sampled_from("aB1. \n\t\r\x0c\u00a0-é"), max_size=80)


@given(TEXTS)
def test_lines_contain_all_text_and_count_the_line_ends_between_them(text: str) -> None:
    lines = split_lines(text)
    covered = {i for line in lines for i in range(line.start, line.end)}
    assert [c for i, c in enumerate(text) if i not in covered and not c.isspace()] == []
    for line in lines:
        printed = text[line.start : line.end]
        assert printed and printed == printed.strip() and "\n" not in printed
        assert line.text == collapse(printed)
    for a, b in pairwise(lines):
        assert a.end < b.start
        assert a.below == b.above == text.count("\n", a.end, b.start)


def test_lines_between_blank_lines_are_isolated() -> None:
    lines = split_lines("REVOKE. \n\n\nA revoke  is \nwhen a player\n\nTHE HEAD\n")
    assert [(x.text, x.isolated) for x in lines] == [
        ("REVOKE.", True), ("A revoke is", False), ("when a player", False), ("THE HEAD", True),
    ]  # fmt: skip
    assert (lines[1].above, lines[1].below, lines[3].above) == (3, 1, 2)


def test_recognises_lines_in_capitals_despite_a_misread_letter() -> None:
    lines = split_lines("OF THE KEVOKE\nOF lRREGULARITIES\nOf the Revoke\n12\nA")
    assert [line.capital for line in lines] == [True, True, False, False, False]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("CHAPTER IV. OF THE DEAL.", ("CHAPTER", "IV", 4)),
        ("Section 12.", ("SECTION", "12", 12)),
        ("CHAPTEE  V.", ("CHAPTER", "V", 5)),
        ("CHAPTER Y.", ("CHAPTER", "Y", None)),
        ("SECTION IIL", ("SECTION", "IIL", 3)),
        ("APPENDIX C.", ("APPENDIX", "C", None)),
        ("CHAPTER X.]", ("CHAPTER", "X", 10)),
        *((text, None) for text in ("Part of the pack", "Appendix to it", "Articles of War", "THE DEAL.", "Law 5.")),
    ],
)
def test_division_heading_gives_its_word_and_number(text: str, part: tuple[str, str, int | None] | None) -> None:
    assert division(text) == part


@pytest.mark.parametrize(
    ("text", "heads"),
    [
        ("It ends.\n\nOf the Deal.\n\nIt begins.", True), ("It ends.\n\nThe Revoke\n\nIt begins.", True),
        ("It ends.\n\nThe Revoke . . . 12\n\nIt begins.", False), ("It ends.\n\nThe dealer deals the cards.\n", False),
        ("published as an\nAppendix to it.\n\n", False), ("as said in\nSection 12 of this Act\nand elsewhere.", False),
        ("It ends.\n\nSection XII.\n\nIt begins.", True), ("It ends.\n\nTHE LAWS OF LOO,\n\nas revised.", True),
        ("It ends.\n\nTHE LOO ACT, 1882.\n\nIt begins.", True), ("It ends.\n\nLAWS OF LOO   182\n\nIt", False),
        ("It ends.\n\nAB\n\nIt begins.", False),
    ],
)  # fmt: skip
def test_recognises_headings_by_their_form(text: str, heads: bool) -> None:
    assert is_heading(split_lines(text)[1]) is heads


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("He pays for it. THE TRUMP CARD, 18. The dealer deals.", ["THE TRUMP CARD,"]),
        ("He pays for it. THE TRUMp CARD, 18. The dealer deals.", ["THE TRUMp CARD,"]),  # a misread letter
        ("He pays for it. THE TRUMP CARD, if turned, is his. 18. The dealer deals.", []),
    ],
)
def test_capitals_at_the_end_of_a_span_are_a_heading(text: str, headings: list[str]) -> None:
    assert [text[a:b] for a, b in inline_headings(text, 0, text.index("18"))] == headings


@pytest.mark.parametrize(
    ("text", "layout", "overleaf", "expected"),
    [
        ("The dealer shall\ngive one card.", "lines", False, True),
        ("The deal is lost.\n\nThe next player deals.", "lines", False, False),
        ("The deal is lost, and\n\nthe next player deals.", "lines", False, True),  # a stray empty line
        ("The deal is lost by\n\nA player who looks.", "lines", True, True),  # a page break in a sentence
        ("The deal is lost by\n\nThe player who looks.", "lines", False, False),
        ('He is to say:\n\n"I play alone."', "lines", True, True),
        ("OF THE DEAL.\nThe dealer gives one card.", "lines", False, False),  # a heading, and the text below it
        ("The deal is lost.\nSECTION II.", "lines", False, False),
        ("The deal is lost by\n\nY, who looks.", "lines", False, True),
        ("The deal is lost by Law\n\n37.", "lines", False, True),
        ("The deal is lost,\n\n12. The next law.", "lines", False, False),
        ("The deal is lost;\n\nthe next player deals.", "lines", True, True),
        ("The deal is lost:\n\nthe first item.", "lines", True, False),
        ("The dealer shall\n\ngive one card.", "markdown", False, True),
        ("The dealer shall\n\nGive one card.", "markdown", False, False),
    ],
)
def test_paragraph_continues_if_no_sentence_has_ended(
    text: str, layout: Layout, overleaf: bool, expected: bool
) -> None:
    above, line = split_lines(text)
    assert goes_on([above], line, layout, cell=False, overleaf=overleaf) == expected
