"""Fixtures that all tests share: the corpus, the editions of its books (made once) and the gold."""

import gc
import json
import os
import pickle
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import settings
from samples import copy_files, make_club

from extract.corpus.book import Book, load_books
from extract.edition import make_edition
from extract.model import Edition

# No deadline: the first example may load the lexicon and the machine may be busy. The benchmarks measure time.
settings.register_profile("whist", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "whist"))


def pytest_collection_finish() -> None:
    """Load the word lists before child processes start, and exempt long-lived objects from garbage collection.

    Otherwise each child process loads its own lists; without both the tests take a fifth longer.
    """
    with TemporaryDirectory() as folder:
        make_edition(make_club(Path(folder)))
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 50)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order the tests so that one process builds the knowledge base (20 seconds) while others run tests without it."""
    needing = list(dict.fromkeys(item.path for item in items if "editions" in getattr(item, "fixturenames", ())))
    items.sort(key=lambda item: 1 if item.path not in needing else 0 if item.path == needing[0] else 2)


ROOT = Path(__file__).parent.parent
GOLD = Path(__file__).parent / "gold"


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of the four books."""
    return ROOT / "corpus"


@pytest.fixture(scope="session")
def books(corpus: Path) -> Mapping[str, Book]:
    """The four books by id."""
    return {book.id: book for book in load_books(corpus)}


@pytest.fixture(scope="session")
def editions(books: Mapping[str, Book], run: Path) -> Mapping[str, Edition]:
    """The editions of the four books with the editor's readings, by id."""
    return _editions(books, run, unaided=False)


@pytest.fixture(scope="session")
def unaided(books: Mapping[str, Book], run: Path) -> Mapping[str, Edition]:
    """The editions made without the editor's readings, by id."""
    return _editions(books, run, unaided=True)


def _editions(books: Mapping[str, Book], run: Path, *, unaided: bool) -> dict[str, Edition]:
    """Make the editions, or read those that another worker of this run has made."""
    file = run / f"editions-{unaided}.pickle"
    with FileLock(f"{file}.lock"):
        if not file.exists():
            with ProcessPoolExecutor(2) as pool:
                made = pool.map(partial(make_edition, unaided=unaided), books.values())
                file.write_bytes(pickle.dumps({edition.book_id: edition for edition in made}))
    return pickle.loads(file.read_bytes())  # type: ignore[no-any-return]


@pytest.fixture(scope="session")
def library(corpus: Path, books: Mapping[str, Book], editions: Mapping[str, Edition], run: Path) -> Path:
    """The shipped knowledge base."""
    return _database(corpus, books, editions, run / "library.db", unaided=False)


@pytest.fixture(scope="module")
def shipped(library: Path) -> Iterator[sqlite3.Connection]:
    """A connection to the shipped knowledge base."""
    from kb.read.store import open_store  # here, so that tests of `extract` run without `kb`

    with open_store(library) as conn:
        yield conn


@pytest.fixture(scope="session")
def unaided_library(corpus: Path, books: Mapping[str, Book], unaided: Mapping[str, Edition], run: Path) -> Path:
    """The knowledge base made without the editor's files."""
    return _database(corpus, books, unaided, run / "unaided.db", unaided=True)


def _database(
    corpus: Path, books: Mapping[str, Book], editions: Mapping[str, Edition], target: Path, *, unaided: bool
) -> Path:
    """Write a knowledge base, unless another worker of this run has written it."""
    from kb.build.database import assemble
    from kb.build.knowledge import read_ground

    with FileLock(f"{target}.lock"):
        if not target.exists():
            ground = read_ground(corpus, unaided=unaided)
            assemble([*books.values()], [editions[i] for i in books], ground, target, lambda _: None)
    return target


@pytest.fixture(scope="session")
def gold() -> Callable[[str], list[dict[str, Any]]]:
    """A function that reads the rows of a gold file, as `gold("units.pole-1895")`."""

    def rows(name: str) -> list[dict[str, Any]]:
        text = (GOLD / f"{name}.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines() if line.strip()]

    return rows


@pytest.fixture(scope="session")
def tiny_corpus(tmp_path_factory: pytest.TempPathFactory, corpus: Path) -> Path:
    """A corpus of one very small book, which is built quickly."""
    folder = copy_files(corpus, tmp_path_factory.mktemp("tiny"), "thesaurus.toml", "topics.toml")
    make_club(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_database(tmp_path_factory: pytest.TempPathFactory, tiny_corpus: Path) -> Path:
    """The knowledge base of the tiny corpus."""
    from databases import build_database

    return build_database(tiny_corpus, tmp_path_factory.mktemp("tiny") / "whist.db")
