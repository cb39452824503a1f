"""The head of a column of pages in a list of contents is furniture, wherever it stands; the word in a text is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import make_book, shown

from extract.edition import make_edition
from extract.pages.margins import column_heads
from extract.text.lines import split_lines
from extract.text.source import Layout

CONTENTS = '[[part]]\nid = "contents"\nbegins = "CONTENTS"\ngrammar = "entries"\nkind = "front_matter"\n'


def heads(scan: str) -> list[tuple[int, str]]:
    return [(e.raw_start, e.before) for e in column_heads(scan, split_lines(scan))]


@pytest.mark.parametrize(
    ("layout", "scan"),
    [
        ("lines", "CONTENTS \n\n\nPage \n\nPreface    vii \n\nThe  Rubber 3 \n\nScoring 5 \n"),
        ("lines", "CONTENTS \n\nPAGE \n\nPreface. . .   vii \n\nThe  Rubber 3 \n\nScoring 5 \n"),
        ("markdown", "CONTENTS\n\n\tPage\nPreface,\tvii\nThe Rubber,\t3\nScoring,\t5\n"),
    ],
)
def test_the_head_of_a_column_is_no_part_of_an_entry(tmp_path: Path, layout: Layout, scan: str) -> None:
    edition = make_edition(make_book(tmp_path / "small", scan, layout, CONTENTS))
    assert [e.before.casefold() for e in edition.edits if e.note == "head of a column"] == ["page"]
    assert [name for name, _ in shown(edition.units, "front_matter")] == [
        "small/contents-preface", "small/contents-the-rubber", "small/contents-scoring",
    ]  # fmt: skip


def test_the_head_of_a_column_may_stand_beside_a_heading() -> None:
    scan = "CONTENTS \n\nThe  Laws:  page \n\nThe  Rubber 3 \n\nScoring 5 \n"
    assert heads(scan) == [(scan.index("page"), "page")]


def test_a_cell_with_nothing_else_is_the_head_of_a_column_where_the_scan_has_one() -> None:
    table = "Maxims, viz.\tPage\n(Contractions,)\t\nWhat Suit to lead\t\nwhen in doubt\t47\n"
    scan = f"\tPage\nPreface,\t11\nDefinitions,\t19\n{table}"
    assert heads(scan) == [(1, "Page"), (scan.rindex("Page"), "Page")]
    assert heads(table) == []


@pytest.mark.parametrize(
    "scan",
    ["Ace, queen, &c. See next page \nThe king is led from 4. \nThe queen is not.\n", "This is on another page\n",
     "He turned to page\n23, where it is said\nthat the trick is lost.\n"],
)  # fmt: skip
def test_the_word_in_a_text_stays(scan: str) -> None:
    assert heads(scan) == []
