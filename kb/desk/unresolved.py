"""References that lead nowhere, or not where their author meant: where they stand, and why."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from kb.read import queries, reading
from kb.read.build_cache import cached_per_build
from kb.read.rows import CitationRow, UnitRow, fetch

UNRESOLVED = f"""
select {queries.CITATION}, (
    select group_concat(note, '; ') from (
        select e.note from edit e where e.book_id = c.book_id and e.kind = 'typo'
        and e.raw_start < c.raw_end and e.raw_end > c.raw_start
        union select n.text from editor_note n where n.book_id = c.book_id
        and n.raw_start < c.raw_end and n.raw_end > c.raw_start
    )
)
from citation c where c.status <> 'resolved' order by c.book_id, c.raw_start, c.id
"""
COUNTS = "select book_id, status, count(*) from citation group by 1, 2"
# So many characters of the text are shown on either side of a reference, as far as whole words go.
AROUND = 110
_ENDS = re.compile(r"^\S*\s|\s\S*$")


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A reference with the words around it; `note` is what the editor says of the place, and may be empty.

    A reference of status `slip` leads to what is printed, which is not what the author means.
    """

    cite: CitationRow
    unit: UnitRow
    before: str
    words: str
    after: str
    note: str


@cached_per_build
def unresolved(conn: sqlite3.Connection) -> tuple[Unresolved, ...]:
    """All references that are not resolved as their author meant them, in the order of their books."""
    rows = fetch(conn, lambda *r: (CitationRow(*r[:-1]), str(r[-1] or "")), UNRESOLVED)
    units = queries.units(conn, {cite.from_unit for cite, _ in rows})
    return tuple(_told(conn, cite, units[cite.from_unit], note) for cite, note in rows)


def counts(conn: sqlite3.Connection) -> dict[str, dict[str, int]]:
    """How many references of each status a book has, by book."""
    found: dict[str, dict[str, int]] = {}
    for book, status, n in fetch(conn, lambda *r: r, COUNTS):
        found.setdefault(book, {})[status] = n
    return found


def _told(conn: sqlite3.Connection, cite: CitationRow, unit: UnitRow, note: str) -> Unresolved:
    for paragraph in reading.passage(conn, unit).paragraphs:
        at = [i for i, r in enumerate(paragraph.runs) if r.cite and r.cite.raw_start == cite.raw_start]
        if at:
            texts = [run.text for run in paragraph.runs]
            before, words, after = texts[: at[0]], texts[at[0] : at[-1] + 1], texts[at[-1] + 1 :]
            return Unresolved(cite, unit, _last(before), _flat(words), _first(after), note)
    return Unresolved(cite, unit, "", _flat([cite.raw]), "", note)


def _flat(texts: Sequence[str]) -> str:
    return " ".join("".join(texts).split())


def _last(texts: Sequence[str]) -> str:
    """The end of what stands before a reference, with the blank between them if there is one."""
    flat, gap = _flat(texts), " " if "".join(texts)[-1:].isspace() else ""
    return (flat if len(flat) <= AROUND else "…" + _ENDS.sub("", flat[-AROUND:], count=1)) + gap


def _first(texts: Sequence[str]) -> str:
    flat, gap = _flat(texts), " " if "".join(texts)[:1].isspace() else ""
    return gap + (flat if len(flat) <= AROUND else flat[: flat.rfind(" ", 0, AROUND)] + "…")
