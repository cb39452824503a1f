"""Unnumbered matter: paragraphs under headings, definitions, entries, tables, and what is left between them."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import make_book, render, shown

from extract.edition import make_edition
from extract.model import Unit
from extract.text.source import Layout

LAYOUTS: tuple[Layout, ...] = ("lines", "markdown", "single-line")
LINES: tuple[Layout, ...] = ("lines", "markdown")


def part(name: str, begins: str, grammar: str, more: str = "") -> str:
    return f'[[part]]\nid = "{name}"\nbegins = "{begins}"\ngrammar = "{grammar}"\n{more}\n'


def units(folder: Path, matter: list[str], layout: Layout, plan: str) -> tuple[Unit, ...]:
    (folder / "library.toml").write_text(KINDS, encoding="utf-8")
    return make_edition(make_book(folder / "small", render(matter, layout), layout, plan)).units


KINDS = '[[kind]]\nid = "maxim"\nrole = "maxim"\nsingular = "maxim"\n'
PREFACE = ["PREFACE.", "This little book was made for the club. It has few pages.", "The author thanks his friends."]
MAXIMS = ["MAXIMS.", "Lead from your strong suit. Return the lead of your partner.", "Second hand plays low."]
PROSE = part("preface", "PREFACE.", "paragraphs", 'kind = "front_matter"') + part(
    "maxims", "MAXIMS.", "paragraphs", 'kind = "maxim"\nslug = "maxim"'
)


@pytest.mark.parametrize("layout", LINES)
def test_each_paragraph_is_a_unit_under_its_heading(tmp_path: Path, layout: Layout) -> None:
    found = units(tmp_path, [*PREFACE, *MAXIMS], layout, PROSE)
    assert shown(found) == [
        ("small/section-preface", "PREFACE."),
        ("small/section-preface/p1", PREFACE[1]), ("small/section-preface/p2", PREFACE[2]),
        ("small/section-maxims", "MAXIMS."), ("small/maxim-1", MAXIMS[1]), ("small/maxim-2", MAXIMS[2]),
    ]  # fmt: skip
    assert [u.parent_id for u in found if u.kind == "maxim"] == ["small/section-maxims"] * 2
    assert [u.heading for u in found if u.kind == "front_matter"] == ["PREFACE."] * 2


def test_a_single_line_has_its_headings_and_one_paragraph_a_page(tmp_path: Path) -> None:
    found = units(tmp_path, [*PREFACE, *MAXIMS], "single-line", PROSE)
    assert shown(found) == [
        ("small/section-preface", "PREFACE."), ("small/section-preface/p1", " ".join(PREFACE[1:])),
        ("small/section-maxims", "MAXIMS."), ("small/maxim-1", " ".join(MAXIMS[1:])),
    ]  # fmt: skip


DEFINITIONS = {
    "deal": "Deal—The distribution of the cards to the players.",
    "slam": "Slam,—Winning every trick.",
    "long-trump": "Long trump.—The last trump in play.",
    "terce-major": "Terce-major, The ace, king and queen of a suit.",
    "revoke": "Revoke—To fail in following suit, when the player can follow it.",
}


@pytest.mark.parametrize("layout", LINES)
def test_a_definition_is_named_by_its_headword(tmp_path: Path, layout: Layout) -> None:
    plan = part("definitions", "DEFINITIONS.", "definitions")
    found = units(tmp_path, ["DEFINITIONS.", *DEFINITIONS.values()], layout, plan)
    assert shown(found, "definition") == [(f"small/def-{name}", text) for name, text in DEFINITIONS.items()]
    assert {u.parent_id for u in found if u.kind == "definition"} == {"small/section-definitions"}


ENTRIES = {
    "america": "America, 10, 117",
    "blue-peter": "Blue Peter, 121, 189",
    "clubs-london": "Clubs, London, 49",
    "de-la-rue": "De la Rue, 95, 220",
    "whist-journal": "Whist Journal, 12",
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_entry_of_an_index_is_a_unit(tmp_path: Path, layout: Layout) -> None:
    plan = part("index", "INDEX", "entries", 'kind = "index_entry"\nslug = "index"\nheadings = ["INDEX"]')
    found = units(tmp_path, ["INDEX", *ENTRIES.values()], layout, plan)
    assert shown(found, "index_entry") == [(f"small/index-{name}", text) for name, text in ENTRIES.items()]
    assert shown(found, "section") == [("small/section-index", "INDEX")]


def test_the_plan_names_headings_of_a_single_line(tmp_path: Path) -> None:
    plan = part("matches", "APPENDIX D.", "paragraphs", 'kind = "essay_section"\nheadings = ["NO. 1. A Match."]')
    scan = "APPENDIX D. MATCHES OF WHIST. It is said so. N0. 1. A Match. The game was long. P. J. TORMEY, 22 Park, won."
    found = make_edition(make_book(tmp_path / "small", scan, "single-line", plan)).units
    assert [(u.kind, u.text) for u in found] == [
        ("section", "APPENDIX D. MATCHES OF WHIST."), ("essay_section", "It is said so."),
        ("section", "N0. 1. A Match."), ("essay_section", "The game was long. P. J. TORMEY, 22 Park, won."),
    ]  # fmt: skip


def test_an_entry_may_go_on_in_the_next_line(tmp_path: Path) -> None:
    plan = part("index", "INDEX", "entries", 'kind = "index_entry"\nslug = "index"\nheadings = ["INDEX"]')
    scan = "INDEX \n\nCavendish, 8, 10, 13, 44 \nCharles X., at whist with the \nambassador, 48 \nChess, 59 \n"
    found = make_edition(make_book(tmp_path / "small", scan, "lines", plan)).units
    assert shown(found, "index_entry")[1] == ("small/index-charles-x-at-whist-with-the",
                                              "Charles X., at whist with the ambassador, 48")  # fmt: skip
    assert len(shown(found, "index_entry")) == 3


def test_a_topic_has_all_that_stands_under_it(tmp_path: Path) -> None:
    plan = part("index", "INDEX", "entries", 'kind = "index_entry"\nslug = "index"\ntopics = true')
    scan = "INDEX \n\nBystanders \nLaws 87 and 88. See Cases 12 and 14. \n\nRevoke \nLaws 71 to 82. See Case 3. \n"
    found = make_edition(make_book(tmp_path / "small", scan, "lines", plan)).units
    assert shown(found, "index_entry") == [
        ("small/index-bystanders", "Bystanders Laws 87 and 88. See Cases 12 and 14."),
        ("small/index-revoke", "Revoke Laws 71 to 82. See Case 3."),
    ]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_whole_part_is_one_unit(tmp_path: Path, layout: Layout) -> None:
    plan = part("title", "", "whole", 'kind = "front_matter"') + PROSE
    found = units(tmp_path, ["WHIST LAWS", "New York, 1896.", *PREFACE, *MAXIMS], layout, plan)
    assert (found[0].id, " ".join(found[0].text.split())) == ("small/title", "WHIST LAWS New York, 1896.")


@pytest.mark.parametrize("layout", LINES)
def test_text_between_numbered_units_is_not_lost(tmp_path: Path, layout: Layout) -> None:
    plan = part("laws", "LAWS", "series", '[[part.series]]\nlabel = "{n}."\nkind = "law"\nslug = "law"\nname = "Law"')
    matter = ["LAWS", "These laws were made by the club.", "1. The first law.", "2. The second law.", "OF THE DEAL",
              "A remark of the committee.", "3. The third law.", "4. The fourth."]  # fmt: skip
    found = units(tmp_path, matter, layout, plan)
    rest = [u for u in found if u.kind == "essay_section"]
    assert [u.text for u in rest] == ["These laws were made by the club.", "A remark of the committee."]
    assert [u.heading for u in rest] == ["LAWS", "OF THE DEAL"]
    assert [u.number for u in found if u.kind == "law"] == ["1", "2", "3", "4"]
