"""What explains a unit: the editor's gloss, the terms in its text, and the books' commentary on it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate, groupby

from kb.read import reading
from kb.read.build_cache import cached_per_build
from kb.read.reading import Term, TextParagraph
from kb.read.rows import UNIT, Statement, UnitRow, as_tuple, grouped

GLOSSES = Statement(as_tuple, "select unit_id, words from gloss")
# Concepts with a name of one word are terms of the game (`dealer`), the others are matters (`several revokes`).
TERMS = Statement(Term, """
select c.id, c.label, c.note, k.raw_start, k.raw_end from unit_concept k join concept c on c.id = k.concept_id
where k.unit_id = ?1 and c.label not like '% %' and c.note <> '' order by k.raw_start, k.raw_end desc
""")  # fmt: skip
EXPLAINING = Statement(UnitRow, f"""
select {UNIT} from unit u where u.id in (select unit_id from explains) and u.continues is null order by u.book_id, u.seq
""")  # fmt: skip
TARGETS = Statement(as_tuple, """
select x.unit_id, t.id, case when t.kind = 'subclause' then t.parent_id end
from explains x join unit t on t.id = x.target_id order by t.book_id, t.seq
""")  # fmt: skip
# A commentary opens with as many paragraphs as make this many characters; the rest is folded.
OPENING = 300
# The most terms that are explained in one text.
MOST = 6


@dataclass(frozen=True, slots=True)
class Commentary:
    """A unit that explains others (`explains`, by id): its opening paragraphs, and the rest.

    `words_left` is the number of words in `rest`.
    """

    unit: UnitRow
    explains: tuple[str, ...]
    opening: tuple[TextParagraph, ...]
    rest: tuple[TextParagraph, ...]
    words_left: int


@cached_per_build
def glosses(conn: sqlite3.Connection) -> Mapping[str, str]:
    """Return the editor's paraphrases by the id of the unit."""
    return dict(GLOSSES(conn))


def terms(conn: sqlite3.Connection, unit_id: str) -> list[Term]:
    """Return the first terms of the game in the text of a unit, each where it comes first."""
    found: dict[str, Term] = {}
    end = 0
    for term in TERMS(conn, unit_id):
        if term.concept not in found and term.raw_start >= end and len(found) < MOST:
            found[term.concept], end = term, term.raw_end
    return [*found.values()]


@cached_per_build
def by_target(conn: sqlite3.Connection) -> Mapping[str, tuple[Commentary, ...]]:
    """Return the commentaries by the id of what they explain; those on a paragraph under its provision too."""
    targets = grouped(TARGETS(conn))
    found: dict[str, list[Commentary]] = {}
    for _, units in groupby(EXPLAINING(conn), key=lambda u: u.book_id):
        for text in reading.passages(conn, [*units]):
            explained = targets[text.unit.id]
            commentary = beside(text.unit, text.paragraphs, (target for target, _ in explained))
            for target in dict.fromkeys(i for pair in explained for i in pair if i):
                found.setdefault(target, []).append(commentary)
    return {target: tuple(commentaries) for target, commentaries in found.items()}


def beside(unit: UnitRow, paragraphs: tuple[TextParagraph, ...], explains: Iterable[str]) -> Commentary:
    """Cut a commentary between paragraphs, for display beside what it explains."""
    lengths = list(accumulate(len(p.text) for p in paragraphs))
    cut = 1 + next((i for i, length in enumerate(lengths) if length >= OPENING), len(lengths))
    left = sum(len(p.text.split()) for p in paragraphs[cut:])
    return Commentary(unit, tuple(explains), paragraphs[:cut], paragraphs[cut:], left)
