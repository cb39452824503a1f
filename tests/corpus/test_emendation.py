"""From a word of the scan to an entry of errata.toml, and through a build to the reading text."""

import re
import shutil
import sqlite3
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import build_database
from terminal import whist

from extract.corpus.errata import read_errata
from extract.errors import BookError
from extract.model import Span
from kb.desk.emendation import KINDS, REASON, MisreadPlace, block, place_at, written
from kb.read import queries
from kb.read.store import open_store


@pytest.fixture
def conn(tiny_database: Path) -> Iterator[sqlite3.Connection]:
    with open_store(tiny_database) as connection:
        yield connection


def places(conn: sqlite3.Connection, unit_id: str) -> list[MisreadPlace]:
    """All places of a unit, in order."""
    unit = queries.unit(conn, unit_id)
    assert place_at(conn, unit, unit.raw_end) is None and place_at(conn, unit, unit.raw_start - 1) is None
    found = {place_at(conn, unit, at) for at in range(unit.raw_start, unit.raw_end)}
    return sorted((p for p in found if p), key=lambda p: p.raw_start)


def test_build_applies_entries_for_many_words(conn: sqlite3.Connection, tiny_corpus: Path, tmp_path: Path) -> None:
    """One word of each law, all kinds in turn; the new text has the readings, and no word takes a second entry."""
    corpus = shutil.copytree(tiny_corpus, tmp_path / "corpus")
    chosen = [
        (f"club-1850/law-{n}", places(conn, f"club-1850/law-{n}")[1 + n % 9], KINDS[n % len(KINDS)], f"other\\{n}")
        for n in range(1, 13)
    ]
    entries = "\n".join(block(conn, place, read, kind, "to be tried") for _, place, kind, read in chosen)
    (corpus / "club-1850" / "errata.toml").write_text(entries, encoding="utf-8")
    with open_store(build_database(corpus, tmp_path / "new.db")) as new:
        edits = {(e.raw_start, e.before): e for e in queries.edits(new, "club-1850", 0, 10**6) if e.source == "editor"}
        assert set(edits) == {(place.raw_start, place.scan) for _, place, *_ in chosen}
        for unit_id, place, kind, read in chosen:
            assert (read in queries.unit(new, unit_id).text) == (kind in ("ocr", "join")), (place, kind)
            (taken,) = (now for now in places(new, unit_id) if now.raw_start == place.raw_start)
            with pytest.raises(BookError, match="change the one with"):
                block(new, taken, "again")


@pytest.mark.parametrize(
    ("read", "kind", "reason", "message"),
    [
        ("{scan}", "ocr", REASON, "is what the scan has"),
        ("{scan}", "typo", REASON, "is what the scan has"),
        ("", "ocr", REASON, "Say what the print has"),
        ("a\x00b", "ocr", REASON, "invisible character"),
        ("other", "ocr", "x" * 501, "longer than 500"),
        ("other", "ocr", "two\nlines", "invisible character"),
    ],
)
def test_rejects_entries_that_a_build_would_reject(
    conn: sqlite3.Connection, read: str, kind: str, reason: str, message: str
) -> None:
    place = places(conn, "club-1850/law-7")[1]
    with pytest.raises(BookError, match=re.escape(message)):
        block(conn, place, read.format(scan=place.scan), kind, reason)


@given(scan=st.text(min_size=1), read=st.text(min_size=1), reason=st.text(min_size=1), at=st.integers(0, 10**7))
def test_any_text_of_a_scan_can_be_written(scan: str, read: str, reason: str, at: int) -> None:
    (entry,) = tomllib.loads(written(at, scan, read, "ocr", reason))["reading"]
    assert entry == {"at": at, "scan": scan, "read": read, "reason": reason}


def test_comment_may_contain_any_context(conn: sqlite3.Connection) -> None:
    place = replace(places(conn, "club-1850/law-1")[1], left="the\x0b\x7f\x01\u2028 ", right="\r\x1b\nscan = 'x'")
    (entry,) = tomllib.loads(block(conn, place, "other"))["reading"]
    assert (entry["scan"], entry["read"]) == (place.scan, "other")


def test_answers_to_suggestions_become_readings_and_confirmed_words(
    tmp_path: Path, tiny_corpus: Path, tiny_database: Path
) -> None:
    corpus, library = shutil.copytree(tiny_corpus, tmp_path / "corpus"), tmp_path / "library.db"
    scan = (corpus / "club-1850" / "scan.txt").read_text("utf-8")
    words = [(m.start(), m.end(), m[0]) for m in re.finditer(r"[a-z]{5,}", scan)][:5]
    with sqlite3.connect(shutil.copy(tiny_database, library)) as conn:
        # The last word comes first, as the likeliest error.
        conn.executemany("insert into suggestion values (?, 'club-1850', ?, ?, ?, 'new', ? / 9.0, 'misread', 'model')",
                         [(n, *word, n) for n, word in enumerate(words)])  # fmt: skip
    whist("suggest", "club-1850", "--ask", "--corpus", corpus, "--db", library, said="y\nr\nn\ne\nother\nq\n")
    errata = read_errata(corpus / "club-1850" / "errata.toml", scan)
    assert ([(e.raw_start, e.after) for e in errata.edits], errata.confirmed) == (
        [(words[1][0], "other"), (words[4][0], "new")],
        (Span(*words[3][:2]),),
    )
