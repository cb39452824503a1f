"""A table of codes side by side: the choice of codes, its columns and rows, and tables as CSV and Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from kb.read.rows import CodeRow

Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class CodeTable(Generic[Thing]):
    """Codes side by side, and the rows; codes that print nearly the same share a column."""

    columns: tuple[tuple[CodeRow, ...], ...]
    rows: tuple[Thing, ...]

    @property
    def codes(self) -> tuple[CodeRow, ...]:
        """The codes shown, in the order of the columns."""
        return tuple(code for column in self.columns for code in column)


def chosen_codes(codes: Sequence[CodeRow], named: Iterable[str] = ()) -> tuple[CodeRow, ...]:
    """Return the codes named, in their order, or all if none is.

    Args:
        codes: all codes, oldest first.
        named: ids of the codes asked for; unknown ones are left out.
    """
    known = {code.id: code for code in codes}
    return tuple(known[i] for i in dict.fromkeys(named) if i in known) or tuple(codes)


def runs(things: Iterable[Thing], alike: Callable[[Thing, Thing], bool]) -> Iterator[tuple[Thing, ...]]:
    """Yield runs of consecutive things, each of which is `alike` to the one before it."""
    run: list[Thing] = []
    for thing in things:
        if run and not alike(run[-1], thing):
            yield tuple(run)
            run = []
        run.append(thing)
    if run:
        yield tuple(run)


def align(columns: Sequence[Sequence[str]], linked: Mapping[str, Sequence[str]]) -> list[list[list[str]]]:
    """Arrange the ids of columns in rows, each row with a cell for each column.

    The ids of the longest column give the rows and their order. An id of another column is put into the row of its
    strongest link, or into a row of its own if none of its links leads to a row.

    Args:
        columns: the ids of each column.
        linked: the ids to which each id is linked, the strongest link first.
    """
    longest = max(range(len(columns)), key=lambda at: len(columns[at]), default=0)
    rows: list[list[list[str]]] = []
    row_of: dict[str, list[list[str]]] = {}
    for at in sorted(range(len(columns)), key=lambda at: at != longest):
        for i in columns[at]:
            row = next((row_of[other] for other in linked.get(i, ()) if other in row_of and at != longest), None)
            if row is None:
                row = [[] for _ in columns]
                rows.append(row)
            row[at].append(i)
            row_of[i] = row
    return rows


def as_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV (RFC 4180), under a header line."""
    out = io.StringIO()
    csv.writer(out).writerows([head, *rows])
    return out.getvalue()


def as_markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table; its cells are Markdown already."""
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]
