"""Printed page numbers: garbled ones are decoded from their sequence, lost ones placed between their neighbours."""

from collections.abc import Iterable
from itertools import accumulate, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import edition_of, sheets

from extract.errors import BookError
from extract.model import Page, Span
from extract.numbering.numerals import arabic
from extract.numbering.sequence import Candidate
from extract.pages.folio import Folio, decode_folios, with_known
from extract.pages.pagination import paginate

PAGE = 1500


def decoded(*groups: Iterable[Candidate]) -> dict[int, str]:
    """The decoded folios, by offset."""
    found = decode_folios(sorted((c for group in groups for c in group), key=lambda c: c.start))
    return {folio.span.start: folio.text for folio in found}


def at_pages(numbers: Iterable[int], length: int = PAGE) -> list[Candidate]:
    """Folios at the heads of pages of equal length."""
    return [Candidate(length * n, length * n + 2, str(n), 0.3) for n in numbers]


@pytest.mark.parametrize(
    ("reads", "found"),
    [
        (["iv", "v", "Vl", "vii", "viii", "1", "2", "3", "4", "S", "6"],
         ["iv", "v", "vi", "vii", "viii", "1", "2", "3", "4", "5", "6"]),
        (["1"], []),
        (["1", "2"], ["1", "2"]),
    ],
    ids=["roman numerals in front matter", "one alone is not a folio", "two"],
)  # fmt: skip
def test_decodes_folios_as_a_sequence(reads: list[str], found: list[str]) -> None:
    candidates = [Candidate(PAGE * i, PAGE * i + len(r), r, 0.3) for i, r in enumerate(reads)]
    assert [*decoded(candidates).values()] == found


def test_folio_has_a_span_and_a_confidence() -> None:
    garbled, plain = decode_folios([Candidate(0, 3, "l1", 0.3), Candidate(PAGE, PAGE + 2, "12", 0.3)])
    assert (garbled.span, plain.span) == (Span(0, 3), Span(PAGE, PAGE + 2))
    assert garbled.confidence < plain.confidence == 1


def test_numbers_in_the_text_or_at_implausible_places_are_not_folios() -> None:
    candidates = at_pages(range(1, 60))
    years = [Candidate(PAGE * n + 700, PAGE * n + 704, str(1800 + n), 0.3) for n in (3, 17, 40)]
    raised = [Candidate(PAGE * n + 700, PAGE * n + 701, "²", 0.3) for n in (4, 18)]
    last = candidates[-1].end
    stray = [Candidate(last + 80 * i, last + 80 * i + 2, str(61 + 3 * i), -0.2) for i in range(1, 4)]
    assert decoded(candidates, years, raised) == decoded(candidates, stray) == {c.start: c.read for c in candidates}


@given(st.lists(st.text(st.sampled_from("0123456789ivxlIOS?"), min_size=1, max_size=4), max_size=20))
def test_decoded_folios_always_increase(reads: list[str]) -> None:
    found = decoded(Candidate(PAGE * i, PAGE * i + len(r), r, 0.3) for i, r in enumerate(reads))
    folios = [(folio.isdigit(), arabic(folio), at) for at, folio in found.items()]
    assert folios == sorted(folios), "roman folios stand before the others"
    assert all(a[:2] < b[:2] and a[2] < b[2] for a, b in pairwise(folios))


@st.composite
def folios_of_a_book(draw: st.DrawFn) -> tuple[int, list[Folio], list[int], list[tuple[int, float]]]:
    """The end of a book, some printed folios, where the page of each begins, and offsets where a page may begin."""
    steps = draw(st.lists(st.tuples(st.integers(1, 4), st.integers(40, 90)), max_size=12))
    numbers = accumulate(pages for pages, _ in steps)
    starts = [*accumulate(pages * length for pages, length in steps)]
    folios = [Folio(Span(at, at + 2), str(number), 1.0) for number, at in zip(numbers, starts, strict=True)]
    end = max(starts, default=0) + draw(st.integers(1, 200))
    places = st.tuples(st.integers(0, end - 1), st.sampled_from([0.0, 0.8, 2.0, 3.0]))
    return end, folios, starts, sorted(draw(st.lists(places, max_size=30, unique_by=lambda b: b[0])))


@given(folios_of_a_book())
def test_pages_partition_the_scan_and_keep_printed_folios(
    book: tuple[int, list[Folio], list[int], list[tuple[int, float]]],
) -> None:
    end, folios, *_ = book
    pages = paginate(*book)
    assert [p.raw_end for p in pages] == [*(p.raw_start for p in pages[1:]), end]
    assert all(p.raw_start < p.raw_end for p in pages)
    assert [p.folio for p in pages if p.status == "printed"] == [f.text for f in folios]
    numbers = [int(p.folio) for p in pages if p.folio]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize(
    ("end", "printed", "breaks", "found"),
    [
        (4000, {100: "10", 1100: "11", 3100: "13"}, [(1700, 0.8), (2080, 2.0), (2150, 0.8), (2900, 3.0)],
         [(1100, "11", "printed"), (2080, "12", "interpolated"), (3100, "13", "printed")]),
        (4000, {0: "iv", 1000: "v", 3000: "vii"}, [(2000, 2.0)],
         [(1000, "v", "printed"), (2000, "vi", "interpolated"), (3000, "vii", "printed")]),
        (500, {}, [(250, 3.0)], [(0, None, "unnumbered")]),
    ],
    ids=["the likeliest break", "roman numerals", "without folios"],
)  # fmt: skip
def test_lost_folio_is_placed_at_the_likeliest_break(
    end: int, printed: dict[int, str], breaks: list[tuple[int, float]], found: list[tuple[int, str | None, str]]
) -> None:
    pages = paginate(end, [Folio(Span(at, at + 2), text, 1.0) for at, text in printed.items()], [*printed], breaks)
    assert [(p.raw_start, p.folio, p.status) for p in pages][-len(found) :] == found
    assert pages[-1].raw_end == end


@pytest.mark.parametrize(
    ("garbled", "expected"),
    [
        ([(0, "xx")], {0: "12"}),
        ([(0, "xxx")], {}),
        ([(0, "xx"), (9, "x?")], {9: "12"}),
        ([(0, "x?"), (9, "x?")], {0: "12"}),
    ],
)
def test_illegible_folio_is_inferred_from_its_position(
    garbled: list[tuple[int, str]], expected: dict[int, str]
) -> None:
    """Folio 12 of 5 to 20 is garbled; of two candidates the better reading is taken, on a tie the first."""
    place = 12 * PAGE
    others = at_pages(n for n in range(5, 21) if n != 12)
    found = decoded(others, (Candidate(place + off, place + off + len(read), read, 0.3) for off, read in garbled))
    assert {at - place: folio for at, folio in found.items() if abs(at - place) < PAGE} == expected


@pytest.mark.parametrize(
    ("length", "first", "at", "read", "prior", "expected"),
    [
        (PAGE, 5, 21 * PAGE, "x?", 0.3, "21"),
        (PAGE, 5, 22 * PAGE, "x?", 0.3, None),
        (400, 1, 8800, "22", 0.0, "22"),
        (400, 1, 11_000, "22", 0.0, None),
    ],
    ids=["the next page", "the page after that", "pages as long as the others", "too far"],
)
def test_distance_after_the_last_folio_is_measured_in_page_lengths(
    length: int, first: int, at: int, read: str, prior: float, expected: str | None
) -> None:
    assert decoded(at_pages(range(first, 21), length), [Candidate(at, at + 2, read, prior)]).get(at) == expected


def test_prior_decides_between_two_equal_readings() -> None:
    doubtful, likely = Candidate(6 * PAGE - 40, 6 * PAGE - 39, "6", -0.9), Candidate(6 * PAGE, 6 * PAGE + 1, "6", 0.3)
    found = decoded(at_pages(n for n in range(1, 12) if n != 6), [doubtful, likely])
    assert [at for at, folio in found.items() if folio == "6"] == [likely.start]


# Page numbers supplied by the editor


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
    assert [p.raw_end for p in found] == [*(p.raw_start for p in found[1:]), 500]
    assert {p.status for p in found if p.folio not in (None, "xxi", "237")} == {"interpolated"}
    return [(p.raw_start, p.folio) for p in found]


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


def test_decoding_resumes_after_many_pages_without_folios() -> None:
    folios = at_pages([*range(1, 20), *range(38, 60)])
    strokes = [Candidate(19 * PAGE + 50 * k, 19 * PAGE + 50 * k + 3, "?????", -1.0) for k in range(1, 400)]
    assert [*decoded(folios, strokes).values()] == [c.read for c in folios]
