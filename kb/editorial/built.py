"""What waits for the editor in a built knowledge base: in the judgements, and in the texts of the books."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from extract.corpus.table import is_work_id
from extract.errors import BookError
from extract.ledger import compute_ledger
from extract.model import Edit
from kb.editorial.judgements import Judgements, Library, library, read_judgements
from kb.editorial.tables import tables
from kb.editorial.waiting import Open, waiting
from kb.read import queries
from kb.read.rows import UNIT, Statement, UnitRow, as_tuple

_LACKS = Statement(as_tuple, "select code_id, kind from lack")
_CODES = Statement(as_tuple, "select id, year, short, book_id from code")
_TOPICS = Statement(str, "select id from topic")
_UNITS = Statement(UnitRow, f"select {UNIT} from unit u")
_FURNITURE = Statement(lambda start, end, text: Edit(start, end, text, "", "furniture", "rule"), """
select raw_start, raw_end, before from edit where book_id = ?1 and kind = 'furniture' order by raw_start
""")  # fmt: skip
_FAULTS = Statement(as_tuple, """
select series, finding, note, label, raw_start from audit
where book_id = ?1 and finding in ('gap', 'repeat') and series <> 'pages' order by id
""")  # fmt: skip


def open_work(conn: sqlite3.Connection, corpus: Path) -> list[Open]:
    """List all that waits for the editor.

    Args:
        conn: a knowledge base built from the corpus.
        corpus: the corpus; the editor's files are read anew.
    Raises:
        BookError: the editor's files have faults; a line for each.
    """
    said, judged = judged_library(conn, corpus)
    return [*gaps(conn, corpus), *waiting(said, judged, tables(said, judged))]


def judged_library(conn: sqlite3.Connection, corpus: Path) -> tuple[Judgements, Library]:
    """Return the editor's judgements, read anew, and the library that they are about.

    Raises:
        BookError: the knowledge base has other books than the corpus, or the editor's files have faults.
    """
    if {book.id for book in queries.books(conn)} != {path.parent.name for path in corpus.glob("*/book.toml")}:
        raise BookError(f"The knowledge base was not built from {corpus}; build it again, or name its --corpus DIR.")
    return read_judgements(corpus), library_of(conn)


def library_of(conn: sqlite3.Connection) -> Library:
    """Return what the editor's judgements are about, as a knowledge base has it."""
    lacks = defaultdict(set)
    for code, kind in _LACKS(conn):
        lacks[code].add(kind)
    return library(_CODES(conn), lacks, _UNITS(conn), _TOPICS(conn))


def gaps(conn: sqlite3.Connection, corpus: Path) -> Iterator[Open]:
    """Yield what is missing in the books: text in no unit, numbers that are missing or repeated, ids without a year."""
    works = [(book.id, book.id) for book in queries.books(conn)]
    for work, printed_in in works + [(code.id, code.book_id) for code in queries.codes(conn)]:
        if not is_work_id(work):
            what = f"{work}: its pages cannot be opened; the id must begin with a letter and end in -YEAR, change it"
            yield Open(str(corpus / printed_in / "book.toml"), 0, "gap", what)
    for book in queries.books(conn):
        path = str(corpus / book.id / "scan.txt")
        facts = queries.scan_facts(conn, book.id)
        scan = queries.scan(conn, book.id, 0, facts[1] if facts else 0)
        units = queries.units_of_book(conn, book.id)
        furniture = _FURNITURE(conn, book.id)
        ledger = compute_ledger(scan, units, furniture)
        if not ledger.balanced:
            start = next((start for start, _ in ledger.lost), 0)
            yield Open(
                path, _line(scan, start), "gap", "some text is in no unit, or in two; correct the parts in book.toml"
            )
        for (series, finding, note), found in groupby(_FAULTS(conn, book.id), lambda row: row[:3]):
            rows = [*found]
            numbers = ", ".join(dict.fromkeys(row[3] for row in rows))
            omitted = ", or to `omits` in book.toml if the print leaves it out" if finding == "gap" else ""
            what = f"{series} {numbers}: {note}; add a reading of the number to errata.toml{omitted}"
            yield Open(path, _line(scan, rows[0][4]), "gap", what)


def _line(scan: str, offset: int | None) -> int:
    return 0 if offset is None else scan.count("\n", 0, offset) + 1
