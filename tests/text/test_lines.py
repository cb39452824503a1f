"""The printed lines of a scan and the blank space around them."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from extract.text.lines import collapse, split_lines

TEXTS = st.text(st.sampled_from("aB1. \n\t\r\x0c\u00a0-é"), max_size=80)


@given(TEXTS)
def test_lines_hold_all_that_is_not_blank_and_count_the_line_ends_between_them(text: str) -> None:
    lines = split_lines(text)
    covered = {i for line in lines for i in range(line.start, line.end)}
    assert [c for i, c in enumerate(text) if i not in covered and not c.isspace()] == []
    for line in lines:
        printed = text[line.start : line.end]
        assert printed and printed == printed.strip() and "\n" not in printed
        assert line.text == collapse(printed)
    for a, b in pairwise(lines):
        assert a.end < b.start
        assert a.below == b.above == text.count("\n", a.end, b.start) + 3 * text.count("\f", a.end, b.start)


def test_a_line_is_isolated_between_blank_lines_or_by_a_form_feed() -> None:
    lines = split_lines("REVOKE. \n\n\nA revoke  is \nwhen a player\fTHE HEAD\n")
    assert [(x.text, x.isolated) for x in lines] == [
        ("REVOKE.", True), ("A revoke is", False), ("when a player", False), ("THE HEAD", True),
    ]  # fmt: skip
    assert (lines[1].above, lines[1].below, lines[3].above) == (3, 1, 3)


def test_capitals_are_told_though_a_letter_is_misread() -> None:
    lines = split_lines("OF THE KEVOKE\nOF lRREGULARITIES\nOf the Revoke\n12\nA")
    assert [line.capital for line in lines] == [True, True, False, False, False]
