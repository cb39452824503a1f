"""A topic: a small table with its questions down and the codes across; and any concept leads to its own page."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from datasette_plugins.arguments import chosen_code, only
from datasette_plugins.catalogue import works
from datasette_plugins.missing import missing
from datasette_plugins.pages.question import answers_as_csv, within
from datasette_plugins.site import Document, Missing, PageRequest, PermanentRedirect, SitePage
from kb.comparison.topics import concept, find_topic, topics
from kb.questions.questions import Answer, Question, questions, shown_under
from kb.read.rows import CodeRow, TopicRow


@dataclass(frozen=True, kw_only=True)
class TopicPage(SitePage):
    """A topic with its questions; in its `rows`, neighbouring codes with the same rule share a cell."""

    template: ClassVar[str] = "topic"
    internal: ClassVar[frozenset[str]] = frozenset({"rows", "topics"})
    topic: TopicRow
    questions: Sequence[Question]
    rows: Sequence[tuple[Question, Sequence[Sequence[Answer]]]]
    topics: Sequence[TopicRow]


def topic(conn: sqlite3.Connection, request: PageRequest) -> TopicPage | Document | PermanentRedirect | Missing:
    """What each code answers to the questions of a topic; as `.csv`, a line for each question and code.

    As data, `code` leaves the answers of the other codes out.
    """
    only(request, "code")
    name = request.parts["topic"]
    found = find_topic(conn, name)
    if found is None and concept(conn, name):
        return PermanentRedirect(f"/concept/{name}", "")
    if found is None:
        return missing(request, "topic", name)
    catalogue, known = works(conn), questions(conn)
    shown = [known[i] for i in shown_under(conn).get(found.id, ())]
    chosen, asked = chosen_code(request, catalogue), "question" if len(shown) == 1 else "questions"
    asked_for = [within(q, chosen) for q in shown] if request.as_data else shown
    if request.parts.get("format") == "csv":
        return answers_as_csv(conn, request, asked_for)
    return TopicPage(
        url=f"/compare/{found.id}" + (f"?code={chosen}" if chosen else ""),
        title=f"{found.label}: what the codes answer",
        description=f"{found.label} in the laws of whist from 1829 to 1894: {len(shown)} {asked}. {found.note}",
        alternates=(("text/csv", f"/compare/{found.id}.csv"),),
        club=chosen,
        topic=found,
        questions=asked_for,
        rows=[(question, runs(question, catalogue.codes)) for question in shown],
        topics=topics(conn),
    )


def runs(question: Question, codes: Mapping[str, CodeRow]) -> list[tuple[Answer, ...]]:
    """Return the answers of the codes in order, those of neighbours with the same rule together."""
    answers = [question.answers[code] for code in codes]
    return [tuple(run) for _, run in groupby(answers, key=lambda answer: (answer.state, answer.rule))]
