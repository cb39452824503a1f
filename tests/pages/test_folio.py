"""Printed page numbers: garbled ones decoded in their order, lost ones placed between their neighbours."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import FIGURES, smudge

from extract.errors import BookError
from extract.model import Page, Span
from extract.numbering.numerals import arabic, roman
from extract.numbering.sequence import Candidate
from extract.pages.folio import Folio, decode_folios, with_known
from extract.pages.pagination import paginate

PAGE = 1500


def numbered(pages: range, p: float, lost: float, seed: int) -> tuple[list[Candidate], dict[int, str]]:
    """Candidates at the head of each page, garbled and lost at random, and the true folio by offset."""
    noise = random.Random(seed)
    truth: dict[int, str] = {}
    candidates: list[Candidate] = []
    at = 0
    for number in pages:
        at += PAGE + noise.randint(-150, 150)
        if noise.random() >= lost:
            truth[at] = str(number)
            read = smudge(str(number), FIGURES, noise, p)
            candidates.append(Candidate(at, at + len(read), read, 0.3))
    return candidates, truth


@pytest.mark.parametrize("pages", [range(1, 120), range(230, 330)], ids=["from 1", "from 230"])
@pytest.mark.parametrize(("p", "lost"), [(0.0, 0.0), (0.1, 0.1), (0.25, 0.2)])
def test_garbled_folios_are_decoded(pages: range, p: float, lost: float) -> None:
    right = total = wrong = 0
    for seed in range(5):
        candidates, truth = numbered(pages, p, lost, seed)
        found = {f.span.start: f.text for f in decode_folios(candidates)}
        right += sum(found.get(at) == folio for at, folio in truth.items())
        wrong += sum(truth.get(at) != folio for at, folio in found.items())
        total += len(truth)
    assert right / total >= 0.97
    assert wrong / total <= 0.01


def test_the_front_matter_counts_in_roman() -> None:
    reads = ["iv", "v", "Vl", "vii", "viii", "1", "2", "3", "4", "S", "6"]
    candidates = [Candidate(PAGE * i, PAGE * i + len(r), r, 0.3) for i, r in enumerate(reads)]
    found = [f.text for f in decode_folios(candidates)]
    assert found == ["iv", "v", "vi", "vii", "viii", "1", "2", "3", "4", "5", "6"]


def test_a_number_in_the_text_is_no_folio() -> None:
    candidates, truth = numbered(range(1, 60), 0.0, 0.0, 1)
    years = [Candidate(PAGE * n + 700, PAGE * n + 704, str(1800 + n), 0.3) for n in (3, 17, 40)]
    found = decode_folios(sorted([*candidates, *years], key=lambda c: c.start))
    assert {f.span.start: f.text for f in found} == truth


def test_a_number_that_does_not_stand_where_its_page_would_is_no_folio() -> None:
    candidates, truth = numbered(range(1, 30), 0.0, 0.0, 1)
    last = candidates[-1].end
    stray = [Candidate(last + 80 * i, last + 80 * i + 2, str(31 + 3 * i), -0.2) for i in range(1, 4)]
    assert {f.span.start: f.text for f in decode_folios([*candidates, *stray])} == truth


@given(st.lists(st.text(st.sampled_from("0123456789ivxlIOS?"), min_size=1, max_size=4), max_size=20))
def test_folios_increase_whatever_is_read(reads: list[str]) -> None:
    candidates = [Candidate(PAGE * i, PAGE * i + len(r), r, 0.3) for i, r in enumerate(reads)]
    folios = decode_folios(candidates)
    front = [f for f in folios if not f.text.isdigit()]
    body = [f for f in folios if f.text.isdigit()]
    for run in (front, body):
        numbers = [arabic(f.text) for f in run]
        assert numbers == sorted(set(numbers))
        assert [f.span for f in run] == sorted(f.span for f in run)
    assert not front or not body or front[-1].span < body[0].span


@st.composite
def folios_of_a_book(draw: st.DrawFn) -> tuple[int, list[Folio], list[int], list[tuple[int, float]]]:
    """Some printed folios of a book, where their pages begin, and places where a page may begin."""
    steps = draw(st.lists(st.tuples(st.integers(1, 4), st.integers(40, 90)), max_size=12))
    at = number = 0
    folios: list[Folio] = []
    for pages, length in steps:
        number += pages
        at += pages * length
        folios.append(Folio(Span(at, at + 2), str(number), 1.0))
    end = at + draw(st.integers(1, 200))
    places = st.tuples(st.integers(0, end - 1), st.sampled_from([0.0, 0.8, 2.0, 3.0]))
    breaks = sorted(draw(st.lists(places, max_size=30, unique_by=lambda b: b[0])))
    return end, folios, [f.span.start for f in folios], breaks


@given(folios_of_a_book())
def test_pages_partition_the_scan(book: tuple[int, list[Folio], list[int], list[tuple[int, float]]]) -> None:
    end, folios, starts, breaks = book
    pages = paginate(end, folios, starts, breaks)
    assert pages[0].raw_start == 0
    assert pages[-1].raw_end == end
    assert all(a.raw_end == b.raw_start for a, b in pairwise(pages))
    assert all(p.raw_start < p.raw_end for p in pages)
    assert [p.seq for p in pages] == list(range(len(pages)))


@given(folios_of_a_book())
def test_printed_folios_stay_and_others_lie_between(
    book: tuple[int, list[Folio], list[int], list[tuple[int, float]]],
) -> None:
    pages = paginate(*book)
    assert [p.folio for p in pages if p.status == "printed"] == [f.text for f in book[1]]
    numbers = [int(p.folio) for p in pages if p.folio]
    assert numbers == sorted(set(numbers))
    assert all(p.folio is None for p in pages if p.status == "unnumbered")


def test_a_lost_folio_takes_the_likeliest_break() -> None:
    folios = [Folio(Span(at, at + 2), text, 1.0) for at, text in ((100, "10"), (1100, "11"), (3100, "13"))]
    breaks = [(1700, 0.8), (2080, 2.0), (2150, 0.8), (2900, 3.0)]
    pages = paginate(4000, folios, [100, 1100, 3100], breaks)
    assert [(p.folio, p.status, p.raw_start) for p in pages[2:]] == [
        ("11", "printed", 1100), ("12", "interpolated", 2080), ("13", "printed", 3100)
    ]  # fmt: skip


def test_lost_roman_folios_are_interpolated_in_roman() -> None:
    folios = [Folio(Span(at, at + 2), roman(n), 1.0) for at, n in ((0, 4), (1000, 5), (3000, 7))]
    pages = paginate(4000, folios, [0, 1000, 3000], [(2000, 2.0)])
    assert [p.folio for p in pages] == ["iv", "v", "vi", "vii"]


def test_without_folios_the_scan_is_one_page_without_number() -> None:
    (page,) = paginate(500, [], [], [(250, 3.0)])
    assert (page.raw_start, page.raw_end, page.folio, page.status) == (0, 500, None, "unnumbered")


def test_a_raised_figure_is_no_folio() -> None:
    plain, _ = numbered(range(1, 30), 0.0, 0.0, 1)
    raised = [Candidate(PAGE * n + 700, PAGE * n + 701, "²", 0.3) for n in (3, 17)]
    found = decode_folios(sorted([*plain, *raised], key=lambda c: c.start))
    assert [f.text for f in found] == [str(n) for n in range(1, 30)]


def twelfth(*garbled: tuple[int, str]) -> dict[int, str]:
    """Folios 5 to 20, with others in place of 12; what is decoded for each, by its distance from where 12 should be."""
    place = 12 * PAGE
    candidates = [Candidate(PAGE * n, PAGE * n + 2, str(n), 0.3) for n in range(5, 21) if n != 12]
    candidates += [Candidate(place + off, place + off + len(read), read, 0.3) for off, read in garbled]
    found = decode_folios(sorted(candidates, key=lambda c: c.start))
    return {f.span.start - place: f.text for f in found if abs(f.span.start - place) < PAGE}


def test_a_folio_beyond_reading_is_known_by_its_place() -> None:
    assert twelfth((0, "x?")) == {0: "12"}
    assert twelfth((0, "xx")) == {0: "12"}
    assert twelfth((0, "xxx")) == {}


def test_of_two_folios_beyond_reading_the_better_one_is_believed_then_the_first() -> None:
    assert twelfth((0, "xx"), (9, "x?")) == {9: "12"}
    assert twelfth((0, "x?"), (9, "x?")) == {0: "12"}


@pytest.mark.parametrize(("pages", "expected"), [(1, "21"), (2, None)])
def test_after_the_last_folio_only_the_next_is_known_by_its_place(pages: int, expected: str | None) -> None:
    candidates = [Candidate(PAGE * n, PAGE * n + 2, str(n), 0.3) for n in range(5, 21)]
    last = Candidate(PAGE * (20 + pages), PAGE * (20 + pages) + 2, "x?", 0.3)
    found = {f.span.start: f.text for f in decode_folios([*candidates, last])}
    assert found.get(last.start) == expected


def test_one_folio_alone_is_none() -> None:
    one, two = Candidate(PAGE, PAGE + 1, "1", 0.3), Candidate(2 * PAGE, 2 * PAGE + 1, "2", 0.3)
    assert decode_folios([one]) == ()
    assert [f.text for f in decode_folios([one, two])] == ["1", "2"]


def test_a_folio_knows_its_place_and_how_surely_it_is_read() -> None:
    garbled, plain = decode_folios([Candidate(0, 3, "l1", 0.3), Candidate(PAGE, PAGE + 2, "12", 0.3)])
    assert (garbled.span, plain.span) == (Span(0, 3), Span(PAGE, PAGE + 2))
    assert garbled.confidence < plain.confidence == 1


@pytest.mark.parametrize(("off", "believed"), [(800, True), (3000, False)])
def test_how_far_a_folio_lies_is_measured_in_pages_of_the_book(off: int, believed: bool) -> None:
    candidates = [Candidate(400 * n, 400 * n + 2, str(n), 0.3) for n in range(1, 21)]
    stray = Candidate(8000 + off, 8000 + off + 2, "22", 0.0)
    assert (stray.start in {f.span.start for f in decode_folios([*candidates, stray])}) is believed


def test_what_stands_around_a_folio_decides_between_two() -> None:
    candidates = [Candidate(PAGE * n, PAGE * n + 2, str(n), 0.3) for n in range(1, 12) if n != 6]
    doubtful, likely = Candidate(6 * PAGE - 40, 6 * PAGE - 39, "6", -0.9), Candidate(6 * PAGE, 6 * PAGE + 1, "6", 0.3)
    found = decode_folios(sorted([*candidates, doubtful, likely], key=lambda c: c.start))
    assert [f.span.start for f in found if f.text == "6"] == [likely.start]


# What the editor knows


def known(*told: tuple[int, str]) -> list[tuple[int, str | None]]:
    pages = [
        Page(0, 0, 100, None, "unnumbered"),
        Page(1, 100, 200, "xxi", "printed"),
        Page(2, 200, 300, "235", "interpolated"),
        Page(3, 300, 400, "236", "interpolated"),
        Page(4, 400, 500, "237", "printed"),
    ]
    found = with_known(pages, told)
    assert [p.seq for p in found] == list(range(len(found)))
    assert [p.raw_start for p in found[1:]] == [p.raw_end for p in found[:-1]]
    assert (found[0].raw_start, found[-1].raw_end) == (0, 500)
    assert {p.status for p in found if p.folio not in (None, "xxi", "237")} == {"interpolated"}
    return [(p.raw_start, p.folio) for p in found]


def test_a_page_begins_where_the_editor_knows() -> None:
    assert known((250, "235")) == [(0, None), (100, "xxi"), (250, "235"), (300, "236"), (400, "237")]


def test_a_page_that_nothing_tells_of_is_the_editors() -> None:
    told = (240, "234"), (280, "235")
    assert known(*told) == [(0, None), (100, "xxi"), (240, "234"), (280, "235"), (300, "236"), (400, "237")]


def test_interpolated_pages_give_way_to_the_editor() -> None:
    assert known((320, "234")) == [(0, None), (100, "xxi"), (320, "234"), (400, "237")]


@pytest.mark.parametrize(("at", "folio"), [(450, "236"), (100, "236"), (300, "238"), (50, "236")])
def test_what_a_printed_folio_tells_the_editor_cannot_move(at: int, folio: str) -> None:
    with pytest.raises(BookError, match=rf"\[\[page\]\] 1 at {at}, key 'folio': the page (xxi|237), whose folio"):
        known((at, folio))
