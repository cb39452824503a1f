"""Page furniture of a scan in lines, and of the four scans: running heads, folios and signatures go, text stays."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from printed_pages import assert_furniture_goes
from rapidfuzz.distance import Indel
from samples import sheets

from extract.model import Edition
from extract.numbering.numerals import arabic
from extract.pages.furniture import Furniture, find_furniture
from extract.pages.inline_furniture import find_inline_furniture
from extract.pages.markdown_furniture import find_markdown_furniture
from extract.text.textlayer import check_edits

HEADINGS = ("OF THE DEAL.", "ON CALLING HONOURS.", "SECTION IV.", "OF BYSTANDERS.", "CHAPTER II.", "ARTICLE 7.")
FIND = {"lines": find_furniture, "markdown": find_markdown_furniture, "single-line": find_inline_furniture}
Gold = Callable[[str], list[dict[str, Any]]]
BOOKS = ("arnaud-1829", "deschapelles-1839", "drayson-1896", "pole-1895")


@pytest.mark.parametrize(
    ("damage", "found", "placed"),
    [
        ({}, 1.0, 1.0),
        ({"heads": ()}, 1.0, 1.0),
        ({"headings": ("OF THE REVOKE.", "LAWS OF WHIST.")}, 1.0, 1.0),
        ({"garbled": 0.15}, 0.97, 0.98),
        ({"lost": 0.15}, 0.98, 0.98),
        ({"garbled": 0.15, "lost": 0.15}, 0.95, 0.97),
        ({"garbled": 0.3, "lost": 0.3}, 0.88, 0.94),
        ({"heads": (), "garbled": 0.15, "lost": 0.15}, 0.95, 0.97),
        ({"first": 230, "garbled": 0.15}, 0.95, 0.98),
    ],
    ids=str,
)
def test_furniture_goes_and_text_stays(damage: dict[str, Any], found: float, placed: float) -> None:
    assert_furniture_goes(find_furniture, damage, found, placed, headings=HEADINGS)


def test_the_head_of_a_section_of_one_page_is_known_by_its_title() -> None:
    scan = re.sub(r"[A-Z ]+\.(?= \n\n\n13 )", "IN THE HANDS.", sheets(30).scan)
    furniture = find_furniture(f"OF IRREGULARITIES IN THE HANDS AND THE PACKS. \n\n\n{scan}")
    assert "IN THE HANDS." in [e.before for e in furniture.edits]


def test_a_heading_at_the_head_of_a_page_stays() -> None:
    sheet = sheets(30, heads=())
    scan = sheet.scan
    for (begin, _, _), heading in zip(reversed(sheet.bodies[5::5]), HEADINGS, strict=False):
        scan = f"{scan[:begin]}{heading} \n\n\n{scan[begin:]}"
    assert [e.before for e in find_furniture(scan).edits] == [str(n) for _, _, n in sheet.bodies]


def test_a_heading_set_apart_with_the_words_of_the_running_head_stays() -> None:
    sheet = sheets(30)
    place = sheet.scan.index("\n", sheet.bodies[13][0] + 300) + 1
    scan = f"{sheet.scan[:place]}\n\n\nOF THE REVOKE. \n\n\n{sheet.scan[place:]}"
    assert not any(place <= e.raw_start < place + 20 for e in find_furniture(scan).edits)


def test_lost_folios_are_interpolated_and_told_so() -> None:
    sheet = sheets(36, lost=0.3, seed=3)
    folios = {p.folio: p.status for p in find_furniture(sheet.scan).pages}
    assert {folios[str(n)] for _, _, n in sheet.bodies} == {"printed", "interpolated"}


def test_pages_after_the_last_folio_are_not_taken_for_it() -> None:
    sheet = sheets(30, heads=())
    scan = sheet.scan
    for begin, end in reversed(sheet.furniture[-4:]):
        scan = scan[:begin] + " " * (end - begin) + scan[end:]
    assert max(find_furniture(scan).pages, key=lambda p: p.raw_start).folio != "26"


def test_a_signature_at_the_foot_of_a_page_goes() -> None:
    sheet = sheets(20)
    foot = sheet.bodies[15][1]
    scan = sheet.scan[:foot] + " \n\n\nB" + sheet.scan[foot:]
    found = [(e.raw_start, e.before) for e in find_furniture(scan).edits if e.note == "signature"]
    assert found == [(foot + 4, "B")]


def test_a_scan_without_furniture_keeps_all() -> None:
    furniture = find_furniture(sheets(1, heads=(), lost=1.0).scan)
    assert (furniture.edits, [p.status for p in furniture.pages]) == ((), ["unnumbered"])


FRAGMENTS = st.sampled_from(
    ["1", "i2", "13", "xiv", "LAWS OF WHIST.", "LAWS 0F WHIST. 12", "240 APPENDIX B", "B", "The player may call",
     "a card, and", "\n", "\n\n", " \n\n\n", " \n\n\n", "- ", "**Deal**", "\t", " ", "SECTION IV.", "(a) A note.", "é"]
)  # fmt: skip


@pytest.mark.parametrize("layout", FIND)
@given(parts=st.lists(FRAGMENTS | st.text(max_size=6), max_size=40))
def test_edits_fit_and_pages_partition_whatever_the_text(layout: str, parts: list[str]) -> None:
    scan = "".join(parts)
    furniture: Furniture = FIND[layout](scan)
    edits = check_edits(scan, furniture.edits)
    assert {(e.kind, e.source, e.after) for e in edits} <= {("furniture", "rule", "")}
    assert (furniture.pages[0].raw_start, furniture.pages[-1].raw_end) == (0, len(scan))
    assert all(a.raw_end == b.raw_start for a, b in pairwise(furniture.pages))


# The four scans.


@pytest.mark.parametrize(
    ("book_id", "printed", "blank", "read"),
    [
        ("arnaud-1829", range(11, 73), 4, 0.0),
        ("deschapelles-1839", range(1, 321), 0, 0.75),
        ("drayson-1896", range(3, 183), 1, 0.0),
        ("pole-1895", range(234, 270), 1, 0.75),
    ],
)
def test_the_text_has_every_page_of_the_print(
    editions: Mapping[str, Edition], book_id: str, printed: range, blank: int, read: float
) -> None:
    """Blank pages leave no text: where their folios are lost too, there may be so many pages fewer."""
    edition = editions[book_id]
    pages = [p for p in edition.pages if p.folio]
    front = [arabic(p.folio) for p in pages if p.folio and not p.folio.isdigit()]
    body = [int(p.folio) for p in pages if p.folio and p.folio.isdigit()]
    assert front == sorted(set(front))
    assert body == sorted(set(body))
    assert set(body) <= set(printed)
    assert len(set(printed) - set(body)) <= blank
    assert sum(p.status == "printed" for p in pages) >= read * len(pages)
    assert all(a.raw_end == b.raw_start for a, b in pairwise(edition.pages))
    assert (edition.pages[0].raw_start, edition.pages[-1].raw_end) == (0, len(edition.scan))


@pytest.mark.parametrize("book_id", BOOKS)
def test_passages_read_by_eye_lose_no_letter_and_keep_no_furniture(
    unaided: Mapping[str, Edition], gold: Gold, book_id: str
) -> None:
    """Up to three letters in a row may be misread; a running head or a word is longer."""
    scan = unaided[book_id].scan
    furniture = [e for e in unaided[book_id].edits if e.kind == "furniture"]
    gone = {i for e in furniture for i in range(e.raw_start, e.raw_end)}
    for passage in gold(f"ocr.{book_id}"):
        kept = "".join(scan[i] for i in range(passage["start"], passage["end"]) if i not in gone)
        printed, read = ("".join(filter(str.isalnum, text)).casefold() for text in (passage["gold"], kept))
        changes = [op for op in Indel.opcodes(printed, read) if op.tag != "equal"]
        assert [printed[op.src_start : op.src_end] for op in changes if op.src_end - op.src_start > 3] == [], "lost"
        assert [read[op.dest_start : op.dest_end] for op in changes if op.dest_end - op.dest_start > 3] == [], "left"


@pytest.mark.parametrize("book_id", BOOKS)
def test_no_first_or_last_letter_of_a_known_unit_is_furniture(
    editions: Mapping[str, Edition], gold: Gold, book_id: str
) -> None:
    furniture = [e for e in editions[book_id].edits if e.kind == "furniture" and e.source == "rule"]
    gone = {i for e in furniture if any(map(str.isalnum, e.before)) for i in range(e.raw_start, e.raw_end)}
    assert [u["id"] for u in gold(f"units.{book_id}") if gone & {u["start"], u["end"] - 1}] == []
