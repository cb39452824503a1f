"""What is shown at once: codes side by side, all of them or a few of a large library; pages of rows; CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from kb.read.rows import CodeRow

Thing = TypeVar("Thing")

MOST = 24
"""Codes that are set side by side, whoever chooses them; a library with no more has all shown."""
USUAL = 12
"""Codes that are shown of a larger library if none are named."""


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
    chosen = {code.id for code in likely}
    return tuple(code for code in codes if code.id in chosen)


def page_of(things: Sequence[Thing], number: int, most: int) -> tuple[Sequence[Thing], int, int]:
    """A page of some things.

    Args:
        number: which page, from 1; the last if there are fewer.
        most: how many are on a page.
    Returns:
        What is on the page, its number, and how many pages there are, one at least.
    """
    pages = max(1, -(-len(things) // most))
    number = min(number, pages)
    return things[(number - 1) * most : number * most], number, pages


def as_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows under a line of heads (RFC 4180)."""
    out = io.StringIO()
    csv.writer(out).writerows([head, *rows])
    return out.getvalue()
