"""Folios and running heads in small type or between dashes, where OCR misreads what tells them."""

from __future__ import annotations

import pytest
from test_page_borders import CONVENTIONS, by_side, in_sections, print_pages

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


@pytest.mark.parametrize("head", ["OF NEW CARDS 19", "Of New Cards 19"])
def test_a_head_that_heads_one_page_alone_is_known_by_its_folio(head: str) -> None:
    sheet = print_pages(by_side("{} LAWS OF WHIST", "THE REVOKE {}"), "\n\n\n", "\n", 20)
    assert head in gone(sheet.scan.replace("THE REVOKE 19", head))
    assert head not in gone(sheet.scan.replace("THE REVOKE 19", "THE REVOKE 19\n" + head))
    assert head.replace("19", "64") not in gone(sheet.scan.replace("THE REVOKE 19", head.replace("19", "64")))


def test_a_title_in_capitals_that_has_the_words_of_heads_in_small_type_stays() -> None:
    sheet = print_pages(by_side("{} The Laws of Whist", "The Laws of Whist {}"), "\n\n\n", "\n\n", 16)
    scan = sheet.scan.replace("The Laws of Whist 19", "THE LAWS OF WHIST")
    assert "THE LAWS OF WHIST" not in gone(scan)


@pytest.mark.parametrize("title", ["THE LAWS OF WHIST.", "THE LAWS OF WHIST (1904).", "THE LAWS OF WHIST,"])
def test_a_title_that_ends_with_a_stop_stays_above_heads_that_repeat_it_without_one(title: str) -> None:
    scan = print_pages(by_side("THE LAWS OF WHIST", "THE LAWS OF WHIST", "{}"), "\n\n\n", "\n\n", 16).scan
    assert title not in gone(f"{title}\n\n{scan}")
    assert gone(scan).count("THE LAWS OF WHIST") >= 14


@pytest.mark.parametrize(
    ("head", "read"),
    [("Cards Led in Error", "ards Led in Error"), ("The Revoke", "The Revoke isl"), ("New Cards", "New Cards gr")],
)
def test_a_head_that_has_the_title_of_its_section_goes_though_an_end_of_it_is_misread(head: str, read: str) -> None:
    scan, heads = in_sections(["Cutting Out", "The Deal", "Cards Led in Error", "The Revoke", "New Cards"])
    assert head in heads
    at = scan.index(f"\n{head}\n") + 1
    assert read in gone(f"{scan[:at]}{read}{scan[at + len(head) :]}")


@pytest.mark.parametrize("read", ["© Trlaw Q", "Hweas gy Wh"])
def test_a_head_of_which_no_word_is_left_goes_where_all_pages_have_one(read: str) -> None:
    scan = print_pages(CONVENTIONS["a head between ornaments"], "\n\n\n", "\n\n", 20).scan
    at = scan.index("® The Revoke 9", len(scan) // 2)
    rest = scan[at:].removeprefix("® The Revoke 9")
    assert read in gone(scan[:at] + read + rest)
    for title in ("Vil", "BEZIQUE PANACHE", "the hand he", "x x x"):
        assert title not in gone(scan[:at] + title + rest)
