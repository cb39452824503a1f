"""Numbers in figures, roman numerals and words: how they are read, and what a reading costs."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.numbering.numerals import arabic, is_roman, like_roman, may_be, misreading_cost, nearest, roman
from extract.numbering.spelled import ordinal, spelled, worded

READ = st.text(st.sampled_from("0123456789ilIoOnSzqg!?\"' hmuvxyQT*"), max_size=6)


def test_every_number_survives_a_round_trip_through_its_numeral() -> None:
    assert all(arabic(roman(n)) == n == arabic(str(n)) for n in range(1, 4000))
    assert {arabic(digit) for digit in ("²", "①", "𝟘²", "₇")} == {0}, "what Unicode calls digits are no numerals"


ARABIC = [
    ("l", 1), ("!", 1), ("z", 2), ("?", 7), ("g", 9), ("io", 10), ("lo", 10), ("n", 11), ("H", 11), ("i2", 12),
    ("I?", 17), ("1 8", 18), ("3 1", 31), ("4B", 48), ("q7", 97), ("ioi", 101), ("no", 110), ("1 1 0", 110),
    ("in", 111), ("hi", 111), ("11 7", 117), ("] 33", 133), ("1I9", 119), ("i49", 149), ("1 62", 162), ("yj", 77),
    ("8i", 81),
]  # fmt: skip
ROMAN = [
    ("l", 1), ("n", 2), ("u", 2), ("II", 2), ("m", 3), ("HI", 3), ("rv", 4), ("y", 5), ("yl", 6), ("vn", 7),
    ("ym", 8), ("1x", 9), ("k", 10), ("xn", 12), ("XVI1", 17),
]  # fmt: skip


@pytest.mark.parametrize(
    ("printed", "highest", "read", "number"),
    [*((str, 200, *row) for row in ARABIC), *((roman, 25, *row) for row in ROMAN)],
)
def test_garbled_numeral_is_nearest_to_the_printed_number(
    printed: Callable[[int], str], highest: int, read: str, number: int
) -> None:
    assert min(range(1, highest), key=lambda n: (misreading_cost(printed(n), read), n)) == number


@given(st.integers(1, 3999), READ)
def test_only_an_exact_reading_costs_nothing(number: int, read: str) -> None:
    assert misreading_cost(str(number), str(number)) == misreading_cost(roman(number), roman(number).upper()) == 0
    assert read == str(number) or misreading_cost(str(number), read) > 0


def test_nearest_number_must_not_cost_too_much() -> None:
    assert nearest("lo", range(1, 40)) == 10 and nearest("vn", range(1, 25), roman) == 7
    assert nearest("the", range(1, 200), worst=0.5) is None
    assert nearest("12", range(13, 13)) is None


def test_numeral_may_be_misread_in_one_character_of_two() -> None:
    assert may_be("1", "l") and may_be("11", "n") and may_be("38", "88")
    assert not may_be("4", "the") and not may_be("38", "21")


@pytest.mark.parametrize(
    ("text", "well_formed", "alike"),
    [
        *((text, True, True) for text in ("iv", "XII", "ccc")),
        *((text, False, False) for text in ("", "Iv", "12", "mix", "D")),
        *((text, False, True) for text in ("iiii", "vx")),
    ],
)
def test_roman_numeral_is_well_formed_and_in_one_case(text: str, well_formed: bool, alike: bool) -> None:
    assert (is_roman(text), like_roman(text)) == (well_formed, alike)


def test_letters_of_roman_numerals_can_be_specified() -> None:
    assert like_roman("yi", "ivxy") and not like_roman("c", "ivx")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("first", 1), ("TWELFTH.", 12), ("Twenty-first", 21), ("forty ninth", 49), ("Thirtieth--", 30),
        ("Fourthly, the", 4), ("firstborn", None), ("first-rate", None), ("two", None), ("one hundred", None),
    ],
)  # fmt: skip
def test_reads_ordinals_in_words(text: str, value: int | None) -> None:
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
def test_number_in_words_is_read_to_its_last_word_or_not_at_all(text: str, found: tuple[int, int, int] | None) -> None:
    assert spelled(text, 0) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("First.--The dealer", (8, 1, ".", True)),
        ("Two. The dealer", (4, 2, ".", False)),
        ("Twofold. The dealer", None),
    ],
)
def test_number_in_words_must_be_followed_by_what_may_end_a_label(
    text: str, found: tuple[int, int, str, bool] | None
) -> None:
    assert worded(text, 0) == found
