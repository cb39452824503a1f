"""A question: what each code answers, how the rule changed, on what it depends, and the cases that turned on it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import ClassVar

from datasette_plugins.arguments import chosen_code, only
from datasette_plugins.catalogue import works
from datasette_plugins.missing import missing
from datasette_plugins.site import Document, Missing, PageRequest, SitePage
from kb.cite import formats, writing
from kb.comparison.cases import Case, by_question
from kb.comparison.marking import TextPiece, openings, with_marks
from kb.comparison.tabular import as_csv
from kb.questions.questions import Answer, Question, questions
from kb.read import queries
from kb.read.rows import UnitRow


@dataclass(frozen=True)
class Law:
    """A provision that an answer rests on, its deciding words marked; `opening` is what its law says before it."""

    unit: UnitRow
    opening: str
    paragraphs: tuple[tuple[TextPiece, ...], ...]
    citation: str


ANSWER_COLUMNS = (
    "topic", "question", "label", "verdict", "code", "year", "state", "rule", "summary", "pinpoints", "provisions",
    "citations", "pages", "urls", "deciding_words", "near", "near_why", "reprint_of", "url",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class QuestionPage(SitePage):
    """A question with its answers."""

    template: ClassVar[str] = "question"
    internal: ClassVar[frozenset[str]] = frozenset({"laws", "cases", "others", "parents"})
    question: Question
    course: str
    turned: Sequence[str]
    laws: Mapping[str, Sequence[Law]]
    cases: Sequence[Case]
    others: Mapping[str, Question]
    parents: Mapping[str, UnitRow]


def question(conn: sqlite3.Connection, request: PageRequest) -> QuestionPage | Document | Missing:
    """A question; as `.csv`, a line for each code. As data, `code` leaves the answers of the others out."""
    only(request, "code")
    question_id = f"{request.parts['topic']}/{request.parts['question']}"
    known = questions(conn)
    found = known.get(question_id)
    if found is None:
        return missing(request, "question", question_id)
    catalogue = works(conn)
    years = {code.id: code.year for code in catalogue.codes.values()}
    chosen = chosen_code(request, catalogue)
    if request.parts.get("format") == "csv":
        return answers_as_csv(conn, request, [within(found, chosen)])
    cases = by_question(conn).get(question_id, ())
    laws = {code: laws_of(conn, answer) for code, answer in found.answers.items()}
    return QuestionPage(
        url=f"/compare/{question_id}" + (f"?code={chosen}" if chosen else ""),
        title=found.label,
        description=in_a_sentence(found, years),
        alternates=(("text/csv", f"/compare/{question_id}.csv"),),
        club=chosen,
        question=within(found, chosen) if request.as_data else found,
        course=through_time(found, years),
        turned=[case.unit.id for case in cases],
        laws=laws,
        cases=cases,
        others={i: known[i] for i in (*found.sisters, *(b.other for f in found.facts for b in f.branches))},
        parents=queries.units(conn, {law.unit.parent_id for of in laws.values() for law in of if law.unit.parent_id}),
    )


def answers_as_csv(conn: sqlite3.Connection, request: PageRequest, asked: Iterable[Question]) -> Document:
    """A line for each question and code; `pinpoints`, `citations`, `pages` and `urls` are those of the provisions."""
    years = {code.id: code.year for code in works(conn).codes.values()}
    rows = [
        (
            q.topic, q.id, q.label, q.verdict, a.code, years[a.code], a.state, a.rule, a.summary,
            tuple(c.pinpoint for c in a.cited), tuple(c.id for c in a.cited), tuple(c.citation for c in a.cited),
            tuple(c.page or "" for c in a.cited), tuple(request.absolute(f"/{c.id}") for c in a.cited),
            tuple(words for c in a.cited for words in c.words), a.near.id if a.near else "", a.near_why,
            a.reprint_of or "", request.absolute(f"/compare/{q.id}"),
        )
        for q in asked
        for a in q.answers.values()
    ]  # fmt: skip
    name = request.path.removeprefix("/compare/").partition(".")[0].replace("/", "-")
    return Document(as_csv(ANSWER_COLUMNS, rows), "text/csv; charset=utf-8", f"{name}.csv")


def within(question: Question, code: str) -> Question:
    """Return a question with the answer of one code alone; with all its answers if no code is given."""
    answers = {each: answer for each, answer in question.answers.items() if code in (each, "")}
    return replace(question, answers=answers)


def laws_of(conn: sqlite3.Connection, answer: Answer) -> tuple[Law, ...]:
    """Return the provisions that an answer rests on; of a law that is cited as a whole, not its paragraphs again."""
    units = queries.units(conn, (cited.id for cited in answer.cited))
    parts = [unit.parent_id for unit in units.values() if unit.kind == "subclause" and unit.parent_id]
    before = openings(conn, queries.units(conn, parts).values())
    found = []
    for cited in answer.cited:
        unit = units[cited.id]
        if unit.parent_id in units:
            continue
        words = [w for c in answer.cited if c.id == unit.id or c.id.startswith(f"{unit.id}/") for w in c.words]
        opening = before.get(unit.parent_id or "", "") if unit.kind == "subclause" else ""
        found.append(Law(unit, opening, with_marks(unit, words), formats.plain(writing.cited(conn, unit))))
    return tuple(found)


def in_a_sentence(question: Question, years: Mapping[str, int]) -> str:
    """Return what the codes answer, in a line for a search engine, the newest code first."""
    said = [
        f"{years[code]}: {answer.summary}" for code, answer in reversed([*question.answers.items()]) if answer.cited
    ]
    return " ".join(said) or f"{question.label} None of the codes has a rule."


def through_time(question: Question, years: Mapping[str, int]) -> str:
    """Return how the rule changed from code to code, in plain sentences."""
    answered = [(years[code], answer) for code, answer in question.answers.items() if answer.state == "answered"]
    silent, unprinted = (
        [years[code] for code, answer in question.answers.items() if answer.state == state]
        for state in ("silent", "not printed")
    )
    runs = [[*run] for _, run in groupby(answered, key=lambda each: each[1].brief)]
    if len(runs) == 1 and len(answered) == len(question.answers):
        return f"The same in all codes: {runs[0][0][1].brief}."
    sentences = [
        f"{_when([year for year, _ in run], runs[-1] is run, silent + unprinted)}: {run[0][1].brief}." for run in runs
    ]
    if silent:
        sentences.append(f"No rule in {_listed(silent)}.")
    if unprinted:
        sentences.append(f"Our book does not print that of {_listed(unprinted)}.")
    return " ".join(sentences)


def _when(years: Sequence[int], last: bool, others: Sequence[int]) -> str:
    if last and len(years) > 1 and not any(year > years[0] for year in others):
        return f"From {years[0]}"
    return f"In {_listed(years)}"


def _listed(years: Sequence[int]) -> str:
    names = [str(year) for year in years]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
