"""A topic: a small table with its questions down and the codes across; and any concept leads to its own page."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from datasette_plugins.arguments import chosen_code, only
from datasette_plugins.catalogue import works
from datasette_plugins.endpoint import Document, PageRequest, PermanentRedirect
from datasette_plugins.missing import Missing, missing
from datasette_plugins.pages.question import within
from datasette_plugins.site import SitePage
from kb.comparison import tabular
from kb.comparison.topics import concept, find_topic, topics
from kb.questions.questions import Question, questions, shown_under
from kb.read.rows import CodeRow, TopicRow


@dataclass(frozen=True, kw_only=True)
class TopicPage(SitePage):
    """A topic with its questions; codes that reprint another share its column."""

    template: ClassVar[str] = "topic"
    internal: ClassVar[frozenset[str]] = frozenset({"columns", "topics"})
    topic: TopicRow
    questions: Sequence[Question]
    columns: Sequence[tuple[CodeRow, ...]]
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
        years = {code.id: code.year for code in catalogue.codes.values()}
        return Document(
            tabular.answers_as_csv(asked_for, years, request.absolute), "text/csv; charset=utf-8", f"{found.id}.csv"
        )
    return TopicPage(
        url=f"/compare/{found.id}" + (f"?code={chosen}" if chosen else ""),
        title=f"{found.label}: what the codes answer",
        description=f"{found.label} in the laws of whist from 1829 to 1894: {len(shown)} {asked}. {found.note}",
        alternates=(("text/csv", f"/compare/{found.id}.csv"),),
        club=chosen,
        topic=found,
        questions=asked_for,
        columns=columns(shown, catalogue.codes),
        topics=topics(conn),
    )


def columns(shown: Sequence[Question], codes: Mapping[str, CodeRow]) -> list[tuple[CodeRow, ...]]:
    """Return the codes in columns: neighbours with the same answers to all questions share one."""
    said = {code: [(q.answers[code].state, q.answers[code].brief) for q in shown] for code in codes}
    return [tuple(codes[code] for code in run) for _, run in groupby(codes, key=said.__getitem__)]
