"""The provisions of each code with their counterparts in the others: what concordance and comparisons are made of.

It is built from the editor's judgements: confirmed links, and the table `closed`, which makes the absence of a link a
finding. The link of a paragraph or a note is listed under its provision.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Literal

from kb.read import queries
from kb.read.build_cache import cached_per_build
from kb.read.rows import Statement, UnitRow, as_tuple

# Every confirmed link, read from both of its sides.
LINKS = Statement(as_tuple, f"""
select a, b, relation, why from link where source = 'editor'
union all select b, a, {queries.TURNED}, why from link l where source = 'editor'
""")  # fmt: skip
CLOSED = Statement(as_tuple, "select unit_id, code_id from closed")
# Kinds of units within a provision, whose links count as its own.
PARTS = ("subclause", "note", "footnote")

# `none`: the editor found no counterpart; `not printed`: the code has provisions of this kind, but its book omits them.
State = Literal["linked", "none", "not judged", "not printed"]


@dataclass(frozen=True, slots=True)
class Tie:
    """A link: the relation of a provision, or of its part `here`, to another provision, or to its part `there`.

    `here` and `there` are ids; they are those of the provisions if the whole is linked. `why` is the editor's reason.
    """

    here: str
    there: str
    relation: str
    why: str


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A provision of another code on the same matter, with its links: those of the whole if any, else of its parts."""

    unit: UnitRow
    ties: tuple[Tie, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """The counterparts of a provision in another code; `state` says why there are none."""

    state: State
    counterparts: tuple[Counterpart, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A provision, and its cell in each other code, by the code's id."""

    unit: UnitRow
    cells: Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class Pair:
    """A line of a comparison of two codes: a provision, its counterpart, and how they are linked.

    One of the two is None where the other has no counterpart; `state` then says why.
    """

    a: UnitRow | None
    b: UnitRow | None
    state: State
    ties: tuple[Tie, ...] = ()


@cached_per_build
def matrix(conn: sqlite3.Connection) -> Mapping[str, tuple[Row, ...]]:
    """Return, for each code, its provisions in reading order, and its other units that are linked, as rows."""
    codes = [code.id for code in queries.codes(conn)]
    units = {u.id: u for code in codes for u in queries.units_of_code(conn, code)}
    links = LINKS(conn)
    units |= queries.units(conn, {i for here, there, *_ in links for i in (here, there)} - units.keys())
    found: dict[str, dict[str, dict[str, list[Tie]]]] = {code: {} for code in codes}
    for here, there, relation, why in links:
        one, other = (_whole(units[i], units) for i in (here, there))
        for_code = found.setdefault(one.work, {}).setdefault(one.id, {})
        for_code.setdefault(other.id, []).append(Tie(here, there, relation, why))
    closed, lacks = {*CLOSED(conn)}, queries.lacks(conn)

    def cell(unit: UnitRow, code: str) -> Cell:
        linked = found[unit.work].get(unit.id, {})
        there = sorted((units[i] for i in linked if units[i].work == code), key=lambda u: u.seq)
        if there:
            return Cell("linked", tuple(Counterpart(u, _decisive(unit.id, u.id, linked[u.id])) for u in there))
        if unit.kind in lacks.get(code, ()):
            return Cell("not printed")
        return Cell("none" if (unit.id, code) in closed else "not judged")

    def rows(code: str) -> Iterator[Row]:
        own = [u for u in units.values() if u.work == code and (u.role == "provision" or u.id in found[code])]
        for unit in sorted(own, key=lambda u: u.seq):
            yield Row(unit, {other: cell(unit, other) for other in codes if other != code})

    return {code: tuple(rows(code)) for code in codes}


def _whole(unit: UnitRow, units: Mapping[str, UnitRow]) -> UnitRow:
    """Return the provision that a unit is part of, else the unit."""
    above = units.get(unit.parent_id or "")
    return above if above and above.role == "provision" and unit.kind in PARTS else unit


def _decisive(here: str, there: str, ties: list[Tie]) -> tuple[Tie, ...]:
    """Return the links of the whole provisions, or if there are none, those of their parts."""
    return tuple(tie for tie in ties if (tie.here, tie.there) == (here, there)) or tuple(ties)


def without(conn: sqlite3.Connection, code: str, other: str) -> tuple[Row, ...]:
    """Return the provisions of a code that have no counterpart in another."""
    return tuple(
        row for row in matrix(conn)[code] if row.unit.role == "provision" and not row.cells[other].counterparts
    )


def pairs(conn: sqlite3.Connection, a: str, b: str) -> Iterator[Pair]:
    """Yield the provisions of a code with their counterparts in another, then those of the other that have none."""
    for row in matrix(conn)[a]:
        cell = row.cells[b]
        for there in cell.counterparts:
            yield Pair(row.unit, there.unit, cell.state, there.ties)
        if row.unit.role == "provision" and not cell.counterparts:
            yield Pair(row.unit, None, cell.state)
    for row in without(conn, b, a):
        yield Pair(None, row.unit, row.cells[a].state)


def fullest(conn: sqlite3.Connection) -> str:
    """Return the id of the code with most counterparts, of several the youngest; "" if there is no code."""
    counts = [
        (sum(bool(cell.counterparts) for row in rows for cell in row.cells.values()), at, code)
        for at, (code, rows) in enumerate(matrix(conn).items())
    ]
    return max(counts, default=(0, 0, ""))[2]


def code_pairs(conn: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return all pairs of codes, the older first."""
    return [*combinations([code.id for code in queries.codes(conn)], 2)]


def by_heading(rows: tuple[Row, ...]) -> list[tuple[str, tuple[Row, ...]]]:
    """Return rows under each heading of their code."""
    return [(heading, tuple(under)) for heading, under in groupby(rows, key=lambda row: row.unit.heading or "")]
