"""Numbered paragraphs begin anew in the reading text, though the scan runs them together."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import make_book

from extract.edition import make_edition
from extract.text.source import Layout

PLAN = """[[part]]
id = "laws"
begins = "WHIST LAWS"
grammar = "series"
[[part.series]]
label = "{n}."
kind = "law"
slug = "law"
name = "Law"
subdivisions = ["{I}."]
"""
LINES = [
    "WHIST LAWS", "", "1. The game is five points.", "", "2. There must be a new deal,", "",
    "I. If the pack be faced;", "II. If a card be lost, or", "", "III. If a card be torn;", "the deal stands good.",
    "", "3. The deal goes to the left.",
]  # fmt: skip


RUN_ON = " ".join(filter(None, LINES))
SPECK = RUN_ON.replace("faced;", "faced. , ,")
READING = f'[[reading]]\nat = {SPECK.index(" , , ") + 1}\nscan = ", ,"\nread = ""\nreason = "misread"\n'
TORN = ["I. If the pack be faced;", "II. If a card be lost, or", "III. If a card be torn; the deal stands good."]


@pytest.mark.parametrize(
    ("layout", "scan", "errata", "paragraphs"),
    [
        ("lines", "\n".join(f"{line} " for line in LINES), None, [*TORN[:2], "III. If a card be torn;"]),
        ("single-line", RUN_ON, None, TORN),
        ("single-line", SPECK, READING, ["I. If the pack be faced.", *TORN[1:]]),
        ("lines", "WHIST LAWS \n\n2. If the cards be found in the tricks, \n\nIt causes a revoke. \n\n3. The end. \n",
         None, ["It causes a revoke."]),
    ],
    ids=["lines", "a single line", "where a speck stood", "a capital on a new line after a comma"],
)  # fmt: skip
def test_each_paragraph_begins_anew(
    tmp_path: Path, layout: Layout, scan: str, errata: str | None, paragraphs: list[str]
) -> None:
    units = make_edition(make_book(tmp_path / "small", scan, layout, PLAN, errata)).units
    (law,) = (u for u in units if u.id == "small/law-2")
    assert law.text.split("\n\n")[1:][: len(paragraphs)] == paragraphs
