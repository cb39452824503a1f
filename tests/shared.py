"""What is made once in a run of the tests, also when several workers share the run."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, TypeVar

import pytest
from filelock import FileLock

from extract.corpus.book import Book
from extract.model import Edition

_T = TypeVar("_T")


def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def once(path: Path, make: Callable[[], _T]) -> _T:
    """What `make` gives: made by the first worker that asks, kept at `path` for the others."""
    with FileLock(f"{path}.lock"):
        if not path.exists():
            part = path.with_suffix(".part")
            part.write_bytes(pickle.dumps(make()))
            part.replace(path)
        made: _T = pickle.loads(path.read_bytes())
        return made


class Made(Executor):
    """An executor for which the editions are made already, so that a build has only to fill the database."""

    def __init__(self, editions: Mapping[str, Edition]) -> None:
        self.editions = editions

    def map(self, fn: Callable[..., Any], *iterables: Iterable[Any], **_: Any) -> Iterator[Any]:
        books: Iterable[Book] = iterables[0]
        return (self.editions[book.id] for book in books)
