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


@pytest.mark.parametrize("layout", ["lines", "single-line"])
def test_each_numbered_paragraph_begins_anew(tmp_path: Path, layout: Layout) -> None:
    scan = "\n".join(f"{line} " for line in LINES) if layout == "lines" else " ".join(filter(None, LINES))
    units = make_edition(make_book(tmp_path / "small", scan, layout, PLAN)).units
    law = next(u for u in units if u.id == "small/law-2")
    begins = [line for line in law.text.split("\n\n") if line[:1] == "I"]
    assert [line.split(".")[0] for line in begins] == ["I", "II", "III"]


def test_after_a_comma_a_capital_on_a_new_line_begins_a_paragraph(tmp_path: Path) -> None:
    scan = "WHIST LAWS \n\n1. If the cards be found in the tricks, \n\nIt causes a revoke. \n\n2. The end. \n"
    law = next(u for u in make_edition(make_book(tmp_path / "small", scan, "lines", PLAN)).units if u.kind == "law")
    assert law.text.split("\n\n") == ["1. If the cards be found in the tricks,", "It causes a revoke."]


def test_no_blank_stays_before_a_paragraph_where_a_speck_stood(tmp_path: Path) -> None:
    scan = " ".join(filter(None, LINES)).replace("faced;", "faced. , ,")
    at = scan.index(" , , ") + 1
    errata = f'[[reading]]\nat = {at}\nscan = ", ,"\nread = ""\nreason = "misread"\n'
    units = make_edition(make_book(tmp_path / "small", scan, "single-line", PLAN, errata)).units
    law = next(u for u in units if u.id == "small/law-2")
    assert "faced.\n\nII." in law.text
