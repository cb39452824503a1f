"""What is known of every provision, held in memory for disputes: words, questions, cases, counterparts."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from extract.model import PROVISIONS
from kb.dispute.field import Field
from kb.read.lookup import json_list
from kb.read.rows import fetch

_KINDS = {"kinds": json_list(sorted(PROVISIONS))}
_WITHIN = "(u.id = p.id or u.parent_id = p.id or u.parent_id in (select id from unit where parent_id = p.id))"
_WHOLE = "select id, code_id, kind, text, heading, seq from unit where kind in (select value from json_each(:kinds))"
PROVISIONS_OF = f"""
select p.id, p.code_id, p.kind, p.text, coalesce(p.heading, '') from ({_WHOLE}) p join code c on c.id = p.code_id
order by c.year, p.seq
"""
PARTS = f"select u.id, p.id from ({_WHOLE}) p join unit u on {_WITHIN} where p.code_id is not null"
GLOSSES = "select unit_id, words from gloss"
CONCEPTS = """
select distinct uc.unit_id, l.label from unit_concept uc join concept_label l on l.concept_id = uc.concept_id
"""
FACETS = """
select f.id, f.label, f.verdict, t.label from facet f join topic t on t.id = f.topic_id order by t.seq, f.seq
"""
CELLS = "select facet_id, code_id, summary, cites from cell"
CITED = "select c.facet_id, c.code_id, j.value from cell c join json_each(c.cites) j"
TELLINGS = "select facet_id, words from telling"
LINKS = "select a, b, relation from link where status <> 'rejected'"
CASES = """
select u.id, u.text, coalesce(d.text, ''), coalesce(g.facts, ''), coalesce(g.decision, '') from unit u
left join unit d on d.parent_id = u.id and d.kind = 'decision' left join digest g on g.unit_id = u.id
where u.kind in ('case', 'test') order by u.book_id, u.seq
"""
PRECEDENTS = "select unit_id, target_id from precedent"


@dataclass(frozen=True, slots=True)
class Provision:
    """A provision that may decide a dispute."""

    id: str
    code: str
    kind: str


@dataclass(frozen=True)
class Index:
    """The knowledge base as disputes need it; made once for a build, then only read.

    `texts`, `glosses`, `headings`, `concepts` and `questions` are fields over provisions; `facets` and `tellings` over
    the questions of topics; `cases` and `decisions` over cases. `cites` has the provisions of each facet by code (an
    empty tuple where the code is silent), `turned` those on which a case turned, `counterparts` those linked to each.
    """

    provisions: Mapping[str, Provision]
    texts: Field
    glosses: Field
    headings: Field
    concepts: Field
    questions: Field
    facets: Field
    tellings: Field
    cases: Field
    decisions: Field
    cites: Mapping[str, Mapping[str, tuple[str, ...]]]
    turned: Mapping[str, tuple[str, ...]]
    counterparts: Mapping[str, tuple[tuple[str, str], ...]]
    labels: Mapping[str, str]

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """The codes, in date order."""
        return tuple(dict.fromkeys(p.code for p in self.provisions.values()))


def load_index(conn: sqlite3.Connection) -> Index:
    """Read the index from a knowledge base.

    Args:
        conn: the knowledge base; it is not kept.
    """
    rows = fetch(conn, lambda *row: row, PROVISIONS_OF, _KINDS)
    provisions = {unit_id: Provision(unit_id, code, kind) for unit_id, code, kind, _, _ in rows}
    owner = dict(fetch(conn, lambda part, whole: (part, whole), PARTS, _KINDS))
    facets = fetch(conn, lambda *row: row, FACETS)
    summaries = _gathered(conn, CELLS, lambda facet, _code, summary, _cites: (facet, summary))
    cites = _cites(conn, owner)
    labels = {facet: label for facet, label, _, _ in facets}
    answers: dict[str, list[str]] = defaultdict(list)
    for facet, by_code in cites.items():
        for units in by_code.values():
            for unit_id in units:
                answers[unit_id] += (labels[facet], *summaries.get(facet, ()))
    cases = fetch(conn, lambda *row: row, CASES)
    return Index(
        provisions,
        Field({unit_id: text for unit_id, _, _, text, _ in rows}),
        Field(_joined(_owned(_gathered(conn, GLOSSES, lambda unit, words: (unit, words)), owner))),
        Field({unit_id: heading for unit_id, _, _, _, heading in rows}),
        Field(_joined(_owned(_gathered(conn, CONCEPTS, lambda unit, label: (unit, label)), owner))),
        Field(_joined(answers)),
        Field({f: " ".join((label, verdict, topic, *summaries.get(f, ()))) for f, label, verdict, topic in facets}),
        Field(_joined(_gathered(conn, TELLINGS, lambda facet, words: (facet, words)))),
        Field({case: f"{text} {facts}" for case, text, _, facts, _ in cases}),
        Field({case: f"{decision} {digest}" for case, _, decision, _, digest in cases}),
        cites,
        _turned(conn, owner),
        _counterparts(conn, owner),
        labels,
    )


def _gathered(conn: sqlite3.Connection, sql: str, pair: Callable[..., tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for key, words in fetch(conn, pair, sql):
        found[key].append(words)
    return found


def _owned(texts: Mapping[str, list[str]], owner: Mapping[str, str]) -> dict[str, list[str]]:
    """The texts of provisions, those of their paragraphs among them."""
    found: dict[str, list[str]] = defaultdict(list)
    for unit_id, words in texts.items():
        if unit_id in owner:
            found[owner[unit_id]] += words
    return found


def _joined(texts: Mapping[str, list[str]]) -> dict[str, str]:
    return {key: " ".join(words) for key, words in texts.items()}


def _cites(conn: sqlite3.Connection, owner: Mapping[str, str]) -> dict[str, dict[str, tuple[str, ...]]]:
    found: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for facet, code, _, _ in fetch(conn, lambda *row: row, CELLS):
        found[facet][code] = ()
    for facet, code, unit_id in fetch(conn, lambda *row: row, CITED):
        if unit_id in owner:
            found[facet][code] = tuple(dict.fromkeys((*found[facet][code], owner[unit_id])))
    return found


def _turned(conn: sqlite3.Connection, owner: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for case, unit_id in fetch(conn, lambda *row: row, PRECEDENTS):
        if unit_id in owner:
            found[case][owner[unit_id]] = None
    return {case: tuple(units) for case, units in found.items()}


def _counterparts(conn: sqlite3.Connection, owner: Mapping[str, str]) -> dict[str, tuple[tuple[str, str], ...]]:
    """The provisions linked to each, with the relation; paragraphs speak for their provision."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for a, b, relation in fetch(conn, lambda *row: row, LINKS):
        if a in owner and b in owner:
            found[owner[a]].setdefault(owner[b], relation)
            found[owner[b]].setdefault(owner[a], relation)
    return {unit_id: tuple(others.items()) for unit_id, others in found.items()}
