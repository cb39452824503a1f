"""Benchmarks of the build: the edition of each book, and the database from finished editions."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from extract.corpus.book import Book
from extract.edition import make_edition
from extract.model import Edition
from kb.build.database import assemble
from kb.build.knowledge import read_ground


@pytest.mark.parametrize("book_id", ["arnaud-1829", "deschapelles-1839", "drayson-1896", "pole-1895"])
def test_edition_of_a_book(benchmark: BenchmarkFixture, books: Mapping[str, Book], book_id: str) -> None:
    assert benchmark.pedantic(make_edition, args=(books[book_id],), rounds=3, warmup_rounds=1).units


def test_database_from_editions(
    benchmark: BenchmarkFixture,
    tmp_path: Path,
    corpus: Path,
    books: Mapping[str, Book],
    editions: Mapping[str, Edition],
) -> None:
    made = [editions[i] for i in books]

    def run() -> None:
        assemble([*books.values()], made, read_ground(corpus, unaided=False), tmp_path / "whist.db", lambda _: None)

    benchmark.pedantic(run, rounds=2)
    assert (tmp_path / "whist.db").stat().st_size > 10**6
