"""A dispute: what each code says on what happened, and the ruling by one provision, to be read out or printed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from datasette_plugins.arguments import MOST_NOTES, club, ignored, shortened
from datasette_plugins.catalogue import parents_of, works
from datasette_plugins.endpoint import Answer, Document, PageRequest, PermanentRedirect
from datasette_plugins.missing import missing_provision
from datasette_plugins.page import (
    Brief,
    CaseListed,
    Id,
    JsonAs,
    MaybeId,
    Named,
    Notes,
    Page,
    Shape,
    Shown,
    described,
)
from datasette_plugins.views.topic import Pinpoint
from kb.comparison.answers import Question, State
from kb.comparison.ruling import AnswerRow, PrecedentRow
from kb.dispute import ruling as rulings
from kb.dispute.index import index_of
from kb.dispute.opinion import QuotedBlock
from kb.dispute.serialisation import as_data, fact_as_data, ruling_address
from kb.dispute.settlement import Settlement, settle
from kb.read import cite
from kb.read.domain import domain
from kb.read.rows import UnitRow
from kb.read.written import LONGEST, resolve

# In characters. A player types a few lines; a longer text is not a question, and does not fit into a URL.
MOST_LETTERS = 2000


class Finding(Shape):
    """A provision that may decide a dispute; `why` has the kinds of evidence with their shares."""

    id: str
    url: str
    title: str
    score: float
    why: tuple[tuple[str, float], ...]
    question: str | None
    answer: str | None
    pinpoint: str
    deciding: tuple[str, ...]
    gloss: str | None
    ruling: str


class Elsewhere(Shape):
    """A text of a code that is not a provision (an introduction, a definition), and the question that it answers."""

    id: str
    url: str
    title: str
    question: str
    answer: str


class Opinion(Shape):
    """What a code says on a dispute; citation and reasons are those of its first finding.

    `silent_on` is the question that seems to be asked, if the editor found no answer to it in the code. If no provision
    answers it but other texts do, `elsewhere` and `citation` have these.
    """

    code: str
    decided: bool
    citation: str | None
    reasons: tuple[str, ...]
    silent_on: str | None
    elsewhere: tuple[Elsewhere, ...]
    findings: tuple[Finding, ...]


class BranchAnswer(Shape):
    """What a code answers to the question of a branch; a code without provisions is silent."""

    summary: str
    cites: tuple[str, ...]


class Branch(Shape):
    """An answer to an open fact (`fact` in the URL), the id of the question that it selects, and what the codes say.

    `result` is what follows from it; null if the codes' answers say so.
    """

    words: str
    question: str
    fact: str
    result: str | None
    chosen: bool
    codes: dict[str, BranchAnswer]


class Depends(Shape):
    """A fact that was not stated and decides which question is asked, with its possible answers."""

    fact: str
    answers: tuple[Branch, ...]


class Presented(Shape):
    """One issue of a dispute: what is asked (null if nothing else is), the same with its facts, and the answers.

    It is faint if little in the codes is similar, so that the findings may be beside the point; unruled if it is
    clearly something on which no code rules. `which` has the questions that may be meant, if that is not clear.
    """

    asked: str | None
    put: str
    faint: bool
    unruled: bool
    which: Depends | None
    depends: Depends | None
    opinions: tuple[Opinion, ...]


class Asked(Named):
    """A question of a topic that is similar to the dispute."""

    verdict: str | None
    url: str


class TopicNamed(Named):
    """A topic, and the URL of the page that compares the codes on it."""

    url: str


class Dispute(Page, template="dispute", at=["/dispute.json?q=WORDS"], asks={"code": "only this code, by id"}):
    """What each code says on a dispute."""

    query: str = described("what happened, as understood")
    code: str | None = described("id of the chosen code (?code=ID), or null for all")
    notes: Notes
    respelt: dict[str, str] = described("words that are not in the books, each with the word it was read as")
    issues: Annotated[Any, JsonAs(tuple[Presented, ...])] = described(
        "the questions that the dispute asks, with the answer of each code"
    )
    topics: Annotated[Any, JsonAs(tuple[TopicNamed, ...])] = described("topics of the dispute")
    questions: Annotated[Any, JsonAs(tuple[Asked, ...])] = described("the most similar questions")
    cases: Annotated[Any, JsonAs(tuple[CaseListed, ...])] = described("the most similar cases")
    settled: Shown[Settlement]
    parents: Shown[Mapping[str, UnitRow]]
    examples: Shown[Sequence[tuple[str, str]]]
    ruling_address: Shown[Callable[..., str]] = ruling_address
    with_fact: Shown[Callable[[str, str], str]]


def dispute(conn: sqlite3.Connection, request: PageRequest) -> Dispute:
    """Find what decides a dispute `q`, in the code `code` or in all of them; without a dispute, show the form.

    `fact`, which may be repeated, is the name of an answer that the reader chose to a follow-up question.
    """
    about = domain(conn)
    chosen, notes = club(request, works(conn))
    typed = request.get("q")
    text = typed[:MOST_LETTERS].strip()
    if len(typed) > MOST_LETTERS:
        notes.append(f"Only the first {MOST_LETTERS:,} characters were used; please shorten your text.")
    codes = [chosen] if chosen else []
    facts = request.all("fact")
    settled = settle(conn, text, codes, facts=facts) if text else Settlement({}, (), (), (), (), tuple(facts))
    said = {answer.fact: answer.name for answer in settled.chosen}
    notes += [ignored(name) for name in settled.ignored[:MOST_NOTES]]
    notes += [f"“{word}” was read as “{other}”." for word, other in settled.respelt.items()]

    def address(text: str, facts: Mapping[str, str]) -> str:
        names = [name for name in facts.values() if name]
        return "/dispute" + replace(request, args={}).query(q=text, code=chosen, fact=names)

    return Dispute(
        url=address(text, said),
        title=f"Dispute: {shortened(text)}" if text else "Settle a dispute",
        description=f"{about.dispute.label}, and get the {about.provision.singular} that decides it.",
        club=chosen,
        query=text,
        code=chosen or None,
        notes=notes,
        settled=settled,
        parents=parents_of(conn, (h.unit for issue in settled.heard for o in issue.opinions for h in o.elsewhere)),
        examples=[(example, address(example, {})) for example in about.examples.dispute],
        with_fact=lambda fact, name: address(text, said | {fact: name}),
        **as_data(settled, request.absolute),
    )


class Deciding(Shape):
    """A span of text, and whether its words decide."""

    text: str
    deciding: bool


class Block(Shape):
    """A numbered paragraph on which a ruling rests, in pieces."""

    number: str
    paragraphs: tuple[tuple[Deciding, ...], ...]


class OtherCode(Shape):
    """What another code answers; `like` is a code that says the same."""

    code: Id
    state: State
    summary: str
    cites: tuple[Pinpoint, ...]
    like: MaybeId


class Ruling(Page, template="ruling", at=["/ruling.json?q=WORDS&unit=ID"], asks={"code": "only this code, by id"}):
    """A dispute settled by one provision."""

    facts: str = described("what happened, as understood")
    depends: Annotated[Any, JsonAs(tuple[Depends, ...])] = described(
        "facts on which it depends, those that the reader gave (fact=NAME) first"
    )
    notes: Notes
    unit: Annotated[UnitRow, JsonAs(Brief)] = described("the provision that decides")
    pinpoint: Annotated[UnitRow, JsonAs(Id)] = described("id of the unit to cite: a paragraph or the provision")
    citation: str = described("the full citation")
    gloss: str | None = described("the editor's paraphrase in modern English, or null")
    opening: str | None = described(
        "the words before its paragraphs, if only some paragraphs are given; otherwise null"
    )
    text: Annotated[Sequence[QuotedBlock], JsonAs(tuple[Block, ...])] = described(
        "the text on which the ruling rests, in pieces"
    )
    question: Annotated[Question | None, JsonAs(MaybeId)] = described(
        "id of the question that it answers, the closest to the facts, or null"
    )
    answer: str | None = described("the answer in words, or null")
    answers: Sequence[AnswerRow] = described("other answers that rest on the provision, the closest to the facts first")
    precedents: Sequence[PrecedentRow] = described("cases that it decides, the most similar first")
    others: Annotated[Sequence[rulings.Other], JsonAs(tuple[OtherCode, ...])] = described(
        "the answers of the other codes; like is a code with the same answer"
    )
    verdict: str | None = described("how the rule changed from code to code, in one line, or null")
    permalink: str = described("permanent address of this ruling")
    result: Shown[rulings.Ruling]
    back: Shown[str]


def ruling(conn: sqlite3.Connection, request: PageRequest) -> Answer:
    """How the provision `unit`, given as an id or a citation, decides a dispute `q`; as `.md`, a document to save.

    If `unit` names no provision of a code, the status is 404.
    """
    wanted = request.get("unit")
    if not wanted and "format" not in request.parts:
        return PermanentRedirect("/dispute")
    unit = _unit(conn, wanted) if len(wanted) <= LONGEST else None
    facts = request.get("q")[:MOST_LETTERS].strip()
    result = rulings.rule(conn, index_of(conn), facts, unit, request.all("fact")) if unit else None
    if result is None:
        return missing_provision(conn, replace(request, path="/ruling"), wanted[:LONGEST])
    catalogue = works(conn)
    chosen, notes = club(request, catalogue)
    given = [name for name in request.all("fact") if name in result.names]
    notes += [ignored(name) for name in request.all("fact")[:MOST_NOTES] if name not in given]
    held = result.holding
    citation = cite.plain(cite.cited(conn, held.pinpoint))
    canonical = replace(
        request,
        args={"q": [facts], "unit": [unit.id if unit else ""], "code": [chosen], "fact": given},
    )
    if "format" in request.parts:
        text = rulings.as_markdown(result, catalogue.name(held.unit), citation, request.absolute, domain(conn))
        return Document(text, "text/markdown; charset=utf-8", f"ruling-{held.unit.id.replace('/', '-')}.md")
    permalink = request.absolute("/ruling" + canonical.query())
    return Ruling(
        url="/ruling" + canonical.query(),
        title=f"{catalogue.full(held.pinpoint)}: the ruling",
        club=chosen,
        facts=facts,
        depends=[fact_as_data(each) for each in result.depends],
        notes=notes,
        unit=held.unit,
        pinpoint=held.pinpoint,
        citation=citation,
        gloss=held.gloss,
        opening=held.opening or None,
        text=held.blocks,
        question=held.question,
        answer=held.answer.summary if held.answer else None,
        answers=result.answers,
        precedents=result.precedents,
        others=result.others,
        verdict=result.verdict or None,
        permalink=permalink,
        result=result,
        back="/dispute" + canonical.query(unit=None),
    )


def _unit(conn: sqlite3.Connection, wanted: str) -> UnitRow | None:
    """The unit that an id or a citation means, if it means exactly one."""
    found = resolve(conn, wanted).units
    return found[0] if len(found) == 1 else None
