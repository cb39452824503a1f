"""Folios and running heads in whatever convention a book has, whether or not blank lines set them apart."""

from __future__ import annotations

import random

import pytest
from printed_pages import CONVENTIONS, Ornaments, by_side, print_pages
from samples import Sheets, broken, folios_right, found_of, lost_to, prose

from extract.pages.furniture import find_furniture
from extract.text.lines import split_lines


@pytest.mark.parametrize("below", ["\n", "\n\n"], ids=["close to the text", "apart from the text"])
@pytest.mark.parametrize("apart", ["\n", "\n\n", "\n\n\n", "\n\f"], ids=["no blank line", "one", "two", "a form feed"])
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_the_furniture_goes_whatever_the_blank_lines(convention: str, apart: str, below: str) -> None:
    sheet = print_pages(CONVENTIONS[convention], apart, below)
    furniture = find_furniture(sheet.scan)
    assert lost_to(sheet, furniture.edits) == []
    assert (found_of(sheet, furniture.edits), folios_right(sheet, furniture.pages)) == (1, 1)


@pytest.mark.parametrize(
    ("ornaments", "apart"),
    [
        (by_side("{}|LAWS OF WHIST.", "THE REVOKE.|{}"), "\n\n\n"),
        (by_side("{}|LAWS OF WHIST.", "THE REVOKE.|{}"), "\n\f"),
        (by_side("% LAWS OF WHIST", "THE REVOKE &"), "\n\f"),
    ],
    ids=["on a line of its own", "on a line of its own before a form feed", "without a legible folio"],
)
def test_a_head_goes_where_blank_lines_or_form_feeds_set_it_apart(ornaments: Ornaments, apart: str) -> None:
    sheet = print_pages(ornaments, apart, "\n\n")
    furniture = find_furniture(sheet.scan)
    assert lost_to(sheet, furniture.edits) == []
    assert found_of(sheet, furniture.edits) == 1


def gone(scan: str) -> dict[str, str]:
    """What goes, and why."""
    return {e.before.strip(): e.note for e in find_furniture(scan).edits}


def status(scan: str) -> dict[str | None, str]:
    """How each folio is known."""
    return {p.folio: p.status for p in find_furniture(scan).pages}


def ornamented(count: int = 12) -> Sheets:
    return print_pages(CONVENTIONS["a head between ornaments"], "\n\n\n", "\n\n", count)


def test_rules_beside_a_running_head_and_dirt_under_a_folio_go_with_them() -> None:
    sheet = ornamented()
    begin, end = sheet.furniture[3]
    rules = ("—————", "_—$—S SS", "==—— OOOO")
    found = gone(f"{sheet.scan[:begin]}{rules[0]}\n{rules[1]}\n{sheet.scan[begin:end]}\n{rules[2]}{sheet.scan[end:]}")
    assert {found.get(rule) for rule in rules} == {"rule"}
    foot = sheet.furniture[4][1]
    found = gone(f"{sheet.scan[:foot]} |\n|\n'{sheet.scan[foot:]}")
    assert found["|"] == found["'"] == "speck at the foot"


DASHES = CONVENTIONS["a folio between dashes at the foot"]
TWENTY = print_pages(by_side("", "", "( {} )"), "\n\n\n", "\n\n", 20).scan


@pytest.mark.parametrize(
    ("scan", "known"),
    [
        (ornamented(60).scan.replace("( 50 )", "( 5° )").replace("( 51 )", "‘¢ (st)").replace("( 52 )", "( 52"),
         {"50": "printed", "51": "printed", "52": "printed"}),
        (print_pages(DASHES, "\n\n\n", "\n\n", 20).scan.replace("— 14 —", "= 14—").replace("— 15 —", "—15=")
         .replace("— 16 —", "~ 16 —"),
         {"14": "printed", "15": "printed", "16": "printed"}),
        (ornamented().scan.replace("\n\n( 22 )", ""), {"22": "interpolated", "23": "printed"}),
        (print_pages(by_side("{} The Laws of Whist", "Of the Revoke %"), "\n\n\n", "\n\n", 16).scan,
         {str(n): ("interpolated" if n % 2 else "printed") for n in range(12, 27)}),
    ],
    ids=["within brackets", "between dashes", "the last but one is lost", "only left pages keep theirs"],
)  # fmt: skip
def test_a_folio_is_read_though_garbled_or_known_by_its_neighbours(scan: str, known: dict[str, str]) -> None:
    found = status(scan)
    assert {folio: found.get(folio) for folio in known} == known


def test_a_page_whose_folio_at_the_foot_is_lost_begins_after_the_page_before() -> None:
    scan = ornamented().scan.replace("\n\n( 15 )", "").replace("\n\n( 16 )", "")
    pages = {p.folio: p for p in find_furniture(scan).pages}
    assert pages["15"].status == pages["16"].status == "interpolated"
    assert scan[: pages["15"].raw_start].rstrip().endswith("( 14 )")


def test_strokes_at_the_edge_of_a_leaf_go_and_those_of_a_table_stay() -> None:
    text = "a card that is seen |\n| by the player\n|\n| ace | king |\nand |x| is no card\n"
    assert [e.raw_start for e in find_furniture(text).edits] == [20, 22, 38]
    first, second = split_lines("a card\n\f12")
    assert (first.below, second.above) == (4, 4), "a form feed sets a line apart"


def chapters() -> str:
    noise = random.Random(3)
    texts = ("\n".join(broken(prose(noise, noise.randint(40, 700)))) for _ in range(20))
    return "\n\n\n".join(f"THE GAME OF WHIST\n\n{text}" for text in texts)


def numbered() -> str:
    scan = print_pages(by_side("", ""), "\n", "\n", count=80).scan
    half = len(scan) // 2
    return f"{scan[:half]}\n\n\nI\n\n\n{scan[half:]}\n\n\nII\n\n\nMore."


@pytest.mark.parametrize("scan", [numbered(), chapters()], ids=["two numbers in much text", "headings of chapters"])
def test_what_stands_at_no_regular_distance_stays(scan: str) -> None:
    assert find_furniture(scan).edits == ()


TITLED = ornamented()
SMALL = print_pages(by_side("{} The Laws of Whist", "The Laws of Whist {}"), "\n\n\n", "\n\n", 16).scan
HEADED = print_pages(by_side("THE LAWS OF WHIST", "THE LAWS OF WHIST", "{}"), "\n\n\n", "\n\n", 16).scan
CAPITALS = print_pages(by_side("{} LAWS OF WHIST", "THE REVOKE {}"), "\n\n\n", "\n\n", 20).scan


@pytest.mark.parametrize(
    ("scan", "words", "goes"),
    [
        (f"{TITLED.scan[: TITLED.furniture[5][0]]}II\nTHE LAWS OF WHIST{TITLED.scan[TITLED.furniture[5][1] :]}",
         "THE LAWS OF WHIST", False),
        (SMALL.replace("The Laws of Whist 19", "THE LAWS OF WHIST"), "THE LAWS OF WHIST", False),
        *((f"{title}\n\n{HEADED}", title, False)
          for title in ("THE LAWS OF WHIST.", "THE LAWS OF WHIST (1904).", "THE LAWS OF WHIST,")),
        (HEADED, "THE LAWS OF WHIST", True),
        (CAPITALS.replace("THE REVOKE 19", "THE REVOKE (iqy"), "THE REVOKE (iqy", True),
        (print_pages(by_side("", "", "( {} )"), "\n\n\nArticle 7.\n", "\n\n").scan, "Article 7.", False),
        (TWENTY.replace("( 15 )", "(aaa)"), "(aaa)", True),
        (TWENTY.replace("( 18 )", "M5"), "M5", True),
        (TWENTY.replace("( 22 )", "lost."), "lost.", False),
    ],
)  # fmt: skip
def test_titles_labels_and_last_words_stay_and_what_is_too_garbled_goes(scan: str, words: str, goes: bool) -> None:
    assert (words in gone(scan)) is goes


def test_numbers_of_a_table_are_no_folios() -> None:
    sheet = print_pages(CONVENTIONS["a folio alone"], "\n\n\n", "\n\n")
    place = sheet.scan.index("\n", sheet.bodies[9][0] + 200)
    table = "\n".join(map(str, range(1, 25)))
    furniture = find_furniture(f"{sheet.scan[:place]}\n{table}{sheet.scan[place:]}")
    assert [e.before for e in furniture.edits] == [str(number) for _, _, number in sheet.bodies]
