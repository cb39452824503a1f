"""Benchmarks of one book, its stages and the text layer; `make bench` runs them, the tests never do."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from bad_scans import MUTATIONS, outcome, pieces, whole
from pytest_benchmark.fixture import BenchmarkFixture

from extract.corpus.book import Book
from extract.edition import make_edition
from extract.model import Edition, Span
from extract.numbering.numerals import readings
from extract.numbering.sequence import Candidate, decode
from extract.pages.folio import decode_folios
from extract.pages.furniture import find_furniture
from extract.pages.inline_furniture import find_inline_furniture
from extract.pages.markdown_furniture import find_markdown_furniture
from extract.segment.outline import working_text
from extract.segment.segmentation import outline
from extract.text.lines import split_lines
from extract.text.textlayer import TextLayer

FIND = {
    "arnaud-1829": find_markdown_furniture,
    "deschapelles-1839": find_furniture,
    "drayson-1896": find_furniture,
    "pole-1895": find_inline_furniture,
}
LONGEST = "deschapelles-1839"


@pytest.mark.parametrize("book_id", FIND)
def test_build_of_one_book(benchmark: BenchmarkFixture, books: Mapping[str, Book], book_id: str) -> None:
    assert benchmark.pedantic(make_edition, args=(books[book_id],), rounds=3, warmup_rounds=1).units


def test_build_after_a_reading_was_edited(benchmark: BenchmarkFixture, books: Mapping[str, Book]) -> None:
    known: dict[str, Any] = {}

    def recall(kind: str, made_of: Sequence[str], make: Callable[[], Any]) -> Any:
        if kind not in known:
            known[kind] = make()
        return known[kind]

    run = partial(make_edition, books[LONGEST], recall=recall)
    assert benchmark.pedantic(run, rounds=3, warmup_rounds=1).units


@pytest.mark.parametrize("read", ["107", "3I", "loi", "xiv", "1 8"])
def test_numeral_readings(benchmark: BenchmarkFixture, read: str) -> None:
    assert benchmark(readings.__wrapped__, read, 1200, str, 1.5) is not None


@pytest.mark.parametrize("book_id", FIND)
def test_furniture_and_folios(benchmark: BenchmarkFixture, editions: Mapping[str, Edition], book_id: str) -> None:
    assert len(benchmark(FIND[book_id], editions[book_id].scan).pages) > 40


@pytest.mark.parametrize("book_id", FIND)
def test_segmentation(
    benchmark: BenchmarkFixture, books: Mapping[str, Book], editions: Mapping[str, Edition], book_id: str
) -> None:
    book, edition = books[book_id], editions[book_id]

    def run() -> int:
        return len(outline(working_text(edition.scan, edition.edits, edition.pages, book.layout or "lines"), book))

    assert benchmark.pedantic(run, rounds=3, warmup_rounds=1) > 100


@pytest.mark.parametrize("labels", [100, 400])
def test_decode_numbering(benchmark: BenchmarkFixture, labels: int) -> None:
    noise = random.Random(1)
    reads = [str(n).replace("1", noise.choice("1iIl")) for n in range(1, labels + 1)]
    candidates = [Candidate(100 * i, 100 * i + len(r), r) for i, r in enumerate(reads)]
    found = benchmark.pedantic(decode, args=(candidates, 3 * labels), rounds=3, warmup_rounds=1)
    assert [x.number for x in found] == list(range(1, labels + 1))


@pytest.mark.parametrize("pages", [100, 400])
def test_decode_folios(benchmark: BenchmarkFixture, pages: int) -> None:
    candidates = [Candidate(1500 * n, 1500 * n + 3, str(n).replace("1", "i"), 0.3) for n in range(1, pages + 1)]
    assert len(benchmark.pedantic(decode_folios, args=(candidates,), rounds=3, warmup_rounds=1)) >= 0.99 * pages


def test_text_layer_of_a_book(benchmark: BenchmarkFixture, editions: Mapping[str, Edition]) -> None:
    edition = editions[LONGEST]
    assert benchmark(lambda: TextLayer(edition.scan, edition.edits).reading)


@pytest.fixture
def layer(editions: Mapping[str, Edition]) -> TextLayer:
    return TextLayer(editions[LONGEST].scan, editions[LONGEST].edits)


def test_read_every_unit(benchmark: BenchmarkFixture, editions: Mapping[str, Edition], layer: TextLayer) -> None:
    assert benchmark(lambda: sum(len(layer.read(u.raw_start, u.raw_end)) for u in editions[LONGEST].units))


def test_map_reading_text_to_scan(benchmark: BenchmarkFixture, layer: TextLayer) -> None:
    places = range(0, len(layer.reading) - 20, 100)
    assert benchmark(lambda: [layer.to_scan(Span(at, at + 20)) for at in places])


def test_split_lines(benchmark: BenchmarkFixture, editions: Mapping[str, Edition]) -> None:
    assert len(benchmark(split_lines, editions[LONGEST].scan)) > 5000


# Every mutation, on three pieces of the books and on the beginning of one whole book; this takes some minutes.

TAKEN = 3
SLOWEST = 90.0  # seconds


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
    assert benchmark.stats.stats.max < SLOWEST
