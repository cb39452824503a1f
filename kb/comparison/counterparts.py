"""The provisions of other codes that a provision is linked with, and what is known where there is none.

What a link says of a paragraph or a note stands under the provision that has it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from kb.read import queries
from kb.read.kept import once_a_build
from kb.read.rows import UnitRow, fetch

CLOSED = "select unit_id, code_id from closed"
# What a provision holds, and what is linked as part of it.
PARTS = ("subclause", "note", "footnote")

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
class LinkBetween(Tie):
    """A link: what the provision `there`, or a part of it, is to the one `here`, and whether the editor says so."""

    judged: bool


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A provision of another code on the same matter, with the links that say so; one of the whole outdoes the rest."""

    unit: UnitRow
    ties: tuple[Tie, ...]


Linked = Mapping[str, Mapping[str, Sequence[Tie]]]
"""By the provision, and by that which it is linked with, the links between them and their parts."""


def wholes(conn: sqlite3.Connection, ids: Iterable[str]) -> dict[str, UnitRow]:
    """The provision that each of some units belongs to, by the unit's id; the unit itself if it is no part of one."""
    units = queries.units(conn, ids)
    above = queries.units(conn, {u.parent_id for u in units.values() if u.parent_id and u.kind in PARTS})
    return {
        u.id: above[u.parent_id] if u.kind in PARTS and u.parent_id and above[u.parent_id].role == "provision" else u
        for u in units.values()
    }


def by_provision(ties: Iterable[Tie], whole: Mapping[str, UnitRow]) -> Linked:
    """Links under the provisions that they, or parts of them, join; `whole` is as `wholes` gives it."""
    linked: dict[str, dict[str, list[Tie]]] = {}
    for tie in ties:
        linked.setdefault(whole[tie.here].id, {}).setdefault(whole[tie.there].id, []).append(tie)
    return linked


def counterparts(here: str, linked: Linked, units: Mapping[str, UnitRow], code: str) -> tuple[Counterpart, ...]:
    """What a provision is linked with in a code, in reading order."""
    ties = linked.get(here, {})
    there = sorted((units[i] for i in ties if units[i].work == code), key=lambda u: u.seq)
    whole = {u.id: tuple(tie for tie in ties[u.id] if (tie.here, tie.there) == (here, u.id)) for u in there}
    return tuple(Counterpart(u, whole[u.id] or tuple(ties[u.id])) for u in there)


def members(conn: sqlite3.Connection, code: str, linked: Iterable[UnitRow] = ()) -> list[UnitRow]:
    """The provisions of a code in reading order, with what else in its book is linked and bears its name."""
    own = [u for u in queries.units_of_code(conn, code) if u.role == "provision"]
    return sorted({u.id: u for u in (*linked, *own) if u.work == code}.values(), key=lambda u: u.seq)


@once_a_build
def _closed(conn: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    return frozenset(fetch(conn, lambda unit, code: (str(unit), str(code)), CLOSED))


def unlinked(conn: sqlite3.Connection, unit: UnitRow, code: str) -> State:
    """What is known where a provision has no counterpart in a code: the editor found none, or nobody has said.

    Not printed is what the code has, but not the book that it is read from.
    """
    if unit.kind in queries.lacks(conn).get(code, ()):
        return "not printed"
    return "none" if (unit.id, code) in _closed(conn) else "not judged"
