"""References that lead nowhere, or not where their author meant: their places and the reasons."""

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
# Characters of context on either side of a reference, at most; it is cut between words.
AROUND = 110
_ENDS = re.compile(r"^\S*\s|\s\S*$")


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A reference with the words around it; `note` is the editor's note on the place, if any.

    A reference of status `slip` leads to the printed target, which is not the one the author means.
    """

    cite: CitationRow
    unit: UnitRow
    before: str
    words: str
    after: str
    note: str


@cached_per_build
def unresolved(conn: sqlite3.Connection) -> tuple[Unresolved, ...]:
    """Return all references that do not lead where their author meant, in the order of their books."""
    rows = fetch(conn, lambda *r: (CitationRow(*r[:-1]), str(r[-1] or "")), UNRESOLVED)
    units = queries.units(conn, {cite.from_unit for cite, _ in rows})
    return tuple(_in_context(conn, cite, units[cite.from_unit], note) for cite, note in rows)


def counts(conn: sqlite3.Connection) -> dict[str, dict[str, int]]:
    """Count the references of each status, by book."""
    found: dict[str, dict[str, int]] = {}
    for book, status, n in fetch(conn, lambda *r: r, COUNTS):
        found.setdefault(book, {})[status] = n
    return found


def _in_context(conn: sqlite3.Connection, cite: CitationRow, unit: UnitRow, note: str) -> Unresolved:
    for paragraph in reading.passage(conn, unit).paragraphs:
        at = [i for i, r in enumerate(paragraph.runs) if r.cite and r.cite.raw_start == cite.raw_start]
        if at:
            texts = [run.text for run in paragraph.runs]
            before, words, after = texts[: at[0]], texts[at[0] : at[-1] + 1], texts[at[-1] + 1 :]
            return Unresolved(cite, unit, _end_of(before), _flat(words), _start_of(after), note)
    return Unresolved(cite, unit, "", _flat([cite.raw]), "", note)


def _flat(texts: Sequence[str]) -> str:
    return " ".join("".join(texts).split())


def _end_of(texts: Sequence[str]) -> str:
    """Return the end of the text before a reference, with the space between them if there is one."""
    flat, gap = _flat(texts), " " if "".join(texts)[-1:].isspace() else ""
    return (flat if len(flat) <= AROUND else "…" + _ENDS.sub("", flat[-AROUND:], count=1)) + gap


def _start_of(texts: Sequence[str]) -> str:
    flat, gap = _flat(texts), " " if "".join(texts)[:1].isspace() else ""
    return gap + (flat if len(flat) <= AROUND else flat[: flat.rfind(" ", 0, AROUND)] + "…")
