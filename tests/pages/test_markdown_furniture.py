"""Page furniture of a scan that came as markdown: heads as paragraphs, marks of the transcription, lost folios."""

from __future__ import annotations

import random

import pytest
from samples import prose

from extract.pages.markdown_furniture import find_markdown_furniture
from extract.text.textlayer import check_edits


def book(running: dict[int, str], pages: int = 24) -> tuple[str, dict[int, int]]:
    """A markdown scan: contents with pages, a heading every sixth page, running heads; where each page begins."""
    noise = random.Random(7)
    titles = {9: "OF THE DEAL.", 15: "OF THE REVOKE.", 21: "OF BYSTANDERS.", 27: "MAXIMS FOR PLAYING."}
    scan = "INDEX.\n\n" + "".join(f"{t.rstrip('.').title()},\t{n}\n" for n, t in titles.items()) + "\n\n"
    starts: dict[int, int] = {}
    for number in range(9, 9 + pages):
        starts[number] = len(scan)
        # A page ends in the midst of a sentence, so that the break can be seen.
        body = [prose(noise, 60), prose(noise, 60).rstrip(".")]
        above = [words[number] for words in (running, titles) if number in words]
        scan += "".join(f"{piece}\n\n" for piece in above + body)
    return scan, starts


OF_THE_DEAL = {12: "Of the Deal.", 13: "Of the Deal.", 14: "Ot the Deal.", 18: "Of the Revoke.", 19: "Of the Rebole."}
SENTENCE = "This section takes effect at once."
MARKS = "LAWS.\n\n- 12. Having called *two* honours is no bar.\n* A player may look at the **last** trick. 3 * 4\n"


@pytest.mark.parametrize(
    ("scan", "gone"),
    [
        (book(OF_THE_DEAL)[0], "|".join(OF_THE_DEAL.values())),
        (book({12: "- Of the Deal.", 13: "Of the Deal.", 14: "**Of the Deal.**"})[0],
         "- Of the Deal.|Of the Deal.|**Of the Deal.**"),
        (book({12: SENTENCE, 18: SENTENCE})[0], ""),
        (MARKS, "- |*|*|* |**|**"),
        ("Slam - all the tricks won by one party.\n\nA sequence—three cards - or more.\n", ""),
    ],
    ids=["heads that return", "heads that bear marks", "a sentence that returns", "marks of type", "dashes"],
)  # fmt: skip
def test_running_heads_and_marks_of_the_transcription_go_and_words_stay(scan: str, gone: str) -> None:
    edits = find_markdown_furniture(scan).edits
    assert "|".join(e.before for e in check_edits(scan, edits)) == gone


def test_a_head_with_its_folio_goes_and_tells_the_page() -> None:
    scan, starts = book({24: "BYSTANDERS. 24"})
    furniture = find_markdown_furniture(scan)
    assert [e.before for e in furniture.edits] == ["BYSTANDERS. 24"]
    assert [(p.raw_start, p.status) for p in furniture.pages if p.folio == "24"] == [(starts[24], "printed")]


def test_pages_are_counted_from_the_contents_and_interpolated_in_between() -> None:
    scan, starts = book({})
    furniture = find_markdown_furniture(scan)
    assert furniture.edits == ()
    middles = {number: start + 200 for number, start in starts.items()}
    right = {
        n for n, at in middles.items() for p in furniture.pages if p.raw_start <= at < p.raw_end and p.folio == str(n)
    }
    assert right >= {9, 15, 21, 27}
    assert len(right) >= 0.9 * len(starts)
    # The contents tell where a page begins, but no folio is printed on it.
    assert {p.status for p in furniture.pages} == {"unnumbered", "interpolated"}


@pytest.mark.parametrize("scan", ["", "\n\n", "A revoke is when a player fails to follow suit.\n"])
def test_without_known_pages_the_scan_is_one_page(scan: str) -> None:
    (page,) = find_markdown_furniture(scan).pages
    assert (page.raw_start, page.raw_end, page.folio, page.status) == (0, len(scan), None, "unnumbered")
