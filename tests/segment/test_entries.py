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


def texts(found: tuple[Unit, ...]) -> list[str]:
    return [text for _, text in shown(found)][1:]


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
    assert [u.label for u in found if u.kind == "section"] == [
        "CONTENTS", "CHAPTER V.—The Laws.", "CHAPTER VI. The Principles of the Rules, WITH Remarks, &c.",
    ]  # fmt: skip
    assert texts(found)[1:3] == ["Section 1.—Of the Deal 5", "2.—Of Honours 9"]
    assert texts(found)[-2:] == ["Section 1 37", "2 58"]


def test_an_entry_under_the_number_of_a_chapter_is_not_its_title(tmp_path: Path) -> None:
    scan = "CONTENTS \n\nCHAPTER  VI. \n\nOf  the  Deal  and  of \nthe  Misdeal    5 \n\nOf  Honours    9 \n"
    found = units(tmp_path, scan, "lines", CONTENTS)
    assert texts(found) == ["CHAPTER VI.", "Of the Deal and of the Misdeal 5", "Of Honours 9"]


@pytest.mark.parametrize(
    "misread", ["Of  Exposed  Cards    ly", "Of  Exposed  Cards .  rog", "Of  Exposed  Cards  .  .  .  rq"]
)
def test_whatever_stands_in_the_column_of_pages_ends_an_entry(tmp_path: Path, misread: str) -> None:
    scan = f"CONTENTS \n\nOf  Honours    14 \n\n{misread} \n\nOf  the  Call    19 \n"
    found = units(tmp_path, scan, "lines", CONTENTS)
    assert [u.text[:8] for u in found][1:] == ["Of Honou", "Of Expos", "Of the C"]


def test_a_line_that_ends_with_a_word_like_a_page_goes_on(tmp_path: Path) -> None:
    scan = "CONTENTS\n\nScore,\t66\nDemonstration of hands not given in\nthe foregoing maxims,\t68\n"
    found = units(tmp_path, scan, "markdown", CONTENTS)
    assert len(found) == 3 and found[-1].label == "Demonstration of hands not given in the foregoing maxims"


def test_an_entry_whose_cell_of_the_pages_is_empty_ends_with_its_stop(tmp_path: Path) -> None:
    scan = "CONTENTS\n\nScore,\t45\nLead prior to seeing\nhow the cards lie.\t\nWhat suit to lead,\t47\n"
    found = units(tmp_path, scan, "markdown", CONTENTS)
    assert texts(found) == ["Score, 45", "Lead prior to seeing how the cards lie.", "What suit to lead, 47"]


def test_an_entry_runs_on_over_an_empty_line(tmp_path: Path) -> None:
    scan = "CONTENTS \n\nScoring  3 \n\nCards  Played  in  Error,  or  to  a \n\nTrick  17 \n\nThe  Revoke  18 \n"
    found = units(tmp_path, scan, "lines", CONTENTS)
    assert [u.text for u in found][2] == "Cards Played in Error, or to a Trick 17"


def test_what_stands_under_a_topic_begins_anew(tmp_path: Path) -> None:
    scan = (
        "INDEX \n\nBETS \n\nOn  the  laws,  Law  80  and \nCases  2. \n\nCutting \nLaws  13  to  15. \n\n"
        "Lowest  Card  when  it  can  be \ncalled \nLaws  76. \n"
    )
    found = units(tmp_path, scan, "lines", INDEX + "topics = true\n")
    assert [(u.label, u.text) for u in found][1:] == [
        ("BETS", "BETS\n\nOn the laws, Law 80 and Cases 2."), ("Cutting", "Cutting\n\nLaws 13 to 15."),
        ("Lowest Card when it can be called", "Lowest Card when it can be called\n\nLaws 76."),
    ]  # fmt: skip


def test_an_entry_that_is_run_together_with_the_one_before_begins_where_the_plan_says(tmp_path: Path) -> None:
    scan = "INDEX America, 10 Games at Cards, tj Gammer Gurt0n's Needle, Gardiner, Miss, 167 Germ, 117"
    plan = INDEX + 'openings = ["Gammer Gurton\'s Needle,", "Gardiner, Miss,"]\n'
    found = units(tmp_path, scan, "single-line", plan)
    assert [scan[u.raw_start : u.raw_end] for u in found][2:] == [
        "Games at Cards, tj", "Gammer Gurt0n's Needle,", "Gardiner, Miss, 167", "Germ, 117",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "letters",
    [
        ("Educational aspects, 109", "EUiott, Eugene S., 162"),
        ("Work, M. C, 179, 183 I", "Youth, learning Whist, 112"),
        ("Reduction to principles, 90.", "Its great feature, 91"),
        ('A contrivance called the "Signal for Trumps," ng', "Description of it by Clay, 119"),
    ],
)
def test_an_entry_begins_after_a_page_though_letters_are_misread(tmp_path: Path, letters: tuple[str, str]) -> None:
    scan = f"INDEX America, 10 {' '.join(letters)} Zero, 200"
    found = units(tmp_path, scan, "single-line", INDEX)
    assert [scan[u.raw_start : u.raw_end] for u in found][1:] == ["America, 10", *letters, "Zero, 200"]


def test_a_small_word_after_a_comma_is_no_page(tmp_path: Path) -> None:
    scan = 'INDEX America, 10 The "Signal for Trumps," in Austria, 12 Literature, in America, 168'
    found = units(tmp_path, scan, "single-line", INDEX)
    assert len(found) == 4


def test_the_matters_under_a_topic_are_entries_of_their_own(tmp_path: Path) -> None:
    scan = (
        "INDEX \n\nCards \nDetached,  Laws  56  to  70 ;  Cases  6,  7. \nPlayed  in  error,  Laws  67  to  70;  "
        "Cases  22, \n23.  \n\nScoring \nLaws  2  to  12.     Cases  124  to  127. \n"
    )
    found = units(tmp_path, scan, "lines", INDEX + "topics = true\n")
    assert [(u.id, u.label, u.parent_id) for u in found][2:] == [
        ("small/index-cards/detached", "Detached", "small/index-cards"),
        ("small/index-cards/played-in-error", "Played in error", "small/index-cards"),
        ("small/index-scoring", "Scoring", "small/section-index"),
    ]
    assert found[3].text == "Played in error, Laws 67 to 70; Cases 22, 23."
