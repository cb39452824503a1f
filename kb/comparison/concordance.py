"""Provisions and their counterparts in other codes: the concordance of numbers.

For each provision of one code, it shows the provisions of the others on the same matter. It is built from the editor's
judgements: confirmed links, and the table `closed`, which makes the absence of a link a finding. The link of a
paragraph or a note is listed under its provision.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from kb.comparison.tabular import as_csv
from kb.read import queries
from kb.read.build_cache import cached_per_build
from kb.read.domain import domain
from kb.read.rows import CodeRow, UnitRow, fetch

# The links of a code, read from its side: the ids of its units begin with its id and a slash; "0" is the character
# after the slash. The editor's links come first, then the most similar pairs.
LINKS = f"""
select here, there, relation, status = 'confirmed' from (
    select l.a as here, l.b as there, l.relation as relation, l.status as status, l.score as score from link l
    where l.a > :by || '/' and l.a < :by || '0'
    union all select l.b, l.a, {queries.TURNED}, l.status, l.score from link l
    where l.b > :by || '/' and l.b < :by || '0'
) join unit ua on ua.id = here join unit ub on ub.id = there
where (:other = '' or there > :other || '/' and there < :other || '0')
and (status = 'confirmed' or status = 'proposed' and not :judged)
order by status <> 'confirmed', score desc, ua.seq, ub.seq
"""
# The code with most confirmed links; of several, the youngest.
FULLEST = """
select c.id from code c left join unit u on u.code_id = c.id
left join (
    select a as id from link where status = 'confirmed' union all select b from link where status = 'confirmed'
) l on l.id = u.id
group by c.id order by count(l.id) desc, c.year desc limit 1
"""
CLOSED = "select unit_id, code_id from closed"
# Twins have the same text, confirmed or proposed, whether under the same number or not.
TWINS = """
select ua.code_id, ub.code_id, min(count(distinct l.a), count(distinct l.b))
from link l join unit ua on ua.id = l.a join unit ub on ub.id = l.b
where l.relation = 'same-text' and l.status <> 'rejected' and ua.code_id <> ub.code_id
and ua.kind <> 'subclause' and ub.kind <> 'subclause'
group by ua.code_id, ub.code_id
"""
# Kinds of units within a provision, whose links count as its own.
PARTS = ("subclause", "note", "footnote")
COLUMNS = (
    "code", "number", "provision", "other_code", "state", "other_number", "other_provision", "relation", "part",
    "other_part",
)  # fmt: skip

# `not printed`: the code has provisions of this kind, but the book that it is read from omits them.
State = Literal["linked", "none", "not judged", "not printed"]


@dataclass(frozen=True, slots=True)
class Tie:
    """A link: the relation of a provision, or of its part `here`, to another provision, or to its part `there`.

    `here` and `there` are ids; they are those of the provisions if the whole is linked. `judged` is whether the editor
    confirmed the link; otherwise the machine proposes it.
    """

    here: str
    there: str
    relation: str
    judged: bool = True


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A provision of another code on the same matter, with its links: those of the whole if any, else of its parts."""

    unit: UnitRow
    ties: tuple[Tie, ...]


@dataclass(frozen=True, slots=True)
class GridCell:
    """A code's counterparts to the provision of a row; without any, `state` says whether the editor found none."""

    counterparts: tuple[Counterpart, ...]
    state: State


@dataclass(frozen=True, slots=True)
class ConcordanceRow:
    """A provision of the code that gives the order, and a cell for each other code, by the code's id."""

    unit: UnitRow
    cells: Mapping[str, GridCell]


@dataclass(frozen=True, slots=True)
class Grid:
    """Provisions of one code (`by`) with their counterparts in others; twins share a column of `columns`.

    `without` has, for each of the others, the provisions that are in no row, each with its state. `linked` is whether
    any link was judged at all.
    """

    columns: tuple[tuple[CodeRow, ...], ...]
    rows: tuple[ConcordanceRow, ...]
    by: CodeRow
    without: Mapping[str, tuple[tuple[UnitRow, State], ...]]
    linked: bool

    @property
    def codes(self) -> tuple[CodeRow, ...]:
        """The codes shown, in the order of the columns."""
        return tuple(code for column in self.columns for code in column)

    @property
    def groups(self) -> list[tuple[str, tuple[ConcordanceRow, ...]]]:
        """The rows under each heading of the code."""
        return [(heading, tuple(rows)) for heading, rows in groupby(self.rows, key=lambda r: r.unit.heading or "")]


@dataclass(frozen=True, slots=True)
class Linked:
    """The links of a code by its provision, then by the other code's provision; links of parts are among them.

    `units` are all these provisions, by id.
    """

    ties: Mapping[str, Mapping[str, Sequence[Tie]]]
    units: Mapping[str, UnitRow]

    def counterparts(self, here: str, code: str) -> tuple[Counterpart, ...]:
        """Return the counterparts of a provision in a code, in reading order."""
        found = self.ties.get(here, {})
        there = sorted((self.units[i] for i in found if self.units[i].work == code), key=lambda u: u.seq)
        whole = {u.id: tuple(tie for tie in found[u.id] if (tie.here, tie.there) == (here, u.id)) for u in there}
        return tuple(Counterpart(u, whole[u.id] or tuple(found[u.id])) for u in there)


def links(conn: sqlite3.Connection, by: str, other: str = "", *, judged: bool = False) -> list[Tie]:
    """Return the links of a code, the editor's first, then the most similar.

    Args:
        by, other: ids of the code and of the code that it is linked with; any other if not given.
        judged: only the editor's links.
    """
    return fetch(
        conn,
        lambda a, b, relation, sure: Tie(a, b, relation, bool(sure)),
        LINKS,
        {"by": by, "other": other, "judged": judged},
    )


def by_provision(conn: sqlite3.Connection, ties: Collection[Tie]) -> Linked:
    """Group links by the two provisions that they, or parts of them, join."""
    units = queries.units(conn, {i for tie in ties for i in (tie.here, tie.there)})
    above = queries.units(conn, {u.parent_id for u in units.values() if u.parent_id and u.kind in PARTS})
    whole = {
        i: above[u.parent_id] if u.kind in PARTS and u.parent_id and above[u.parent_id].role == "provision" else u
        for i, u in units.items()
    }
    linked: dict[str, dict[str, list[Tie]]] = {}
    for tie in ties:
        linked.setdefault(whole[tie.here].id, {}).setdefault(whole[tie.there].id, []).append(tie)
    return Linked(linked, {u.id: u for u in whole.values()})


def rows_of(conn: sqlite3.Connection, by: str, linked: Linked, others: Iterable[str]) -> tuple[ConcordanceRow, ...]:
    """Return rows for the provisions of a code, in reading order, and for its other units that are linked.

    Args:
        by: id of the code.
        linked: its links.
        others: ids of the codes that have a cell in each row.
    """
    own = {u.id: u for u in (*linked.units.values(), *provisions(conn, by)) if u.work == by}
    codes = tuple(others)

    def cell(unit: UnitRow, code: str) -> GridCell:
        found = linked.counterparts(unit.id, code)
        return GridCell(found, "linked" if found else unlinked(conn, unit, code))

    in_order = sorted(own.values(), key=lambda u: u.seq)
    return tuple(ConcordanceRow(u, {code: cell(u, code) for code in codes}) for u in in_order)


def provisions(conn: sqlite3.Connection, code: str) -> list[UnitRow]:
    """Return the provisions of a code in reading order."""
    return [u for u in queries.units_of_code(conn, code) if u.role == "provision"]


def unlinked(conn: sqlite3.Connection, unit: UnitRow, code: str) -> State:
    """Return why a provision has no counterpart in a code: not printed, none found by the editor, or not judged."""
    if unit.kind in queries.lacks(conn).get(code, ()):
        return "not printed"
    return "none" if (unit.id, code) in _closed(conn) else "not judged"


@cached_per_build
def _closed(conn: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    return frozenset(fetch(conn, lambda unit, code: (str(unit), str(code)), CLOSED))


def fullest(conn: sqlite3.Connection) -> str:
    """Return the id of the code with most confirmed links, whose order a concordance has if no code is named."""
    return next(iter(fetch(conn, str, FULLEST)), "")


@cached_per_build
def twin_codes(conn: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return the pairs of codes, older first, that share the text of at least half the provisions of the smaller."""
    years = {c.id: c.year for c in queries.codes(conn)}
    kinds = domain(conn).kinds_of("provision")
    sizes = {code: sum(counts.get(kind, 0) for kind in kinds) for code, counts in queries.kind_counts(conn).items()}
    found = []
    for a, b, count in fetch(conn, lambda *r: (str(r[0]), str(r[1]), int(r[2])), TWINS):
        if 2 * count >= min(sizes.get(a, 0), sizes.get(b, 0)):
            found.append((a, b) if years[a] <= years[b] else (b, a))
    return sorted(set(found), key=lambda pair: (years[pair[0]], pair))


def concordance(conn: sqlite3.Connection, by: str, against: str = "") -> Grid:
    """Return the concordance in the order of a code.

    Args:
        by: id of a code that exists.
        against: id of the only other code shown; all others if not given.
    """
    every = queries.codes(conn)
    linked = by_provision(conn, links(conn, by, judged=True))
    others = {c.id: c for c in every if c.id != by and against in (c.id, "")}
    rows = rows_of(conn, by, linked, others)
    named_there = {c.unit.id for row in rows for cell in row.cells.values() for c in cell.counterparts}
    without = {
        code: tuple((u, unlinked(conn, u, by)) for u in provisions(conn, code) if u.id not in named_there)
        for code in others
    }
    return Grid(_columns(conn, others), rows, next(c for c in every if c.id == by), without, bool(linked.ties))


def csv_of(table: Grid, number: Mapping[str, str]) -> str:
    """Return CSV with one line for each provision and counterpart; relations are those of the provision to it.

    Args:
        number: the name of each unit within its code, by id.
    """
    lines: list[tuple[str, ...]] = []
    for row in table.rows:
        for code in table.codes:
            cell = row.cells[code.id]
            start = (table.by.id, number[row.unit.id], row.unit.id, code.id, cell.state)
            for there in cell.counterparts:
                to = (number[there.unit.id], there.unit.id)
                lines += ((*start, *to, tie.relation, tie.here, tie.there) for tie in there.ties)
            if not cell.counterparts:
                lines.append((*start, "", "", "", "", ""))
    for code in table.codes:
        for unit, state_there in table.without[code.id]:
            lines.append((table.by.id, "", "", code.id, state_there, number[unit.id], unit.id, "", "", ""))
    return as_csv(COLUMNS, lines)


def shown(table: Grid) -> Iterator[UnitRow]:
    """Yield every provision that the concordance names."""
    for row in table.rows:
        yield row.unit
        yield from (there.unit for cell in row.cells.values() for there in cell.counterparts)
    yield from (unit for units in table.without.values() for unit, _ in units)


def _columns(conn: sqlite3.Connection, codes: Mapping[str, CodeRow]) -> tuple[tuple[CodeRow, ...], ...]:
    """Return the columns of codes, oldest first, each with its twin."""
    twin = dict(pair for pair in twin_codes(conn) if all(c in codes for c in pair))
    younger = set(twin.values())
    return tuple((code, *([codes[twin[c]]] if c in twin else ())) for c, code in codes.items() if c not in younger)
