"""Pages: those whose number is lost begin at the likeliest break near their place, unless the editor states it."""

from itertools import pairwise
from pathlib import Path

import pytest
from samples import edition_of, sheets

from extract.errors import BookError
from extract.model import Page
from extract.pages.pagination import CUT, OPENING, Break, Start, paginate, with_inferred, with_known

KNOWN = {1000: "1", 2000: "2", 4000: "4", 5000: "5"}


@pytest.mark.parametrize(
    ("known", "breaks", "stop", "added"),
    [
        (KNOWN, {2900: 0}, 5500, {2900: "3"}),
        (KNOWN, {2900: 0, 3100: OPENING}, 5500, {3100: "3"}),
        (KNOWN, {2200: CUT, 2900: 0}, 5500, {2900: "3"}),
        (KNOWN, {2000: CUT, 4500: CUT}, 5500, {}),
        (KNOWN, {6100: 0, 6500: CUT}, 8000, {6500: "6"}),
        (KNOWN, {6100: 0}, 6500, {}),
        ({5000: "iii", 6000: "iv"}, {200: CUT, 3000: 0, 4100: 0}, 6500, {3000: "i", 4100: "ii"}),
        ({1000: "7"}, {2000: CUT}, 5500, {}),
        ({1000: "i", 2000: "ii", 3500: "1", 4500: "2"}, {2600: OPENING}, 5500, {2600: None}),
        ({}, {2000: CUT}, 5500, {}),
    ],
    ids=[
        "at a break", "at the likelier one", "near its place", "not elsewhere", "after the last folio",
        "not on a last page of usual length", "before the first folio", "not without a usual length",
        "a half-title has no number", "no folio",
    ],
)  # fmt: skip
def test_lost_pages_begin_at_the_likeliest_breaks(
    known: dict[int, str], breaks: dict[int, float], stop: int, added: dict[int, str | None]
) -> None:
    starts = [Start(*each) for each in known.items()]
    pages = paginate(stop, starts, known.values(), [Break(*each) for each in breaks.items()])
    assert {page.raw_start: page.folio for page in pages} == {0: None} | known | added
    assert [page.raw_end for page in pages] == [*(page.raw_start for page in pages[1:]), stop]
    assert {page.folio for page in pages if page.status == "printed"} == {*known.values()}


def test_number_is_inferred_unless_the_printed_ones_around_it_make_it_certain() -> None:
    pages = paginate(7000, [Start(*each) for each in KNOWN.items()], KNOWN.values(), [Break(2900, 0), Break(6100, 0)])
    inferred = {page.folio: page.inferred for page in with_inferred(pages)}
    assert inferred == {None: False, "1": False, "2": False, "3": False, "4": False, "5": False, "6": True}


def test_page_that_contradicts_a_printed_number_is_reported_with_its_file(tmp_path: Path) -> None:
    sheet = sheets(12)
    at = sheet.bodies[8][0]
    page = f'[[page]]\nat = {at}\nfolio = "3"\nfirst = "{sheet.scan[at : at + 9]}"\nreason = "r"\n'
    with pytest.raises(BookError, match=r"errata\.toml: \[\[page\]\] 1 at"):
        edition_of(tmp_path / "small-1850", sheet.scan, '[[part]]\nbegins = ""\ngrammar = "paragraphs"\n', errata=page)


def known(*entries: tuple[int, str]) -> list[tuple[int, str | None]]:
    pages = [
        Page(0, 0, 100, None, "unnumbered"),
        Page(1, 100, 200, "xxi", "printed"),
        Page(2, 200, 300, "235", "interpolated"),
        Page(3, 300, 400, "236", "interpolated"),
        Page(4, 400, 500, "237", "printed"),
    ]
    found = with_known(pages, entries)
    assert all(a.raw_end == b.raw_start for a, b in pairwise(found))
    return [(page.raw_start, page.folio) for page in found]


@pytest.mark.parametrize(
    ("entries", "between"),
    [
        ([(250, "235")], [(250, "235"), (300, "236")]),
        ([(240, "234"), (280, "235")], [(240, "234"), (280, "235"), (300, "236")]),
        ([(320, "234")], [(320, "234")]),
    ],
    ids=["the page begins elsewhere", "a page without other evidence", "interpolated pages give way"],
)
def test_page_begins_where_the_editor_says(entries: list[tuple[int, str]], between: list[tuple[int, str]]) -> None:
    assert known(*entries) == [(0, None), (100, "xxi"), *between, (400, "237")]


@pytest.mark.parametrize(("at", "folio"), [(450, "236"), (100, "236"), (300, "238"), (50, "236")])
def test_rejects_editor_pages_that_contradict_printed_folios(at: int, folio: str) -> None:
    with pytest.raises(BookError, match=rf"\[\[page\]\] 1 at {at}, key 'folio': page (xxi|237), whose number"):
        known((at, folio))
