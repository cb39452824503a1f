"""The rules that later codes share with earlier ones: the tables `borrowing` and `family`, for a page and for CSV."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kb.comparison import tabular
from kb.read import queries
from kb.read.rows import CodeRow, UnitRow, fetch, json_list

BORROWED = "select code_id, source_id, provisions, same, equivalent, part, nearest from borrowing"
OF_CODE = "where f.head_id in (select g.head_id from family g join unit v on v.id = g.unit_id where v.code_id = :code)"
FAMILIES = """
select f.head_id from family f join unit u on u.id = f.unit_id join unit h on h.id = f.head_id
join code c on c.id = h.code_id {where} group by f.head_id
order by count(distinct u.code_id) desc, c.year, h.code_id, h.seq
"""
MEMBERS = """
select f.head_id, f.unit_id, k.relation from family f join unit u on u.id = f.unit_id join code c on c.id = u.code_id
left join link k on k.a = f.head_id and k.b = f.unit_id and k.status <> 'rejected'
where f.head_id in (select value from json_each(?)) order by c.year, c.id, u.seq
"""
COLUMNS = ("code", "year", "source", "source_year", "provisions", "same", "equivalent", "part", "nearest", "share")


@dataclass(frozen=True, slots=True)
class Borrowing:
    """What a later code shares with an earlier one, in provisions of the later; a row of the table `borrowing`."""

    code: str
    source: str
    provisions: int
    same: int
    equivalent: int
    part: int
    nearest: int

    @property
    def share(self) -> float:
        """The share of the later code's provisions that the earlier has too, in the same words or others, 0 to 1."""
        return (self.same + self.equivalent) / self.provisions if self.provisions else 0.0


@dataclass(frozen=True, slots=True)
class RuleFamily:
    """Provisions with the same rule, the earliest first.

    `relations` has for each of them how it relates to the earliest, None if the two are not linked themselves.
    """

    members: tuple[UnitRow, ...]
    relations: tuple[str | None, ...]

    @property
    def codes(self) -> int:
        """The number of codes that have the rule."""
        return len({unit.code_id for unit in self.members})


def borrowings(conn: sqlite3.Connection) -> list[Borrowing]:
    """Return what each code shares with each earlier one, in the order of the later codes, then of the earlier."""
    place = {code.id: i for i, code in enumerate(queries.codes(conn))}
    return sorted(fetch(conn, Borrowing, BORROWED), key=lambda b: (place[b.code], place[b.source]))


def chief(found: Iterable[Borrowing]) -> dict[str, Borrowing]:
    """Return for each code the nearest of the earlier ones.

    That is the one with the words nearest to most of its provisions; of several, the one that shares most rules.
    """
    best: dict[str, Borrowing] = {}
    for one in sorted(found, key=lambda b: (b.nearest, b.same + b.equivalent)):
        if one.share:
            best[one.code] = one
    return best


def families(conn: sqlite3.Connection, code: str = "") -> list[RuleFamily]:
    """Return families of provisions, those in most codes first, then the oldest.

    Args:
        code: the id of a code: only families with a provision of it; all if empty.
    """
    heads = fetch(conn, str, FAMILIES.format(where=OF_CODE if code else ""), {"code": code})
    members_of: dict[str, dict[str, str | None]] = {head: {} for head in heads}
    for head, unit_id, relation in fetch(conn, lambda *row: row, MEMBERS, (json_list(heads),)):
        members_of[head][unit_id] = relation
    units = queries.units(conn, {i for members in members_of.values() for i in members})
    return [RuleFamily(tuple(units[i] for i in members), tuple(members.values())) for members in members_of.values()]


def as_csv(found: Sequence[Borrowing], codes: Mapping[str, CodeRow]) -> str:
    """Return CSV with one line for each pair of codes.

    Args:
        codes: all codes by id.
    """
    return tabular.as_csv(COLUMNS, (
        (b.code, codes[b.code].year, b.source, codes[b.source].year, b.provisions, b.same, b.equivalent, b.part,
         b.nearest, f"{b.share:.4f}")
        for b in found
    ))  # fmt: skip
