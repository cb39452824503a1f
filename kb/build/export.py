"""Export: the books as TEI P5, the tables and views of the knowledge base as CSV or JSON."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

from lxml import etree

from extract.corpus.book import load_books
from extract.tei import SCHEMA, to_tei, validate
from kb.build.atomic import require_writable, whole_file
from kb.build.editions import Progress, make_editions
from kb.read.store import open_store
from kb.tables.schema import READABLE
from kb.tables.views import VIEWS

COLUMNS = "columns"
"""The name of the file that describes the columns of the others."""


def export_tei(
    corpus: Path, target: Path, *, unaided: bool = False, workers: int | None = None, progress: Progress = print
) -> None:
    """Write each book of a corpus as a TEI file, and the schema beside them.

    Each document is validated before it is written; the first invalid one ends the export.

    Args:
        corpus: the folder of book folders.
        target: the folder to write `<book id>.xml` and `whist-tei.rng` to; it is made if necessary.
        unaided, workers, progress: as for `make_editions`.
    Raises:
        WhistError: a book is invalid or cannot be expressed in TEI, or the folder cannot be written to.
    """
    books = load_books(corpus)
    require_writable(target / SCHEMA.name)
    editions = make_editions(books, unaided=unaided, workers=workers, progress=progress)
    with whole_file(target / SCHEMA.name) as path:
        path.write_bytes(SCHEMA.read_bytes())
    for book, edition in zip(books, editions, strict=True):
        tree = to_tei(book, edition)
        validate(tree)
        with whole_file(target / f"{book.id}.xml") as path:
            path.write_bytes(etree.tostring(tree, encoding="UTF-8", xml_declaration=True))


def export_tables(db: Path, target: Path, form: Literal["csv", "json"]) -> None:
    """Write each table and view for readers as a file, and one that describes their columns.

    Tables come in the order of loading: books by year, units in reading order. As CSV (RFC 4180, UTF-8) an empty field
    is null; as JSON a file is a list of objects, one a line.

    Args:
        db: the knowledge base.
        target: the folder to write to; it is made if necessary.
        form: the format, which is also the ending of the files.
    Raises:
        DatabaseError: the knowledge base cannot be read, or the folder cannot be written to.
    """
    described = [(t.name, c.name, c.note, c.refers) for t in READABLE for c in t.columns]
    described += [(view.name, name, note, None) for view in VIEWS for name, note in view.columns.items()]
    with open_store(db) as conn:
        for name, order in (*((t.name, " order by rowid") for t in READABLE), *((v.name, "") for v in VIEWS)):
            rows = conn.execute(f"select * from [{name}]{order}")
            _write(target / f"{name}.{form}", [column for column, *_ in rows.description], rows)
        _write(target / f"{COLUMNS}.{form}", ("table", "column", "description", "refers"), described)


def _write(file: Path, names: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
    with whole_file(file) as path, path.open("w", encoding="utf-8", newline="") as out:
        if file.suffix == ".csv":
            csv.writer(out).writerows([names])
            csv.writer(out).writerows(rows)
        else:
            lines = (json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) for row in rows)
            out.write("[")
            out.writelines(f"{',' if number else ''}\n{line}" for number, line in enumerate(lines))
            out.write("\n]\n")
