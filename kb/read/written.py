"""Resolve citations in any of the styles in which we write them: a printed citation leads back to its unit.

A citation is a pinpoint (`law 72 (ii)`) among words that name its work: its titles, its author or authority, where and
when it was printed, the page. So a text is a citation of a unit if it has the unit's pinpoint and a name of its work,
and all its other words belong to that work. Order, punctuation and capitals, in which the styles differ, do not count.
A URL or id in the text identifies the unit by itself.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from kb.cite import writing
from kb.read import lookup, queries
from kb.read.build_cache import cached_per_build
from kb.read.lookup import Resolution, resolve_typed
from kb.read.rows import BookRow, CodeRow, Statement, UnitRow

LONGEST = 2000
"""Characters of a text that is read as a citation, at most."""
UNITS = Statement(str, "select id from unit where continues is null order by book_id, seq")
# Words with which the styles join the parts of a citation.
JOINTS = frozenset(("in", "of", "the", "and", "at", "by", "p", "pp", "reprinted", "first", "published", "s"))
_ADDRESS = re.compile(r"<?https?://[^\s<>\"“”]+>?")
_ID = re.compile(r"[a-z0-9][\w*.~-]*(?:/[\w*.~-]+)+")
_HASH = re.compile(r"\[sha256/16: ?[0-9a-f]*\]")
_QUOTATION = re.compile(r"“[^”]*”|\"[^\"]*\"")
_QUOTED = 3  # quotations in a citation, at most: the words quoted, and the headings that it names
_HEADING = re.compile(r"[“‘]+([^“”‘]*)[’”,.]+")
_NAME = re.compile(r"\b[A-Z]\w{3,}")
_INITIAL = re.compile(r"(?<=\b[A-Z])\.\s*(?=[A-Z]\b)")  # OSCOLA writes `AW Drayson`


@dataclass(frozen=True, slots=True)
class WorkWords:
    """The words with which citations name a work.

    Attributes:
        words: all of them.
        names: the words of each of its titles; a citation must have all words of one title.
        givers: the capitalised words of its short title, and of the names of its author and authority.
        families: the family names of the authors of its book.
    """

    words: frozenset[str]
    names: tuple[frozenset[str], ...]
    givers: frozenset[str]
    families: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Written:
    """What citations consist of: units by the tokens of their pinpoints, and the words of works by code and book."""

    units: Mapping[tuple[str, ...], tuple[UnitRow, ...]]
    works: Mapping[tuple[str | None, str], WorkWords]
    longest: int


def resolve(conn: sqlite3.Connection, text: str) -> Resolution:
    """Find the unit that an id, a URL or a citation means, whether typed or copied from one of our pages.

    Args:
        text: the text typed or copied.
    Returns:
        As `kb.read.lookup.resolve_typed`: several units if the text is ambiguous, none if it is not a citation.
    """
    if len(text) > LONGEST:
        return Resolution()
    if exact := queries.find_unit(conn, text.strip().strip("/").lower()):
        return Resolution((queries.unit(conn, exact.continues or exact.id),))
    typed = resolve_typed(conn, text)
    # A unit without a number is cited by its heading in quotation marks: “2” may be the heading of a contents entry.
    if len(typed.units) == 1 and not typed.note and not _QUOTATION.search(text):
        return typed
    found = _copied(conn, text)
    return Resolution(found) if found else typed


def _copied(conn: sqlite3.Connection, text: str) -> tuple[UnitRow, ...]:
    """Find the units that a citation in one of our styles may mean."""
    for address in chain(_ADDRESS.findall(text), _ID.findall(text)):
        parts = address.strip("<>").rstrip("/.,;:)").lower().split("/")
        for start in range(max(0, len(parts) - 6), len(parts) - 1):
            if unit := queries.find_unit(conn, "/".join(parts[start:])):
                return (unit,)
    bare = _HASH.sub(" ", _ADDRESS.sub(" ", text))
    # Quoted words are not part of the citation, unless they are the heading of the cited unit.
    quotations = _QUOTATION.findall(bare)[:_QUOTED]
    for candidate in (bare, *(bare.replace(quotation, " ", 1) for quotation in quotations)):
        headings = {tuple(lookup.tokens(heading)) for heading in _HEADING.findall(candidate)}
        for only in (headings, None):
            if found := _named(_written(conn), lookup.tokens(candidate), only):
                return found
    return ()


def _named(written: _Written, tokens: Sequence[str], only: Collection[tuple[str, ...]] | None) -> tuple[UnitRow, ...]:
    """Find the units whose pinpoint is in a text of which all else belongs to their work; the longest pinpoint counts.

    Args:
        tokens: the words of the text.
        only: the pinpoints to look for; any if None.
    """
    for size in range(min(written.longest, len(tokens)), 0, -1):
        found: dict[str, UnitRow] = {}
        paged: dict[str, UnitRow] = {}
        for start in range(len(tokens) - size + 1):
            pinpoint = tuple(tokens[start : start + size])
            if pinpoint not in written.units or (only is not None and pinpoint not in only):
                continue
            rest = {*tokens[:start], *tokens[start + size :]} - JOINTS
            for unit in written.units[pinpoint]:
                page, work = set(lookup.tokens(unit.page or "")), written.works[unit.code_id, unit.book_id]
                if rest - page <= work.words and any(name <= rest for name in work.names):
                    found[unit.id] = unit
                    if page & rest:
                        paged[unit.id] = unit
        if found:
            # A citation of a code names its book too, so units of a code come first; the page distinguishes units with
            # the same heading.
            of_code = {i: unit for i, unit in found.items() if unit.code_id} or found
            return tuple(unit for i, unit in of_code.items() if i in paged) or tuple(of_code.values())
    return ()


@cached_per_build
def _written(conn: sqlite3.Connection) -> _Written:
    units = list(queries.units(conn, UNITS(conn)).values())
    pinpoints = writing.pinpoints(conn, units)
    # `pinpoints` leaves out what a commentary explains; commentaries are few, so each is looked up.
    pinpoints |= {u.id: writing.pinpoint(writing.cited(conn, u)) for u in units if u.kind == "commentary"}
    by_words: dict[tuple[str, ...], list[UnitRow]] = defaultdict(list)
    for unit in units:
        by_words[tuple(lookup.tokens(pinpoints[unit.id]))].append(unit)
    known = {key: tuple(found) for key, found in by_words.items() if key}
    return _Written(known, work_words(conn), max(map(len, known), default=0))


@cached_per_build
def work_words(conn: sqlite3.Connection) -> dict[tuple[str | None, str], WorkWords]:
    """Return the words with which citations name each work, by the ids of the code (None for a book) and the book."""
    codes, books = queries.codes(conn), {book.id: book for book in queries.books(conn)}
    families = {book: queries.authors(conn, book) for book in books}
    keys: list[tuple[CodeRow | None, str]] = [
        *((code, code.book_id) for code in codes),
        *((None, book) for book in books),
    ]
    return {
        (code.id if code else None, book): _work(
            books[book],
            code,
            [c for c in codes if c.book_id == book],
            frozenset(chain.from_iterable(lookup.tokens(author.family) for author in families[book])),
        )
        for code, book in keys
    }


def _work(book: BookRow, code: CodeRow | None, codes: Sequence[CodeRow], families: frozenset[str]) -> WorkWords:
    """Return the words of a code in its book, or of a book with the codes in it that its commentary may explain."""
    works: list[BookRow | CodeRow] = [book, *([code] if code else codes)]
    givers = [book.author, *(each.authority for each in codes)]
    every = [text for work in works for text in (work.title, work.short, str(work.year))]
    every += [*givers, *(_INITIAL.sub("", giver) for giver in givers), book.place, book.publisher]
    own = code or book
    return WorkWords(
        frozenset(chain.from_iterable(map(lookup.tokens, every))),
        tuple(frozenset(lookup.tokens(name)) - JOINTS for name in (own.title, own.short)),
        frozenset(map(str.lower, _NAME.findall(f"{own.short} {book.author} {code.authority if code else ''}"))),
        families,
    )
