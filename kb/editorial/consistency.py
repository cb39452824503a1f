"""Whether answers and links agree: on two provisions that answer one question both of them speak."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, groupby

from kb.read.rows import fetch

# Answers that rest on one provision alone: what they say of the question, the provision says.
ALONE = """
select facet_id, json_extract(cites, '$[0]'), rule from cell
where source = 'editor' and rule is not null and json_array_length(cites) = 1 order by facet_id, code_id
"""
CITING = """
select c.facet_id, j.value, c.rule from cell c join json_each(c.cites) j
where c.source = 'editor' and c.rule is not null order by c.facet_id, c.code_id
"""
APART = "select a, b from apart"
LINKS = "select a, b, relation from link where status = 'confirmed'"
WHOLES = """
with recursive up(id, whole) as (
    select id, id from unit where kind not in ('subclause', 'footnote') and continues is null
    union all select u.id, up.whole from unit u join up on u.parent_id = up.id where u.kind in ('subclause', 'footnote')
)
select id, whole from up
"""
_ONE_RULE = frozenset({"same-text", "equivalent"})


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two provisions of which answers and links say what cannot both be true; `why` says it in words."""

    facet: str
    a: str
    b: str
    why: str


def contradictions(conn: sqlite3.Connection) -> tuple[Contradiction, ...]:
    """Where the answers and the links of the editor contradict each other.

    Another rule on the same question is at least a link that `differs`, or the editor has said why the two are apart;
    provisions that are `equivalent` cannot answer a question by different rules; and `opposed` ones answer at least one
    question differently, if they share any.
    """
    links = {frozenset((a, b)): relation for a, b, relation in fetch(conn, lambda *row: row, LINKS)}
    whole = dict(fetch(conn, lambda unit, above: (unit, above), WHOLES))
    apart = {frozenset(pair) for pair in fetch(conn, lambda *row: row, APART)}
    joined = {frozenset(whole.get(unit, unit) for unit in pair) for pair in links}
    found: dict[frozenset[str], Contradiction] = {}
    for facet, a, b, same in _pairs(conn, ALONE):
        pair = frozenset((a, b))
        if not same and pair not in apart and frozenset((whole.get(a, a), whole.get(b, b))) not in joined:
            found.setdefault(pair, Contradiction(facet, a, b, "they answer by different rules and are not linked"))
        if not same and links.get(pair) in _ONE_RULE:
            found.setdefault(pair, Contradiction(facet, a, b, f"they answer by different rules and are {links[pair]}"))
    shared: dict[frozenset[str], list[tuple[str, str, str, bool]]] = {}
    for facet, a, b, same in _pairs(conn, CITING):
        shared.setdefault(frozenset((a, b)), []).append((facet, a, b, same))
    for pair, questions in shared.items():
        if links.get(pair) == "opposed" and all(same for *_, same in questions):
            facet, a, b, _ = questions[0]
            found.setdefault(pair, Contradiction(facet, a, b, "they are opposed and answer by the same rule"))
    return tuple(sorted(found.values(), key=lambda c: (c.facet, c.a, c.b)))


def _pairs(conn: sqlite3.Connection, sql: str) -> Iterator[tuple[str, str, str, bool]]:
    """Every two provisions of different codes that answer one question, and whether by one rule, altered or not."""
    rows = fetch(conn, lambda facet, unit, rule: (str(facet), str(unit), str(rule)), sql)
    for facet, answers in groupby(rows, key=lambda row: row[0]):
        for (_, a, one), (_, b, other) in combinations(answers, 2):
            if a.partition("/")[0] != b.partition("/")[0]:
                yield facet, a, b, one[0] == other[0]
