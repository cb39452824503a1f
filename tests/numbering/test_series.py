"""Which labels make a series: the next number each, misread ones by their place; and how one label is read."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.numbering.label import Label, forms
from extract.numbering.numerals import arabic, roman
from extract.numbering.series import Numbered, series


def labels(*read: str, word: bool = False) -> list[Label]:
    """Labels ten characters apart, without a word before the number or with one."""
    return [Label(10 * i, 10 * i + 8, x, arabic(x), 10 * i + 4 * word, ".") for i, x in enumerate(read)]


def numbers(found: tuple[Numbered, ...]) -> list[tuple[str, int]]:
    return [(x.label.read, x.number) for x in found]


@pytest.mark.parametrize(
    ("read", "found"),
    [
        ("1 2 3 4", "1 2 3 4"),
        ("i 2 3 4 S 6 lo", "i=1 2 3 4 S=5 6"),
        ("1 2 3 the 5", "1 2 3 5"),
        ("1 2 8 4 5", "1 2 8=3 4 5"),
        ("1 2 8 5 6 7", "1 2 5 6 7"),
        ("1 2 4 5", "1 2 4 5"),
        ("1 2 3 1829 4", "1 2 3 4"),
        ("1 1 2 3 2 3 4", "1 2 3 4"),
        ("9 lo n i2 13 14 15", "9 lo=10 n=11 i2=12 13 14 15"),
    ],
)
def test_series_has_the_next_number_each(read: str, found: str) -> None:
    expected = [(one.partition("=")[0], int(one.rpartition("=")[2])) for one in found.split()]
    assert numbers(series(labels(*read.split()), str, expected[0][1])) == expected


def test_list_of_contents_above_a_series_with_a_word_is_not_part_of_it() -> None:
    found = series(labels(*["1", "2", "3", "1", "2", "3"], word=True), str)
    assert [x.label.start for x in found] == [30, 40, 50]


def test_list_within_a_law_is_not_part_of_the_laws() -> None:
    found = series(labels(*["1", "2", "1", "2", "3", "3", "4", "5", "6"]), str)
    assert [x.label.start for x in found] == [0, 10, 50, 60, 70, 80]


@pytest.mark.parametrize(("last", "found"), [(None, [1, 2]), (3, [1, 2, 3]), (1, [1])])
def test_label_behind_the_last_one_is_misread_only_up_to_the_number_that_is_known(
    last: int | None, found: list[int]
) -> None:
    assert [x.number for x in series(labels("1", "2", "8"), str, last=last)] == found[: last or 9]


@given(st.lists(st.integers(1, 40), max_size=30))
def test_numbers_rise_and_a_label_that_fits_is_not_changed(read: list[int]) -> None:
    found = series(labels(*map(str, read)), str)
    assert all(a.number < b.number and a.label.start < b.label.start for a, b in pairwise(found))
    for before, at, after in zip(found, found[1:], found[2:], strict=False):
        assert not at.misread or before.number + 1 == at.number == after.number - 1


@given(st.integers(20, 60), st.sets(st.integers(1, 20), max_size=3))
def test_whole_series_is_found_and_what_is_missing_is_not_made_up(last: int, lost: set[int]) -> None:
    printed = [n for n in range(1, last + 1) if n not in lost]
    assert [x.number for x in series(labels(*map(str, printed)), str)] == printed


@pytest.mark.parametrize(
    ("form", "text", "number", "read"),
    [
        ("{n}.", "12. The dealer", 12, "12"), ("{n}.", "1 2. The dealer", 0, "1 2"), ("{n}.", "n. The dealer", 0, "n"),
        ("{n}.", "~ 3. The dealer", 3, "3"), ("{n}.", "~. The dealer", 0, "~"), ("{n}.", "12 the dealer", None, ""),
        ("{n}.--", "1.—The dealer", 1, "1"), ("{I}.", "IV. The dealer", 4, "IV"), ("{I}.", "4. The dealer", 0, "4"),
        ("({a})", "(b) One is dropped.", 2, "b"), ("Article {n}.", "Articlo 2. The dealer", 2, "2"),
        ("Article {n}.", "Articles 2. The dealer", None, ""), ("SEC. {n}.", "SEG, 3. The dealer", 3, "3"),
        ("SEC. {n}.", "SEC 3. The dealer", 3, "3"),
        ("SEC. {n}.", "SECTION 3. The dealer", 3, "3"), ("SEC. {n}.", "sec. 3. The dealer", 3, "3"),
        ("Section {n}.|Sec. {n}.", "Sec. 2. The dealer", 2, "2"),
        ("LAW THE {w}.", "LAW THE SECOND. The dealer", 2, "2"), ("LAW THE {w}.", "LAW THE TRICK. The dealer", None, ""),
        ("ordinal", "and secondly, of the tricks", 2, "2"), ("A {n}.", "A2. The dealer", 2, "2"),
    ],
)  # fmt: skip
def test_label_is_read_by_its_form(form: str, text: str, number: int | None, read: str) -> None:
    found = next(filter(None, (way.read(text, 0, len(text)) for way in forms(form))), None)
    assert (found.number, found.read) == (number, read) if found else number is None


def test_numerals_are_printed_by_the_form() -> None:
    assert [forms(x)[0].printed(4) for x in ("{n}.", "{I}.", "({a})")] == ["4", roman(4), "d"]
