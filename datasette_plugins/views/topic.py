"""A topic: what each code answers to its questions; if it has no questions, the texts of the codes side by side."""

from __future__ import annotations

import sqlite3
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from datasette_plugins.arguments import BUILD_ASKED, Option, named_codes, rebuilt, shortened
from datasette_plugins.catalogue import Works, parents_of, works
from datasette_plugins.endpoint import Document, PageRequest
from datasette_plugins.missing import Missing, missing
from datasette_plugins.page import Brief, Id, Ids, JsonAs, Page, Shape, Shown, Tupled, described
from kb.comparison import answers, tabular
from kb.comparison.answers import AnswerCell, Answers, PairVerdict, Question
from kb.comparison.cases import Case, by_question
from kb.comparison.marking import TextPiece, with_marks
from kb.comparison.topics import find_topic
from kb.comparison.topics import topics as all_topics
from kb.comparison.treatment import Column, Treatment, treatment
from kb.read import queries
from kb.read.rows import RelatedRow, TopicRow, UnitRow

NOT_JUDGED = ("Nothing was judged: this build has no questions on the topic. The texts stand side by side as the "
              "machine links them.")  # fmt: skip
NO_TABLE = "There is no table of answers here to choose from; all codes are shown."


@dataclass(frozen=True, slots=True)
class CodeChoice:
    """The part of the table to show: ids of codes in order (none for all), or only questions that differ."""

    codes: tuple[str, ...]
    differ: bool = False
    notes: tuple[str, ...] = ()

    def query(self, **changes: Any) -> str:
        """The query string of the choice, with some of its fields changed; ids need no escapes."""
        choice = replace(self, **changes)
        fields = [f"codes={','.join(choice.codes)}"] if choice.codes else []
        fields += ["differ=1"] if choice.differ and len(choice.codes) != 1 else []
        return "?" + "&".join(fields) if fields else ""


@dataclass(frozen=True, slots=True)
class Text:
    """A provision in a cell; `opening` is what its law says before its paragraphs, `like` its twins in other codes."""

    unit: UnitRow
    paragraphs: tuple[tuple[TextPiece, ...], ...]
    opening: str
    like: tuple[UnitRow, ...]


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question of a table with its cells.

    The contents of the cells are computed only when asked for, since the template caches what it renders by `key`.
    """

    table: Answers = field(repr=False)
    question: Question
    cells: tuple[AnswerCell, ...]
    cases: tuple[Case, ...] = ()

    @property
    def key(self) -> Hashable:
        """The cache key: all on which its part of a page depends, within a build."""
        columns = tuple(tuple(code.id for code in column) for column in self.table.columns)
        return self.table.topic.id, self.question.id, columns

    @property
    def texts(self) -> Iterator[tuple[AnswerCell, tuple[Text, ...]]]:
        """The cells, each with its provisions."""
        for cell in self.cells:
            yield cell, tuple(_texts_of(self.table, self.question, cell))

    @property
    def course(self) -> tuple[answers.Stage, ...]:
        """How the rule changed from code to code."""
        return self.table.course(self.question)


class Pinpoint(Tupled):
    """A provision an answer rests on, and how it is cited within its code."""

    id: str
    pinpoint: str


class Words(Shape):
    """Deciding words of a provision."""

    unit: str
    words: str | None


class Unjudged(Shape):
    """Nobody has examined what the code answers to the question."""

    state: Literal["not judged"]


class CodeAnswer(Shape):
    """What a code answers to a question."""

    state: Literal["answered", "silent", "not printed"]
    rule: str | None
    summary: str
    cites: tuple[Pinpoint, ...]
    deciding: tuple[Words, ...]
    twin: str | None


class Stage(Shape):
    """A stage of a rule through time."""

    codes: tuple[str, ...]
    from_: int = Field(alias="from")
    until: int | None
    state: str
    against: str | None
    rule: str
    brief: str


class AnsweredQuestion(Shape):
    """A question of a topic with all its answers, by code."""

    id: str
    label: str
    verdict: str | None
    agreed: bool
    answers: dict[str, CodeAnswer | Unjudged]
    links: tuple[PairVerdict, ...]
    course: tuple[Stage, ...]
    cases: tuple[str, ...]

    @model_validator(mode="before")
    @classmethod
    def _of_a_row(cls, row: QuestionRow) -> dict[str, Any]:
        return tabular.question_as_data(row.table, row.question) | {"cases": [case.unit.id for case in row.cases]}


class Compared(Page):
    """What both kinds of pages have: the topic, and the codes that are compared on it."""

    topic: TopicRow = described("the topic, or a concept that is used as one")
    build: str | None = described("name of the build, or null")
    notes: Sequence[str] = described(
        "parts of the address that were ignored, whether the library has been rebuilt since, and what cannot be shown"
    )
    topics: Shown[Sequence[TopicRow]]


class Topic(
    Compared,
    template="topic_answers",
    at=["/compare/TOPIC.json"],
    asks={
        "codes": "ids with commas between: which codes, in this order",
        "differ": "1: only where they differ",
        "build": BUILD_ASKED,
    },
):
    """What the codes answer to the questions of a topic."""

    codes: Ids = described("ids of the chosen codes (?codes=ID,ID), in order")
    columns: Annotated[Any, JsonAs(tuple[tuple[Id, ...], ...])] = described(
        "ids of the codes in each column; codes with nearly the same text share one"
    )
    differ: bool = described("whether questions on which the codes agree are left out (?differ=1)")
    asked: int = described("number of questions of the topic that concern these codes")
    questions: Annotated[Sequence[QuestionRow], JsonAs(tuple[AnsweredQuestion, ...])] = described(
        "the questions, with their answers by code"
    )
    table: Shown[Answers]
    choice: Shown[CodeChoice]
    options: Shown[Sequence[Option]]
    unjudged: Shown[bool]
    unprinted: Shown[bool]


class Chief(Brief):
    """A provision on a concept, with its links."""

    chief: bool
    times: int
    links: tuple[RelatedRow, ...]


class ConceptColumn(Shape):
    """Codes that agree, and their provisions on a concept."""

    codes: tuple[Id, ...]
    provisions: tuple[Chief, ...]


UnitId = Annotated[str, BeforeValidator(lambda provision: provision.unit.id)]
Cells = tuple[tuple[UnitId, ...], ...]


class Treated(Compared, template="topic", at=["/compare/CONCEPT.json"]):
    """A concept, or a topic without questions, in the texts of the codes."""

    columns: Annotated[Sequence[Column], JsonAs(tuple[ConceptColumn, ...])] = described(
        "the columns: their codes (several if these agree) and provisions, with links"
    )
    rows: Annotated[Any, JsonAs(tuple[Cells, ...])] = described(
        "the main provisions side by side: for each row, the ids in each column"
    )
    alone: Annotated[Any, JsonAs(Cells)] = described(
        "the main provisions without a counterpart: the ids in each column"
    )
    silent: Ids = described("ids of the codes that have no provision on it")
    treated: Shown[Treatment]
    units: Shown[Mapping[str, UnitRow]]


def topic(conn: sqlite3.Connection, request: PageRequest) -> Topic | Treated | Missing | Document:
    """How each code treats a topic; any concept can be used as a topic.

    `codes` chooses and orders the codes, `differ` leaves out questions on which they agree, `build` is the build for
    which the URL was made. As `.csv` and `.md`, only the answers.
    """
    name = request.parts["topic"]
    found = find_topic(conn, name)
    if found is None:
        return missing(request, "topic", name)
    catalogue = works(conn)
    choice = _choice(request, catalogue)
    form = request.parts.get("format")
    table = answers.answers(conn, found, choice.codes, differ=choice.differ)
    if table is None and form:
        return missing(request, "table of answers", name)
    if table is None:
        return _texts(conn, request, found)
    if form == "csv":
        return Document(tabular.as_csv(table), "text/csv; charset=utf-8", f"{found.id}.csv")
    if form == "md":
        page = request.absolute(f"/compare/{found.id}{choice.query()}")
        text = tabular.as_markdown(table, request.absolute, page, request.build)
        return Document(text, "text/markdown; charset=utf-8", f"{found.id}.md")
    return _answers(conn, request, table, choice, catalogue)


def _answers(
    conn: sqlite3.Connection, request: PageRequest, table: Answers, choice: CodeChoice, catalogue: Works
) -> Topic:
    here = f"/compare/{table.topic.id}"
    shown = [code.id for code in table.codes]
    turned = by_question(conn)
    states = {question.state(code) for question in table.rows for code in shown}
    return Topic(
        url=here + choice.query(),
        title=_title(table.topic),
        topic=table.topic,
        build=request.build or None,
        notes=choice.notes,
        codes=table.codes,
        columns=table.columns,
        differ=choice.differ,
        asked=table.asked,
        questions=[QuestionRow(table, q, table.cells(q), turned.get(q.id, ())) for q in table.rows],
        table=table,
        choice=choice,
        unjudged="not judged" in states,
        unprinted="not printed" in states,
        options=tuple(_options(choice, shown, catalogue.codes, here)),
        topics=all_topics(conn),
    )


def _texts_of(table: Answers, question: Question, cell: AnswerCell) -> Iterator[Text]:
    """The provisions of a cell."""
    for at, i in enumerate(cell.answer.cites if cell.answer else ()):
        if cell.answer is None or (unit := table.units.get(i)) is None:
            continue
        doubles = (question.answers[code].cites[at:][:1] for code in cell.codes[1:])
        like = tuple(table.units[j] for cites in doubles for j in cites if j in table.units)
        opening = table.openings.get(unit.parent_id or "", "") if unit.kind == "subclause" else ""
        yield Text(unit, with_marks(unit, cell.answer.deciding_in(unit.id)), opening, like)


def _choice(request: PageRequest, catalogue: Works) -> CodeChoice:
    """Read the choice from the URL; arguments that mean nothing are left out and reported in notes."""
    codes, notes = named_codes(request, catalogue)
    if codes == tuple(catalogue.codes):
        codes = ()
    differ = request.get("differ")
    if differ not in ("", "0", "1"):
        notes.append(f"“differ={shortened(differ)}” means nothing; differ=1 leaves out rows on which the codes agree.")
    alone = len(codes or catalogue.codes) < 2
    if differ == "1" and alone:
        notes.append("A single code differs from none; all questions are shown.")
    return CodeChoice(codes, differ == "1" and not alone, (*notes, *rebuilt(request)))


def _options(choice: CodeChoice, shown: Sequence[str], every: Iterable[str], here: str) -> Iterator[Option]:
    for at, code in enumerate(shown):
        order = (code, *(c for c in shown if c != code))
        yield Option(code, True, here + choice.query(codes=() if order == tuple(every) else order) if at else "")
    yield from (Option(code, False, "") for code in every if code not in shown)


def _title(found: TopicRow) -> str:
    return f"{found.label[0].upper()}{found.label[1:]} in the codes"


def _texts(conn: sqlite3.Connection, request: PageRequest, found: TopicRow) -> Treated:
    """The provisions on a topic or concept side by side, as they are linked; there are no judged answers."""
    topics = all_topics(conn)
    notes = [NOT_JUDGED] if any(t.id == found.id for t in topics) else []
    notes += [NO_TABLE] if request.get("codes") or request.get("differ") else []
    treated = treatment(conn, found)
    units = {p.unit.id: p.unit for column in treated.columns for p in column.provisions}
    units |= queries.units(conn, {link.other for c in treated.columns for p in c.provisions for link in p.links})
    units |= parents_of(conn, units.values())
    return Treated(
        url=f"/compare/{found.id}",
        title=_title(found),
        topic=found,
        build=request.build or None,
        notes=notes,
        columns=treated.columns,
        rows=treated.rows,
        alone=treated.alone,
        silent=treated.silent,
        treated=treated,
        units=units,
        topics=topics,
    )
