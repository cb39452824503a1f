"""What the codes answer to the questions of a topic: a row a question, a cell a code; and how like the answers are.

An answer bears the letter of the rule that its code lays down, and rests on provisions.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Literal

from kb.comparison import columns
from kb.comparison.columns import page_of
from kb.comparison.deciding import openings
from kb.read import cite, queries
from kb.read.lookup import json_list
from kb.read.rows import CodeRow, TopicRow, UnitRow, fetch

FACETS_OF = "select facet_id from facet_topic where topic_id = ? order by seq, facet_id"
ANSWERING = """
select c.code_id, count(*) from facet_topic f join cell c on c.facet_id = f.facet_id
where f.topic_id = ? and c.cites <> '[]' group by c.code_id
"""
QUESTIONS = "select id, label, verdict from facet where id in (select value from json_each(?))"
CELLS = """
select c.facet_id, c.code_id, c.rule, c.brief, c.summary, c.value, c.cites, c.source, c.twin
from facet f join cell c on c.topic_id = f.topic_id and c.facet_id = f.id
where f.id in (select value from json_each(?)) order by c.code_id
"""
DECIDING = """
select facet_id, code_id, unit_id, words from deciding
where facet_id in (select value from json_each(?)) order by facet_id, code_id, seq
"""
# A verdict is the editor's; what the machine proposes is none. The plus has the links of each provision looked up once,
# not every pair of two.
VERDICTS = """
select l.a, l.b, l.relation, l.why from link l join unit ua on ua.id = l.a join unit ub on ub.id = l.b
where l.status = 'confirmed'
and l.a in (select value from json_each(:ids)) and +l.b in (select value from json_each(:ids))
order by ua.book_id, ua.seq, ub.book_id, ub.seq
"""
COUNTS = "select topic_id, count(*) from facet_topic group by topic_id"

CELLS_ON_A_PAGE = 800
"""A page has as many questions as make so many cells with the codes shown, ten at least."""

State = Literal["answered", "silent", "not judged"]


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """The editor's verdict on two provisions; `relation` is that of `a`, of the earlier code, to `b`."""

    a: str
    b: str
    relation: str
    why: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What one code answers to a question; without provisions to rest on it is silent.

    `rule` is the letter of its rule, empty for a draft, and `brief` says that rule in a few words; `value` is the
    answer in terms of the vocabulary, `deciding` has the deciding words as (unit id, words), `twin` is the code whose
    answer is taken over because both print nearly the same words.
    """

    code: str
    summary: str
    cites: tuple[str, ...]
    value: Mapping[str, Any] | None = None
    source: str = "editor"
    twin: str | None = None
    rule: str = ""
    brief: str = ""
    deciding: tuple[tuple[str, str], ...] = ()

    @property
    def silent(self) -> bool:
        """Whether the code was read through and does not answer."""
        return not self.cites

    def deciding_in(self, *units: str) -> tuple[str, ...]:
        """The words of some provisions that decide."""
        return tuple(words for unit_id, words in self.deciding if unit_id in units)


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a topic, in a line what changed, and the answers by code; a code that was not judged has none."""

    id: str
    label: str
    verdict: str
    answers: Mapping[str, Answer] = field(default_factory=dict)

    @property
    def slug(self) -> str:
        """Its name within the topic, as the fragment of a page."""
        return self.id.partition("/")[2] or self.id

    @property
    def page(self) -> str:
        """Where it stands among the pages of topics: `revoke#penalty`."""
        topic, _, slug = self.id.partition("/")
        return f"{topic}#{slug}"

    def name_in(self, topic: str) -> str:
        """Its name on the page of a topic: on that of its home its slug, on others with its home before it."""
        home, _, slug = self.id.partition("/")
        return slug if home == topic else f"{home}-{slug}"

    def state(self, code: str) -> State:
        """What became of the question in a code."""
        answer = self.answers.get(code)
        return "not judged" if answer is None else "silent" if answer.silent else "answered"


@dataclass(frozen=True, slots=True)
class Told:
    """A cell of the table: what several codes of neighbouring columns say in the same words is told once."""

    codes: tuple[str, ...]
    columns: int
    state: State
    answer: Answer | None


@dataclass(frozen=True, slots=True)
class Answers:
    """The table of a topic: the codes chosen, a page of its questions, and the verdicts among all provisions cited.

    `columns` are the codes in the order chosen; codes that agree nearly word for word wherever they are shown share
    one. `units` has the provisions cited and what they stand in, `pinpoints` how they are cited, `openings` what a law
    says before its first paragraph. `asked` is how many questions the topic asks of these codes, `left` how many of
    them are to be shown, on this page and others; `every` how many codes the library has.
    """

    topic: TopicRow
    codes: tuple[CodeRow, ...]
    shown: tuple[Question, ...]
    verdicts: Mapping[tuple[str, str], PairVerdict]
    units: Mapping[str, UnitRow]
    pinpoints: Mapping[str, str]
    openings: Mapping[str, str] = field(default_factory=dict)
    asked: int = 0
    left: int = 0
    page: int = 1
    every: int = 0
    columns: tuple[tuple[CodeRow, ...], ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", _columns(self.codes, self.shown))

    @property
    def pages(self) -> int:
        """How many pages the questions fill, one at least."""
        return max(1, -(-self.left // questions_on_a_page(len(self.codes))))

    @property
    def first(self) -> int:
        """Which of the questions left is the first of the page, from 1."""
        return (self.page - 1) * questions_on_a_page(len(self.codes)) + 1

    def cells(self, question: Question) -> tuple[Told, ...]:
        """The cells of a row; twins in neighbouring columns make one."""
        cells: list[Told] = []
        for column in self.columns:
            names, first = tuple(code.id for code in column), column[0].id
            before = cells[-1].codes[-1] if cells else ""
            if before and twins(question.answers.get(before), question.answers.get(first)):
                cells[-1] = replace(cells[-1], codes=(*cells[-1].codes, *names), columns=cells[-1].columns + 1)
            else:
                cells.append(Told(names, 1, question.state(first), question.answers.get(first)))
        return tuple(cells)

    def agreed(self, question: Question) -> bool:
        """Whether all codes chosen answer a question alike: see `agreed`."""
        return agreed(question, [code.id for code in self.codes])

    def verdicts_on(self, question: Question, cells: Sequence[Told] = ()) -> tuple[PairVerdict, ...]:
        """The verdicts between the provisions of its cells (known or not); what holds for twins is told once."""
        cited = [told.answer.cites for told in cells or self.cells(question) if told.answer]
        pairs = ((x, y) for one, other in combinations(cited, 2) for x in one for y in other)
        found = {id(v): v for pair in pairs if (v := self.verdicts.get(pair))}
        place = {code.id: code.year for code in self.codes}
        return tuple(sorted(found.values(), key=lambda v: (place[_code(v.a)], place[_code(v.b)])))


def _columns(codes: Sequence[CodeRow], shown: Sequence[Question]) -> tuple[tuple[CodeRow, ...], ...]:
    columns: list[list[CodeRow]] = []
    for code in codes:
        before = columns[-1][-1].id if columns else ""
        if shown and before and all(twins(q.answers.get(before), q.answers.get(code.id)) for q in shown):
            columns[-1].append(code)
        else:
            columns.append([code])
    return tuple(map(tuple, columns))


def question_counts(conn: sqlite3.Connection) -> dict[str, int]:
    """How many questions each topic has that has any."""
    return dict(fetch(conn, lambda *r: (str(r[0]), int(r[1])), COUNTS))


def answers(
    conn: sqlite3.Connection,
    topic: TopicRow,
    codes: Sequence[str] = (),
    *,
    differ: bool = False,
    page: int | None = None,
) -> Answers | None:
    """Read the table of a topic.

    Where not all codes have room side by side (`kb.comparison.columns`), only what those chosen answer is asked.

    Args:
        topic: the topic.
        codes: ids of the codes to be shown, in the order of their columns; by default all, oldest first, or where
            there is no room for all those that answer most of its questions.
        differ: leave out the questions to which the codes chosen answer alike.
        page: which page of the questions, the last if there are fewer; all of them if not given.
    Returns:
        The table; None if no questions were put to the codes on the topic.
    """
    known = queries.codes(conn)
    facets = fetch(conn, str, FACETS_OF, (topic.id,))
    if not facets:
        return None
    told = dict(fetch(conn, lambda code, n: (str(code), int(n)), ANSWERING, (topic.id,)))
    chosen = columns.side_by_side(known, told, codes)
    names = [code.id for code in chosen]
    asked = list(questions_of(conn, facets, names).values())
    if not columns.has_room(known):
        asked = [q for q in asked if any(answer.cites for answer in q.answers.values())]
    left = [q for q in asked if not (differ and agreed(q, names))]
    shown, number, _ = page_of(left, page, questions_on_a_page(len(names))) if page else (left, 1, 1)
    cited = {i for q in asked for a in q.answers.values() for i in a.cites}
    units = queries.units(conn, cited)
    parents = queries.units(conn, {u.parent_id for u in units.values() if u.parent_id})
    units |= parents
    verdicts: dict[tuple[str, str], PairVerdict] = {}
    for verdict in fetch(conn, PairVerdict, VERDICTS, {"ids": json_list(sorted(cited))}):
        verdicts[verdict.a, verdict.b] = verdicts[verdict.b, verdict.a] = verdict
    return Answers(
        topic, chosen, tuple(shown), verdicts, units, cite.pinpoints(conn, units.values()),
        openings(conn, parents.values()), len(asked), len(left), number, len(known),
    )  # fmt: skip


def questions_on_a_page(codes: int) -> int:
    """How many questions a page has on so many codes."""
    return max(10, CELLS_ON_A_PAGE // max(codes, 1))


def agreed(question: Question, codes: Sequence[str]) -> bool:
    """Whether codes answer a question alike: all of them lay down the same rule, and none is silent."""
    rules = {answer.rule if (answer := question.answers.get(code)) else "" for code in codes}
    return len(rules) == 1 and "" not in rules


def twins(a: Answer | None, b: Answer | None) -> bool:
    """Whether one of two answers is taken over from the other."""
    return a is not None and b is not None and (a.twin == b.code or b.twin == a.code)


def questions_of(
    conn: sqlite3.Connection, facets: Iterable[str], codes: Collection[str] | None = None
) -> dict[str, Question]:
    """Some questions with their answers, by id, in the order given; unknown ids are left out.

    Args:
        facets: the ids.
        codes: those whose answers are wanted; all if not given.
    """
    asked = list(dict.fromkeys(facets))
    ids = (json_list(asked),)
    deciding: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for facet, code, unit, words in fetch(conn, lambda *r: r, DECIDING, ids):
        deciding.setdefault((facet, code), []).append((unit, words))
    told: dict[str, dict[str, Answer]] = {}
    for facet, code, rule, brief, summary, value, cites, source, twin in fetch(conn, lambda *r: r, CELLS, ids):
        if codes is not None and code not in codes:
            continue
        told.setdefault(facet, {})[code] = Answer(
            code,
            summary or "",
            tuple(json.loads(cites or "[]")),
            json.loads(value) if value else None,
            source or "",
            twin,
            rule or "",
            brief or "",
            tuple(deciding.get((facet, code), ())),
        )
    found = {
        facet: Question(facet, label, verdict or "", told.get(facet, {}))
        for facet, label, verdict in fetch(conn, lambda *r: r, QUESTIONS, ids)
    }
    return {facet: found[facet] for facet in asked if facet in found}


def _code(unit_id: str) -> str:
    return unit_id.partition("/")[0]
