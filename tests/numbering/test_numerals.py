"""Numerals as print and OCR have them: which number a garbled one is, and what that reading costs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.numbering.numerals import arabic, best_reading, is_roman, like_roman, reading_cost, readings, roman

READ = st.text(st.sampled_from("0123456789ilIoOnSzqg!?\"' hmuvxyQT*"), max_size=6)


@pytest.mark.parametrize(
    ("number", "numeral"),
    [
        (1, "i"),
        (4, "iv"),
        (9, "ix"),
        (14, "xiv"),
        (40, "xl"),
        (90, "xc"),
        (99, "xcix"),
        (400, "cd"),
        (1829, "mdcccxxix"),
    ],
)
def test_roman_numerals(number: int, numeral: str) -> None:
    assert roman(number) == numeral
    assert arabic(numeral) == number


def test_every_number_comes_back_from_its_numeral() -> None:
    assert all(arabic(roman(n)) == n == arabic(str(n)) for n in range(1, 4000))


@pytest.mark.parametrize(
    ("read", "number"),
    [
        ("i", 1), ("I", 1), ("l", 1), ("!", 1), ("z", 2), ("?", 7), ("g", 9), ("io", 10), ("lo", 10),
        ("n", 11), ("ii", 11), ("11", 11), ("H", 11), ("i2", 12), ("i3", 13), ("I?", 17), ("1 8", 18), ("3 1", 31),
        ("4B", 48), ("q7", 97), ("ioi", 101), ("no", 110), ("1 1 0", 110), ("in", 111), ("hi", 111), ("11 7", 117),
        ("] 33", 133), ("] 19", 119), ("1I9", 119), ("i49", 149), ("1 62", 162), ("yj", 77), ("8i", 81),
    ],
)  # fmt: skip
def test_a_garbled_numeral_is_nearest_to_what_was_printed(read: str, number: int) -> None:
    nearest = min(range(1, 200), key=lambda n: (reading_cost(str(n), read), n))
    assert nearest == number


@pytest.mark.parametrize(
    ("read", "number"),
    [("l", 1), ("n", 2), ("u", 2), ("II", 2), ("m", 3), ("HI", 3), ("rv", 4), ("y", 5), ("yl", 6), ("vn", 7),
     ("ym", 8), ("1x", 9), ("k", 10), ("xn", 12), ("XVI1", 17)],
)  # fmt: skip
def test_a_garbled_roman_numeral_is_nearest_to_what_was_printed(read: str, number: int) -> None:
    nearest = min(range(1, 25), key=lambda n: (reading_cost(roman(n), read), n))
    assert nearest == number


@given(st.integers(1, 3999))
def test_a_faithful_reading_costs_nothing(number: int) -> None:
    assert reading_cost(str(number), str(number)) == 0
    assert reading_cost(roman(number), roman(number).upper()) == 0


@given(st.integers(1, 2000), READ)
def test_an_unfaithful_reading_costs_something(number: int, read: str) -> None:
    if read != str(number):
        assert reading_cost(str(number), read) > 0


@given(READ, st.integers(1, 400), st.booleans(), st.floats(0, 2.5))
def test_readings_are_all_numbers_that_cost_no_more(read: str, highest: int, in_roman: bool, worst: float) -> None:
    printed = roman if in_roman else str
    costs = ((n, reading_cost(printed(n), read)) for n in range(1, highest + 1))
    assert readings(read, highest, printed, worst) == tuple((n, cost) for n, cost in costs if cost <= worst)


def test_what_may_be_two_figures_is_left_to_the_sequence() -> None:
    assert reading_cost("4", "S") > reading_cost("5", "S") == reading_cost("8", "S") > 0


def test_a_blank_inside_costs_less_than_a_wrong_figure() -> None:
    assert reading_cost("18", "1 8") < reading_cost("18", "i8") < reading_cost("18", "48")


def test_an_unlikely_confusion_costs_more_than_a_likely_one() -> None:
    assert reading_cost("1", "l") < reading_cost("1", "t") < reading_cost("1", "x")


@pytest.mark.parametrize("sign", ["²", "①", "𝟘²", "₇"])
def test_signs_that_unicode_calls_digits_are_no_numerals(sign: str) -> None:
    assert arabic(sign) == 0


@given(READ, st.integers(1, 300), st.integers(0, 120), st.booleans())
def test_the_best_reading_is_the_cheapest_of_the_numbers_asked(read: str, low: int, more: int, letters: bool) -> None:
    printed = roman if letters else str
    ranked = sorted((reading_cost(printed(n), read), n) for n in range(low, low + more + 1))
    found = best_reading(read, range(low, low + more + 1), printed)
    assert found is not None
    assert (found.cost, found.number) == ranked[0]
    assert found.lead == (ranked[1][0] - ranked[0][0] if more else float("inf"))


def test_there_is_no_best_reading_where_all_cost_too_much_or_none_is_asked_for() -> None:
    assert best_reading("the", range(1, 200), worst=0.5) is None
    assert best_reading("12", range(13, 13)) is None


@pytest.mark.parametrize("text", ["iv", "XII", "ccc"])
def test_a_roman_numeral_is_well_formed_and_in_one_case(text: str) -> None:
    assert is_roman(text) and like_roman(text)


@pytest.mark.parametrize("text", ["", "iiii", "Iv", "12", "mix", "D", "vx"])
def test_what_is_no_roman_numeral(text: str) -> None:
    assert not is_roman(text)


def test_letters_of_roman_numerals_need_not_make_one() -> None:
    assert like_roman("vx") and not like_roman("Vx") and not like_roman("")
    assert like_roman("yi", "ivxy") and not like_roman("c", "ivx")
