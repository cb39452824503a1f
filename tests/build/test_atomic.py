"""Atomic replacement: valid targets, what is kept of an older file, and what a killed writer leaves."""

import errno
import os
import signal
import socket
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from extract.errors import DatabaseError
from kb.build.atomic import locked, require_writable, whole_file


def write(target: Path, text: bytes = b"new") -> None:
    """Write a whole file."""
    with whole_file(target) as part:
        part.write_bytes(text)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)


NOT_A_FILE = "it is a device, pipe or socket, not a file"
KINDS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "folder": ("it is a folder, not a file", Path.mkdir),
    "pipe": (NOT_A_FILE, os.mkfifo),
    "socket": (NOT_A_FILE, _socket),
    "device": (NOT_A_FILE, lambda path: path.symlink_to("/dev/null")),
    "ring of links": ("", lambda path: path.symlink_to("whist.db")),
    "below a file": ("", lambda path: path.write_bytes(b"") or path / "whist.db"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_rejects_targets_that_are_not_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.chdir(tmp_path)
    why, make = KINDS[kind]
    place = tmp_path / "whist.db"
    target = make(place) or place
    before = place.lstat().st_mode
    with pytest.raises(DatabaseError, match=rf"cannot be written \({why}.*\); choose another place\.$"):
        write(target)
    assert (place.lstat().st_mode, names(tmp_path)) == (before, ["whist.db"])


@pytest.mark.parametrize("exists", [True, False])
def test_link_stays_and_its_target_is_replaced(tmp_path: Path, exists: bool) -> None:
    real, link = tmp_path / "far" / "real.db", tmp_path / "whist.db"
    real.parent.mkdir()
    if exists:
        real.write_bytes(b"old")
    link.symlink_to("far/real.db")
    write(link)
    assert (str(link.readlink()), real.read_bytes()) == ("far/real.db", b"new")
    assert (names(tmp_path), names(real.parent)) == (["far", "whist.db"], ["real.db"])


@pytest.mark.parametrize("mode", [0o640, 0o444])
def test_keeps_the_mode_of_an_older_file(tmp_path: Path, mode: int) -> None:
    target = tmp_path / "whist.db"
    target.write_bytes(b"old")
    target.chmod(mode)
    write(target)
    assert (stat.S_IMODE(target.stat().st_mode), target.read_bytes()) == (mode, b"new")


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600)])
def test_creates_file_and_folder_with_the_mode_of_the_umask(tmp_path: Path, mask: int, mode: int) -> None:
    target, before = tmp_path / "new" / "whist.db", os.umask(mask)
    try:
        write(target)
    finally:
        os.umask(before)
    assert (stat.S_IMODE(target.stat().st_mode), target.read_bytes()) == (mode, b"new")


@pytest.mark.parametrize("name", ["w" * 255, os.fsdecode(b"\xff.db")])
def test_writes_long_and_undecodable_names(tmp_path: Path, name: str) -> None:
    write(tmp_path / name)
    assert names(tmp_path) == [name]
    with pytest.raises(DatabaseError, match=r"cannot be written \(File name too long\)"):
        write(tmp_path / ("w" * 256))


def test_reports_full_disk_and_keeps_the_older_file(tmp_path: Path) -> None:
    (tmp_path / "whist.db").write_bytes(b"old")
    with pytest.raises(DatabaseError, match="No space left"), whole_file(tmp_path / "whist.db") as part:
        part.write_bytes(b"half of a")
        raise OSError(errno.ENOSPC, "No space left on device")
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("whist.db", b"old")]


def test_require_writable_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "whist.db").write_bytes(b"old")
    require_writable(tmp_path / "whist.db")
    require_writable(tmp_path / "other.db")
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("whist.db", b"old")]


# Killed writers and concurrent writers.


@contextmanager
def half_way(target: Path) -> Iterator[Path]:
    """The part file of a writer that stops halfway, and is killed in the end."""
    reader, sender = os.pipe()
    writer = os.fork()
    if not writer:
        with whole_file(target) as part:
            part.write_bytes(b"half of a")
            os.write(sender, os.fsencode(part))
            signal.pause()
    yield Path(os.fsdecode(os.read(reader, 4096)))
    os.kill(writer, signal.SIGKILL)
    os.waitpid(writer, 0)


def test_next_writer_of_a_file_removes_only_remnants_of_killed_writers(tmp_path: Path) -> None:
    with half_way(tmp_path / "whist.db") as part:
        write(tmp_path / "whist.db")
        assert part.read_bytes() == b"half of a"
    write(tmp_path / "other.db")
    assert part.exists()
    write(tmp_path / "whist.db")
    assert names(tmp_path) == ["other.db", "whist.db"]


def test_concurrent_writers_do_not_interfere(tmp_path: Path) -> None:
    target = tmp_path / "whist.db"
    with whole_file(target) as one, whole_file(target) as two:
        one.write_bytes(b"one")
        two.write_bytes(b"two")
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("whist.db", b"one")]


def test_part_removed_before_it_was_locked_is_created_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[Path] = []
    real = Path.open

    def steal(path: Path, *rest: Any, **more: Any) -> Any:
        opened = real(path, *rest, **more)
        if path.suffix == ".part" and not taken:
            taken.append(path)
            path.unlink()
        return opened

    monkeypatch.setattr(Path, "open", steal)
    write(tmp_path / "whist.db")
    assert taken and [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("whist.db", b"new")]


def test_two_writers_that_read_a_file_first_lose_nothing(tmp_path: Path) -> None:
    counted = tmp_path / "counted"
    counted.write_text("0")

    def count_on(_: int) -> None:
        with locked(counted), whole_file(counted) as part:
            part.write_text(str(int(counted.read_text()) + 1))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(count_on, range(40)))
    assert counted.read_text() == "40"
