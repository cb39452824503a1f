"""Numbers written in words, as they count and as they order."""

from __future__ import annotations

import pytest

from extract.numbering.spelled import ordinal, spelled, worded
from extract.pages.head_lines import numbers_a_part


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("first", 1), ("TWELFTH.", 12), ("Twenty-first", 21), ("forty ninth", 49), ("Thirtieth--", 30),
        ("Fourthly, the", 4), ("firstborn", None), ("first-rate", None), ("two", None),
    ],
)  # fmt: skip
def test_an_ordinal_in_words(text: str, value: int | None) -> None:
    found = ordinal(text, 0)
    assert (found.value if found else None) == value


def test_a_number_in_words_is_no_ordinal() -> None:
    assert ordinal("one hundred", 0) is None
    assert spelled("Twenty-one.", 0) == (10, 21, 2)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("two hundred and ninetytwo, of", 292), ("two hundred and two hundred and six", 200),
        ("two hundred and the sheriff", 200), ("three hundred and twenty-thrce of", None),
        ("one hundred and flve", None),
    ],
)  # fmt: skip
def test_a_number_is_read_to_its_last_word_or_not_at_all(text: str, value: int | None) -> None:
    found = spelled(text, 0)
    assert (found.value if found else None) == value


def test_what_may_end_a_label_stands_behind_its_number() -> None:
    assert worded("First.--The dealer", 0) == (8, 1, ".", True)
    assert worded("Two. The dealer", 0) == (4, 2, ".", False)
    assert worded("Twofold. The dealer", 0) is None


@pytest.mark.parametrize(
    "text", ["Article First.", "LAW THE TWENTY-FIRST.", "Rule Two", "SECTION IV.", "ORDINANCE No. 3."]
)
def test_a_line_that_numbers_a_part(text: str) -> None:
    assert numbers_a_part(text)


@pytest.mark.parametrize("text", ["THE FIRST TRICK", "The Second", "First", "Of the first"])
def test_a_line_that_numbers_none(text: str) -> None:
    assert not numbers_a_part(text)
