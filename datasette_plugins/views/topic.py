"""A topic: what each code answers to its questions; where none were put, the texts of the codes side by side."""

from __future__ import annotations

import sqlite3
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from datasette_plugins.page import Document, PageRequest, TemplateResponse
from datasette_plugins.rule_line import RuleLine, rule_line
from datasette_plugins.shared import Option, Works, brief, concept_names, missing, named_codes, shortened, works
from kb.comparison import answers, tabular
from kb.comparison.answers import Answers, PairVerdict, Question, Told
from kb.comparison.cases import Case, by_question
from kb.comparison.marking import TextPiece, with_marks
from kb.comparison.table import has_room
from kb.comparison.topics import find_topic
from kb.comparison.topics import topics as all_topics
from kb.comparison.treatment import treatment
from kb.read import queries
from kb.read.rows import TopicRow, UnitRow

FORMATS = (("CSV", "csv"), ("Markdown", "md"))
NOT_JUDGED = ("Nothing was judged: this build has no questions on the topic. The texts stand side by side as the "
              "machine links them.")  # fmt: skip
USUAL_ANSWERS = "those that answer most of its questions"
USUAL_TEXTS = "those that say most on it"
CUT = "Of each code the {} provisions that name it most often are shown."
NO_TABLE = "There is no table of answers here to choose from; all codes are shown."


@dataclass(frozen=True, slots=True)
class CodeChoice:
    """What of the table is to be seen: ids of codes in their order, none for the usual ones; or only questions on
    which they differ."""

    codes: tuple[str, ...]
    differ: bool = False
    notes: tuple[str, ...] = ()

    def query(self, codes: Sequence[str] | None = None, build: str = "", page: int = 1) -> str:
        """The query string of the choice, with other codes if given; ids need no escapes."""
        chosen = tuple(self.codes if codes is None else codes)
        fields = [f"codes={','.join(chosen)}"] if chosen else []
        fields += ["differ=1"] if self.differ and len(chosen) != 1 else []
        fields += [f"page={page}"] if page > 1 else []
        fields += [f"build={build}"] if build else []
        return "?" + "&".join(fields) if fields else ""


@dataclass(frozen=True, slots=True)
class Text:
    """A provision as it stands in a row: `opening` is what its law says first, `like` the same words in other codes."""

    unit: UnitRow
    paragraphs: tuple[tuple[TextPiece, ...], ...]
    opening: str
    like: tuple[UnitRow, ...]


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question of a table with its cells.

    What a cell holds is only made where it is not kept as a page has had it before (`key`).
    """

    table: Answers = field(repr=False)
    question: Question
    cells: tuple[Told, ...]
    cases: tuple[Case, ...] = ()

    @property
    def key(self) -> Hashable:
        """All that its part of a page depends on, within a build."""
        columns = tuple(tuple(code.id for code in column) for column in self.table.columns)
        return self.table.topic.id, self.question.id, columns

    @property
    def name(self) -> str:
        """The fragment of the page at which it stands."""
        return self.question.name_in(self.table.topic.id)

    @property
    def elsewhere(self) -> str:
        """Where it stands on the page of its home; empty if this is its home."""
        return "" if self.question.id.startswith(f"{self.table.topic.id}/") else f"/compare/{self.question.page}"

    @property
    def texts(self) -> Iterator[tuple[Told, tuple[Text, ...]]]:
        """The cells, each with its provisions."""
        for told in self.cells:
            yield told, tuple(_texts_of(self.table, self.question, told))

    @property
    def verdicts(self) -> tuple[PairVerdict, ...]:
        """The verdicts between the provisions of its cells."""
        return self.table.verdicts_on(self.question)

    @property
    def line(self) -> RuleLine | None:
        """The course of the rule through time."""
        return rule_line(self.table.course(self.question))


def topic(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse | Document:
    """How each code treats a topic; any concept will do as one.

    `codes` chooses and orders the codes, `differ` leaves out questions on which they agree, `build` is the build that
    the address was made for. As `.csv` and `.md`, the answers alone.
    """
    name = request.parts["topic"]
    found = find_topic(conn, name)
    if found is None:
        return missing(conn, request, "topic", name, concept_names(conn))
    catalogue = works(conn)
    choice = _choice(request, catalogue)
    form = request.parts.get("format")
    number = None if form else request.number("page", 1, 1, 10_000)
    table = answers.answers(conn, found, choice.codes, differ=choice.differ, page=number)
    if table is None and form:
        counts = answers.question_counts(conn)
        there = {t.id: t.label for t in all_topics(conn) if t.id in counts}
        return missing(conn, request, "table of answers", name, there)
    if table is None:
        return _texts(conn, request, found, choice, catalogue)
    if form == "csv":
        return Document(tabular.as_csv(table), "text/csv; charset=utf-8", f"{found.id}.csv")
    if form == "md":
        page = request.absolute(f"/compare/{found.id}{choice.query()}")
        told = tabular.as_markdown(table, request.absolute, page, request.build)
        return Document(told, "text/markdown; charset=utf-8", f"{found.id}.md")
    return _answers(conn, request, table, choice, catalogue)


def _answers(
    conn: sqlite3.Connection, request: PageRequest, table: Answers, choice: CodeChoice, catalogue: Works
) -> TemplateResponse:
    here = f"/compare/{table.topic.id}"
    shown = [code.id for code in table.codes]
    turned = by_question(conn)
    context = {
        "topic": table.topic,
        "works": catalogue,
        "table": table,
        "rows": [QuestionRow(table, q, table.cells(q), turned.get(q.id, ())) for q in table.rows],
        "unjudged": any(q.state(code.id) == "not judged" for q in table.rows for code in table.codes),
        "choice": choice,
        "options": tuple(_options(choice, shown, catalogue.codes, here)),
        "why": "" if choice.codes else USUAL_ANSWERS,
        "address": lambda number: here + choice.query(page=number),
        "folded": len(shown) < table.every and not has_room(list(catalogue.codes.values())),
        "all_questions": here + replace(choice, differ=False).query(),
        "formats": [(name, f"{here}.{suffix}{choice.query()}") for name, suffix in FORMATS],
        "permalink": request.absolute(here + choice.query(build=request.build, page=table.page.number)),
        "build": request.build,
        "topics": all_topics(conn),
    }

    def data() -> dict[str, Any]:
        return {
            "topic": table.topic,
            "build": request.build or None,
            "notes": choice.notes,
            "codes": [code.id for code in table.codes],
            "columns": [[code.id for code in column] for column in table.columns],
            "differ": choice.differ,
            "asked": table.asked,
            "left": table.page.total,
            "page": table.page.number,
            "pages": table.page.pages,
            "every": table.every,
            "questions": [
                row | {"cases": [case.unit.id for case in turned.get(row["id"], ())]} for row in tabular.as_data(table)
            ],
        }

    return TemplateResponse(
        "topic_answers", _title(table.topic), here, data, context, query=choice.query(page=table.page.number)
    )


def _texts_of(table: Answers, question: Question, told: Told) -> Iterator[Text]:
    """The provisions of a cell."""
    for at, i in enumerate(told.answer.cites if told.answer else ()):
        if told.answer is None or (unit := table.units.get(i)) is None:
            continue
        doubles = (question.answers[code].cites[at:][:1] for code in told.codes[1:])
        like = tuple(table.units[j] for cites in doubles for j in cites if j in table.units)
        opening = table.openings.get(unit.parent_id or "", "") if unit.kind == "subclause" else ""
        yield Text(unit, with_marks(unit, told.answer.deciding_in(unit.id)), opening, like)


def _choice(request: PageRequest, catalogue: Works) -> CodeChoice:
    """What the address asks for; what means nothing is left out and told in notes."""
    codes, notes = named_codes(request, catalogue)
    if codes == tuple(catalogue.codes):
        codes = ()
    differ = request.get("differ")
    if differ not in ("", "0", "1"):
        notes.append(f"“differ={shortened(differ)}” means nothing; differ=1 leaves out rows on which the codes agree.")
    alone = len(codes or catalogue.codes) < 2
    if differ == "1" and alone:
        notes.append("A single code differs from none; all questions are shown.")
    build = request.get("build")
    if build and request.build and build != request.build:
        notes.append(f"The library has been rebuilt since this address was made: it names build {shortened(build)}, "
                     f"this is build {request.build}. Answers and texts may have changed.")  # fmt: skip
    return CodeChoice(codes, differ == "1" and not alone, tuple(notes))


def _options(choice: CodeChoice, shown: Sequence[str], every: Iterable[str], here: str) -> Iterator[Option]:
    for at, code in enumerate(shown):
        order = [code, *(c for c in shown if c != code)]
        yield Option(code, True, here + choice.query(() if order == list(every) else order) if at else "")
    yield from (Option(code, False, "") for code in every if code not in shown)


def _title(found: TopicRow) -> str:
    return f"{found.label[0].upper()}{found.label[1:]} in the codes"


def _texts(
    conn: sqlite3.Connection, request: PageRequest, found: TopicRow, choice: CodeChoice, catalogue: Works
) -> TemplateResponse:
    """The provisions on a topic or concept side by side, as they are linked; nobody has said what they answer."""
    topics = all_topics(conn)
    folded = not has_room(list(catalogue.codes.values()))
    choice = replace(choice, differ=False) if folded else CodeChoice(())
    notes = [NOT_JUDGED] if any(t.id == found.id for t in topics) else []
    notes += [NO_TABLE] if not folded and (request.get("codes") or request.get("differ")) else []
    notes += choice.notes
    treated = treatment(conn, found, choice.codes)
    notes += [CUT.format(treated.most)] if treated.most else []
    units = {p.unit.id: p.unit for column in treated.columns for p in column.provisions}
    units |= queries.units(conn, {link.other for c in treated.columns for p in c.provisions for link in p.links})
    parents = queries.units(conn, {u.parent_id for u in units.values() if u.parent_id})
    here = f"/compare/{found.id}"
    context = {"topic": found, "works": catalogue, "treated": treated, "units": units, "parents": parents,
               "topics": topics, "notes": notes, "folded": folded, "why": "" if choice.codes else USUAL_TEXTS,
               "options": tuple(_options(choice, [c.id for c in treated.codes], catalogue.codes, here)),
               "every": len(catalogue.codes)}  # fmt: skip
    data = {
        "topic": found,
        "build": request.build or None,
        "notes": notes,
        "codes": [c.id for c in treated.codes],
        "every": len(catalogue.codes),
        "columns": [
            {
                "codes": [c.id for c in column.codes],
                "provisions": [
                    brief(p.unit, catalogue, request) | {"chief": p.chief, "times": p.times, "links": p.links}
                    for p in column.provisions
                ],
            }
            for column in treated.columns
        ],
        "rows": [[[p.unit.id for p in cell] for cell in row] for row in treated.rows],
        "alone": [[p.unit.id for p in cell] for cell in treated.alone],
        "silent": [c.id for c in treated.silent],
    }
    return TemplateResponse("topic", _title(found), here, data, context, query=choice.query())
