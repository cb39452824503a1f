"""Page furniture of a scan in lines, and of the four scans: running heads, folios and signatures go, text stays."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from statistics import mean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel
from samples import folios_right, found_of, lost_to, sheets

from extract.model import Edition
from extract.numbering.numerals import arabic
from extract.pages.furniture import Furniture, find_furniture
from extract.pages.inline_furniture import find_inline_furniture
from extract.pages.markdown_furniture import find_markdown_furniture
from extract.text.textlayer import check_edits

HEADINGS = ("OF THE DEAL.", "ON CALLING HONOURS.", "SECTION IV.", "OF BYSTANDERS.", "CHAPTER II.", "ARTICLE 7.")
FIND = {"lines": find_furniture, "markdown": find_markdown_furniture, "single-line": find_inline_furniture}
Gold = Callable[[str], list[dict[str, Any]]]


@pytest.mark.parametrize(
    ("damage", "found", "placed"),
    [
        ({}, 1.0, 1.0),
        ({"heads": ()}, 1.0, 1.0),
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
    shares: list[tuple[float, float]] = []
    for seed in range(6):
        sheet = sheets(36, headings=HEADINGS, seed=seed, **damage)
        furniture = find_furniture(sheet.scan)
        assert lost_to(sheet, furniture.edits) == []
        shares.append((found_of(sheet, furniture.edits), folios_right(sheet, furniture.pages)))
    assert mean(f for f, _ in shares) >= found
    assert mean(p for _, p in shares) >= placed


def test_a_heading_with_the_words_of_the_running_head_stays() -> None:
    sheet = sheets(30, headings=("OF THE REVOKE.", "LAWS OF WHIST."))
    furniture = find_furniture(sheet.scan)
    assert lost_to(sheet, furniture.edits) == []
    assert found_of(sheet, furniture.edits) == 1


def test_the_head_of_a_section_of_one_page_is_known_by_its_title() -> None:
    scan = sheets(30).scan
    title = "OF IRREGULARITIES IN THE HANDS AND THE PACKS."
    head = re.search(r"[A-Z ]+\.(?= \n\n\n13 )", scan)
    assert head
    scan = f"{title} \n\n\n{scan[: head.start()]}IN THE HANDS.{scan[head.end() :]}"
    assert "IN THE HANDS." in [e.before for e in find_furniture(scan).edits]


def test_a_heading_at_the_head_of_a_page_stays() -> None:
    sheet = sheets(30, heads=())
    scan = sheet.scan
    for (begin, _, _), heading in zip(reversed(sheet.bodies[5::5]), HEADINGS, strict=False):
        scan = f"{scan[:begin]}{heading} \n\n\n{scan[begin:]}"
    assert [e.before for e in find_furniture(scan).edits] == [str(n) for _, _, n in sheet.bodies]


def test_a_heading_set_apart_with_the_words_of_the_running_head_stays() -> None:
    sheet = sheets(30)
    begin = sheet.bodies[13][0]
    place = sheet.scan.index("\n", begin + 300) + 1
    scan = f"{sheet.scan[:place]}\n\n\nOF THE REVOKE. \n\n\n{sheet.scan[place:]}"
    assert not any(place <= e.raw_start < place + 20 for e in find_furniture(scan).edits)


def test_lost_folios_are_interpolated_and_told_so() -> None:
    sheet = sheets(36, lost=0.3, seed=3)
    pages = find_furniture(sheet.scan).pages
    printed = {p.folio for p in pages if p.status == "printed"}
    lost = {str(n) for _, _, n in sheet.bodies} - printed
    assert lost
    assert {p.folio for p in pages if p.status == "interpolated"} >= lost


def test_pages_after_the_last_folio_are_not_taken_for_it() -> None:
    sheet = sheets(30, heads=())
    scan = sheet.scan
    for begin, end in reversed(sheet.furniture[-4:]):
        scan = scan[:begin] + " " * (end - begin) + scan[end:]
    last = max(find_furniture(scan).pages, key=lambda p: p.raw_start)
    assert last.folio != "26"


def test_a_signature_at_the_foot_of_a_page_goes() -> None:
    sheet = sheets(20)
    foot = sheet.bodies[15][1]
    scan = sheet.scan[:foot] + " \n\n\nB" + sheet.scan[foot:]
    (signature,) = [e for e in find_furniture(scan).edits if e.note == "signature"]
    assert (signature.raw_start, signature.before) == (foot + 4, "B")


def test_a_scan_without_furniture_keeps_all() -> None:
    sheet = sheets(1, heads=(), lost=1.0)
    furniture = find_furniture(sheet.scan)
    assert furniture.edits == ()
    assert [p.status for p in furniture.pages] == ["unnumbered"]


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
    assert all(e.kind == "furniture" and e.source == "rule" and e.after == "" for e in edits)
    assert furniture.pages[0].raw_start == 0
    assert furniture.pages[-1].raw_end == len(scan)
    assert all(a.raw_end == b.raw_start for a, b in pairwise(furniture.pages))


# The four scans.


@pytest.mark.parametrize(
    ("book_id", "printed", "blank"),
    [
        ("arnaud-1829", range(11, 73), 4),
        ("deschapelles-1839", range(1, 321), 0),
        ("drayson-1896", range(3, 183), 1),
        ("pole-1895", range(234, 270), 1),
    ],
)
def test_the_text_has_every_page_of_the_print(
    editions: Mapping[str, Edition], book_id: str, printed: range, blank: int
) -> None:
    """Blank pages leave no text: where their folios are lost too, there may be so many pages fewer."""
    folios = {int(p.folio) for p in editions[book_id].pages if p.folio and p.folio.isdigit()}
    assert folios <= set(printed)
    assert len(set(printed) - folios) <= blank


@pytest.mark.parametrize("book_id", ["arnaud-1829", "deschapelles-1839", "drayson-1896", "pole-1895"])
def test_the_folios_of_the_scans_increase(editions: Mapping[str, Edition], book_id: str) -> None:
    edition = editions[book_id]
    folios = [p.folio for p in edition.pages if p.folio]
    front = [arabic(f) for f in folios if not f.isdigit()]
    body = [int(f) for f in folios if f.isdigit()]
    assert front == sorted(set(front))
    assert body == sorted(set(body))
    assert all(a.raw_end == b.raw_start for a, b in pairwise(edition.pages))
    assert (edition.pages[0].raw_start, edition.pages[-1].raw_end) == (0, len(edition.scan))


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


@pytest.mark.parametrize("book_id", ["arnaud-1829", "deschapelles-1839", "drayson-1896", "pole-1895"])
def test_passages_read_by_eye_lose_no_letter_and_keep_no_furniture(
    unaided: Mapping[str, Edition], gold: Gold, book_id: str
) -> None:
    scan = unaided[book_id].scan
    furniture = [e for e in unaided[book_id].edits if e.kind == "furniture"]
    gone = {i for e in furniture for i in range(e.raw_start, e.raw_end)}
    for passage in gold(f"ocr.{book_id}"):
        kept = "".join(scan[i] for i in range(passage["start"], passage["end"]) if i not in gone)
        printed, read = letters(passage["gold"]), letters(kept)
        for op in Indel.opcodes(printed, read):
            # Up to three letters in a row may be misread; a running head or a word is longer.
            if op.tag != "equal":
                assert op.src_end - op.src_start <= 3, f"{printed[op.src_start : op.src_end]!r} is lost"
                assert op.dest_end - op.dest_start <= 3, f"{read[op.dest_start : op.dest_end]!r} is left"


@pytest.mark.parametrize("book_id", ["arnaud-1829", "deschapelles-1839", "drayson-1896", "pole-1895"])
def test_no_first_or_last_letter_of_a_known_unit_is_furniture(
    editions: Mapping[str, Edition], gold: Gold, book_id: str
) -> None:
    gone = {
        i
        for e in editions[book_id].edits
        if e.kind == "furniture" and e.source == "rule" and any(map(str.isalnum, e.before))
        for i in range(e.raw_start, e.raw_end)
    }
    for unit in gold(f"units.{book_id}"):
        assert unit["start"] not in gone, unit["id"]
        assert unit["end"] - 1 not in gone, unit["id"]


@pytest.mark.parametrize("book_id", ["deschapelles-1839", "pole-1895"])
def test_the_folios_read_are_nearly_all_of_those_printed(editions: Mapping[str, Edition], book_id: str) -> None:
    pages = [p for p in editions[book_id].pages if p.folio]
    assert sum(p.status == "printed" for p in pages) >= 0.75 * len(pages)
