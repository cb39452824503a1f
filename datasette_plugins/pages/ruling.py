"""A ruling: what one code answers to a question, on one sheet to read out, print or send."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlencode

from datasette_plugins.arguments import chosen_code
from datasette_plugins.catalogue import works
from datasette_plugins.missing import missing
from datasette_plugins.pages.question import Law, laws_of
from datasette_plugins.site import Missing, PageRequest, PermanentRedirect, SitePage
from kb.questions.questions import Answer, Question, questions
from kb.read.rows import CodeRow

LONGEST = 2_000  # characters of the facts
UNANSWERED = {"silent": "No rule on this.", "not printed": "Not printed in our book."}


@dataclass(frozen=True, kw_only=True)
class RulingPage(SitePage):
    """A question's answer in one code, with the facts as the reader told them."""

    template: ClassVar[str] = "ruling"
    internal: ClassVar[frozenset[str]] = frozenset({"laws", "question"})
    label: str
    question: Question
    code: CodeRow
    answer: Answer
    facts: str
    laws: Sequence[Law]


def ruling(conn: sqlite3.Connection, request: PageRequest) -> RulingPage | PermanentRedirect | Missing:
    """How a code answers a question, with the facts `q`."""
    question_id = f"{request.parts['topic']}/{request.parts['question']}"
    catalogue = works(conn)
    found, chosen = questions(conn).get(question_id), chosen_code(request, catalogue)
    if found is None:
        return missing(request, "question", question_id)
    if not chosen:
        return PermanentRedirect(f"/compare/{question_id}", "")
    code, answer, facts = catalogue.codes[chosen], found.answers[chosen], request.get("q")[:LONGEST]
    laws = ", ".join(cited.pinpoint for cited in answer.laws)
    return RulingPage(
        url=f"/ruling/{question_id}?" + urlencode({"code": chosen} | ({"q": facts} if facts else {})),
        title=f"{found.label} {catalogue.label(chosen)}",
        description=f"{answer.summary or UNANSWERED[answer.state]} ({catalogue.label(chosen)}{laws and f', {laws}'})",
        club=chosen,
        label=found.label,
        question=found,
        code=code,
        answer=answer,
        facts=facts,
        laws=laws_of(conn, answer),
    )
