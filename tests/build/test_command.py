"""The command line as a process: ended by signals, unread, with damaged files: one sentence, and no more."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from datasette_plugins.command import cli
from extract.errors import WhistError
from kb import cli as rooms
from kb.tables.schema import VERSION

WHIST = [sys.executable, "-c", "from datasette_plugins.console import main; main()"]
READERS: list[list[str]] = [
    ["search", "revoke"],
    ["show", "club-1850/law-7"],
    ["compare", "club-1850/law-7", "club-1850/law-8"],
    ["cite", "club-1850/law-7"],
    ["check"],
    ["evaluate"],
    ["suggest", "arnaud-1829"],
    ["serve"],
]


def whist(*words: str | bytes | Path, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line as a process of its own."""
    return subprocess.run([*WHIST, *words], stderr=subprocess.PIPE, text=True, **settings)


def is_one_sentence(message: str) -> bool:
    return message.startswith("whist: ") and message.count("\n") == 1 and message.endswith(".\n")


def last_line(said: str) -> str:
    """What was said last, after how far the work was."""
    return said.splitlines(keepends=True)[-1]


# Signals.


@pytest.fixture
def slow_corpus(tmp_path: Path, corpus: Path) -> Path:
    """A corpus of two books that take some seconds each."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name in ("library.toml", "terms.txt", "thesaurus.toml", "topics.toml"):
        shutil.copy(corpus / name, folder)
    for name in ("drayson-1896", "deschapelles-1839"):
        shutil.copytree(corpus / name, folder / name)
        plan = folder / name / "book.toml"
        plan.write_text(re.sub(r"(?m)^witnesses = .*$", "", plan.read_text(encoding="utf-8")), encoding="utf-8")
    return folder


def members(group: int) -> set[int]:
    """The processes of a group that still run."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, member = status.read_text().rpartition(")")[2].split()[:3]
        except (OSError, ValueError):
            continue
        if int(member) == group and state != "Z":
            found.add(int(status.parent.name))
    return found


def until(so: Any, seconds: float = 60) -> bool:
    """Wait until something is so; whether it came to be."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if so():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def building(slow_corpus: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A build with two workers at work."""
    process = subprocess.Popen(
        [*WHIST, "build", "--corpus", slow_corpus, "--db", tmp_path / "out" / "whist.db"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    try:
        assert until(lambda: len(members(process.pid)) == 3), "the workers did not start"
        yield process
    finally:
        for member in members(process.pid):
            os.kill(member, signal.SIGKILL)
        process.communicate()


linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="counts processes in /proc")


@linux
@pytest.mark.parametrize(
    ("send", "number", "status"),
    [(os.kill, signal.SIGINT, 130), (os.killpg, signal.SIGINT, 130), (os.kill, signal.SIGTERM, 143)],
    ids=["Ctrl-C for the build", "Ctrl-C for all", "a request to end"],
)
def test_a_signal_ends_a_build_and_its_workers_with_one_sentence(
    building: subprocess.Popen[str], tmp_path: Path, send: Callable[[int, int], None], number: int, status: int
) -> None:
    send(building.pid, number)
    _, said = building.communicate(timeout=30)
    assert (building.returncode, last_line(said)) == (status, "whist: stopped.\n")
    assert members(building.pid) == set()
    assert list((tmp_path / "out").iterdir()) == []


@linux
def test_the_workers_of_a_killed_build_end_with_it(building: subprocess.Popen[str]) -> None:
    building.kill()
    building.wait()
    assert until(lambda: not members(building.pid), 20)
    assert "whist:" not in building.communicate()[1]


@linux
def test_a_killed_worker_ends_the_build_in_one_sentence(building: subprocess.Popen[str], tmp_path: Path) -> None:
    workers = members(building.pid) - {building.pid}
    os.kill(min(workers), signal.SIGKILL)
    _, said = building.communicate(timeout=60)
    assert building.returncode == 2
    assert "was killed" in last_line(said) and "Traceback" not in said
    assert list((tmp_path / "out").iterdir()) == []


def test_ctrl_c_while_libraries_are_loaded_is_quiet() -> None:
    code = (
        "import os, signal, sys\nfrom datasette_plugins.console import main\n"
        "class Press:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'datasette_plugins.command': os.kill(os.getpid(), signal.SIGINT)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "sys.meta_path.insert(0, Press())\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code, "check"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_a_command_that_reads_does_not_load_what_only_a_build_needs() -> None:
    code = "import sys, datasette_plugins.command; print('spacy' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False\n"


# Where the answer goes.


def test_a_reader_that_has_seen_enough_ends_it_in_silence(tiny_database: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        done = whist("check", "--db", tiny_database, stdout=write)
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, "")


def test_a_closed_output_is_told(tiny_database: Path) -> None:
    done = whist("check", "--db", tiny_database, preexec_fn=lambda: os.close(1))
    assert done.returncode == 2
    assert is_one_sentence(done.stderr)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="has no device that is full")
def test_an_output_that_is_full_is_told(tiny_database: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = whist("check", "--db", tiny_database, stdout=full)
    assert done.returncode == 2
    assert is_one_sentence(done.stderr)
    assert "No space left" in done.stderr


def test_a_name_that_is_no_text_can_be_named(tmp_path: Path, tiny_database: Path) -> None:
    name = tmp_path / os.fsdecode(b"\xff#%41?.db")
    shutil.copy(tiny_database, name)
    assert whist("check", "--db", name, stdout=subprocess.DEVNULL).returncode == 0
    done = whist("check", "--db", os.fsdecode(b"\xfe.db"), stdout=subprocess.PIPE)
    assert (done.returncode, done.stdout) == (2, "")
    assert is_one_sentence(done.stderr)


@pytest.mark.parametrize("words", [["show"], ["search"], ["search", "revoke", "--code"], ["compare"], ["cite"]])
def test_words_that_are_no_text_are_told(tiny_database: Path, words: Sequence[str]) -> None:
    result = CliRunner().invoke(cli, [*words, "law\udcff", "--db", str(tiny_database)])
    assert result.exit_code == 2
    assert "is not UTF-8; type it as text." in result.stderr


# Files that are no knowledge base, or no longer.


def refusals(path: Path, readers: Sequence[Sequence[str]], out: Path) -> list[str]:
    """What each reading command says of a file it cannot read."""
    said = []
    for words in [*readers, ["export", "--json", str(out)], ["export", "--csv", str(out)]]:
        result = CliRunner().invoke(cli, [*words, "--db", str(path)])
        assert isinstance(result.exception, WhistError), (words, result.exception)
        said.append(str(result.exception))
    return said


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("missing", "There is no knowledge base at"),
        ("folder", "There is no knowledge base at"),
        ("name too long", "There is no knowledge base at"),
        ("text", "not a database"),
        ("empty", "is no knowledge base that"),
        ("foreign", "is no knowledge base that"),
        ("another version", "another version"),
        ("cut short", "cannot be read as a knowledge base|is damaged"),
        ("overwritten", "cannot be read as a knowledge base|is damaged"),
    ],
)
def test_what_is_no_whole_knowledge_base_is_told_in_one_sentence(
    tmp_path: Path, tiny_database: Path, kind: str, reason: str
) -> None:
    path = tmp_path / ("w" * 300 if kind == "name too long" else "some.db")
    data = tiny_database.read_bytes()
    if kind == "folder":
        path.mkdir()
    elif kind == "text":
        path.write_text("whist is a game of cards\n" * 100)
    elif kind == "empty":
        path.write_bytes(b"")
    elif kind == "foreign":
        with sqlite3.connect(path) as db:
            db.execute("create table unit(id text)")
    elif kind == "another version":
        shutil.copy(tiny_database, path)
        with sqlite3.connect(path) as db:
            db.execute(f"pragma user_version = {VERSION - 1}")
    elif kind == "cut short":
        path.write_bytes(data[: len(data) // 3])
    elif kind == "overwritten":
        path.write_bytes(data[:4096] + b"whist" * ((len(data) - 4096) // 5))
    for message in refusals(path, READERS, tmp_path / "out"):
        assert re.search(reason, message)
        assert "\n" not in message
        assert message.endswith(".")
    assert not (tmp_path / "out").exists() or list((tmp_path / "out").iterdir()) == []


def test_a_damaged_place_that_cannot_be_quoted_is_told(tmp_path: Path, tiny_database: Path) -> None:
    path = tmp_path / "some.db"
    data = bytearray(tiny_database.read_bytes())
    data[data.index(b"CREATE TABLE 'entry_fts_docsize'") + 1] = 0xC1
    path.write_bytes(data)
    for message in refusals(path, [["check"]], tmp_path / "out"):
        assert "build it again" in message


def test_a_file_damaged_anywhere_is_not_served(tmp_path: Path, tiny_database: Path) -> None:
    path = tmp_path / "some.db"
    data = bytearray(tiny_database.read_bytes())
    with sqlite3.connect(tiny_database) as db:
        (page,) = db.execute("select rootpage from sqlite_master where name = 'sqlite_autoindex_unit_1'").fetchone()
    data[(page - 1) * 4096 : page * 4096] = bytes(4096)
    path.write_bytes(data)
    result = CliRunner().invoke(cli, ["serve", "--db", str(path)])
    assert isinstance(result.exception, WhistError)
    assert "damaged" in str(result.exception)


# Where an export goes.


@pytest.mark.parametrize("kind", ["--json", "--csv", "--tei", "--skos"])
def test_an_export_onto_a_file_is_told_at_once(
    tmp_path: Path, corpus: Path, tiny_database: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    (tmp_path / "file").write_bytes(b"mine")
    monkeypatch.setattr("kb.build.export.make_editions", None)
    words = ["export", kind, str(tmp_path / "file"), "--corpus", str(corpus), "--db", str(tiny_database)]
    result = CliRunner().invoke(cli, words)
    assert isinstance(result.exception, WhistError)
    assert "cannot be written" in str(result.exception)
    assert (tmp_path / "file").read_bytes() == b"mine"


@pytest.mark.parametrize("kind", ["--json", "--csv", "--tei", "--skos"])
def test_an_export_to_a_full_disk_is_told(tmp_path: Path, tiny_corpus: Path, tiny_database: Path, kind: str) -> None:
    code = (
        "import resource, signal\n"
        "from datasette_plugins.console import main\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "main()\n"
    )
    words = ["export", kind, tmp_path / "out", "--corpus", tiny_corpus, "--db", tiny_database]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True)
    assert done.returncode == 2
    assert is_one_sentence(last_line(done.stderr))
    assert "cannot be written" in done.stderr
    assert not any(p.suffix == ".part" for p in (tmp_path / "out").iterdir())


def test_every_command_is_listed_and_found_where_it_stands() -> None:
    listed = cli.list_commands(click.Context(cli))
    assert [command and command.name for command in map(partial(cli.get_command, click.Context(cli)), listed)] == listed
    folder = Path(rooms.__file__ or "").parent
    modules = [import_module(f"kb.cli.{path.stem}") for path in folder.glob("*.py") if path.stem != "__init__"]
    assert {command.name for module in modules for command in getattr(module, "COMMANDS", ())} <= set(listed)


def test_what_the_server_is_kept_from_loading_can_be_loaded_later() -> None:
    told = "import sys; from datasette_plugins.command import _as_if_missing as without\nwith without('colorsys'):\n"
    told += " import datasette_plugins.serving.server\nassert 'colorsys' not in sys.modules\nimport colorsys"
    subprocess.run([sys.executable, "-c", told], check=True)
