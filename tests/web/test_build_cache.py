"""What is loaded once for each build."""

from __future__ import annotations

import itertools
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from kb.dispute.index import index_of
from kb.read.build_cache import cached_per_build


def once() -> Callable[[sqlite3.Connection], int]:
    """What counts how often it is loaded, kept for each build."""
    times = itertools.count(1)
    return cached_per_build(lambda conn: next(times))


def asked(load: Callable[[sqlite3.Connection], Any], path: Path) -> Any:
    with closing(sqlite3.connect(path)) as conn:
        return load(conn)


def make(path: Path, table: str) -> Path:
    """Make a database with a table, or add it to the one that is there."""
    with closing(sqlite3.connect(path)) as conn:
        conn.execute(f"create table {table} as select 7 as n")
    return path


def test_each_build_is_loaded_once_by_however_many_threads(tmp_path: Path) -> None:
    path, load = tmp_path / "a.db", once()
    for n in range(1, 5):
        make(tmp_path / "fresh.db", f"t{n}").replace(path)
        with ThreadPoolExecutor(8) as pool:
            assert set(pool.map(lambda _: asked(load, path), range(40))) == {n}
    make(path, "grown")
    assert asked(load, path) == 5, "a build that was altered is another"


def test_a_database_in_memory_is_loaded_each_time() -> None:
    load = once()
    with closing(sqlite3.connect(":memory:")) as conn:
        assert [load(conn), load(conn)] == [1, 2]


def test_the_index_of_disputes_is_kept(conn: sqlite3.Connection) -> None:
    assert index_of(conn) is index_of(conn)


WITHOUT = """
import sys
sys.modules.update(dict.fromkeys({}))  # whoever imports one of them now fails
from datasette_plugins.console import main
main()
"""


@pytest.mark.parametrize(
    ("missing", "asked"),
    [
        (["spacy"], ["show", "1864, law 71"]),
        (["spacy"], ["cite", "english-1864/law-71"]),
        (["spacy"], ["show", "--help"]),
        (["sklearn", "scipy"], ["dispute", "He revoked. What do we get?"]),
    ],
)
def test_an_answer_needs_no_library_of_those_that_only_builds_use(
    library: Path, missing: list[str], asked: list[str]
) -> None:
    options = [] if "--help" in asked else ["--db", str(library)]
    run = [sys.executable, "-c", WITHOUT.format(missing), *asked, *options]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_loaded_is_not_broken_off_by_a_visitors_limit(tmp_path: Path) -> None:
    def count(conn: sqlite3.Connection) -> int:
        return int(conn.execute("select count(*) from sqlite_master").fetchone()[0])

    with closing(sqlite3.connect(make(tmp_path / "a.db", "one"))) as conn:
        conn.set_progress_handler(lambda: 1, 1)
        with pytest.raises(sqlite3.OperationalError):
            count(conn)
        conn.set_progress_handler(lambda: 1, 1000)
        assert cached_per_build(count)(conn) == 1


def test_in_the_midst_of_a_transaction_what_it_has_written_is_loaded(tmp_path: Path) -> None:
    with closing(sqlite3.connect(make(tmp_path / "a.db", "one"))) as conn:
        conn.execute("insert into one values (8)")
        assert cached_per_build(lambda c: c.execute("select n from one").fetchall())(conn) == [(7,), (8,)]
