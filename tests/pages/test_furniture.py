"""Page furniture in every convention and layout, and in the four books: it is removed, and the text stays."""

import random
import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from statistics import mean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel
from samples import BOOKS, LAYOUTS, Sheets, broken, folios_right, found_of, lost_to, prose, sheets

from extract.model import Edition
from extract.numbering.numerals import arabic
from extract.pages.furniture import Furniture, find_furniture
from extract.text.source import Layout
from extract.text.textlayer import check_edits

HEADINGS = ("OF THE DEAL.", "ON CALLING HONOURS.", "SECTION IV.", "OF BYSTANDERS.", "CHAPTER II.", "ARTICLE 7.")
INLINE_HEADS = ("APPENDIX", "PREFACE")
# How the pages of each layout are printed: arguments of `sheets`.
PRINTED: dict[str, dict[str, Any]] = {
    "lines": {"headings": HEADINGS},
    "single-line": {"heads": INLINE_HEADS, "headings": ("CUTTING TO THE DEALER.", "BYSTANDERS."), "inline": True},
}
Gold = Callable[[str], list[dict[str, Any]]]


Ornaments = Callable[[int], tuple[list[str], list[str]]]
"""The lines at the head and at the foot of a page, given its number."""


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


def print_pages(ornaments: Ornaments, count: int = 34, apart: str = "\n\n\n") -> Sheets:
    """Print pages of prose, the first with the number 12; `apart` separates them."""
    noise = random.Random(5)
    pieces: list[str] = []
    furniture: list[tuple[int, int]] = []
    bodies: list[tuple[int, int, int]] = []

    def add(text: str) -> tuple[int, int]:
        begin = sum(map(len, pieces))
        pieces.append(text)
        return begin, begin + len(text)

    for number in range(12, 12 + count):
        head, foot = ornaments(number)
        add(apart if pieces else "")
        for line in head:
            if number > 12 or str(number) in line:  # the first page opens with its title
                furniture.append(add(line))
                add("\n\n")
        bodies.append((*add("\n".join(broken(prose(noise, 170)))), number))
        for line in foot:
            add("\n\n")
            furniture.append(add(line))
    return Sheets("".join(pieces), tuple(furniture), (), tuple(bodies))


@pytest.mark.parametrize(
    ("layout", "damage", "found", "placed"),
    [
        ("lines", {"headings": ("OF THE REVOKE.", "LAWS OF WHIST.")}, 0.98, 1.0),
        ("lines", {"garbled": 0.3, "lost": 0.3}, 0.88, 0.94),
        ("lines", {"heads": (), "garbled": 0.15, "lost": 0.15}, 0.94, 0.97),
        ("single-line", {"first": 230}, 1.0, 1.0),
        ("single-line", {"garbled": 0.1, "lost": 0.1}, 0.65, 0.97),
    ],
    ids=str,
)
def test_removes_furniture_and_keeps_text(layout: Layout, damage: dict[str, Any], found: float, placed: float) -> None:
    """Six books lose no text; a share of the furniture is found, and a share of the pages has the right folio."""
    shares: list[tuple[float, float]] = []
    for seed in range(6):
        sheet = sheets(36, seed=seed, **(PRINTED[layout] | damage))
        furniture = find_furniture(sheet.scan, layout)
        assert lost_to(sheet, furniture.edits) == []
        shares.append((found_of(sheet, furniture.edits), folios_right(sheet, furniture.pages)))
    assert mean(f for f, _ in shares) >= found
    assert mean(p for _, p in shares) >= placed


def test_heading_at_the_top_of_a_page_stays() -> None:
    sheet = sheets(30, heads=())
    scan = sheet.scan
    for (begin, _, _), heading in zip(reversed(sheet.bodies[5::5]), HEADINGS, strict=False):
        scan = f"{scan[:begin]}{heading} \n\n\n{scan[begin:]}"
    assert [e.before for e in find_furniture(scan, "lines").edits] == [str(n) for _, _, n in sheet.bodies]


def test_removes_a_signature_at_the_foot_of_a_page() -> None:
    sheet = sheets(20)
    foot = sheet.bodies[15][1]
    assert gone(f"{sheet.scan[:foot]} \n\n\nB{sheet.scan[foot:]}").get("B") == "signature"


FRAGMENTS = st.sampled_from(
    ["1", "i2", "13", "xiv", "LAWS OF WHIST.", "LAWS 0F WHIST. 12", "240 APPENDIX B", "B", "The player may call",
     "a card, and", "\n", "\n\n", " \n\n\n", " \n\n\n", "- ", "**Deal**", "\t", " ", "SECTION IV.", "(a) A note.", "é"]
)  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
@given(parts=st.lists(FRAGMENTS | st.text(max_size=6), max_size=40))
def test_edits_are_valid_and_pages_partition_any_text(layout: Layout, parts: list[str]) -> None:
    scan = "".join(parts)
    furniture: Furniture = find_furniture(scan, layout)
    assert {(e.kind, e.source, e.after) for e in check_edits(scan, furniture.edits)} <= {("furniture", "rule", "")}
    assert (furniture.pages[0].raw_start, furniture.pages[-1].raw_end) == (0, len(scan))
    assert all(a.raw_end == b.raw_start for a, b in pairwise(furniture.pages))


# The four books.


@pytest.mark.parametrize(
    ("book_id", "printed", "blank", "read"),
    [
        ("arnaud-1829", range(11, 73), 4, 0.0),
        ("deschapelles-1839", range(1, 321), 0, 0.75),
        ("drayson-1896", range(3, 183), 1, 0.0),
        ("pole-1895", range(234, 270), 1, 0.75),
    ],
)
def test_edition_has_every_printed_page(
    editions: Mapping[str, Edition], book_id: str, printed: range, blank: int, read: float
) -> None:
    """Blank pages leave no text: if their folios are lost too, up to `blank` pages may be missing."""
    pages = [p for p in editions[book_id].pages if p.folio]
    front = [arabic(p.folio) for p in pages if p.folio and not p.folio.isdigit()]
    body = [int(p.folio) for p in pages if p.folio and p.folio.isdigit()]
    assert front == sorted(set(front))
    assert body == sorted(set(body))
    assert set(body) <= set(printed)
    assert len(set(printed) - set(body)) <= blank
    assert sum(p.status == "printed" for p in pages) >= read * len(pages)


@pytest.mark.parametrize("book_id", BOOKS)
def test_gold_passages_lose_no_text_and_keep_no_furniture(
    unaided: Mapping[str, Edition], gold: Gold, book_id: str
) -> None:
    """Up to three letters in a row may be misread; a lost word or a running head left in the text is longer."""
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
def test_first_and_last_letters_of_gold_units_are_not_furniture(
    editions: Mapping[str, Edition], gold: Gold, book_id: str
) -> None:
    furniture = [e for e in editions[book_id].edits if e.kind == "furniture" and e.source == "rule"]
    gone = {i for e in furniture if any(map(str.isalnum, e.before)) for i in range(e.raw_start, e.raw_end)}
    assert [u["id"] for u in gold(f"units.{book_id}") if gone & {u["start"], u["end"] - 1}] == []


@pytest.mark.parametrize("ornaments", CONVENTIONS.values(), ids=CONVENTIONS)
def test_removes_furniture_of_each_convention(ornaments: Ornaments) -> None:
    sheet = print_pages(ornaments)
    furniture = find_furniture(sheet.scan, "lines")
    assert lost_to(sheet, furniture.edits) == []
    assert found_of(sheet, furniture.edits) > 0.97  # not the first head in capitals, which may be a title
    assert folios_right(sheet, furniture.pages) == 1
    assert len(furniture.pages) == len(sheet.bodies)


def gone(scan: str) -> dict[str, str]:
    """The text that is removed, with the reason."""
    return {e.before.strip(): e.note for e in find_furniture(scan, "lines").edits}


ORNAMENTED = print_pages(CONVENTIONS["a head between ornaments"], 60)


def test_removes_rules_beside_running_heads_and_specks_under_folios() -> None:
    sheet = ORNAMENTED
    (begin, end), (_, foot) = sheet.furniture[3:5]
    above, below = "—————\n_—$—S SS\n", "\n==—— OOOO"
    scan = f"{sheet.scan[:begin]}{above}{sheet.scan[begin:end]}{below}{sheet.scan[end:foot]} |\n|\n'{sheet.scan[foot:]}"
    assert {"—————", "_—$—S SS", "==—— OOOO", "|", "'"} <= gone(scan).keys()


DASHES = CONVENTIONS["a folio between dashes at the foot"]
TWENTY = print_pages(by_side("", "", "( {} )"), 20).scan


@pytest.mark.parametrize(
    ("scan", "known"),
    [
        (ORNAMENTED.scan.replace("( 50 )", "( 5° )").replace("( 51 )", "‘¢ (st)").replace("( 52 )", "( 52"),
         {"50": "printed", "51": "printed", "52": "printed"}),
        (print_pages(DASHES, 20).scan.replace("— 14 —", "= 14—").replace("— 15 —", "—15=")
         .replace("— 16 —", "~ 16 —"),
         {"14": "printed", "15": "printed", "16": "printed"}),
        (ORNAMENTED.scan.replace("\n\n( 22 )", ""), {"22": "interpolated", "23": "printed"}),
        (print_pages(by_side("{} The Laws of Whist", "Of the Revoke %"), 16).scan,
         {str(n): ("interpolated" if n % 2 else "printed") for n in range(12, 27)}),
        (re.sub(r"\n(27|28|29|30) (?=\n)", "\n", sheets(30, heads=()).scan),
         {"26": "printed"} | dict.fromkeys(("27", "28", "29", "30"), "interpolated")),
    ],
    ids=["within brackets", "between dashes", "the last but one is lost", "only left pages have folios",
         "the last are lost"],
)  # fmt: skip
def test_reads_garbled_folios_and_interpolates_lost_ones(scan: str, known: dict[str, str]) -> None:
    found = {p.folio: p.status for p in find_furniture(scan, "lines").pages}
    assert {folio: found.get(folio) for folio in known} == known


SMALL = print_pages(by_side("{} The Laws of Whist", "The Laws of Whist {}"), 16).scan
HEADED = print_pages(by_side("THE LAWS OF WHIST", "THE LAWS OF WHIST", "{}"), 16).scan
CAPITALS = print_pages(by_side("{} LAWS OF WHIST", "THE REVOKE {}"), 20).scan


@pytest.mark.parametrize(
    ("scan", "words", "goes"),
    [
        (SMALL.replace("The Laws of Whist 19", "THE LAWS OF WHIST"), "THE LAWS OF WHIST", False),
        (f"THE LAWS OF WHIST (1904).\n\n{HEADED}", "THE LAWS OF WHIST (1904).", False),
        (HEADED, "THE LAWS OF WHIST", True),
        (CAPITALS.replace("THE REVOKE 19", "THE REVOKE (iqy"), "THE REVOKE (iqy", True),
        (print_pages(by_side("", "", "( {} )"), apart="\n\n\nArticle 7.\n").scan, "Article 7.", False),
        (TWENTY.replace("( 18 )", "M5"), "M5", True),
        (TWENTY.replace("( 22 )", "lost."), "lost.", False),
        (sheets(1, heads=(), lost=1.0).scan + "\n\n\nI\n\n\nMore.\n\n\nII", "II", False),
        ("\n\n".join(f"LAW {n}\n\n{prose(random.Random(n), 150)}" for n in range(1, 30)), "LAW 12", False),
    ],
)  # fmt: skip
def test_titles_labels_and_last_words_stay_and_garbled_heads_go(scan: str, words: str, goes: bool) -> None:
    assert (words in gone(scan)) is goes


def test_heads_of_a_transcription_repeat_a_title_and_the_contents_number_its_pages() -> None:
    noise = random.Random(4)
    names = ("PREFACE", "OF THE DEAL", "OF THE REVOKE", "OF BYSTANDERS")
    pages = [f"{name}.\n\n{prose(noise, 150)}\n\n{prose(noise, 120)}" for name in names]
    scan = (
        "\n\n".join(["INDEX.", *(f"{x.title()}, {n}" for n, x in enumerate(names, 5)), *pages]) + "\n\nPreface.\n\nEnd."
    )
    found = find_furniture(scan, "markdown")
    assert [scan[p.raw_start :].partition("\n")[0] for p in found.pages if p.folio] == [f"{name}." for name in names]
    assert [p.folio for p in found.pages] == [None, "5", "6", "7", "8"]


@pytest.mark.parametrize(
    ("words", "goes"), [("CONTENTS 14 PAGE", True), ("CONTENTS 14 A card", False), ("CONTENTS. 84 If", False)]
)
def test_head_in_running_text_goes_with_the_label_of_its_column(words: str, goes: bool) -> None:
    sheet = sheets(30, heads=("CONTENTS", "CONTENTS"), inline=True)
    scan = sheet.scan.replace("14 CONTENTS", words)
    assert any(e.before == words for e in find_furniture(scan, "single-line").edits) is goes
