"""The build: the same bytes each time, whole or not at all, wherever the editions are made."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from samples import make_club

from extract.corpus.book import load_books
from extract.edition import make_edition
from extract.errors import DatabaseError, ScanError
from kb.build.atomic import whole_file
from kb.build.database import build
from kb.tables.schema import TABLES

OLD = b"an older knowledge base"


def quiet(_: str) -> None:
    """Tell nobody how far the build is."""


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(scope="session")
def small_corpus(tmp_path_factory: pytest.TempPathFactory, corpus: Path) -> Path:
    """A corpus of two books: one of the library's, and a very small one."""
    folder = tmp_path_factory.mktemp("corpus")
    for name in ("library.toml", "terms.txt", "thesaurus.toml", "topics.toml"):
        shutil.copy(corpus / name, folder)
    shutil.copytree(corpus / "arnaud-1829", folder / "arnaud-1829")
    make_club(folder)
    return folder


@pytest.fixture(scope="session")
def reference(tmp_path_factory: pytest.TempPathFactory, small_corpus: Path) -> Path:
    """The knowledge base of the small corpus, its editions made in this process."""
    target = tmp_path_factory.mktemp("reference") / "whist.db"
    with ThreadPoolExecutor(2) as threads:
        build(small_corpus, target, executor=threads, progress=quiet)
    return target


@pytest.fixture(scope="session")
def tiny(tiny_database: Path) -> bytes:
    """The knowledge base of the tiny corpus."""
    return tiny_database.read_bytes()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with an older knowledge base in it."""
    (tmp_path / "whist.db").write_bytes(OLD)
    yield tmp_path


# The same bytes.


def test_another_process_with_other_hashes_writes_the_same_bytes(
    tmp_path: Path, small_corpus: Path, reference: Path
) -> None:
    target = tmp_path / "whist.db"
    code = "import sys, pathlib, kb.build.database as b; b.build(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))"
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    done = subprocess.run(
        [sys.executable, "-c", code, small_corpus, target],
        env={**os.environ, "PYTHONHASHSEED": seed}, cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "2 books" in done.stdout
    assert digest(target) == digest(reference)


def test_an_older_file_is_replaced_and_leaves_no_trace(folder: Path, tiny_corpus: Path, tiny: bytes) -> None:
    with ThreadPoolExecutor(1) as threads:
        build(tiny_corpus, folder / "whist.db", executor=threads, progress=quiet)
    assert (folder / "whist.db").read_bytes() == tiny
    assert [p.name for p in folder.iterdir()] == ["whist.db"]


class Counting(Executor):
    """An executor that works at once, and counts."""

    def __init__(self) -> None:
        self.calls = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        self.calls += 1
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def test_any_executor_will_do(tmp_path: Path, small_corpus: Path, reference: Path) -> None:
    executor = Counting()
    build(small_corpus, tmp_path / "whist.db", executor=executor, progress=quiet)
    assert executor.calls == len(load_books(small_corpus))
    assert digest(tmp_path / "whist.db") == digest(reference)


def test_unaided_is_another_knowledge_base(tmp_path: Path, small_corpus: Path, reference: Path) -> None:
    with ThreadPoolExecutor(1) as threads:
        build(small_corpus, tmp_path / "whist.db", unaided=True, executor=threads, progress=quiet)
    editors = "select count(*) from edit where source = 'editor'"
    with sqlite3.connect(tmp_path / "whist.db") as unaided, sqlite3.connect(reference) as aided:
        assert unaided.execute(editors).fetchone() == (0,)
        assert aided.execute(editors).fetchone() > (0,)


# What is written.


def test_the_tables_are_those_promised_and_fit_together(reference: Path) -> None:
    with sqlite3.connect(reference) as db:
        assert db.execute("pragma integrity_check").fetchone() == ("ok",)
        assert db.execute("pragma foreign_key_check").fetchall() == []
        for table in TABLES:
            columns = {row[1] for row in db.execute(f"pragma table_info([{table.name}])")}
            assert columns == {c.name for c in table.columns}


def test_the_rows_are_those_of_the_editions(small_corpus: Path, reference: Path) -> None:
    with sqlite3.connect(reference) as db:
        for book in load_books(small_corpus):
            edition = make_edition(book)
            (text, sha256) = db.execute("select text, sha256 from scan where book_id = ?", [book.id]).fetchone()
            assert (text, sha256) == (edition.scan, book.sha256)
            units = db.execute(
                "select id, raw_start, raw_end, text from unit where book_id = ? order by seq", [book.id]
            )
            assert units.fetchall() == [(u.id, u.raw_start, u.raw_end, u.text) for u in edition.units]
            edits = db.execute("select raw_start, before, after from edit where book_id = ? order by id", [book.id])
            assert edits.fetchall() == [(e.raw_start, e.before, e.after) for e in edition.edits]
            pages = db.execute("select folio, status from page where book_id = ? order by seq", [book.id])
            assert pages.fetchall() == [(p.folio, p.status) for p in edition.pages]


def test_every_unit_can_be_searched(reference: Path) -> None:
    with sqlite3.connect(reference) as db:
        found = db.execute(
            "select unit_id from entry_fts join entry on id = entry_fts.rowid where entry_fts match 'revoke tricks'"
        )
        assert {f"club-1850/law-{n}" for n in range(1, 30)} <= {row[0] for row in found}
        whole = "select count(*) from unit where continues is null"
        assert db.execute("select count(*) from entry").fetchone() == db.execute(whole).fetchone()


# Whole or not at all.


def _die(corpus: Path, target: Path, event: str | None, delay: float | None) -> None:
    """Build, and be killed at an event of the interpreter or some time after the database is begun."""

    def kill() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def hook(name: str, _: tuple[Any, ...]) -> None:
        if name == event:
            kill()

    def progress(step: str) -> None:
        if step == "database" and delay is not None:
            threading.Timer(delay, kill).start()

    if event:
        sys.addaudithook(hook)
    with ThreadPoolExecutor(1) as threads:
        build(corpus, target, executor=threads, progress=progress)


def killed(corpus: Path, target: Path, event: str | None = None, delay: float | None = None) -> bool:
    """Build in a process of its own; whether it was killed before it ended."""
    process = multiprocessing.get_context("fork").Process(target=_die, args=(corpus, target, event, delay))
    process.start()
    process.join(60)
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode != 0


@pytest.mark.parametrize("event", ["fcntl.flock", "sqlite3.connect", "os.chmod", "os.rename"])
def test_a_build_killed_in_the_midst_leaves_the_older_file(
    folder: Path, tiny_corpus: Path, tiny: bytes, event: str
) -> None:
    target = folder / "whist.db"
    assert killed(tiny_corpus, target, event=event)
    assert target.read_bytes() == OLD
    assert [p.name for p in folder.glob("*.db")] == ["whist.db"]
    with ThreadPoolExecutor(1) as threads:
        build(tiny_corpus, target, executor=threads, progress=quiet)
    assert target.read_bytes() == tiny


def test_a_build_killed_at_any_time_leaves_a_whole_file(folder: Path, tiny_corpus: Path, tiny: bytes) -> None:
    target = folder / "whist.db"
    deaths = 0
    for delay in (0.0, 0.005, 0.015, 0.03, 0.06, 0.1):
        target.write_bytes(OLD)
        deaths += killed(tiny_corpus, target, delay=delay)
        assert target.read_bytes() == OLD or target.read_bytes() == tiny
        assert [p.name for p in folder.glob("*.db")] == ["whist.db"]
    assert deaths >= 2


def test_a_build_killed_before_there_was_a_file_leaves_none(tmp_path: Path, tiny_corpus: Path) -> None:
    assert killed(tiny_corpus, tmp_path / "whist.db", event="os.rename")
    assert not (tmp_path / "whist.db").exists()
    assert list(tmp_path.glob("*.db")) == []


def test_a_book_that_cannot_be_read_leaves_the_older_file(folder: Path, tiny_corpus: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(tiny_corpus, broken)
    (broken / "club-1850" / "scan.txt").write_text("another book", encoding="utf-8")
    with ThreadPoolExecutor(1) as threads, pytest.raises(ScanError):
        build(broken, folder / "whist.db", executor=threads, progress=quiet)
    assert (folder / "whist.db").read_bytes() == OLD
    assert [p.name for p in folder.iterdir() if p.is_file()] == ["whist.db"]


def test_a_file_that_is_not_finished_is_thrown_away(folder: Path) -> None:
    target = folder / "whist.db"
    with pytest.raises(KeyboardInterrupt), whole_file(target) as part:
        part.write_bytes(b"half of a")
        assert part.parent == folder
        raise KeyboardInterrupt
    assert target.read_bytes() == OLD
    assert [p.name for p in folder.iterdir()] == ["whist.db"]


# Where it cannot be written.


@pytest.mark.parametrize(
    "place",
    [
        "file/whist.db",
        "file/deeper/whist.db",
        "folder",
    ],
)
def test_a_place_that_cannot_be_written_is_told(tmp_path: Path, tiny_corpus: Path, place: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    with (
        ThreadPoolExecutor(1) as threads,
        pytest.raises(DatabaseError, match=r"cannot be written .*choose another place"),
    ):
        build(tiny_corpus, tmp_path / place, executor=threads, progress=quiet)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "folder"]


def test_a_missing_folder_is_made(tmp_path: Path) -> None:
    with whole_file(tmp_path / "new" / "whist.db") as part:
        part.write_bytes(b"whole")
    assert (tmp_path / "new" / "whist.db").read_bytes() == b"whole"


def _on_a_full_disk(corpus: Path, target: Path, said: Any) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    try:
        with ThreadPoolExecutor(1) as threads:
            build(corpus, target, executor=threads, progress=quiet)
    except BaseException as error:
        said.put((type(error).__name__, str(error)))


def test_a_full_disk_is_told_and_leaves_the_older_file(folder: Path, tiny_corpus: Path) -> None:
    fork = multiprocessing.get_context("fork")
    said = fork.SimpleQueue()
    process = fork.Process(target=_on_a_full_disk, args=(tiny_corpus, folder / "whist.db", said))
    process.start()
    name, message = said.get()
    process.join(10)
    assert [p.name for p in folder.iterdir()] == ["whist.db"]
    assert (folder / "whist.db").read_bytes() == OLD
    assert name == "DatabaseError"
    assert "cannot be written" in message
