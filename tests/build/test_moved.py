"""Ids of earlier releases lead to the units that have their words now."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from extract.errors import BookError, DatabaseError
from kb.editorial.moved import FILE, dead_ends, find_moved, open_earlier, read_moved, written

Unit = tuple[str, str, int, int]


def build(units: Sequence[Unit], moved: Sequence[tuple[str, str]] = ()) -> sqlite3.Connection:
    conn = sqlite3.connect(":memory:")
    conn.execute("create table unit(id, book_id, kind, raw_start, raw_end, seq, continues)")
    conn.execute("create table moved(old_id, unit_id)")
    conn.executemany(
        "insert into unit values(?, 'small', ?, ?, ?, ?, ?)",
        [(key, kind, a, b, i, key.partition("/continued")[0] if "/continued" in key else None)
         for i, (key, kind, a, b) in enumerate(units)],
    )  # fmt: skip
    conn.executemany("insert into moved values(?, ?)", moved)
    return conn


OLD: list[Unit] = [("small/extract-1", "essay_section", 0, 50), ("small/extract-2", "essay_section", 52, 99),
                   ("small/law-1", "law", 100, 150)]  # fmt: skip
NEW: list[Unit] = [("small/ch1/p1", "essay_section", 0, 50), ("small/ch1", "section", 51, 52),
                   ("small/ch1/p2", "essay_section", 52, 98), ("small/law-1", "law", 100, 150)]  # fmt: skip


@pytest.mark.parametrize(
    ("new", "known", "moved"),
    [
        (NEW, {}, {"small/extract-1": "small/ch1/p1", "small/extract-2": "small/ch1/p2"}),
        (NEW, {"small/paragraph-1": "small/extract-1"}, {"small/paragraph-1": "small/ch1/p1"}),
        ([("small/table-1", "table", 0, 99), OLD[2]], {},
         {"small/extract-1": "small/table-1", "small/extract-2": "small/table-1"}),
        ([("small/note-1", "footnote", 0, 50), ("small/note-1/continued", "footnote", 52, 99), OLD[2]], {},
         {"small/extract-1": "small/note-1", "small/extract-2": "small/note-1"}),
    ],
    ids=["the same words", "moved twice", "part of a larger unit", "a further stretch of a footnote"],
)  # fmt: skip
def test_an_earlier_id_leads_to_the_unit_that_has_its_words(
    new: list[Unit], known: dict[str, str], moved: dict[str, str]
) -> None:
    found = find_moved(build(OLD), build(new), "small", known)
    assert moved.items() <= found.items() and (known or moved == found)


def test_a_moved_id_that_leads_nowhere_is_told() -> None:
    conn = build(NEW, [("small/x-1", "small/law-1"), ("small/x-2", "small/law-9"), ("small/ch1", "small/law-1")])
    assert dead_ends(conn) == [("small/ch1", "small/law-1"), ("small/x-2", "small/law-9")]


def test_the_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    moved = {"small/extract-1": "small/ch1/p1"}
    (tmp_path / FILE).write_text(written(moved), encoding="utf-8")
    assert (read_moved(tmp_path), read_moved(tmp_path / "nobody")) == (moved, {})


@pytest.mark.parametrize("text", ['"a" = "b"\n', '[moved]\n"a" = 1\n', '[moved]\n"a" = "a"\n'])
def test_a_file_of_another_form_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(BookError, match=r"moved\.toml: .*(moved|there is no such key)"):
        read_moved(tmp_path)


def test_a_file_without_units_is_no_earlier_release(tmp_path: Path) -> None:
    (tmp_path / "old.db").write_bytes(b"no database")
    with pytest.raises(DatabaseError), open_earlier(tmp_path / "old.db"):
        pass
