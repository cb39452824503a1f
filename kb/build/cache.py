"""Results of builds, cached under the digest of everything they depend on.

An entry is a file of compressed JSON: data, never code. It is written under another name and then renamed, so two
builds may share a folder. An entry that is damaged, or is not of the expected class, is made again.
"""

from __future__ import annotations

import os
import secrets
import stat
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from kb.build import fingerprint

PLACE = "WHIST_CACHE"
"""The environment variable with the cache's folder; if it is empty, nothing is cached."""
SIZE = "WHIST_CACHE_SIZE"
"""The environment variable with the cache's limit in megabytes; a large library needs about one for each book."""
LIMIT = 2**30

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder of entries.

    `limit`: the size in bytes to which it is trimmed when a build ends; the least recently used entries go first.
    `reads`: whether entries are read; a build that makes everything again only writes them.
    """

    folder: Path
    limit: int = LIMIT
    reads: bool = True

    def recall(self, kind: type[_T], made_of: Sequence[str], make: Callable[[], _T]) -> _T:
        """Return a result from the cache, or make and cache it (`extract.pieces.Recall`).

        It may depend only on the given texts and the code of `extract`.

        Args:
            kind: the class of the result, which pydantic can write as JSON and read back.
            made_of: all texts that the result depends on.
            make: makes the result.
        """
        found = self.read(kind, made_of)
        if found is None:
            found = make()
            self.write(kind, made_of, found)
        return found

    def read(self, kind: type[_T], made_of: Sequence[str]) -> _T | None:
        """Return what was made of some texts; None if it is not cached."""
        from pydantic import TypeAdapter, ValidationError

        data = self.get(_key(kind, made_of))
        with suppress(ValidationError):
            return TypeAdapter(kind).validate_json(data) if data else None
        return None

    def write(self, kind: type[_T], made_of: Sequence[str], made: _T) -> None:
        """Cache what was made of some texts."""
        from pydantic import TypeAdapter

        self.put(_key(kind, made_of), TypeAdapter(kind).dump_json(made))

    def get(self, key: str) -> bytes | None:
        """Return an entry; None if there is none, or it is damaged."""
        with suppress(OSError, zlib.error):
            os.utime(self.folder / key)
            return zlib.decompress((self.folder / key).read_bytes()) if self.reads else None
        return None

    def put(self, key: str, data: bytes) -> None:
        """Write an entry; if that fails, it is not cached."""
        part = self.folder / f".{secrets.token_hex(8)}.part"
        with suppress(OSError):
            try:
                part.write_bytes(zlib.compress(data, 1))
                part.replace(self.folder / key)
            finally:
                part.unlink(missing_ok=True)

    def trim(self) -> None:
        """Delete the least recently used files, entries and part files alike, until the rest is within the limit."""
        remaining = self.limit
        with suppress(OSError):
            entries = [(path.stat(), path) for path in self.folder.iterdir() if path.is_file()]
            for status, path in sorted(entries, key=lambda entry: -entry[0].st_mtime):
                remaining -= status.st_size
                if remaining < 0:
                    path.unlink(missing_ok=True)


def open_cache(*, fresh: bool = False) -> Cache | None:
    """Open the user's cache: the folder in WHIST_CACHE, or `whist` in the user's cache folder (XDG Base Directory).

    Args:
        fresh: only write to it.
    Returns:
        The cache; None if WHIST_CACHE is empty, the folder cannot be made, or other users may write to it.
    """
    setting = os.environ.get(PLACE)
    if setting == "":
        return None
    try:
        base = os.environ.get("XDG_CACHE_HOME") or ""
        folder = (
            Path(setting) if setting else (Path(base) if base.startswith("/") else Path.home() / ".cache") / "whist"
        )
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    size = os.environ.get(SIZE, "")
    limit = int(size) * 1_000_000 if size.isascii() and size.isdecimal() else LIMIT
    return Cache(folder, limit, reads=not fresh) if is_private(folder) else None


def is_private(folder: Path) -> bool:
    """Whether a folder exists and only the user may write to it."""
    with suppress(OSError):
        status = folder.stat()
        return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return False


def _key(kind: type[object], made_of: Sequence[str]) -> str:
    return fingerprint.digest(fingerprint.of_extract(), kind.__name__, *made_of)
