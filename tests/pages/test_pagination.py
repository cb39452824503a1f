"""Pages whose number is lost begin at the break with the best evidence near where they should begin."""

import pytest

from extract.pages.pagination import DIVISION, OPENING, Anchor, Break, cut, fill, with_inferred

STRONG = 9.0
"""Evidence that would win from any distance."""
KNOWN = {1000: 1, 2000: 2, 4000: 4, 5000: 5}


@pytest.mark.parametrize(
    ("known", "breaks", "stop", "added"),
    [
        (KNOWN, [(2900, 0.5)], 5500, {2900: 3}),
        (KNOWN, [(2900, 0.0), (3100, 0.5)], 5500, {3100: 3}),
        (KNOWN, [(2200, STRONG), (2900, 0.0)], 5500, {2900: 3}),
        (KNOWN, [(500, STRONG), (2000, STRONG), (4500, STRONG)], 5500, {}),
        (KNOWN, [(6100, 0.0), (6500, STRONG)], 8000, {6500: 6}),
        (KNOWN, [(6100, 0.0)], 6500, {}),
        ({5000: 3, 6000: 4}, [(1500, STRONG), (3000, 0.0), (4100, 0.0)], 6500, {3000: 1, 4100: 2}),
        ({1000: 1, 2000: 2, 3000: 3, 4000: 6, 5000: 7}, [(3500, OPENING)], 5500, {3500: 5}),
        ({1000: 1, 2000: 2, 3000: 3, 4000: 6, 5000: 7}, [(3300, 0.0), (3600, 0.0)], 5500, {3300: 4, 3600: 5}),
        ({1000: 7}, [(2000, STRONG)], 5500, {}),
    ],
    ids=[
        "at a break", "at the better one", "near its place", "not elsewhere", "after the last folio",
        "not on a last page of usual length", "before the first folio", "a blank page before an opening",
        "and no blank page elsewhere", "not without a usual length",
    ],
)  # fmt: skip
def test_lost_pages_begin_at_the_best_breaks(
    known: dict[int, int], breaks: list[Break], stop: int, added: dict[int, int]
) -> None:
    found = {page.start: page.page for page in fill([Anchor(*each) for each in known.items()], breaks, stop)}
    assert found == known | added


def test_first_page_has_no_number_unless_a_folio_stands_at_the_beginning() -> None:
    pages = cut(90, [(30, "1", "printed")])
    assert [(p.folio, p.raw_start, p.raw_end) for p in pages] == [(None, 0, 30), ("1", 30, 90)]
    assert [p.folio for p in cut(90, [(0, "1", "printed")])] == ["1"]


def test_number_is_inferred_unless_the_printed_ones_around_it_make_it_certain() -> None:
    marks = [(0, "1", "printed"), (10, "2", "interpolated"), (20, "3", "printed"), (30, "5", "interpolated")]
    pages = with_inferred(cut(40, marks))  # type: ignore[arg-type]  # the literals of a status
    assert [(p.folio, p.inferred) for p in pages] == [("1", False), ("2", False), ("3", False), ("5", True)]
    assert DIVISION > OPENING > 0
