"""Export: the books as TEI P5, the tables of the knowledge base as CSV or JSON."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from lxml import etree

from extract.corpus.book import load_books
from extract.tei import SCHEMA, to_tei, validate
from kb.build.atomic import require_writable, whole_file
from kb.build.editions import Progress, make_editions
from kb.read.store import open_store
from kb.tables.schema import READABLE, TableDef

_TYPES = {str: "string", int: "integer", float: "number"}


def export_tei(
    corpus: Path,
    target: Path,
    *,
    unaided: bool = False,
    executor: Executor | None = None,
    progress: Progress = print,
) -> None:
    """Write each book of a corpus as a TEI file, and the schema beside them.

    Each document is validated before it is written; the first invalid one ends the export.

    Args:
        corpus: the folder of book folders.
        target: the folder to write `<book id>.xml` and `whist-tei.rng` to; it is made if necessary.
        unaided: ignore the editor's files.
        executor: where editions are made; by default a pool of processes.
        progress: called with a sentence at each step.
    Raises:
        WhistError: a book is invalid or cannot be expressed in TEI, or the folder cannot be written to.
    """
    books = load_books(corpus)
    require_writable(target / SCHEMA.name)
    progress(f"{len(books)} books")
    editions = make_editions(books, unaided=unaided, executor=executor, progress=progress)
    with whole_file(target / SCHEMA.name) as path:
        path.write_bytes(SCHEMA.read_bytes())
    for book, edition in zip(books, editions, strict=True):
        file = target / f"{book.id}.xml"
        tree = to_tei(book, edition)
        validate(tree)
        with whole_file(file) as path:
            path.write_bytes(etree.tostring(tree, encoding="UTF-8", xml_declaration=True))
        progress(f"{file}: {_size(file)}, {len(edition.units)} units")


def export_csv(db: Path, target: Path, progress: Progress = print) -> None:
    """Write each readable table as a CSV file (RFC 4180, UTF-8), with `csv-metadata.json` to describe them.

    The description follows W3C, *Metadata Vocabulary for Tabular Data* (2015). An empty field is null.

    Args:
        db: the knowledge base.
        target: the folder to write to; it is made if necessary.
        progress: called with a sentence at each step.
    Raises:
        DatabaseError: the knowledge base cannot be read, or the folder cannot be written to.
    """
    _export(db, target, "csv", _write_csv, progress)
    with whole_file(target / "csv-metadata.json") as path:
        _dump({"@context": "http://www.w3.org/ns/csvw", "tables": [_csv_table(t) for t in READABLE]}, path)


def export_json(db: Path, target: Path, progress: Progress = print) -> None:
    """Write each readable table as a JSON file: a list of objects, one per line, with `tables.json` to describe them.

    Args:
        db: the knowledge base.
        target: the folder to write to; it is made if necessary.
        progress: called with a sentence at each step.
    Raises:
        DatabaseError: the knowledge base cannot be read, or the folder cannot be written to.
    """
    _export(db, target, "json", _write_json, progress)
    with whole_file(target / "tables.json") as path:
        _dump({"tables": [_json_table(t) for t in READABLE]}, path)


_Rows = Iterator[tuple[Any, ...]]
_Write = Callable[[Path, list[str], _Rows], None]


def _export(db: Path, target: Path, suffix: str, write: _Write, progress: Progress) -> None:
    with open_store(db) as conn:
        for table in READABLE:
            names = [column.name for column in table.columns]
            file = target / f"{table.name}.{suffix}"
            with whole_file(file) as path:
                write(path, names, _rows(conn, table))
            progress(f"{file}: {_size(file)}")


def _rows(conn: sqlite3.Connection, table: TableDef) -> _Rows:
    """Yield the rows of a table in the order of loading: books by year, units in reading order."""
    columns = ", ".join(f"[{column.name}]" for column in table.columns)
    yield from conn.execute(f"select {columns} from [{table.name}] order by rowid")


def _write_csv(path: Path, names: list[str], rows: _Rows) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(rows)


def _write_json(path: Path, names: list[str], rows: _Rows) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        separator = "["
        for row in rows:
            file.write(f"{separator}\n{json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False)}")
            separator = ","
        file.write("[]\n" if separator == "[" else "\n]\n")


def _csv_table(table: TableDef) -> dict[str, Any]:
    foreign = []
    for column in table.columns:
        if column.refers:
            other, _, key = column.refers.partition(".")
            reference = {"resource": f"{other}.csv", "columnReference": key}
            foreign.append({"columnReference": column.name, "reference": reference})
    return {
        "url": f"{table.name}.csv",
        "dc:description": table.note,
        "tableSchema": {
            "columns": [{"name": c.name, "datatype": _TYPES[c.type], "dc:description": c.note} for c in table.columns],
            "primaryKey": list(table.key),
            "foreignKeys": foreign,
        },
    }


def _json_table(table: TableDef) -> dict[str, Any]:
    return {
        "file": f"{table.name}.json",
        "description": table.note,
        "key": list(table.key),
        "columns": [
            {"name": c.name, "type": _TYPES[c.type], "description": c.note, "refers": c.refers} for c in table.columns
        ],
    }


def _dump(data: Any, path: Path) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _size(file: Path) -> str:
    return f"{file.stat().st_size / 1e3:.0f} kB"
