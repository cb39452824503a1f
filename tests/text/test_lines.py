"""The printed lines of a scan and the blank space around them."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from extract.text.lines import collapse, split_lines

TEXTS = st.text(st.sampled_from("aB1. \n\t\r\x0c\u00a0-é"), max_size=80)


@given(TEXTS)
def test_lines_hold_all_that_is_not_blank(text: str) -> None:
    covered = {i for line in split_lines(text) for i in range(line.start, line.end)}
    assert all(i in covered for i, char in enumerate(text) if not char.isspace())


@given(TEXTS)
def test_lines_are_apart_and_without_outer_blanks(text: str) -> None:
    lines = split_lines(text)
    assert all(a.end < b.start for a, b in pairwise(lines))
    for line in lines:
        printed = text[line.start : line.end]
        assert printed and printed == printed.strip() and "\n" not in printed
        assert line.text == collapse(printed)


@given(TEXTS)
def test_the_line_ends_between_two_lines_are_counted_from_both(text: str) -> None:
    for a, b in pairwise(split_lines(text)):
        assert a.below == b.above == text.count("\n", a.end, b.start) + 3 * text.count("\f", a.end, b.start)


def test_a_line_is_isolated_between_blank_lines() -> None:
    head, first, second = split_lines("REVOKE. \n\n\nA revoke  is \nwhen a player\n")
    assert [x.isolated for x in (head, first, second)] == [True, False, False]
    assert (first.above, first.below, first.text) == (3, 1, "A revoke is")


def test_capitals_are_told_though_a_letter_is_misread() -> None:
    capital = {
        line.text: line.capital for line in split_lines("OF THE KEVOKE\nOF lRREGULARITIES\nOf the Revoke\n12\nA")
    }
    assert capital == {
        "OF THE KEVOKE": True, "OF lRREGULARITIES": True, "Of the Revoke": False, "12": False, "A": False
    }  # fmt: skip


def test_a_form_feed_ends_a_line_though_no_line_end_stands_there() -> None:
    first, head = split_lines("the last line of a page\fTHE RUNNING HEAD\n")
    assert (first.text, head.text, head.above) == ("the last line of a page", "THE RUNNING HEAD", 3)
