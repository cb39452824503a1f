"""Tables: captions, the block with the heads of its columns, rows and cells."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import make_book, shown

from extract.edition import make_edition
from extract.model import Unit
from extract.text.source import Layout

ROWS = ["1 love\t11 to 10", "2 love\t5 to 3", "3 love\t3 to 1"]
PLAN = '[[part]]\nid = "odds"\nbegins = "TABLE OF ODDS."\ngrammar = "table"\nheads = ["Score"]\n'


def units(folder: Path, scan: str, layout: Layout, errata: str | None = None) -> tuple[Unit, ...]:
    return make_edition(make_book(folder / "small", scan, layout, PLAN, errata)).units


@pytest.mark.parametrize("layout", ["lines", "markdown"])
def test_a_table_holds_its_rows_and_they_have_cells(tmp_path: Path, layout: Layout) -> None:
    scan = "TABLE OF ODDS.\n\nScore.\tOdds.\n\n" + "\n\n".join(ROWS) + "\n"
    found = units(tmp_path, scan, layout)
    caption, table, *rows = found
    assert (caption.kind, caption.text) == ("section", "TABLE OF ODDS.")
    assert (table.id, table.parent_id, table.cells) == ("small/odds-table-1", caption.id, ("Score.", "Odds."))
    assert scan[table.raw_start : table.raw_end] == scan[scan.index("Score.") :].rstrip()
    assert [(u.id, u.kind, u.cells) for u in rows] == [
        (f"small/odds-table-1/{i}", "table_row", tuple(row.split("\t"))) for i, row in enumerate(ROWS, 1)
    ]
    assert {u.parent_id for u in rows} == {table.id}


def test_a_caption_begins_a_table_and_heads_repeated_do_not(tmp_path: Path) -> None:
    head = "Score.\tOdds."
    scan = "\n\n".join(["TABLE OF ODDS.", head, *ROWS[:2], head, ROWS[2], "ODDS OF THE RUBBER.", *ROWS[:1]]) + "\n"
    found = units(tmp_path, scan, "markdown")
    assert [u.text for u in found if u.kind == "section"] == ["TABLE OF ODDS.", "ODDS OF THE RUBBER."]
    assert [u.id for u in found if u.kind == "table"] == ["small/odds-table-1", "small/odds-table-2"]
    assert [u.id for u in found if u.kind == "table_row"] == [
        "small/odds-table-1/1", "small/odds-table-1/2", "small/odds-table-1/3", "small/odds-table-2/1"
    ]  # fmt: skip


def test_the_editor_tells_rows_and_cells_that_the_scan_has_lost(tmp_path: Path) -> None:
    scan = "TABLE OF ODDS. Score Odds 1 love 11 to 10 2 love ;S-"
    readings = [
        (14, " ", "\\n"),
        (20, " ", "\\t"),
        (25, " ", "\\n"),
        (32, " ", "\\t"),
        (41, " ", "\\n"),
        (48, " ", "\\t"),
    ]
    errata = "".join(
        f'[[reading]]\nat = {at}\nscan = "{old}"\nread = "{new}"\nkind = "space"\nreason = "lost"\n'
        for at, old, new in readings
    )
    errata += '[[reading]]\nat = 49\nscan = ";S-"\nkind = "illegible"\nreason = "garbled"\n'
    found = units(tmp_path, scan, "single-line", errata)
    assert [u.cells for u in found if u.kind == "table"] == [("Score", "Odds")]
    assert [u.cells for u in found if u.kind == "table_row"] == [("1 love", "11 to 10"), ("2 love", "[illegible]")]
    assert shown(found, "section") == [("small/section-table-of-odds", "TABLE OF ODDS.")]


def test_a_table_whose_rows_are_lost_is_one_block(tmp_path: Path) -> None:
    found = units(tmp_path, "TABLE OF ODDS. Score Odds 1 love 11 to 10 2 love 5 to 3", "single-line")
    assert [(u.kind, u.text) for u in found[1:]] == [("table", "Score Odds 1 love 11 to 10 2 love 5 to 3")]
