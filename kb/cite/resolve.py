"""Find what a typed citation or id means: for the search box, `/cite` and the commands."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kb.cite.grammar import Reading, ids_in, typed_readings
from kb.cite.works import LAW, table, words
from kb.read import queries
from kb.read.domain import domain
from kb.read.rows import UNIT, Statement, UnitRow, as_tuple, json_list

LONGEST = 2000
"""Characters of a text that is read as a citation, at most."""
_MOST = 12
_QUOTATION = re.compile(r"“[^”]*”|\"[^\"]*\"")
_YEAR = re.compile(r"\b1[4-9]\d\d\b")
_POSSESSIVE = re.compile(r"^[’']s\b")
_LACKS = Statement(as_tuple, """
select c.short, l.reason from lack l join code c on c.id = l.code_id
where l.kind = ?1 and c.id in (select value from json_each(?2))
""")  # fmt: skip
_ON_PAGE = Statement(UnitRow, f"""
select {UNIT} from unit u where lower(u.page) = ?1 and u.continues is null
and (u.code_id in (select value from json_each(?2)) or u.book_id in (select value from json_each(?2)))
and u.kind not in ('subclause', 'decision', 'footnote', 'note') order by u.book_id, u.seq
""")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a typed citation may mean: one unit, several, or none; `note` explains the result.

    `every` is whether all of the units are meant: laws 72 to 74. If nothing has the number, `ends` has the first and
    the last provision of each work that may be meant.
    """

    units: tuple[UnitRow, ...] = ()
    note: str = ""
    every: bool = False
    ends: tuple[tuple[UnitRow, UnitRow], ...] = ()


def resolve(conn: sqlite3.Connection, text: str) -> Resolution:
    """Find the unit that an id, a URL or a citation means, whether typed or copied from one of our pages.

    Returns:
        The units it may mean, oldest code first; none if any word of the text does not belong to a citation.
    """
    if len(text) > LONGEST:
        return Resolution()
    if exact := queries.find_unit(conn, text.strip().strip("/").lower()):
        return Resolution((queries.unit(conn, exact.continues or exact.id),))
    if addresses := ids_in(conn, text):
        found = [unit for unit in (queries.find_unit(conn, i) for i in addresses) if unit]
        return Resolution(tuple(found[:1]))
    if name := _elsewhere(conn, text):
        return Resolution(note=f"“{name}” is another book: it is cited here, but is not in this library.")
    # Quoted words are no part of a citation, unless they are the heading of the unit.
    quotations = _QUOTATION.findall(text)[:3]
    first = Resolution()
    for candidate in (text, *(text.replace(quotation, " ", 1) for quotation in quotations)):
        found_ = _resolved(conn, candidate)
        if found_.units and not found_.note:
            return found_
        first = first if first.units or first.note else found_
    return first


def _elsewhere(conn: sqlite3.Connection, text: str) -> str:
    """The name of a book outside the library, if a text is only that name and perhaps a place in it."""
    for name in table(conn).elsewhere:
        before, found, after = text.lower().partition(name.lower())
        if found and not before[-1:].isalnum() and not (after := _POSSESSIVE.sub("", after))[:1].isalnum():
            rest = f"{before} {after}"
            if not words(rest) or typed_readings(conn, rest):
                return name
    return ""


def _resolved(conn: sqlite3.Connection, text: str) -> Resolution:
    """Find the units of a text that consists of citations only."""
    read = typed_readings(conn, text) or []
    numbered = [reading for reading in read if reading.items]
    if len(read) == 1 and read[0].problem and (year := _unknown_year(conn, text)):
        return Resolution(note=f"There is no code or book of {year} in this library.")
    if not numbered:
        return _on_page(conn, read[0]) if len(read) == 1 and read[0].page else Resolution()
    heads = [reading for reading in numbered if reading.kind != "heading"] or numbered[-1:]
    if any(reading.problem or (not reading.kind and not _clear(reading)) for reading in heads):
        return Resolution()
    units: dict[str, UnitRow] = {}
    notes: list[str] = []
    ends: list[tuple[UnitRow, UnitRow]] = []
    items = [(reading, item) for reading in heads for item in reading.items]
    for _, item in items:
        known = queries.units(conn, item.ids or item.whole)
        units |= known
        if not item.ids and item.whole:
            notes.append(f"There is no {_part(item.name)}; the whole provision is shown.")
    if not units and heads[0].kind != "heading":
        reading = heads[0]
        works = reading.works or tuple(table(conn).works)
        ends = list(_ends(conn, reading.kind or LAW, works))
        there = " there" if reading.named else ""
        names = dict.fromkeys(low.label.rpartition(" ")[0].lower() or low.kind for low, _ in ends)
        number = reading.items[0].name.partition(" ")[2]
        what = " or ".join(names) or reading.items[0].name.partition(" ")[0]
        lacks = _lacks(conn, reading.kind or LAW, works) if there else ""
        notes.append(f"There is no {what} {number}{there}.{lacks}")
    elif not units:
        return Resolution()
    else:
        missing = [item.name for _, item in items if not item.ids and not item.whole]
        notes += [f"There is no {name} there." for name in missing[:3]] if len(missing) <= 3 else []
    if len(units) > _MOST and len(items) > 1:
        notes.append(f"Only the first {_MOST} are listed.")
    order = {work.id: work.year for work in table(conn).works.values()}
    shown = tuple(sorted(units.values(), key=lambda unit: (order[unit.work], unit.work, unit.seq)))[
        : _MOST if len(items) > 1 else None
    ]
    return Resolution(shown, " ".join(notes), len(items) > 1, tuple(ends))


def _unknown_year(conn: sqlite3.Connection, text: str) -> str:
    """A year in a text of which the library has no work; "" if there is none."""
    years = {year for work in table(conn).works.values() for year in work.years}
    return next((year for year in _YEAR.findall(text) if year not in years), "")


def _clear(reading: Reading) -> bool:
    """Whether a number without a word is clearly that of a provision: it has a work, a letter or a part."""
    return reading.named or any(item.ids and not item.name.rpartition(" ")[2].isdecimal() for item in reading.items)


def _part(name: str) -> str:
    last = name.rpartition(", ")[2] if ", " in name else ""
    return last or f"paragraph {name.rpartition('(')[2].rstrip(')')}"


def _on_page(conn: sqlite3.Connection, reading: Reading) -> Resolution:
    """The units that begin on a page of a book."""
    units = tuple(_ON_PAGE(conn, reading.page.strip("[]").lower(), json_list(reading.works)))
    folios = " or ".join(dict.fromkeys(unit.folio or "" for unit in units))
    return Resolution(units, f"These begin on page {folios}." if units else "", every=True)


def _ends(conn: sqlite3.Connection, kind: str, works: Sequence[str]) -> Iterator[tuple[UnitRow, UnitRow]]:
    """The first and the last unit of a kind in each of some works."""
    for work in works:
        numbers: Mapping[int, str] = {
            int(number): ids[0]
            for (of, what, number, part), ids in table(conn).units.items()
            if (of, what, part) == (work, kind, "") and number.isdecimal()
        }
        if numbers:
            yield queries.unit(conn, numbers[min(numbers)]), queries.unit(conn, numbers[max(numbers)])


def _lacks(conn: sqlite3.Connection, kind: str, works: Sequence[str]) -> str:
    """Sentences that say which of some codes are printed without a kind of unit."""
    what = domain(conn).noun_of_kind(kind).several
    return "".join(
        f" The book that prints {short} leaves out its {what}. {reason}"
        for short, reason in _LACKS(conn, kind, json_list(works))
    )
