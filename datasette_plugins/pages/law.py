"""A law, or any other unit: its text in plain words, the other codes on the matter, and how to cite it."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from datasette_plugins import metadata
from datasette_plugins.arguments import chosen_code, only
from datasette_plugins.catalogue import works
from datasette_plugins.missing import missing_provision
from datasette_plugins.pages.evidence import evidence, shown
from datasette_plugins.site import Answer, Document, PageRequest, PermanentRedirect, SitePage
from kb.cite import formats, writing
from kb.cite.formats import Citations
from kb.cite.writing import Cited
from kb.comparison import counterparts
from kb.comparison.cases import Case, find_case, law_of
from kb.comparison.counterparts import CodeLine, cases_by_unit
from kb.read import commentary, queries, reading
from kb.read.commentary import Commentary
from kb.read.excerpt import excerpt
from kb.read.reading import UnitText
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


@dataclass(frozen=True)
class Ruled:
    """A question that a unit answers for its code, by its id, and the answer."""

    question: str
    label: str
    summary: str


@dataclass(frozen=True, kw_only=True)
class LawPage(SitePage):
    """A unit: its text and all that is linked to it.

    `about` is its subject in a few words, `codes` what each code has on the matter, `related` the links, `precedents`
    (as `turned`, in full) the cases that it decided, `case` the case that it is or decides. `citing` and `near` are the
    units that refer to it and those that the page names besides.
    """

    template: ClassVar[str] = "law"
    internal: ClassVar[frozenset[str]] = frozenset(
        {"passage", "attached", "notes_of", "table", "rows", "cited", "turned", "comments", "citing", "near"}
    )
    about: str | None
    unit: UnitRow
    gloss: str | None
    codes: Sequence[CodeLine]
    related: Sequence[RelatedRow]
    answers: Sequence[Ruled]
    precedents: Sequence[str]
    case: Case | None
    cites: Sequence[CitationRow]
    cited_by: Sequence[CitationRow]
    commentary: Sequence[str]
    explains: Sequence[UnitRow]
    children: Sequence[UnitRow]
    previous: UnitRow | None
    next: UnitRow | None
    concepts: Sequence[ConceptRow]
    editor_notes: Sequence[NoteRow]
    corrections: Mapping[str, int]
    citations: Citations
    passage: UnitText
    attached: Sequence[UnitText]
    notes_of: Mapping[str, Sequence[NoteRow]]
    table: UnitRow | None
    rows: Mapping[str, Sequence[str]]
    cited: Cited
    turned: Sequence[Case]
    comments: Sequence[Commentary]
    citing: Sequence[tuple[UnitRow, Sequence[CitationRow]]]
    near: Mapping[str, UnitRow]


def law(conn: sqlite3.Connection, request: PageRequest) -> Answer:
    """One unit at its id; with `/evidence` its evidence, with the suffix of a format its citation or TEI.

    Other forms of an id lead to it: capitals, the number alone, the year of the work for its id.
    """
    work, rest = request.parts["work"].lower(), request.parts["rest"]
    found = queries.find_unit(conn, f"{request.parts['work']}/{rest}")
    if found is None or found.continues:
        catalogue = works(conn)
        of_year = [c.id for c in catalogue.codes.values() if str(c.year) == work]
        of_year += [b.id for b in catalogue.books.values() if str(b.year) == work]
        meant = {found.continues} if found else {_meant(conn, w, rest.lower()) for w in of_year or [work]} - {""}
        if len(meant) != 1:
            return missing_provision(conn, request, f"{(of_year or [work])[0]}/{rest}")
        return PermanentRedirect(f"/{meant.pop()}{'/evidence' if 'evidence' in request.parts else ''}")
    only(request, "code")
    if "evidence" in request.parts:
        return evidence(conn, found)
    if form := request.parts.get("format"):
        return Document(_record(conn, request, found, form), FORMATS[form][1], f"{found.id.replace('/', '-')}.{form}")
    return _page(conn, request, found)


def _meant(conn: sqlite3.Connection, work: str, rest: str) -> str:
    """The id of the unit of a work that the rest of a path means: `law-72`, `72`, `72/ii`; "" if there is none."""
    number, slash, part = rest.partition("/")
    provision = queries.provision(conn, work, number)
    ids = [f"{work}/{rest}", f"{provision.id}{slash}{part}" if provision else ""]
    return next((unit.id for unit_id in ids if (unit := queries.find_unit(conn, unit_id))), "")


def _record(conn: sqlite3.Connection, request: PageRequest, this: UnitRow, form: str) -> str:
    """A unit, or its citation, in a format that is not a page."""
    if form == "tei.xml":
        return excerpt(conn, this, request.absolute).decode()
    citations = formats.citations(writing.cited(conn, this), request.absolute(f"/{this.id}"))
    return str(getattr(citations, FORMATS[form][0]))


def _page(conn: sqlite3.Connection, request: PageRequest, this: UnitRow) -> LawPage:
    catalogue, cited = works(conn), writing.cited(conn, this)
    around = cited.parents[0] if cited.parents else None
    children = queries.children(conn, this.id)
    passage, *attached = reading.passages(
        conn, [this, *(u for u in children if u.kind in ATTACHED)], commentary.terms(conn, this.id)
    )
    notes_of = {u.id: queries.notes(conn, u.book_id, u.raw_start, u.raw_end) for u in (p.unit for p in attached)}
    own = queries.notes(conn, this.book_id, this.raw_start, this.raw_end)
    notes_of[this.id] = [n for n in own if all(n not in others for others in notes_of.values())]
    links, gloss = queries.related(conn, this.id), commentary.glosses(conn).get(this.id)
    explaining = commentary.by_target(conn)
    comments = explaining.get(this.id) or explaining.get(law_of(this), ())
    case = find_case(conn, this) if this.role in ("case", "decision") else None
    turned = _turned(conn, this, children)
    citing = _citing(conn, this, turned)
    near = _units(
        conn, {unit_id for unit_id, _ in citing} | {i for o in (case.outcomes if case else ()) for i in o.rests_on}
    )
    near |= _units(conn, {u.parent_id for u in near.values() if u.parent_id} - near.keys())
    table = next((u for u in (this, around) if u and u.kind == "table"), None)
    before, after = queries.neighbours(conn, this)
    name = catalogue.full(this, around)
    about = this.title or (around.title if around and this.kind == "subclause" else None)
    return LawPage(
        url=f"/{this.id}",
        title=f"{about} ({name})" if about else name,
        description=f"{about or name}. {gloss or this.body}",
        alternates=[(kind.partition(";")[0], f"/{this.id}.{form}") for form, (_, kind) in FORMATS.items()],
        club=chosen_code(request, catalogue),
        linked_data=metadata.of_unit(cited, request.absolute),
        about=about,
        unit=this,
        gloss=gloss,
        codes=counterparts.lines(conn, this, links),
        related=links,
        answers=[Ruled(q.id, q.label, a.summary) for q, a in counterparts.answers_by_unit(conn).get(this.id, ())],
        precedents=[c.unit.id for c in turned],
        case=case if case and case.facts else None,
        cites=passage.cites,
        cited_by=[c for _, references in citing for c in references],
        commentary=[c.unit.id for c in comments],
        explains=cited.explains,
        children=children,
        previous=before,
        next=after,
        concepts=queries.concepts_of(conn, this.id),
        editor_notes=[n for notes in notes_of.values() for n in notes],
        corrections=Counter(e.kind for e in passage.edits if shown(e) and e.kind != "furniture"),
        citations=formats.citations(cited, request.absolute(f"/{this.id}")),
        passage=passage,
        attached=attached,
        notes_of=notes_of,
        table=table,
        rows=queries.table_cells(conn, this.book_id) if table else {},
        cited=cited,
        turned=turned,
        comments=comments,
        citing=[(near[i], references) for i, references in citing],
        near=near,
    )


def _units(conn: sqlite3.Connection, ids: Set[str]) -> dict[str, UnitRow]:
    return queries.units(conn, ids) if ids else {}


def _turned(conn: sqlite3.Connection, this: UnitRow, children: Sequence[UnitRow]) -> list[Case]:
    """The cases that turned on a unit, on one of its paragraphs, or on the law of a paragraph."""
    ids, known = [this.id, law_of(this), *(u.id for u in children if u.kind == "subclause")], cases_by_unit(conn)
    found = {c.unit.id: c for unit_id in ids for c in known.get(unit_id, ())}
    return sorted(found.values(), key=lambda c: (c.unit.book_id, c.unit.seq))


def _citing(conn: sqlite3.Connection, this: UnitRow, turned: Sequence[Case]) -> list[tuple[str, Sequence[CitationRow]]]:
    """The ids of the units that refer to a unit, each with its references, without the cases that turned on it."""
    shown_as_cases = {c.unit.id for c in turned}
    return [
        (unit_id, list(references))
        for unit_id, references in groupby(queries.cited_by(conn, this.id), key=lambda c: c.from_unit)
        if unit_id.removesuffix("/decision") not in shown_as_cases
    ]
