"""Unnumbered matter: paragraphs under headings, definitions, tables, and what is left between them."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import LAWS_PLAN, make_book, render, shown

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


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_paragraph_is_a_unit_under_its_heading(tmp_path: Path, layout: Layout) -> None:
    """A single line has its headings and one paragraph a page."""
    plan = part("title", "", "whole", 'kind = "front_matter"') + PROSE
    found = units(tmp_path, ["WHIST LAWS", "New York, 1896.", *PREFACE, *MAXIMS], layout, plan)
    preface, maxims = ([" ".join(x[1:])] if layout == "single-line" else x[1:] for x in (PREFACE, MAXIMS))
    assert [(i, text, u.heading) for (i, text), u in zip(shown(found), found, strict=True) if u.heading] == [
        *((f"small/section-preface/p{n}", text, "PREFACE.") for n, text in enumerate(preface, 1)),
        *((f"small/maxim-{n}", text, "MAXIMS.") for n, text in enumerate(maxims, 1)),
    ]
    assert [u.parent_id for u in found if u.kind == "maxim"] == ["small/section-maxims"] * len(maxims)
    assert [(u.id, " ".join(u.text.split())) for u in found if not u.heading] == [
        ("small/title", "WHIST LAWS New York, 1896."),
        ("small/section-preface", "PREFACE."),
        ("small/section-maxims", "MAXIMS."),
    ]


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


def test_the_plan_names_headings_of_a_single_line(tmp_path: Path) -> None:
    plan = part("matches", "APPENDIX D.", "paragraphs", 'kind = "essay_section"\nheadings = ["NO. 1. A Match."]')
    scan = "APPENDIX D. MATCHES OF WHIST. It is said so. N0. 1. A Match. The game was long. P. J. TORMEY, 22 Park, won."
    found = make_edition(make_book(tmp_path / "small", scan, "single-line", plan)).units
    assert [(u.kind, u.text) for u in found] == [
        ("section", "APPENDIX D. MATCHES OF WHIST."), ("essay_section", "It is said so."),
        ("section", "N0. 1. A Match."), ("essay_section", "The game was long. P. J. TORMEY, 22 Park, won."),
    ]  # fmt: skip


@pytest.mark.parametrize("layout", LINES)
def test_text_between_numbered_units_is_not_lost(tmp_path: Path, layout: Layout) -> None:
    matter = ["WHIST LAWS", "These laws were made by the club.", "1. The first law.", "2. The second law.",
              "OF THE DEAL", "A remark of the committee.", "3. The third law.", "4. The fourth."]  # fmt: skip
    found = units(tmp_path, matter, layout, LAWS_PLAN)
    assert [(u.text, u.heading) for u in found if u.kind == "essay_section"] == [
        ("These laws were made by the club.", "WHIST LAWS"),
        ("A remark of the committee.", "OF THE DEAL"),
    ]
    assert [u.number for u in found if u.kind == "law"] == ["1", "2", "3", "4"]


ROWS = ["1 love\t11 to 10", "2 love\t5 to 3", "3 love\t3 to 1"]
PLAN = '[[part]]\nid = "odds"\nbegins = "TABLE OF ODDS."\ngrammar = "table"\nheads = ["Score"]\n'


def tables(folder: Path, scan: str, layout: Layout, errata: str | None = None) -> tuple[Unit, ...]:
    return make_edition(make_book(folder / "small", scan, layout, PLAN, errata)).units


@pytest.mark.parametrize("layout", ["lines", "markdown"])
def test_a_table_holds_its_rows_and_they_have_cells(tmp_path: Path, layout: Layout) -> None:
    scan = "TABLE OF ODDS.\n\nScore.\tOdds.\n\n" + "\n\n".join(ROWS) + "\n"
    caption, table, *rows = tables(tmp_path, scan, layout)
    assert (caption.kind, caption.text) == ("section", "TABLE OF ODDS.")
    assert (table.id, table.parent_id, table.cells) == ("small/odds-table-1", caption.id, ("Score.", "Odds."))
    assert scan[table.raw_start : table.raw_end] == scan[scan.index("Score.") :].rstrip()
    assert [(u.id, u.kind, u.parent_id, u.cells) for u in rows] == [
        (f"{table.id}/{i}", "table_row", table.id, tuple(row.split("\t"))) for i, row in enumerate(ROWS, 1)
    ]


def test_a_caption_begins_a_table_and_heads_repeated_do_not(tmp_path: Path) -> None:
    head = "Score.\tOdds."
    scan = "\n\n".join(["TABLE OF ODDS.", head, *ROWS[:2], head, ROWS[2], "ODDS OF THE RUBBER.", *ROWS[:1]]) + "\n"
    found = tables(tmp_path, scan, "markdown")
    assert [u.text if u.kind == "section" else u.id for u in found] == [
        "TABLE OF ODDS.", "small/odds-table-1", *(f"small/odds-table-1/{n}" for n in (1, 2, 3)),
        "ODDS OF THE RUBBER.", "small/odds-table-2", "small/odds-table-2/1",
    ]  # fmt: skip


LOST = "TABLE OF ODDS. Score Odds 1 love 11 to 10 2 love ;S-"
BREAKS = {14: "\\n", 20: "\\t", 25: "\\n", 32: "\\t", 41: "\\n", 48: "\\t"}
READINGS = "".join(
    f'[[reading]]\nat = {at}\nscan = " "\nread = "{new}"\nkind = "space"\nreason = "lost"\n'
    for at, new in BREAKS.items()
)
GARBLED = '[[reading]]\nat = 49\nscan = ";S-"\nkind = "illegible"\nreason = "garbled"\n'


def test_the_editor_tells_rows_and_cells_that_the_scan_has_lost(tmp_path: Path) -> None:
    """A table whose rows are lost is one block."""
    (table,) = (u for u in tables(tmp_path, LOST, "single-line") if u.kind != "section")
    assert (table.kind, table.text) == ("table", "Score Odds 1 love 11 to 10 2 love;S-")
    found = tables(tmp_path, LOST, "single-line", READINGS + GARBLED)
    assert [(u.kind, u.cells) for u in found if u.cells] == [
        ("table", ("Score", "Odds")), ("table_row", ("1 love", "11 to 10")), ("table_row", ("2 love", "[illegible]")),
    ]  # fmt: skip
    assert shown(found, "section") == [("small/section-table-of-odds", "TABLE OF ODDS.")]
