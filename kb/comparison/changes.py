"""Two codes of which one took its provisions from the other: every change of wording between them."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from extract.model import PROVISIONS
from kb.collation.collate import UNLIKE, similarity
from kb.collation.parallel import Variant, variants
from kb.read import queries
from kb.read.kept import once_a_build
from kb.read.rows import UnitRow, fetch

# Twins have, by the editor's verdict or the machine's, one text, be it under one number or under two.
TWINS = """
select ua.code_id, ub.code_id, min(count(distinct l.a), count(distinct l.b))
from link l join unit ua on ua.id = l.a join unit ub on ub.id = l.b
where l.relation = 'same-text' and l.status <> 'rejected' and ua.code_id <> ub.code_id
and ua.kind <> 'subclause' and ub.kind <> 'subclause'
group by ua.code_id, ub.code_id
"""
# The likest pair first: each provision is set beside one.
PAIRS = """
select l.a, l.b from link l join unit ua on ua.id = l.a join unit ub on ub.id = l.b
where l.relation = 'same-text' and l.status <> 'rejected' and (ua.code_id, ub.code_id) in (values (:a, :b), (:b, :a))
order by l.status <> 'confirmed', l.score desc, ua.seq, ub.seq
"""


@dataclass(frozen=True, slots=True)
class Changed:
    """A provision in both codes and the variants between its texts; a rewritten one has too many to be told."""

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
        """The changes of signs, capitals and spelling."""
        return tuple(v for v in self.variants if v.kind != "words")


@dataclass(frozen=True, slots=True)
class Changes:
    """Two codes provision by provision: what both have, and what only one of them has."""

    both: tuple[Changed, ...]
    only_a: tuple[UnitRow, ...]
    only_b: tuple[UnitRow, ...]

    @property
    def unchanged(self) -> tuple[Changed, ...]:
        """The provisions whose texts agree to the letter and the sign."""
        return tuple(c for c in self.both if not c.variants and not c.rewritten)


@once_a_build
def twin_codes(conn: sqlite3.Connection) -> list[tuple[str, str]]:
    """The pairs of codes of which at least half of the one stands in the other, the older first."""
    years = {c.id: c.year for c in queries.codes(conn)}
    sizes = {code: sum(kinds.get(kind, 0) for kind in PROVISIONS) for code, kinds in queries.kind_counts(conn).items()}
    found = []
    for a, b, count in fetch(conn, lambda *r: (str(r[0]), str(r[1]), int(r[2])), TWINS):
        if 2 * count >= min(sizes.get(a, 0), sizes.get(b, 0)):
            found.append((a, b) if years[a] <= years[b] else (b, a))
    return sorted(set(found), key=lambda pair: (years[pair[0]], pair))


def changes(conn: sqlite3.Connection, a: str, b: str) -> Changes:
    """Compare two codes, each provision with the one that a link says to be its text, or else with its number.

    Numbers tell nothing where most of the provisions that are linked stand under another.

    Args:
        a, b: ids of the codes; changes lead from `a` to `b`.
    """
    one, other = ({u.id: u for u in queries.units_of_code(conn, code) if u.kind in PROVISIONS} for code in (a, b))
    pairs: dict[str, str] = {}
    taken: set[str] = set()
    for ends in fetch(conn, lambda *row: row, PAIRS, {"a": a, "b": b}):
        here, there = ends if ends[0] in one else ends[::-1]
        if here in one and there in other and here not in pairs and there not in taken:
            pairs[here] = there
            taken.add(there)
    if 2 * sum(one[x].anchor == other[y].anchor for x, y in pairs.items()) >= len(pairs):
        anchors = {unit.anchor: unit.id for unit in other.values() if unit.id not in taken}
        pairs |= {u.id: anchors[u.anchor] for u in one.values() if u.id not in pairs and u.anchor in anchors}
    met = set(pairs.values())
    return Changes(
        tuple(_changed(unit, other[pairs[unit.id]]) for unit in one.values() if unit.id in pairs),
        tuple(unit for unit in one.values() if unit.id not in pairs),
        tuple(unit for unit in other.values() if unit.id not in met),
    )


def _changed(a: UnitRow, b: UnitRow) -> Changed:
    if similarity(a.body, b.body) < UNLIKE:
        return Changed(a, b, (), rewritten=True)
    return Changed(a, b, variants(a.body, b.body))
