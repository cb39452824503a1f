"""Export: CSV and JSON files have every row of the database; TEI files are valid and contain the editions."""

import csv
import io
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from samples import make_book, render
from terminal import refusal, whist

from extract.corpus.book import load_books
from extract.edition import make_edition
from extract.errors import TeiError
from extract.tei import SCHEMA, XML_ID, name, xml_id
from kb.build import export
from kb.build.export import export_tables, export_tei
from kb.tables.schema import READABLE
from kb.tables.views import VIEWS

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


def as_text(row: dict[str, Any]) -> dict[str, str]:
    """A row as CSV has it, in which nothing and an empty text are one."""
    return {name: "" if value is None else str(value) for name, value in row.items()}


def test_files_have_every_row_of_tables_and_views_and_describe_the_columns(tiny_database: Path, tmp_path: Path) -> None:
    export_tables(tiny_database, tmp_path, "json")
    export_tables(tiny_database, tmp_path, "csv")
    names = [*(table.name for table in READABLE), *(view.name for view in VIEWS)]
    assert {path.name for path in tmp_path.iterdir()} == {
        f"{n}.{e}" for n in [*names, "columns"] for e in ("csv", "json")
    }
    columns: dict[str, list[str]] = {}
    for row in json.loads((tmp_path / "columns.json").read_text("utf-8")):
        assert row["description"]
        columns.setdefault(row["table"], []).append(row["column"])
    with sqlite3.connect(tiny_database) as conn:
        conn.row_factory = sqlite3.Row
        for table in names:
            rows = [dict(row) for row in conn.execute(f"select * from [{table}]")]
            written = (tmp_path / f"{table}.json").read_text("utf-8")
            assert sorted(json.loads(written), key=repr) == sorted(rows, key=repr)
            assert written.count("\n") == len(rows) + 2
            reader = csv.DictReader(io.StringIO((tmp_path / f"{table}.csv").read_bytes().decode(), newline=""))
            assert sorted(reader, key=repr) == sorted(map(as_text, rows), key=repr)
            assert reader.fieldnames == columns[table]


def test_tei_files_are_valid_and_have_all_units(small: Path, tmp_path: Path) -> None:
    export_tei(small, tmp_path / "out", workers=1)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"small-1850.xml", SCHEMA.name}
    (book,) = load_books(small)
    tree = etree.parse(tmp_path / "out" / "small-1850.xml")
    units = {element.get(XML_ID) for element in tree.iter(name("div"))}
    assert {xml_id(unit.id) for unit in make_edition(book).units} <= units
    assert [ref.get("target") for ref in tree.iter(name("ref"))] == ["#small-1850.law-1"]
    assert f'href="{SCHEMA.name}"' in (tree.getroot().getprevious().text or "")
    assert etree.RelaxNG(etree.parse(tmp_path / "out" / SCHEMA.name)).validate(tree)


def test_does_not_write_invalid_tei(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "to_tei", lambda *_: etree.fromstring("<TEI/>").getroottree())
    with pytest.raises(TeiError, match="does not follow"):
        export_tei(small, tmp_path / "out", workers=1)
    assert [path.name for path in (tmp_path / "out").iterdir()] == [SCHEMA.name]


@pytest.mark.parametrize("kind", ["--json", "--csv", "--tei"])
def test_export_onto_a_file_or_of_nothing_is_refused_at_once(
    tmp_path: Path, small: Path, tiny_database: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    (tmp_path / "file").write_bytes(b"mine")
    monkeypatch.setattr("kb.build.export.make_editions", None)
    assert "cannot be written" in refusal("export", kind, tmp_path / "file", "--corpus", small, "--db", tiny_database)
    assert (tmp_path / "file").read_bytes() == b"mine"
    assert whist("export", "--db", tiny_database).exit_code == 2
    (tmp_path / "empty").mkdir()
    nothing = refusal("export", "--tei", tmp_path / "out", "--corpus", tmp_path / "empty")
    assert "has no books" in nothing and not (tmp_path / "out").exists()
