"""The ruling on a dispute by one provision, to be read out at the table or printed on a sheet."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

import segno
from markupsafe import Markup

from datasette_plugins.arguments import club
from datasette_plugins.catalogue import works
from datasette_plugins.endpoint import Answer, Document, Moved, PageRequest
from datasette_plugins.missing import missing
from datasette_plugins.page import As, Brief, Id, MaybeId, Notes, Page, Shape, Shown, Tupled, says
from datasette_plugins.views.dispute import MOST_LETTERS
from kb.comparison.answers import Question, State
from kb.comparison.ruling import AnswerRow, PrecedentRow
from kb.dispute import ruling as rulings
from kb.dispute.index import index_of
from kb.dispute.opinion import Holding, QuotedBlock
from kb.read import cite, queries
from kb.read.domain import domain
from kb.read.rows import UnitRow
from kb.read.written import LONGEST, resolve

# The most that fit on a sheet; the others are on the page of the provision.
CASES, ANSWERS = 4, 4
# Characters of a URL whose QR code has squares of half a millimetre on paper; not every phone can read finer ones.
MOST_OF_QR = 600


class Deciding(Shape):
    """A span of text, and whether its words decide."""

    text: str
    deciding: bool


class Block(Shape):
    """A numbered paragraph on which a ruling rests, in pieces."""

    number: str
    paragraphs: tuple[tuple[Deciding, ...], ...]


class Order(Tupled):
    """One item of a typed answer, in words."""

    head: str
    words: str


class Pinpoint(Tupled):
    """A provision an answer rests on, and how it is cited within its code."""

    id: str
    pinpoint: str


class OtherCode(Shape):
    """What another code answers; `like` is a code that says the same."""

    code: Id
    state: State
    summary: str
    cites: tuple[Pinpoint, ...]
    like: MaybeId


class Ruling(Page, template="ruling", at=["/ruling.json?q=WORDS&unit=ID"], asks={"code": "only this code, by id"}):
    """A dispute settled by one provision."""

    facts: str = says("what happened, as it was read")
    notes: Notes
    unit: Annotated[UnitRow, As(Brief)] = says("the provision")
    pinpoint: Annotated[UnitRow, As(Id)] = says("id of the paragraph to cite, or of the provision")
    citation: str = says("the citation in full")
    gloss: str | None = says("the editor's present-day English, or null")
    opening: str | None = says("what it says before its paragraphs, if only some are given; else null")
    text: Annotated[Sequence[QuotedBlock], As(tuple[Block, ...])] = says("what it rests on, in pieces")
    question: Annotated[Question | None, As(MaybeId)] = says(
        "id of the question nearest to the facts that it answers, or null"
    )
    answer: str | None = says("the answer, or null")
    value: Mapping[str, Any] | None = says("the answer in terms of the vocabulary, or null")
    orders: Annotated[Sequence[tuple[str, str]], As(tuple[Order, ...])] = says("the same in words")
    answers: Sequence[AnswerRow] = says("what else it answers for its code, the nearest to the facts first")
    precedents: Sequence[PrecedentRow] = says("cases that turned on it, the likest first")
    others: Annotated[Sequence[rulings.Other], As(tuple[OtherCode, ...])] = says(
        "the other codes; like is a code that says the same"
    )
    verdict: str | None = says("in a line what changed between the codes, or null")
    permalink: str = says("the address of this ruling")
    case_units: Shown[Mapping[str, UnitRow]]
    held: Shown[Holding]
    most_answers: Shown[int]
    most_cases: Shown[int] = CASES
    back: Shown[str]
    markdown: Shown[str]
    qr: Shown[Markup]


def ruling(conn: sqlite3.Connection, request: PageRequest) -> Answer:
    """How the provision `unit`, given as an id or a citation, decides a dispute `q`; as `.md`, a document to save.

    If `unit` names no provision of a code, the status is 404.
    """
    wanted = request.get("unit")
    if not wanted and "format" not in request.parts:
        return Moved("/dispute")
    unit = _unit(conn, wanted) if len(wanted) <= LONGEST else None
    facts = request.get("q")[:MOST_LETTERS].strip()
    index, fact = index_of(conn), request.get("fact")
    fact = fact if fact in index.facets else ""
    result = rulings.rule(conn, index, facts, unit, fact) if unit else None
    if result is None:
        return missing(conn, replace(request, path="/ruling"), "provision", wanted[:LONGEST])
    catalogue = works(conn)
    chosen, notes = club(request, catalogue)
    held = result.holding
    shown = unit if unit and unit.id != held.unit.id and held.answer is None else held.pinpoint
    citation = cite.plain(cite.cited(conn, shown))
    canonical = replace(
        request,
        args={
            k: [v] for k, v in (("q", facts), ("unit", unit.id if unit else ""), ("code", chosen), ("fact", fact)) if v
        },
    )
    if "format" in request.parts:
        text = rulings.as_markdown(result, catalogue.name(held.unit), citation, request.absolute, domain(conn))
        return Document(text, "text/markdown; charset=utf-8", f"ruling-{held.unit.id.replace('/', '-')}.md")
    permalink = request.absolute("/ruling" + canonical.query())
    return Ruling(
        url="/ruling" + canonical.query(),
        title=f"{catalogue.full(shown)}: the ruling",
        club=chosen,
        facts=facts,
        notes=notes,
        unit=held.unit,
        pinpoint=shown,
        citation=citation,
        gloss=held.gloss,
        opening=held.opening or None,
        text=held.blocks,
        question=held.question,
        answer=held.answer.summary if held.answer else None,
        value=held.answer.value if held.answer else None,
        orders=result.orders,
        answers=result.answers,
        precedents=result.precedents,
        others=result.others,
        verdict=result.verdict or None,
        permalink=permalink,
        case_units=result.cases,
        held=held,
        most_answers=ANSWERS if held.answer else len(result.answers),
        back="/dispute" + canonical.query(unit=None),
        markdown="/ruling.md" + canonical.query(),
        qr=qr_code(permalink),
    )


def qr_code(address: str) -> Markup:
    """A URL as a QR code, an inline SVG; empty if its squares would be too fine to be read from paper."""
    if len(address) > MOST_OF_QR:
        return Markup("")
    code = segno.make(address, micro=False, error="m")
    return Markup(code.svg_inline(svgclass="qr", lineclass=None, omitsize=True, title="The address of this ruling"))


def _unit(conn: sqlite3.Connection, wanted: str) -> UnitRow | None:
    """The unit that an id, an id of earlier releases or a citation means, if it means exactly one."""
    now = queries.moved(conn, wanted.lower().strip("/"))
    found = resolve(conn, now or wanted).units
    return found[0] if len(found) == 1 else None
