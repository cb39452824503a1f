"""The private places of builds that are served: folders that are gone when their server is, however it ended.

A folder is locked while its server lives. The system gives the lock back even of a process that was killed, so a lock
that can be had tells the next server that the folder is a remnant. (SQLite opens files by their names, one connection a
thread: a file whose name is removed as soon as it is open would be found by the first connection only.)
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

_PREFIX = "whist-serve-"


class Place:
    """A folder of its own, removed when it is closed.

    Raises:
        OSError: none can be made.
    """

    def __init__(self) -> None:
        while True:
            self.folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
            with suppress(FileNotFoundError):  # another server may have swept it away before it was locked
                self._lock = _open(self.folder)
                fcntl.flock(self._lock, fcntl.LOCK_EX)
                if self.folder.is_dir():
                    return
                os.close(self._lock)

    def close(self) -> None:
        """Remove the folder with all that is in it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.close(self._lock)


def sweep() -> None:
    """Remove the folders whose servers are gone."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):  # somebody else's, or in use
            lock = _open(folder)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder)
            finally:
                os.close(lock)


def _open(folder: Path) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
