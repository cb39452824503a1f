"""The page of one unit, at its id and other forms of its URL: its text, all that is linked to it, how to cite it."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Annotated

from pydantic import Field

from datasette_plugins import metadata
from datasette_plugins.arguments import chosen_code
from datasette_plugins.catalogue import Works, works
from datasette_plugins.endpoint import Answer, Document, PageRequest, PermanentRedirect
from datasette_plugins.missing import Missing, missing_provision
from datasette_plugins.page import (
    Brief,
    Briefs,
    Ids,
    JsonAs,
    Listed,
    MaybeId,
    Named,
    Page,
    Shape,
    Share,
    Shown,
    described,
)
from datasette_plugins.views import evidence
from kb.cite import formats, writing
from kb.cite.formats import Citations
from kb.cite.writing import Cited
from kb.comparison import cases as precedents
from kb.comparison import ruling as rulings
from kb.comparison.cases import Outcome
from kb.comparison.ruling import AnswerRow, DigestRow, PrecedentRow
from kb.read import queries, reading
from kb.read.commentary import Commentary, commentaries
from kb.read.reading import TextParagraph, UnitText
from kb.read.rows import CitationRow, ConceptRow, NoteRow, RelatedRow, UnitRow

# The field of `Citations` for each format, and its media type; TEI has none, as it is the unit itself.
FORMATS = {
    "bib": ("bibtex", "application/x-bibtex; charset=utf-8"),
    "ris": ("ris", "application/x-research-info-systems; charset=utf-8"),
    "csl.json": ("csl", "application/vnd.citationstyles.csl+json; charset=utf-8"),
    "tei.xml": ("", "application/tei+xml; charset=utf-8"),
}
# Kinds of units that a reader expects on the page of the unit to which they belong.
ATTACHED = ("decision", "footnote", "note", "remark")


class Full(Brief):
    """A unit on its own page; `scan` is its start and end, as character offsets into the scan."""

    label: str
    number: str | None
    heading: str | None
    code: str | None
    book: str
    parent: str | None
    scan: tuple[int, int]
    confidence: Share


class Paragraph(Shape):
    """A paragraph of a reading text, with the unit or numbered paragraph to which it belongs."""

    unit: str = Field(validation_alias="unit_id")
    text: str


class Unit(Page, template="unit", at=["/ID.json"]):
    """A unit: its text and all that is linked to it."""

    unit: Annotated[UnitRow, JsonAs(Full)] = described(
        "the unit; scan is the offsets of its start and end in the OCR text, in characters"
    )
    paragraphs: Annotated[Sequence[TextParagraph], JsonAs(tuple[Paragraph, ...])] = described(
        "the reading text, paragraph by paragraph"
    )
    editor_notes: Sequence[NoteRow] = described("the editor's notes on passages in it")
    children: Briefs = described("units that belong to it: paragraphs, notes, a decision")
    previous: Annotated[UnitRow | None, JsonAs(MaybeId)] = described("id of the previous unit, or null")
    next: Annotated[UnitRow | None, JsonAs(MaybeId)] = described("id of the next unit, or null")
    cites: Sequence[CitationRow] = described("references in its text, with their offsets in the OCR text")
    cited_by: Sequence[CitationRow] = described("references to it in other units")
    commentary: Annotated[Sequence[Commentary], JsonAs(tuple[Listed, ...])] = described("commentaries on it")
    explains: Ids = described("ids of the provisions that it explains")
    related: Sequence[RelatedRow] = described(
        "counterparts in other codes; here is the paragraph of this unit that is linked"
    )
    gloss: str | None = described("the editor's paraphrase in modern English, or null")
    answers: Sequence[AnswerRow] = described("questions that it answers for its code")
    precedents: Sequence[PrecedentRow] = described("cases that it decides, with the provisions that decide them")
    digest: DigestRow | None = described("of a case: the editor's summary, or null")
    applies: Sequence[str] = described("of a case: the provisions that decide it")
    questions: Ids = described("of a case: ids of the questions that decide it")
    outcomes: Sequence[Outcome] = described("of a case: how the editor thinks each code would decide it")
    concepts: Annotated[Sequence[ConceptRow], JsonAs(tuple[Named, ...])] = described("concepts that it mentions")
    corrections: dict[str, int] = described("number of edits of each kind")
    citations: Citations = described("its citation in several styles")
    alternates: Shown[Sequence[tuple[str, str]]]
    remark: Shown[str | None]
    notes_of: Shown[Mapping[str, Sequence[NoteRow]]]
    passage: Shown[UnitText]
    attached: Shown[Sequence[UnitText]]
    parts: Shown[Sequence[UnitRow]]
    table: Shown[UnitRow | None]
    rows: Shown[Mapping[str, Sequence[str]]]
    cited: Shown[Cited]
    manuals: Shown[Mapping[str, str]] = formats.MANUALS
    refers_to: Shown[Sequence[CitationRow]]
    citing: Shown[Sequence[tuple[UnitRow, Sequence[CitationRow]]]]
    others: Shown[Sequence[tuple[Sequence[UnitRow], Sequence[RelatedRow]]]]
    near: Shown[Mapping[str, UnitRow]]
    scan: Shown[bool]


def unit(conn: sqlite3.Connection, request: PageRequest) -> Answer:
    """One unit at its id; with `/evidence` its evidence, with the suffix of a format its citation or TEI."""
    unit_id = f"{request.parts['work']}/{request.parts['rest']}"
    found = queries.find_unit(conn, unit_id)
    if found and found.continues:
        return PermanentRedirect(_path_to(request, found.continues))
    if found is None:
        if meant := _meant(conn, request.parts["work"].lower(), request.parts["rest"].lower()):
            return PermanentRedirect(_path_to(request, meant.id))
        return missing_provision(conn, request, unit_id)
    catalogue = works(conn)
    if form := request.parts.get("format"):
        text = _document(conn, request, found, form)
        return Document(text, FORMATS[form][1], f"{found.id.replace('/', '-')}.{form}")
    if "evidence" in request.parts:
        return evidence.evidence(conn, found, catalogue)
    return _page(conn, request, found, catalogue)


def _document(conn: sqlite3.Connection, request: PageRequest, this: UnitRow, form: str) -> str:
    """A unit, or its citation, in a format that is not a page."""
    if form == "tei.xml":
        from kb.read.excerpt import excerpt

        return excerpt(conn, this, request.absolute).decode()
    citations = formats.citations(writing.cited(conn, this), request.absolute(f"/{this.id}"))
    return str(getattr(citations, FORMATS[form][0]))


def _path_to(request: PageRequest, unit_id: str) -> str:
    """The path of a unit, or of its evidence if that was requested; the redirect adds the suffix of the format."""
    return f"/{unit_id}{'/evidence' if 'evidence' in request.parts else ''}"


def _passages(conn: sqlite3.Connection, this: UnitRow) -> list[UnitText]:
    """The text of a unit, and those that a reader expects with it."""
    return reading.passages(conn, [this, *(u for u in queries.children(conn, this.id) if u.kind in ATTACHED)])


def _page(conn: sqlite3.Connection, request: PageRequest, this: UnitRow, catalogue: Works) -> Unit:
    children = queries.children(conn, this.id)
    passage, *attached = _passages(conn, this)
    notes_of = {u.id: queries.notes(conn, u.book_id, u.raw_start, u.raw_end) for u in (p.unit for p in attached)}
    own = queries.notes(conn, this.book_id, this.raw_start, this.raw_end)
    notes_of[this.id] = [n for n in own if all(n not in others for others in notes_of.values())]
    cited = writing.cited(conn, this)
    citations = formats.citations(cited, request.absolute(f"/{this.id}"))
    before, after = queries.neighbours(conn, this)
    commentary = queries.explained_by(conn, this.id)
    if this.kind == "subclause" and cited.parents:
        commentary = commentary or queries.explained_by(conn, cited.parents[0].id)
    links = queries.related(conn, this.id)
    ruling = rulings.ruling(conn, this)
    cases = [row.case for row in ruling.precedents]
    citing = {
        unit_id: list(rows)
        for unit_id, rows in groupby(queries.cited_by(conn, this.id), key=lambda row: row.from_unit)
        if unit_id not in cases and unit_id.removesuffix("/decision") not in cases
    }
    case = precedents.find_case(conn, this) if ruling.digest else None
    outcomes = case.outcomes if case else ()
    named = {*citing, *cases, *ruling.applies, *(c.target_id for c in passage.cites if c.target_id)}
    named |= {i for outcome in outcomes for i in outcome.rests_on}
    near = queries.units(conn, named | {link.other for link in links})
    near |= queries.units(conn, {u.parent_id for u in near.values() if u.parent_id} - near.keys())
    around = cited.parents[0] if cited.parents else None
    table = this if this.kind == "table" else around if around and around.kind == "table" else None
    playing = chosen_code(request, catalogue)
    return Unit(
        url=f"/{this.id}",
        title=f"{this.title} ({catalogue.full(this, around)})" if this.title else catalogue.full(this, around),
        description=ruling.gloss or " ".join(this.text.split())[:200],
        alternates=[(f".{suffix}", kind.partition(";")[0]) for suffix, (_, kind) in FORMATS.items()],
        linked_data=metadata.of_unit(cited, request.absolute),
        club=playing,
        unit=this,
        paragraphs=passage.paragraphs,
        editor_notes=[n for notes in notes_of.values() for n in notes],
        children=children,
        previous=before,
        next=after,
        cites=passage.cites,
        cited_by=[c for rows_ in citing.values() for c in rows_],
        commentary=list(commentaries(conn, commentary)),
        explains=cited.explains,
        related=links,
        gloss=ruling.gloss,
        answers=ruling.answers,
        precedents=ruling.precedents,
        digest=ruling.digest,
        applies=ruling.applies,
        questions=case.questions if case else (),
        outcomes=outcomes,
        concepts=queries.concepts_of(conn, this.id),
        corrections=Counter(e.kind for e in passage.edits if evidence.shown(e) and e.kind != "furniture"),
        citations=citations,
        remark=case.remark if case else None,
        notes_of=notes_of,
        passage=passage,
        attached=attached,
        parts=[u for u in children if u.kind not in (*ATTACHED, "subclause")],
        table=table,
        rows=queries.table_cells(conn, this.book_id) if table else {},
        cited=cited,
        refers_to=_by_target(passage),
        citing=[(near[i], rows_) for i, rows_ in citing.items() if i in near],
        others=sorted(
            _counterparts(conn, links, near),
            key=lambda pair: not playing or all(u.code_id != playing for u in pair[0]),
        ),
        near=near,
        scan=request.get("scan") == "1",
    )


def _counterparts(
    conn: sqlite3.Connection, links: Sequence[RelatedRow], near: Mapping[str, UnitRow]
) -> list[tuple[list[UnitRow], list[RelatedRow]]]:
    """The provisions to which a unit is linked, each with its links; those with the same text and links together."""
    of_unit: dict[str, list[RelatedRow]] = {}
    for link in links:
        if link.other in near:
            of_unit.setdefault(link.other, []).append(link)
    found: list[tuple[list[UnitRow], list[RelatedRow]]] = []
    for other, its in of_unit.items():
        said = [replace(link, other="") for link in its]
        for units, theirs in found:
            like = queries.link(conn, units[0].id, other)
            if like and like.relation == "same-text" and said == [replace(k, other="") for k in theirs]:
                units.append(near[other])
                break
        else:
            found.append(([near[other]], its))
    return found


def _by_target(passage: UnitText) -> list[CitationRow]:
    """The references of a passage, each target once, in the order of the text."""
    seen: dict[tuple[str | None, str], CitationRow] = {}
    for row in passage.cites:
        seen.setdefault((row.target_id, row.status if row.target_id else row.raw), row)
    return list(seen.values())


def of_year(conn: sqlite3.Connection, request: PageRequest) -> Missing | PermanentRedirect:
    """Redirect to a provision given by the year of its code or book, if it exists in only one work of that year."""
    catalogue = works(conn)
    year, rest = int(request.parts["year"]), request.parts["rest"].lower()
    of_that_year = [code.id for code in catalogue.codes.values() if code.year == year]
    of_that_year += [book.id for book in catalogue.books.values() if book.year == year]
    found = {u.id for work in dict.fromkeys(of_that_year) if (u := _meant(conn, work, rest))}
    if len(found) == 1:
        return PermanentRedirect(_path_to(request, found.pop()))
    return missing_provision(conn, request, f"{of_that_year[0] if of_that_year else year}/{rest}")


def _meant(conn: sqlite3.Connection, work: str, rest: str) -> UnitRow | None:
    """The unit of a work that the rest of a path means.

    Args:
        work: the id of a code or book.
        rest: an id within it, or the number of a provision, perhaps with those of its parts: `law-72`, `72`, `72/ii`.
    """
    if unit := queries.find_unit(conn, f"{work}/{rest}"):
        return unit
    number, slash, part = rest.partition("/")
    provision = queries.provision(conn, work, number)
    return queries.find_unit(conn, f"{provision.id}{slash}{part}") if provision else None
