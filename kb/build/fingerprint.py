"""What a build is made of, told by digests: files of the corpus, the code that reads them, the libraries it runs on.

Only the standard library is loaded here, so that a build which has nothing to do is done at once.
"""

from __future__ import annotations

import hashlib
import platform
import sqlite3
import stat
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import extract
import kb

LIBRARIES = (
    "numpy", "pydantic", "PyStemmer", "rapidfuzz", "roman-numerals", "spacy", "sqlite-utils", "symspellpy",
)  # fmt: skip
ASIDE = frozenset({"citing", "cli", "collation", "comparison", "dispute", "evaluation", "search"})
"""Rooms of kb that no build enters; whoever changes one of them need not wait for a build."""
_LARGEST = 64 * 2**20  # bytes; no file of a corpus is larger


def digest(*parts: str | bytes) -> str:
    """One digest (SHA-256, in hex) of several parts, each with its length, so that no two series have the same."""
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        whole.update(b"%d:" % len(data))
        whole.update(data)
    return whole.hexdigest()


@lru_cache(maxsize=1)
def of_extract() -> str:
    """The code that makes an edition of a scan, and the libraries it runs on."""
    return digest(_of_libraries(), *_sources(Path(extract.__file__ or "").parent))


@lru_cache(maxsize=1)
def of_code() -> str:
    """All code that a build runs, and the libraries it runs on."""
    return digest(of_extract(), *_sources(Path(kb.__file__ or "").parent, ASIDE))


def of_folder(folder: Path) -> str | None:
    """The names and contents of all files of a corpus; None if it holds something that cannot be read as a file."""
    try:
        return digest(*_sources(folder, hidden=False))
    except OSError:
        return None


def of_files(paths: Iterable[Path]) -> str | None:
    """The contents of some files, of which some may be missing; None if one cannot be read."""
    try:
        return digest(*(b"" if data is None else b"=" + data for data in map(_contents, paths)))
    except OSError:
        return None


def _of_libraries() -> str:
    """The versions of Python and of what it brings, and of the libraries whose change may change a build."""
    return digest(platform.python_implementation(), sys.version, sqlite3.sqlite_version, *map(_version, LIBRARIES))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _sources(folder: Path, aside: Iterable[str] = (), *, hidden: bool = True) -> Iterator[str | bytes]:
    """The files under a folder, each by its path within it and its contents, in order of paths."""
    skipped = {"__pycache__", *aside}
    pending, found = [folder], list[Path]()
    while pending:
        here = pending.pop()
        for path in here.iterdir():
            if path.is_dir():
                named = path.name in skipped and (here == folder or path.name == "__pycache__")
                if not named and (hidden or not path.name.startswith(".")):
                    pending.append(path)
            elif hidden or not path.name.startswith("."):
                found.append(path)
    for path in sorted(found):
        yield path.relative_to(folder).as_posix()
        yield _contents(path) or b""


def _contents(path: Path) -> bytes | None:
    """What a regular file holds; None if it is not there.

    Raises:
        OSError: it cannot be read, is no regular file, leads nowhere, or is larger than any file of a corpus.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        if path.is_symlink():
            raise
        return None
    if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
        raise OSError(f"{path} is no file of a corpus")
    return path.read_bytes()
