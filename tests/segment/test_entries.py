"""Lists of contents and indexes: where an entry begins and ends, what it is called, how its text runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import make_book, shown

from extract.edition import make_edition
from extract.model import Unit
from extract.segment.grammars.entries import _label
from extract.text.source import Layout

CONTENTS = '[[part]]\nid = "contents"\nbegins = "CONTENTS"\ngrammar = "entries"\nkind = "front_matter"\n'
INDEX = '[[part]]\nid = "index"\nbegins = "INDEX"\ngrammar = "entries"\nkind = "index_entry"\nslug = "index"\n'
INDEX += 'headings = ["INDEX"]\n'


def units(folder: Path, scan: str, layout: Layout, plan: str) -> tuple[Unit, ...]:
    return make_edition(make_book(folder / "small", scan, layout, plan)).units


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("2. — Of the Deal 5", "2.—Of the Deal"), ("Section 1 37", "Section 1"), ("10 215", "10"),
        ("Preface vii", "Preface"), ("Of the Revoke, ib.", "Of the Revoke"), ("Battle, Mrs., 6", "Battle, Mrs."),
        ("Primitive Game. 9, 27", "Primitive Game"), ("Dealing . . . . f 170", "Dealing"),
        ("Contracts of Hazard, loi", "Contracts of Hazard"), ('" Whist " Journal, 76', '"Whist" Journal'),
        ('Ethical principles ; " Moral Philosophy," 101', 'Ethical principles; "Moral Philosophy"'),
        ("School, see Little Whist School", "School"),
        ("Literature, Whist, in America, 168", "Literature, Whist, in America"),
        ("Extracts from Chapter 10. — Of the Impasse 288", "Extracts from Chapter 10.—Of the Impasse"),
    ],
)  # fmt: skip
def test_an_entry_is_called_by_its_words_without_its_pages(text: str, label: str) -> None:
    assert _label(text) == label


def test_a_chapter_and_its_title_are_a_heading_among_the_entries(tmp_path: Path) -> None:
    scan = (
        "CONTENTS \n\nCHAPTER  V.— The  Laws. \n\nSection  1. — Of  the  Deal    5 \n\n  2. — Of  Honours    9 \n\n"
        "CHAPTER  VI. \n\nThe  Principles  of  the  Rules, \nWITH  Remarks,  &c. \n\nSection  1    37 \n\n  2    58 \n"
    )
    named = 'headings = ["CHAPTER V.— The Laws.", "CHAPTER VI. The Principles of the Rules, WITH Remarks, &c."]\n'
    found = units(tmp_path, scan, "lines", CONTENTS + named)
    assert [(u.kind == "section", " ".join(u.text.split())) for u in found] == [
        (True, "CONTENTS"),
        (True, "CHAPTER V.—The Laws."), (False, "Section 1.—Of the Deal 5"), (False, "2.—Of Honours 9"),
        (True, "CHAPTER VI. The Principles of the Rules, WITH Remarks, &c."), (False, "Section 1 37"), (False, "2 58"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("layout", "scan", "entries"),
    [
        ("lines", "CHAPTER  VI. \n\nOf  the  Deal  and  of \nthe  Misdeal    5 \n\nOf  Honours    9 \n",
         ["CHAPTER VI.", "Of the Deal and of the Misdeal 5", "Of Honours 9"]),
        ("lines", "Scoring  3 \n\nCards  Played  in  Error,  or  to  a \n\nTrick  17 \n\nThe  Revoke  18 \n",
         ["Scoring 3", "Cards Played in Error, or to a Trick 17", "The Revoke 18"]),
        ("markdown", "Score,\t66\nDemonstration of hands not given in\nthe foregoing maxims,\t68\n",
         ["Score, 66", "Demonstration of hands not given in the foregoing maxims, 68"]),
        ("markdown", "Score,\t45\nLead prior to seeing\nhow the cards lie.\t\nWhat suit to lead,\t47\n",
         ["Score, 45", "Lead prior to seeing how the cards lie.", "What suit to lead, 47"]),
        *(("lines", f"Of  Honours    14 \n\nOf  Exposed  Cards  {read} \n\nOf  the  Call    19 \n",
           ["Of Honours", "Of Exposed Cards", "Of the Call"]) for read in ("  ly", ".  rog", ".  .  .  .  rq")),
    ],
    ids=["under the number of a chapter", "over an empty line", "a word like a page", "an empty cell",
         "a misread page", "a misread page after a leader", "after leaders"],
)  # fmt: skip
def test_an_entry_ends_with_its_page(tmp_path: Path, layout: Layout, scan: str, entries: list[str]) -> None:
    found = [text for _, text in shown(units(tmp_path, f"CONTENTS \n\n{scan}", layout, CONTENTS))][1:]
    assert [text[: len(entry)] for text, entry in zip(found, entries, strict=True)] == entries


@pytest.mark.parametrize(
    ("scan", "found"),
    [
        ("BETS \n\nOn  the  laws,  Law  80  and \nCases  2. \n\nCutting \nLaws  13  to  15. \n\n"
         "Lowest  Card  when  it  can  be \ncalled \nLaws  76. \n",
         [("small/index-bets", "BETS", "BETS\n\nOn the laws, Law 80 and Cases 2."),
          ("small/index-cutting", "Cutting", "Cutting\n\nLaws 13 to 15."),
          ("small/index-lowest-card-when-it-can-be", "Lowest Card when it can be called",
           "Lowest Card when it can be called\n\nLaws 76.")]),
        ("Cards \nDetached,  Laws  56  to  70 ;  Cases  6,  7. \nPlayed  in  error,  Laws  67  to  70;  "
         "Cases  22, \n23.  \n\nScoring \nLaws  2  to  12.     Cases  124  to  127. \n",
         [("small/index-cards", "Cards",
           "Cards\n\nDetached, Laws 56 to 70; Cases 6, 7. Played in error, Laws 67 to 70; Cases 22, 23."),
          ("small/index-cards/detached", "Detached", "Detached, Laws 56 to 70; Cases 6, 7."),
          ("small/index-cards/played-in-error", "Played in error", "Played in error, Laws 67 to 70; Cases 22, 23."),
          ("small/index-scoring", "Scoring", "Scoring\n\nLaws 2 to 12. Cases 124 to 127.")]),
    ],
    ids=["begins anew", "the matters are entries of their own"],
)  # fmt: skip
def test_what_stands_under_a_topic(tmp_path: Path, scan: str, found: list[tuple[str, str, str]]) -> None:
    entries = units(tmp_path, f"INDEX \n\n{scan}", "lines", INDEX + "topics = true\n")[1:]
    assert [(u.id, u.label, u.text) for u in entries] == found
    assert [u.parent_id for u in entries] == [
        unit_id.rpartition("/")[0] if unit_id.count("/") > 1 else "small/section-index" for unit_id, *_ in found
    ]


@pytest.mark.parametrize(
    ("openings", "entries"),
    [
        ("", ["America, 10", "Educational aspects, 109", "EUiott, Eugene S., 162", "Zero, 200"]),
        ("", ["America, 10", "Work, M. C, 179, 183 I", "Youth, learning Whist, 112", "Zero, 200"]),
        ("", ["America, 10", "Reduction to principles, 90.", "Its great feature, 91", "Zero, 200"]),
        ("", ['A contrivance called the "Signal for Trumps," ng', "Description of it by Clay, 119", "Zero, 200"]),
        ("", ["America, 10", 'The "Signal for Trumps," in Austria, 12', "Literature, in America, 168"]),
        ('openings = ["Gammer Gurton\'s Needle,", "Gardiner, Miss,"]\n',
         ["Games at Cards, tj", "Gammer Gurt0n's Needle,", "Gardiner, Miss, 167", "Germ, 117"]),
    ],
)  # fmt: skip
def test_an_entry_begins_after_a_page_or_where_the_plan_says(tmp_path: Path, openings: str, entries: list[str]) -> None:
    scan = f"INDEX {' '.join(entries)}"
    found = units(tmp_path, scan, "single-line", INDEX + openings)
    assert [scan[u.raw_start : u.raw_end] for u in found][1:] == entries
