"""The ledger: checks that units and furniture cover the whole scan, that units nest, and that ids are unique."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from extract.errors import LedgerError
from extract.model import Edit

_PRINT = re.compile(r"\S+")
_UNCOVERED = re.compile(rb"\0+")


class Placed(Protocol):
    """Anything with an id and a span of the scan."""

    @property
    def id(self) -> str: ...
    @property
    def raw_start(self) -> int: ...
    @property
    def raw_end(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Ledger:
    """The totals of a scan, in characters other than white space.

    `lost`: spans in no unit and no furniture; `crossing`: pairs of units that overlap without one holding the other;
    `doubled`: ids that several units have.
    """

    characters: int
    in_units: int
    in_furniture: int
    lost: tuple[tuple[int, int], ...]
    crossing: tuple[tuple[str, str], ...]
    doubled: tuple[str, ...]

    @property
    def balanced(self) -> bool:
        return not (self.lost or self.crossing or self.doubled)


def compute_ledger(scan: str, units: Sequence[Placed], edits: Iterable[Edit]) -> Ledger:
    """Compute the ledger of a book.

    Args:
        scan: the scan.
        units: all its units.
        edits: all its edits. Those of kind `furniture` cover their span; so do deletions of kind `join`: the end of
            a word cut by a note, which is read with its beginning above the note.
    """
    covered = bytearray(len(scan))
    furniture = 0
    for edit in edits:
        if edit.kind == "furniture":
            covered[edit.raw_start : edit.raw_end] = b"\1" * (edit.raw_end - edit.raw_start)
            furniture += sum(not c.isspace() for c in edit.before)
        elif edit.kind == "join" and not edit.after:
            covered[edit.raw_start : edit.raw_end] = b"\1" * (edit.raw_end - edit.raw_start)
    for unit in units:
        covered[unit.raw_start : unit.raw_end] = b"\1" * (unit.raw_end - unit.raw_start)
    lost = [m.span() for gap in _UNCOVERED.finditer(covered) for m in _PRINT.finditer(scan, *gap.span())]
    total = sum(map(len, scan.split()))
    missing = sum(b - a for a, b in lost)
    doubled = tuple(unit_id for unit_id, times in Counter(unit.id for unit in units).items() if times > 1)
    return Ledger(total, total - furniture - missing, furniture, tuple(lost), tuple(_crossing(units)), doubled)


def _crossing(units: Sequence[Placed]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    open_units: list[Placed] = []
    for unit in sorted(units, key=lambda u: (u.raw_start, -u.raw_end)):
        while open_units and open_units[-1].raw_end <= unit.raw_start:
            open_units.pop()
        if open_units and unit.raw_end > open_units[-1].raw_end:
            found.append((open_units[-1].id, unit.id))
        open_units.append(unit)
    return found


def require_balance(book_id: str, scan: str, ledger: Ledger) -> None:
    """Raise an error if text is lost, units cross, or several units have the same id.

    Raises:
        LedgerError: names the first lost span, the first crossing pair or the first id that several units have.
    """
    if ledger.lost:
        start, end = ledger.lost[0]
        raise LedgerError(
            f"{book_id}: {len(ledger.lost)} passages are in no unit and not page furniture, the first at {start}: "
            f"{scan[start : min(end, start + 40)]!r}; add a part for them to book.toml, or a reading of kind "
            "'furniture' to errata.toml."
        )
    if ledger.crossing:
        a, b = ledger.crossing[0]
        raise LedgerError(
            f"{book_id}: units {a} and {b} overlap, and neither contains the other; correct book.toml, or the reading "
            "of errata.toml that lies across both."
        )
    if ledger.doubled:
        raise LedgerError(f"{book_id}: several units have the id {ledger.doubled[0]}; change a slug in book.toml.")
