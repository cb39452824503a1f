"""The page from which comparisons start, and one code against another, law by law."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

from datasette_plugins.arguments import only
from datasette_plugins.catalogue import works
from datasette_plugins.listing import csv_document
from datasette_plugins.missing import missing
from datasette_plugins.pages.concordance import PairLine, pair_lines
from datasette_plugins.site import Document, Missing, PageRequest, PermanentRedirect, SitePage
from kb.collation.collate import Variant, variants
from kb.comparison.matrix import Pair, Row, code_pairs, matrix, pairs, without
from kb.comparison.shared import degree
from kb.comparison.topics import topics
from kb.questions.questions import shown_under
from kb.read import queries
from kb.read.rows import CodeRow, TopicRow


@dataclass(frozen=True, slots=True)
class TopicListed(TopicRow):
    """A topic, with how many questions it has."""

    questions: int


@dataclass(frozen=True, kw_only=True)
class StartPage(SitePage):
    """What can be compared: the topics, and all pairs of codes, the older first."""

    template: ClassVar[str] = "compare"
    topics: Sequence[TopicListed]
    pairs: Sequence[tuple[str, str]]


def start(conn: sqlite3.Connection, request: PageRequest) -> StartPage:
    """What can be compared."""
    counts = {topic: len(ids) for topic, ids in shown_under(conn).items()}
    return StartPage(
        url="/compare",
        title="Compare",
        description="The laws of whist compared: by topic, code against code, law by law, and word by word.",
        topics=[TopicListed(**asdict(topic), questions=counts.get(topic.id, 0)) for topic in topics(conn)],
        pairs=code_pairs(conn),
    )


@dataclass(frozen=True, slots=True)
class ChangeLine(PairLine):
    """A line of two codes; for provisions with the same text `changes` has each change, as `before → after`."""

    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """A pair of provisions with the variants between them; None if they are not linked as the same text."""

    pair: Pair
    variants: tuple[Variant, ...] | None


@dataclass(frozen=True, kw_only=True)
class CodesPage(SitePage):
    """Two codes, law by law, in the order of the older one, `a`; `lines` has them for programs.

    `shares` counts the provisions of the older code by how much of them the newer has too.
    """

    template: ClassVar[str] = "two_codes"
    internal: ClassVar[frozenset[str]] = frozenset({"compared", "alone", "lacks"})
    a: CodeRow
    b: CodeRow
    shares: Mapping[str, int]
    lines: Sequence[ChangeLine]
    compared: Sequence[Compared]
    alone: Mapping[str, Sequence[Row]]
    lacks: Mapping[str, str]


def codes(conn: sqlite3.Connection, request: PageRequest) -> CodesPage | Document | Missing | PermanentRedirect:
    """Two codes, from the older to the newer: what became of each law, and what only one of them has."""
    only(request)
    catalogue = works(conn)
    a, b = request.parts["a"], request.parts["b"]
    for name in (a, b):
        if name not in catalogue.codes:
            return missing(request, "code", name)
    if a == b:
        return PermanentRedirect(f"/code/{a}")
    if (a, b) not in code_pairs(conn):
        return PermanentRedirect(f"/compare/{b}/{a}")
    lines = change_lines(conn, request, a, b) if request.as_data else []
    if request.parts.get("format") == "csv":
        return csv_document(ChangeLine, lines, f"{a}-{b}")
    one, other = catalogue.codes[a], catalogue.codes[b]
    rows = [row for row in matrix(conn)[a] if row.unit.role == "provision"]
    alone: dict[str, list[Row]] = {}
    for row in without(conn, b, a):
        alone.setdefault(row.cells[a].state, []).append(row)
    return CodesPage(
        url=f"/compare/{a}/{b}",
        title=f"{catalogue.label(a)} against {catalogue.label(b)}",
        description=f"What became of each law of {catalogue.label(a)} in {catalogue.label(b)}, and which are new.",
        alternates=(("text/csv", f"/compare/{a}/{b}.csv"),),
        a=one,
        b=other,
        shares=Counter(degree(row, b) or row.cells[b].state for row in rows),
        lines=lines,
        compared=[Compared(pair, variants_of(pair)) for pair in pairs(conn, a, b) if pair.a],
        alone=alone,
        lacks=queries.lacks(conn).get(a, {}) | queries.lacks(conn).get(b, {}),
    )


def variants_of(pair: Pair) -> tuple[Variant, ...] | None:
    """The variants between two whole provisions that are linked as the same text; None for any other pair."""
    same = any(tie.relation == "same-text" and pair.a and tie.here == pair.a.id for tie in pair.ties)
    return variants(pair.a.body, pair.b.body) if same and pair.a and pair.b else None


def change_lines(conn: sqlite3.Connection, request: PageRequest, a: str, b: str) -> list[ChangeLine]:
    """The lines of two codes with the changes of provisions that have the same text."""
    changed = {(pair.a.id, pair.b.id): variants_of(pair) for pair in pairs(conn, a, b) if pair.a and pair.b}
    return [
        ChangeLine(
            **asdict(line),
            changes=tuple(f"{v.before} → {v.after}".strip() for v in changed.get((line.id, line.other_id)) or ()),
        )
        for line in pair_lines(conn, request, a, b)
    ]
