"""In a large library searches look at what matches best."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from kb.search import champions
from kb.search import search as searching
from kb.search.catalogue import Catalogue, catalogue_of
from kb.search.querylang import parse
from kb.search.search import search


@pytest.fixture
def conn(library: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"file:{library}?mode=ro", uri=True)) as conn:
        yield conn


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the four books taken for a large library."""
    monkeypatch.setattr(Catalogue, "large", True)


@pytest.mark.usefixtures("large")
def test_a_search_of_a_large_library_says_what_it_leaves_out(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "MOST", 20)
    found = search(conn, "card")
    assert 0 < found.total <= 20 and any("library is large" in note for note in found.notes)
    narrowed = search(conn, "card", codes=["english-1864"])
    assert narrowed.total > 20 and not any("library is large" in note for note in narrowed.notes)
    assert not any("library is large" in note for note in search(conn, "bumblepuppist").notes)


@pytest.fixture
def weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no more than 20 matches weighed whatever their words, and lists of 60."""
    monkeypatch.setattr(champions, "WEIGHED", 20)
    monkeypatch.setattr(champions, "LISTED", 60)
    lists = champions.Champions()
    monkeypatch.setattr(champions, "champions_of", lambda conn: lists)


def exact(conn: sqlite3.Connection, typed: str, most: int, *, every: bool) -> list[tuple[int, float]]:
    return conn.execute(champions.FIRST, (parse(typed).match(every=every), most)).fetchall()


@pytest.mark.usefixtures("weighed")
@pytest.mark.parametrize("typed", ["revoke", "card", "lead", '"exposed card"', "hono*"])
def test_of_one_word_the_best_are_the_best_of_all(conn: sqlite3.Connection, typed: str) -> None:
    for _ in range(2):  # made, and kept
        found = champions.best(conn, parse(typed), 40, every=True)
        assert [score for _, score in found] == [score for _, score in exact(conn, typed, 40, every=True)]


@pytest.mark.usefixtures("weighed")
@pytest.mark.parametrize("every", [True, False])
@pytest.mark.parametrize(
    "typed", ["exposed card", "lead out of turn", "dealer trump card", "card -revoke", "penalty cards"]
)
def test_of_several_words_what_is_found_matches_with_its_true_score(
    conn: sqlite3.Connection, typed: str, every: bool
) -> None:
    query = parse(typed)
    assert champions.best(conn, query, 40, every=every) == exact(conn, typed, 40, every=every)  # no list is there yet
    for term in query.sought:
        champions.champions_of(conn).of(conn, term.fts())
    found = champions.best(conn, query, 40, every=every)
    every_score = dict(exact(conn, typed, 100_000, every=every))
    assert len(found) >= 10 and all(every_score[number] == score for number, score in found)
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    assert found[0][1] == max(every_score.values())
    listed = {n for term in query.sought for n in champions.champions_of(conn).of(conn, term.fts())[0]}
    assert {n for n, _ in found} <= listed or found == exact(conn, typed, 40, every=every)
    assert len({n for n, _ in found[:10]} & {n for n, _ in exact(conn, typed, 10, every=every)}) >= 8


@pytest.mark.usefixtures("weighed")
def test_words_whose_best_places_lie_apart_are_looked_for_everywhere(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(champions, "LISTED", 1)
    query = parse("exposed card")
    for term in query.sought:
        champions.champions_of(conn).of(conn, term.fts())
    assert champions.best(conn, query, 40, every=True) == exact(conn, "exposed card", 40, every=True)


def test_few_matches_are_all_weighed(conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(champions, "champions_of", None)
    assert champions.best(conn, parse("revoke penalty"), 50, every=True) == exact(
        conn, "revoke penalty", 50, every=True
    )


def test_frequent_words_are_listed_before_they_are_asked_for(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(champions, "WEIGHED", 300)
    catalogue = catalogue_of(conn)
    often = champions.frequent(catalogue)
    counts = [catalogue.words[word] for word in often]
    assert "card" in often and "the" not in often and min(counts) > 300 and counts == sorted(counts, reverse=True)
    champions.prepare(conn, catalogue, "card")
    assert champions.champions_of(conn).of(conn, '"card"')[0]
