"""Answers and cases as CSV: one line for each code, with ids, citations and addresses."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence

from kb.comparison.cases import Case
from kb.questions.questions import Question

ANSWER_COLUMNS = (
    "topic", "question", "label", "verdict", "code", "year", "state", "rule", "summary", "pinpoints", "provisions",
    "deciding_words", "near", "near_why", "reprint_of", "url",
)  # fmt: skip
CASE_COLUMNS = (
    "case", "page", "url", "facts", "decision", "turned_on", "questions", "code", "outcome", "result", "rule",
    "rests_on",
)  # fmt: skip


def as_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV (RFC 4180), under a header line."""
    out = io.StringIO()
    csv.writer(out).writerows([head, *rows])
    return out.getvalue()


def answers_as_csv(questions: Iterable[Question], years: Mapping[str, int], address: Callable[[str], str]) -> str:
    """Return CSV with one line for each question and code; semicolons separate several values in one field.

    Args:
        questions: the questions.
        years: the year of each code, by id, oldest first; other codes are left out.
        address: makes the absolute URL of a path.
    """
    return as_csv(ANSWER_COLUMNS, (
        (
            q.topic, q.id, q.label, q.verdict, code, years[code], a.state, a.rule, a.summary,
            "; ".join(cited.pinpoint for cited in a.cited), "; ".join(cited.id for cited in a.cited),
            "; ".join(words for cited in a.cited for words in cited.words), a.near.id if a.near else "", a.near_why,
            a.reprint_of or "", address(f"/compare/{q.id}"),
        )
        for q in questions
        for code, a in q.answers.items()
        if code in years
    ))  # fmt: skip


def cases_as_csv(cases: Iterable[Case], address: Callable[[str], str]) -> str:
    """Return CSV with one line for each case and code, and one for a case without known outcomes.

    Args:
        cases: the cases.
        address: makes the absolute URL of a path.
    """
    return as_csv(CASE_COLUMNS, (
        (
            c.unit.id, c.unit.folio, address(f"/{c.unit.id}"), c.facts, c.decision, "; ".join(u.id for u in c.on),
            "; ".join(q.id for q in c.questions), *outcome,
        )
        for c in cases
        for outcome in _under_codes(c) or [("",) * 5]
    ))  # fmt: skip


def _under_codes(case: Case) -> list[tuple[str | None, ...]]:
    return [(o.code, o.state, o.words, o.rule, "; ".join(o.rests_on)) for o in case.outcomes]
