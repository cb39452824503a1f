"""Check a built knowledge base: the ledger of each scan, and the numbering of each series."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from extract.corpus.table import is_work_id
from extract.ledger import Ledger, compute_ledger
from extract.model import Edit, Role
from kb.read import queries
from kb.read.domain import domain
from kb.read.rows import AuditRow, UnitRow, fetch

FURNITURE = "select raw_start, raw_end, before from edit where book_id = ? and kind = 'furniture' order by raw_start"
_NUMBER = re.compile(r"^(?P<series>[a-z]?)(?P<number>\d+)$")
_SERIES: tuple[Role, ...] = ("provision", "case", "decision", "definition", "commentary")


@dataclass(frozen=True, slots=True)
class Numbering:
    """A numbered series: how many units it has, its lowest and highest number, and the decisions that are missing.

    The audit finds the other numbers that are missing.
    """

    work: str
    kind: str
    series: str
    count: int
    first: int
    last: int
    missing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BookCheck:
    """The check of one book; `citations` counts references by status."""

    book_id: str
    ledger: Ledger
    numberings: tuple[Numbering, ...]
    findings: tuple[AuditRow, ...]
    citations: tuple[tuple[str, int], ...]

    @property
    def faults(self) -> tuple[AuditRow, ...]:
        """The findings on numbers that are missing or repeated."""
        return tuple(f for f in self.findings if f.finding in ("gap", "repeat") and f.series != "pages")

    @property
    def sound(self) -> bool:
        """Whether nothing is lost, and no number is missing or repeated."""
        return self.ledger.balanced and not self.faults


def check(conn: sqlite3.Connection) -> tuple[BookCheck, ...]:
    """Check every book of a knowledge base."""
    return tuple(_check_book(conn, book.id) for book in queries.books(conn))


def without_address(conn: sqlite3.Connection) -> tuple[str, ...]:
    """Return the books and codes whose ids do not end in a year, so that their pages have no URL."""
    works = [*(book.id for book in queries.books(conn)), *(code.id for code in queries.codes(conn))]
    return tuple(work for work in works if not is_work_id(work))


def _check_book(conn: sqlite3.Connection, book_id: str) -> BookCheck:
    units = queries.units_of_book(conn, book_id)
    facts = queries.scan_facts(conn, book_id)
    scan = queries.scan(conn, book_id, 0, facts[1] if facts else 0)
    furniture = fetch(conn, lambda a, b, text: Edit(a, b, text, "", "furniture", "rule"), FURNITURE, (book_id,))
    cited = tuple(queries.reference_counts(conn, book_id))
    findings = tuple(queries.audit(conn, book_id))
    numberings = _numberings(units, domain(conn).kinds_of(*_SERIES), domain(conn).kinds_of("decision"))
    return BookCheck(book_id, compute_ledger(scan, units, furniture), numberings, findings, cited)


def _numberings(units: list[UnitRow], kinds: Iterable[str], decisions: Collection[str]) -> tuple[Numbering, ...]:
    found: list[Numbering] = []
    for kind in kinds:
        groups: dict[tuple[str, str], list[int]] = {}
        for unit in units:
            if unit.kind != kind:
                continue
            match = _NUMBER.match(unit.number or "")
            groups.setdefault((unit.work, match["series"] if match else ""), []).append(
                int(match["number"]) if match else 0
            )
        for (work, series), numbers in groups.items():
            numbered = [n for n in numbers if n]
            first, last = min(numbered, default=0), max(numbered, default=0)
            missing = tuple(sorted(set(range(1, last + 1)) - set(numbered))) if kind in decisions else ()
            found.append(Numbering(work, kind, series.upper(), len(numbers), first, last, missing))
    return tuple(found)
