"""The board of a topic: the provisions of all codes on it, side by side, with links, proposals and open cells.

The editor judges by topic, not from ranked lists: the right counterpart of an article can be the machine's thirtieth
guess, but it is on the same board.
"""

from __future__ import annotations

import sqlite3
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from kb.alignment.relation import FLIPPED
from kb.comparison.topics import concepts_of, provisions_on
from kb.editorial.completeness import completeness
from kb.read import queries
from kb.read.rows import CodeRow, TopicRow, UnitRow, fetch, json_list

MEMBERS = "select unit_id from topic_unit where topic_id = ? order by seq"
AMONG = """
select l.a, l.b, l.relation, l.status, l.why from link l
where l.a in (select value from json_each(:ids)) and l.b in (select value from json_each(:ids))
order by l.status, l.score desc
"""
_GAP = 2  # terminal columns between two codes


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """A provision on the board, with its paragraphs."""

    unit: UnitRow
    paragraphs: tuple[UnitRow, ...]

    @property
    def all(self) -> tuple[UnitRow, ...]:
        return (self.unit, *self.paragraphs)


@dataclass(frozen=True, slots=True)
class Pair:
    """A link between two provisions or paragraphs of the board, as stored in the knowledge base."""

    a: str
    b: str
    relation: str
    status: str
    why: str


@dataclass(frozen=True, slots=True)
class Board:
    """The board of a topic: the provisions of each code, the links among them, and the cells nobody has judged.

    `candidates` are provisions that the topic's concepts find in codes of which it has no members, such as one just
    added; until the editor has chosen among them, no cell of these codes is open.
    """

    topic: TopicRow
    columns: tuple[tuple[CodeRow, tuple[BoardEntry, ...]], ...]
    pairs: tuple[Pair, ...]
    open_cells: tuple[tuple[str, str], ...]
    candidates: tuple[str, ...] = ()


def board(conn: sqlite3.Connection, topic: TopicRow) -> Board:
    """Return the board of a topic: its members, and for codes without members the provisions its concepts find."""
    members = list(queries.units(conn, fetch(conn, str, MEMBERS, (topic.id,))).values())
    judged = {u.code_id for u in members}
    found = [u for u in provisions_on(conn, concepts_of(conn, topic)) if u.code_id not in judged]
    shown = [*members, *found]
    entries = [BoardEntry(u, tuple(p for p in queries.children(conn, u.id) if p.code_id)) for u in shown]
    columns = tuple(
        (code, tuple(sorted((e for e in entries if e.unit.code_id == code.id), key=lambda e: e.unit.seq)))
        for code in queries.codes(conn)
    )
    ids = {u.id for e in entries for u in e.all}
    pairs = tuple(fetch(conn, Pair, AMONG, {"ids": json_list(ids)}))
    candidates = tuple(u.id for u in found) if members else ()
    waiting = {u.code_id for u in found} if members else set()
    cells = completeness(conn).open_cells
    unjudged = tuple((i, code) for i, code in cells if i in ids.difference(candidates) and code not in waiting)
    return Board(topic, columns, pairs, unjudged, candidates)


def render(laid: Board, width: int) -> Iterator[str]:
    """Yield the board as lines of text: a column for each code, with marks for links (=) and proposals (?).

    Args:
        laid: the board.
        width: the width of the terminal, in characters.
    """
    column_width = max(16, (width - _GAP * (len(laid.columns) - 1)) // max(1, len(laid.columns)))
    yield f"{laid.topic.label}: {laid.topic.note}"
    yield ""
    columns = [
        [code.short, "-" * column_width, *_column(entries, laid.pairs, column_width)] for code, entries in laid.columns
    ]
    for line in zip_longest(*columns, fillvalue=""):
        yield (" " * _GAP).join(f"{cell:<{column_width}}" for cell in line).rstrip()


def _column(entries: Sequence[BoardEntry], pairs: Sequence[Pair], width: int) -> Iterator[str]:
    for entry in entries:
        for unit in entry.all:
            name = unit.id.partition("/")[2]
            yield from textwrap.wrap(f"[{name}] {' '.join(unit.text.split())}", width)
            for pair in pairs:
                other = pair.b if pair.a == unit.id else pair.a if pair.b == unit.id else None
                if other and pair.status != "rejected":
                    mark = "=" if pair.status == "confirmed" else "?"
                    relation = pair.relation if pair.a == unit.id else FLIPPED.get(pair.relation, pair.relation)
                    yield from textwrap.wrap(f"{mark} {other} {relation}", width, subsequent_indent="    ")
        yield ""


def to_fill(laid: Board) -> Iterator[str]:
    """Yield the TOML lines left to complete in the topic's file: members, proposals to confirm or strike out, cells."""
    if laid.candidates:
        yield "# First add to `members` those that rule on the topic, build, and judge again:"
        yield from (f'#     "{unit_id}",' for unit_id in laid.candidates)
        yield ""
    for pair in laid.pairs:
        if pair.status == "proposed":
            yield "[[link]]"
            yield f'a = "{pair.a}"'
            yield f'b = "{pair.b}"'
            yield f'relation = "{pair.relation}"  # the machine: {pair.why}'
            yield 'reason = ""'
            yield ""
    for unit_id in dict.fromkeys(unit_id for unit_id, _ in laid.open_cells):
        codes = ", ".join(f'"{code}"' for open_id, code in laid.open_cells if open_id == unit_id)
        yield "[[closed]]"
        yield f'provision = "{unit_id}"'
        yield f"codes = [{codes}]"
        yield ""
