"""Digests of what a build is made of: files of the corpus, the code that reads them, and the libraries it runs on.

Only the standard library is loaded here, so that an unchanged build ends at once.
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
    """One digest (SHA-256, in hex) of several parts, each with its length, so that no two series share one."""
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape")
        whole.update(b"%d:" % len(data) + data)
    return whole.hexdigest()


@lru_cache(maxsize=1)
def of_extract() -> str:
    """The code that makes an edition, and the libraries and the Python it runs on."""
    libraries = [platform.python_implementation(), sys.version, sqlite3.sqlite_version, *map(_version, LIBRARIES)]
    return digest(*libraries, *_sources(Path(extract.__file__ or "").parent))


@lru_cache(maxsize=1)
def of_code() -> str:
    """All code that a build runs, and what it runs on."""
    return digest(of_extract(), _version("scikit-learn"), *_sources(Path(kb.__file__ or "").parent))


def of_folder(folder: Path) -> str | None:
    """The names and contents of all files of a corpus; None if it holds something that cannot be read as a file."""
    try:
        return digest(*_sources(folder))
    except OSError:
        return None


def of_files(paths: Iterable[Path]) -> str | None:
    """The contents of some files, some of which may be missing; None if one cannot be read."""
    try:
        return digest(*(of_file(path) if os.path.lexists(path) else "" for path in paths))
    except OSError:
        return None


def of_file(path: Path) -> str:
    """The digest of one file's contents, of whatever size (SHA-256, in hex).

    Raises:
        OSError: it cannot be read, or is no regular file; a pipe would never end.
    """
    if not path.is_file():
        raise OSError(f"{path} is no file")
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _sources(folder: Path) -> Iterator[str]:
    """The files under a folder, each by its path within it and its digest, in order of paths; hidden ones are not."""
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if not path.is_dir() and not any(part[0] == "." or part == "__pycache__" for part in inside.parts):
            yield from (inside.as_posix(), of_file(path))
