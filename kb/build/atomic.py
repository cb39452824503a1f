"""Atomic replacement: a file or folder is written beside its target and takes its place when whole, or not at all."""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from extract.errors import DatabaseError, WhistError

JOURNALS = ("-journal", "-wal", "-shm")
"""Endings of the files that SQLite has beside a database while it writes to it."""
_NAMED = 50  # characters of a file's name in the name of its part: a name has 255 bytes at most


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
    try:
        aim, old = target.resolve(), None
        with suppress(FileNotFoundError):
            old = aim.stat()
        if old and not stat.S_ISREG(old.st_mode):
            kind = "a folder" if stat.S_ISDIR(old.st_mode) else "a device, pipe or socket"
            raise DatabaseError(f"{target} cannot be written (it is {kind}, not a file); choose another place.")
        aim.parent.mkdir(parents=True, exist_ok=True)
        _sweep(aim)
        part = aim.with_name(f"{_stem(aim)}{secrets.token_hex(4)}.part")
        lock = part.open("xb")
    except (OSError, RuntimeError) as error:
        raise unwritable(target, error) from error
    try:
        # Should another writer sweep the part away before it is locked, it is made again by the first to write to it.
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


def require_writable(target: Path) -> None:
    """Try a place before long work.

    Raises:
        DatabaseError: as `whole_file`.
    """
    with suppress(_Tried), whole_file(target):
        raise _Tried


class _Tried(Exception):
    """Leaves `whole_file` without writing."""


@contextmanager
def whole_folder(target: Path, mark: str) -> Iterator[Path]:
    """A folder to write to, beside the target; it takes the target's place when the block ends well.

    Between two renames there is for a moment no target; a server that reads then finds nothing, never half a copy.

    Args:
        target: the folder to write.
        mark: the name of a file that every such folder has: what has none and is not empty is somebody else's.
    Raises:
        WhistError: the place cannot be written to, or something else stands there.
    """
    aim = target.resolve()
    if aim.exists() and not (aim.is_dir() and ((aim / mark).is_file() or not any(aim.iterdir()))):
        raise WhistError(f"{target} holds something else than a copy of the library; name an empty folder.")
    try:
        aim.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{aim.name}.", suffix=".part", dir=aim.parent))
    except OSError as error:
        raise unwritable(target, error) from error
    try:
        part = beside / "new"
        part.mkdir()
        yield part
        if aim.exists():
            aim.rename(beside / "old")
        part.rename(aim)
    except OSError as error:
        raise unwritable(target, error) from error
    finally:
        if (beside / "old").exists() and not aim.exists():
            (beside / "old").rename(aim)
        shutil.rmtree(beside, ignore_errors=True)


def unwritable(target: Path, error: Exception) -> DatabaseError:
    """The error of a place that cannot be written to."""
    reason = getattr(error, "strerror", None) or str(error)
    return DatabaseError(f"{target} cannot be written ({reason}); choose another place.")


def _stem(aim: Path) -> str:
    """How the names of the parts of a file begin."""
    return f".{aim.name[:_NAMED]}."


def _sweep(aim: Path) -> None:
    """Remove the parts of this file whose writers are gone."""
    for part in [p for p in aim.parent.iterdir() if p.name.startswith(_stem(aim)) and p.suffix == ".part"]:
        with suppress(OSError), part.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            part.unlink(missing_ok=True)
