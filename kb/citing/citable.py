"""What can be cited by number, and the words that name each work."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from extract.numbering.numerals import arabic, is_roman
from kb.read import cite, lookup, queries
from kb.read.build_cache import cached_per_build
from kb.read.written import JOINTS, UNITS, work_words

ON_PAGE = "page"
"""The kind of a page, which every work has."""
HEADING = "heading"
"""The kind of a place without a number of its own, which is cited by its heading: `“Preface, paragraph 15”`."""
_BY_HEADING = re.compile(r"((?:definition of )?“.*”)(?:, (?:row )?(.+))?")
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
        units: the ids of their units, by work, kind, number and part: of a whole unit "", else the number of the
            paragraph or row, "decision", "footnote" and the like. Numbers are in digits (`in_digits`); a heading has
            its words (`as_heading`).
        headings: the words of all headings.
    """

    works: tuple[Work, ...]
    units: Mapping[tuple[str, str, str, str], Sequence[str]]
    headings: frozenset[str]


def in_digits(number: str) -> str:
    """A number in digits, with its letter if it has one, whether it is printed in figures or Roman numerals."""
    number = number.lower()
    return str(arabic(number)) if is_roman(number) else number.lstrip("0")


def as_heading(text: str) -> str:
    """The words of a heading, however it is printed."""
    return " ".join(lookup.tokens(text))


@cached_per_build
def citable(conn: sqlite3.Connection) -> Citable:
    """Everything that can be cited by number."""
    units = queries.units(conn, UNITS(conn))
    numbered: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    keys: dict[str, set[tuple[str | None, str]]] = defaultdict(set)
    cited = cite.pinpoints(conn, list(units.values()))
    for unit in units.values():
        keys[unit.work].add((unit.code_id, unit.book_id))
        whole, part = unit, ""
        if unit.kind == "subclause":
            whole, part = units.get(unit.parent_id or "", unit), in_digits(unit.number or "")
        while whole.role in ("decision", "note"):
            whole, part = units[whole.parent_id or ""], cited[unit.id].partition(", ")[2]
        if whole.number and (part or whole is unit):
            numbered[whole.work, whole.kind, in_digits(whole.number), part].append(unit.id)
        if headed := _BY_HEADING.fullmatch(cited[unit.id]):
            numbered[unit.work, HEADING, as_heading(headed[1]), headed[2] or ""].append(unit.id)
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
            frozenset((ON_PAGE, *(kind for each, kind, *_ in numbered if each == work))),
            next(book for _, book in each),
        )
        for work, each in keys.items()
    )
    return Citable(works, dict(numbered), frozenset(words for _, kind, words, _ in numbered if kind == HEADING))
