"""The provisions of the codes on a topic or a concept side by side, if no answers have been written."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from extract.model import work_of
from kb.analysis.words import terms
from kb.collation.collate import agreeing
from kb.comparison.table import align
from kb.comparison.topics import concepts_of
from kb.read import queries
from kb.read.lookup import json_list
from kb.read.rows import UNIT, CodeRow, RelatedRow, TopicRow, UnitRow, fetch

# A mention of a narrower concept counts as one of the concept, and one in a paragraph counts for its provision.
SPOKEN = """
with recursive family(id) as (
    select value from json_each(:concepts) union select k.id from concept k join family f on k.broader = f.id
),
spoken as (
    select coalesce(case when u.kind = 'subclause' then u.parent_id end, u.id) as id, s.raw_start
    from unit_concept s join unit u on u.id = s.unit_id
    where s.concept_id in (select id from family) and u.code_id is not null
)
"""
ON_CONCEPT = f"""
{SPOKEN} select {UNIT}, count(distinct spoken.raw_start) as times from spoken join unit u on u.id = spoken.id
join code c on c.id = u.code_id where u.role = 'provision'
group by u.id order by c.year, c.id, u.seq
"""
# The links among some units, each listed under both of its ends, with the relation as seen from that end.
LINKS_AMONG = f"""
select * from (
    select a as here, b as there, relation, topic, score, status, source, why from link l
    union all select b, a, {queries.TURNED}, topic, score, status, source, why from link l
) where status <> 'rejected'
and here in (select value from json_each(:ids)) and there in (select value from json_each(:ids)) order by score desc
"""


@dataclass(frozen=True, slots=True)
class TreatedProvision:
    """A provision on a matter, how often it mentions it, and its links to provisions of other codes on the page.

    `chief` ones are about the matter, others only mention it. `like` are ids of provisions with the same text, of codes
    in the same column. `central` ones are under the heading of the matter.
    """

    unit: UnitRow
    times: int
    links: tuple[RelatedRow, ...] = ()
    chief: bool = True
    like: tuple[str, ...] = ()
    central: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """Its id and those of provisions with the same text, which a column of several codes shows only once."""
        return (self.unit.id, *self.like)


@dataclass(frozen=True, slots=True)
class Column:
    """The provisions of one code, or of several that agree nearly word for word (`codes[0]` gives the text)."""

    codes: tuple[CodeRow, ...]
    provisions: tuple[TreatedProvision, ...]

    @property
    def chief(self) -> tuple[TreatedProvision, ...]:
        """The provisions that are about the matter."""
        return tuple(p for p in self.provisions if p.chief)

    @property
    def others(self) -> tuple[TreatedProvision, ...]:
        """The provisions that only mention the matter."""
        return tuple(p for p in self.provisions if not p.chief)


Row = tuple[tuple[TreatedProvision, ...], ...]


@dataclass(frozen=True, slots=True)
class Treatment:
    """How codes treat a matter on which nobody has written answers: the provisions side by side.

    `rows` has the chief provisions again, linked ones in one row, `alone` those without a link; a row has a cell for
    each column. `silent` are codes that have nothing on the matter.
    """

    topic: TopicRow
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    alone: Row
    silent: tuple[CodeRow, ...]
    concepts: tuple[str, ...] = ()


def provisions_on(conn: sqlite3.Connection, concepts: Sequence[str]) -> list[TreatedProvision]:
    """Return the provisions that mention one of some concepts or a narrower one, in the order of date.

    Args:
        concepts: ids of the concepts.
    """
    return fetch(
        conn,
        lambda *r: TreatedProvision(UnitRow(*r[:-1]), r[-1]),
        ON_CONCEPT,
        {"concepts": json_list(concepts)},
    )


def treatment(conn: sqlite3.Connection, topic: TopicRow) -> Treatment:
    """Put the codes side by side on a topic, or a concept taken as one; codes that agree nearly word for word share a
    column.
    """
    concepts, codes = concepts_of(conn, topic), queries.codes(conn)
    found = provisions_on(conn, concepts)
    links: dict[str, list[RelatedRow]] = defaultdict(list)
    for here, *link in fetch(conn, lambda *r: r, LINKS_AMONG, {"ids": json_list(p.unit.id for p in found)}):
        links[here].append(RelatedRow(*link))
    by_itself = provisions_on(conn, concepts[:1]) if len(concepts) > 1 else found
    chief = _chief(found, {p.unit.id for p in by_itself if p.times > 1}, topic, links)
    by_code: dict[str, list[TreatedProvision]] = defaultdict(list)
    for p in sorted(found, key=lambda p: p.unit.seq):
        is_chief = p.unit.id in chief
        treated = replace(p, links=tuple(links[p.unit.id]), chief=is_chief, central=_headed(p.unit, topic))
        by_code[p.unit.work].append(treated)
    texts = [(c.id, "\n".join(p.unit.text for p in by_code[c.id])) for c in codes if by_code[c.id]]
    known = {c.id: c for c in codes}
    columns = _without_duplicate_links(
        [Column(tuple(known[i] for i in group), tuple(_joined(group, by_code, links))) for group in agreeing(texts)]
    )
    rows, alone = linked_rows(columns)
    silent = tuple(c for c in codes if not by_code.get(c.id))
    return Treatment(topic, columns, tuple(rows), alone, silent, tuple(concepts))


def _without_duplicate_links(columns: Sequence[Column]) -> tuple[Column, ...]:
    """Remove links to a provision that the page shows only as the same text as another, if that is linked too."""
    shown = {i: p.unit.id for column in columns for p in column.provisions for i in p.like}

    def once(p: TreatedProvision) -> TreatedProvision:
        there = {link.other for link in p.links}
        return replace(p, links=tuple(link for link in p.links if shown.get(link.other) not in there))

    return tuple(replace(column, provisions=tuple(map(once, column.provisions))) for column in columns)


def linked_rows(columns: Sequence[Column]) -> tuple[list[Row], Row]:
    """Arrange the chief provisions of the columns in rows, each with those it is linked to.

    Rows with a provision under the heading of the matter come first.

    Returns:
        The rows of linked provisions, and one more row with those that have no link.
    """
    named = {i: (at, p.unit.id) for at, column in enumerate(columns) for p in column.chief for i in p.ids}
    linked = {
        p.unit.id: [named[link.other][1] for link in p.links if named.get(link.other, (at,))[0] != at]
        for at, column in enumerate(columns)
        for p in column.chief
    }
    shown = {p.unit.id: p for column in columns for p in column.chief}
    rows = align([[p.unit.id for p in column.chief] for column in columns], linked)
    found = [tuple(tuple(shown[i] for i in cell if linked[i]) for cell in row) for row in rows]
    found = [row for row in found if any(row)]
    found.sort(key=lambda row: not any(p.central for cell in row for p in cell))
    return found, tuple(tuple(p for p in column.chief if not linked[p.unit.id]) for column in columns)


def _joined(
    group: Sequence[str], by_code: Mapping[str, Sequence[TreatedProvision]], links: Mapping[str, Sequence[RelatedRow]]
) -> Iterator[TreatedProvision]:
    """Yield the provisions of a group of codes in one order; of those with the same text, only the first code's."""
    every = [p for code in group for p in by_code[code]]
    first = {p.unit.id: at for at, p in enumerate(every)}
    given: set[str] = set()
    found: list[TreatedProvision] = []
    for p in every:
        if p.unit.id in given:
            continue
        like = [k.other for k in p.links if k.relation == "same-text" and work_of(k.other) in group]
        given.update(like)
        theirs = [*p.links, *(link for i in like for link in links.get(i, ()))]
        outside = {k.other: k for k in reversed(theirs) if work_of(k.other) not in group}
        strongest = sorted(outside.values(), key=lambda k: (-k.score, k.other))
        found.append(replace(p, links=tuple(strongest), like=tuple(like)))
    yield from sorted(found, key=lambda p: (_number(p.unit), first[p.unit.id]))


def _number(unit: UnitRow) -> tuple[str, int]:
    """Return the sort key of a provision within its code: its kind, laws first, and its number."""
    return ("" if unit.kind == "law" else unit.kind, int("".join(filter(str.isdecimal, unit.number or "")) or 0))


def _chief(
    found: Sequence[TreatedProvision], named: set[str], topic: TopicRow, links: Mapping[str, Sequence[RelatedRow]]
) -> set[str]:
    """Return the ids of provisions about a topic: those named, those under its heading, and those linked to these.

    If there are none, these are all provisions found.
    """
    chief = {p.unit.id for p in found if p.unit.id in named or _headed(p.unit, topic)}
    chief |= {link.other for i in chief for link in links.get(i, ())}
    return chief or {p.unit.id for p in found}


def _headed(unit: UnitRow, topic: TopicRow) -> bool:
    """Whether the heading of a provision has the words of a topic's label."""
    return set(terms(topic.label)) <= set(terms(unit.heading or ""))
