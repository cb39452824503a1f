"""Pages where no folio tells them: of like length, at the best breaks, in agreement with what is known."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.pages.pagination import Anchor, Break, divide


def places(*weighted: tuple[int, float], end: int) -> list[Break]:
    return [(0, 0.0), *weighted, (end, 0.0)]


def test_pages_are_of_like_length() -> None:
    where = places(*((at, 0.0) for at in range(100, 4000, 100)), end=4000)
    assert divide(where, [Anchor(0, 7)], 1000.0, ()) == [(7, 0), (8, 1000), (9, 2000), (10, 3000)]


def test_evidence_moves_a_break() -> None:
    where = places((900, 2.0), (1000, 0.0), (1100, 0.0), end=2000)
    assert divide(where, [Anchor(0, 1)], 1000.0, ()) == [(1, 0), (2, 900)]


def test_what_is_known_is_on_its_page() -> None:
    where = places(*((at, 0.0) for at in range(100, 4000, 100)), end=4000)
    found = divide(where, [Anchor(0, 1), Anchor(2450, 4)], 1000.0, ())
    (begin,) = [at for number, at in found if number == 4]
    end = min((at for number, at in found if number == 5), default=4000)
    assert begin <= 2450 < end


@pytest.mark.parametrize(("openings", "second"), [((), []), ({1000}, [(1, 0), (3, 1000)])])
def test_a_number_is_passed_over_only_where_a_blank_page_may_stand(
    openings: set[int], second: list[tuple[int, int]]
) -> None:
    where = places((1000, 0.0), end=2000)
    assert divide(where, [Anchor(0, 1), Anchor(1500, 3)], 1000.0, openings) == second


def test_the_last_page_is_the_one_that_is_known() -> None:
    where = places(*((at, 0.0) for at in range(100, 3000, 100)), end=3000)
    assert [n for n, _ in divide(where, [Anchor(0, 1)], 1000.0, (), last=6)] == [1, 2, 3, 4, 5]
    assert divide(where, [Anchor(0, 1)], 1000.0, (), last=90) == []


@given(
    st.lists(st.tuples(st.integers(1, 2999), st.sampled_from([0.0, 0.8, 2.0])), max_size=20, unique_by=lambda b: b[0]),
    st.integers(1, 300),
)
def test_numbers_and_offsets_increase(breaks: list[Break], first: int) -> None:
    where = places(*sorted(breaks), end=3000)
    found = divide(where, [Anchor(0, first)], 1000.0, ())
    if found:
        assert found[0] == (first, 0)
    assert all(a[0] + 1 == b[0] and a[1] < b[1] for a, b in pairwise(found))
    assert {at for _, at in found} <= {at for at, _ in where[:-1]}
