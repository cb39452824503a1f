"""Atomic replacement: a file is written beside its target and replaces it when complete, or not at all."""

from __future__ import annotations

import fcntl
import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from extract.errors import DatabaseError

JOURNALS = ("-journal", "-wal", "-shm")
"""Suffixes of the files that SQLite keeps beside a database while it writes to it."""
_NAMED = 50  # characters of the target's name in the name of its part file: a name has 255 bytes at most


@contextmanager
def whole_file(target: Path, beside: Sequence[str] = ()) -> Iterator[Path]:
    """Yield a path beside the target to write to; it replaces the target when the block ends without an error.

    A symbolic link is followed: the link stays, the file it leads to is replaced. An older file's owner and mode are
    kept; a new file's mode depends on the umask. Part files of killed writers are removed first: a writer locks its
    part file, so the writer of an unlocked one is gone.

    Args:
        target: the file to write; its folder is made if necessary.
        beside: suffixes of files that belong to the older file and are deleted with it (SQLite's journals).
    Raises:
        DatabaseError: the path cannot be written to, or exists and is not a regular file.
    """
    try:
        aim, old = target.resolve(), None
        with suppress(FileNotFoundError):
            old = aim.stat()
        if old and not stat.S_ISREG(old.st_mode):
            kind = "a folder" if stat.S_ISDIR(old.st_mode) else "a device, pipe or socket"
            raise DatabaseError(f"{target} cannot be written (it is {kind}, not a file); choose another place.")
        aim.parent.mkdir(parents=True, exist_ok=True)
        _delete_abandoned(aim)
        part = aim.with_name(f"{_part_prefix(aim)}{secrets.token_hex(4)}.part")
        lock = part.open("xb")
    except (OSError, RuntimeError) as error:
        raise unwritable(target, error) from error
    try:
        # If another writer deletes the part before it is locked, it is created again when it is written to.
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield part
        with part.open("rb") as file:
            os.fsync(file.fileno())
        if old:
            with suppress(PermissionError):
                os.chown(part, old.st_uid, old.st_gid)
            part.chmod(stat.S_IMODE(old.st_mode))
        for ending in beside:
            aim.with_name(aim.name + ending).unlink(missing_ok=True)
        part.replace(aim)
    except OSError as error:
        raise unwritable(target, error) from error
    finally:
        part.unlink(missing_ok=True)
        lock.close()


@contextmanager
def locked(target: Path) -> Iterator[None]:
    """Let one process at a time read a file and then replace it; another waits. The lock is on the file's folder.

    Raises:
        DatabaseError: the folder cannot be opened.
    """
    try:
        folder = os.open(target.resolve().parent, os.O_RDONLY)
    except OSError as error:
        raise unwritable(target, error) from error
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def require_writable(target: Path) -> None:
    """Check that a file can be written, before long work.

    Raises:
        DatabaseError: as `whole_file`.
    """
    with suppress(_NotWriting), whole_file(target):
        raise _NotWriting


class _NotWriting(Exception):
    """Leaves `whole_file` without writing."""


def unwritable(target: Path, error: Exception) -> DatabaseError:
    """Return the error for a path that cannot be written to."""
    reason = getattr(error, "strerror", None) or str(error)
    return DatabaseError(f"{target} cannot be written ({reason}); choose another place.")


def _part_prefix(aim: Path) -> str:
    """Return the prefix of the names of a file's part files."""
    return f".{aim.name[:_NAMED]}."


def _delete_abandoned(aim: Path) -> None:
    """Delete the part files of a file whose writers are gone."""
    for part in [p for p in aim.parent.iterdir() if p.name.startswith(_part_prefix(aim)) and p.suffix == ".part"]:
        with suppress(OSError), part.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            part.unlink(missing_ok=True)
