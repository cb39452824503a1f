"""What can be cited: the works by the names that readers and our own forms give them, and the units by their places.

A name or a place is compared by its words, without its case and punctuation. A place is the pinpoint of a unit: of a
numbered one its kind, number and parts in figures (`law`, `72`, `2`); of another one its printed words after a `“`.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from extract.numbering.numerals import arabic, is_roman
from kb.cite import formats, writing
from kb.read import queries
from kb.read.build_cache import cached_per_build
from kb.read.domain import domain
from kb.read.rows import BookRow, CodeRow, UnitRow

LAW = "law"
HEADING = "“"
Words = tuple[str, ...]
_WORD = re.compile(r"[^\W_]+")
_ARTICLES = frozenset(("the", "a", "an"))
_COMMON = frozenset(("code", "codes", "laws", "rules", "club", "of", "whist", "s"))
# Stand for the number of a provision and its page where a form is printed to find its words.
_PIN, _PAGE = "90909", "80808"


@dataclass(frozen=True, slots=True)
class Table:
    """What can be cited.

    Attributes:
        nouns: the works, in the order of their years, each with its noun for a provision.
        names: the works that each name or year may mean; a name of a book may mean its codes, too.
        stopped: the names before a pinpoint after which our forms print a full stop.
        tails: the works that may be meant by what our forms print between a pinpoint and a page.
        kinds: the kind of unit that a word before a number means.
        units: the ids of the units by work and place.
        headings: the places of units that have no number.
    """

    nouns: Mapping[str, str]
    names: Mapping[Words, frozenset[str]]
    stopped: frozenset[Words]
    tails: Mapping[Words, frozenset[str]]
    kinds: Mapping[Words, str]
    units: Mapping[tuple[str, Words], Sequence[str]]
    headings: frozenset[Words]


def words(text: str) -> Words:
    """The words and numbers of a text, in lower case."""
    return tuple(_WORD.findall(text.lower()))


def in_figures(number: str) -> str:
    """A number in figures, with its letter if it has one, whether it is printed in figures or Roman numerals."""
    number = "".join(number.lower().split())
    return str(arabic(number)) if is_roman(number) else number.lstrip("0") or "0"


@cached_per_build
def table(conn: sqlite3.Connection) -> Table:
    """Return all that can be cited, read once per build."""
    books, codes = queries.books(conn), queries.codes(conn)
    names: dict[Words, set[str]] = defaultdict(set)
    stopped: set[Words] = set()
    tails: dict[Words, set[str]] = defaultdict(set)
    for book in books:
        all_in_it = {book.id, *(code.id for code in codes if code.book_id == book.id)}
        for name in (*_of_book(conn, book), str(book.year)):
            names[bare(name)] |= all_in_it
        _add_forms(formats.whole_book(conn, book.id, ""), _PIN, all_in_it, names, stopped, tails)
    # Any code of a nation or an author may be called its `code`, `laws` and so on.
    first: dict[str, set[str]] = defaultdict(set)
    for code in codes:
        first["".join(words(code.short)[:1])].add(code.id)
        for name in _of_code(code):
            names[bare(name)].add(code.id)
        title = f"{writing.titled_code(code)}, {_PIN}"
        _add_forms(formats.whole_code(conn, code.id, ""), title, {code.id}, names, stopped, tails)
    for said, meant in names.items():
        if said and said[0] in first and _COMMON.issuperset(said[1:]):
            meant |= first[said[0]]
    names.pop((), None)
    tails.pop((), None)
    years = sorted([*((code.year, code.id) for code in codes), *((book.year, book.id) for book in books)])
    own = {code.id: code.provision.lower() for code in codes}
    units, kinds = _places(conn)
    return Table(
        {work: own.get(work, "") for _, work in years},
        {said: frozenset(meant) for said, meant in names.items()},
        frozenset(stopped),
        {said: frozenset(meant) for said, meant in tails.items()},
        kinds | {words(noun): LAW for noun in ("art", "rule", *domain(conn).words(), *own.values())},
        units,
        frozenset(place for _, place in units if place[0] == HEADING),
    )


def _of_book(conn: sqlite3.Connection, book: BookRow) -> Iterator[str]:
    """The names of a book: its title, with and without what follows the main title, and its authors."""
    yield from (book.title, re.split(r"[:,(]", book.title)[0], book.short, book.author)
    for author in queries.authors(conn, book.id):
        given = re.sub(r"\.\s*", "", author.given)
        yield from (author.family, f"{given} {author.family}")


def _of_code(code: CodeRow) -> Iterator[str]:
    """The names of a code: its year, its title, what brackets say in it, its short title, and who issued it."""
    outside, _, inside = code.title.partition("(")
    undated = re.sub(r",?\s*(?:of\s+)?\d{4}", "", code.short)
    body = re.sub(r"\([^)]*\)", "", code.authority)
    yield from (str(code.year), code.title, outside, inside, code.short, undated, "".join(words(undated)[:1]))
    yield from (code.authority, body)


def bare(name: str) -> Words:
    """The words of a name without its article."""
    found = words(name)
    return found[1:] if found[:1] and found[0] in _ARTICLES and len(found) > 1 and len(found[1]) > 1 else found


def _add_forms(
    whole: formats.Item | None, title: str, works: set[str], names: dict[Words, set[str]],
    stopped: set[Words], tails: dict[Words, set[str]],
) -> None:  # fmt: skip
    """Add what our forms print before and after the pinpoints of a work."""
    assert whole
    for style in ("plain", *formats.MANUALS):
        for page in (_PAGE, ""):
            line = formats.line(replace(whole, title=title, page=page), style)
            before, _, after = line.partition(_PIN)
            names[bare(before)] |= works
            if before.endswith(". “"):
                stopped.add(bare(before))
            tails[words(re.split(rf"(?:\bp\. )?{_PAGE}", after)[0])] |= works


def _places(conn: sqlite3.Connection) -> tuple[dict[tuple[str, Words], list[str]], dict[Words, str]]:
    """The units by work and place, and the kinds of unit by the words before their numbers."""
    units = list(queries.units(conn, queries.whole_ids(conn)).values())
    by_id, pinpoints, about = {u.id: u for u in units}, writing.pinpoints(conn, units), domain(conn)
    kinds: dict[Words, str] = {}

    def place(unit: UnitRow) -> Words:
        above = by_id.get(unit.parent_id or "")
        if unit.kind == "subclause" and above:
            return (*place(above), in_figures(unit.number or ""))
        if above and unit.role in ("decision", "note"):
            return (*place(above), *words(pinpoints[unit.id].removeprefix(pinpoints[above.id])))
        if unit.number and unit.role in ("provision", "case", "maxim"):
            if unit.kind != LAW:
                kinds[words(about.noun_of_kind(unit.kind).place(""))] = unit.kind
            return (unit.kind, in_figures(unit.number))
        return (HEADING, *words(pinpoints[unit.id]))

    places: dict[tuple[str, Words], list[str]] = defaultdict(list)
    for unit in units:
        work, named = unit.code_id or unit.book_id, [place(unit)]
        if unit.kind == "commentary":
            named.append((HEADING, *words(writing.pinpoint(writing.cited(conn, unit)))))
        for each in dict.fromkeys(named):
            places[work, each].append(unit.id)
    return dict(places), kinds
