"""Two codes provision by provision: every change of wording, what else is linked, and what only one of them has."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from kb.collation.collate import UNLIKE, similarity
from kb.collation.parallel import Variant, variants
from kb.comparison.columns import page_of
from kb.comparison.counterparts import (
    Counterpart,
    LinkBetween,
    State,
    by_provision,
    counterparts,
    members,
    unlinked,
    wholes,
)
from kb.read import queries
from kb.read.domain import domain
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
# What is of a code begins with its id and a slash, which "0" follows; the likest pair comes first.
LINKS = f"""
select here, there, relation, status from (
    select l.a as here, l.b as there, l.relation as relation, l.status as status, l.score as score from link l
    where l.a > :a || '/' and l.a < :a || '0' and l.b > :b || '/' and l.b < :b || '0'
    union all select l.b, l.a, {queries.TURNED}, l.status, l.score from link l
    where l.b > :a || '/' and l.b < :a || '0' and l.a > :b || '/' and l.a < :b || '0'
) join unit ua on ua.id = here join unit ub on ub.id = there
where status <> 'rejected' order by status <> 'confirmed', score desc, ua.seq, ub.seq
"""
ON_A_PAGE = 200
"""Provisions of a code that are compared on a page."""
LISTED = 12
"""Codes of which every pair is listed; of more, those are that print the same provisions."""


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
class Linked:
    """A provision of the first code with those of the other that it is linked with."""

    unit: UnitRow
    counterparts: tuple[Counterpart, ...]


@dataclass(frozen=True, slots=True)
class Alone:
    """A provision without a link to the other code, and what is known of that."""

    unit: UnitRow
    state: State


@dataclass(frozen=True, slots=True)
class Changes:
    """Two codes provision by provision: the same text in both, what is linked otherwise, and what is linked to nothing.

    It is page `number` of `pages`, by the provisions of the first code; the last has all of `only_b`.
    """

    both: tuple[Changed, ...]
    linked: tuple[Linked, ...]
    only_a: tuple[Alone, ...]
    only_b: tuple[Alone, ...]
    number: int = 1
    pages: int = 1

    @property
    def unchanged(self) -> tuple[Changed, ...]:
        """The provisions whose texts agree to the letter and the sign."""
        return tuple(c for c in self.both if not c.variants and not c.rewritten)


@once_a_build
def twin_codes(conn: sqlite3.Connection) -> list[tuple[str, str]]:
    """The pairs of codes of which at least half of the one stands in the other, the older first."""
    years = {c.id: c.year for c in queries.codes(conn)}
    provisions = domain(conn).kinds_of("provision")
    sizes = {code: sum(kinds.get(kind, 0) for kind in provisions) for code, kinds in queries.kind_counts(conn).items()}
    found = []
    for a, b, count in fetch(conn, lambda *r: (str(r[0]), str(r[1]), int(r[2])), TWINS):
        if 2 * count >= min(sizes.get(a, 0), sizes.get(b, 0)):
            found.append((a, b) if years[a] <= years[b] else (b, a))
    return sorted(set(found), key=lambda pair: (years[pair[0]], pair))


def listed_pairs(conn: sqlite3.Connection) -> list[tuple[str, str]]:
    """The pairs of codes whose comparison is listed, the older first: all of a few codes, and else the twins."""
    codes = [c.id for c in queries.codes(conn)]
    return list(combinations(codes, 2)) if len(codes) <= LISTED else twin_codes(conn)


def changes(conn: sqlite3.Connection, a: str, b: str, page: int = 1) -> Changes:
    """Compare two codes, each provision with the one that a link says to be its text.

    In codes that print the same provisions (`twin_codes`) those that no link names are compared by their numbers; but
    numbers tell nothing where most of the provisions that are linked stand under another. A link of a part is its
    provision's.

    Args:
        a, b: ids of the codes; changes lead from `a` to `b`.
        page: which page, from 1; the last if there are fewer.
    """
    links = fetch(conn, lambda x, y, relation, status: LinkBetween(x, y, relation, status == "confirmed"), LINKS,
                  {"a": a, "b": b})  # fmt: skip
    whole = wholes(conn, {i for link in links for i in (link.here, link.there)})
    units = {u.id: u for u in whole.values()}
    one, other = ({u.id: u for u in members(conn, code)} for code in (a, b))
    pairs = _same_text(one, other, links)
    met = {(whole[link.here].id, whole[link.there].id) for link in links}
    if {(a, b), (b, a)} & set(twin_codes(conn)):
        pairs |= _by_number(one, other, pairs, met)
    taken = set(pairs.values())
    linked = by_provision((t for t in links if not (whole[t.here].id in pairs and whole[t.there].id in taken)), whole)
    shown, number, pages = page_of(members(conn, a, (units[i] for i in linked)), page, ON_A_PAGE)
    found = taken | {there for _, there in met}
    left = [u for u in other.values() if u.id not in found] if number == pages else []
    return Changes(
        tuple(_changed(u, other[pairs[u.id]]) for u in shown if u.id in pairs),
        tuple(Linked(u, counterparts(u.id, linked, units, b)) for u in shown if u.id in linked),
        tuple(Alone(u, unlinked(conn, u, b)) for u in shown if u.id not in pairs and u.id not in linked),
        tuple(Alone(u, unlinked(conn, u, a)) for u in left),
        number,
        pages,
    )


def _same_text(
    one: Mapping[str, UnitRow], other: Mapping[str, UnitRow], links: Iterable[LinkBetween]
) -> dict[str, str]:
    """Each provision with the one that is likest of those with its text; each is set beside one."""
    pairs: dict[str, str] = {}
    taken: set[str] = set()
    for link in links:
        new = link.here in one and link.there in other and link.here not in pairs and link.there not in taken
        if new and link.relation == "same-text":
            pairs[link.here] = link.there
            taken.add(link.there)
    return pairs


def _by_number(
    one: Mapping[str, UnitRow], other: Mapping[str, UnitRow], pairs: Mapping[str, str], met: Collection[tuple[str, str]]
) -> dict[str, str]:
    """Of what has no pair each with what has its number, unless a link says otherwise."""
    if 2 * sum(one[x].anchor == other[y].anchor for x, y in pairs.items()) < len(pairs):
        return {}
    elsewhere = {unit for pair in met for unit in pair}
    anchors = {unit.anchor: unit.id for unit in other.values() if unit.id not in pairs.values()}
    found = {u.id: anchors[u.anchor] for u in one.values() if u.id not in pairs and u.anchor in anchors}
    return {x: y for x, y in found.items() if (x, y) in met or not {x, y} & elsewhere}


def _changed(a: UnitRow, b: UnitRow) -> Changed:
    if similarity(a.body, b.body) < UNLIKE:
        return Changed(a, b, (), rewritten=True)
    return Changed(a, b, variants(a.body, b.body))
