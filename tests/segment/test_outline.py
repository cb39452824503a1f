"""The working text of segmentation: letters mended, furniture gone, lines kept; paragraphs and footnotes found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import broken, render

from extract.corpus.errata import Passage
from extract.model import Edit, Page
from extract.segment.outline import WorkingText, working_text
from extract.text.source import Layout

LAYOUTS: tuple[Layout, ...] = ("lines", "markdown", "single-line")


def working(
    scan: str, layout: Layout = "lines", edits: tuple[Edit, ...] = (), pages: tuple[int, ...] = ()
) -> WorkingText:
    starts = (0, *pages)
    ends = (*pages, len(scan))
    leaves = tuple(Page(i, a, b, str(i + 1), "printed") for i, (a, b) in enumerate(zip(starts, ends, strict=True)))
    return working_text(scan, edits, leaves, layout)


def texts(work: WorkingText) -> list[str]:
    return [p.text for p in work.paragraphs(0, len(work.text))]


@given(st.text(st.sampled_from("aB1.,- \n\t(*é"), max_size=80), st.sampled_from(LAYOUTS))
def test_paragraphs_hold_all_that_is_no_footnote(scan: str, layout: Layout) -> None:
    work = working(scan, layout)
    held = [False] * len(scan)
    for paragraph in work.paragraphs(0, len(scan)):
        held[paragraph.start : paragraph.end] = [True] * (paragraph.end - paragraph.start)
    for note in work.footnotes:
        held[note.start : note.end] = [True] * (note.end - note.start)
    assert [c for c, inside in zip(scan, held, strict=True) if not inside and not c.isspace()] == []


def test_letters_are_mended_and_lines_kept() -> None:
    scan = "If a p1ayer re- \nvoke, he shall  forfeit"
    edits = (
        Edit(6, 7, "1", "l", "ocr", "rule"),
        Edit(14, 17, "- \n", "", "join", "rule"),
        Edit(31, 33, "  ", " ", "space", "rule"),
    )
    work = working(scan, edits=edits)
    assert work.text == "If a player re-\nvoke, he shall  forfeit"
    assert [x.text for x in work.lines] == ["If a player re-", "voke, he shall forfeit"]


def test_furniture_is_gone_and_offsets_lead_back_to_the_scan() -> None:
    scan = "the trump \n\n\n 12 \n\n\ncard is shown"
    work = working(scan, edits=(Edit(14, 16, "12", "", "furniture", "rule"),))
    assert "12" not in work.text
    at = work.text.index("card")
    assert work.to_scan(at, at + 4).start == scan.index("card")


def test_a_paragraph_goes_on_over_a_page_break() -> None:
    scan = "The player who \n\n\n\n\nrevokes shall pay. \n\nAnother law begins.\n"
    assert texts(working(scan, pages=(18,))) == ["The player who revokes shall pay.", "Another law begins."]


def test_a_sentence_cut_by_a_page_is_joined_though_a_capital_follows() -> None:
    scan = "It was shown by \n\n\n\n\nDeschapelles himself. \n"
    assert texts(working(scan, pages=(18,))) == ["It was shown by Deschapelles himself."]


def test_headings_stand_apart() -> None:
    scan = render(["OF THE DEAL.", "Each player deals in his turn.", "OF THE REVOKE."], "lines")
    found = working(scan).paragraphs(0, len(scan))
    assert [(p.text, p.heading) for p in found] == [
        ("OF THE DEAL.", True), ("Each player deals in his turn.", False), ("OF THE REVOKE.", True)
    ]  # fmt: skip


def test_a_heading_of_a_single_line_does_not_run_across_an_empty_line_of_the_editor() -> None:
    scan = "TREASURER. John Ames, Brooklyn, N. Y. SECRETARY. Robert Weems, Providence, R. I."
    at = scan.index(" SECRETARY")
    work = working(scan, "single-line", (Edit(at, at + 1, " ", "\n\n", "space", "editor"),))
    assert texts(work) == [
        "TREASURER.", "John Ames, Brooklyn, N. Y.", "SECRETARY.", "Robert Weems, Providence, R. I."
    ]  # fmt: skip


def test_a_single_line_has_one_paragraph_a_page_of_whole_sentences() -> None:
    scan = "The deal is lost. The cards are faced by the dealer. He may be stopped."
    work = working(scan, "single-line", pages=(30,))
    assert texts(work) == ["The deal is lost. The cards are faced by the dealer.", "He may be stopped."]


@pytest.mark.parametrize("mark", ["(a)", "⁽a)", "*", "†"])
def test_a_footnote_is_told_by_its_mark(mark: str) -> None:
    note = f"{mark} Hoyle has it otherwise."
    scan = f"The revoke {mark} is three tricks. \n\n{note} \n\nThe next law.\n"
    work = working(scan, pages=(scan.index("The next"),))
    (found,) = work.footnotes
    assert work.text[found.start : found.end] == note
    assert work.in_footnote(found.start) and not work.in_footnote(found.end)
    assert texts(work) == [f"The revoke {mark} is three tricks.", "The next law."]


def test_a_footnote_has_all_its_lines() -> None:
    note = "\n".join(broken("* This rule is not kept in France, where the dealer may look at the cards."))
    scan = f"The text. \n\n{note} \n\nMore text.\n"
    (found,) = working(scan, pages=(scan.index("More"),)).footnotes
    assert found.end - found.start == len(note)


def test_a_footnote_close_to_the_text_is_told_by_its_place_at_the_foot() -> None:
    scan = "The text has lost the mark of its note.\n* See page 12. * See page 14.\nMore text.\n"
    work = working(scan, pages=(scan.index("More"),))
    assert [work.text[n.start : n.end] for n in work.footnotes] == ["* See page 12.", "* See page 14."]


@pytest.mark.parametrize("item", ["(a) a card", "* A card"])
def test_an_item_of_a_list_is_no_footnote(item: str) -> None:
    assert working(f"He may show: \n\n{item}. \n\nBut not two.\n").footnotes == ()


@pytest.mark.parametrize("number", ["12", "l", "I", "1O", "S8"])
def test_a_section_is_no_footnote(number: str) -> None:
    section = f"§ {number}. Be it enacted that the dealer deal."
    assert working(f"AN ACT \n\n{section} \n\nThe next page.\n", pages=(50,)).footnotes == ()


def test_the_editor_tells_a_footnote_that_bears_no_mark() -> None:
    scan = "The text. \n\nIts footnote goes on here. \n\nMore text.\n"
    passage = Passage(
        start=12, end=38, kind="footnote", of="small/law-1", label="(a)", reason="goes on overleaf"
    )  # fmt: skip
    work = working_text(scan, (), (Page(0, 0, len(scan), None, "unnumbered"),), "lines", (passage,))
    (found,) = work.footnotes
    assert (work.text[found.start : found.end], found.of) == ("Its footnote goes on here.", "small/law-1")


@pytest.mark.parametrize("apart", ["\n", "\n\n"], ids=["close to the text", "apart from it"])
def test_a_heading_in_capitals_parts_two_laws(apart: str) -> None:
    laws = "12. A player may look at the last trick,\nand at no other.", "13. The pack is shuffled above the table."
    work = working(apart.join((laws[0], "OF SHUFFLING.", laws[1])))
    assert texts(work) == [laws[0].replace("\n", " "), "OF SHUFFLING.", laws[1]]


def test_a_heading_close_to_a_paragraph_is_one_though_its_stop_is_read_as_a_comma() -> None:
    scan = "The dealer shall give the cards to be cut by\nthe player on his right,\nTHE DEAL\n\nHe deals them.\n"
    assert [p.text for p in working(scan).paragraphs(0, len(scan)) if p.heading] == ["THE DEAL"]


def test_what_follows_a_note_in_its_line_is_text() -> None:
    scan = "The deal is lost.\n\n* So in Hoyle. The cards are dealt again.\n"
    note = Passage(start=19, end=33, kind="footnote", of="small/law-1", label="*", reason="set in the same line")
    work = working_text(scan, (), (Page(0, 0, len(scan), None, "unnumbered"),), "lines", (note,))
    assert texts(work) == ["The deal is lost.", "The cards are dealt again."]
