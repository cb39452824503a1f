"""What a code has alone, what it shares with earlier ones, and which earlier provisions have no counterpart in it."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from kb.comparison.matrix import Row, matrix, without
from kb.read import queries

# How much of a provision another code shares, most first, by the relations of their links.
DEGREES: Mapping[str, frozenset[str]] = {
    "same words": frozenset({"same-text"}),
    "same rule": frozenset({"equivalent"}),
    "in part": frozenset({"broader", "narrower"}),
    "another rule": frozenset({"differs", "opposed"}),
}


@dataclass(frozen=True, slots=True)
class SharedCount:
    """How many provisions of a code are in an earlier one, each counted once, by its closest counterpart there."""

    code: str
    earlier: str
    provisions: int
    same_words: int
    same_rule: int
    in_part: int
    another_rule: int
    none: int


@dataclass(frozen=True, slots=True)
class Shared:
    """The provisions of a code against the earlier codes.

    Attributes:
        earlier, later: the ids of the other codes.
        new: those without a counterpart in any earlier code, each with the later codes that have one.
        alone: the ids of those without a counterpart in any other code.
        taken: by degree, those that an earlier code has too, under their highest degree.
        open: those without an earlier counterpart, though not every earlier code was looked through or prints such.
        left_out: by earlier code, its provisions without a counterpart in this one, each with the reason.
    """

    earlier: tuple[str, ...]
    later: tuple[str, ...]
    new: tuple[tuple[Row, tuple[str, ...]], ...]
    alone: frozenset[str]
    taken: Mapping[str, tuple[Row, ...]]
    open: tuple[Row, ...]
    left_out: Mapping[str, tuple[Row, ...]]


def degree(row: Row, code: str) -> str:
    """Return how much of a provision another code shares, "" if nothing; what a paragraph shares counts in part."""
    found = {
        "narrower" if tie.here != row.unit.id and tie.relation in ("same-text", "equivalent") else tie.relation
        for there in row.cells[code].counterparts
        for tie in there.ties
    }
    return next((name for name, relations in DEGREES.items() if relations & found), "")


def counts(conn: sqlite3.Connection) -> list[SharedCount]:
    """Count what each code shares with each earlier one, in the order of the later codes, then of the earlier."""
    codes = [code.id for code in queries.codes(conn)]
    found = []
    for at, code in enumerate(codes):
        rows = [row for row in matrix(conn)[code] if row.unit.role == "provision"]
        for earlier in codes[:at]:
            of = Counter(degree(row, earlier) or row.cells[earlier].state for row in rows)
            same, alike, part, other = (of[name] for name in DEGREES)
            found.append(SharedCount(code, earlier, len(rows), same, alike, part, other, of["none"]))
    return found


def shared(conn: sqlite3.Connection, code: str) -> Shared:
    """Return what a code has alone, what it took and what it left out."""
    codes = [each.id for each in queries.codes(conn)]
    at = codes.index(code)
    earlier, later = tuple(codes[:at]), tuple(codes[at + 1 :])
    rows = [row for row in matrix(conn)[code] if row.unit.role == "provision"]
    new = [row for row in rows if all(row.cells[each].state == "none" for each in earlier)]
    degrees = {row.unit.id: {degree(row, each) for each in earlier} for row in rows}
    highest = {unit: next((name for name in DEGREES if name in found), "") for unit, found in degrees.items()}
    return Shared(
        earlier,
        later,
        tuple((row, tuple(each for each in later if row.cells[each].counterparts)) for row in new),
        frozenset(row.unit.id for row in rows if all(cell.state == "none" for cell in row.cells.values())),
        {name: tuple(row for row in rows if highest[row.unit.id] == name) for name in DEGREES},
        tuple(row for row in rows if not highest[row.unit.id] and row not in new),
        {each: without(conn, each, code) for each in earlier},
    )
