"""Ids of units: by what is printed, or by the heading and the place under it; and what the editor names by them."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import CLUB, make_book, render

from extract.edition import make_edition
from extract.errors import BookError
from extract.model import Unit
from extract.segment.segment import headline, in_words

ESSAY = '[[part]]\nid = "essay"\nbegins = ""\ngrammar = "paragraphs"\n'
MATTER = ["OF THE DEAL.", "Each player deals.", "He shuffles last.", "OF THE REVOKE.", "It costs three tricks."]


def units(folder: Path, matter: list[str], plan: str, errata: str | None = None) -> list[Unit]:
    return list(make_edition(make_book(folder / "small", render(matter, "lines"), "lines", plan, errata)).units)


def test_a_paragraph_of_prose_is_named_by_its_heading_and_its_place(tmp_path: Path) -> None:
    found = [(u.id, u.label) for u in units(tmp_path, MATTER, ESSAY) if u.kind == "essay_section"]
    assert found == [
        ("small/section-of-the-deal/p1", "Of the deal, paragraph 1"),
        ("small/section-of-the-deal/p2", "Of the deal, paragraph 2"),
        ("small/section-of-the-revoke/p1", "Of the revoke, paragraph 1"),
    ]


def test_a_paragraph_more_under_one_heading_moves_none_under_the_next(tmp_path: Path) -> None:
    more = [*MATTER[:2], "The deal goes round.", *MATTER[2:]]
    last = (units(folder, matter, ESSAY)[-1] for folder, matter in ((tmp_path / "a", MATTER), (tmp_path / "b", more)))
    assert len({u.id for u in last}) == 1


def test_headings_that_repeat_and_are_numbered_have_ids_of_their_own(tmp_path: Path) -> None:
    matter = ["RULES.", "Each player deals.", "RULES.", "He shuffles last.", "RULES 2.", "It costs three tricks."]
    found = [u.id for u in units(tmp_path, matter, ESSAY)]
    assert found[::2] == ["small/section-rules", "small/section-rules-2", "small/section-rules-2-2"]
    assert len(set(found)) == len(found) == 6


def test_a_part_that_goes_on_counts_on_under_the_heading_before_it(tmp_path: Path) -> None:
    plan = ESSAY + ESSAY.replace('"essay"', '"more"').replace('begins = ""', 'begins = "He shuffles"')
    (first, second) = [u for u in units(tmp_path, MATTER, plan + "goes_on = true\n") if u.text in MATTER[1:3]]
    assert (first.id, second.id) == ("small/section-of-the-deal/p1", "small/section-of-the-deal/p2")
    assert first.parent_id == second.parent_id == "small/section-of-the-deal"


@pytest.mark.parametrize(
    ("heading", "label"),
    [("SECTION II. OF THE DEAL.", "Section II. Of the deal"), ("(AMERICAN)", "(American)"), ("Of Play", "Of Play")],
)
def test_a_heading_in_capitals_makes_a_label_in_small_letters(heading: str, label: str) -> None:
    assert headline(heading) == label


def test_what_stands_around_the_laws_of_a_code_belongs_to_it(tmp_path: Path) -> None:
    matter = ["WHIST LAWS", "These are the laws of the club:", "1. The first law.", "2. The second law."]
    found = {u.text: u.code_id for u in units(tmp_path, matter, CLUB)}
    assert set(found.values()) == {"club-1850"}


def test_a_part_without_numbers_is_of_the_code_that_the_plan_names(tmp_path: Path) -> None:
    plan = CLUB + '[[part]]\nid = "dummy"\nbegins = "DUMMY"\ngrammar = "paragraphs"\ncode = "club-1850"\n'
    matter = ["WHIST LAWS", "1. The first law.", "2. The second law.", "DUMMY", "Is played by three players."]
    assert units(tmp_path, matter, plan)[-1].code_id == "club-1850"


NOTED = ["OF THE DEAL.", "Each player (a) deals.", "(a) The laws of", "The deal goes round.", "Paris say otherwise."]
REST = """[[passage]]
start = {}
end = {}
first = "Paris"
kind = "continuation"
of = "small/section-of-the-deal/p1"
label = "{}"
reason = "overleaf"
"""


def continued(folder: Path, label: str) -> list[Unit]:
    start = render(NOTED, "lines").index("Paris")
    return units(folder, NOTED, ESSAY, REST.format(start, start + len(NOTED[-1]), label))


def test_a_footnote_that_goes_on_overleaf_is_one_unit(tmp_path: Path) -> None:
    note, rest = (u for u in continued(tmp_path, "(a)") if u.kind == "footnote")
    assert note.text == "(a) The laws of Paris say otherwise."
    assert (rest.id, rest.continues, rest.parent_id) == (f"{note.id}/continued", note.id, note.id)


def test_the_side_word_of_a_brace_goes_on_with_its_paragraph(tmp_path: Path) -> None:
    found = continued(tmp_path, "")
    assert [u.kind for u in found if u.continues] == ["essay_section"]
    assert found[1].text.endswith("deals.\n\nParis say otherwise.")
    assert not any(u.id.endswith("/p3") for u in found)


def test_a_passage_that_continues_no_footnote_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BookError, match="has no footnote"):
        continued(tmp_path, "(b)")


@pytest.mark.parametrize(("key", "kind"), [("", "footnote"), ('footnotes = "note"', "note")])
def test_a_part_says_of_what_kind_its_footnotes_are(tmp_path: Path, key: str, kind: str) -> None:
    matter = ["WHIST LAWS", "1. The first law (a) of the game.", "(a) A note on it.", "2. The second law."]
    plan = CLUB.replace('grammar = "series"', f'grammar = "series"\n{key}')
    (note,) = (u for u in units(tmp_path, matter, plan) if "A note" in u.text and "law" not in u.text)
    assert (note.kind, note.parent_id) == (kind, "club-1850/law-1")


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("table-i", "Table I"), ("chapter-xxiv", "Chapter XXIV"), ("front-matter", "Front matter"),
        ("the-ill", "The ill"), ("of-the-deal-i", "Of the deal I"), ("vi", "Vi"),
    ],
)  # fmt: skip
def test_the_number_of_a_part_keeps_its_capitals(name: str, label: str) -> None:
    assert in_words(name) == label
