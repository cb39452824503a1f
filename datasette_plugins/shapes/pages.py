"""The shape of every page's `.json` twin: its keys, what they hold, and the address with what may be asked there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field

from datasette_plugins.shapes.parts import (
    Asked,
    Block,
    BookListed,
    Brief,
    Case,
    Checked,
    CodeListed,
    Facets,
    Full,
    Headed,
    Hit,
    Labelled,
    Listed,
    Named,
    Notes,
    Order,
    OtherCode,
    Page,
    Paragraph,
    Presented,
    QueryListed,
    Question,
    Scanned,
    Shape,
    Share,
    TableListed,
    TopicListed,
    TopicNamed,
    Typed,
    says,
)  # fmt: skip
from datasette_plugins.shapes.reading_room import (
    BorrowedProvisions,
    Borrowings,
    Browse,
    Cases,
    Changes,
    Concordance,
    Read,
    Unresolved,
)
from kb.collation.collate import Chunk
from kb.collation.parallel import CollatedPiece
from kb.comparison.cases import Outcome
from kb.comparison.ruling import AnswerRow, DigestRow, PrecedentRow
from kb.read.cite import Citations
from kb.read.rows import (
    AuditRow,
    BookRow,
    CitationRow,
    CodeRow,
    ConceptRow,
    EditRow,
    NoteRow,
    RelatedRow,
    SuggestionRow,
    TopicRow,
)  # fmt: skip

Counts = Annotated[dict[str, int], says("how many units of each kind")]


class Home(Page):
    """The front page."""

    codes: tuple[CodeListed, ...] = says("every code with its number of provisions (laws) and address")
    books: tuple[BookListed, ...] = says("every book and its address")
    topics: tuple[TopicRow, ...] = says("the topics")
    concepts: tuple[ConceptRow, ...] = says("the concepts")


class Code(Page):
    """The contents of a code."""

    code: CodeRow = says("the code")
    counts: Counts
    lacks: dict[str, str] = says(
        "kinds of provisions that the code has and its book does not print, and how that is known"
    )
    units: tuple[Headed, ...] = says("its units in order, without text")


class Book(Page):
    """The contents of a book."""

    book: BookRow = says("the book")
    codes: tuple[str, ...] = says("ids of the codes printed in it")
    counts: Counts
    units: tuple[Listed, ...] = says("units outside its codes, without text")
    audit: tuple[AuditRow, ...] = says("the numbering audit")


class Unit(Page):
    """A unit: its text and what hangs on it."""

    unit: Full = says("the unit; scan is its start and end in the OCR text, in characters")
    paragraphs: tuple[Paragraph, ...] = says("the reading text by paragraph")
    editor_notes: tuple[NoteRow, ...] = says("what the editor tells the reader of places in it")
    children: tuple[Brief, ...] = says("units that belong to it")
    previous: str | None = says("id of the unit before, or null")
    next: str | None = says("id of the unit after, or null")
    cites: tuple[CitationRow, ...] = says("references in the text, with their place in the OCR text")
    cited_by: tuple[CitationRow, ...] = says("references to it, likewise")
    commentary: tuple[Listed, ...] = says("units that explain it")
    explains: tuple[str, ...] = says("ids of the provisions it explains")
    related: tuple[RelatedRow, ...] = says("provisions of other codes; here tells which paragraph of it is meant")
    gloss: str | None = says("the editor's present-day English; null if there is none")
    answers: tuple[AnswerRow, ...] = says("questions it answers for its code")
    precedents: tuple[PrecedentRow, ...] = says("cases that turned on it, with the provisions they turned on")
    digest: DigestRow | None = says("of a case; else null")
    applies: tuple[str, ...] = says("of a case: the provisions on which it turned")
    questions: tuple[str, ...] = says("of a case: ids of the questions on which it turned")
    outcomes: tuple[Outcome, ...] = says("of a case: how each code would decide it, by the editor's reading")
    concepts: tuple[Named, ...] = says("concepts it speaks of")
    corrections: dict[str, int] = says("how many edits of each kind")
    citations: Citations = says("how to cite it")


class Evidence(Page):
    """A unit's OCR text and every edit in it."""

    unit: Brief = says("the unit")
    scan: str = says("the OCR text of the unit, unchanged")
    raw_start: int = says("its first character, as an offset into the OCR text")
    raw_end: int = says("offset just after its last character")
    further: tuple[tuple[int, int], ...] = says("stretches that stand elsewhere in the OCR text: pairs of offsets")
    edits: tuple[EditRow, ...] = says("what was changed, where, and why")
    suggestions: tuple[SuggestionRow, ...] = says("doubts that were not made edits")


class Search(Page):
    """What a search finds."""

    query: str = says("the words searched")
    mode: str = says("all, some, browse, named (a citation, no search) or none")
    total: int = says("how many units were found")
    page: int = says("number of this page of results")
    pages: int = says("how many pages there are")
    answers: tuple[Brief, ...] = says("the provisions a typed citation means")
    hits: tuple[Hit, ...] = says("what was found, best first; score: more is better; twin: the same text, just before")
    facets: Facets = says("by what the search can be narrowed")
    concepts: tuple[Named, ...] = says("concepts the words name")
    joined: int = says("how many of the total have not all the words in their text, but other words or a heading")
    corrected: str | None = says("the query with misspelt words put right, which was searched, or null")
    literal: str | None = says("the query that is searched as it stands, if it was understood otherwise, or null")
    suggestion: str | None = says("the query with words respelled that these books do not have, or null")
    notes: tuple[str, ...] = says("what was left out of the query, and what of it was understood as a year or a work")


class Dispute(Page):
    """What each code says on a dispute."""

    query: str = says("what happened, as it was read")
    code: str | None = says("id of the code chosen (?code=ID), or null for all")
    notes: Notes
    respelt: dict[str, str] = says("words that no book has, each with the one for which it was read")
    issues: tuple[Presented, ...] = says("what is asked, one by one, with what each code says (of many, the likest)")
    topics: tuple[TopicNamed, ...] = says("topics on what the dispute speaks of")
    questions: tuple[Asked, ...] = says("the nearest questions of topics")
    cases: tuple[Case, ...] = says("the likest cases")


class Ruling(Page):
    """A dispute settled by one provision."""

    facts: str = says("what happened, as it was read")
    notes: Notes
    unit: Brief = says("the provision")
    pinpoint: str = says("id of the paragraph to cite, or of the provision")
    citation: str = says("the citation in full")
    gloss: str | None = says("the editor's present-day English, or null")
    opening: str | None = says("what it says before its paragraphs, if only some are given; else null")
    text: tuple[Block, ...] = says("what it rests on, in pieces")
    question: str | None = says("id of the question nearest to the facts that it answers, or null")
    answer: str | None = says("the answer, or null")
    value: dict[str, Any] | None = says("the answer in terms of the vocabulary, or null")
    orders: tuple[Order, ...] = says("the same in words")
    answers: tuple[AnswerRow, ...] = says("what else it answers for its code, the nearest to the facts first")
    precedents: tuple[PrecedentRow, ...] = says("cases that turned on it, the likest first")
    others: tuple[OtherCode, ...] = says("the other codes; like is a code that says the same")
    verdict: str | None = says("in a line what changed between the codes, or null")
    permalink: str = says("the address of this ruling")


class Topic(Page):
    """What the codes answer to the questions of a topic."""

    topic: TopicRow = says("the topic")
    build: str | None = says("the build it is taken from, or null")
    notes: tuple[str, ...] = says("what of the address was left out, and whether the library has been rebuilt since")
    codes: tuple[str, ...] = says("ids of the codes chosen (?codes=ID,ID), in their order")
    columns: tuple[tuple[str, ...], ...] = says("the codes by column: those nearly word for word alike share one")
    differ: bool = says("whether questions on which they agree are left out (?differ=1)")
    asked: int = says("how many questions it asks of these codes")
    left: int = says("how many of them are shown, on this page and others")
    page: int = says("number of this page of questions")
    pages: int = says("how many there are")
    every: int = says("how many codes the library has")
    questions: tuple[Question, ...] = says("the questions with their answers by code")


class Chief(Brief):
    """A provision on a concept, with its links."""

    chief: bool
    times: int
    links: tuple[RelatedRow, ...]


class ConceptColumn(Shape):
    """Codes that agree, and their provisions on a concept."""

    codes: tuple[str, ...]
    provisions: tuple[Chief, ...]


Cells = tuple[tuple[str, ...], ...]


class Treated(Page):
    """A concept, or a topic without questions, through the codes."""

    topic: TopicRow = says("the concept, or a topic without questions")
    build: str | None = says("the build it is taken from, or null")
    notes: tuple[str, ...] = says("that nothing was judged, if so")
    codes: tuple[str, ...] = says("ids of the codes looked at (?codes=ID,ID)")
    every: int = says("how many codes the library has")
    columns: tuple[ConceptColumn, ...] = says("codes (several if they agree) and their provisions, with links")
    rows: tuple[Cells, ...] = says("the chief provisions side by side: for each row, for each column, ids")
    alone: Cells = says("the chief provisions that are linked to none of the others: for each column, ids")
    silent: tuple[str, ...] = says("ids of the codes that say nothing on it")


class Collated(Page):
    """Provisions in parallel columns."""

    notes: Notes
    units: tuple[Brief, ...] = says("the provisions")
    asked: tuple[Typed, ...] = says("what else was typed, and what it may mean (status 404 if it means nothing)")
    shares: tuple[Share, ...] = says("share of common words with the first, 0 to 1")
    bands: tuple[tuple[tuple[CollatedPiece, ...], ...], ...] = says(
        "what stands side by side: for each provision its pieces"
    )


class Sides(Shape):
    """Two texts in parts."""

    a: tuple[Chunk, ...]
    b: tuple[Chunk, ...]


class Compared(Page):
    """Two provisions word by word."""

    notes: Notes
    a: Brief = says("one provision")
    b: Brief = says("the other")
    similarity: Share = says("share of common words, 0 to 1")
    parts: Sides = says("each text in parts: mark (same or only) and text")
    link: RelatedRow | None = says("what is recorded between them, or null")


class Start(Page):
    """Where a comparison begins."""

    topics: tuple[TopicListed, ...] = says("the topics, with how many questions each has")
    twins: tuple[tuple[str, str], ...] = says("codes that print the same provisions: see /compare/CODE/CODE.json")
    pairs: tuple[tuple[str, str], ...] = says("pairs of codes listed: all of a few codes, of more the twins")
    candidates: dict[str, tuple[str, ...]] = says("what a and b may mean")
    nearest: dict[str, tuple[str, ...]] = says("ids like those that do not exist (the status is 404 then)")
    notes: Notes


class Cite(Page):
    """What a citation may mean."""

    candidates: tuple[Brief, ...] = says("what it may mean; where it means one, this leads to /ID.json (302)")
    nearest: tuple[str, ...] = says("ids like it, if it means none (the status is 404 then)")
    notes: Notes


class Verified(Page):
    """Whether the citations in a text still hold."""

    citations: tuple[Checked, ...] = says(
        "each citation: status is unchanged, corrected, moved, differs, elsewhere, not there, ambiguous or not found"
    )
    marked: str = says(
        "the text with what is wrong in its citations as tracked changes, in CriticMarkup; empty if nothing is"
    )
    notes: tuple[str, ...] = says("what was left out")


class Concepts(Page):
    """The thesaurus."""

    concepts: tuple[ConceptRow, ...] = says("the concepts, with how many units speak of each")


class Concept(Page):
    """A concept."""

    concept: ConceptRow = says("the concept")
    labels: tuple[Labelled, ...] = says("its terms")
    narrower: tuple[str, ...] = says("ids of narrower concepts")
    total: int = says("how many units speak of it, without their paragraphs")
    page: int = says("number of this page of units")
    pages: int = says("how many there are")
    units: tuple[Listed, ...] = says("units that speak of it, by year, without text")


class About(Page):
    """About the edition."""

    books: tuple[Scanned, ...] = says("scan (checksum, length) and edits by kind and source")
    json_: dict[str, dict[str, str]] = Field(alias="json", description="this list")


class Data(Page):
    """The data as a whole: the file, its tables, and saved queries."""

    file: str = says("address of the SQLite file")
    bytes: int = says("its size")
    tables: tuple[TableListed, ...] = says("its tables and views")
    queries: tuple[QueryListed, ...] = says("saved queries")


@dataclass(frozen=True, slots=True)
class Twin:
    """A twin: its shape, and what may be asked besides what its address shows."""

    model: type[Page]
    optional: Mapping[str, str] = field(default_factory=dict)


_CODE = {"code": "only this code, by id"}
_CODES = {"codes": "ids with commas between: which codes, in this order"}
TWINS: dict[str, Twin] = {
    "/index.json": Twin(Home),
    "/code/CODE.json": Twin(Code),
    "/code/CODE/read.json": Twin(Read, {"number": "a number: leads to the provision (302)"}),
    "/book/BOOK.json": Twin(Book),
    "/ID.json": Twin(Unit),
    "/ID/evidence.json": Twin(Evidence),
    "/search.json": Twin(Search, {
        "q": "the words, with quotation marks, -word, start*, code:, kind:, book:, year:", "code": "a code, by id",
        "kind": "a kind of unit", "book": "a book, by id", "year": "a year, or two with a hyphen", "page": "from 1",
    }),
    "/dispute.json?q=WORDS": Twin(Dispute, _CODE),
    "/ruling.json?q=WORDS&unit=ID": Twin(Ruling, _CODE),
    "/compare/TOPIC.json": Twin(Topic, _CODES | {
        "differ": "1: only where they differ", "page": "of questions, from 1",
        "build": "a build by name: whether it is still the one served is told in notes",
    }),
    "/compare/CONCEPT.json": Twin(Treated, _CODES),
    "/compare/CODE/CODE.json": Twin(Changes, {"page": "of the provisions of the older code, from 1"}),
    "/collate.json?u=ID&u=ID": Twin(Collated),
    "/compare.json?a=ID&b=ID": Twin(Compared),
    "/compare.json": Twin(Start),
    "/cite.json?q=CITATION": Twin(Cite),
    "/cite/verify.json?text=TEXT": Twin(Verified),
    "/concordance.json": Twin(Concordance, _CODES | {
        "by": "the code that gives the order, by id", "against": "only this other code, by id",
        "page": "of provisions, from 1",
    }),
    "/borrowings.json": Twin(Borrowings, {"page": "of families, from 1"}),
    "/borrowings/CODE.json": Twin(Borrowings, {"page": "of families, from 1"}),
    "/borrowings/CODE/SOURCE.json": Twin(BorrowedProvisions),
    "/cases.json": Twin(Cases, _CODE | {"law": "only cases that turned on this provision, by id or citation"}),
    "/references/unresolved.json": Twin(Unresolved, {"book": "only this book, by id"}),
    "/browse.json": Twin(Browse),
    "/concepts.json": Twin(Concepts),
    "/concept/CONCEPT.json": Twin(Concept, {"page": "of units, from 1"}),
    "/about.json": Twin(About),
    "/data.json": Twin(Data),
}  # fmt: skip
