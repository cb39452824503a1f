"""The command line as a process: signals, closed outputs and damaged files give at most one sentence."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from databases import damaged
from samples import copy_files
from terminal import refusal, until

from datasette_plugins.command import cli
from extract.errors import WhistError
from kb.build.editions import processes
from kb.tables.schema import VERSION

WHIST = [sys.executable, "-c", "from datasette_plugins.console import main; main()"]


def whist(*words: str | bytes | Path, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line as a process of its own."""
    return subprocess.run([*WHIST, *words], stderr=subprocess.PIPE, text=True, **settings)


# Signals.


@pytest.fixture
def building(tmp_path: Path, corpus: Path) -> Iterator[subprocess.Popen[str]]:
    """A running build of two books that take some seconds each, with two workers."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("counts processes in /proc")
    books = ("drayson-1896", "deschapelles-1839")
    files = ("library.toml", "terms.txt", "thesaurus.toml", "topics.toml")
    copy_files(corpus, tmp_path, *files, *books)
    process = subprocess.Popen(
        [*WHIST, "build", "--corpus", tmp_path, "--db", tmp_path / "out" / "whist.db"],
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


def members(group: int) -> set[int]:
    """The processes of a group that still run."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError):
            state, _, member = status.read_text().rpartition(")")[2].split()[:3]
            if int(member) == group and state != "Z":
                found.add(int(status.parent.name))
    return found


@pytest.mark.parametrize(
    ("send", "number", "status"),
    [(os.killpg, signal.SIGINT, 130), (os.kill, signal.SIGTERM, 143)],
    ids=["Ctrl-C for all", "a request to end the build"],
)
def test_signal_ends_build_and_workers_with_one_sentence(
    building: subprocess.Popen[str], tmp_path: Path, send: Callable[[int, int], None], number: int, status: int
) -> None:
    send(building.pid, number)
    _, errors = building.communicate(timeout=30)
    assert (building.returncode, errors.splitlines()[-1]) == (status, "whist: stopped.")
    assert members(building.pid) == set()
    assert list((tmp_path / "out").iterdir()) == []


def test_workers_of_a_killed_build_end_with_it(building: subprocess.Popen[str]) -> None:
    building.kill()
    building.wait()
    assert until(lambda: not members(building.pid), 20)
    assert "whist:" not in building.communicate()[1]


def test_ctrl_c_during_imports_prints_nothing() -> None:
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


# Output.


def test_closed_pipe_ends_the_command_silently(tiny_database: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = whist("show", "club-1850/law-7", "--db", tiny_database, stdout=write)
    os.close(write)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, "")


@pytest.mark.parametrize(
    ("message", "settings"),
    [
        ("", {"preexec_fn": lambda: os.close(1)}),
        ("No space left", {"preexec_fn": lambda: os.dup2(os.open("/dev/full", os.O_WRONLY), 1)}),
    ],
    ids=["closed", "full"],
)
def test_reports_output_that_cannot_be_written(tiny_database: Path, message: str, settings: dict[str, Any]) -> None:
    done = whist("show", "club-1850/law-7", "--db", tiny_database, **settings)
    assert done.returncode == 2 and re.fullmatch(rf"whist: .*{message}.*\.\n", done.stderr)


def test_accepts_file_names_that_are_not_utf8(tmp_path: Path, tiny_database: Path) -> None:
    name = tmp_path / os.fsdecode(b"\xff#%41?.db")
    shutil.copy(tiny_database, name)
    assert whist("show", "club-1850/law-7", "--db", name, stdout=subprocess.DEVNULL).returncode == 0
    done = whist("show", "club-1850/law-7", "--db", os.fsdecode(b"\xfe.db"))
    assert done.returncode == 2 and re.fullmatch(r"whist: .*\.\n", done.stderr)


@pytest.mark.parametrize("words", [["show"], ["search", "revoke", "--code"]])
def test_rejects_arguments_that_are_not_utf8(tiny_database: Path, words: Sequence[str]) -> None:
    result = CliRunner().invoke(cli, [*words, "law\udcff", "--db", str(tiny_database)])
    assert result.exit_code == 2 and "is not valid UTF-8; type it again." in result.stderr


# Files that are not a knowledge base, or are damaged.


DAMAGED = "cannot be read as a knowledge base|is damaged"
INVALID: dict[str, tuple[str, Callable[[bytes], bytes] | None, str]] = {
    "missing": ("none.db", None, "There is no knowledge base at"),
    "folder": (".", None, "There is no knowledge base at"),
    "name too long": ("w" * 300, None, "There is no knowledge base at"),
    "text": ("some.db", lambda _: b"whist is a game of cards\n" * 100, "not a database"),
    "empty": ("some.db", lambda _: b"", "is not a knowledge base made by"),
    "another version": ("some.db", lambda data: data[:60] + (VERSION - 1).to_bytes(4) + data[64:], "another version"),
    "cut short": ("some.db", lambda data: data[: len(data) // 3], DAMAGED),
    "overwritten": ("some.db", lambda data: data[:4096] + b"whist" * ((len(data) - 4096) // 5), DAMAGED),
    "not to be quoted": (
        "some.db", lambda data: re.sub(b"R(?=EATE TABLE 'entry_fts_docsize')", b"\xc1", data),
        "build it again",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", INVALID)
def test_reports_invalid_knowledge_base_in_one_sentence(tmp_path: Path, tiny_database: Path, kind: str) -> None:
    name, damage, reason = INVALID[kind]
    out = tmp_path / "out"
    if damage:
        (tmp_path / name).write_bytes(damage(tiny_database.read_bytes()))
    for words in (
        ["search", "revoke"],
        ["cite", "club-1850/law-7"],
        ["check"],
        ["evaluate"],
        ["export", "--csv", out],
    ):
        error = refusal(*words, "--db", tmp_path / name)
        assert re.search(reason, error) and re.fullmatch(r".*\.", error)
    assert not out.exists() or [*out.iterdir()] == []


def test_damaged_file_is_not_served(tmp_path: Path, tiny_database: Path) -> None:
    (tmp_path / "some.db").write_bytes(damaged(tiny_database))
    assert "damaged" in refusal("serve", "--db", tmp_path / "some.db")


# A process that is killed.


def test_error_ends_workers_that_send_results() -> None:
    with pytest.raises(ZeroDivisionError), processes(2) as pool:
        divmod(len([pool.submit(bytes, 40_000_000) for _ in range(100)][3].result()), 0)


def test_reports_killed_worker() -> None:
    with pytest.raises(WhistError, match="was killed"), processes(2) as pool:
        pool.submit(signal.raise_signal, signal.SIGKILL).result()
