"""The books' commentary on provisions, prepared for display beside them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

from kb.read import queries, reading
from kb.read.build_cache import cached_per_build
from kb.read.reading import TextParagraph
from kb.read.rows import UNIT, UnitRow, fetch

BOOKS = """
select distinct u.book_id from unit t join explains x on x.target_id = t.id join unit u on u.id = x.unit_id
where t.code_id = ? order by u.book_id
"""
EXPLAINING = f"""
select {UNIT} from unit u where u.book_id = ? and u.id in (select unit_id from explains) and u.continues is null
order by u.seq
"""
TARGETS = """
select x.unit_id, x.target_id from unit u join explains x on x.unit_id = u.id join unit t on t.id = x.target_id
where u.book_id = ? order by t.book_id, t.seq
"""
# A commentary opens with as many paragraphs as make this many characters; the rest is folded.
OPENING = 300


@dataclass(frozen=True, slots=True)
class Commentary:
    """A unit that explains others (`explains`, by id): its opening paragraphs, and the rest.

    `words_left` is the number of words in `rest`.
    """

    unit: UnitRow
    explains: tuple[str, ...]
    opening: tuple[TextParagraph, ...]
    rest: tuple[TextParagraph, ...]
    words_left: int


def commentaries(conn: sqlite3.Connection, units: Iterable[UnitRow]) -> Iterator[Commentary]:
    """Yield units that explain others as commentaries, for display beside these."""
    for u in units:
        yield _of_book(conn, u.book_id).get(u.id) or _beside(u, reading.passage(conn, u).paragraphs, ())


@cached_per_build
def _of_book(conn: sqlite3.Connection, book: str) -> Mapping[str, Commentary]:
    """Return the commentaries of a book by unit id, in reading order."""
    targets: dict[str, list[str]] = {}
    for unit_id, target in fetch(conn, lambda *r: (str(r[0]), str(r[1])), TARGETS, (book,)):
        targets.setdefault(unit_id, []).append(target)
    units = fetch(conn, UnitRow, EXPLAINING, (book,))
    if not units:
        return {}
    source = reading.source(conn, book, min(u.raw_start for u in units), max(u.raw_end for u in units))
    further = queries.going_on(conn, book)
    read = ((u, reading.passage(conn, u) if u.id in further else reading.read(source, u)) for u in units)
    return {u.id: _beside(u, text.paragraphs, targets.get(u.id, ())) for u, text in read}


def _beside(unit: UnitRow, paragraphs: tuple[TextParagraph, ...], explains: Iterable[str]) -> Commentary:
    lengths = list(accumulate(len(p.text) for p in paragraphs))
    cut = 1 + next((i for i, length in enumerate(lengths) if length >= OPENING), len(lengths))
    left = sum(len(p.text.split()) for p in paragraphs[cut:])
    return Commentary(unit, tuple(explains), paragraphs[:cut], paragraphs[cut:], left)


def by_target(conn: sqlite3.Connection, code: str) -> Mapping[str, tuple[Commentary, ...]]:
    """Return the commentaries on a code by the id of the provision; those on a paragraph under its provision too."""
    found: dict[str, tuple[Commentary, ...]] = {}
    every = [c for book in fetch(conn, str, BOOKS, (code,)) for c in _of_book(conn, book).values()]
    parents = {u.id: u.parent_id for u in queries.units(conn, {t for c in every for t in c.explains}).values()
               if u.kind == "subclause" and u.parent_id}  # fmt: skip
    for commentary in every:
        for target in dict.fromkeys(i for t in commentary.explains for i in (t, parents.get(t)) if i):
            found[target] = (*found.get(target, ()), commentary)
    return found
