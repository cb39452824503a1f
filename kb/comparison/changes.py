"""Two codes provision by provision: every change of wording, other links, and provisions that only one of them has."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from kb.collation.collate import UNLIKE, similarity
from kb.collation.parallel import Variant, variants
from kb.comparison.concordance import (
    ConcordanceRow,
    Linked,
    State,
    Tie,
    by_provision,
    links,
    provisions,
    rows_of,
    unlinked,
)
from kb.read import queries
from kb.read.rows import UnitRow


@dataclass(frozen=True, slots=True)
class Changed:
    """A provision in both codes and the variants between its texts; a rewritten one has too many to list."""

    a: UnitRow
    b: UnitRow
    variants: tuple[Variant, ...]
    rewritten: bool = False

    @property
    def words(self) -> tuple[Variant, ...]:
        """The changes of words."""
        return tuple(v for v in self.variants if v.kind == "words")

    @property
    def forms(self) -> tuple[Variant, ...]:
        """The changes of punctuation, capitals and spelling."""
        return tuple(v for v in self.variants if v.kind != "words")


@dataclass(frozen=True, slots=True)
class Changes:
    """Two codes provision by provision: those with the same text in both, those linked otherwise, and those not linked.

    `linked` are rows of a concordance with a cell for the second code. `only_a` and `only_b` have provisions without a
    link, each with what is known of that.
    """

    both: tuple[Changed, ...]
    linked: tuple[ConcordanceRow, ...]
    only_a: tuple[tuple[UnitRow, State], ...]
    only_b: tuple[tuple[UnitRow, State], ...]

    @property
    def unchanged(self) -> tuple[Changed, ...]:
        """The provisions whose texts agree in every letter and punctuation mark."""
        return tuple(c for c in self.both if not c.variants and not c.rewritten)

    @property
    def reworded(self) -> tuple[Changed, ...]:
        """The provisions with changes of words, and perhaps of punctuation and spelling too."""
        return tuple(c for c in self.both if c.words)

    @property
    def respelt(self) -> tuple[Changed, ...]:
        """The provisions that differ only in punctuation, capitals and spelling."""
        return tuple(c for c in self.both if c.forms and not c.words)


def code_pairs(conn: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return all pairs of codes, the older first."""
    return list(combinations([c.id for c in queries.codes(conn)], 2))


def changes(conn: sqlite3.Connection, a: str, b: str) -> Changes:
    """Compare two codes, each provision with the one that is linked to it as the same text.

    A link of a part counts as a link of its provision.

    Args:
        a, b: ids of the codes; changes lead from `a` to `b`.
    """
    ties = links(conn, a, b)
    whole = by_provision(conn, ties)
    one, other = ({u.id: u for u in provisions(conn, code)} for code in (a, b))
    pairs = _same_text(tie for tie in ties if tie.here in one and tie.there in other)
    taken = set(pairs.values())
    # Provisions whose texts are compared anyway need no other links between them.
    rest = Linked(
        {
            here: {there: found for there, found in its.items() if not (here in pairs and there in taken)}
            for here, its in whole.ties.items()
        },
        whole.units,
    )
    rows = rows_of(conn, a, rest, [b])
    found = taken.union(*whole.ties.values())
    return Changes(
        tuple(_changed(row.unit, other[pairs[row.unit.id]]) for row in rows if row.unit.id in pairs),
        tuple(row for row in rows if row.cells[b].counterparts),
        tuple(
            (row.unit, row.cells[b].state) for row in rows if row.unit.id not in pairs and not row.cells[b].counterparts
        ),
        tuple((u, unlinked(conn, u, a)) for u in other.values() if u.id not in found),
    )


def _same_text(ties: Iterable[Tie]) -> dict[str, str]:
    """Pair each provision with the most similar of those linked as the same text; each is in one pair at most."""
    pairs: dict[str, str] = {}
    for tie in ties:
        if tie.relation == "same-text" and tie.here not in pairs and tie.there not in pairs.values():
            pairs[tie.here] = tie.there
    return pairs


def _changed(a: UnitRow, b: UnitRow) -> Changed:
    if similarity(a.body, b.body) < UNLIKE:
        return Changed(a, b, (), rewritten=True)
    return Changed(a, b, variants(a.body, b.body))
