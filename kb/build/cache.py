"""What builds have made, cached under the digest of what it was made of.

An entry is a file of compressed JSON: data, and never code. It is renamed into its place, so two builds may share a
folder; an entry that is damaged, or not of the kind asked for, is made again.
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
"""The environment variable that names the cache's folder; empty for no cache."""
SIZE = "WHIST_CACHE_SIZE"
"""The environment variable that limits the cache, in megabytes; a large library needs about one for each book."""
LIMIT = 2**30

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder of entries.

    `limit`: bytes to which it is cut when a build ends; the entries not used for longest go first.
    `reads`: whether entries are read; a build that makes everything anew only writes them.
    """

    folder: Path
    limit: int = LIMIT
    reads: bool = True

    def recall(self, kind: type[_T], made_of: Sequence[str], make: Callable[[], _T]) -> _T:
        """What the code of `extract` makes of some texts: from the cache, or made and cached (`extract.pieces.Recall`).

        Args:
            kind: the class of the result, which pydantic can write as JSON and read back.
            made_of: all texts that the result depends on.
            make: makes it.
        """
        found = self.read(kind, made_of)
        if found is None:
            found = make()
            self.write(kind, made_of, found)
        return found

    def read(self, kind: type[_T], made_of: Sequence[str]) -> _T | None:
        """What was made of some texts; None if it is not cached."""
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
        """An entry; None if there is none, or it is damaged."""
        with suppress(OSError, zlib.error):
            os.utime(self.folder / key)
            return zlib.decompress((self.folder / key).read_bytes()) if self.reads else None
        return None

    def put(self, key: str, data: bytes) -> None:
        """Keep an entry, if there is room."""
        part = self.folder / f".{secrets.token_hex(8)}.part"
        with suppress(OSError):
            try:
                part.write_bytes(zlib.compress(data, 1))
                part.replace(self.folder / key)
            finally:
                part.unlink(missing_ok=True)

    def trim(self) -> None:
        """Delete the files not used for longest until the rest is within the limit; parts of killed writers age too."""
        room = self.limit
        with suppress(OSError):
            entries = [(path.stat(), path) for path in self.folder.iterdir() if path.is_file()]
            for status, path in sorted(entries, key=lambda entry: -entry[0].st_mtime):
                room -= status.st_size
                if room < 0:
                    path.unlink(missing_ok=True)


def open_cache(*, fresh: bool = False) -> Cache | None:
    """The user's cache: the folder that WHIST_CACHE names, or `whist` in the user's cache folder (XDG Base Directory).

    Args:
        fresh: only write to it.
    Returns:
        The cache; None if its folder cannot be made, or if other users may write to it.
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
