"""Benchmarks of writing the database and of searching it."""

import asyncio
import itertools
import sqlite3
from pathlib import Path

from pytest_benchmark.fixture import BenchmarkFixture

import datasette_plugins
from extract.language.folding import words_of
from kb.build.cache import Cache
from kb.build.database import build
from kb.dispute.adjudication import adjudicate
from kb.dispute.index import index_of
from kb.search.search import search
from kb.tables.canned import QUERIES as CANNED

DISPUTES = (
    "My partner revoked and the trick is turned and quitted. What may they claim?",
    "Fourth hand played before second.",
    "The dealer gave me fourteen cards, and we saw it after the first trick.",
)
RANKED = """
select unit_id from entry_fts join entry on entry.id = entry_fts.rowid where entry_fts match ? order by rank limit 15
"""
QUERIES = ("revoke", "card exposed in dealing", '"lead out of turn"', "honours", "who deals after a misdeal", "rovoke")


def test_build_links_concepts_and_database(
    benchmark: BenchmarkFixture, tmp_path: Path, corpus: Path, library: Path, made_before: Cache
) -> None:
    def run() -> None:
        build(corpus, tmp_path / "whist.db", cache=made_before, progress=lambda _: None)

    benchmark.pedantic(run, rounds=2)
    assert (tmp_path / "whist.db").stat().st_size > 10**6


def test_search(benchmark: BenchmarkFixture, shipped: sqlite3.Connection) -> None:
    queries = itertools.cycle(QUERIES)
    assert benchmark(lambda: search(shipped, next(queries))) is not None


def test_dispute_in_five_codes(benchmark: BenchmarkFixture, shipped: sqlite3.Connection) -> None:
    index, disputes = index_of(shipped), itertools.cycle(DISPUTES)
    assert benchmark(lambda: adjudicate(index, next(disputes), limit=3)).findings


def test_words_of_a_dispute_by_full_text_alone(benchmark: BenchmarkFixture, shipped: sqlite3.Connection) -> None:
    disputes = itertools.cycle(" OR ".join(f'"{word}"' for word in set(words_of(text))) for text in DISPUTES)
    assert benchmark(lambda: shipped.execute(RANKED, (next(disputes),)).fetchall())


def test_page_while_eight_visitors_query_tables(benchmark: BenchmarkFixture, library: Path) -> None:
    datasette = datasette_plugins.instance(library)
    questions = itertools.cycle(f"/{library.stem}/{query.name}" for query in CANNED)

    async def visit() -> None:
        while True:
            await datasette.client.get(next(questions))

    async def page() -> int:
        return int((await datasette.client.get("/english-1864/law-72")).status_code)

    with asyncio.Runner() as runner:
        runner.run(datasette.invoke_startup())
        visitors = [runner.get_loop().create_task(visit()) for _ in range(8)]
        assert benchmark(lambda: runner.run(page())) == 200
        for visitor in visitors:
            visitor.cancel()
