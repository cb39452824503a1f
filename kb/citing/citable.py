"""What can be cited by number, and the words that name each work."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

from extract.numbering.numerals import arabic, is_roman, roman
from kb.read import queries
from kb.read.build_cache import cached_per_build
from kb.read.rows import UnitRow
from kb.read.written import JOINTS, UNITS, work_words

ON_PAGE = "page"
"""The kind of a page, which every work has."""
_MOST_OF_ONE_NAME = 2
"""The most books with the same distinctive name: two American codes, but not all books on whist."""


@dataclass(frozen=True, slots=True)
class Work:
    """A work with the words that its citations have (see `WorkWords`); `own` are names that few other works have."""

    id: str
    words: frozenset[str]
    titles: tuple[frozenset[str], ...]
    own: frozenset[str]
    families: frozenset[str]
    years: frozenset[str]
    kinds: frozenset[str]
    book: str


@dataclass(frozen=True, slots=True)
class Citable:
    """What can be cited by number.

    Attributes:
        works: all works.
        units: their units, by work, kind and number.
        parts: the paragraphs and decisions of units, by unit and number or "decision".
    """

    works: tuple[Work, ...]
    units: Mapping[tuple[str, str, str], tuple[UnitRow, ...]]
    parts: Mapping[tuple[str, str], UnitRow]


@cached_per_build
def citable(conn: sqlite3.Connection) -> Citable:
    """Everything that can be cited by number."""
    units = list(queries.units(conn, UNITS(conn)).values())
    numbered: dict[tuple[str, str, str], list[UnitRow]] = defaultdict(list)
    parts: dict[tuple[str, str], UnitRow] = {}
    kinds: dict[str, set[str]] = defaultdict(set)
    keys: dict[str, set[tuple[str | None, str]]] = defaultdict(set)
    for unit in units:
        keys[unit.work].add((unit.code_id, unit.book_id))
        if unit.kind == "subclause" and unit.parent_id and unit.number:
            number = unit.number.lower()
            parts[unit.parent_id, number] = unit
            if is_roman(number):
                parts[unit.parent_id, str(arabic(number))] = unit
            elif number.isdecimal():
                parts[unit.parent_id, roman(int(number))] = unit
        elif unit.role == "decision" and unit.parent_id:
            parts[unit.parent_id, "decision"] = unit
        elif unit.number:
            numbered[unit.work, unit.kind, unit.number.lower()].append(unit)
            kinds[unit.work].add(unit.kind)
    terms = work_words(conn)
    by_book: dict[str, set[str]] = defaultdict(set)
    for (_, book), words in terms.items():
        by_book[book] |= words.givers
    spread = Counter(chain.from_iterable(by_book.values()))
    common = {word for word, n in spread.items() if n > _MOST_OF_ONE_NAME}
    years = {c.id: str(c.year) for c in queries.codes(conn)} | {b.id: str(b.year) for b in queries.books(conn)}
    works = tuple(
        Work(
            work,
            frozenset(chain.from_iterable(terms[key].words for key in each)),
            tuple(chain.from_iterable(terms[key].names for key in each)),
            frozenset(chain.from_iterable((terms[key].givers - common) | terms[key].families for key in each)) - JOINTS,
            frozenset(chain.from_iterable(terms[key].families for key in each)),
            frozenset((years[work], *(years[book] for _, book in each))),
            frozenset((*kinds[work], ON_PAGE)),
            next(book for _, book in each),
        )
        for work, each in keys.items()
    )
    return Citable(works, {key: tuple(found) for key, found in numbered.items()}, parts)
