"""The doubtful readings of a book, the machine's and the editor's; the editor's decisions go to errata.toml."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from extract.corpus.errata import read_errata
from kb.build.atomic import locked, whole_file
from kb.read.rows import Statement


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A reading that the machine proposes but is not certain enough to apply; offsets into the scan.

    `confidence` compares it with the present reading in the machine's model and only serves to sort: few of the
    suggestions are right once the editor has taken over the right ones. With the source `editor` it is a question that
    the editor left open (`[[doubt]]`).
    """

    id: int
    raw_start: int
    raw_end: int
    before: str
    after: str
    confidence: float
    note: str
    left: str
    right: str
    unit_id: str | None
    source: str


_DOUBTS = Statement(Suggestion, """
select s.id, s.raw_start, s.raw_end, s.before, s.after, s.confidence, s.note,
  substr(c.text, max(1, s.raw_start - ?2 + 1), min(?2, s.raw_start)),
  substr(c.text, s.raw_end + 1, ?2),
  (select u.id from unit u where u.book_id = s.book_id and u.raw_start <= s.raw_start and u.raw_end >= s.raw_end
   order by u.raw_end - u.raw_start limit 1), s.source
from suggestion s join scan c on c.book_id = s.book_id where s.book_id = ?1
order by s.confidence desc, s.raw_start
""")  # fmt: skip


def doubts(conn: sqlite3.Connection, book_id: str, around: int = 60) -> list[Suggestion]:
    """Return the doubts of a book, those with the highest score first.

    Args:
        conn: the knowledge base.
        book_id: the book.
        around: characters of context on each side.
    """
    return _DOUBTS(conn, book_id, around)


def decide(errata: Path, scan: str, decided: Sequence[Suggestion]) -> None:
    """Add decisions to a book's errata.toml; the new file is checked before it replaces the old one.

    Args:
        errata: the file.
        scan: the scan it refers to.
        decided: the doubts, with the editor's reading in `after`; if that is what the scan has, it confirms the scan.
    Raises:
        BookError: a reading does not fit the scan.
    """
    entries = "".join(
        "\n"
        + (
            confirmation(d.raw_start, d.before)
            if d.after == d.before
            else reading(d.raw_start, d.before, d.after, d.note or "read against the scan")
        )
        for d in decided
    )
    with locked(errata), whole_file(errata) as path:
        old = errata.read_text(encoding="utf-8") if errata.exists() else ""
        path.write_text(old + entries, encoding="utf-8")
        read_errata(path, scan)


def reading(at: int, scan: str, read: str, reason: str) -> str:
    """Return a `[[reading]]` of errata.toml, unchecked: at this offset, `scan` is to be read as `read`."""
    return _table("reading", {"at": at, "scan": scan, "read": read, "reason": reason})


def confirmation(at: int, scan: str) -> str:
    """Return a `[[confirmed]]` of errata.toml, unchecked: at this offset the scan is right."""
    return _table("confirmed", {"at": at, "scan": scan, "reason": "makes sense as scanned"})


def _table(name: str, fields: Mapping[str, int | str]) -> str:
    return f"[[{name}]]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in fields.items())


def _toml(value: int | str) -> str:
    """Return a value in TOML: its basic strings have all escapes of JSON, but DEL must be escaped too."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
