"""Export: tables as CSV and JSON hold what the database holds; TEI files follow their schema and hold the editions."""

from __future__ import annotations

import csv
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import sqlite_utils
from lxml import etree
from samples import make_book, render
from tei_reading import from_tei

from extract.corpus.book import load_books
from extract.edition import make_edition
from extract.errors import BookError, DatabaseError, TeiError
from extract.tei.terms import SCHEMA
from kb.build import export, load
from kb.build.edited_books import EditedBooks
from kb.build.export import export_csv, export_json, export_tei
from kb.tables.schema import TABLES

MATTER = (
    "THE LAWS OF WHIST",
    "1. The dealer must, without delay, deal the cards one by one, and turn the last of them up.",
    "2. A player who revokes forfeits three tricks, as Law 1 has it, to his adversaries.",
)
PLAN = """
[[code]]
id = "small-1850"
title = "Laws"
short = "Laws"
year = 1850
authority = "A Club"

[[part]]
id = "laws"
begins = "THE LAWS OF WHIST"
grammar = "series"
[[part.series]]
label = "{n}."
kind = "law"
slug = "law"
code = "small-1850"

[citations]
[[citations.series]]
words = ["Law"]
target = "small-1850/law-{n}"
default = true
"""


THESAURUS = """
[[concept]]
id = "revoke"
label = "Revoke"
note = "Not following suit when able."
"""
TOPICS = """
[[topic]]
id = "revoke"
label = "The revoke"
note = "What it costs."
concepts = ["revoke"]
"""


def quiet(_: str) -> None:
    """Hear of progress and say nothing."""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of one small book."""
    folder = tmp_path / "corpus"
    make_book(folder / "small-1850", render(MATTER, "lines"), "lines", PLAN)
    (folder / "thesaurus.toml").write_text(THESAURUS, encoding="utf-8")
    (folder / "topics.toml").write_text(TOPICS, encoding="utf-8")
    return folder


@pytest.fixture
def db(corpus: Path, tmp_path: Path) -> Path:
    """A knowledge base of the small book, with a concept in it."""
    books = load_books(corpus)
    concept = {"id": "revoke", "label": 'the "revoke"', "note": "", "broader": None}
    path = tmp_path / "small.db"
    store = sqlite_utils.Database(path)
    load.write(store, EditedBooks(books, [*map(make_edition, books)], ()), {"concept": [concept]}, {})
    store.conn.close()
    return path


def rows_of(db: Path, table: str) -> list[dict[str, Any]]:
    with sqlite3.connect(db) as conn:
        conn.row_factory = sqlite3.Row
        return [dict(row) for row in conn.execute(f"select * from [{table}]")]


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_json_holds_every_row_and_value(db: Path, tmp_path: Path) -> None:
    export_json(db, tmp_path / "out", progress=quiet)
    for table in TABLES:
        found = json.loads((tmp_path / "out" / f"{table.name}.json").read_text(encoding="utf-8"))
        assert found == rows_of(db, table.name)
    assert rows_of(db, "unit")
    assert rows_of(db, "edit")


def test_json_has_one_row_a_line(db: Path, tmp_path: Path) -> None:
    export_json(db, tmp_path / "out", progress=quiet)
    lines = (tmp_path / "out" / "edit.json").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line.rstrip(",")) for line in lines[1:-1]] == rows_of(db, "edit")
    assert json.loads((tmp_path / "out" / "link.json").read_text()) == []


def test_csv_holds_every_row_and_value(db: Path, tmp_path: Path) -> None:
    export_csv(db, tmp_path / "out", progress=quiet)
    for table in TABLES:
        with (tmp_path / "out" / f"{table.name}.csv").open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            assert reader.fieldnames == [column.name for column in table.columns]
            types = {column.name: column.type for column in table.columns}
            found = [{k: types[k](v) if v else None for k, v in row.items()} for row in reader]
        assert found == [{k: None if v == "" else v for k, v in row.items()} for row in rows_of(db, table.name)]


@pytest.mark.parametrize(("write", "name"), [(export_csv, "csv-metadata.json"), (export_json, "tables.json")])
def test_the_tables_are_described(write: Callable[..., None], name: str, db: Path, tmp_path: Path) -> None:
    write(db, tmp_path / "out", progress=quiet)
    told = json.loads((tmp_path / "out" / name).read_text(encoding="utf-8"))["tables"]
    files = {table.get("url") or table["file"] for table in told}
    assert files == {path.name for path in (tmp_path / "out").iterdir()} - {name}


def test_foreign_keys_in_the_description_lead_to_columns_that_are_there(db: Path, tmp_path: Path) -> None:
    export_csv(db, tmp_path / "out", progress=quiet)
    told = json.loads((tmp_path / "out" / "csv-metadata.json").read_text(encoding="utf-8"))
    assert told["@context"] == "http://www.w3.org/ns/csvw"
    columns = {t["url"]: {c["name"] for c in t["tableSchema"]["columns"]} for t in told["tables"]}
    keys = [(t["url"], k) for t in told["tables"] for k in t["tableSchema"]["foreignKeys"]]
    assert keys
    for url, key in keys:
        assert key["columnReference"] in columns[url]
        assert key["reference"]["columnReference"] in columns[key["reference"]["resource"]]


@pytest.mark.parametrize("write", [export_csv, export_json])
def test_the_same_knowledge_base_gives_the_same_bytes(write: Callable[..., None], db: Path, tmp_path: Path) -> None:
    write(db, tmp_path / "one", progress=quiet)
    write(db, tmp_path / "two", progress=quiet)
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")


@pytest.mark.parametrize("write", [export_csv, export_json])
def test_progress_tells_each_table(write: Callable[..., None], db: Path, tmp_path: Path) -> None:
    told: list[str] = []
    write(db, tmp_path / "out", progress=told.append)
    assert [line.rpartition("/")[2].partition(".")[0] for line in told] == [table.name for table in TABLES]


@pytest.mark.parametrize("write", [export_csv, export_json])
def test_bad_places_are_told(write: Callable[..., None], db: Path, tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="no knowledge base"):
        write(tmp_path / "none.db", tmp_path / "out", progress=quiet)
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(DatabaseError, match="cannot be written"):
        write(db, tmp_path / "file", progress=quiet)


def test_tei_files_give_the_editions_back(corpus: Path, tmp_path: Path) -> None:
    told: list[str] = []
    with ThreadPoolExecutor(1) as pool:
        export_tei(corpus, tmp_path / "out", executor=pool, progress=told.append)
    assert bytes_of(tmp_path / "out").keys() == {"small-1850.xml", SCHEMA.name}
    (book,) = load_books(corpus)
    read, made = from_tei(etree.parse(tmp_path / "out" / "small-1850.xml")), make_edition(book)
    assert (read.scan, read.edits, read.units, read.pages) == (made.scan, made.edits, made.units, made.pages)
    assert read.references == made.references
    assert {"small-1850/law-1", "small-1850/law-2"} <= {unit.id for unit in read.units}
    assert [(r.from_unit, r.target_id) for r in read.references] == [("small-1850/law-2", "small-1850/law-1")]
    assert any("small-1850.xml" in line for line in told)


WITHOUT = """
import sys
from pathlib import Path

sys.modules["spacy"] = None  # whoever imports it now fails
from datasette_plugins.console import main

sys.argv[1:] = ["export", "--tei", *sys.argv[1:2], "--corpus", *sys.argv[2:]]
main()
"""


def test_tei_is_written_without_spacy_and_without_a_thesaurus(corpus: Path, tmp_path: Path) -> None:
    for name in ("thesaurus.toml", "topics.toml"):
        (corpus / name).unlink()
    run = [sys.executable, "-c", WITHOUT, str(tmp_path / "out"), str(corpus)]
    subprocess.run(run, check=True, timeout=120)
    assert from_tei(etree.parse(tmp_path / "out" / "small-1850.xml")).references


def test_a_tei_file_follows_the_schema_that_is_beside_it(corpus: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        export_tei(corpus, tmp_path / "out", executor=pool, progress=quiet)
    tree = etree.parse(str(tmp_path / "out" / "small-1850.xml"))
    model = tree.getroot().getprevious()
    assert model is not None
    assert f'href="{SCHEMA.name}"' in (model.text or "")
    assert etree.RelaxNG(etree.parse(str(tmp_path / "out" / SCHEMA.name))).validate(tree)


def test_the_same_corpus_gives_the_same_tei(corpus: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        for name in ("one", "two"):
            export_tei(corpus, tmp_path / name, executor=pool, progress=quiet)
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")


def test_a_document_that_does_not_follow_the_schema_is_not_written(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "to_tei", lambda *_: etree.fromstring("<TEI/>").getroottree())
    with ThreadPoolExecutor(1) as pool, pytest.raises(TeiError, match="does not follow"):
        export_tei(corpus, tmp_path / "out", executor=pool, progress=quiet)
    assert bytes_of(tmp_path / "out").keys() == {SCHEMA.name}


def test_no_books_no_export(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(BookError, match="holds no book"):
        export_tei(tmp_path / "empty", tmp_path / "out", progress=quiet)
    assert not (tmp_path / "out").exists()


def test_a_tei_export_that_cannot_be_written_is_told(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with ThreadPoolExecutor(1) as pool, pytest.raises(DatabaseError, match="cannot be written"):
        export_tei(corpus, tmp_path / "file", executor=pool, progress=quiet)
