"""A table of codes side by side: which codes have room in it, its rows page by page, and tables as CSV and Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from kb.read.paging import ListPage
from kb.read.rows import CodeRow

Thing = TypeVar("Thing")

MOST = 24
"""Codes that are set side by side, whoever chooses them; a library with no more has all shown."""
USUAL = 12
"""Codes that are shown of a larger library if none are named."""


@dataclass(frozen=True, slots=True)
class CodeTable(Generic[Thing]):
    """Codes side by side, and a page of the rows; codes that print nearly the same share a column.

    `every` is how many codes the library has.
    """

    columns: tuple[tuple[CodeRow, ...], ...]
    rows: tuple[Thing, ...]
    page: ListPage
    every: int

    @property
    def codes(self) -> tuple[CodeRow, ...]:
        """The codes shown, in the order of the columns."""
        return tuple(code for column in self.columns for code in column)


def has_room(codes: Sequence[CodeRow]) -> bool:
    """Whether all codes of a library can be set side by side."""
    return len(codes) <= MOST


def side_by_side(codes: Sequence[CodeRow], told: Mapping[str, float], named: Iterable[str] = ()) -> tuple[CodeRow, ...]:
    """The codes that are set side by side.

    Args:
        codes: all codes, oldest first.
        told: how much each has to tell on the matter, by id; asked only where there is no room for all.
        named: ids of the codes asked for, in their order; unknown ones are left out.
    Returns:
        Those named, `MOST` at most; or else all; or where there is no room for all the `USUAL` that have most to tell,
        oldest first. Of those that have as much the older are taken.
    """
    known = {code.id: code for code in codes}
    if given := [known[i] for i in dict.fromkeys(named) if i in known]:
        return tuple(given[:MOST])
    if has_room(codes):
        return tuple(codes)
    likely = sorted(codes, key=lambda code: -told.get(code.id, 0.0))[:USUAL]
    return tuple(code for code in codes if code in likely)


def runs(things: Iterable[Thing], alike: Callable[[Thing, Thing], bool]) -> Iterator[tuple[Thing, ...]]:
    """Things in their order, those that are alike to the one before them together with it."""
    run: list[Thing] = []
    for thing in things:
        if run and not alike(run[-1], thing):
            yield tuple(run)
            run = []
        run.append(thing)
    if run:
        yield tuple(run)


def in_rows(columns: Sequence[Sequence[str]], linked: Mapping[str, Sequence[str]]) -> list[list[list[str]]]:
    """Set what stands in columns in rows, each row with a cell for each column.

    What the fullest column has gives the rows and their order; anything of another column stands in the row of its
    strongest link, or in its own if none of its links leads to a row.

    Args:
        columns: the ids of what is set in rows.
        linked: of each id those it is linked with, the strongest link first.
    """
    spine = max(range(len(columns)), key=lambda at: len(columns[at]), default=0)
    rows: list[list[list[str]]] = []
    row_of: dict[str, list[list[str]]] = {}
    for at in sorted(range(len(columns)), key=lambda at: at != spine):
        for i in columns[at]:
            row = next((row_of[other] for other in linked.get(i, ()) if other in row_of and at != spine), None)
            if row is None:
                row = [[] for _ in columns]
                rows.append(row)
            row[at].append(i)
            row_of[i] = row
    return rows


def as_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows under a line of heads (RFC 4180)."""
    out = io.StringIO()
    csv.writer(out).writerows([head, *rows])
    return out.getvalue()


def as_markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table; what stands in its cells is Markdown already."""
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]
