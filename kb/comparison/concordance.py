"""The concordance of numbers: for each provision of one code, where its matter stands in the other codes.

Built from what the editor has said: his confirmed links, and the table `closed`, by which the absence of a link is a
finding. What a link says of a paragraph or a note stands under the provision that has it.
"""

from __future__ import annotations

import csv
import io
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from kb.comparison import columns
from kb.comparison.changes import twin_codes, wholes
from kb.read import queries
from kb.read.kept import once_a_build
from kb.read.rows import CodeRow, UnitRow, fetch

CONFIRMED = f"""
select a, b, relation from link where status = 'confirmed'
union all select b, a, {queries.TURNED} from link l where status = 'confirmed'
"""
CLOSED = "select unit_id, code_id from closed"
ROWS_ON_A_PAGE = 300
MOST_WITHOUT = 300
"""Provisions without a counterpart that are listed of each code."""
COLUMNS = (
    "code", "number", "provision", "other_code", "state", "other_number", "other_provision", "relation", "part",
    "other_part",
)  # fmt: skip

State = Literal["linked", "none", "not judged", "not printed"]


@dataclass(frozen=True, slots=True)
class Tie:
    """A confirmed link: the relation of the row's provision, or of its part `here`, to the other, or its part `there`.

    `here` and `there` are ids; both are the provisions' own where the whole is linked.
    """

    here: str
    there: str
    relation: str


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A provision of another code on the same matter, with the links that say so; one of the whole outdoes the rest."""

    unit: UnitRow
    ties: tuple[Tie, ...]


@dataclass(frozen=True, slots=True)
class GridCell:
    """What one code has on the matter of a row: its counterparts; none, as the editor found; or nobody has said.

    Not printed is what the code has, but not the book that it is read from.
    """

    counterparts: tuple[Counterpart, ...]
    state: State


@dataclass(frozen=True, slots=True)
class Row:
    """A provision of the code that gives the order, and a cell for each other code, by its id."""

    unit: UnitRow
    cells: Mapping[str, GridCell]


@dataclass(frozen=True, slots=True)
class Group:
    """The rows under one heading of the code."""

    heading: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """All provisions of one code (`by`) with their counterparts; `without` has those of the others that have none.

    `columns` are the other codes shown, twins together; `without` gives, for each of them, the provisions that no row
    names, each with its state. `every` is how many codes the library has.
    """

    by: CodeRow
    columns: tuple[tuple[CodeRow, ...], ...]
    groups: tuple[Group, ...]
    without: Mapping[str, tuple[tuple[UnitRow, State], ...]]
    every: int = 0

    @property
    def codes(self) -> tuple[CodeRow, ...]:
        """The other codes in the order of the columns."""
        return tuple(code for column in self.columns for code in column)

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows in order."""
        return tuple(row for group in self.groups for row in group.rows)


@dataclass(frozen=True, slots=True)
class _Judged:
    """What the editor has said of provisions: by the provision, its counterparts with the links that say so."""

    linked: Mapping[str, Mapping[str, Sequence[Tie]]]
    units: Mapping[str, UnitRow]
    closed: frozenset[tuple[str, str]]
    counts: Mapping[str, int]


@once_a_build
def _judged(conn: sqlite3.Connection) -> _Judged:
    ties = fetch(conn, lambda *r: (str(r[0]), Tie(*map(str, r))), CONFIRMED)
    whole = wholes(conn, {tie.here for _, tie in ties})
    linked: dict[str, dict[str, list[Tie]]] = {}
    for _, tie in ties:
        linked.setdefault(whole[tie.here].id, {}).setdefault(whole[tie.there].id, []).append(tie)
    closed = frozenset(fetch(conn, lambda unit, code: (str(unit), str(code)), CLOSED))
    counts = Counter(tie.here.partition("/")[0] for _, tie in ties)
    return _Judged(linked, {u.id: u for u in whole.values()}, closed, counts)


def fullest(conn: sqlite3.Connection) -> str:
    """The id of the code with most confirmed links, which gives a concordance its order if none is named."""
    linked, codes = _judged(conn).counts, queries.codes(conn)
    return max(codes, key=lambda c: (linked.get(c.id, 0), c.year)).id if codes else ""


def concordance(conn: sqlite3.Connection, by: str, named: Sequence[str] = ()) -> Grid:
    """The concordance in the order of a code.

    Args:
        by: id of a code that exists.
        named: ids of the others shown; by default all, or where there is no room for all (`kb.comparison.columns`)
            those with most confirmed links to it.
    """
    codes = {c.id: c for c in queries.codes(conn)}
    judged = _judged(conn)
    linked, units, closed = judged.linked, judged.units, judged.closed
    told = Counter(units[there].work for here in linked if units[here].work == by for there in linked[here])
    others = [c.id for c in columns.side_by_side([c for c in codes.values() if c.id != by], told, named)]

    lacks = queries.lacks(conn)

    def state(unit: UnitRow, code: str, counterparts: object) -> State:
        if counterparts:
            return "linked"
        if unit.kind in lacks.get(code, ()):
            return "not printed"
        return "none" if (unit.id, code) in closed else "not judged"

    def cell(unit: UnitRow, code: str) -> GridCell:
        ties = linked.get(unit.id, {})
        there = sorted((units[i] for i in ties if units[i].work == code), key=lambda u: u.seq)
        counterparts = tuple(Counterpart(u, _chief(ties[u.id], unit.id, u.id)) for u in there)
        return GridCell(counterparts, state(unit, code, counterparts))

    rows = tuple(Row(u, {c: cell(u, c) for c in others}) for u in _members(conn, codes[by], units))
    without = {
        c: tuple(
            (u, state(u, by, None))
            for u in _members(conn, codes[c], {})
            if not any(units[i].work == by for i in linked.get(u.id, {}))
        )
        for c in others
    }
    shown = {c: code for c, code in codes.items() if c in (by, *others)}
    return Grid(codes[by], _columns(conn, shown, by), _grouped(rows), without, len(codes))


def page_of(table: Grid, number: int) -> tuple[Grid, int, int]:
    """A page of a concordance: its rows, and on the last one what has no counterpart, as far as it is listed.

    Args:
        table: the whole.
        number: which page, from 1; the last if there are fewer.
    Returns:
        The page as a grid of its own, its number, and how many there are.
    """
    pages = max(1, -(-len(table.rows) // ROWS_ON_A_PAGE))
    number = min(number, pages)
    rows = table.rows[(number - 1) * ROWS_ON_A_PAGE : number * ROWS_ON_A_PAGE]
    without = {c: units[:MOST_WITHOUT] if number == pages else () for c, units in table.without.items()}
    return replace(table, groups=_grouped(rows), without=without), number, pages


def _grouped(rows: Iterable[Row]) -> tuple[Group, ...]:
    return tuple(Group(heading, tuple(run)) for heading, run in groupby(rows, key=lambda r: r.unit.heading or ""))


def as_csv(table: Grid, number: Mapping[str, str]) -> str:
    """One line for each provision and counterpart, under a line of heads (RFC 4180); relations are those of the first.

    Args:
        number: how each unit is called within its code, by id.
    """
    out = io.StringIO()
    lines = csv.writer(out)
    lines.writerow(COLUMNS)
    for row in table.rows:
        for code in table.codes:
            cell = row.cells[code.id]
            start = (table.by.id, number[row.unit.id], row.unit.id, code.id, cell.state)
            for there in cell.counterparts:
                lines.writerows((*start, number[there.unit.id], there.unit.id, *_told(tie)) for tie in there.ties)
            if not cell.counterparts:
                lines.writerow((*start, "", "", "", "", ""))
    for code in table.codes:
        for unit, stands in table.without[code.id]:
            lines.writerow((table.by.id, "", "", code.id, stands, number[unit.id], unit.id, "", "", ""))
    return out.getvalue()


def shown(table: Grid) -> Iterator[UnitRow]:
    """Every provision that the concordance names."""
    for row in table.rows:
        yield row.unit
        yield from (there.unit for cell in row.cells.values() for there in cell.counterparts)
    yield from (unit for units in table.without.values() for unit, _ in units)


def _told(tie: Tie) -> tuple[str, str, str]:
    return tie.relation, tie.here, tie.there


def _chief(ties: Iterable[Tie], here: str, there: str) -> tuple[Tie, ...]:
    """The link between the wholes if there is one, or else those of their parts."""
    every = tuple(ties)
    whole = tuple(tie for tie in every if (tie.here, tie.there) == (here, there))
    return whole or every


def _members(conn: sqlite3.Connection, code: CodeRow, linked: Mapping[str, UnitRow]) -> list[UnitRow]:
    """The provisions of a code in reading order, with what else in its book is linked and bears its name."""
    own = {u.id: u for u in queries.units_of_code(conn, code.id) if u.role == "provision"}
    return sorted(({u.id: u for u in linked.values() if u.work == code.id} | own).values(), key=lambda u: u.seq)


def _columns(conn: sqlite3.Connection, codes: Mapping[str, CodeRow], by: str) -> tuple[tuple[CodeRow, ...], ...]:
    """The other codes, oldest first, each with its twin beside it."""
    twin = {a: b for pair in twin_codes(conn) for a, b in (pair, pair[::-1]) if by not in pair}
    found: list[tuple[CodeRow, ...]] = []
    for code in codes.values():
        if code.id != by and not any(code in column for column in found):
            found.append(tuple(codes[c] for c in (code.id, twin.get(code.id, "")) if c in codes))
    return tuple(found)
