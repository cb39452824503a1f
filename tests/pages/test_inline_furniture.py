"""Page furniture of a scan that is one single line: heads and folios run in with the text."""

from __future__ import annotations

from typing import Any

import pytest
from printed_pages import assert_furniture_goes
from samples import sheets

from extract.pages.inline_furniture import find_inline_furniture

HEADS = ("APPENDIX", "PREFACE")
HEADINGS = ("CUTTING TO THE DEALER.", "BYSTANDERS.")


LETTERED = ("APPENDIX B", "APPENDIX B")


@pytest.mark.parametrize(
    ("damage", "found", "placed"),
    [
        ({}, 1.0, 1.0),
        ({"first": 230}, 1.0, 1.0),
        ({"lost": 0.1}, 0.85, 0.98),
        ({"garbled": 0.1}, 0.75, 0.98),
        ({"garbled": 0.1, "lost": 0.1}, 0.65, 0.97),
        ({"heads": LETTERED, "headings": ()}, 1.0, 1.0),
    ],
    ids=str,
)
def test_furniture_goes_and_text_stays(damage: dict[str, Any], found: float, placed: float) -> None:
    assert_furniture_goes(find_inline_furniture, damage, found, placed, heads=HEADS, headings=HEADINGS, inline=True)


def test_the_label_of_a_column_goes_where_it_is_misread_or_stands_under_a_heading() -> None:
    sheet = sheets(12, heads=("CONTENTS", "CONTENTS"), inline=True)
    scan = sheet.scan
    for i, (begin, _, _) in reversed(list(enumerate(sheet.bodies))):
        scan = f"{scan[:begin]}{ {3: 'FACE', 5: 'PART ONE. PAGE'}.get(i, 'PAGE') } {scan[begin:]}"
    gone = "|".join(e.before for e in find_inline_furniture(scan).edits)
    assert [gone.count(word) for word in ("PAGE", "FACE", "PART")] == [11, 1, 0]


LETTERED_SHEET, PLAIN_SHEET, PREFACE = (
    sheets(30, heads=heads, inline=True) for heads in (LETTERED, HEADS, ("PREFACE", "PREFACE"))
)


@pytest.mark.parametrize(
    ("scan", "words", "gone"),
    [
        (LETTERED_SHEET.scan.replace("APPENDIX B 13 ", "APPENDIX A 13 "), "APPENDIX A 13", True),
        (
            f"{PLAIN_SHEET.scan[: PLAIN_SHEET.furniture[13][0]]}BYSTANDERS 14 "
            f"{PLAIN_SHEET.scan[PLAIN_SHEET.bodies[13][0] :]}",
            "BYSTANDERS",
            False,
        ),
        (
            f"{PREFACE.scan[: PREFACE.bodies[11][0]]}A card exposed may be called. "
            f"{PREFACE.scan[PREFACE.bodies[11][0] :]}",
            " A",
            False,
        ),
        (
            sheets(1, heads=(), lost=1.0, inline=True).scan + " BYSTANDERS. 84 If a bystander call attention to it.",
            "BYSTANDERS",
            False,
        ),
    ],
    ids=["a head that occurs once", "a head on a lost page", "an article", "a word beside a number"],
)
def test_what_occurs_once_goes_only_where_its_folio_is_behind_it(scan: str, words: str, gone: bool) -> None:
    assert any(words in e.before for e in find_inline_furniture(scan).edits) is gone
