"""Numbers written in words, as they count and as they order."""

from __future__ import annotations

import pytest

from extract.numbering.spelled import ordinal, spelled, worded
from extract.pages.head_lines import numbers_a_part


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("first", 1), ("TWELFTH.", 12), ("Twenty-first", 21), ("forty ninth", 49), ("Thirtieth--", 30),
        ("Fourthly, the", 4), ("firstborn", None), ("first-rate", None), ("two", None), ("one hundred", None),
    ],
)  # fmt: skip
def test_an_ordinal_in_words(text: str, value: int | None) -> None:
    found = ordinal(text, 0)
    assert (found.value if found else None) == value


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Twenty-one.", (10, 21, 2)), ("two hundred and ninetytwo, of", (25, 292, 4)),
        ("two hundred and two hundred and six", (11, 200, 2)), ("two hundred and the sheriff", (11, 200, 2)),
        ("three hundred and twenty-thrce of", None), ("one hundred and flve", None),
    ],
)  # fmt: skip
def test_a_number_is_read_to_its_last_word_or_not_at_all(text: str, found: tuple[int, int, int] | None) -> None:
    assert spelled(text, 0) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("First.--The dealer", (8, 1, ".", True)),
        ("Two. The dealer", (4, 2, ".", False)),
        ("Twofold. The dealer", None),
    ],
)
def test_what_may_end_a_label_stands_behind_its_number(text: str, found: tuple[int, int, str, bool] | None) -> None:
    assert worded(text, 0) == found


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        *((line, True) for line in ("Article First.", "LAW THE TWENTY-FIRST.", "Rule Two", "ORDINANCE No. 3.")),
        *((line, False) for line in ("THE FIRST TRICK", "The Second", "First", "Of the first")),
    ],
)
def test_a_line_that_numbers_a_part(text: str, numbers: bool) -> None:
    assert bool(numbers_a_part(text)) is numbers
