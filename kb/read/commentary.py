"""What the books say in explanation of their provisions, ready to stand beside these."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, groupby

from kb.read import queries, reading
from kb.read.kept import once_a_build
from kb.read.reading import TextParagraph
from kb.read.rows import UNIT, UnitRow, fetch

EXPLAINING = f"""
select {UNIT} from unit u where u.id in (select unit_id from explains) and u.continues is null order by u.book_id, u.seq
"""
TARGETS = "select x.unit_id, x.target_id from explains x join unit t on t.id = x.target_id order by t.book_id, t.seq"
# Beside a provision stand the first paragraphs of what explains it, up to so many characters; the rest is folded.
OPENING = 300


@dataclass(frozen=True, slots=True)
class Commentary:
    """A unit that explains others (`explains`, by id): the text it opens with, and the paragraphs that follow.

    `words_left` is how many words these have.
    """

    unit: UnitRow
    explains: tuple[str, ...]
    opening: tuple[TextParagraph, ...]
    rest: tuple[TextParagraph, ...]
    words_left: int


def commentaries(conn: sqlite3.Connection, units: Iterable[UnitRow]) -> Iterator[Commentary]:
    """Some units that explain others, as they are set beside these."""
    known = _all(conn)
    return (known.get(u.id) or _beside(u, reading.passage(conn, u).paragraphs, ()) for u in units)


@once_a_build
def _all(conn: sqlite3.Connection) -> Mapping[str, Commentary]:
    """All units that explain others, by id, in the order of their books."""
    targets: dict[str, list[str]] = {}
    for unit_id, target in fetch(conn, lambda *r: (str(r[0]), str(r[1])), TARGETS):
        targets.setdefault(unit_id, []).append(target)
    found: dict[str, Commentary] = {}
    for book, group in groupby(fetch(conn, UnitRow, EXPLAINING), key=lambda u: u.book_id):
        units = list(group)
        source = reading.source(conn, book, min(u.raw_start for u in units), max(u.raw_end for u in units))
        further = queries.going_on(conn, book)
        for u in units:
            text = reading.passage(conn, u) if u.id in further else reading.read(source, u)
            found[u.id] = _beside(u, text.paragraphs, targets.get(u.id, ()))
    return found


def _beside(unit: UnitRow, paragraphs: tuple[TextParagraph, ...], explains: Iterable[str]) -> Commentary:
    lengths = list(accumulate(len(p.text) for p in paragraphs))
    cut = 1 + next((i for i, length in enumerate(lengths) if length >= OPENING), len(lengths))
    left = sum(len(p.text.split()) for p in paragraphs[cut:])
    return Commentary(unit, tuple(explains), paragraphs[:cut], paragraphs[cut:], left)


@once_a_build
def by_target(conn: sqlite3.Connection) -> Mapping[str, tuple[Commentary, ...]]:
    """All commentary by the provisions it explains; of what explains a paragraph, by that of the paragraph too."""
    found: dict[str, tuple[Commentary, ...]] = {}
    every = list(_all(conn).values())
    parents = {u.id: u.parent_id for u in queries.units(conn, {t for c in every for t in c.explains}).values()
               if u.kind == "subclause" and u.parent_id}  # fmt: skip
    for commentary in every:
        for target in dict.fromkeys(i for t in commentary.explains for i in (t, parents.get(t)) if i):
            found[target] = (*found.get(target, ()), commentary)
    return found
