"""Page furniture of a scan that came as markdown: heads as paragraphs, marks of the transcription, lost folios."""

from __future__ import annotations

import random

import pytest
from samples import prose

from extract.pages.furniture import Furniture
from extract.pages.markdown_furniture import find_markdown_furniture
from extract.text.textlayer import check_edits


def book(running: dict[int, str], pages: int = 24, contents: bool = True) -> tuple[str, dict[int, int]]:
    """A markdown scan: contents with pages, a heading every sixth page, running heads; where each page begins."""
    noise = random.Random(7)
    titles = {9: "OF THE DEAL.", 15: "OF THE REVOKE.", 21: "OF BYSTANDERS.", 27: "MAXIMS FOR PLAYING."}
    scan = "INDEX.\n\n" + "".join(f"{t.rstrip('.').title()},\t{n}\n" for n, t in titles.items()) + "\n\n"
    scan = scan if contents else ""
    starts: dict[int, int] = {}
    for number in range(9, 9 + pages):
        starts[number] = len(scan)
        if number in running:
            scan += running[number] + "\n\n"
        if number in titles:
            scan += titles[number] + "\n\n"
        # A page ends in the midst of a sentence, so that the break can be seen.
        scan += prose(noise, 60) + "\n\n" + prose(noise, 60).rstrip(".") + "\n\n"
    return scan, starts


def deleted(furniture: Furniture) -> list[str]:
    return [e.before for e in furniture.edits]


def test_running_heads_that_return_go_and_headings_stay() -> None:
    heads = {12: "Of the Deal.", 13: "Of the Deal.", 14: "Ot the Deal.", 18: "Of the Revoke.", 19: "Of the Rebole."}
    scan, _ = book(heads)
    assert deleted(find_markdown_furniture(scan)) == list(heads.values())


def test_a_head_with_its_folio_goes_and_tells_the_page() -> None:
    scan, starts = book({24: "BYSTANDERS. 24"})
    furniture = find_markdown_furniture(scan)
    assert deleted(furniture) == ["BYSTANDERS. 24"]
    (page,) = [p for p in furniture.pages if p.folio == "24"]
    assert (page.raw_start, page.status) == (starts[24], "printed")


def test_marks_of_the_transcription_go() -> None:
    scan = "LAWS.\n\n- 12. Having called *two* honours is no bar.\n* A player may look at the **last** trick. 3 * 4\n"
    assert deleted(find_markdown_furniture(scan)) == ["- ", "*", "*", "* ", "**", "**"]


def test_a_running_head_may_bear_a_mark() -> None:
    scan, _ = book({12: "- Of the Deal.", 13: "Of the Deal.", 14: "**Of the Deal.**"})
    furniture = find_markdown_furniture(scan)
    assert "".join(deleted(furniture)) == "- Of the Deal.Of the Deal.**Of the Deal.**"
    check_edits(scan, furniture.edits)


def test_a_sentence_that_returns_stays() -> None:
    scan, _ = book({12: "This section takes effect at once.", 18: "This section takes effect at once."})
    assert deleted(find_markdown_furniture(scan)) == []


def test_a_dash_within_a_line_stays() -> None:
    scan = "Slam - all the tricks won by one party.\n\nA sequence—three cards - or more.\n"
    assert deleted(find_markdown_furniture(scan)) == []


def test_pages_are_counted_from_the_contents() -> None:
    scan, starts = book({})
    furniture = find_markdown_furniture(scan)
    assert deleted(furniture) == []
    for number in (9, 15, 21, 27):
        middle = starts[number] + 200
        (page,) = [p for p in furniture.pages if p.raw_start <= middle < p.raw_end]
        assert page.folio == str(number)


def test_pages_in_between_are_interpolated() -> None:
    scan, starts = book({})
    pages = find_markdown_furniture(scan).pages
    right = 0
    for number, start in starts.items():
        (page,) = [p for p in pages if p.raw_start <= start + 300 < p.raw_end]
        right += page.folio == str(number)
    assert right >= 0.9 * len(starts)
    # The contents tell where a page begins, but no folio is printed on it.
    assert {p.status for p in pages} == {"unnumbered", "interpolated"}


@pytest.mark.parametrize("scan", ["", "\n\n", "A revoke is when a player fails to follow suit.\n"])
def test_without_known_pages_the_scan_is_one_page(scan: str) -> None:
    (page,) = find_markdown_furniture(scan).pages
    assert (page.raw_start, page.raw_end, page.folio, page.status) == (0, len(scan), None, "unnumbered")
