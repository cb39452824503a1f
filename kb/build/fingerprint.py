"""Digests of everything a build depends on: the files of the corpus, the code that reads them, and the libraries.

Only the standard library is imported here, so that a build without changes ends at once.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sqlite3
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


def digest(*parts: str) -> str:
    """Return one digest (SHA-256, in hex) of several parts, each with its length, so that no two lists share one."""
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape")
        whole.update(b"%d:" % len(data) + data)
    return whole.hexdigest()


@lru_cache(maxsize=1)
def of_extract() -> str:
    """Return the digest of the code that makes an edition, and of the Python and the libraries it runs on."""
    libraries = [platform.python_implementation(), sys.version, sqlite3.sqlite_version, *map(_version, LIBRARIES)]
    return digest(*libraries, *_sources(Path(extract.__file__ or "").parent))


@lru_cache(maxsize=1)
def of_code() -> str:
    """Return the digest of all code that a build runs, and of what it runs on."""
    return digest(of_extract(), *_sources(Path(kb.__file__ or "").parent))


def of_folder(folder: Path) -> str | None:
    """Return the digest of the paths and contents of all files of a corpus; None if one of them cannot be read."""
    try:
        return digest(*_sources(folder))
    except OSError:
        return None


def of_files(paths: Iterable[Path]) -> str | None:
    """Return the digest of the contents of some files, some of which may be missing; None if one cannot be read."""
    try:
        return digest(*(of_file(path) if os.path.lexists(path) else "" for path in paths))
    except OSError:
        return None


def of_file(path: Path) -> str:
    """Return the digest of one file's contents, of any size (SHA-256, in hex).

    Raises:
        OSError: it cannot be read, or is not a regular file; a pipe would never end.
    """
    if not path.is_file():
        raise OSError(f"{path} is not a file")
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _sources(folder: Path) -> Iterator[str]:
    """Yield the relative path and the digest of each file under a folder, sorted by path, without hidden files."""
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if not path.is_dir() and not any(part[0] == "." or part == "__pycache__" for part in inside.parts):
            yield from (inside.as_posix(), of_file(path))
