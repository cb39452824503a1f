"""Find what a typed citation or id means: for the search box, `/cite` and the commands."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from kb.cite.grammar import Item, Reading, typed_readings
from kb.cite.works import HEADING, table
from kb.read import queries
from kb.read.domain import domain
from kb.read.rows import UnitRow

LONGEST = 2000
"""Characters of a text that is read as a citation, at most."""
_MOST = 12


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


def resolve(conn: sqlite3.Connection, text: str, host: str = "") -> Resolution:
    """Find the unit that an id, a permalink or a citation means, whether typed or copied from one of our pages.

    Args:
        host: that of the library's permalinks, besides the local one.

    Returns:
        The units it may mean, oldest code first; none if any word of the text does not belong to a citation.
    """
    if len(text) > LONGEST:
        return Resolution()
    if exact := queries.find_unit(conn, text.strip().strip("/").lower()):
        return Resolution((queries.unit(conn, exact.continues or exact.id),))
    readings = typed_readings(conn, text, host)
    if problem := next((reading.problem for reading in readings if reading.problem), ""):
        return Resolution(note=f"{problem[0].upper()}{problem[1:]}.")
    items = [item for reading in readings for item in reading.items]
    units = queries.units(conn, (i for item in items for i in item.ids or item.whole))
    if not units:
        return _nothing(conn, readings)
    notes = [
        f"There is no {_part(item)}; the whole provision is shown." for item in items if not item.ids and item.whole
    ]
    notes += [f"There is no {item.name} there." for item in items if not item.ids and not item.whole][:3]
    if len(items) > 1 and len(units) > _MOST:
        notes.append(f"Only the first {_MOST} are listed.")
    order = [*table(conn).nouns]
    found = sorted(units.values(), key=lambda unit: (order.index(unit.work), unit.seq))
    return Resolution(tuple(found[: _MOST if len(items) > 1 else None]), " ".join(notes), len(items) > 1)


def _part(item: Item) -> str:
    """The part of a provision that a citation names: `paragraph ix`, `decision`."""
    before, _, last = item.name.rpartition(", ")
    return last if before else f"paragraph {last.rpartition('(')[2].rstrip(')')}"


def _nothing(conn: sqlite3.Connection, readings: Sequence[Reading]) -> Resolution:
    """Say that a number does not exist, and which are the first and the last ones."""
    item = readings[0].items[0] if readings else None
    if item is None or not item.place or item.place[0] == HEADING:
        return Resolution()
    kind, works, codes = item.place[0], readings[0].works, queries.codes(conn)
    lacking = [(code, queries.lacks(conn).get(code.id, {}).get(kind)) for code in codes if code.id in works]
    lacks = [
        f" The book that prints {code.short} leaves out its {domain(conn).noun_of_kind(kind).several}. {reason}"
        for code, reason in lacking if reason
    ]  # fmt: skip
    note = f"There is no {item.name}{' there' if works else ''}.{''.join(lacks)}"
    return Resolution(note=note, ends=tuple(_ends(conn, kind, works or table(conn).nouns.keys())))


def _ends(conn: sqlite3.Connection, kind: str, works: Set[str]) -> Iterator[tuple[UnitRow, UnitRow]]:
    """The first and the last unit of a kind in each of some works."""
    for work in (work for work in table(conn).nouns if work in works):
        numbers = {
            int(place[1]): ids[0] for (of, place), ids in table(conn).units.items()
            if of == work and place[0] == kind and len(place) == 2 and place[1].isdecimal()
        }  # fmt: skip
        if numbers:
            yield queries.unit(conn, numbers[min(numbers)]), queries.unit(conn, numbers[max(numbers)])
