"""In a large library disputes are settled by an excerpt, and searches look at what matches best."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from kb.dispute import excerpt
from kb.dispute.excerpt import excerpt as made
from kb.dispute.excerpt import index_for
from kb.dispute.hearing import hear
from kb.dispute.index import index_of, load_index
from kb.search import search as searching
from kb.search.search import search

TOLD = (
    "My partner revoked, and the other side have abandoned their hands.",
    "I played a card out of turn and exposed two more.",
    "The dealer gave himself fourteen cards.",
)


@pytest.fixture
def conn(library: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"file:{library}?mode=ro", uri=True)) as conn:
        yield conn


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the four books taken for a large library."""
    for module in ("kb.dispute.excerpt", "kb.search.search"):
        monkeypatch.setattr(f"{module}.is_large", lambda conn: True)


def test_the_four_books_are_held_as_a_whole(conn: sqlite3.Connection) -> None:
    assert not excerpt.is_large(conn)
    assert index_for(conn, TOLD[0]) is index_of(conn)


def test_an_excerpt_of_all_is_the_index_of_all(conn: sqlite3.Connection) -> None:
    every = [unit for (unit,) in conn.execute("select id from unit order by book_id, seq")]
    with closing(made(conn, every)) as part:
        index = load_index(part)
    whole = index_of(conn)
    for told in TOLD:
        found, known = hear(index, told).findings, hear(whole, told).findings
        assert {f.id: (f.code, f.facet) for f in found[:10]} == {f.id: (f.code, f.facet) for f in known[:10]}
        assert [f.score for f in found] == pytest.approx([f.score for f in known], rel=0.01)


@pytest.mark.usefixtures("large")
def test_an_excerpt_finds_what_the_whole_finds_first(conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excerpt, "_CANDIDATES", 60)
    for told in TOLD:
        part = index_for(conn, told)
        assert 0 < len(part.provisions) <= 60 < len(index_of(conn).provisions)
        best = {f.id for f in hear(index_of(conn), told).findings[:10]}
        assert hear(part, told).findings[0].id in best


@pytest.mark.usefixtures("large")
def test_an_excerpt_has_the_code_and_the_provision_that_are_asked_for(conn: sqlite3.Connection) -> None:
    assert {p.code for p in index_for(conn, TOLD[0], ["english-1864"]).provisions.values()} == {"english-1864"}
    paragraph, whole = conn.execute(
        "select id, parent_id from unit where kind = 'subclause' and code_id is not null limit 1"
    ).fetchone()
    assert whole in index_for(conn, "", unit_id=paragraph).provisions
    assert index_for(conn, "").provisions == {}


@pytest.mark.usefixtures("large")
def test_a_search_of_a_large_library_says_what_it_leaves_out(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "FIRST", f"{searching.MATCHED} order by 2 desc limit 20")
    monkeypatch.setattr(searching, "MOST", 20)
    found = search(conn, "card")
    assert 0 < found.total <= 20 and any("library is large" in note for note in found.notes)
    narrowed = search(conn, "card", codes=["english-1864"])
    assert narrowed.total > 20 and not any("library is large" in note for note in narrowed.notes)
    assert not any("library is large" in note for note in search(conn, "bumblepuppist").notes)
