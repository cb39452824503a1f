"""The concordance of numbers: for each provision of one code, where its matter stands in the other codes.

Built from what the editor has said: his confirmed links, and the table `closed`, by which the absence of a link is a
finding. What a link says of a paragraph or a note stands under the provision that has it.
"""

from __future__ import annotations

import csv
import io
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from extract.model import PROVISIONS
from kb.comparison.changes import twin_codes
from kb.read import queries
from kb.read.rows import CodeRow, UnitRow, fetch

CONFIRMED = f"""
select a, b, relation from link where status = 'confirmed'
union all select b, a, {queries.TURNED} from link l where status = 'confirmed'
"""
CLOSED = "select unit_id, code_id from closed"
# What a provision holds, and what is linked as part of it.
PARTS = ("subclause", "note", "footnote")
COLUMNS = (
    "code", "number", "provision", "other_code", "state", "other_number", "other_provision", "relation", "part",
    "other_part",
)  # fmt: skip

State = Literal["linked", "none", "not judged"]


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
    """What one code has on the matter of a row: its counterparts; none, as the editor found; or nobody has said."""

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

    `columns` are the other codes, twins together; `without` gives, for each other code, the provisions that no row
    names, each with its state.
    """

    by: CodeRow
    columns: tuple[tuple[CodeRow, ...], ...]
    groups: tuple[Group, ...]
    without: Mapping[str, tuple[tuple[UnitRow, State], ...]]

    @property
    def codes(self) -> tuple[CodeRow, ...]:
        """The other codes in the order of the columns."""
        return tuple(code for column in self.columns for code in column)

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows in order."""
        return tuple(row for group in self.groups for row in group.rows)


def fullest(conn: sqlite3.Connection) -> str:
    """The id of the code with most confirmed links, which gives a concordance its order if none is named."""
    linked = Counter(str(a).partition("/")[0] for a, *_ in fetch(conn, lambda *r: r, CONFIRMED))
    codes = queries.codes(conn)
    return max(codes, key=lambda c: (linked[c.id], c.year)).id if codes else ""


def concordance(conn: sqlite3.Connection, by: str) -> Grid:
    """The concordance in the order of a code.

    Args:
        by: id of a code that exists.
    """
    codes = {c.id: c for c in queries.codes(conn)}
    ties = fetch(conn, lambda *r: (str(r[0]), Tie(*map(str, r))), CONFIRMED)
    wholes = _wholes(conn, {tie.here for _, tie in ties})
    closed = set(fetch(conn, lambda unit, code: (str(unit), str(code)), CLOSED))
    linked: dict[str, dict[str, list[Tie]]] = defaultdict(lambda: defaultdict(list))
    for _, tie in ties:
        linked[wholes[tie.here].id][wholes[tie.there].id].append(tie)
    units = {u.id: u for u in wholes.values()}

    def state(unit_id: str, code: str, counterparts: object) -> State:
        return "linked" if counterparts else "none" if (unit_id, code) in closed else "not judged"

    def cell(unit: UnitRow, code: str) -> GridCell:
        there = sorted((units[i] for i in linked[unit.id] if units[i].work == code), key=lambda u: u.seq)
        counterparts = tuple(Counterpart(u, _chief(linked[unit.id][u.id], unit.id, u.id)) for u in there)
        return GridCell(counterparts, state(unit.id, code, counterparts))

    others = [c for c in codes if c != by]
    rows = tuple(Row(u, {c: cell(u, c) for c in others}) for u in _members(conn, codes[by], units))
    groups = tuple(Group(heading, tuple(run)) for heading, run in groupby(rows, key=lambda r: r.unit.heading or ""))
    without = {
        c: tuple(
            (u, state(u.id, by, None))
            for u in _members(conn, codes[c], {})
            if not any(units[i].work == by for i in linked[u.id])
        )
        for c in others
    }
    return Grid(codes[by], _columns(conn, codes, by), groups, without)


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


def _wholes(conn: sqlite3.Connection, ids: Iterable[str]) -> dict[str, UnitRow]:
    """The provision that each of some units belongs to, by the unit's id; the unit itself if it is no part of one."""
    units = queries.units(conn, ids)
    above = queries.units(conn, {u.parent_id for u in units.values() if u.parent_id and u.kind in PARTS})
    return {
        u.id: above[u.parent_id] if u.kind in PARTS and u.parent_id and above[u.parent_id].kind in PROVISIONS else u
        for u in units.values()
    }


def _chief(ties: Iterable[Tie], here: str, there: str) -> tuple[Tie, ...]:
    """The link between the wholes if there is one, or else those of their parts."""
    every = tuple(ties)
    whole = tuple(tie for tie in every if (tie.here, tie.there) == (here, there))
    return whole or every


def _members(conn: sqlite3.Connection, code: CodeRow, linked: Mapping[str, UnitRow]) -> list[UnitRow]:
    """The provisions of a code in reading order, with what else in its book is linked and bears its name."""
    own = {u.id: u for u in queries.units_of_code(conn, code.id) if u.kind in PROVISIONS}
    return sorted(({u.id: u for u in linked.values() if u.work == code.id} | own).values(), key=lambda u: u.seq)


def _columns(conn: sqlite3.Connection, codes: Mapping[str, CodeRow], by: str) -> tuple[tuple[CodeRow, ...], ...]:
    """The other codes, oldest first, each with its twin beside it."""
    twin = {a: b for pair in twin_codes(conn) for a, b in (pair, pair[::-1]) if by not in pair}
    columns: list[tuple[CodeRow, ...]] = []
    for code in codes.values():
        if code.id != by and not any(code in column for column in columns):
            columns.append(tuple(codes[c] for c in (code.id, twin.get(code.id)) if c))
    return tuple(columns)
