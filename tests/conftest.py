"""What all tests share: the corpus, the editions of its books, made once, and the gold."""

from __future__ import annotations

import gc
import json
import os
import shutil
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from samples import make_club
from shared import Made, once, shared_folder

from extract.corpus.book import Book, load_books
from extract.edition import make_edition
from extract.model import Edition
from kb.build.database import build

# A first example may load the lexicon, and the machine may be busy: time is for the benchmarks to judge.
settings.register_profile("whist", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "whist"))


def pytest_collection_finish() -> None:
    """Spare the collector what lives to the end anyway: modules, tests, word lists; it takes a sixth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 50)


ROOT = Path(__file__).parent.parent
GOLD = Path(__file__).parent / "gold"


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this run share."""
    return shared_folder(tmp_path_factory)


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
    return once(run / "editions.pickle", partial(_editions, books, unaided=False))


@pytest.fixture(scope="session")
def unaided(books: Mapping[str, Book], run: Path) -> Mapping[str, Edition]:
    """The editions that the machine makes without the editor, by id."""
    return once(run / "unaided.pickle", partial(_editions, books, unaided=True))


def _editions(books: Mapping[str, Book], *, unaided: bool) -> dict[str, Edition]:
    slowest_first = sorted(books.values(), key=lambda b: -b.scan_path.stat().st_size)
    with ProcessPoolExecutor(2) as pool:
        editions = pool.map(partial(make_edition, unaided=unaided), slowest_first)
        return {edition.book_id: edition for edition in editions}


@pytest.fixture(scope="session")
def library(corpus: Path, editions: Mapping[str, Edition], run: Path) -> Path:
    """The shipped knowledge base."""
    return once(run / "library.pickle", partial(_database, corpus, editions, run / "library.db", unaided=False))


@pytest.fixture(scope="session")
def unaided_library(corpus: Path, unaided: Mapping[str, Edition], run: Path) -> Path:
    """The knowledge base that the machine makes alone."""
    return once(run / "unaided_library.pickle", partial(_database, corpus, unaided, run / "unaided.db", unaided=True))


def _database(corpus: Path, editions: Mapping[str, Edition], target: Path, *, unaided: bool) -> Path:
    build(corpus, target, unaided=unaided, executor=Made(editions), progress=lambda _: None)
    return target


@pytest.fixture(scope="session")
def gold() -> Callable[[str], list[dict[str, Any]]]:
    """Rows of a gold file, as `gold("units.pole-1895")`."""

    def rows(name: str) -> list[dict[str, Any]]:
        text = (GOLD / f"{name}.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines() if line.strip()]

    return rows


@pytest.fixture(scope="session")
def tiny_corpus(tmp_path_factory: pytest.TempPathFactory, corpus: Path) -> Path:
    """A corpus of one very small book, built in no time."""
    folder = tmp_path_factory.mktemp("tiny")
    for name in ("thesaurus.toml", "topics.toml"):
        shutil.copy(corpus / name, folder)
    make_club(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_database(tmp_path_factory: pytest.TempPathFactory, tiny_corpus: Path) -> Path:
    """The knowledge base of the tiny corpus."""
    target = tmp_path_factory.mktemp("tiny") / "whist.db"
    with ThreadPoolExecutor(1) as threads:
        build(tiny_corpus, target, executor=threads, progress=lambda _: None)
    return target
