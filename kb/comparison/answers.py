"""The codes' answers to the questions of a topic, a row per question and a cell per code; and how the answers compare.

An answer has the letter of the rule that its code lays down, and rests on provisions.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from typing import Any, Literal

from extract.model import work_of
from kb.comparison.marking import openings
from kb.comparison.table import CodeTable, chosen_codes, runs
from kb.read import cite, queries
from kb.read.build_cache import cached_per_build
from kb.read.lookup import json_list
from kb.read.rows import CodeRow, TopicRow, UnitRow, as_tuple, fetch

FACETS_OF = "select facet_id from facet_topic where topic_id = ? order by seq, facet_id"
QUESTIONS = "select id, label, ifnull(verdict, '') from facet where topic_id = ?"
CELLS = """
select c.facet_id, c.code_id, c.summary, c.cites, c.twin, ifnull(c.rule, ''), ifnull(c.brief, ''),
ifnull(c.unprinted, 0),
(
    select json_group_array(json_array(unit_id, words)) from (
        select unit_id, words from deciding where facet_id = c.facet_id and code_id = c.code_id order by seq
    )
)
from cell c where c.topic_id = ? order by c.code_id
"""
# Only links that the editor confirmed are verdicts, not the machine's proposals. The plus makes SQLite look up the
# links of each provision once, instead of each pair of provisions.
VERDICTS = """
select l.a, l.b, l.relation, l.why from link l join unit ua on ua.id = l.a join unit ub on ub.id = l.b
where l.status = 'confirmed'
and l.a in (select value from json_each(:ids)) and +l.b in (select value from json_each(:ids))
order by ua.book_id, ua.seq, ub.book_id, ub.seq
"""
COUNTS = "select topic_id, count(*) from facet_topic group by topic_id"

CACHED_TOPICS = 100
"""Topics whose questions are cached in memory, at most."""

State = Literal["answered", "silent", "not printed", "not judged"]
SHOWN: Mapping[str, str] = {"silent": "no rule"}
"""Words for the states of an answer that readers would not understand."""
# How an answer relates to that of an earlier code: the first of all, taken over from it, the same rule, the same rule
# made broader or narrower, or another rule.
Standing = Literal["first", "twin", "same", "altered", "changed"]


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """The editor's verdict on two provisions; `relation` is that of `a`, from the earlier code, to `b`."""

    a: str
    b: str
    relation: str
    why: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A code's answer to a question; if it rests on no provisions, the code is silent.

    `rule` is the letter of its rule, and `brief` states that rule in a few words. `deciding` has the deciding words as
    (unit id, words). `twin` is the code whose answer is taken over because both print nearly the same words.
    `unprinted` is whether the code is silent because its book omits the kind of provisions on which other codes'
    answers rest.
    """

    code: str
    summary: str
    cites: tuple[str, ...]
    twin: str | None = None
    rule: str = ""
    brief: str = ""
    deciding: tuple[tuple[str, str], ...] = ()
    unprinted: bool = False

    @property
    def silent(self) -> bool:
        """Whether the code was read through and does not answer."""
        return not self.cites

    def is_twin_of(self, other: Answer | None) -> bool:
        """Whether one of two answers is taken over from the other."""
        return other is not None and (self.twin == other.code or other.twin == self.code)

    def deciding_in(self, *units: str) -> tuple[str, ...]:
        """Return the deciding words that are in the given provisions."""
        return tuple(words for unit_id, words in self.deciding if unit_id in units)


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a topic, its course in one line (`verdict`), and the answers by code, without codes not judged."""

    id: str
    label: str
    verdict: str
    answers: Mapping[str, Answer] = field(default_factory=dict)

    @property
    def slug(self) -> str:
        """Its name within the topic, the fragment of a page's URL."""
        return self.id.partition("/")[2] or self.id

    @property
    def page(self) -> str:
        """The page of its topic with its fragment: `revoke#penalty`."""
        topic, _, slug = self.id.partition("/")
        return f"{topic}#{slug}"

    def name_in(self, topic: str) -> str:
        """Return its name on the page of a topic: its slug on its home page, with its home before it on others."""
        home, _, slug = self.id.partition("/")
        return slug if home == topic else f"{home}-{slug}"

    def state(self, code: str) -> State:
        """Return whether a code answers the question, is silent on it or not printed, or was not judged."""
        if (answer := self.answers.get(code)) is None:
            return "not judged"
        return "answered" if answer.cites else "not printed" if answer.unprinted else "silent"

    def twins(self, a: str, b: str) -> bool:
        """Whether the answer of one code is taken over from that of the other."""
        answer = self.answers.get(a)
        return answer is not None and answer.is_twin_of(self.answers.get(b))

    def agreed(self, codes: Iterable[str]) -> bool:
        """Whether some codes answer it alike: all of them lay down the same rule, and none is silent."""
        rules = {answer.rule if (answer := self.answers.get(code)) else "" for code in codes}
        return len(rules) == 1 and "" not in rules


@dataclass(frozen=True, slots=True)
class AnswerCell:
    """A cell of the table; if codes in neighbouring columns answer in the same words, they share one cell."""

    codes: tuple[str, ...]
    columns: int
    state: State
    answer: Answer | None


@dataclass(frozen=True, slots=True)
class Stage:
    """The period of a rule, from the year of a code to that of the next one chosen; twins share a stage.

    `state` is how the answer relates to that of the last earlier code that answers (`against`). `rule` is the letter
    of the rule, and `brief` states it in a few words; both are empty if the code does not answer.
    """

    codes: tuple[CodeRow, ...]
    until: int | None
    state: Standing | Literal["silent", "not printed", "not judged"]
    against: CodeRow | None
    rule: str = ""
    brief: str = ""

    @property
    def letter(self) -> str:
        """The letter of the rule, as readers see it."""
        return self.rule.replace("'", "′")

    @property
    def years(self) -> str:
        """The years of its codes: `1893 = 1894`."""
        return " = ".join(str(code.year) for code in self.codes)

    @property
    def words(self) -> str:
        """The rule in a few words, or how it relates to that of the earlier code."""
        if self.brief:
            return self.brief
        before = self.against.year if self.against else ""
        return {
            "first": "the first of them to rule",
            "twin": f"as {before}",
            "same": f"the same rule as {before}",
            "altered": f"the rule of {before}, broader or narrower",
            "changed": f"differs from {before}",
        }.get(self.state, SHOWN.get(self.state, self.state))


@dataclass(frozen=True, slots=True)
class Answers(CodeTable[Question]):
    """The table of a topic: the codes chosen, its questions, and the verdicts among all provisions cited.

    Codes that agree nearly word for word on all questions shown share a column. `units` has the provisions cited and
    their parents, `pinpoints` how they are cited, `openings` the words of laws before their first paragraphs. `asked`
    is the number of questions of the topic for these codes; not all of them need be shown.
    """

    topic: TopicRow
    verdicts: Mapping[tuple[str, str], PairVerdict]
    units: Mapping[str, UnitRow]
    pinpoints: Mapping[str, str]
    openings: Mapping[str, str] = field(default_factory=dict)
    asked: int = 0

    def cells(self, question: Question) -> tuple[AnswerCell, ...]:
        """Return the cells of a row; twins in neighbouring columns share one."""
        return tuple(
            AnswerCell(
                tuple(code.id for column in columns for code in column),
                len(columns),
                question.state(columns[0][0].id),
                question.answers.get(columns[0][0].id),
            )
            for columns in runs(self.columns, lambda a, b: question.twins(a[-1].id, b[0].id))
        )

    def agreed(self, question: Question) -> bool:
        """Whether all the chosen codes answer a question alike."""
        return question.agreed(code.id for code in self.codes)

    def verdicts_on(self, question: Question) -> tuple[PairVerdict, ...]:
        """Return the verdicts between the provisions of its cells; codes that share a cell count once."""
        cited = [cell.answer.cites for cell in self.cells(question) if cell.answer]
        pairs = ((x, y) for one, other in combinations(cited, 2) for x in one for y in other)
        found = {id(v): v for pair in pairs if (v := self.verdicts.get(pair))}
        place = {code.id: code.year for code in self.codes}
        return tuple(sorted(found.values(), key=lambda v: (place[work_of(v.a)], place[work_of(v.b)])))

    def course(self, question: Question) -> tuple[Stage, ...]:
        """Return how each chosen code changed the answer, oldest first."""
        stages: list[Stage] = []
        last: tuple[CodeRow, Answer] | None = None
        oldest_first = sorted(self.codes, key=lambda c: (c.year, c.id))
        for codes in runs(oldest_first, lambda a, b: question.twins(a.id, b.id)):
            state = question.state(codes[0].id)
            if state != "answered":
                stages.append(Stage(codes, None, state, None))
                continue
            answer = question.answers[codes[0].id]
            against, before = last or (None, None)
            stages.append(Stage(codes, None, _standing(before, answer), against, answer.rule, answer.brief))
            last = codes[0], answer
        ends = [replace(a, until=b.codes[0].year) for a, b in pairwise(stages)]
        return (*ends, *stages[-1:])


def _standing(before: Answer | None, answer: Answer) -> Standing:
    if before is None:
        return "first"
    if answer.is_twin_of(before):
        return "twin"
    if before.rule == answer.rule:
        return "same"
    return "altered" if before.rule[:1] == answer.rule[:1] else "changed"


def question_counts(conn: sqlite3.Connection) -> dict[str, int]:
    """Count the questions of each topic that has any."""
    return dict(fetch(conn, lambda *r: (str(r[0]), int(r[1])), COUNTS))


def answers(
    conn: sqlite3.Connection,
    topic: TopicRow,
    codes: Sequence[str] = (),
    *,
    differ: bool = False,
) -> Answers | None:
    """Read the table of a topic.

    Args:
        topic: the topic.
        codes: ids of the codes to show, in the order of their columns; by default all, oldest first.
        differ: leave out the questions that the chosen codes answer alike.
    Returns:
        The table; None if the topic has no questions.
    """
    facets = fetch(conn, str, FACETS_OF, (topic.id,))
    if not facets:
        return None
    chosen = chosen_codes(queries.codes(conn), codes)
    names = [code.id for code in chosen]
    asked = list(questions_of(conn, facets, names).values())
    shown = tuple(q for q in asked if not (differ and q.agreed(names)))
    cited = {i for q in asked for a in q.answers.values() for i in a.cites}
    units = queries.units(conn, cited)
    parents = queries.units(conn, {u.parent_id for u in units.values() if u.parent_id})
    units |= parents
    verdicts: dict[tuple[str, str], PairVerdict] = {}
    for verdict in fetch(conn, PairVerdict, VERDICTS, {"ids": json_list(sorted(cited))}):
        verdicts[verdict.a, verdict.b] = verdicts[verdict.b, verdict.a] = verdict
    return Answers(
        columns_of(chosen, shown), shown, topic, verdicts, units,
        cite.pinpoints(conn, units.values()), openings(conn, parents.values()), len(asked),
    )  # fmt: skip


def columns_of(codes: Iterable[CodeRow], shown: Sequence[Question]) -> tuple[tuple[CodeRow, ...], ...]:
    """Return the columns of codes, in order; neighbours that are twins in all questions shown share one."""
    return tuple(runs(codes, lambda a, b: bool(shown) and all(q.twins(a.id, b.id) for q in shown)))


def questions_of(
    conn: sqlite3.Connection, facets: Iterable[str], codes: Collection[str] | None = None
) -> dict[str, Question]:
    """Return questions with their answers, by id, in the order given; unknown ids are left out.

    Args:
        facets: the ids of the questions.
        codes: the codes whose answers are wanted; all if None.
    """
    ids = list(dict.fromkeys(facets))
    homes = dict.fromkeys(facet.partition("/")[0] for facet in ids)
    known = {facet: question for home in homes for facet, question in _of_topic(conn, home).items()}
    found = {facet: known[facet] for facet in ids if facet in known}
    if codes is None:
        return found
    return {
        facet: replace(question, answers={code: a for code, a in question.answers.items() if code in codes})
        for facet, question in found.items()
    }


def _read_topic(conn: sqlite3.Connection, topic: str) -> Mapping[str, Question]:
    by_facet: dict[str, dict[str, Answer]] = defaultdict(dict)
    for facet, answer in fetch(conn, _answer, CELLS, (topic,)):
        by_facet[facet][answer.code] = answer
    return {
        i: Question(i, label, verdict, by_facet[i]) for i, label, verdict in fetch(conn, as_tuple, QUESTIONS, (topic,))
    }


# The questions whose home is a topic, by id.
_of_topic = cached_per_build(_read_topic, CACHED_TOPICS)


def _answer(facet: str, code: str, summary: str, cites: str, *rest: Any) -> tuple[str, Answer]:
    twin, rule, brief, unprinted, deciding = rest
    words = tuple((unit, words) for unit, words in json.loads(deciding))
    return facet, Answer(code, summary, tuple(json.loads(cites)), twin, rule, brief, words, bool(unprinted))
