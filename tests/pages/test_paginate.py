"""Where pages begin that bear no folio: before the first one, after the last one, and between two parts of a book."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from extract.model import Span
from extract.pages.folio import Folio
from extract.pages.pagination import DIVISION, OPENING, paginate

STRONG = 9.0
"""A weight that would win from any distance."""


def pages(length: int, folios: dict[int, str], *breaks: tuple[int, float]) -> list[tuple[int, str | None, str]]:
    printed = [Folio(Span(at, at + 1), text, 1.0) for at, text in folios.items()]
    found = paginate(length, printed, list(folios), sorted(breaks))
    return [(p.raw_start, p.folio, p.status) for p in found]


def interpolated(found: Sequence[tuple[int, str | None, str]]) -> list[tuple[int, str | None]]:
    return [(at, folio) for at, folio, status in found if status == "interpolated"]


def test_pages_after_the_last_folio_begin_at_breaks_about_a_page_apart() -> None:
    # From a seventh of a page to 1.6 pages after the last beginning, the borders left out; the evidence counts in full,
    # the distance from where the page should begin twice.
    too_near, near, far, too_far = (2150, STRONG), (2950, 0.0), (3300, 0.55), (3600, STRONG)
    found = pages(6600, {0: "1", 1000: "2", 2000: "3"}, too_near, near, far, (4300, 0.0), (5000, 0.0), (5900, 3.0))
    assert interpolated(found) == [(3300, "4"), (4300, "5"), (5000, "6")]
    found = pages(6600, {0: "1", 1000: "2", 2000: "3"}, too_near, near, too_far)
    assert interpolated(found) == [(2950, "4"), (3600, "5")]


def test_pages_after_the_last_folio_end_where_no_break_is_left() -> None:
    assert interpolated(pages(9000, {0: "i", 1000: "ii", 2000: "iii"}, (3000, 0.0))) == [(3000, "iv")]


def test_a_last_page_may_be_longer_than_the_others() -> None:
    folios = {0: "1", 1000: "2", 2000: "3"}
    assert interpolated(pages(3600, folios, (2900, STRONG))) == []
    assert interpolated(pages(3601, folios, (2900, STRONG))) == [(2900, "4")]


def test_pages_before_the_first_folio_reach_back_to_the_first() -> None:
    too_far, too_near = (3400, STRONG), (4850, STRONG)
    breaks = [(400, 0.0), (1400, 0.0), (2400, 0.0), too_far, (3700, 0.15), (4100, 0.0), too_near]
    found = pages(8000, {5000: "5", 6000: "6", 7000: "7"}, *breaks)
    assert found == [
        (0, None, "unnumbered"),
        (1400, "1", "interpolated"),
        (2400, "2", "interpolated"),
        (3400, "3", "interpolated"),
        (4100, "4", "interpolated"),
        (5000, "5", "printed"),
        (6000, "6", "printed"),
        (7000, "7", "printed"),
    ]


def test_pages_before_the_first_folio_end_where_no_break_is_left() -> None:
    found = pages(8000, {5000: "5", 6000: "6", 7000: "7"}, (4000, 0.0), (2400, STRONG))
    assert interpolated(found) == [(4000, "4")]


FRONT = {1000: "v", 2000: "vi", 3000: "vii"}


def test_between_front_matter_and_text_a_half_title_may_stand_without_number() -> None:
    text = {7000: "3", 8000: "4", 9000: "5"}
    too_near, half_title, another = (3300, OPENING), (4000, OPENING), (4200, DIVISION)
    found = pages(10_000, FRONT | text, too_near, (3500, 2.0), half_title, another, (5000, OPENING), (6000, 0.0))
    assert found[4:8] == [
        (4000, None, "unnumbered"),
        (5000, "1", "interpolated"),
        (6000, "2", "interpolated"),
        (7000, "3", "printed"),
    ]


def test_the_first_page_of_the_text_is_no_half_title() -> None:
    found = pages(10_000, FRONT | {7000: "3", 8000: "4", 9000: "5"}, (5000, OPENING), (6000, 0.0))
    assert found[3:6] == [(3000, "vii", "printed"), (5000, "1", "interpolated"), (6000, "2", "interpolated")]


def test_a_half_title_needs_front_matter() -> None:
    found = pages(10_000, {7000: "3", 8000: "4", 9000: "5"}, (1000, OPENING), (5000, 0.0), (6000, 0.0))
    assert found[:2] == [(0, None, "unnumbered"), (5000, "1", "interpolated")]


def test_a_page_of_the_text_does_not_begin_on_the_last_page_of_the_front_matter() -> None:
    found = pages(8000, FRONT | {4800: "3", 5800: "4", 6800: "5"}, (3300, STRONG), (3800, 0.0))
    assert interpolated(found) == [(3800, "2")]


@pytest.mark.parametrize(("at", "lost"), [(2900, "3"), (3300, "3")])
def test_a_lost_folio_between_two_that_are_read_stands_at_the_break_between_them(at: int, lost: str) -> None:
    found = pages(6000, {1000: "1", 2000: "2", 4000: "4", 5000: "5"}, (at, 0.5))
    assert interpolated(found) == [(at, lost)]


def test_breaks_beyond_the_two_folios_do_not_count() -> None:
    beyond = [(500, STRONG), (1000, STRONG), (2000, STRONG), (4000, STRONG), (4500, STRONG)]
    assert interpolated(pages(6000, {1000: "1", 2000: "2", 4000: "4", 5000: "5"}, *beyond, (3100, 0.0))) == [
        (3100, "3")
    ]


def test_the_usual_length_of_a_page_is_the_median() -> None:
    folios = {0: "1", 500: "2", 1000: "3", 2000: "4", 3000: "5", 4000: "6"}
    assert interpolated(pages(6000, folios, (4500, 0.0), (5000, 0.0))) == [(5000, "7")]


def test_where_nothing_tells_a_break_the_page_is_left_out() -> None:
    assert interpolated(pages(6000, {1000: "1", 2000: "2", 4000: "4", 5000: "5"})) == []


def test_a_number_may_be_passed_over_where_a_part_opens_after_a_blank_page() -> None:
    folios = {1000: "1", 2000: "2", 4000: "5", 5000: "6"}
    assert interpolated(pages(6000, folios, (3000, OPENING))) == [(3000, "4")]
    assert interpolated(pages(6000, folios, (3000, 1.5))) == []
