"""Find passages by their words: SQLite's full-text index (BM25), exact filters, and the words found in each result."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from extract.errors import QueryError
from extract.language.stemming import stem
from kb.questions.spelling import vocabulary
from kb.read import queries
from kb.read.build_cache import cached_per_build
from kb.read.rows import Statement, UnitRow, as_tuple, json_list
from kb.search.query import Query, parse

# Columns of the index: text, concepts, heading with title, gloss.
MATCHING = "select rowid, -bm25(entry_fts, 1.0, 0.5, 2.0, 0.6) from entry_fts where entry_fts match ?"
ENTRIES = """
select e.id, u.id, u.kind, u.role, u.code_id, u.book_id, coalesce(c.year, b.year)
from entry e join unit u on u.id = e.unit_id join book b on b.id = u.book_id left join code c on c.id = u.code_id
order by coalesce(c.year, b.year), u.book_id, u.seq
"""
# The units that mention one of some concepts or a narrower one.
SPEAKING = """
with recursive below(id) as (
    select value from json_each(?) union select n.id from concept n join below on n.broader = below.id
)
select unit_id from unit_concept where concept_id in (select id from below)
"""
# What the values of a filter may be: ids, each with one of its names.
NAMES = {
    "code": "select id, id from code union all select id, year from code order by 2",
    "book": "select id, id from book union all select id, substr(id, 1, instr(id || '-', '-') - 1) from book",
    "kind": "select distinct kind, kind from unit order by 1",
    "concept": "select concept_id, label from concept_label union select id, id from concept",
}
# A provision answers a question; a line of an index, a heading or the front matter only leads to one.
_WEIGHT = {"provision": 1.3, "definition": 1.2, "heading": 0.45, "entry": 0.35, "front": 0.4, "table": 0.4, "row": 0.4}
_YEARS = re.compile(r"(\d{4})(?:\s*[-–]\s*(\d{4}))?")
_WORD = re.compile(r"[^\W_]+")
_LONG = 260  # characters of a passage shown with a result
_MOST_NAMED = 40  # names that an error lists
COUNTED = ("code", "kind", "book")


@dataclass(frozen=True, slots=True)
class Entry:
    """A unit in the index, with what it can be filtered by."""

    id: int
    unit: str
    kind: str
    role: str
    code: str | None
    book: str
    year: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a passage; `found` if it is a word that was searched for."""

    text: str
    found: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A unit that was found, with the part of its text that has most of the words; a higher score is better."""

    unit: UnitRow
    score: float
    passage: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    Attributes:
        total: the number of results.
        hits: the results asked for, best first.
        mode: `all` (they have every word), `some` (none has every word), `filters` (there were no words) or `none`.
        counts: for each filter its values among the results, with their numbers.
        cut: whether only the beginning of the query was read.
    """

    total: int
    hits: tuple[Hit, ...]
    mode: str
    counts: Mapping[str, Sequence[tuple[str, int]]]
    cut: bool = False


@cached_per_build
def entries(conn: sqlite3.Connection) -> Mapping[int, Entry]:
    """Return all entries of the index by number, in the order of years and pages; read once per build."""
    return {entry.id: entry for entry in Statement(Entry, ENTRIES)(conn)}


@cached_per_build
def whole(conn: sqlite3.Connection) -> Mapping[int, Entry]:
    """Return the entries without the numbered paragraphs, which are found as parts of their provisions."""
    return {n: entry for n, entry in entries(conn).items() if entry.kind != "subclause"}


def search(
    conn: sqlite3.Connection,
    text: str,
    given: Mapping[str, Sequence[str]] | None = None,
    limit: int = 20,
    skip: int = 0,
) -> Found:
    """Find units by the words of their text, their headings, their concepts and their glosses.

    A paragraph is found as part of its provision, unless a filter asks for paragraphs.

    Args:
        conn: the knowledge base.
        text: the query (`kb.search.query`).
        given: further values of filters, by field.
        limit, skip: which of the results to read.
    Raises:
        QueryError: a filter has a value that the library does not have; the message names those that it has.
    """
    query, known = parse(text, given), vocabulary(conn)
    passing = _passing(conn, query)
    scores, mode = _scores(conn, query, known, passing)
    order = sorted(scores, key=lambda n: -scores[n])  # stable: equals stay in the order of years and pages
    units = queries.units(conn, (passing[n].unit for n in order[skip : skip + limit]))
    stems = {stem(word) for term in query.wanted for word in term.words}
    starts = tuple(word for term in query.wanted if term.prefix for word in term.words[-1:])
    hits = (
        Hit(unit, round(scores[n], 4), passage(unit.text, stems, starts))
        for n in order[skip : skip + limit]
        if (unit := units.get(passing[n].unit))
    )
    counts = {
        name: Counter(str(getattr(passing[n], name)) for n in order if getattr(passing[n], name)) for name in COUNTED
    }
    return Found(
        len(order), tuple(hits), mode, {name: found.most_common() for name, found in counts.items()}, query.cut
    )


def _passing(conn: sqlite3.Connection, query: Query) -> Mapping[int, Entry]:
    """The entries that pass the filters of a query; paragraphs only if they are asked for."""
    passing = entries(conn)
    if "kind" not in query.filters:
        passing = whole(conn)
    for field, values in query.filters.items():
        if field == "year":
            spans = [_span(value) for value in values]
            passing = {n: e for n, e in passing.items() if any(first <= e.year <= last for first, last in spans)}
        elif field == "concept":
            speaking = set(Statement(str, SPEAKING)(conn, json_list(_named(conn, field, values))))
            passing = {n: entry for n, entry in passing.items() if entry.unit in speaking}
        else:
            chosen = _named(conn, field, values)
            passing = {n: entry for n, entry in passing.items() if getattr(entry, field) in chosen}
    return passing


def _named(conn: sqlite3.Connection, field: str, values: Iterable[str]) -> frozenset[str]:
    """The ids that the values of a filter name, exactly."""
    known = [(i, str(name).lower()) for i, name in Statement(as_tuple, NAMES[field])(conn)]
    found: set[str] = set()
    for value in values:
        ids = {i for i, name in known if name == value.lower()}
        if not ids:
            names = [name for _, name in known if name not in {i for i, _ in known}] or [name for _, name in known]
            there = f"; write one of {', '.join(dict.fromkeys(names))}" if len(names) <= _MOST_NAMED else ""
            raise QueryError(f"No {field} is called “{value[:60]}”{there}.")
        found |= ids
    return frozenset(found)


def _span(value: str) -> tuple[int, int]:
    match = _YEARS.fullmatch(value.strip())
    if match is None:
        raise QueryError(f"“{value[:60]}” is no year; write 1864, or 1829-1864.")
    first, last = int(match[1]), int(match[2] or match[1])
    if first > last:
        raise QueryError(f"“{value[:60]}” ends before it begins; write the earlier year first.")
    return first, last


def _scores(
    conn: sqlite3.Connection, query: Query, known: Mapping[str, int], passing: Mapping[int, Entry]
) -> tuple[dict[int, float], str]:
    """The entries found, with their scores, and the mode of the search; all that pass if the query has no words."""
    if not query.wanted:
        return (dict.fromkeys(passing, 0.0), "filters") if query.filters else ({}, "none")
    for every, mode in ((True, "all"), (False, "some")):
        matched = Statement(as_tuple, MATCHING)(conn, query.match(known, every=every))
        found = {n: score * _WEIGHT.get(passing[n].role, 1.0) for n, score in matched if n in passing}
        if found:
            return dict(sorted(found.items())), mode
    return {}, "none"


def passage(text: str, stems: Iterable[str], starts: tuple[str, ...] = ()) -> tuple[Piece, ...]:
    """Return the part of a text that has most of the words searched for, with these words as pieces of their own.

    Args:
        text: the reading text of a unit.
        stems: the stems of the words.
        starts: beginnings of words.
    """
    flat, wanted = " ".join(text.split()), frozenset(stems)
    spans = [
        match.span()
        for match in _WORD.finditer(flat)
        if stem(match[0].lower()) in wanted or (starts and match[0].lower().startswith(starts))
    ]
    first = max(spans, key=lambda span: sum(span[0] <= start < span[0] + _LONG for start, _ in spans), default=(0, 0))[
        0
    ]
    begin = 0 if first < _LONG // 2 else flat.rfind(" ", 0, first - 40) + 1
    end = len(flat) if len(flat) - begin <= _LONG else flat.rfind(" ", begin, begin + _LONG)
    pieces, at = [Piece("…")] if begin else [], begin
    for start, stop in spans:
        if begin <= start and stop <= end:
            pieces += [Piece(flat[at:start]), Piece(flat[start:stop], found=True)]
            at = stop
    pieces.append(Piece(flat[at:end] + ("…" if end < len(flat) else "")))
    return tuple(piece for piece in pieces if piece.text)
