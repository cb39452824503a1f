"""The works of a library by id, and the names of works and units as pages show them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from kb.cite import writing
from kb.read import queries
from kb.read.build_cache import cached_per_build
from kb.read.rows import BookRow, CodeRow, UnitRow


@dataclass(frozen=True, slots=True)
class Works:
    """All codes and books by id, oldest first."""

    codes: dict[str, CodeRow]
    books: dict[str, BookRow]

    def name(self, unit: UnitRow) -> str:
        """The name of a unit's work, for lists: `English club code, 1864`."""
        return self.label(unit.code_id or unit.book_id)

    def label(self, work_id: str) -> str:
        """The name of a work with its year, for lists."""
        work = self.codes.get(work_id) or self.books[work_id]
        return work.short if str(work.year) in work.short else f"{work.short}, {work.year}"

    def bare(self, work: CodeRow | BookRow) -> str:
        """A work's short name without its year, for places that show the year separately."""
        return work.short.removesuffix(f", {work.year}")

    def year(self, unit: UnitRow) -> int:
        """The year of a unit's code, or else of its book."""
        return (self.codes.get(unit.code_id or "") or self.books[unit.book_id]).year

    def title(self, unit: UnitRow, parent: UnitRow | None = None) -> str:
        """The name of a unit where its work is already named: `Law 72 (II)`."""
        return writing.title(unit, parent)

    def full(self, unit: UnitRow, parent: UnitRow | None = None) -> str:
        """The name of a unit with its work: `English laws, 1864, Law 72 (II)`."""
        return f"{self.name(unit)}, {writing.title(unit, parent)}"


@cached_per_build
def works(conn: sqlite3.Connection) -> Works:
    """Read the works."""
    return Works({c.id: c for c in queries.codes(conn)}, {b.id: b for b in queries.books(conn)})


def parents_of(conn: sqlite3.Connection, units: Iterable[UnitRow]) -> dict[str, UnitRow]:
    """The parents of some units, by parent id."""
    return queries.units(conn, {u.parent_id for u in units if u.parent_id})
