"""How long the database takes to write, and a search in it."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from shared import Made

from extract.model import Edition
from kb.build.database import build
from kb.read.store import open_store
from kb.search.search import search

QUERIES = ("revoke", "card exposed in dealing", '"lead out of turn"', "honours", "who deals after a misdeal", "rovoke")


@pytest.fixture
def conn(library: Path) -> Iterator[sqlite3.Connection]:
    """A connection to it."""
    with open_store(library) as connection:
        yield connection


def test_links_concepts_and_database(
    benchmark: BenchmarkFixture, tmp_path: Path, corpus: Path, editions: Mapping[str, Edition]
) -> None:
    def run() -> None:
        build(corpus, tmp_path / "whist.db", executor=Made(editions), progress=lambda _: None)

    benchmark.pedantic(run, rounds=2)
    assert (tmp_path / "whist.db").stat().st_size > 10**6


def test_search(benchmark: BenchmarkFixture, conn: sqlite3.Connection) -> None:
    queries = itertools.cycle(QUERIES)
    assert benchmark(lambda: search(conn, next(queries))) is not None
