"""What was made is not made again: kept by the digest of all it was made of, and by nothing else."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from samples import make_club

from extract.corpus.book import Book, load_books
from extract.edition import make_edition
from extract.errors import DatabaseError
from extract.model import Edition
from kb.build import fingerprint
from kb.build.cache import PLACE, Cache
from kb.build.database import Made, bring_up_to_date, build
from kb.build.editions import make_editions

ROOT = Path(__file__).parents[2]
Brought = Callable[..., tuple[Made, list[str]]]
WHIST = [sys.executable, "-c", "from datasette_plugins.console import main; main()"]


class AtOnce(Executor):
    """Does the work at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@pytest.fixture(autouse=True)
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The books whose editions are made in this process, and not read from the cache."""
    ids: list[str] = []

    def make(book: Book, **settings: Any) -> Edition:
        ids.append(book.id)
        return make_edition(book, **settings)

    monkeypatch.setattr("kb.build.editions.make_edition", make)
    return ids


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    """An empty cache."""
    (tmp_path / "cache").mkdir()
    return Cache(tmp_path / "cache")


@pytest.fixture
def two_clubs(tmp_path: Path, corpus: Path) -> Path:
    """A corpus of two very small books."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name in ("thesaurus.toml", "topics.toml", "library.toml", "terms.txt"):
        shutil.copy(corpus / name, folder)
    make_club(folder)
    shutil.copytree(folder / "club-1850", folder / "club-1860")
    plan = folder / "club-1860" / "book.toml"
    text = plan.read_text(encoding="utf-8").replace("club-1850", "club-1860")
    plan.write_text(re.sub(r'(?m)^(id|code) = "[\w-]+"', lambda m: m[0][:-1] + '-b"', text), encoding="utf-8")
    return folder


@pytest.fixture
def brought(made: list[str]) -> Brought:
    """Brings a file up to date; tells how, and which editions were made."""

    def bring(corpus: Path, target: Path, cache: Cache | None, **settings: Any) -> tuple[Made, list[str]]:
        made.clear()
        how = bring_up_to_date(corpus, target, cache, executor=AtOnce(), progress=lambda _: None, **settings)
        return how, sorted(made)

    return bring


def rows(path: Path) -> dict[str, list[Any]]:
    """All rows of all tables."""
    with sqlite3.connect(path) as db:
        names = [name for (name,) in db.execute("select name from sqlite_master where type = 'table' order by name")]
        return {name: db.execute(f"select * from [{name}]").fetchall() for name in names}


# What is kept is what would be made.


def test_editions_come_back_as_they_were(
    editions: dict[str, Edition], unaided: dict[str, Edition], cache: Cache
) -> None:
    for edition in [*editions.values(), *unaided.values()]:
        cache.write(Edition, [edition.book_id], edition)
        assert cache.read(Edition, [edition.book_id]) == edition


def test_an_unchanged_corpus_is_not_built_again(
    two_clubs: Path, tmp_path: Path, cache: Cache, brought: Brought
) -> None:
    target = tmp_path / "whist.db"
    assert brought(two_clubs, target, cache) == ("built", ["club-1850", "club-1860"])
    first = target.read_bytes(), target.stat().st_mtime_ns, target.stat().st_ino
    assert brought(two_clubs, target, cache) == ("unchanged", [])
    assert (target.read_bytes(), target.stat().st_mtime_ns, target.stat().st_ino) == first
    target.write_bytes(first[0][:5000])
    assert brought(two_clubs, target, cache) == ("built", [])
    assert target.read_bytes() == first[0]
    Path(f"{target}-journal").write_bytes(b"of a writer who was killed")
    assert brought(two_clubs, target, cache) == ("built", [])
    assert sorted(p.name for p in tmp_path.glob("whist.db*")) == ["whist.db"]


def test_one_edited_reading_makes_one_book_anew(
    two_clubs: Path, tmp_path: Path, cache: Cache, brought: Brought
) -> None:
    brought(two_clubs, tmp_path / "whist.db", cache)
    _edit_a_reading(two_clubs / "club-1860")
    assert brought(two_clubs, tmp_path / "whist.db", cache) == ("built", ["club-1860"])
    assert brought(two_clubs, tmp_path / "anew.db", None) == ("built", ["club-1850", "club-1860"])
    assert rows(tmp_path / "whist.db") == rows(tmp_path / "anew.db")
    assert (tmp_path / "whist.db").read_bytes() == (tmp_path / "anew.db").read_bytes()
    assert any("REVOKE" in row for row in rows(tmp_path / "whist.db")["edit"])


def test_a_book_is_made_anew_for_other_terms_and_for_nothing_else_that_the_library_says_of_itself(
    two_clubs: Path, tmp_path: Path, cache: Cache, brought: Brought
) -> None:
    brought(two_clubs, tmp_path / "a.db", cache)
    library = two_clubs / "library.toml"
    library.write_text(library.read_text(encoding="utf-8").replace("The Law Library", "A Library"), encoding="utf-8")
    assert brought(two_clubs, tmp_path / "a.db", cache) == ("built", [])
    with (two_clubs / "terms.txt").open("a", encoding="utf-8") as terms:
        terms.write("rowlock\n")
    assert brought(two_clubs, tmp_path / "a.db", cache) == ("built", ["club-1850", "club-1860"])


def _edit_a_reading(folder: Path) -> None:
    at = (folder / "scan.txt").read_text(encoding="utf-8").index("revoke")
    reading = f'[[reading]]\nat = {at}\nscan = "revoke"\nread = "REVOKE"\nreason = "a test"\n'
    (folder / "errata.toml").write_text(reading, encoding="utf-8")


def test_a_build_from_the_cache_has_the_rows_of_a_build_without(
    corpus: Path, library: Path, tmp_path: Path, made_before: Cache, made: list[str]
) -> None:
    build(corpus, tmp_path / "cached.db", executor=AtOnce(), progress=lambda _: None, cache=made_before)
    assert made == []
    assert rows(tmp_path / "cached.db") == rows(library)


# What it was made of.


CHANGES: dict[str, Callable[[Path], object]] = {
    "book.toml": lambda c: _add(
        c / "club-1850" / "book.toml", "\n[[habit]]\nread = '1'\nprinted = 'l'\nwhere = 'any'\n"
    ),
    "thesaurus.toml": lambda c: _add(c / "thesaurus.toml", "\n[[concept]]\nid = 'x'\nlabel = 'Xyz'\nnote = ''\n"),
    "moved.toml": lambda c: _add(c / "club-1850" / "moved.toml", '[moved]\n"club-1850/old" = "club-1850/law-1"\n'),
    "a file more": lambda c: _add(c / "glosses.toml", "gloss = []\n"),
    "a book less": lambda c: shutil.rmtree(c / "club-1860"),
}


def _add(path: Path, text: str) -> None:
    path.write_text((path.read_text(encoding="utf-8") if path.exists() else "") + text, encoding="utf-8")


@pytest.mark.parametrize("name", CHANGES)
def test_each_file_of_the_corpus_counts(two_clubs: Path, name: str) -> None:
    before = fingerprint.of_folder(two_clubs)
    CHANGES[name](two_clubs)
    assert fingerprint.of_folder(two_clubs) != before


def test_the_folder_itself_does_not_count(two_clubs: Path, tmp_path: Path, cache: Cache, brought: Brought) -> None:
    brought(two_clubs, tmp_path / "whist.db", cache)
    shutil.copytree(two_clubs, tmp_path / "elsewhere")
    assert brought(tmp_path / "elsewhere", tmp_path / "whist.db", cache) == ("unchanged", [])


def test_without_the_editor_is_another_thing(two_clubs: Path, tmp_path: Path, cache: Cache, brought: Brought) -> None:
    _edit_a_reading(two_clubs / "club-1860")
    brought(two_clubs, tmp_path / "whist.db", cache)
    how, worked_on = brought(two_clubs, tmp_path / "whist.db", cache, unaided=True)
    assert (how, worked_on) == ("built", ["club-1850", "club-1860"])
    assert brought(two_clubs, tmp_path / "whist.db", cache, unaided=False) == ("built", [])


@pytest.mark.parametrize("place", ["extract/language/data.txt", "kb/build/load.py", "kb/tables/schema.py"])
def test_the_code_counts(tmp_path: Path, place: str) -> None:
    for package in ("extract", "kb"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    code = "from kb.build import fingerprint as f; print(f.of_extract(), f.of_code())"

    def told() -> list[str]:
        ask = [sys.executable, "-c", code]
        env = {**os.environ, "PYTHONPATH": str(tmp_path)}
        return subprocess.run(ask, cwd=tmp_path, env=env, check=True, capture_output=True, text=True).stdout.split()

    before = told()
    _add(tmp_path / place, "# a word\n")
    assert [now != then for now, then in zip(told(), before, strict=True)] == [place.startswith("extract"), True]


def test_a_build_loads_nothing_of_the_pages(two_clubs: Path, tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom kb.build.database import build\n"
        "build(Path(sys.argv[1]), Path(sys.argv[2]), progress=lambda _: None)\n"
        "print(*sorted(name.split('.')[0] for name in sys.modules))"
    )
    asked = [sys.executable, "-c", code, two_clubs, tmp_path / "whist.db"]
    loaded = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    assert {"datasette", "datasette_plugins", "rdflib", "lxml"}.isdisjoint(loaded.split())


def test_what_cannot_be_read_as_a_file_is_not_looked_for(
    two_clubs: Path, tmp_path: Path, cache: Cache, brought: Brought
) -> None:
    os.mkfifo(two_clubs / "club-1850" / "pipe.toml")
    assert fingerprint.of_folder(two_clubs) is None
    assert brought(two_clubs, tmp_path / "whist.db", cache)[0] == "built"
    assert brought(two_clubs, tmp_path / "whist.db", cache) == ("built", [])


def test_what_is_changed_while_it_is_read_is_not_cached(
    two_clubs: Path, tmp_path: Path, cache: Cache, brought: Brought, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meddle(book: Book, **settings: Any) -> Edition:
        (two_clubs / "club-1850" / "errata.toml").write_text("# a second later\n", encoding="utf-8")
        return make_edition(book, **settings)

    with monkeypatch.context() as patch:
        patch.setattr("kb.build.editions.make_edition", meddle)
        bring_up_to_date(two_clubs, tmp_path / "whist.db", cache, executor=AtOnce(), progress=lambda _: None)
    assert brought(two_clubs, tmp_path / "whist.db", cache) == ("built", ["club-1850"])


# The entries.


def entries(cache: Cache) -> Iterator[Path]:
    return (path for path in cache.folder.iterdir() if path.is_file())


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: b"\x80\x04cos\nsystem\n",
        lambda data: zlib.compress(b'["of another kind"]'),
    ],
)
def test_a_damaged_or_foreign_entry_is_made_anew(
    two_clubs: Path, tmp_path: Path, cache: Cache, damage: Callable[[bytes], bytes], brought: Brought
) -> None:
    target = tmp_path / "whist.db"
    brought(two_clubs, target, cache)
    whole = target.read_bytes()
    for path in entries(cache):
        path.write_bytes(damage(path.read_bytes()))
    target.unlink()
    assert brought(two_clubs, target, cache) == ("built", ["club-1850", "club-1860"])
    assert target.read_bytes() == whole
    assert brought(two_clubs, target, cache) == ("unchanged", [])


def test_two_builds_at_once_do_not_disturb_each_other(
    two_clubs: Path, tmp_path: Path, cache: Cache, brought: Brought
) -> None:
    said: list[object] = []

    def run(i: int) -> None:
        try:
            said.append(brought(two_clubs, tmp_path / f"{i}.db", cache)[0])
        except BaseException as error:
            said.append(error)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(said) == {"built"}
    assert len({(tmp_path / f"{i}.db").read_bytes() for i in range(4)}) == 1
    assert not list(cache.folder.glob(".*"))


def test_fresh_makes_all_anew_and_keeps_it(two_clubs: Path, tmp_path: Path, cache: Cache, brought: Brought) -> None:
    brought(two_clubs, tmp_path / "whist.db", cache)
    fresh = Cache(cache.folder, reads=False)
    assert brought(two_clubs, tmp_path / "whist.db", fresh) == ("built", ["club-1850", "club-1860"])
    assert brought(two_clubs, tmp_path / "whist.db", cache) == ("unchanged", [])


def test_a_cache_without_room_hinders_nothing(two_clubs: Path, tmp_path: Path, brought: Brought) -> None:
    nowhere = Cache(tmp_path / "no such folder")
    assert brought(two_clubs, tmp_path / "whist.db", nowhere)[0] == "built"
    assert not nowhere.folder.exists()


# The command.


def test_the_command_says_what_it_did(two_clubs: Path, tmp_path: Path, cache: Cache) -> None:
    def run(*words: str) -> str:
        env = {**os.environ, PLACE: str(cache.folder)}
        asked = [*WHIST, "build", "--corpus", two_clubs, "--db", tmp_path / "whist.db", *words]
        return subprocess.run(asked, env=env, check=True, capture_output=True, text=True).stdout

    assert run().startswith("Built ")
    assert "is up to date" in run()
    assert run("--fresh").startswith("Built ")
    assert '"made": "unchanged"' in run("--json")


def test_an_unchanged_build_loads_none_of_what_builds(
    two_clubs: Path, tmp_path: Path, cache: Cache, brought: Brought
) -> None:
    target = tmp_path / "whist.db"
    brought(two_clubs, target, cache)
    code = (
        "import sys\nfrom datasette_plugins.console import main\ntry:\n    main()\nfinally:\n"
        "    print(*sorted({name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "build", "--corpus", two_clubs, "--db", target],
        env={**os.environ, PLACE: str(cache.folder)}, check=True, capture_output=True, text=True,
    )  # fmt: skip
    said, loaded = done.stdout.splitlines()
    assert "is up to date" in said
    heavy = {"spacy", "numpy", "pydantic", "rapidfuzz", "sqlite_utils", "datasette", "rich", "multiprocessing"}
    assert heavy.isdisjoint(loaded.split())


def test_all_books_come_back_in_their_order(two_clubs: Path, cache: Cache) -> None:
    books = load_books(two_clubs)
    with ThreadPoolExecutor(2) as threads:
        first = make_editions(books, unaided=False, executor=threads, progress=lambda _: None, cache=cache)
    assert [e.book_id for e in first] == [b.id for b in books]
    assert make_editions(books, unaided=False, progress=lambda _: None, cache=cache) == first


def test_a_cluster_builds_the_same(two_clubs: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    build(two_clubs, tmp_path / "here.db", progress=lambda _: None)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, worker_dashboard_address=None
    ) as local:
        asked = [*WHIST, "build", "--corpus", two_clubs, "--db", tmp_path / "there.db", "--fresh", "--scheduler"]
        subprocess.run([*asked, local.scheduler_address], check=True, capture_output=True)
    assert (tmp_path / "there.db").read_bytes() == (tmp_path / "here.db").read_bytes()


def test_what_is_no_database_is_not_replaced(two_clubs: Path, tmp_path: Path, cache: Cache, brought: Brought) -> None:
    scan = tmp_path / "scan.txt"
    scan.write_text("1. A law of whist.", encoding="utf-8")
    with pytest.raises(DatabaseError, match="is no database"):
        brought(two_clubs, scan, cache)
    assert scan.read_text(encoding="utf-8") == "1. A law of whist."
    (tmp_path / "empty.db").touch()
    assert brought(two_clubs, tmp_path / "empty.db", cache)[0] == "built"
