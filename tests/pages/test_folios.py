"""Printed page numbers: exact ones rise with the pages, misread ones are read where a number is missing."""

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.numbering.numerals import arabic
from extract.pages.folios import rising
from extract.pages.marks import Mark

PAGE = 1500


def read(*groups: Iterable[tuple[float, str]]) -> dict[float, str]:
    """The page numbers found among marks, by their places in pages."""
    places = sorted(pair for group in groups for pair in group)
    marks = [Mark(int(PAGE * at), int(PAGE * at) + len(figures), "", figures) for at, figures in places]
    return {folio.mark.start / PAGE: folio.printed for folio in rising(marks)}


def pages(*numbers: int) -> list[tuple[float, str]]:
    return [(n, str(n)) for n in numbers]


@pytest.mark.parametrize(
    ("figures", "found"),
    [
        (["iv", "v", "Vl", "vii", "viii", "1", "2", "3", "4", "S", "6"],
         ["iv", "v", "vi", "vii", "viii", "1", "2", "3", "4", "5", "6"]),
        (["1"], []),
        (["1", "2"], ["1", "2"]),
        (["IO", "II", "12", "i3", "14", "i5"], ["10", "11", "12", "13", "14", "15"]),
    ],
    ids=["roman numerals in the front matter", "one alone", "two", "misread before the first and after the last"],
)  # fmt: skip
def test_reads_folios_as_rising_numbers(figures: list[str], found: list[str]) -> None:
    assert [*read(enumerate(figures)).values()] == found


@pytest.mark.parametrize(
    "others",
    [
        [(n + 0.4, str(1800 + n)) for n in (3, 17, 40)],
        [(n + 0.4, "²") for n in (4, 18)],
        [(30 + i / 20, str(31 + 3 * i)) for i in range(1, 4)],
    ],
    ids=["years", "raised figures", "numbers too close to each other"],
)
def test_other_numbers_are_no_folios(others: list[tuple[float, str]]) -> None:
    folios = pages(*range(1, 60))
    assert read(folios, others) == dict(folios)


@pytest.mark.parametrize(
    ("marks", "place"),
    [
        ([(12, "l2")], 12),
        ([(12, "xyz")], None),
        ([(12, "l2"), (11.4, "l2")], 12),
        ([(11.9, "z2"), (12.1, "12")], 12.1),
    ],
    ids=["misread", "illegible", "the nearer one", "the better one"],
)
def test_missing_number_is_the_mark_near_its_place_that_costs_least(
    marks: list[tuple[float, str]], place: float | None
) -> None:
    others = pages(*range(5, 12), *range(13, 21))
    assert [at for at, folio in read(others, marks).items() if folio == "12"] == ([place] if place else [])


def test_folios_go_on_after_many_pages_without_one() -> None:
    folios = pages(*range(1, 20), *range(38, 60))
    strokes = [(19 + k / 30, "?????") for k in range(1, 400)]
    assert read(folios, strokes) == dict(folios)


@given(st.lists(st.text(st.sampled_from("0123456789ivxlIOS?"), min_size=1, max_size=4), max_size=20))
def test_folios_always_rise(figures: list[str]) -> None:
    found = [(folio.isdigit(), arabic(folio), at) for at, folio in read(enumerate(figures)).items()]
    assert all(a[:2] < b[:2] and a[2] < b[2] for a, b in pairwise(found))
