"""The build: it writes the same bytes each time, and replaces an older file only when it is complete."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
import sqlite_utils
from databases import build_database
from samples import copy_files, make_club

from extract.edition import make_edition
from extract.errors import BookError, DatabaseError
from extract.model import Edition
from kb.build import load
from kb.build.edited_books import EditedBooks
from kb.build.knowledge import FittedMatcher, read_ground
from kb.questions.fit import fit
from kb.questions.paraphrases import OFF_TOPIC

OLD = b"SQLite format 3\x00: an older knowledge base"
FILES = ("library.toml", "terms.txt", "thesaurus.toml", "topics.toml")
FOUND = "select unit_id from entry_fts join entry on id = entry_fts.rowid where entry_fts match ?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an older knowledge base in it."""
    (tmp_path / "whist.db").write_bytes(OLD)
    return tmp_path


# The same bytes.


def test_same_bytes_with_another_hash_seed(tmp_path: Path, corpus: Path) -> None:
    """The corpus has one of the library's books and a very small one."""
    target = tmp_path / "whist.db"
    small_corpus = copy_files(corpus, tmp_path / "corpus", *FILES, "arnaud-1829")
    make_club(small_corpus)
    code = "import sys, pathlib, kb.build.database as b; b.build(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))"
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    done = subprocess.run(
        [sys.executable, "-c", code, small_corpus, target],
        env={**os.environ, "PYTHONHASHSEED": seed}, cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0 and "2 books" in done.stdout, done.stderr
    assert target.read_bytes() == build_database(small_corpus, tmp_path / "here.db").read_bytes()


# Contents.


def test_tables_are_consistent_and_units_are_found_by_concept_labels(tiny_database: Path) -> None:
    with sqlite3.connect(tiny_database) as db:
        assert db.execute("pragma integrity_check").fetchone() == ("ok",)
        assert db.execute("pragma foreign_key_check").fetchall() == []
        for words in ("revoke tricks", "reneging"):  # a unit is found by every label of its concepts
            assert {(f"club-1850/law-{n}",) for n in range(1, 30)} <= set(db.execute(FOUND, [words]))
        whole = db.execute("select id from unit where continues is null").fetchall()
        assert db.execute("select unit_id from entry order by id").fetchall() == whole
        assert db.execute("select count from word where word = 'revoke'").fetchone() == (29,)


def test_rows_match_the_editions(editions: Mapping[str, Edition], shipped: sqlite3.Connection) -> None:
    for book_id, edition in editions.items():
        expected = {
            "text from scan": [(edition.scan,)],
            "id, raw_start, raw_end, text from unit": [(u.id, u.raw_start, u.raw_end, u.text) for u in edition.units],
            "raw_start, before, after from edit": [(e.raw_start, e.before, e.after) for e in edition.edits],
            "folio, status from page": [(p.folio, p.status) for p in edition.pages],
        }
        for columns, rows in expected.items():
            assert shipped.execute(f"select {columns} where book_id = ? order by rowid", [book_id]).fetchall() == rows


def test_provision_is_found_by_its_gloss_and_those_of_its_paragraphs(tmp_path: Path) -> None:
    book = make_club(tmp_path)
    edition, law = make_edition(book), "club-1850/law-2"
    part = replace(edition.units[-1], id=f"{law}/i", kind="subclause", parent_id=law, role="paragraph")
    whole = EditedBooks([book], [replace(edition, units=(*edition.units, part))], ())
    glosses = {law: "Do not revoke.", part.id: "It costs three.", "no/unit": "Nothing."}
    db = sqlite_utils.Database(memory=True)
    load.write(db, whole, {"gloss": [{"unit_id": i, "words": w} for i, w in glosses.items()]}, {})
    assert db.execute("select unit_id, gloss from entry where gloss > '' order by 1").fetchall() == [
        (law, "Do not revoke. It costs three."), (part.id, "It costs three."),
    ]  # fmt: skip
    assert db.execute("select count(*) from entry_fts where entry_fts match 'gloss : costs'").fetchall() == [(2,)]


def test_questions_changed_since_the_matcher_was_fitted_are_counted(tmp_path: Path, corpus: Path) -> None:
    folder = copy_files(corpus, tmp_path / "corpus", *FILES)
    (folder / "paraphrases").mkdir()
    (folder / "paraphrases" / "off-topic.txt").write_text("# Other games.\n\nWhat is a goal?\n", encoding="utf-8")
    assert read_ground(folder, unaided=False).matcher == FittedMatcher(outdated=1)
    fitted = fit({"revoke/penalty": "What does it cost?"}, {OFF_TOPIC: ("What is a goal?",)})
    (folder / "matcher.npz").write_bytes(fitted)
    assert read_ground(folder, unaided=False).matcher == FittedMatcher(fitted, outdated=1)  # a question is gone
    assert read_ground(folder, unaided=True).matcher == FittedMatcher()


def test_broken_matcher_is_refused_with_what_to_do(tmp_path: Path, corpus: Path) -> None:
    folder = copy_files(corpus, tmp_path / "corpus", *FILES)
    (folder / "matcher.npz").write_bytes(b"PK of another program")
    with pytest.raises(BookError, match=r"matcher\.npz cannot be read; make it anew with `make fit`"):
        read_ground(folder, unaided=False)


# Interrupted builds.


def killed(corpus: Path, target: Path, event: str) -> bool:
    """Build in a child process that is killed at an audit event of the interpreter; whether the event occurred."""
    child = os.fork()
    if not child:
        sys.addaudithook(lambda name, _: os.kill(os.getpid(), signal.SIGKILL) if name == event else None)
        try:
            build_database(corpus, target)
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


@pytest.mark.parametrize("event", ["fcntl.flock", "sqlite3.connect", "os.chmod", "os.rename"])
def test_killed_build_keeps_the_older_file(folder: Path, tiny_corpus: Path, tiny_database: Path, event: str) -> None:
    target = folder / "whist.db"
    assert killed(tiny_corpus, target, event)
    assert target.read_bytes() == OLD
    assert [p.name for p in folder.glob("*.db")] == ["whist.db"]
    assert build_database(tiny_corpus, target).read_bytes() == tiny_database.read_bytes()
    assert [p.name for p in folder.iterdir()] == ["whist.db"]


# Write errors.


def test_reports_full_disk_and_keeps_the_older_file(
    folder: Path, tiny_corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "write", Mock(side_effect=sqlite3.OperationalError("database or disk is full")))
    with pytest.raises(DatabaseError, match=r"cannot be written \(database or disk is full\)"):
        build_database(tiny_corpus, folder / "whist.db")
    assert [(p.name, p.read_bytes()) for p in folder.iterdir()] == [("whist.db", OLD)]


def test_rejects_targets_that_are_not_databases(tmp_path: Path) -> None:
    (scan := tmp_path / "scan.txt").write_text("1. A law of whist.", encoding="utf-8")
    make_club(tmp_path / "corpus")
    with pytest.raises(DatabaseError, match="is not a database"):
        build_database(tmp_path / "corpus", scan)
    assert scan.read_text(encoding="utf-8") == "1. A law of whist."
