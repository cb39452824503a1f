"""Every mutation on three pieces of the books and on one whole plan: run by `make bench`, some minutes long."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest
from bad_scans import MUTATIONS, outcome, pieces, whole
from pytest_benchmark.fixture import BenchmarkFixture

from extract.corpus.book import Book

TAKEN = 3
LONGEST = 90.0


@pytest.mark.parametrize("mutation", MUTATIONS)
@pytest.mark.parametrize("turn", range(TAKEN + 1))
def test_bad_scan(
    benchmark: BenchmarkFixture, tmp_path: Path, books: Mapping[str, Book], mutation: str, turn: int
) -> None:
    noise = random.Random(mutation)
    small = pieces(books)
    if turn < TAKEN:
        book, text = small[noise.sample(sorted(small), TAKEN)[turn]]
    else:
        book, text = whole(books[noise.choice(sorted(books))])
    assert benchmark.pedantic(outcome, args=(book, text, mutation, turn, tmp_path / book.id), rounds=1)
    assert benchmark.stats.stats.max < LONGEST
