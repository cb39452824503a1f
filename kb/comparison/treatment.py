"""Topics and concepts, and the provisions of the codes on one side by side, where no answers have been drawn up."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from extract.language.folding import STOP_WORDS, words_of
from extract.language.stemming import stem
from kb.collation.collate import agreeing
from kb.comparison import columns
from kb.read import queries
from kb.read.lookup import json_list
from kb.read.rows import UNIT, CodeRow, ConceptRow, RelatedRow, TopicRow, UnitRow, fetch

TOPICS = "select id, label, concept_id, note from topic order by seq, id"
CONCEPT = """
select k.id, k.label, k.note, k.broader, (select count(distinct unit_id) from unit_concept where concept_id = k.id)
from concept k where k.id = ?
"""
LABELS = "select label, role from concept_label where concept_id = ? order by role = 'preferred' desc, role, label"
NARROWER = """
select k.id, k.label, k.note, k.broader, (select count(distinct unit_id) from unit_concept where concept_id = k.id)
from concept k where k.broader = ? order by k.label
"""
# A concept is spoken of in its narrower concepts too, and a paragraph speaks for its provision.
SPOKEN = """
with recursive family(id) as (
    select value from json_each(:concepts) union select k.id from concept k join family f on k.broader = f.id
),
spoken as (
    select coalesce(case when u.kind = 'subclause' then u.parent_id end, u.id) as id, s.raw_start
    from unit_concept s join unit u on u.id = s.unit_id
    where s.concept_id in (select id from family) and u.code_id is not null
    and (:codes = '[]' or u.code_id in (select value from json_each(:codes)))
)
"""
ON_CONCEPT = f"""
{SPOKEN} select {UNIT}, count(distinct spoken.raw_start) as times from spoken join unit u on u.id = spoken.id
join code c on c.id = u.code_id where u.role = 'provision'
group by u.id order by c.year, c.id, u.seq
"""
# How many provisions each code has on some concepts.
COUNTS = f"""
{SPOKEN} select u.code_id, count(distinct u.id) from spoken join unit u on u.id = spoken.id
where u.role = 'provision' group by u.code_id
"""
UNITS_ON_A_PAGE = 1000
SPEAKING_IN_ORDER = """
select u.id from unit_concept s join unit u on u.id = s.unit_id
join book b on b.id = u.book_id left join code c on c.id = u.code_id
where s.concept_id = ? and u.kind <> 'subclause' group by u.id order by coalesce(c.year, b.year), u.book_id, u.seq
"""
LINKS_AMONG = """
select a, b, relation, topic, score, status, source, why from link where status <> 'rejected'
and a in (select value from json_each(:ids)) and b in (select value from json_each(:ids)) order by score desc
"""
PROVISIONS_ON_A_PAGE = 700
"""Provisions that are set side by side; where a matter has more in the codes shown, each code has its equal part."""
TOPIC_CONCEPTS = "select concept_id from topic_concept where topic_id = ? order by concept_id <> ?, concept_id"


@dataclass(frozen=True, slots=True)
class TreatedProvision:
    """A provision on a matter, how often it names it, and its links to provisions of other codes on the page.

    `chief` ones are about the matter, others only name it; `like` are the same words in codes of the same column;
    `central` ones stand under its heading.
    """

    unit: UnitRow
    times: int
    links: tuple[RelatedRow, ...] = ()
    chief: bool = True
    like: tuple[str, ...] = ()
    central: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """Its id and those of its like, which a column of several codes shows only once."""
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
        """The provisions that only name it."""
        return tuple(p for p in self.provisions if not p.chief)


Row = tuple[tuple[TreatedProvision, ...], ...]


@dataclass(frozen=True, slots=True)
class Treatment:
    """How codes treat a matter of which nobody has said what they answer: the provisions side by side.

    `rows` has the chief provisions again, linked ones in one row, `alone` those without a link; a row has a cell for
    each column. `silent` are those that have nothing on it: of the codes asked for where
    there is room for all, else of all; `codes` are those that are shown or would be. `most` is how many provisions of
    each are read, those that name the matter most often, 0 if all are.
    """

    topic: TopicRow
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    alone: Row
    silent: tuple[CodeRow, ...]
    concepts: tuple[str, ...] = ()
    codes: tuple[CodeRow, ...] = ()
    most: int = 0


def topics(conn: sqlite3.Connection) -> list[TopicRow]:
    """The topics, in the editor's order."""
    return fetch(conn, TopicRow, TOPICS)


def concept(conn: sqlite3.Connection, concept_id: str) -> ConceptRow | None:
    """One concept."""
    found = fetch(conn, ConceptRow, CONCEPT, (concept_id,))
    return found[0] if found else None


def labels(conn: sqlite3.Connection, concept_id: str) -> list[tuple[str, str]]:
    """The terms of a concept as (term, role), the preferred one first."""
    return fetch(conn, lambda label, role: (label, role), LABELS, (concept_id,))


def narrower(conn: sqlite3.Connection, concept_id: str) -> list[ConceptRow]:
    """The concepts directly below one."""
    return fetch(conn, ConceptRow, NARROWER, (concept_id,))


def provisions_on(
    conn: sqlite3.Connection, concepts: Sequence[str], codes: Sequence[str] = ()
) -> list[TreatedProvision]:
    """The provisions that speak of a concept or a narrower one, in date order.

    Args:
        concepts: ids of the concepts.
        codes: ids of the codes whose provisions are wanted; all by default.
    """
    return fetch(conn, lambda *r: TreatedProvision(UnitRow(*r[:-1]), r[-1]), ON_CONCEPT, _asked(concepts, codes))


def _asked(concepts: Sequence[str], codes: Sequence[str] = ()) -> dict[str, str]:
    return {"concepts": json_list(concepts), "codes": json_list(codes)}


def concepts_of(conn: sqlite3.Connection, topic: TopicRow) -> list[str]:
    """The concepts that find the provisions of a topic, its own first; a concept taken as a topic has itself."""
    found = fetch(conn, str, TOPIC_CONCEPTS, (topic.id, topic.concept_id))
    return found or ([topic.concept_id] if topic.concept_id else [])


def speaking_of(conn: sqlite3.Connection, concept_id: str, page: int = 1) -> tuple[list[UnitRow], int, int]:
    """A page of the units that speak of a concept, by year and place; paragraphs are left to their provision.

    Args:
        concept_id: the concept.
        page: which page, from 1; the last if there are fewer.
    Returns:
        The units, the number of the page, and how many units there are on all pages.
    """
    ids = fetch(conn, str, SPEAKING_IN_ORDER, (concept_id,))
    number = min(page, max(1, -(-len(ids) // UNITS_ON_A_PAGE)))
    wanted = ids[(number - 1) * UNITS_ON_A_PAGE : number * UNITS_ON_A_PAGE]
    units = queries.units(conn, wanted)
    return [units[i] for i in wanted], number, len(ids)


def find_topic(conn: sqlite3.Connection, topic_id: str) -> TopicRow | None:
    """A topic, or a concept taken as one."""
    found = next((t for t in topics(conn) if t.id == topic_id), None)
    if found is None and (named := concept(conn, topic_id)):
        return TopicRow(named.id, named.label, named.id, named.note)
    return found


def treatment(conn: sqlite3.Connection, topic: TopicRow, named: Sequence[str] = ()) -> Treatment:
    """Put codes side by side on a topic; codes that agree nearly word for word share a column.

    Args:
        topic: the topic, or a concept taken as one.
        named: ids of the codes; by default all, or where there is no room for all (`kb.comparison.columns`) those that
            have most provisions on it.
    """
    concepts, every = concepts_of(conn, topic), queries.codes(conn)
    few = columns.has_room(every)
    told = {} if few else dict(fetch(conn, lambda code, n: (str(code), int(n)), COUNTS, _asked(concepts)))
    codes = columns.side_by_side(every, told, named)
    among = () if few and not named else tuple(code.id for code in codes)
    every_found = provisions_on(conn, concepts, among)
    found, most = _most_said(every_found, len(codes))
    links = _links(conn, [p.unit.id for p in found])
    by_itself = provisions_on(conn, concepts[:1], among) if len(concepts) > 1 else found
    own = {p.unit.id for p in by_itself if p.times > 1}
    chief = _chief(found, own, topic, links)
    by_code = {
        code.id: tuple(
            TreatedProvision(
                p.unit, p.times, tuple(links.get(p.unit.id, ())), p.unit.id in chief, (), _headed(p.unit, topic)
            )
            for p in sorted(found, key=lambda p: p.unit.seq)
            if p.unit.code_id == code.id
        )
        for code in codes
    }
    texts = [(c.id, "\n".join(p.unit.text for p in by_code[c.id])) for c in codes if by_code[c.id]]
    known = {c.id: c for c in codes}
    shown = tuple(
        Column(tuple(known[i] for i in group), tuple(_joined([p for i in group for p in by_code[i]], group, links)))
        for group in agreeing(texts)
    )
    shown = _without_doubles(shown)
    rows, alone = side_by_side(shown)
    silent = tuple(c for c in (codes if few else every) if not (told.get(c.id) or by_code.get(c.id)))
    return Treatment(topic, shown, tuple(rows), alone, silent, tuple(concepts), codes, most)


def _most_said(found: list[TreatedProvision], codes: int) -> tuple[list[TreatedProvision], int]:
    """Of each code its part of what a page has room for, those that name the matter most; and how many that is."""
    most = PROVISIONS_ON_A_PAGE // max(codes, 1)
    sizes = Counter(p.unit.code_id for p in found)
    if len(found) <= PROVISIONS_ON_A_PAGE or max(sizes.values()) <= most:
        return found, 0
    kept: Counter[str | None] = Counter()
    left = set()
    for p in sorted(found, key=lambda p: -p.times):
        kept[p.unit.code_id] += 1
        if kept[p.unit.code_id] <= most:
            left.add(p.unit.id)
    return [p for p in found if p.unit.id in left], most


def _without_doubles(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """The columns without links to the like of a provision that is linked to itself: the page shows it only once."""
    shown = {i: p.unit.id for column in columns for p in column.provisions for i in p.like}

    def once(p: TreatedProvision) -> TreatedProvision:
        there = {link.other for link in p.links}
        return replace(p, links=tuple(link for link in p.links if shown.get(link.other) not in there))

    return tuple(Column(c.codes, tuple(map(once, c.provisions))) for c in columns)


def side_by_side(columns: Sequence[Column]) -> tuple[list[Row], Row]:
    """Set the chief provisions of the columns in rows, each with those it is linked to (`in_rows`).

    Rows with what stands under the heading of the matter come first.

    Returns:
        The rows of linked provisions, and one more row with those that are linked to none.
    """
    named = {i: (at, p.unit.id) for at, column in enumerate(columns) for p in column.chief for i in p.ids}
    linked = {
        p.unit.id: [named[link.other][1] for link in p.links if named.get(link.other, (at,))[0] != at]
        for at, column in enumerate(columns)
        for p in column.chief
    }
    shown = {p.unit.id: p for column in columns for p in column.chief}
    rows = in_rows([[p.unit.id for p in column.chief] for column in columns], linked)
    found = [tuple(tuple(shown[i] for i in cell if linked[i]) for cell in row) for row in rows]
    found = [row for row in found if any(row)]
    found.sort(key=lambda row: not any(p.central for cell in row for p in cell))
    return found, tuple(tuple(p for p in column.chief if not linked[p.unit.id]) for column in columns)


def in_rows(columns: Sequence[Sequence[str]], linked: Mapping[str, Sequence[str]]) -> list[list[list[str]]]:
    """Set what stands in columns in rows, each row with a cell for each column.

    What the fullest column has gives the rows and their order; anything of another column stands in the row of its
    strongest link, or in its own if none of its links leads to a row.

    Args:
        columns: the ids of what is set in rows.
        linked: of each id those it is linked with, the strongest link first.
    """
    spine = max(range(len(columns)), key=lambda at: len(columns[at]), default=0)
    rows: list[list[list[str]]] = []
    row_of: dict[str, list[list[str]]] = {}
    for at in sorted(range(len(columns)), key=lambda at: at != spine):
        for i in columns[at]:
            row = next((row_of[other] for other in linked.get(i, ()) if other in row_of and at != spine), None)
            if row is None:
                row = [[] for _ in columns]
                rows.append(row)
            row[at].append(i)
            row_of[i] = row
    return rows


def _joined(
    provisions: Sequence[TreatedProvision], group: Sequence[str], links: Mapping[str, Sequence[RelatedRow]]
) -> Iterable[TreatedProvision]:
    """The provisions of a group of codes in one order; the same text in several of them is given once, by the first."""
    given: set[str] = set()
    found: list[TreatedProvision] = []
    for p in provisions:
        if p.unit.id in given:
            continue
        like = [k.other for k in p.links if k.relation == "same-text" and k.other.partition("/")[0] in group]
        given.update(like)
        every = [*p.links, *(link for i in like for link in links.get(i, ()))]
        outside = {k.other: k for k in reversed(every) if k.other.partition("/")[0] not in group}
        strongest = sorted(outside.values(), key=lambda k: (-k.score, k.other))
        found.append(TreatedProvision(p.unit, p.times, tuple(strongest), p.chief, tuple(like), p.central))
    first = {i: at for at, i in enumerate(group)}
    return sorted(found, key=lambda p: (_number(p.unit), first[p.unit.work], p.unit.seq))


def _number(unit: UnitRow) -> tuple[str, int]:
    """Where a provision stands in its code: its kind, laws first, and its number."""
    return ("" if unit.kind == "law" else unit.kind, int("".join(filter(str.isdecimal, unit.number or "")) or 0))


def _chief(
    found: Sequence[TreatedProvision], named: set[str], topic: TopicRow, links: Mapping[str, Sequence[RelatedRow]]
) -> set[str]:
    """The provisions that a topic is about: those named, those under its heading, and what they are linked to."""
    chief = {p.unit.id for p in found if p.unit.id in named or _headed(p.unit, topic)}
    chief |= {link.other for i in chief for link in links.get(i, ())}
    return chief or {p.unit.id for p in found}


def _headed(unit: UnitRow, topic: TopicRow) -> bool:
    """Whether a provision stands under the heading of a topic."""
    return stems(topic.label) <= stems(unit.heading or "")


def stems(text: str) -> frozenset[str]:
    return frozenset(stem(w) for w in words_of(text) if w not in STOP_WORDS)


def _links(conn: sqlite3.Connection, ids: Iterable[str]) -> dict[str, list[RelatedRow]]:
    """The links among some units, under both ends, the relation read from that end."""
    turn = {"broader": "narrower", "narrower": "broader"}
    links: dict[str, list[RelatedRow]] = {}
    for a, b, relation, *rest in fetch(conn, lambda *r: r, LINKS_AMONG, {"ids": json_list(ids)}):
        links.setdefault(a, []).append(RelatedRow(b, relation, *rest))
        links.setdefault(b, []).append(RelatedRow(a, turn.get(relation, relation), *rest))
    return links
