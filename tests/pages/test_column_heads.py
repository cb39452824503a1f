"""The head of a column of pages in a list of contents is furniture, wherever it stands; the word in a text is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from samples import make_book, shown

from extract.edition import make_edition
from extract.pages.margins import column_heads
from extract.text.lines import split_lines
from extract.text.source import Layout

CONTENTS = '[[part]]\nid = "contents"\nbegins = "CONTENTS"\ngrammar = "entries"\nkind = "front_matter"\n'


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


@pytest.mark.parametrize(
    "marked",
    [
        "CONTENTS \n\nThe  Laws:  «page» \n\nThe  Rubber 3 \n\nScoring 5 \n",
        "\t«Page»\nPreface,\t11\nDefinitions,\t19\nMaxims, viz.\t«Page»\n(Contractions,)\t\nWhat Suit to lead\t\n"
        "when in doubt\t47\n",
        "Maxims, viz.\tPage\n(Contractions,)\t\nWhat Suit to lead\t\nwhen in doubt\t47\n",
        "Ace, queen, &c. See next page \nThe king is led from 4. \nThe queen is not.\n",
        "This is on another page\n",
        "He turned to page\n23, where it is said\nthat the trick is lost.\n",
    ],
    ids=["beside a heading", "in a cell", "in no list of contents", "in a cell of text", "alone", "before a figure"],
)
def test_the_head_of_a_column_is_told_from_the_word_in_a_text(marked: str) -> None:
    scan = found = re.sub("[«»]", "", marked)
    for edit in reversed(column_heads(scan, split_lines(scan))):
        found = f"{found[: edit.raw_start]}«{edit.before}»{found[edit.raw_end :]}"
    assert found == marked
