"""The answers of a topic as data, as CSV and as Markdown; and the cases as CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from kb.comparison import table as tables
from kb.comparison.answers import SHOWN, Answer, Answers, Question, Stage
from kb.comparison.cases import Case
from kb.read.markdown import escaped
from kb.read.rows import CodeRow

COLUMNS = (
    "topic", "question", "label", "verdict", "agreed", "code", "year", "state", "rule", "summary", "pinpoints",
    "provisions", "deciding_words", "twin",
)  # fmt: skip


CASE_COLUMNS = (
    "case", "page", "url", "facts", "decision", "turned_on", "questions", "code", "outcome", "result", "rule",
    "rests_on",
)  # fmt: skip


def cases_as_csv(cases: Iterable[Case], address: Callable[[str], str]) -> str:
    """Return CSV with one line for each case and code, and one for a case without known outcomes.

    Args:
        cases: the cases.
        address: makes the absolute URL of a path.
    """
    return tables.as_csv(CASE_COLUMNS, (
        (
            c.unit.id, c.unit.folio, address(f"/{c.unit.id}"), c.facts, c.decision, "; ".join(u.id for u in c.on),
            "; ".join(q.id for q in c.questions), *outcome,
        )
        for c in cases
        for outcome in _under_codes(c) or [("",) * 5]
    ))  # fmt: skip


def _under_codes(case: Case) -> list[tuple[str | None, ...]]:
    return [(o.code, o.state, o.words, o.rule, "; ".join(o.rests_on)) for o in case.outcomes]


def as_data(table: Answers) -> list[dict[str, Any]]:
    """Return the questions shown, as data for programs."""
    return [question_as_data(table, q) for q in table.rows]


def question_as_data(table: Answers, question: Question) -> dict[str, Any]:
    """Return a question as data: its answers by code, the verdicts on them and the course of the rule."""
    return {
        "id": question.id,
        "label": question.label,
        "verdict": question.verdict,
        "agreed": table.agreed(question),
        "answers": {code.id: _answer(table, question, code) for code in table.codes},
        "links": table.verdicts_on(question),
        "course": [_stage(stage) for stage in table.course(question)],
    }


def as_csv(table: Answers) -> str:
    """Return CSV with one line for each question and code; semicolons separate several values in one field."""
    return tables.as_csv(COLUMNS, (
        (
            table.topic.id, q.name_in(table.topic.id), q.label, q.verdict, "yes" if table.agreed(q) else "no", code.id,
            code.year, q.state(code.id), a.rule, a.summary, "; ".join(_pinpoints(table, a)), "; ".join(a.cites),
            "; ".join(words for _, words in a.deciding), a.twin or "",
        )
        for q in table.rows
        for code in table.codes
        for a in [q.answers.get(code.id) or Answer(code.id, "", ())]
    ))  # fmt: skip


def as_markdown(table: Answers, address: Callable[[str], str], page: str, build: str) -> str:
    """Return a Markdown table of the answers, and below it the deciding words of each.

    Args:
        address: makes the absolute URL of a path.
        page: the URL of the page this is taken from.
        build: the name of the build; empty if it has none.
    """
    head = ["Question", *(" = ".join(str(code.year) for code in column) for column in table.columns)]
    rows = (
        (
            " ".join(filter(None, (f"**{escaped(q.label)}**", _changed(q)))),
            *(_cell(table, q, column[0], address) for column in table.columns),
        )
        for q in table.rows
    )
    lines = [f"# {escaped(table.topic.label)}", ""]
    lines += [f"{escaped(table.topic.note)}", ""] if table.topic.note else []
    lines += [f"From <{page}>" + (f", build {build}." if build else "."), ""]
    lines += tables.as_markdown(head, rows)
    for q in table.rows:
        lines += ["", f"## {escaped(q.label)}", *(["", _changed(q)] if q.verdict else [])]
        for code in table.codes:
            a = q.answers.get(code.id)
            quoted = "".join(f" “{escaped(words)}”" for _, words in (a.deciding if a else ()))
            lines += ["", f"- **{code.year}**: {_cell(table, q, code, address)}{quoted}"]
    return "\n".join(lines) + "\n"


def as_lines(table: Answers) -> Iterator[str]:
    """Yield the answers as lines for a terminal."""
    yield table.topic.label
    for q in table.rows:
        yield f"\n{q.label}"
        if q.verdict:
            yield f"  {q.verdict}"
        for cell in table.cells(q):
            years = " = ".join(_year(table, code) for code in cell.codes)
            rests = f" [{'; '.join(_pinpoints(table, cell.answer))}]" if cell.state == "answered" else ""
            state = SHOWN.get(cell.state, cell.state)
            words = cell.answer.summary if cell.answer and cell.answer.cites else state
            yield f"  {years}: {words}{rests}"


def _answer(table: Answers, question: Question, code: CodeRow) -> dict[str, Any]:
    a = question.answers.get(code.id)
    if a is None:
        return {"state": question.state(code.id)}
    return {
        "state": question.state(code.id),
        "rule": a.rule or None,
        "summary": a.summary,
        "cites": [{"id": i, "pinpoint": table.pinpoints.get(i, i)} for i in a.cites],
        "deciding": [{"unit": unit, "words": words} for unit, words in a.deciding],
        "twin": a.twin,
    }


def _stage(stage: Stage) -> dict[str, Any]:
    return {
        "codes": [code.id for code in stage.codes],
        "from": stage.codes[0].year,
        "until": stage.until,
        "state": stage.state,
        "against": stage.against.id if stage.against else None,
        "rule": stage.rule,
        "brief": stage.brief,
    }


def _changed(question: Question) -> str:
    return f"*{escaped(question.verdict.replace('->', '→'))}*" if question.verdict else ""


def _cell(table: Answers, question: Question, code: CodeRow, address: Callable[[str], str]) -> str:
    answer = question.answers.get(code.id)
    if answer is None or answer.silent:
        state = question.state(code.id)
        return f"*{SHOWN.get(state, state)}*"
    links = (f"[{escaped(table.pinpoints.get(i, i))}]({address('/' + i)})" for i in answer.cites)
    return f"{escaped(answer.summary)} ({'; '.join(links)})"


def _pinpoints(table: Answers, answer: Answer | None) -> list[str]:
    return [table.pinpoints.get(i, i) for i in answer.cites] if answer else []


def _year(table: Answers, code_id: str) -> str:
    return next(str(code.year) for code in table.codes if code.id == code_id)
