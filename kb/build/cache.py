"""What builds have made, kept by the digest of what it was made of, so that it is not made again.

An entry is a file: a line with the digest of the rest, then the rest, which is data (JSON, or a database) and never
code. What is damaged, or was not written whole, is no entry. Two builds may use one folder at once: an entry is
renamed into its place, and whoever makes it a second time writes the same.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PLACE = "WHIST_CACHE"
"""The variable of the environment that names the folder of the cache; empty for none."""
SIZE = "WHIST_CACHE_SIZE"
"""The variable that says to how many megabytes the cache is cut; a large library needs about one for each book."""
LIMIT = 2**30
_HEAD = b"whist cache 1 "
_DIGEST = 64
_ABANDONED = 3600.0  # seconds after which a part is thought to have no writer any more


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder of entries by kind and key.

    `limit`: bytes to which it is cut when a build ends, what was used longest ago going first.
    `reads`: whether entries are asked for; a build that makes all anew only writes them.
    """

    folder: Path
    limit: int = LIMIT
    reads: bool = True

    def get(self, kind: str, key: str) -> bytes | None:
        """An entry; None if there is none, or it is not whole."""
        if not self.reads:
            return None
        path = self._path(kind, key)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        start = len(_HEAD) + _DIGEST + 1
        head, payload = data[:start], data[start:]
        if head != _head(payload):
            with suppress(OSError):
                path.unlink()
            return None
        with suppress(OSError):
            os.utime(path)
        return payload

    def put(self, kind: str, key: str, payload: bytes) -> None:
        """Keep an entry, if there is room."""
        path = self._path(kind, key)
        part = path.with_name(f".{secrets.token_hex(8)}.part")
        try:
            with part.open("wb") as file:
                file.write(_head(payload))
                file.write(payload)
            part.replace(path)
        except OSError:
            with suppress(OSError):
                part.unlink()

    def recall(self, kind: str, key: str | None, make: Callable[[], bytes]) -> bytes:
        """An entry, made and kept if there is none; without a key it is only made."""
        found = self.get(kind, key) if key else None
        if found is None:
            found = make()
            if key:
                self.put(kind, key, found)
        return found

    def trim(self) -> None:
        """Drop what was used longest ago, until the rest is within the limit, and parts whose writers are gone."""
        with suppress(OSError):
            entries = [(path.stat(), path) for path in self.folder.iterdir() if path.is_file()]
            room = self.limit
            for status, path in sorted(entries, key=lambda entry: -entry[0].st_mtime):
                partial = path.name.endswith(".part")
                room -= 0 if partial else status.st_size
                if time.time() - status.st_mtime > _ABANDONED if partial else room < 0:
                    path.unlink(missing_ok=True)

    def _path(self, kind: str, key: str) -> Path:
        return self.folder / f"{kind}-{key}"


def open_cache(*, fresh: bool = False) -> Cache | None:
    """The user's cache: the folder that WHIST_CACHE names, or `whist` where the user's caches are (XDG Base Directory).

    Args:
        fresh: do not read what it has.
    Returns:
        The cache; None if its folder cannot be made, or is one into which others may write.
    """
    named = os.environ.get(PLACE)
    if named == "":
        return None
    try:
        base = os.environ.get("XDG_CACHE_HOME") or ""
        folder = Path(named) if named else (Path(base) if base.startswith("/") else Path.home() / ".cache") / "whist"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    if not is_private(folder):
        return None
    size = os.environ.get(SIZE, "")
    return Cache(folder, int(size) * 1_000_000 if size.isascii() and size.isdecimal() else LIMIT, reads=not fresh)


def is_private(folder: Path) -> bool:
    """Whether a folder is there, and none but the user may write into it."""
    try:
        status = folder.stat()
    except OSError:
        return False
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _head(payload: bytes) -> bytes:
    return _HEAD + hashlib.sha256(payload).hexdigest().encode() + b"\n"
