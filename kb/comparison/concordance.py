"""The concordance of numbers: for each provision of one code, where its matter stands in the other codes.

Built from what the editor has said: his confirmed links, and the table `closed`, by which the absence of a link is a
finding.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from kb.comparison import columns
from kb.comparison.changes import twin_codes
from kb.comparison.counterparts import (
    Counterpart,
    Linked,
    State,
    Tie,
    by_provision,
    counterparts,
    members,
    unlinked,
    wholes,
)
from kb.read import queries
from kb.read.kept import once_a_build
from kb.read.rows import CodeRow, UnitRow, fetch

CONFIRMED = f"""
select a, b, relation from link where status = 'confirmed'
union all select b, a, {queries.TURNED} from link l where status = 'confirmed'
"""
ROWS_ON_A_PAGE = 300
MOST_WITHOUT = 300
"""Provisions without a counterpart that are listed of each code."""
COLUMNS = (
    "code", "number", "provision", "other_code", "state", "other_number", "other_provision", "relation", "part",
    "other_part",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class GridCell:
    """What one code has on the matter of a row: its counterparts; none, as the editor found; or nobody has said.

    Not printed is what the code has, but not the book that it is read from.
    """

    counterparts: tuple[Counterpart, ...]
    state: State


@dataclass(frozen=True, slots=True)
class ConcordanceRow:
    """A provision of the code that gives the order, and a cell for each other code, by its id."""

    unit: UnitRow
    cells: Mapping[str, GridCell]


@dataclass(frozen=True, slots=True)
class Group:
    """The rows under one heading of the code."""

    heading: str
    rows: tuple[ConcordanceRow, ...]


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
    def rows(self) -> tuple[ConcordanceRow, ...]:
        """All rows in order."""
        return tuple(row for group in self.groups for row in group.rows)


@dataclass(frozen=True, slots=True)
class _Judged:
    """What the editor has said of provisions: by the provision, its counterparts with the links that say so."""

    linked: Linked
    units: Mapping[str, UnitRow]
    counts: Mapping[str, int]


@once_a_build
def _judged(conn: sqlite3.Connection) -> _Judged:
    ties = fetch(conn, lambda *r: (str(r[0]), Tie(*map(str, r))), CONFIRMED)
    whole = wholes(conn, {tie.here for _, tie in ties})
    counts = Counter(tie.here.partition("/")[0] for _, tie in ties)
    return _Judged(by_provision((tie for _, tie in ties), whole), {u.id: u for u in whole.values()}, counts)


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
    linked, units = judged.linked, judged.units
    told = Counter(units[there].work for here in linked if units[here].work == by for there in linked[here])
    others = [c.id for c in columns.side_by_side([c for c in codes.values() if c.id != by], told, named)]

    def cell(unit: UnitRow, code: str) -> GridCell:
        found = counterparts(unit.id, linked, units, code)
        return GridCell(found, "linked" if found else unlinked(conn, unit, code))

    rows = tuple(ConcordanceRow(u, {c: cell(u, c) for c in others}) for u in members(conn, by, units.values()))
    without = {
        c: tuple((u, unlinked(conn, u, by)) for u in members(conn, c) if not counterparts(u.id, linked, units, by))
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
    rows, number, pages = columns.page_of(table.rows, number, ROWS_ON_A_PAGE)
    without = {c: units[:MOST_WITHOUT] if number == pages else () for c, units in table.without.items()}
    return replace(table, groups=_grouped(rows), without=without), number, pages


def _grouped(rows: Iterable[ConcordanceRow]) -> tuple[Group, ...]:
    return tuple(Group(heading, tuple(run)) for heading, run in groupby(rows, key=lambda r: r.unit.heading or ""))


def as_csv(table: Grid, number: Mapping[str, str]) -> str:
    """One line for each provision and counterpart; relations are those of the first.

    Args:
        number: how each unit is called within its code, by id.
    """
    rows: list[tuple[str, ...]] = []
    for row in table.rows:
        for code in table.codes:
            cell = row.cells[code.id]
            start = (table.by.id, number[row.unit.id], row.unit.id, code.id, cell.state)
            for there in cell.counterparts:
                to = (number[there.unit.id], there.unit.id)
                rows += ((*start, *to, tie.relation, tie.here, tie.there) for tie in there.ties)
            if not cell.counterparts:
                rows.append((*start, "", "", "", "", ""))
    for code in table.codes:
        for unit, stands in table.without[code.id]:
            rows.append((table.by.id, "", "", code.id, stands, number[unit.id], unit.id, "", "", ""))
    return columns.as_csv(COLUMNS, rows)


def shown(table: Grid) -> Iterator[UnitRow]:
    """Every provision that the concordance names."""
    for row in table.rows:
        yield row.unit
        yield from (there.unit for cell in row.cells.values() for there in cell.counterparts)
    yield from (unit for units in table.without.values() for unit, _ in units)


def _columns(conn: sqlite3.Connection, codes: Mapping[str, CodeRow], by: str) -> tuple[tuple[CodeRow, ...], ...]:
    """The other codes, oldest first, each with its twin beside it."""
    twin = {a: b for pair in twin_codes(conn) for a, b in (pair, pair[::-1]) if by not in pair}
    found: list[tuple[CodeRow, ...]] = []
    for code in codes.values():
        if code.id != by and not any(code in column for column in found):
            found.append(tuple(codes[c] for c in (code.id, twin.get(code.id, "")) if c in codes))
    return tuple(found)
