"""The table of what can be cited: the works with their names, the words for their units, and the units by number."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from extract.numbering.numerals import arabic, is_roman
from kb.cite import writing
from kb.read import queries
from kb.read.build_cache import cached_per_build
from kb.read.domain import domain
from kb.read.rows import Statement, as_tuple

WORD = re.compile(r"[^\W_]+")
UNITS = Statement(str, "select id from unit where continues is null order by book_id, seq")
# The words for a numbered unit: the word before the number in its label (`Article 94`), and its kind.
_KIND_WORDS = Statement(as_tuple, """
select distinct u.kind, lower(substr(u.label, 1, instr(u.label, ' ') - 1)) from unit u
where u.continues is null and lower(u.label) = lower(substr(u.label, 1, instr(u.label, ' ') - 1) || ' ' || u.number)
and u.role in ('provision', 'case', 'maxim')
""")  # fmt: skip
_ELSEWHERE = Statement(str, "select distinct name from elsewhere order by length(name) desc, name")
LAW = "law"
_ARTICLES = frozenset(("the", "a", "an"))
_COMMON = frozenset(("code", "codes", "laws", "rules", "club", "whist", "s"))


@dataclass(frozen=True, slots=True)
class Work:
    """A code or a book; `years` are its own and that of its book, `noun` is its word for a provision."""

    id: str
    year: str
    years: frozenset[str]
    noun: str


@dataclass(frozen=True, slots=True)
class Table:
    """What can be cited.

    Attributes:
        works: the works by id.
        names: the works that each name may mean, by its words in lower case; a name of a book may mean its codes too.
        imprints: the words of places and publishers.
        kinds: the kind of unit that each word means.
        units: the ids of numbered units by work, kind, number and part, numbers in figures (`in_figures`); the part of
            a whole unit is "", of others a number, `decision`, `footnote` and the like.
        headings: works and ids of units that are cited by their headings, by the words of their pinpoints.
        elsewhere: books that are cited in the library but are not in it.
    """

    works: Mapping[str, Work]
    names: Mapping[tuple[str, ...], frozenset[str]]
    imprints: frozenset[tuple[str, ...]]
    kinds: Mapping[str, str]
    units: Mapping[tuple[str, str, str, str], Sequence[str]]
    headings: Mapping[tuple[str, ...], Sequence[tuple[str, str]]]
    elsewhere: tuple[str, ...]


def words(text: str) -> tuple[str, ...]:
    """The words and numbers of a text, in lower case."""
    return tuple(WORD.findall(text.lower()))


def in_figures(number: str) -> str:
    """A number in figures, with its letter if it has one, whether it is printed in figures or Roman numerals."""
    number = "".join(number.lower().split())
    return str(arabic(number)) if is_roman(number) else number.lstrip("0")


@cached_per_build
def table(conn: sqlite3.Connection) -> Table:
    """Return all that can be cited, read once per build."""
    books, codes = queries.books(conn), queries.codes(conn)
    names: dict[tuple[str, ...], set[str]] = defaultdict(set)
    works: dict[str, Work] = {}
    for book in books:
        printed = [code for code in codes if code.book_id == book.id]
        works[book.id] = Work(book.id, str(book.year), frozenset({str(book.year)}), "")
        for name in _book_names(book.title, book.short, book.author):
            names[name] |= {book.id, *(code.id for code in printed)}
        for author in queries.authors(conn, book.id):
            given = re.sub(r"\.\s*", "", author.given)
            for form in (author.family, f"{given} {author.family}", f"{author.family} {author.given}"):
                names[words(form)] |= {book.id, *(code.id for code in printed)}
    for code in codes:
        years = frozenset(str(each.year) for each in books if each.id == code.book_id) | {str(code.year)}
        works[code.id] = Work(code.id, str(code.year), years, code.provision.lower())
        for name in _code_names(code.title, code.short, code.authority):
            names[name].add(code.id)
    # Any code of a nation or an author may be called its `code`, `laws` and so on.
    first: dict[str, set[str]] = defaultdict(set)
    for code in codes:
        first[words(code.short)[0]].add(code.id)
    for name in names:
        own = name[1:] if name[:1] and name[0] in _ARTICLES else name
        if own and own[0] in first and _COMMON.issuperset(own[1:]):
            names[name] |= first[own[0]]
    names.pop((), None)
    imprints = frozenset(words(part) for book in books for part in (book.place, book.publisher)) - {()}
    kinds = {word: kind for kind, word in _KIND_WORDS(conn)} | dict.fromkeys(domain(conn).words(), LAW)
    units = list(queries.units(conn, UNITS(conn)).values())
    by_id, pinpoints = {u.id: u for u in units}, writing.pinpoints(conn, units)
    numbered: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    headings: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
    for unit in units:
        whole, part = unit, ""
        while whole.role in ("decision", "note") and whole.parent_id in by_id:
            whole, part = by_id[whole.parent_id], pinpoints[unit.id].partition(", ")[2]
        if whole.kind == "subclause" and whole.parent_id in by_id:
            part = ", ".join(filter(None, (in_figures(whole.number or ""), part)))
            whole = by_id[whole.parent_id]
        if whole.number and whole.kind in kinds.values() and (part or whole is unit):
            numbered[whole.code_id or whole.book_id, whole.kind, in_figures(whole.number), part].append(unit.id)
        else:
            headings[words(pinpoints[unit.id])].append((unit.code_id or unit.book_id, unit.id))
            if unit.kind == "commentary":
                headings[words(writing.pinpoint(writing.cited(conn, unit)))].append(
                    (unit.code_id or unit.book_id, unit.id)
                )
    headings.pop((), None)
    return Table(
        works,
        {name: frozenset(meant) for name, meant in names.items()},
        imprints,
        kinds,
        dict(numbered),
        dict(headings),
        tuple(_ELSEWHERE(conn)),
    )


def _book_names(title: str, short: str, author: str) -> Iterable[tuple[str, ...]]:
    """The names of a book: its title, with and without what follows the main title, and its author."""
    for name in (title, re.split(r"[:,(]", title)[0], short, author):
        yield words(name)
        yield _bare(words(name))


def _code_names(title: str, short: str, authority: str) -> Iterable[tuple[str, ...]]:
    """The names of a code: its title, what brackets say in it, its short title and the first word of that."""
    outside, _, inside = title.partition("(")
    undated = re.sub(r",?\s*(?:of\s+)?\d{4}", "", short)
    body = re.sub(r"\([^)]*\)", "", authority)
    for name in (title, outside, inside, short, undated, authority, body):
        if words(name):
            yield words(name)
            yield _bare(words(name))
    if first := words(undated)[:1]:
        yield first


def _bare(name: tuple[str, ...]) -> tuple[str, ...]:
    """A name without its article, unless it is a single word then."""
    rest = name[1:] if name[:1] and name[0] in _ARTICLES else name
    return rest if len(rest) > 1 and len(rest[0]) > 1 else name
