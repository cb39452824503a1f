"""Atomic replacement: what a file's place must be, what is kept of an older file, and what a killed writer leaves."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from extract.errors import DatabaseError
from kb.build.atomic import require_writable, whole_file


def write(target: Path, text: bytes = b"new") -> None:
    """Write a whole file."""
    with whole_file(target) as part:
        part.write_bytes(text)


def _socket(path: Path) -> None:
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)


KINDS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "folder": ("a folder", Path.mkdir),
    "pipe": ("a device, pipe or socket", os.mkfifo),
    "socket": ("a device, pipe or socket", _socket),
    "device": ("a device, pipe or socket", lambda path: path.symlink_to("/dev/null")),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.chdir(tmp_path)
    name, make = KINDS[kind]
    target = tmp_path / "whist.db"
    make(target)
    before = target.stat().st_mode
    with pytest.raises(
        DatabaseError, match=rf"cannot be written \(it is {name}, not a file\); choose another place\.$"
    ):
        write(target)
    assert target.stat().st_mode == before
    assert [p.name for p in tmp_path.iterdir()] == ["whist.db"]


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path: Path) -> None:
    real, link = tmp_path / "far" / "real.db", tmp_path / "whist.db"
    real.parent.mkdir()
    real.write_bytes(b"old")
    link.symlink_to("far/real.db")
    write(link)
    assert str(link.readlink()) == "far/real.db"
    assert real.read_bytes() == b"new"
    assert sorted(p.name for p in (*tmp_path.iterdir(), *real.parent.iterdir())) == ["far", "real.db", "whist.db"]


def test_a_link_that_leads_nowhere_yet_gets_its_file(tmp_path: Path) -> None:
    link = tmp_path / "whist.db"
    link.symlink_to("real.db")
    write(link)
    assert link.is_symlink()
    assert (tmp_path / "real.db").read_bytes() == b"new"


def test_a_ring_of_links_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(DatabaseError, match=r"cannot be written .*choose another place"):
        write(tmp_path / "a")


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444, 0o664])
def test_the_mode_of_an_older_file_is_kept(tmp_path: Path, mode: int) -> None:
    target = tmp_path / "whist.db"
    target.write_bytes(b"old")
    target.chmod(mode)
    write(target)
    assert stat.S_IMODE(target.stat().st_mode) == mode
    assert target.read_bytes() == b"new"


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path: Path, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        write(tmp_path / "whist.db")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "whist.db").stat().st_mode) == mode


def test_the_journals_of_an_older_file_go_with_it(tmp_path: Path) -> None:
    target = tmp_path / "whist.db"
    for name in ("whist.db", "whist.db-journal", "whist.db-wal", "other.db-wal"):
        (tmp_path / name).write_bytes(b"old")
    with whole_file(target, beside=("-journal", "-wal", "-shm")) as part:
        part.write_bytes(b"new")
        assert (tmp_path / "whist.db-wal").exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["other.db-wal", "whist.db"]


@pytest.mark.parametrize("length", [200, 240, 255])
def test_a_long_name_is_written(tmp_path: Path, length: int) -> None:
    write(tmp_path / ("w" * length))
    assert [len(p.name) for p in tmp_path.iterdir()] == [length]


def test_a_name_too_long_is_told(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match=r"cannot be written \(File name too long\)"):
        write(tmp_path / ("w" * 256))


def test_a_name_that_is_no_text_is_written(tmp_path: Path) -> None:
    write(tmp_path / os.fsdecode(b"\xff.db"))
    assert [os.fsencode(p.name) for p in tmp_path.iterdir()] == [b"\xff.db"]


def test_a_folder_closed_to_the_writer_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(DatabaseError, match=r"cannot be written \(Permission denied\); choose another place"):
        write(tmp_path / "whist.db")


def test_a_place_is_tried_without_a_trace(tmp_path: Path) -> None:
    (tmp_path / "whist.db").write_bytes(b"old")
    require_writable(tmp_path / "whist.db")
    require_writable(tmp_path / "other.db")
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("whist.db", b"old")]
    (tmp_path / "folder").mkdir()
    with pytest.raises(DatabaseError):
        require_writable(tmp_path / "folder")


# Writers that are killed, and writers side by side.


def _wait_half_way(target: Path, begun: Any) -> None:
    with whole_file(target) as part:
        part.write_bytes(b"half of a")
        begun.put(part.name)
        signal.pause()


def begin(target: Path) -> tuple[multiprocessing.process.BaseProcess, str]:
    """A writer that waits in the midst, and the name of its part."""
    fork = multiprocessing.get_context("fork")
    begun = fork.SimpleQueue()
    writer = fork.Process(target=_wait_half_way, args=(target, begun))
    writer.start()
    return writer, begun.get()


def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path: Path) -> None:
    writer, part = begin(tmp_path / "whist.db")
    writer.kill()
    writer.join()
    assert (tmp_path / part).exists()
    write(tmp_path / "other.db")
    assert (tmp_path / part).exists()
    write(tmp_path / "whist.db")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["other.db", "whist.db"]


def test_what_another_writer_is_writing_is_left_alone(tmp_path: Path) -> None:
    writer, part = begin(tmp_path / "whist.db")
    try:
        write(tmp_path / "whist.db")
        assert (tmp_path / part).read_bytes() == b"half of a"
    finally:
        writer.kill()
        writer.join()


def test_two_writers_of_one_file_do_not_harm_each_other(tmp_path: Path) -> None:
    target = tmp_path / "whist.db"
    with whole_file(target) as one, whole_file(target) as two:
        one.write_bytes(b"one")
        two.write_bytes(b"two")
    assert target.read_bytes() == b"one"
    assert [p.name for p in tmp_path.iterdir()] == ["whist.db"]


def test_a_part_taken_for_a_remnant_before_it_was_locked_is_begun_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    assert taken
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("whist.db", b"new")]
