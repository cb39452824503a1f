"""The editor's open work: open readings of the scans and open judgements, each with its place and the next step."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from kb.desk.check import check
from kb.desk.doubts import doubts
from kb.editorial.completeness import completeness
from kb.editorial.provisions import stale
from kb.read import queries
from kb.read.build_cache import cached_per_build
from kb.read.rows import AuditRow, fetch

ILLEGIBLE = """
select e.book_id, e.raw_start, e.raw_end, e.note from edit e join book b on b.id = e.book_id
where e.kind = 'illegible' order by b.year, b.id, e.raw_start
"""
UNIT_AT = """
select coalesce(u.continues, u.id) from unit u where u.book_id = ? and u.raw_start <= ? and u.raw_end > ?
order by u.raw_end - u.raw_start, u.seq desc limit 1
"""
# The next step for each kind of finding of the numbering audit, the most serious kind first.
_FINDINGS = {
    "gap": "If the scan has the number, misread, add a reading; if the print has none, add it to omits in book.toml.",
    "repeat": "Check which of the two is misread, and add a reading there.",
    "garbled": "Check what the scan has for the number, and add a reading there if it was misread.",
    "dangling": "Check whether the number was misread; if the author is wrong, mark it as his slip.",
    "slip": "Nothing to do, unless a better copy differs.",
}
_PAGE = "If you know where the page begins, add a [[page]] entry; otherwise nothing to do."


@dataclass(frozen=True, slots=True)
class Waiting:
    """One open item: its place, what it is (`told`), and what the editor may do (`step`).

    `at` and `end` are offsets into the scan of `book_id`, if it has a place there; without `end`, `at` is the offset
    of a word. `guess` is a proposed reading, with its evidence in `told`.
    """

    message: str
    step: str
    book_id: str | None = None
    unit_id: str | None = None
    at: int | None = None
    end: int | None = None
    guess: str | None = None


def _open_doubts(conn: sqlite3.Connection) -> Iterator[Waiting]:
    """Yield the doubts of all books, the machine's and the editor's own, those of each book in their order."""
    step = "Add one of the entries."
    for book in queries.books(conn):
        for d in doubts(conn, book.id):
            how = "Find the place in another copy, then add one of the entries." if d.source == "editor" else step
            yield Waiting(d.note, how, book.id, d.unit_id, d.raw_start, d.raw_end, d.after)


def _illegible(conn: sqlite3.Connection) -> Iterator[Waiting]:
    for book, start, end, note in fetch(conn, lambda *row: row, ILLEGIBLE):
        step = "If another copy shows the word, replace the entry with a reading."
        yield Waiting(note, step, book, _unit_at(conn, book, start), start, end)


def _numbering(conn: sqlite3.Connection) -> Iterator[Waiting]:
    """Yield what `whist check` finds in ledgers, numbers and moved ids; pages last, as most only lack a folio."""
    pages: list[Waiting] = []
    for found in check(conn):
        book = found.book_id
        for lost in found.ledger.lost:
            message = "These letters belong to no unit and to no page furniture."
            yield Waiting(message, "Check the parts of book.toml around them.", book, None, *lost)
        for row in sorted(found.findings, key=lambda row: list(_FINDINGS).index(row.finding)):
            if row.series == "references":
                continue
            if row.series == "pages":
                pages.append(_from_audit(conn, book, row, f"Page {row.label}: {row.note}", _PAGE))
            else:
                message = f"{row.label} ({row.series}, {row.finding}): {row.note}"
                yield _from_audit(conn, book, row, message, _FINDINGS[row.finding])
        for n in found.numberings:
            for number in n.missing:
                yield Waiting(f"{n.work}: there is no {n.kind} {n.series}{number}.", _FINDINGS["gap"], book)
        for old, new in found.astray:
            yield Waiting(f"The moved id {old} leads to {new}, which does not exist.", "Correct moved.toml.", book)
    yield from pages


def _from_audit(conn: sqlite3.Connection, book: str, row: AuditRow, message: str, step: str) -> Waiting:
    at = row.raw_start
    return Waiting(message, step, book, None if at is None else _unit_at(conn, book, at), at)


def _stale(conn: sqlite3.Connection) -> Iterator[Waiting]:
    books = {c.id: c.book_id for c in queries.codes(conn)}
    for entry in stale(conn):
        then = " ".join(entry.read.split()) or "the text was not kept"
        message = f"{entry.file}, {entry.entry}. Then: {then} Now: {' '.join(entry.now.split())}"
        work = entry.unit_id.partition("/")[0]
        step = f"Judge all entries on it again, then run `whist judge --keep-texts --again {entry.unit_id}`."
        step = step if entry.read else "Check the entry, then run `whist judge --keep-texts`."
        yield Waiting(message, step, books.get(work, work), entry.unit_id)


def _open_judgements(conn: sqlite3.Connection) -> Iterator[Waiting]:
    left = completeness(conn)
    if left.begun:
        for unit, code in left.open_cells:
            message = f"Nobody has looked for its counterpart in {code}."
            yield Waiting(message, "Link it, or add a [[closed]] entry.", None, unit)
        for facet, code in left.unanswered:
            topic = facet.partition("/")[0]
            message = f"{facet} has no answer for {code}, which is not listed as silent."
            yield Waiting(message, f"Answer it in topics/{topic}.toml.")
        for unit in left.unused:
            step = "Name it in the rests_on of an answer, or add an [[unused]] entry."
            yield Waiting("No answer rests on it.", step, None, unit)
        for unit, count in left.topicless:
            message = f"It belongs to {count} topics." if count else "It belongs to no topic."
            yield Waiting(message, "List it in the members of one to three topics.", None, unit)
        for found in left.contradictory:
            message = f"Its link with {found.b} contradicts the answers to {found.facet}: {found.why}."
            yield Waiting(message, "Correct the letters of the rules, or the link.", None, found.a)


def _unit_at(conn: sqlite3.Connection, book: str, at: int) -> str | None:
    found = fetch(conn, str, UNIT_AT, (book, at, at))
    return found[0] if found else None


def _cached_list(
    of: Callable[[sqlite3.Connection], Iterator[Waiting]],
) -> Callable[[sqlite3.Connection], tuple[Waiting, ...]]:
    return cached_per_build(lambda conn: tuple(of(conn)))


# All open items, list by list.
LISTS: Mapping[str, Callable[[sqlite3.Connection], tuple[Waiting, ...]]] = {
    "doubts": _cached_list(_open_doubts),
    "illegible": _cached_list(_illegible),
    "numbering": _cached_list(_numbering),
    "stale": _cached_list(_stale),
    "open": _cached_list(_open_judgements),
}
