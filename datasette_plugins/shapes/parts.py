"""What the JSON twins are made of: units in short, and the entries of their lists.

Rows that are given as they are (`kb.read.rows` and its like) are described by their own dataclasses.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Shape(BaseModel):
    """An object of the JSON: it has these keys, all of them, and no others."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def says(note: str) -> Any:
    """A key with what it holds."""
    return Field(description=note)


Notes = Annotated[tuple[str, ...], says("what of the address was left out or read otherwise than typed")]


class Page(Shape):
    """What every twin has."""

    url: str = says("permanent address of the page")
    title: str = says("title of the page")


Id = Annotated[str, Field(description="id of a unit: code or book, number, and perhaps paragraph")]
Share = Annotated[float, Field(ge=0, le=1)]


class Listed(Shape):
    """A unit in a list, without its text."""

    id: str
    url: str
    kind: str
    title: str
    work: str
    year: int
    page: str | None


class Brief(Listed):
    """A unit in a list, with its text."""

    text: str


class Headed(Listed):
    """A unit of a code, with the heading it stands under."""

    heading: str | None


class Full(Brief):
    """A unit on its own page; `scan` is where it begins and ends, in characters of the scan."""

    label: str
    number: str | None
    heading: str | None
    code: str | None
    book: str
    parent: str | None
    scan: tuple[int, int]
    confidence: Share


class CodeListed(Shape):
    """A code, with how many numbered provisions it has (`laws`)."""

    id: str
    title: str
    short: str
    year: int
    authority: str
    book_id: str
    provision: str
    note: str
    laws: int
    url: str


class BookListed(Shape):
    """A book."""

    id: str
    title: str
    short: str
    author: str
    year: int
    place: str
    publisher: str
    note: str
    url: str


class TopicListed(Shape):
    """A topic, with how many questions it has."""

    id: str
    label: str
    concept_id: str | None
    note: str
    questions: int


class Named(Shape):
    """Something with an id and a name."""

    id: str
    label: str


class TopicNamed(Named):
    """A topic, and where the codes are compared on it."""

    url: str


class Labelled(Shape):
    """A term of a concept."""

    label: str
    role: Literal["preferred", "variant", "historical"]


class Paragraph(Shape):
    """A paragraph of a reading text, with the unit or numbered paragraph it is of."""

    unit: str
    text: str


class Snippet(Shape):
    """A stretch of text that has the words searched, or not."""

    text: str
    hit: bool


class Hit(Brief):
    """A unit that was found; `twin` is the same text just before it."""

    score: float
    paragraphs: tuple[str, ...]
    snippet: tuple[Snippet, ...]
    twin: str | None


class FacetValue(Shape):
    """A value by which a search can be narrowed."""

    value: str
    count: int
    chosen: bool


class Facets(Shape):
    """What narrows a search."""

    code: tuple[FacetValue, ...] = ()
    kind: tuple[FacetValue, ...] = ()
    book: tuple[FacetValue, ...] = ()
    year: tuple[FacetValue, ...] = ()


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


class Opinion(Shape):
    """What a code says on a dispute; citation and reasons are of the first of its findings."""

    code: str
    decided: bool
    citation: str | None
    reasons: tuple[str, ...]
    findings: tuple[Finding, ...]


class BranchAnswer(Shape):
    """What a code answers to the question of a branch; without provisions it is silent."""

    summary: str
    cites: tuple[str, ...]


class Branch(Shape):
    """An answer to the fact, the id of the question that is meant then (`fact` of the address), and what codes say."""

    words: str
    question: str
    chosen: bool
    codes: dict[str, BranchAnswer]


class Depends(Shape):
    """A fact that was not told, on which it depends what is asked."""

    fact: str
    answers: tuple[Branch, ...]


class Presented(Shape):
    """One issue of a dispute: what is asked (null if nothing else is), as it is put with the facts, and the answers.

    It is faint if little in the codes is like it, so that what is found may be beside the point.
    """

    asked: str | None
    put: str
    faint: bool
    depends: Depends | None
    opinions: tuple[Opinion, ...]


class Asked(Shape):
    """A question of a topic that is like what was told."""

    id: str
    label: str
    verdict: str | None
    url: str


class Case(Shape):
    """A case like what was told."""

    id: str
    url: str
    facts: str | None
    decision: str | None


class Deciding(Shape):
    """A stretch of text that decides, or not."""

    text: str
    deciding: bool


class Block(Shape):
    """A numbered paragraph in which a ruling rests, in pieces."""

    number: str
    paragraphs: tuple[tuple[Deciding, ...], ...]


class Order(Shape):
    """A typed value in words."""

    head: str
    words: str


class Pinpoint(Shape):
    """A provision an answer rests on, and how it is cited within its code."""

    id: str
    pinpoint: str


class OtherCode(Shape):
    """What another code answers; `like` is a code that says the same."""

    code: str
    state: Literal["answered", "silent", "not judged"]
    summary: str
    cites: tuple[Pinpoint, ...]
    like: str | None


class Words(Shape):
    """Deciding words of a provision."""

    unit: str
    words: str | None


class Unjudged(Shape):
    """Nobody has looked what the code answers to a question."""

    state: Literal["not judged"]


class CodeAnswer(Shape):
    """What a code answers to a question; `value` is in the terms of the vocabulary."""

    state: Literal["answered", "silent"]
    rule: str | None
    summary: str
    value: dict[str, Any] | None
    cites: tuple[Pinpoint, ...]
    deciding: tuple[Words, ...]
    twin: str | None
    source: str | None


class Verdict(Shape):
    """How two provisions stand to each other."""

    a: str
    b: str
    relation: str
    why: str


class Stage(Shape):
    """A stage of a rule through time."""

    codes: tuple[str, ...]
    from_: int = Field(alias="from")
    until: int | None
    state: str
    against: str | None
    rule: str
    brief: str


class Question(Shape):
    """A question of a topic with all its answers, by code."""

    id: str
    label: str
    verdict: str | None
    agreed: bool
    answers: dict[str, CodeAnswer | Unjudged]
    links: tuple[Verdict, ...]
    course: tuple[Stage, ...]
    cases: tuple[str, ...]


class Typed(Shape):
    """What was typed, and the ids it may mean."""

    typed: str
    candidates: tuple[str, ...]


class Scanned(Shape):
    """The scan of a book (checksum and length) and its edits by kind and source."""

    id: str
    scan: tuple[str, int] | None
    edits: dict[str, int]


class Checked(Shape):
    """A citation of a text and whether it holds; `altered` tells that its words and its hash differ.

    `cited` is the citation as it stands in the text, `at` and `words_at` where it and the words quoted stand, from and
    to, in characters; `meant` are the ids that a citation in words may mean.
    """

    id: str
    words: str
    letters: str
    cited: str
    at: tuple[int, int]
    words_at: tuple[int, int] | None
    meant: tuple[str, ...]
    status: str
    unit: str | None
    now: str
    altered: bool
    citation: str
    nearest: tuple[str, ...]


class TableListed(Shape):
    """A table or view; its rows are at `url`, and at `url` with .json or .csv."""

    name: str
    note: str
    rows: int
    url: str


class QueryListed(Shape):
    """A question ready to be asked; its answer is at `url`, and at `url` with .json or .csv."""

    name: str
    title: str
    note: str
    url: str
