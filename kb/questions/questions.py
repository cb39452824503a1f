"""The questions with their answers, each as one frozen object: what pages and the search for questions need."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from kb.cite import writing
from kb.read import queries
from kb.read.build_cache import cached_per_build
from kb.read.rows import BookRow, CodeRow, Statement, as_tuple, grouped

State = Literal["answered", "silent", "not printed"]
_QUESTIONS = Statement(as_tuple, """
select q.id, q.topic_id, t.label, q.label, q.verdict from question q join topic t on t.id = q.topic_id
order by t.seq, t.id, q.seq
""")  # fmt: skip
_ANSWERS = Statement(as_tuple, """
select a.question_id, a.code_id, a.state, ifnull(a.rule, ''), ifnull(a.brief, ''), a.summary, a.cites, a.near,
    ifnull(a.near_why, ''), a.reprint_of
from answer a join code c on c.id = a.code_id order by c.year, c.id
""")  # fmt: skip
_DECIDING = Statement(as_tuple, """
select question_id, code_id, unit_id, ifnull(words, '') from deciding order by question_id, code_id, seq
""")  # fmt: skip
_SISTERS = Statement(as_tuple, "select question_id, other_id from sister order by question_id, seq")
_FACTS = Statement(as_tuple, """
select question_id, fact, answer, other_id, ifnull(result, '') from distinction order by question_id, seq
""")  # fmt: skip
_SHOWN = Statement(as_tuple, "select topic_id, question_id from question_topic order by topic_id, seq")


@dataclass(frozen=True, slots=True)
class Cited:
    """A provision on which an answer rests: its id, its pinpoint (`law 72 (II)`), and its deciding words.

    `citation` is the pinpoint after the name of the code, `page` the printed page, in brackets if it is only inferred.
    """

    id: str
    pinpoint: str
    words: tuple[str, ...] = ()
    citation: str = ""
    page: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a code answers to a question.

    Attributes:
        code: the id of the code.
        state: `answered`, `silent` (no rule), or `not printed` (its book omits such rules).
        rule: the letter of the rule: answers with the same letter lay down the same rule.
        brief: the rule in a few words.
        summary: the answer in a sentence; empty if the code is not `answered`.
        cited: the provisions on which it rests, the first the most deciding.
        near: the provision of a silent code that comes nearest, if any.
        near_why: why that provision does not decide.
        reprint_of: the code whose words this one reprints, and from which the answer was taken, if any.
    """

    code: str
    state: State
    rule: str
    brief: str
    summary: str
    cited: tuple[Cited, ...]
    near: Cited | None
    near_why: str
    reprint_of: str | None

    @property
    def laws(self) -> tuple[Cited, ...]:
        """What it cites, without the paragraphs of a law that is cited as a whole."""
        whole = {cited.id for cited in self.cited}
        return tuple(cited for cited in self.cited if cited.id.rpartition("/")[0] not in whole)


@dataclass(frozen=True, slots=True)
class Branch:
    """An answer to a question about a fact, the question that it leads to, and what follows (by years of the codes)."""

    answer: str
    other: str
    result: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact on which a question depends, and what follows each way."""

    fact: str
    branches: tuple[Branch, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its answers.

    Attributes:
        id: its address under `/compare`: `revoke/penalty`.
        topic, topic_label: its home topic.
        label: the question.
        verdict: the rules of all codes, oldest first, in one line.
        answers: the answers by code, oldest first.
        sisters: the ids of its neighbours, which a reader may have meant instead.
        facts: the facts on which it depends.
    """

    id: str
    topic: str
    topic_label: str
    label: str
    verdict: str
    answers: Mapping[str, Answer]
    sisters: tuple[str, ...]
    facts: tuple[Fact, ...]

    def within(self, codes: Collection[str]) -> Question:
        """Return the question with the answers of some codes alone, given by id."""
        return replace(self, answers={code: answer for code, answer in self.answers.items() if code in codes})


@cached_per_build
def questions(conn: sqlite3.Connection) -> Mapping[str, Question]:
    """Return all questions by id, in the order of topics; read once per build."""
    deciding: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(dict)
    for question, code, unit, words in _DECIDING(conn):
        deciding[question, code].setdefault(unit, []).extend([words] if words else [])
    rows = _ANSWERS(conn)
    cited = {unit for units in deciding.values() for unit in units} | {near for *_, near, _, _ in rows if near}
    units = queries.units(conn, cited)
    pinpoints = writing.pinpoints(conn, units.values())
    every: tuple[BookRow | CodeRow, ...] = (*queries.books(conn), *queries.codes(conn))
    works = {work.id: work.short if str(work.year) in work.short else f"{work.short}, {work.year}" for work in every}

    def cite(unit: str, words: Iterable[str] = ()) -> Cited:
        citation = f"{works[units[unit].work]}, {pinpoints[unit]}"
        return Cited(unit, pinpoints[unit], tuple(words), citation, units[unit].folio)

    answers: dict[str, dict[str, Answer]] = defaultdict(dict)
    for question, code, state, rule, brief, summary, cites, near, why, reprint_of in rows:
        words_of = deciding[question, code]
        answers[question][code] = Answer(
            code, state, rule, brief, summary,
            tuple(cite(i, words_of.get(i, ())) for i in json.loads(cites)), cite(near) if near else None, why,
            reprint_of,
        )  # fmt: skip
    sisters = grouped(_SISTERS(conn))
    facts: dict[str, list[Fact]] = defaultdict(list)
    for (question, fact), branches in groupby(_FACTS(conn), key=lambda row: row[:2]):
        facts[question].append(Fact(fact, tuple(Branch(*branch) for _, _, *branch in branches)))
    return {
        i: Question(
            i,
            topic,
            topic_label,
            label,
            verdict,
            answers[i],
            tuple(other for (other,) in sisters.get(i, ())),
            tuple(facts[i]),
        )
        for i, topic, topic_label, label, verdict in _QUESTIONS(conn)
    }


@cached_per_build
def shown_under(conn: sqlite3.Connection) -> Mapping[str, tuple[str, ...]]:
    """Return the ids of the questions shown under each topic, by the topic's id: its own, then those of others."""
    return {topic: tuple(question for (question,) in ids) for topic, ids in grouped(_SHOWN(conn)).items()}
