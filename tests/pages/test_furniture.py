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
from samples import BOOKS, Sheets, broken, folios_right, found_of, lost_to, prose, sheets

from extract.model import Edition
from extract.numbering.numerals import arabic
from extract.pages.furniture import Furniture, find_furniture
from extract.pages.inline_furniture import find_inline_furniture
from extract.pages.markdown_furniture import find_markdown_furniture
from extract.text.textlayer import check_edits

HEADINGS = ("OF THE DEAL.", "ON CALLING HONOURS.", "SECTION IV.", "OF BYSTANDERS.", "CHAPTER II.", "ARTICLE 7.")
INLINE_HEADS = ("APPENDIX", "PREFACE")
LETTERED = ("APPENDIX B", "APPENDIX B")
# How the pages of each layout are printed: arguments of `sheets`.
PRINTED: dict[str, dict[str, Any]] = {
    "lines": {"headings": HEADINGS},
    "single-line": {"heads": INLINE_HEADS, "headings": ("CUTTING TO THE DEALER.", "BYSTANDERS."), "inline": True},
}
FIND = {"lines": find_furniture, "markdown": find_markdown_furniture, "single-line": find_inline_furniture}
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


def print_pages(ornaments: Ornaments, apart: str, below: str, count: int = 34, first: int = 12) -> Sheets:
    """Print pages of prose; `apart` separates pages, `below` separates a page's text from its ornaments."""
    noise = random.Random(5)
    pieces: list[str] = []
    furniture: list[tuple[int, int]] = []
    bodies: list[tuple[int, int, int]] = []

    def add(text: str) -> tuple[int, int]:
        begin = sum(map(len, pieces))
        pieces.append(text)
        return begin, begin + len(text)

    for number in range(first, first + count):
        head, foot = ornaments(number)
        add(apart if pieces else "")
        for line in head:
            if number > first or str(number) in line:  # the first page opens with its title
                furniture.append(add(line))
                add(below)
        bodies.append((*add("\n".join(broken(prose(noise, 170)))), number))
        for line in foot:
            add(below)
            furniture.append(add(line))
    return Sheets("".join(pieces), tuple(furniture), (), tuple(bodies))


@pytest.mark.parametrize(
    ("layout", "damage", "found", "placed"),
    [
        ("lines", {"headings": ("OF THE REVOKE.", "LAWS OF WHIST.")}, 1.0, 1.0),
        ("lines", {"garbled": 0.3, "lost": 0.3}, 0.88, 0.94),
        ("lines", {"heads": (), "garbled": 0.15, "lost": 0.15}, 0.95, 0.97),
        ("lines", {"first": 230, "garbled": 0.15}, 0.95, 0.98),
        ("single-line", {"first": 230}, 1.0, 1.0),
        ("single-line", {"garbled": 0.1, "lost": 0.1}, 0.65, 0.97),
        ("single-line", {"heads": LETTERED, "headings": ()}, 1.0, 1.0),
    ],
    ids=str,
)
def test_removes_furniture_and_keeps_text(layout: str, damage: dict[str, Any], found: float, placed: float) -> None:
    """Six books lose no text; a share of the furniture is found, and a share of the pages has the right folio."""
    shares: list[tuple[float, float]] = []
    for seed in range(6):
        sheet = sheets(36, seed=seed, **(PRINTED[layout] | damage))
        furniture = FIND[layout](sheet.scan)
        assert lost_to(sheet, furniture.edits) == []
        shares.append((found_of(sheet, furniture.edits), folios_right(sheet, furniture.pages)))
    assert mean(f for f, _ in shares) >= found
    assert mean(p for _, p in shares) >= placed


def test_heading_at_the_top_of_a_page_stays() -> None:
    sheet = sheets(30, heads=())
    scan = sheet.scan
    for (begin, _, _), heading in zip(reversed(sheet.bodies[5::5]), HEADINGS, strict=False):
        scan = f"{scan[:begin]}{heading} \n\n\n{scan[begin:]}"
    assert [e.before for e in find_furniture(scan).edits] == [str(n) for _, _, n in sheet.bodies]


def test_heading_with_the_words_of_a_running_head_stays() -> None:
    sheet = sheets(30)
    place = sheet.scan.index("\n", sheet.bodies[13][0] + 300) + 1
    scan = f"{sheet.scan[:place]}\n\n\nOF THE REVOKE. \n\n\n{sheet.scan[place:]}"
    assert not any(place <= e.raw_start < place + 20 for e in find_furniture(scan).edits)


def test_removes_a_signature_at_the_foot_of_a_page() -> None:
    sheet = sheets(20)
    foot = sheet.bodies[15][1]
    assert gone(f"{sheet.scan[:foot]} \n\n\nB{sheet.scan[foot:]}").get("B") == "signature"


FRAGMENTS = st.sampled_from(
    ["1", "i2", "13", "xiv", "LAWS OF WHIST.", "LAWS 0F WHIST. 12", "240 APPENDIX B", "B", "The player may call",
     "a card, and", "\n", "\n\n", " \n\n\n", " \n\n\n", "- ", "**Deal**", "\t", " ", "SECTION IV.", "(a) A note.", "é"]
)  # fmt: skip


@pytest.mark.parametrize("layout", FIND)
@given(parts=st.lists(FRAGMENTS | st.text(max_size=6), max_size=40))
def test_edits_are_valid_and_pages_partition_any_text(layout: str, parts: list[str]) -> None:
    scan = "".join(parts)
    furniture: Furniture = FIND[layout](scan)
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


@pytest.mark.parametrize(
    ("ornaments", "apart", "below", "placed"),
    [
        *(
            pytest.param(ornaments, apart, below, 1, id=f"{convention}, {gap}")
            for convention, ornaments in CONVENTIONS.items()
            for apart, below, gap in (
                ("\n", "\n", "no blank line"), ("\n\n\n", "\n\n", "blank lines"), ("\n\f", "\n", "a form feed"),
            )
        ),
        pytest.param(by_side("{}|LAWS OF WHIST.", "THE REVOKE.|{}"), "\n\n\n", "\n\n", 1, id="a head on its own line"),
        pytest.param(by_side("% LAWS OF WHIST", "THE REVOKE &"), "\n\f", "\n\n", 0, id="no legible folio"),
    ],
)  # fmt: skip
def test_removes_furniture_with_any_number_of_blank_lines(
    ornaments: Ornaments, apart: str, below: str, placed: float
) -> None:
    sheet = print_pages(ornaments, apart, below)
    furniture = find_furniture(sheet.scan)
    assert lost_to(sheet, furniture.edits) == []
    assert (found_of(sheet, furniture.edits), folios_right(sheet, furniture.pages)) == (1, placed)
    assert len(furniture.pages) == (len(sheet.bodies) if placed else 1)


def gone(scan: str) -> dict[str, str]:
    """The text that is removed, with the reason."""
    return {e.before.strip(): e.note for e in find_furniture(scan).edits}


def ornamented(count: int = 12) -> Sheets:
    return print_pages(CONVENTIONS["a head between ornaments"], "\n\n\n", "\n\n", count)


def test_removes_rules_beside_running_heads_and_specks_under_folios() -> None:
    sheet = ornamented()
    (begin, end), (_, foot) = sheet.furniture[3:5]
    above, below = "—————\n_—$—S SS\n", "\n==—— OOOO"
    scan = f"{sheet.scan[:begin]}{above}{sheet.scan[begin:end]}{below}{sheet.scan[end:foot]} |\n|\n'{sheet.scan[foot:]}"
    found = gone(scan)
    assert found["—————"] == found["_—$—S SS"] == found["==—— OOOO"] == "rule"
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
        (re.sub(r"\n(27|28|29|30) (?=\n)", "\n", sheets(30, heads=()).scan),
         {"26": "printed"} | dict.fromkeys(("27", "28", "29", "30"), "interpolated")),
    ],
    ids=["within brackets", "between dashes", "the last but one is lost", "only left pages have folios",
         "the last are lost"],
)  # fmt: skip
def test_reads_garbled_folios_and_interpolates_lost_ones(scan: str, known: dict[str, str]) -> None:
    found = {p.folio: p.status for p in find_furniture(scan).pages}
    assert {folio: found.get(folio) for folio in known} == known


@pytest.mark.parametrize(
    ("scan", "above"),
    [
        (ornamented().scan.replace("\n\n( 15 )", "").replace("\n\n( 16 )", ""), "( 14 )"),
        # The text between them has another gap, where a sentence has ended.
        (
            TWENTY.replace("\n\n( 14 )", "").replace("card consult player\n", "card consult player\n\n\n"),
            "consult player",
        ),
    ],
    ids=["after the folio of the page before", "where a sentence runs over the page"],
)
def test_page_begins_below_one_that_lost_its_folio_at_the_foot(scan: str, above: str) -> None:
    assert scan[: next(p.raw_start for p in find_furniture(scan).pages if p.folio == "15")].rstrip().endswith(above)


def chapters() -> str:
    noise = random.Random(3)
    texts = ("\n".join(broken(prose(noise, noise.randint(40, 700)))) for _ in range(20))
    return "\n\n\n".join(f"THE GAME OF WHIST\n\n{text}" for text in texts)


def numbered() -> str:
    scan = print_pages(by_side("", ""), "\n", "\n", count=80).scan
    half = len(scan) // 2
    return f"{scan[:half]}\n\n\nI\n\n\n{scan[half:]}\n\n\nII\n\n\nMore."


@pytest.mark.parametrize(
    "scan",
    [numbered(), chapters(), sheets(1, heads=(), lost=1.0).scan],
    ids=["two numbers in much text", "headings of chapters", "no furniture"],
)
def test_irregularly_spaced_lines_stay(scan: str) -> None:
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
          for title in ("THE LAWS OF WHIST.", "THE LAWS OF WHIST (1904).")),
        (HEADED, "THE LAWS OF WHIST", True),
        (CAPITALS.replace("THE REVOKE 19", "THE REVOKE (iqy"), "THE REVOKE (iqy", True),
        (print_pages(by_side("", "", "( {} )"), "\n\n\nArticle 7.\n", "\n\n").scan, "Article 7.", False),
        # The running head of a section of one page is a part of its heading.
        ("OF IRREGULARITIES IN THE HANDS AND THE PACKS. \n\n\n"
         + sheets(30).scan.replace("OF THE REVOKE. \n\n\n13 ", "IN THE HANDS. \n\n\n13 "), "IN THE HANDS.", True),
        (TWENTY.replace("( 15 )", "(aaa)"), "(aaa)", True),
        (TWENTY.replace("( 18 )", "M5"), "M5", True),
        (TWENTY.replace("( 22 )", "lost."), "lost.", False),
    ],
)  # fmt: skip
def test_titles_labels_and_last_words_stay_and_garbled_furniture_goes(scan: str, words: str, goes: bool) -> None:
    assert (words in gone(scan)) is goes


def test_numbers_in_a_table_are_not_folios() -> None:
    sheet = print_pages(CONVENTIONS["a folio alone"], "\n\n\n", "\n\n")
    place = sheet.scan.index("\n", sheet.bodies[9][0] + 200)
    table = "\n".join(map(str, range(1, 25)))
    furniture = find_furniture(f"{sheet.scan[:place]}\n{table}{sheet.scan[place:]}")
    assert [e.before for e in furniture.edits] == [str(number) for _, _, number in sheet.bodies]


def test_removes_column_labels_that_are_misread_or_below_a_heading() -> None:
    sheet = sheets(12, heads=("CONTENTS", "CONTENTS"), inline=True)
    scan = sheet.scan
    for i, (begin, _, _) in reversed(list(enumerate(sheet.bodies))):
        scan = f"{scan[:begin]}{ {3: 'FACE', 5: 'PART ONE. PAGE'}.get(i, 'PAGE') } {scan[begin:]}"
    gone = "|".join(e.before for e in find_inline_furniture(scan).edits)
    assert [gone.count(word) for word in ("PAGE", "FACE", "PART")] == [11, 1, 0]


LETTERED_SHEET, PLAIN_SHEET, PREFACE = (
    sheets(30, heads=heads, inline=True) for heads in (LETTERED, INLINE_HEADS, ("PREFACE", "PREFACE"))
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
def test_unrepeated_head_is_removed_only_before_its_folio(scan: str, words: str, gone: bool) -> None:
    assert any(words in e.before for e in find_inline_furniture(scan).edits) is gone
