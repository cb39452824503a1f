"""The working text of segmentation: OCR errors corrected, furniture removed, lines kept; paragraphs and footnotes."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import LAYOUTS, broken, render

from extract.corpus.errata import Passage
from extract.model import Edit, Page
from extract.segment.outline import WorkingText, working_text
from extract.text.source import Layout


def working(
    scan: str, layout: Layout = "lines", edits: tuple[Edit, ...] = (), page: str = "", notes: tuple[Passage, ...] = ()
) -> WorkingText:
    """The working text of a scan; a second page begins at the words `page`."""
    borders = [0, scan.index(page) if page else len(scan), len(scan)]
    pages = tuple(Page(i, a, b, str(i + 1), "printed") for i, (a, b) in enumerate(pairwise(borders)) if a < b or not i)
    return working_text(scan, edits, pages, layout, notes)


def texts(work: WorkingText) -> list[str]:
    """The paragraphs, with headings between dashes."""
    return [f"- {p.text} -" if p.heading else p.text for p in work.paragraphs(0, len(work.text))]


@given(st.text(st.sampled_from("aB1.,- \n\t(*é"), max_size=80), st.sampled_from(LAYOUTS))
def test_paragraphs_and_footnotes_contain_all_text(scan: str, layout: Layout) -> None:
    work = working(scan, layout)
    pieces = (*work.paragraphs(0, len(work.text)), *work.footnotes)
    held = {i for piece in pieces for i in range(piece.start, piece.end)}
    assert [c for i, c in enumerate(work.text) if i not in held and not c.isspace()] == []


SECRETARY = "TREASURER. John Ames, Brooklyn, N. Y. SECRETARY. Robert Weems, Providence, R. I."
APART = Edit(SECRETARY.index(" SEC"), SECRETARY.index("SEC"), " ", "\n\n", "space", "editor")
RULED = ["12. A player may look at the last trick,\nand at no other.", "13. The pack is shuffled above the table."]
DEALS = ["OF THE DEAL.", "Each player deals in his turn.", "OF THE REVOKE."]


@pytest.mark.parametrize(
    ("work", "paragraphs"),
    [
        (working("The player who \n\n\n\n\nrevokes shall pay. \n\nAnother law begins.\n", page="\n\nrevokes"),
         ["The player who revokes shall pay.", "Another law begins."]),
        (working("It was shown by \n\n\n\n\nDeschapelles himself. \n", page="\n\nDes"),
         ["It was shown by Deschapelles himself."]),
        (working(render(DEALS, "lines")), [f"- {DEALS[0]} -", DEALS[1], f"- {DEALS[2]} -"]),
        (working(SECRETARY, "single-line", (APART,)),
         ["- TREASURER. -", "John Ames, Brooklyn, N. Y.", "- SECRETARY. -", "Robert Weems, Providence, R. I."]),
        (working("The deal is lost. The cards are faced by the dealer. He may be stopped.", "single-line",
                 page="ards are faced"),
         ["The deal is lost. The cards are faced by the dealer.", "He may be stopped."]),
        *((working(f"{RULED[0]}{apart}OF SHUFFLING.{apart}{RULED[1]}"),
           [RULED[0].replace("\n", " "), "- OF SHUFFLING. -", RULED[1]]) for apart in ("\n", "\n\n")),
        (working("HOW SECOND HAND SHOULD BID AFTER A\n\nCALL\n\nWhen the dealer has made an offensive call.\n"),
         ["- HOW SECOND HAND SHOULD BID AFTER A CALL -", "When the dealer has made an offensive call."]),
    ],
    ids=["across a page break", "a capital after it", "headings", "a blank line by the editor", "a single-line page",
         "a heading close to the text", "a heading apart", "a heading in two lines apart"],
)  # fmt: skip
def test_divides_text_into_paragraphs_and_headings(work: WorkingText, paragraphs: list[str]) -> None:
    assert texts(work) == paragraphs


def test_working_text_applies_edits_keeps_lines_and_maps_offsets_to_the_scan() -> None:
    scan = "If a p1ayer re- \nvoke,\n\n\n 12 \n\n\nhe shall  forfeit"
    changes = [("1", "l", "ocr"), ("- \n", "", "join"), ("12", "", "furniture"), ("  f", " f", "space")]
    edits = [Edit(scan.index(a), scan.index(a) + len(a), a, b, kind, "rule") for a, b, kind in changes]
    work = working(scan, edits=tuple(edits))
    assert [line.text for line in work.lines] == ["If a player re-", "voke,", "he shall forfeit"]
    at = work.text.index("forfeit")
    assert work.to_scan(at, at + 7).start == scan.index("forfeit")


FRANCE = "\n".join(broken("* This rule is not kept in France, where the dealer may look at the cards."))
UNMARKED = Passage(start=12, end=38, kind="footnote", of="small/law-1", label="(a)", reason="goes on overleaf")
IN_LINE = Passage(start=19, end=33, kind="footnote", of="small/law-1", label="*", reason="set in the same line")


@pytest.mark.parametrize(
    ("work", "notes", "paragraphs"),
    [
        *((working(f"The revoke {mark} is three tricks. \n\n{mark} Hoyle has it. \n\nThe next law.\n", page="The next"),
           [f"{mark} Hoyle has it."], [f"The revoke {mark} is three tricks.", "The next law."])
          for mark in ("⁽a)", "*")),
        (working(f"The text. \n\n{FRANCE} \n\nMore text.\n", page="More"), [FRANCE], ["The text.", "More text."]),
        *((working(f"He may show: \n\n{item}. \n\nBut not two.\n"), [], ["He may show:", f"{item}.", "But not two."])
          for item in ("(a) a card", "* A card")),
        *((working(f"It is so. \n\n§ {number}. Be it enacted. \n\nThe next page.\n", page="The next"), [],
           ["It is so.", f"§ {number}. Be it enacted.", "The next page."]) for number in ("12", "l")),
        (working("The text. \n\nIts footnote goes on here. \n\nMore text.\n", notes=(UNMARKED,)),
         ["Its footnote goes on here."], ["The text.", "More text."]),
        (working("The deal is lost.\n\n* So in Hoyle. The cards are dealt again.\n", notes=(IN_LINE,)),
         ["* So in Hoyle."], ["The deal is lost.", "The cards are dealt again."]),
    ],
)  # fmt: skip
def test_recognises_footnotes_by_mark_position_or_editor(
    work: WorkingText, notes: list[str], paragraphs: list[str]
) -> None:
    assert [work.text[n.start : n.end] for n in work.footnotes] == notes
    assert texts(work) == paragraphs
    assert all(work.in_footnote(n.start) and not work.in_footnote(n.end) for n in work.footnotes)
