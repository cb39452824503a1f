"""What is loaded once for each build."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from kb.dispute.index import index_of
from kb.read.kept import once_a_build


class Load:
    """Loads a number that tells how often it was asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, conn: sqlite3.Connection) -> int:
        self.times += 1
        return self.times


def tables(path: Path) -> None:
    with closing(sqlite3.connect(path)) as conn:
        conn.execute(f"create table t{len(str(path))} (x)")


def test_a_build_is_loaded_once_by_however_many_threads(tmp_path: Path) -> None:
    tables(path := tmp_path / "a.db")
    load = once_a_build(once := Load())

    def ask(_: int) -> int:
        with closing(sqlite3.connect(path)) as conn:
            return load(conn)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(ask, range(40))) == {1}
    assert once.times == 1


def test_a_new_build_at_the_same_address_is_loaded_anew_and_old_ones_are_let_go(tmp_path: Path) -> None:
    load = once_a_build(Load())
    path = tmp_path / "a.db"
    for n in range(4):
        tables(fresh := tmp_path / f"fresh{n}.db")
        fresh.replace(path)
        with closing(sqlite3.connect(path)) as conn:
            assert load(conn) == load(conn) == n + 1


def test_a_database_in_memory_is_loaded_each_time() -> None:
    load = once_a_build(Load())
    with closing(sqlite3.connect(":memory:")) as conn:
        assert [load(conn), load(conn)] == [1, 2]


def test_the_index_of_disputes_is_kept(conn: sqlite3.Connection) -> None:
    assert index_of(conn) is index_of(conn)


WITHOUT = """
import sys
sys.modules["spacy"] = None  # whoever imports it now fails
from datasette_plugins.console import main
main()
"""


@pytest.mark.parametrize("asked", [["show", "1864, law 71"], ["cite", "english-1864/law-71"], ["show", "--help"]])
def test_what_needs_no_analysis_is_answered_without_spacy(database: Path, asked: list[str]) -> None:
    run = [sys.executable, "-c", WITHOUT, *asked, *([] if "--help" in asked else ["--db", str(database)])]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_loaded_is_not_broken_off_by_a_visitors_limit(tmp_path: Path) -> None:
    tables(path := tmp_path / "a.db")

    def count(conn: sqlite3.Connection) -> int:
        return int(conn.execute("select count(*) from sqlite_master").fetchone()[0])

    with closing(sqlite3.connect(path)) as conn:
        conn.set_progress_handler(lambda: 1, 1)
        with pytest.raises(sqlite3.OperationalError):
            count(conn)
        conn.set_progress_handler(None, 1)
        identified = once_a_build(count)
        conn.set_progress_handler(lambda: 1, 1000)
        assert identified(conn) == 1


def test_in_the_midst_of_a_transaction_what_it_has_written_is_loaded(tmp_path: Path) -> None:
    tables(path := tmp_path / "a.db")
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("create table numbers (n)")
        conn.commit()
        conn.execute("insert into numbers values (7)")
        assert once_a_build(lambda c: c.execute("select n from numbers").fetchall())(conn) == [(7,)]
