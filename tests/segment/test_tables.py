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
    caption, table, *rows = units(tmp_path, scan, layout)
    assert (caption.kind, caption.text) == ("section", "TABLE OF ODDS.")
    assert (table.id, table.parent_id, table.cells) == ("small/odds-table-1", caption.id, ("Score.", "Odds."))
    assert scan[table.raw_start : table.raw_end] == scan[scan.index("Score.") :].rstrip()
    assert [(u.id, u.kind, u.parent_id, u.cells) for u in rows] == [
        (f"{table.id}/{i}", "table_row", table.id, tuple(row.split("\t"))) for i, row in enumerate(ROWS, 1)
    ]


def test_a_caption_begins_a_table_and_heads_repeated_do_not(tmp_path: Path) -> None:
    head = "Score.\tOdds."
    scan = "\n\n".join(["TABLE OF ODDS.", head, *ROWS[:2], head, ROWS[2], "ODDS OF THE RUBBER.", *ROWS[:1]]) + "\n"
    found = units(tmp_path, scan, "markdown")
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
    (table,) = (u for u in units(tmp_path, LOST, "single-line") if u.kind != "section")
    assert (table.kind, table.text) == ("table", "Score Odds 1 love 11 to 10 2 love;S-")
    found = units(tmp_path, LOST, "single-line", READINGS + GARBLED)
    assert [(u.kind, u.cells) for u in found if u.cells] == [
        ("table", ("Score", "Odds")), ("table_row", ("1 love", "11 to 10")), ("table_row", ("2 love", "[illegible]")),
    ]  # fmt: skip
    assert shown(found, "section") == [("small/section-table-of-odds", "TABLE OF ODDS.")]
