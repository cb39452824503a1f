"""Unit ids of earlier releases that have changed: their present ids, and how these are found."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from pydantic import Field

from extract.corpus.table import Fault, Table, UnitId, read_if_there
from extract.errors import DatabaseError
from kb.read.rows import fetch

FILE = "moved.toml"
PLACES = """
select id, kind, raw_start, raw_end from unit where book_id = ? order by seq
"""
WHOLE = """
select coalesce(continues, id), kind, raw_start, raw_end from unit where book_id = ? order by seq
"""
LOST = """
select m.old_id, m.unit_id from moved m left join unit u on u.id = m.unit_id
where u.id is null or m.old_id in (select id from unit) order by m.old_id
"""
HEAD = """\
# Ids that units of this book had in earlier releases, and their present ids: people have cited them, so they must
# redirect for ever. Written by `whist moved`, which looks for the same words of the scan; never delete a line.

[moved]
"""
_SAME = 0.5

_Place = tuple[str, str, int, int]


class _MovedFile(Table):
    """A moved.toml: "old id" = "present id"."""

    moved: dict[UnitId, UnitId] = Field(default_factory=dict)


def read_moved(folder: Path) -> dict[str, str]:
    """Read the old ids of a book's units, each with its present id.

    Args:
        folder: the book's folder; without the file nothing has moved.
    Raises:
        BookError: the file is not a table [moved] of ids; the message is one sentence with the id at fault.
    """
    return dict(read_if_there(folder / FILE, _MovedFile, _require_elsewhere).moved)


def _require_elsewhere(file: _MovedFile) -> None:
    """Raise a Fault if an id maps to itself."""
    for old, new in file.moved.items():
        if old == new:
            raise Fault("it redirects to itself; delete it", "moved", old)


@contextmanager
def open_earlier(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the knowledge base of an earlier release, read-only; only its table `unit` is queried.

    Raises:
        DatabaseError: the file has no units.
    """
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as conn:
        try:
            fetch(conn, _place, PLACES, ("",))
        except sqlite3.DatabaseError as error:
            raise DatabaseError(
                f"{path} is not a knowledge base ({error}); name a file made by `whist build`."
            ) from error
        yield conn


def dead_ends(conn: sqlite3.Connection) -> list[tuple[str, str]]:
    """List the moved ids, with their targets, whose target does not exist or that are ids of present units."""
    return fetch(conn, lambda old, new: (str(old), str(new)), LOST)


def find_moved(
    old: sqlite3.Connection, new: sqlite3.Connection, book_id: str, known: Mapping[str, str]
) -> dict[str, str]:
    """Find the unit ids of a book's earlier build that no longer exist, and the units that have their words now.

    Args:
        old: the earlier build, open.
        new: the present build.
        book_id: the book.
        known: the entries of its moved.toml; their targets may have moved since.
    Returns:
        The whole table: the known ids first, then the others in the reading order of the earlier build.
    """
    now = fetch(new, _place, WHOLE, (book_id,))
    ids = {key for key, *_ in fetch(new, _place, PLACES, (book_id,))}
    found: dict[str, str] = {}
    for place in fetch(old, _place, PLACES, (book_id,)):
        if place[0] not in ids and (same := _nearest(place, now)):
            found[place[0]] = same
    chained = {key: found.get(target, target) for key, target in known.items()}
    return {key: target for key, target in (chained | found).items() if key not in ids}


def written(moved: Mapping[str, str]) -> str:
    """Return the text of a moved.toml."""
    return HEAD + "".join(f"{json.dumps(key)} = {json.dumps(moved[key])}\n" for key in moved)


def _place(key: str, kind: str, start: int, end: int) -> _Place:
    return key, kind, start, end


def _nearest(place: _Place, now: Iterable[_Place]) -> str | None:
    """Find the unit whose span of the scan is most similar to a place's, preferring the same kind if two are equal.

    The spans must share at least half of their union, or the unit must contain the place: then the innermost counts.
    """
    _, kind, start, end = place
    found = []
    for key, other, a, b in now:
        shared = min(end, b) - max(start, a)
        similarity = shared / (max(end, b) - min(start, a)) if shared > 0 else 0
        if similarity >= _SAME or (similarity and a <= start and end <= b):
            found.append((round(similarity, 3), other == kind, a - b, key))
    return max(found)[-1] if found else None
