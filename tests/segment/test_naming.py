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


@pytest.mark.parametrize("deal", [MATTER[1:3], [MATTER[1], "The deal goes round.", MATTER[2]]])
def test_a_paragraph_of_prose_is_named_by_its_heading_and_its_place(tmp_path: Path, deal: list[str]) -> None:
    """A paragraph more under one heading moves none under the next."""
    found = [(u.id, u.label) for u in units(tmp_path, [MATTER[0], *deal, *MATTER[3:]], ESSAY) if "section" in u.kind]
    assert [row for row in found if "paragraph" in row[1]] == [
        *((f"small/section-of-the-deal/p{n}", f"Of the deal, paragraph {n}") for n in range(1, len(deal) + 1)),
        ("small/section-of-the-revoke/p1", "Of the revoke, paragraph 1"),
    ]


def test_headings_that_repeat_and_are_numbered_have_ids_of_their_own(tmp_path: Path) -> None:
    matter = ["RULES.", "Each player deals.", "RULES.", "He shuffles last.", "RULES 2.", "It costs three tricks."]
    found = [u.id for u in units(tmp_path, matter, ESSAY)]
    assert found[::2] == ["small/section-rules", "small/section-rules-2", "small/section-rules-2-2"]
    assert len(set(found)) == len(found) == 6


def test_a_part_that_goes_on_counts_on_under_the_heading_before_it(tmp_path: Path) -> None:
    plan = ESSAY + ESSAY.replace('"essay"', '"more"').replace('begins = ""', 'begins = "He shuffles"')
    found = [u for u in units(tmp_path, MATTER, plan + "goes_on = true\n") if u.text in MATTER[1:3]]
    assert [(u.id, u.parent_id) for u in found] == [
        (f"small/section-of-the-deal/p{n}", "small/section-of-the-deal") for n in (1, 2)
    ]


@pytest.mark.parametrize(
    ("said", "label"),
    [
        (headline("SECTION II. OF THE DEAL."), "Section II. Of the deal"),
        (headline("(AMERICAN)"), "(American)"),
        (headline("Of Play"), "Of Play"),
        (in_words("table-i"), "Table I"),
        (in_words("chapter-xxiv"), "Chapter XXIV"),
        (in_words("front-matter"), "Front matter"),
        (in_words("the-ill"), "The ill"),
        (in_words("of-the-deal-i"), "Of the deal I"),
        (in_words("vi"), "Vi"),
    ],
)
def test_a_heading_or_an_id_makes_a_label_in_small_letters(said: str, label: str) -> None:
    """The number of a part keeps its capitals."""
    assert said == label


def test_what_stands_around_the_laws_of_a_code_or_is_named_by_the_plan_belongs_to_it(tmp_path: Path) -> None:
    plan = CLUB + '[[part]]\nid = "dummy"\nbegins = "DUMMY"\ngrammar = "paragraphs"\ncode = "club-1850"\n'
    matter = ["WHIST LAWS", "These are the laws of the club:", "1. The first law.", "2. The second law.", "DUMMY",
              "Is played by three players."]  # fmt: skip
    found = units(tmp_path, matter, plan)
    assert {u.code_id for u in found} == {"club-1850"}
    assert [u.text for u in found] == matter


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


def test_what_goes_on_overleaf_is_one_unit(tmp_path: Path) -> None:
    """A footnote, and a paragraph with the side word of a brace."""
    note, rest = (u for u in continued(tmp_path, "(a)") if u.kind == "footnote")
    assert note.text == "(a) The laws of Paris say otherwise."
    assert (rest.id, rest.continues, rest.parent_id) == (f"{note.id}/continued", note.id, note.id)
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
