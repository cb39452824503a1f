"""Folios and running heads in whatever convention a book has, whether or not blank lines set them apart."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest
from samples import Sheets, broken, folios_right, found_of, lost_to, prose

from extract.pages.furniture import Furniture, find_furniture
from extract.text.lines import split_lines

Ornaments = Callable[[int], tuple[list[str], list[str]]]
"""What stands at the head and at the foot of a page, line by line, by its number."""


def by_side(left: str, right: str, *foot: str) -> Ornaments:
    """A running head for left and for right pages; `{}` is the folio."""

    def ornaments(page: int) -> tuple[list[str], list[str]]:
        head = (right if page % 2 else left).format(page)
        return head.split("|") if head else [], [line.format(page) for line in foot]

    return ornaments


CONVENTIONS = {
    "a head in capitals and its folio": by_side("{} LAWS OF WHIST.", "THE REVOKE. {}"),
    "a head like a title and its folio": by_side("{} The Laws of Whist", "The Revoke {}"),
    "a folio alone": by_side("{}", "{}"),
    "a folio in brackets": by_side("( {} )", "( {} )"),
    "a folio between dashes at the foot": by_side("", "", "— {} —"),
    "a folio at the foot": by_side("", "", "{}"),
    "a folio at the foot and a head": by_side("LAWS OF WHIST", "THE REVOKE", "{}"),
    "a head between ornaments": by_side("© The Laws of Whist ©", "® The Revoke 9", "( {} )"),
}


def print_pages(ornaments: Ornaments, apart: str, below: str, count: int = 34, first: int = 12) -> Sheets:
    """Pages of prose; `apart` stands between two pages, `below` between a page's text and its ornaments."""
    noise = random.Random(5)
    scan = ""
    furniture: list[tuple[int, int]] = []
    bodies: list[tuple[int, int, int]] = []

    def add(lines: Sequence[str], before: str, after: str) -> None:
        nonlocal scan
        for line in lines:
            scan += before
            furniture.append((len(scan), len(scan) + len(line)))
            scan += line + after

    for number in range(first, first + count):
        head, foot = ornaments(number)
        head = [line for line in head if number > first or str(number) in line]  # the first page opens with its title
        scan += apart if scan else ""
        add(head, "", below)
        begin = len(scan)
        scan += "\n".join(broken(prose(noise, 170)))
        bodies.append((begin, len(scan), number))
        add(foot, below, "")
    return Sheets(scan, tuple(furniture), (), tuple(bodies))


@pytest.mark.parametrize("below", ["\n", "\n\n"], ids=["close to the text", "apart from the text"])
@pytest.mark.parametrize("apart", ["\n", "\n\n", "\n\n\n", "\n\f"], ids=["no blank line", "one", "two", "a form feed"])
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_the_furniture_goes_whatever_the_blank_lines(convention: str, apart: str, below: str) -> None:
    sheet = print_pages(CONVENTIONS[convention], apart, below)
    furniture = find_furniture(sheet.scan)
    assert lost_to(sheet, furniture.edits) == []
    assert found_of(sheet, furniture.edits) == 1
    assert folios_right(sheet, furniture.pages) == 1


@pytest.mark.parametrize("apart", ["\n\n\n", "\n\f"], ids=["two", "a form feed"])
def test_a_head_on_a_line_of_its_own_goes_where_blank_lines_set_it_apart(apart: str) -> None:
    sheet = print_pages(by_side("{}|LAWS OF WHIST.", "THE REVOKE.|{}"), apart, "\n\n")
    furniture = find_furniture(sheet.scan)
    assert lost_to(sheet, furniture.edits) == []
    assert found_of(sheet, furniture.edits) == 1


def notes(furniture: Furniture) -> dict[str, str]:
    return {e.before: e.note for e in furniture.edits}


def ornamented(count: int = 12) -> Sheets:
    return print_pages(CONVENTIONS["a head between ornaments"], "\n\n\n", "\n\n", count)


def test_rules_beside_a_running_head_go_with_it() -> None:
    sheet = ornamented()
    start = sheet.furniture[3][0]
    rules = ("—————", "_—$—S SS", "==—— OOOO")
    scan = f"{sheet.scan[:start]}{rules[0]}\n{rules[1]}\n{sheet.scan[start:]}"
    head = scan.index("\n", start + len(rules[0]) + len(rules[1]) + 2)
    scan = f"{scan[:head]}\n{rules[2]}{scan[head:]}"
    found = notes(find_furniture(scan))
    assert {found.get(rule) for rule in rules} == {"rule"}


def test_dirt_under_a_folio_goes_with_it() -> None:
    sheet = ornamented()
    end = sheet.furniture[4][1]
    found = notes(find_furniture(f"{sheet.scan[:end]} |\n|\n'{sheet.scan[end:]}"))
    assert found["|"] == found["'"] == "speck at the foot"


def test_a_folio_garbled_within_its_brackets_is_read() -> None:
    scan = ornamented(60).scan.replace("( 50 )", "( 5° )").replace("( 51 )", "‘¢ (st)").replace("( 52 )", "( 52")
    pages = {p.folio: p.status for p in find_furniture(scan).pages}
    assert pages["50"] == pages["51"] == pages["52"] == "printed"


def test_a_page_whose_folio_at_the_foot_is_lost_begins_after_the_page_before() -> None:
    sheet = ornamented()
    scan = sheet.scan.replace("\n\n( 15 )", "").replace("\n\n( 16 )", "")
    pages = {p.folio: p for p in find_furniture(scan).pages}
    assert pages["15"].status == pages["16"].status == "interpolated"
    assert scan[: pages["15"].raw_start].rstrip().endswith("( 14 )")


def test_the_last_page_is_known_by_the_folio_at_its_foot_though_the_one_before_is_lost() -> None:
    scan = ornamented().scan.replace("\n\n( 22 )", "")
    pages = [(p.folio, p.status) for p in find_furniture(scan).pages]
    assert pages[-2:] == [("22", "interpolated"), ("23", "printed")]


def test_strokes_at_the_edge_of_a_leaf_go_and_those_of_a_table_stay() -> None:
    text = "a card that is seen |\n| by the player\n|\n| ace | king |\nand |x| is no card\n"
    assert [e.raw_start for e in find_furniture(text).edits] == [20, 22, 38]


def test_a_few_numbers_in_much_text_are_no_folios() -> None:
    sheet = print_pages(by_side("", ""), "\n", "\n", count=80)
    half = len(sheet.scan) // 2
    scan = f"{sheet.scan[:half]}\n\n\nI\n\n\n{sheet.scan[half:]}\n\n\nII\n\n\nMore."
    assert find_furniture(scan).edits == ()


def test_heads_without_a_legible_folio_are_found_where_form_feeds_part_the_pages() -> None:
    sheet = print_pages(by_side("% LAWS OF WHIST", "THE REVOKE &"), "\n\f", "\n\n")
    assert found_of(sheet, find_furniture(sheet.scan).edits) == 1


def test_headings_at_no_regular_distance_stay() -> None:
    noise = random.Random(3)
    chapters = ("\n".join(broken(prose(noise, noise.randint(40, 700)))) for _ in range(20))
    scan = "\n\n\n".join(f"THE GAME OF WHIST\n\n{chapter}" for chapter in chapters)
    assert find_furniture(scan).edits == ()


def test_a_title_in_capitals_stays_though_it_heads_the_pages_after_it() -> None:
    sheet = ornamented()
    start = sheet.furniture[5][0]
    title = "II\nTHE LAWS OF WHIST"
    scan = sheet.scan[:start] + title + sheet.scan[sheet.furniture[5][1] :]
    assert not any(e.raw_start < start + len(title) and start < e.raw_end for e in find_furniture(scan).edits)


def test_labels_that_begin_many_pages_stay() -> None:
    scan = print_pages(by_side("", "", "( {} )"), "\n\n\nArticle 7.\n", "\n\n").scan
    assert "Article 7." not in notes(find_furniture(scan))


def test_numbers_of_a_table_are_no_folios() -> None:
    sheet = print_pages(CONVENTIONS["a folio alone"], "\n\n\n", "\n\n")
    place = sheet.scan.index("\n", sheet.bodies[9][0] + 200)
    table = "\n".join(map(str, range(1, 25)))
    furniture = find_furniture(f"{sheet.scan[:place]}\n{table}{sheet.scan[place:]}")
    assert [e.before for e in furniture.edits] == [str(number) for _, _, number in sheet.bodies]


def test_a_form_feed_sets_a_line_apart() -> None:
    first, second = split_lines("a card\n\f12")
    assert (first.below, second.above) == (4, 4)


def test_folios_at_the_foot_too_garbled_to_be_read_go_and_last_words_stay() -> None:
    sheet = print_pages(by_side("", "", "( {} )"), "\n\n\n", "\n\n", 20)
    scan = sheet.scan.replace("( 15 )", "(aaa)").replace("( 18 )", "M5").replace("( 22 )", "lost.")
    gone = [e.before for e in find_furniture(scan).edits]
    assert "(aaa)" in gone
    assert "M5" in gone
    assert "lost." not in gone


def test_a_head_in_capitals_goes_though_its_folio_cannot_be_read() -> None:
    sheet = print_pages(by_side("{} LAWS OF WHIST", "THE REVOKE {}"), "\n\n\n", "\n\n", 20)
    scan = sheet.scan.replace("THE REVOKE 19", "THE REVOKE (iqy")
    assert "THE REVOKE (iqy" in [e.before for e in find_furniture(scan).edits]
