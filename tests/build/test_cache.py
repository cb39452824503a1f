"""The build cache: results are reused under the digest of all their inputs and nothing else; and its folder."""

import os
import random
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from samples import CLUB, copy_files, make_book, make_club
from terminal import whist

import extract
import kb
from extract import edition as stages
from extract.corpus.book import Book, load_book
from extract.edition import make_edition
from extract.errors import DatabaseError
from extract.model import Edition
from kb.build import fingerprint
from kb.build.cache import PLACE, Cache, open_cache
from kb.build.database import Made, bring_up_to_date
from kb.build.editions import BookJob, cached_edition

BringUpToDate = Callable[..., tuple[Made, list[str]]]
OF_THE_LIBRARY = ("library.toml", "terms.txt")
BOTH = ["club-1850", "club-1860"]
LOADED = """import sys
from datasette_plugins.console import main
try:
    main()
finally:
    print(*sorted({name.split('.')[0] for name in sys.modules}))"""


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    """An empty cache."""
    (tmp_path / "cache").mkdir()
    return Cache(tmp_path / "cache")


@pytest.fixture
def two_clubs(tmp_path: Path, corpus: Path) -> Path:
    """A corpus of two very small books."""
    folder = copy_files(corpus, tmp_path / "corpus", *OF_THE_LIBRARY)
    scan = make_club(folder).scan_path.read_text(encoding="utf-8")
    make_book(folder / "club-1860", scan, "lines", CLUB.replace("club-1850", "club-1860"))
    return folder


@pytest.fixture
def bring_up(monkeypatch: pytest.MonkeyPatch) -> BringUpToDate:
    """Bring a file up to date; return how, and the ids of editions that were made, not read from the cache."""
    made: list[str] = []

    def make(book: Book, **settings: Any) -> Edition:
        made.append(book.id)
        return make_edition(book, **settings)

    def bring(corpus: Path, target: Path, cache: Cache | None, **settings: Any) -> tuple[Made, list[str]]:
        made.clear()
        with ThreadPoolExecutor(1) as pool:
            how = bring_up_to_date(corpus, target, cache, executor=pool, progress=lambda _: None, **settings)
        return how, sorted(made)

    monkeypatch.setattr("kb.build.editions.make_edition", make)
    return bring


def _add(path: Path, text: str) -> None:
    path.write_text((path.read_text(encoding="utf-8") if path.exists() else "") + text, encoding="utf-8")


# Cached results equal new ones.


def test_cached_editions_are_unchanged(editions: dict[str, Edition], cache: Cache) -> None:
    for edition in editions.values():
        cache.write(Edition, [edition.book_id], edition)
        assert cache.read(Edition, [edition.book_id]) == edition


def test_unchanged_corpus_is_not_built_again(
    two_clubs: Path, tmp_path: Path, cache: Cache, bring_up: BringUpToDate
) -> None:
    target = tmp_path / "whist.db"
    assert bring_up(two_clubs, target, cache) == ("built", BOTH)
    first = target.read_bytes(), target.stat().st_mtime_ns, target.stat().st_ino
    shutil.copytree(two_clubs, tmp_path / "elsewhere")
    assert bring_up(tmp_path / "elsewhere", target, cache) == ("unchanged", []), "the folder itself does not count"
    assert (target.read_bytes(), target.stat().st_mtime_ns, target.stat().st_ino) == first
    target.write_bytes(first[0][:5000])
    assert bring_up(two_clubs, target, cache) == ("built", [])
    assert target.read_bytes() == first[0]
    Path(f"{target}-journal").write_bytes(b"of a writer who was killed")
    assert bring_up(two_clubs, target, cache) == ("built", [])
    assert sorted(p.name for p in tmp_path.glob("whist.db*")) == ["whist.db"]


def test_change_rebuilds_what_depends_on_it(
    two_clubs: Path, tmp_path: Path, cache: Cache, bring_up: BringUpToDate
) -> None:
    target = tmp_path / "whist.db"
    bring_up(two_clubs, target, cache)
    at = (two_clubs / "club-1860" / "scan.txt").read_text(encoding="utf-8").index("revoke")
    reading = f'[[reading]]\nat = {at}\nscan = "revoke"\nread = "REVOKE"\nreason = "a test"\n'
    _add(two_clubs / "club-1860" / "errata.toml", reading)
    assert bring_up(two_clubs, target, cache) == ("built", ["club-1860"])
    assert bring_up(two_clubs, tmp_path / "anew.db", None) == ("built", BOTH)
    assert b"REVOKE" in target.read_bytes() == (tmp_path / "anew.db").read_bytes()
    assert bring_up(two_clubs, target, cache, unaided=True) == ("built", BOTH)
    assert bring_up(two_clubs, target, cache, unaided=False) == ("built", [])
    _add(two_clubs / "terms.txt", "rowlock\n")
    assert bring_up(two_clubs, target, cache) == ("built", BOTH)


# What the digest covers.


@pytest.mark.parametrize(("package", "counts"), [(extract, (True, True)), (kb, (False, True))], ids=["extract", "kb"])
def test_fingerprint_depends_on_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: ModuleType, counts: tuple[bool, bool]
) -> None:
    monkeypatch.setattr(fingerprint, "of_extract", fingerprint.of_extract.__wrapped__)
    before = fingerprint.of_extract(), fingerprint.of_code.__wrapped__()
    shutil.copytree(Path(package.__file__ or "").parent, tmp_path, dirs_exist_ok=True)
    _add(tmp_path / "data" / "words.txt", "a word more\n")
    monkeypatch.setattr(package, "__file__", str(tmp_path / "__init__.py"))
    after = fingerprint.of_extract(), fingerprint.of_code.__wrapped__()
    assert (after[0] != before[0], after[1] != before[1]) == counts


def test_corpus_with_a_pipe_has_no_fingerprint(
    two_clubs: Path, tmp_path: Path, cache: Cache, bring_up: BringUpToDate
) -> None:
    os.mkfifo(two_clubs / "club-1850" / "pipe.toml")
    assert fingerprint.of_folder(two_clubs) is None
    assert bring_up(two_clubs, tmp_path / "whist.db", cache)[0] == "built"
    assert bring_up(two_clubs, tmp_path / "whist.db", cache) == ("built", [])


def test_edition_is_not_cached_if_its_files_change_meanwhile(
    two_clubs: Path, tmp_path: Path, cache: Cache, bring_up: BringUpToDate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make_while_changing(book: Book, **settings: Any) -> Edition:
        (two_clubs / "club-1850" / "errata.toml").write_text("# a second later\n", encoding="utf-8")
        return make_edition(book, **settings)

    with monkeypatch.context() as patch:
        patch.setattr("kb.build.editions.make_edition", make_while_changing)
        bring_up(two_clubs, tmp_path / "whist.db", cache)
    assert bring_up(two_clubs, tmp_path / "whist.db", cache) == ("built", ["club-1850"])


# The entries.


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: b"\x80\x04cos\nsystem\n",
        lambda data: zlib.compress(b'["of another kind"]'),
    ],
    ids=["cut short", "overwritten", "a program", "of another kind"],
)
def test_damaged_or_foreign_entry_is_ignored(two_clubs: Path, cache: Cache, damage: Callable[[bytes], bytes]) -> None:
    cache.folder.chmod(0o700)
    job = BookJob(load_book(two_clubs / "club-1850"), False, cache)
    whole = cached_edition(job)
    for path in cache.folder.iterdir():
        path.write_bytes(damage(path.read_bytes()))
    assert cached_edition(job) == whole


def test_concurrent_builds_do_not_interfere(
    two_clubs: Path, tmp_path: Path, cache: Cache, bring_up: BringUpToDate
) -> None:
    targets = [tmp_path / f"{i}.db" for i in range(4)]
    with ThreadPoolExecutor(4) as threads:
        outcomes = list(threads.map(lambda target: bring_up(two_clubs, target, cache)[0], targets))
    assert outcomes == ["built"] * 4
    assert len({target.read_bytes() for target in targets}) == 1
    assert not list(cache.folder.glob(".*"))


# The command.


def test_command_reports_the_outcome_and_loads_only_what_it_needs(
    two_clubs: Path, tmp_path: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PLACE, str(cache.folder))
    words = ["build", "--corpus", str(two_clubs), "--db", str(tmp_path / "whist.db")]
    unneeded = {
        "datasette", "lxml", "spacy", "numpy", "pydantic", "rapidfuzz", "sqlite_utils", "rich",
        "multiprocessing",
    }  # fmt: skip
    assert whist(*words, "--fresh").stdout.startswith("Built ")
    assert '"made": "unchanged"' in whist(*words, "--json").stdout
    message, loaded = subprocess.check_output([sys.executable, "-c", LOADED, *words], text=True).splitlines()
    assert "is up to date" in message
    assert unneeded.isdisjoint(loaded.split())


def test_rejects_targets_that_are_not_databases(
    two_clubs: Path, tmp_path: Path, cache: Cache, bring_up: BringUpToDate
) -> None:
    scan = tmp_path / "scan.txt"
    scan.write_text("1. A law of whist.", encoding="utf-8")
    with pytest.raises(DatabaseError, match="is not a database"):
        bring_up(two_clubs, scan, cache)
    assert scan.read_text(encoding="utf-8") == "1. A law of whist."


# The folder: its place, permissions and size limit.


def test_least_recently_used_entry_is_removed_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit=3000)
    for i in range(4):
        cache.put(f"edition-{i}", random.Random(i).randbytes(900))
        os.utime(tmp_path / f"edition-{i}", (i, i))
    assert cache.get("edition-0") is not None  # used again
    cache.trim()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["edition-0", "edition-2", "edition-3"]


@pytest.mark.parametrize(
    ("mode", "size", "limit"),
    [(0o702, "", None), (0o770, "", None), (0o755, "much", 2**30), (0o700, "5000", 5_000_000_000)],
)
def test_rejects_folder_writable_by_others_and_reads_the_size_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, size: str, limit: int | None
) -> None:
    tmp_path.chmod(mode)
    monkeypatch.setenv(PLACE, str(tmp_path))
    monkeypatch.setenv("WHIST_CACHE_SIZE", size)
    opened = open_cache()
    assert (opened and opened.limit) == limit


@pytest.mark.parametrize(
    ("settings", "fresh", "place"),
    [
        ({PLACE: ""}, False, None),
        ({}, False, ".cache/whist"),
        ({"XDG_CACHE_HOME": "x"}, True, "x/whist"),
        ({PLACE: "file/deeper"}, False, None),
    ],
)
def test_location_of_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], fresh: bool, place: str | None
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in (PLACE, "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value and str(tmp_path / value))
    opened = open_cache(fresh=fresh)
    assert (opened and opened.folder) == (place and tmp_path / place)
    assert opened is None or (opened.folder.stat().st_mode & 0o777, opened.reads) == (0o700, not fresh)


# Stages that an edited reading does not affect: their cached results give exactly the same edition.


def _must_not_run(*_: object, **__: object) -> Any:
    raise AssertionError("a piece is made again")


def test_cached_stages_give_the_same_edition(
    tmp_path: Path, corpus: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The book is short and has many readings of the editor."""
    folder = copy_files(corpus, tmp_path, *OF_THE_LIBRARY, "arnaud-1829") / "arnaud-1829"
    cache.folder.chmod(0o700)
    before = cached_edition(BookJob(load_book(folder), False, cache))
    head, *entries = (folder / "errata.toml").read_text(encoding="utf-8").split("\n[[")
    kept = [entry for i, entry in enumerate(entries) if i % 11 or not entry.startswith("reading")]
    (folder / "errata.toml").write_text("\n[[".join([head, *kept]), encoding="utf-8")
    uncached = cached_edition(BookJob(load_book(folder), False))
    monkeypatch.setattr(stages, "FURNITURE", dict.fromkeys(stages.FURNITURE, _must_not_run))
    monkeypatch.setattr(stages, "decide_letters", _must_not_run)
    assert cached_edition(BookJob(load_book(folder), False, cache)) == uncached != before


def test_cached_results_depend_on_inputs_and_code(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    def recall(*inputs: str) -> str:
        return cache.recall(str, inputs, lambda: f"{inputs} by {fingerprint.of_extract()}")

    first = recall("a text")
    assert cache.recall(str, ("a text",), _must_not_run) == first
    assert len({first, recall("another text"), recall("a ", "text")}) == 3
    monkeypatch.setattr(fingerprint, "of_extract", lambda: "other code")
    assert recall("a text") != first


def test_worker_ignores_folder_writable_by_others(tmp_path: Path, cache: Cache) -> None:
    cache.folder.chmod(0o777)
    cached_edition(BookJob(make_club(tmp_path), False, cache))
    assert not [*cache.folder.iterdir()]
