"""Folios and running heads in small type or between dashes, where OCR misreads what tells them."""

from __future__ import annotations

import pytest
from test_page_borders import CONVENTIONS, by_side, print_pages

from extract.pages.furniture import find_furniture


def gone(scan: str) -> list[str]:
    return [e.before.strip() for e in find_furniture(scan).edits]


def test_a_folio_between_dashes_that_are_read_as_other_strokes() -> None:
    sheet = print_pages(CONVENTIONS["a folio between dashes at the foot"], "\n\n\n", "\n\n", 20)
    scan = sheet.scan.replace("— 14 —", "= 14—").replace("— 15 —", "—15=").replace("— 16 —", "~ 16 —")
    pages = {p.folio: p.status for p in find_furniture(scan).pages}
    assert pages["14"] == pages["15"] == pages["16"] == "printed"


def test_folios_that_only_left_pages_keep_tell_how_long_a_page_is() -> None:
    scan = print_pages(by_side("{} The Laws of Whist", "Of the Revoke %"), "\n\n\n", "\n\n", 16).scan
    pages = {p.folio: p.status for p in find_furniture(scan).pages if p.folio}
    assert {folio for folio, status in pages.items() if status == "printed"} == set(map(str, range(12, 28, 2)))


def test_a_title_in_capitals_that_has_the_words_of_heads_in_small_type_stays() -> None:
    sheet = print_pages(by_side("{} The Laws of Whist", "The Laws of Whist {}"), "\n\n\n", "\n\n", 16)
    scan = sheet.scan.replace("The Laws of Whist 19", "THE LAWS OF WHIST")
    assert "THE LAWS OF WHIST" not in gone(scan)


@pytest.mark.parametrize("title", ["THE LAWS OF WHIST.", "THE LAWS OF WHIST (1904).", "THE LAWS OF WHIST,"])
def test_a_title_that_ends_with_a_stop_stays_above_heads_that_repeat_it_without_one(title: str) -> None:
    scan = print_pages(by_side("THE LAWS OF WHIST", "THE LAWS OF WHIST", "{}"), "\n\n\n", "\n\n", 16).scan
    assert title not in gone(f"{title}\n\n{scan}")
    assert gone(scan).count("THE LAWS OF WHIST") >= 14
