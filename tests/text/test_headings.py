"""Headings: what numbers a part of a book, and what is one in a scan without lines."""

from __future__ import annotations

import pytest

from extract.text.headings import division, inline_headings, is_heading
from extract.text.lines import split_lines


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("CHAPTER IV. OF THE DEAL.", ("CHAPTER", "IV", 4)),
        ("Section 12.", ("SECTION", "12", 12)),
        ("CHAPTEE  V.", ("CHAPTER", "V", 5)),
        ("CHAPTER Y.", ("CHAPTER", "Y", None)),
        ("SECTION IIL", ("SECTION", "IIL", None)),
        ("APPENDIX C.", ("APPENDIX", "C", None)),
        ("CHAPTER X.]", ("CHAPTER", "X", 10)),
        *((text, None) for text in ("Part of the pack", "Appendix to it", "Articles of War", "THE DEAL.", "Law 5.")),
    ],
)
def test_a_heading_tells_what_it_numbers(text: str, part: tuple[str, str, int | None] | None) -> None:
    assert division(text) == part


def test_a_running_title_is_a_heading_and_an_entry_of_contents_is_none() -> None:
    lines = split_lines("Of the Deal.\n\nThe Revoke\n\nThe Revoke . . . 12\n\nThe dealer deals the cards.\n")
    assert [is_heading(line) for line in lines] == [True, True, False, False]


def test_words_in_capitals_are_a_heading_where_the_stretch_ends_with_them() -> None:
    text = "He pays for it. THE TRUMP CARD, 18. The dealer deals."
    end = text.index("18")
    assert [text[a:b] for a, b in inline_headings(text, 0, end)] == ["THE TRUMP CARD,"]
    turned = "He pays for it. THE TRUMP CARD, if turned, is his."
    assert inline_headings(turned, 0, len(turned)) == []
