"""Export: CSV and JSON files have every row of the database; TEI files are valid and contain the editions."""

import csv
import io
import json
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from samples import make_book, render

from extract.corpus.book import load_books
from extract.edition import make_edition
from extract.errors import BookError, TeiError
from extract.tei import SCHEMA, XML_ID, name, xml_id
from kb.build import export
from kb.build.export import export_csv, export_json, export_tei
from kb.tables.schema import READABLE

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


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A corpus of one small book."""
    folder = tmp_path / "corpus"
    make_book(folder / "small-1850", render(MATTER, "lines"), "lines", PLAN)
    return folder


def rows_of(db: Path, table: str) -> list[dict[str, Any]]:
    with sqlite3.connect(db) as conn:
        conn.row_factory = sqlite3.Row
        return [dict(row) for row in conn.execute(f"select * from [{table}]")]


def exported(write: Callable[..., None], source: Path, out: Path) -> dict[str, bytes]:
    """Export, and return the files by name; each is reported except the one that describes the others."""
    messages = list[str]()
    write(source, out, progress=messages.append)
    files = {path.name: path.read_bytes() for path in out.iterdir()}
    unreported = {name for name in files if not any(f"/{name}: " in line for line in messages)}
    assert unreported in ({"tables.json"}, {"csv-metadata.json"}, {SCHEMA.name})
    return files


def tei_of(small: Path, out: Path, progress: Callable[[str], None] = print) -> None:
    with ThreadPoolExecutor(1) as pool:
        export_tei(small, out, executor=pool, progress=progress)


def test_json_has_every_value_and_one_row_a_line(tiny_database: Path, tmp_path: Path) -> None:
    files = exported(export_json, tiny_database, tmp_path)
    for table in READABLE:
        assert json.loads(files[f"{table.name}.json"]) == rows_of(tiny_database, table.name)
    lines = files["edit.json"].decode().splitlines()
    assert [json.loads(line.rstrip(",")) for line in lines[1:-1]] == rows_of(tiny_database, "edit") != []
    described = json.loads(files["tables.json"])["tables"]
    assert {table["file"] for table in described} == files.keys() - {"tables.json"}


def test_csv_has_every_value_and_a_description(tiny_database: Path, tmp_path: Path) -> None:
    files = exported(export_csv, tiny_database, tmp_path)
    for table in READABLE:
        reader = csv.DictReader(io.StringIO(files[f"{table.name}.csv"].decode(), newline=""))
        assert reader.fieldnames == [column.name for column in table.columns]
        types = {column.name: column.type for column in table.columns}
        found = [{k: types[k](v) if v else None for k, v in row.items()} for row in reader]
        assert found == [
            {k: None if v == "" else v for k, v in row.items()} for row in rows_of(tiny_database, table.name)
        ]
    metadata = json.loads(files["csv-metadata.json"])
    assert metadata["@context"] == "http://www.w3.org/ns/csvw"
    assert {t["url"] for t in metadata["tables"]} == files.keys() - {"csv-metadata.json"}
    (keys,) = [t["tableSchema"]["foreignKeys"] for t in metadata["tables"] if t["url"] == "edit.csv"]
    assert keys == [{"columnReference": "book_id", "reference": {"resource": "book.csv", "columnReference": "id"}}]


def test_tei_files_are_valid_and_have_all_units(small: Path, tmp_path: Path) -> None:
    files = exported(tei_of, small, tmp_path / "out")
    assert files.keys() == {"small-1850.xml", SCHEMA.name}
    (book,) = load_books(small)
    tree = etree.parse(tmp_path / "out" / "small-1850.xml")
    units = {element.get(XML_ID) for element in tree.iter(name("div"))}
    assert {xml_id(unit.id) for unit in make_edition(book).units} <= units
    assert [ref.get("target") for ref in tree.iter(name("ref"))] == ["#small-1850.law-1"]
    assert f'href="{SCHEMA.name}"' in (tree.getroot().getprevious().text or "")
    assert etree.RelaxNG(etree.fromstring(files[SCHEMA.name])).validate(tree)


def test_does_not_write_invalid_tei(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "to_tei", lambda *_: etree.fromstring("<TEI/>").getroottree())
    with pytest.raises(TeiError, match="does not follow"):
        tei_of(small, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == [SCHEMA.name]


def test_rejects_export_without_books(tmp_path: Path) -> None:
    with pytest.raises(BookError, match="has no books"):
        tei_of(tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()
