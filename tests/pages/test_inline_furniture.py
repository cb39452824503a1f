"""Page furniture of a scan that is one single line: heads and folios run in with the text."""

from __future__ import annotations

from statistics import mean
from typing import Any

import pytest
from samples import folios_right, found_of, lost_to, sheets

from extract.pages.inline_furniture import find_inline_furniture

HEADS = ("APPENDIX", "PREFACE")
HEADINGS = ("CUTTING TO THE DEALER.", "BYSTANDERS.")


@pytest.mark.parametrize(
    ("damage", "found", "placed"),
    [
        ({}, 1.0, 1.0),
        ({"first": 230}, 1.0, 1.0),
        ({"lost": 0.1}, 0.85, 0.98),
        ({"garbled": 0.1}, 0.75, 0.98),
        ({"garbled": 0.1, "lost": 0.1}, 0.65, 0.97),
    ],
    ids=str,
)
def test_furniture_goes_and_text_stays(damage: dict[str, Any], found: float, placed: float) -> None:
    shares: list[tuple[float, float]] = []
    for seed in range(6):
        sheet = sheets(40, heads=HEADS, headings=HEADINGS, inline=True, seed=seed, **damage)
        furniture = find_inline_furniture(sheet.scan)
        assert lost_to(sheet, furniture.edits) == []
        shares.append((found_of(sheet, furniture.edits), folios_right(sheet, furniture.pages)))
    assert mean(f for f, _ in shares) >= found
    assert mean(p for _, p in shares) >= placed


def test_a_head_may_end_in_a_single_letter() -> None:
    sheet = sheets(30, heads=("APPENDIX B", "APPENDIX B"), inline=True)
    furniture = find_inline_furniture(sheet.scan)
    assert lost_to(sheet, furniture.edits) == []
    assert found_of(sheet, furniture.edits) == 1


def test_a_page_that_begins_with_an_article_keeps_it() -> None:
    sheet = sheets(30, heads=("PREFACE", "PREFACE"), inline=True)
    begin = sheet.bodies[11][0]
    scan = sheet.scan[:begin] + "A card exposed may be called. " + sheet.scan[begin:]
    taken = [e.before for e in find_inline_furniture(scan).edits if e.raw_end > begin and e.raw_start < begin + 30]
    assert taken == []


def test_the_label_of_a_column_goes_with_its_head() -> None:
    sheet = sheets(12, heads=("CONTENTS", "CONTENTS"), inline=True)
    scan = sheet.scan
    for begin, _, _ in reversed(sheet.bodies):
        scan = f"{scan[:begin]}PAGE {scan[begin:]}"
    furniture = find_inline_furniture(scan)
    assert sum(e.before.endswith("PAGE") for e in furniture.edits) == len(sheet.bodies)


def test_the_label_of_a_column_goes_where_it_is_misread_or_stands_under_a_heading() -> None:
    sheet = sheets(12, heads=("CONTENTS", "CONTENTS"), inline=True)
    scan = sheet.scan
    for i, (begin, _, _) in reversed(list(enumerate(sheet.bodies))):
        scan = f"{scan[:begin]}{ {3: 'FACE', 5: 'PART ONE. PAGE'}.get(i, 'PAGE') } {scan[begin:]}"
    gone = [e.before for e in find_inline_furniture(scan).edits]
    assert sum(x.endswith("FACE") for x in gone) == 1 and "PAGE" in gone
    assert not any("PART" in x for x in gone)


def test_a_head_that_occurs_once_with_its_letter_goes_where_the_folio_is_behind_it() -> None:
    sheet = sheets(30, heads=("APPENDIX B", "APPENDIX B"), inline=True)
    once = sheet.scan.replace("APPENDIX B 13 ", "APPENDIX A 13 ")
    assert once != sheet.scan
    assert any(e.before == "APPENDIX A 13" for e in find_inline_furniture(once).edits)


def test_words_in_capitals_beside_a_number_stay_though_that_page_is_lost() -> None:
    sheet = sheets(30, heads=HEADS, inline=True)
    begin, _, number = sheet.bodies[13]
    head = sheet.furniture[13]
    scan = sheet.scan[: head[0]] + f"BYSTANDERS {number} " + sheet.scan[begin:]
    assert not any("BYSTANDERS" in e.before for e in find_inline_furniture(scan).edits)


def test_a_number_beside_a_word_in_capitals_that_does_not_return_stays() -> None:
    scan = sheets(1, heads=(), lost=1.0, inline=True).scan + " BYSTANDERS. 84 If a bystander call attention to it."
    assert find_inline_furniture(scan).edits == ()
