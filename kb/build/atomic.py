"""Atomic replacement: a file is written beside its target and takes its place when it is whole, or not at all."""

from __future__ import annotations

import fcntl
import hashlib
import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from extract.errors import DatabaseError

_KINDS = (
    (stat.S_ISDIR, "a folder"), (stat.S_ISCHR, "a device"), (stat.S_ISBLK, "a device"), (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)  # fmt: skip
_LONGEST_NAME = 200
JOURNALS = ("-journal", "-wal", "-shm")
"""Endings of the files that SQLite has beside a database while it writes to it."""


@contextmanager
def whole_file(target: Path, beside: Sequence[str] = ()) -> Iterator[Path]:
    """A path to write to, beside the target; it takes the target's place when the block ends well.

    A symbolic link is followed: the link stays, the file it leads to is replaced. An older file's owner and mode are
    kept; a new file has what the umask leaves. What a writer that was killed left behind is removed first: a file
    that is being written is locked, so a lock that can be had tells that its writer is gone.

    Args:
        target: the file to write; its folder is made if need be.
        beside: endings of files that belong to the older file and go with it (SQLite's journals).
    Raises:
        DatabaseError: the place cannot be written to, or something other than a regular file stands there.
    """
    handle = -1
    try:
        aim, old = _aim(target)
        aim.parent.mkdir(parents=True, exist_ok=True)
        _sweep(aim)
        part, handle = _begin(aim)
    except (OSError, RuntimeError) as error:
        raise unwritable(target, error) from error
    try:
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
        _sync_folder(aim.parent)
    except OSError as error:
        raise unwritable(target, error) from error
    finally:
        part.unlink(missing_ok=True)
        os.close(handle)


def require_writable(target: Path) -> None:
    """Try a place before long work.

    Raises:
        DatabaseError: as `whole_file`.
    """
    with suppress(_Tried), whole_file(target):
        raise _Tried


class _Tried(Exception):
    """Leaves `whole_file` without writing."""


def unwritable(target: Path, error: Exception) -> DatabaseError:
    """The error of a place that cannot be written to."""
    reason = getattr(error, "strerror", None) or str(error)
    return DatabaseError(f"{target} cannot be written ({reason}); choose another place.")


def _aim(target: Path) -> tuple[Path, os.stat_result | None]:
    """The file that a target leads to, and what stands there.

    Raises:
        OSError, RuntimeError: the way there is closed, or is a ring of links.
        DatabaseError: it is no regular file.
    """
    aim = target.resolve()
    try:
        old = aim.stat()
    except FileNotFoundError:
        return aim, None
    for is_kind, name in _KINDS:
        if is_kind(old.st_mode):
            raise DatabaseError(f"{target} cannot be written (it is {name}, not a file); choose another place.")
    return aim, old


def _stem(aim: Path) -> str:
    """How the names of the parts of a file begin; a name too long for an addition is told by its digest."""
    name = os.fsencode(aim.name)
    return f".{aim.name if len(name) <= _LONGEST_NAME else hashlib.sha256(name).hexdigest()[:32]}."


def _begin(aim: Path) -> tuple[Path, int]:
    """Make a part and lock it; another writer may take it for a remnant between the two steps, so look again."""
    while True:
        part = aim.with_name(f"{_stem(aim)}{secrets.token_hex(4)}.part")
        try:
            handle = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        except FileExistsError:
            continue
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            if os.fstat(handle).st_nlink:
                return part, handle
        except BaseException:
            part.unlink(missing_ok=True)
            os.close(handle)
            raise
        os.close(handle)


def _sweep(aim: Path) -> None:
    """Remove the parts of this file whose writers are gone."""
    stem = _stem(aim)
    for part in [p for p in aim.parent.iterdir() if p.name.startswith(stem) and p.name.endswith(".part")]:
        with suppress(OSError):
            handle = os.open(part, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                part.unlink(missing_ok=True)
            finally:
                os.close(handle)


def _sync_folder(folder: Path) -> None:
    """Make a rename last; not every file system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
