"""Floors under the figures of quality: a regression breaks them. The gold was made by eye (tests/gold/README.md)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.build import build
from kb.check import check
from kb.evaluate import Report, evaluate
from kb.store import open_store

GOLD = Path(__file__).parent / "gold"

# Highest character error rate allowed, in percent: what the machine makes alone, and the shipped edition.
CER = {
    "arnaud-1829": (0.20, 0.05),
    "deschapelles-1839": (0.30, 0.05),
    "drayson-1896": (0.05, 0.02),
    "pole-1895": (0.40, 0.10),
}


@pytest.fixture(scope="module", params=[True, False], ids=["unaided", "edited"])
def measured(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, corpus: Path
) -> tuple[bool, Report]:
    path = tmp_path_factory.mktemp("quality") / "whist.db"
    build(corpus, path, unaided=request.param, progress=lambda _: None)
    with open_store(path) as conn:
        return request.param, evaluate(conn, GOLD)


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory, corpus: Path) -> Iterator[sqlite3.Connection]:
    path = tmp_path_factory.mktemp("shipped") / "whist.db"
    build(corpus, path, progress=lambda _: None)
    with open_store(path) as conn:
        yield conn


def test_few_letters_are_misread(measured: tuple[bool, Report]) -> None:
    unaided, report = measured
    for book, (alone, edited) in CER.items():
        score = report.text[book]
        assert score.figures["CER reading %"] <= (alone if unaided else edited), book
        assert score.read_letters <= score.scan_letters


def test_no_right_word_is_harmed(measured: tuple[bool, Report]) -> None:
    _, report = measured
    assert {book: score.harm for book, score in report.text.items() if score.harm} == {}


def test_units_are_found(measured: tuple[bool, Report]) -> None:
    unaided, report = measured
    missed = {name: units.missed for name, units in report.units.items() if units.found < units.gold}
    if not unaided:
        assert missed == {}
    assert sum(map(len, missed.values())) <= 1
    assert report.pages[0] == report.pages[1] > 150


def test_references_are_resolved(measured: tuple[bool, Report]) -> None:
    unaided, report = measured
    for book, (precision, recall) in report.citations.items():
        assert precision >= 0.99, book
        assert recall >= (0.95 if unaided else 0.99), book


def test_pairs_of_provisions_are_linked(measured: tuple[bool, Report]) -> None:
    _, report = measured
    assert report.links[0] >= 0.6 * report.links[1]


def test_every_law_case_and_decision_is_there_once(shipped: sqlite3.Connection) -> None:
    checks = {c.book_id: c for c in check(shipped)}
    assert all(c.sound and c.ledger.balanced for c in checks.values())
    found = {(n.work, n.kind, n.series): (n.count, n.last) for c in checks.values() for n in c.numberings}
    assert {k: v for k, v in found.items() if k[1] != "commentary"} == {
        ("arnaud-1829", "law", ""): (26, 26),
        ("arnaud-1829", "definition", ""): (32, 0),
        ("deschapelles-1839", "law", ""): (139, 139),
        ("deschapelles-1839", "law", "A"): (9, 9),
        ("deschapelles-1839", "law", "B"): (8, 8),
        ("deschapelles-1839", "law", "C"): (5, 5),
        ("english-1864", "law", ""): (91, 91),
        ("english-1864", "etiquette", ""): (8, 8),
        ("english-1864", "dummy", ""): (3, 3),
        ("american-1893", "law", ""): (40, 40),
        ("american-1893", "etiquette", ""): (9, 9),
        ("american-1894", "law", ""): (39, 39),
        ("drayson-1896", "case", ""): (154, 154),
        ("drayson-1896", "decision", ""): (154, 0),
        ("drayson-1896", "test", ""): (25, 25),
    }


def test_every_article_has_its_commentary(shipped: sqlite3.Connection) -> None:
    rows = shipped.execute("select distinct target_id from explains where unit_id like '%/commentary-%'")
    explained = {target.rpartition("/art-")[2] for (target,) in rows}
    articles = {
        number
        for (number,) in shipped.execute("select number from unit where code_id = 'deschapelles-1839' and kind = 'law'")
    }
    assert {n for n in articles if n.isdigit()} <= explained


def test_the_gold_is_the_one_described() -> None:
    rows = sum(len(p.read_text(encoding="utf-8").splitlines()) for p in GOLD.glob("*.jsonl"))
    assert rows > 700
    assert json.loads((GOLD / "matrix.revoke.json").read_text(encoding="utf-8"))
