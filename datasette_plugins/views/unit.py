"""The page of one unit: its text, what hangs on it, how to cite it, and the evidence for every correction."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from datasette_plugins.discovery import forms, linked_data
from datasette_plugins.page import Document, Moved, PageRequest, TemplateResponse
from datasette_plugins.shared import Works, brief, club, missing, works
from datasette_plugins.views import evidence
from kb.comparison import cases as precedents
from kb.comparison import ruling as rulings
from kb.comparison.cases import Case
from kb.read import bibliography, cite, markdown, queries, reading
from kb.read.commentary import commentaries
from kb.read.reading import UnitText
from kb.read.rows import CitationRow, RelatedRow, UnitRow

# The field of the citations that a format gives; the two that give the unit itself have none.
FORMATS = {
    "bib": ("bibtex", "application/x-bibtex; charset=utf-8"),
    "ris": ("ris", "application/x-research-info-systems; charset=utf-8"),
    "csl.json": ("csl", "application/vnd.citationstyles.csl+json; charset=utf-8"),
    "md": ("", "text/markdown; charset=utf-8"),
    "tei.xml": ("", "application/tei+xml; charset=utf-8"),
}
# Units that a reader expects on the page of the one they belong to.
ATTACHED = ("decision", "footnote", "note", "remark")


def unit(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse | Moved | Document:
    """One unit at its id; `/evidence` its evidence, and a format's suffix its citation, text or TEI."""
    unit_id = f"{request.parts['work']}/{request.parts['rest']}"
    found = queries.find_unit(conn, unit_id)
    if now := found.continues if found else queries.moved(conn, unit_id):
        return Moved(_like(request, now))
    if found is None:
        if meant := forms.meant(conn, request.parts["work"].lower(), request.parts["rest"].lower()):
            return Moved(_like(request, meant.id))
        return missing(conn, request, "provision", unit_id)
    catalogue = works(conn)
    if form := request.parts.get("format"):
        text = _document(conn, request, found, catalogue, form)
        return Document(text, FORMATS[form][1], f"{found.id.replace('/', '-')}.{form}")
    if "evidence" in request.parts:
        return evidence.evidence(conn, request, found, catalogue)
    return _page(conn, request, found, catalogue)


def _document(conn: sqlite3.Connection, request: PageRequest, this: UnitRow, catalogue: Works, form: str) -> str:
    """A unit, or its citation, in a format that is no page."""
    if form == "tei.xml":
        from kb.read.excerpt import excerpt

        return excerpt(conn, this, request.absolute).decode()
    cited = cite.cited(conn, this)
    citations = cite.citations(cited, request.absolute(f"/{this.id}"))
    if field := FORMATS[form][0]:
        return str(getattr(citations, field))
    title = catalogue.full(this, cited.parents[0] if cited.parents else None)
    return markdown.as_markdown(title, reading.passage(conn, this), citations, rulings.ruling(conn, this).gloss)


def _like(request: PageRequest, unit_id: str) -> str:
    """The address of a unit, or of its evidence if that was asked for; the form is kept by whoever redirects."""
    return f"/{unit_id}{'/evidence' if 'evidence' in request.parts else ''}"


def _page(conn: sqlite3.Connection, request: PageRequest, this: UnitRow, catalogue: Works) -> TemplateResponse:
    children = queries.children(conn, this.id)
    passage, *attached = reading.passages(conn, [this, *(u for u in children if u.kind in ATTACHED)])
    cited = cite.cited(conn, this)
    citations = cite.citations(cited, request.absolute(f"/{this.id}"))
    before, after = queries.neighbours(conn, this)
    commentary = queries.explained_by(conn, this.id)
    if this.kind == "subclause" and cited.parents:
        commentary = commentary or queries.explained_by(conn, cited.parents[0].id)
    links = queries.related(conn, this.id)
    citing = _by_unit(queries.cited_by(conn, this.id))
    ruling = rulings.ruling(conn, this)
    cases = [row.case for row in ruling.precedents]
    citing = {i: rows for i, rows in citing.items() if i not in cases and i.removesuffix("/decision") not in cases}
    case = precedents.find_case(conn, this) if ruling.digest else None
    named = {*citing, *cases, *ruling.applies, *(c.target_id for c in passage.cites if c.target_id)}
    named |= {i for outcome in (case.outcomes if case else ()) for i in outcome.rests_on}
    near = queries.units(conn, named | {link.other for link in links})
    near |= queries.units(conn, {u.parent_id for u in near.values() if u.parent_id} - near.keys())
    concepts = queries.concepts_of(conn, this.id)
    around = cited.parents[0] if cited.parents else None
    table = this if this.kind == "table" else around if around and around.kind == "table" else None
    members = [u for u in children if u.kind not in ATTACHED] if table is this else []
    parts = [u for u in children if u.kind not in ATTACHED and u.kind != "subclause" and u not in members]
    rows = queries.table_cells(conn, this.book_id) if table else {}
    corrections = Counter(e.kind for e in passage.edits if evidence.shown(e) and e.kind != "furniture")
    playing = club(request, catalogue)[0]
    context = {
        "unit": this,
        "works": catalogue,
        "club": playing,
        "passage": passage,
        "cited": cited,
        "citations": citations,
        "manuals": bibliography.MANUALS,
        "attached": attached,
        "parts": parts,
        "table": table,
        "members": members,
        "rows": rows,
        "before": before,
        "after": after,
        "commentary": list(commentaries(conn, commentary)),
        "explains": cited.explains,
        "related": sorted(
            ((link, near[link.other]) for link in links if link.other in near),
            key=lambda pair: not playing or pair[1].code_id != playing,
        ),
        "ruling": ruling,
        "case": case,
        "citing": [(near[i], rows_) for i, rows_ in citing.items() if i in near],
        "near": near,
        "cites": _by_target(passage),
        "concepts": concepts,
        "corrections": corrections,
        "doubtful": [e for e in passage.edits if evidence.doubtful(e)],
        "notes": queries.notes(conn, this.book_id, this.raw_start, this.raw_end),
        "scan": request.get("scan") == "1",
        "rules": this.code_id is not None and this.role in ("provision", "paragraph"),
        "ld": linked_data.of_unit(cited, request.absolute),
    }
    parent = cited.parents[0] if cited.parents else None
    return TemplateResponse(
        "unit",
        catalogue.full(this, parent),
        f"/{this.id}",
        lambda: _facts(this, catalogue, request, context, children, links, citing),
        context,
        description=" ".join(this.text.split())[:200],
        alternates=tuple((f".{suffix}", kind.partition(";")[0]) for suffix, (_, kind) in FORMATS.items()),
    )


def _facts(
    this: UnitRow,
    catalogue: Works,
    request: PageRequest,
    shown: dict[str, Any],
    children: Sequence[UnitRow],
    links: Sequence[RelatedRow],
    citing: Mapping[str, Sequence[CitationRow]],
) -> dict[str, Any]:
    """What a unit's page shows, as data."""
    passage, ruling, before, after = shown["passage"], shown["ruling"], shown["before"], shown["after"]
    case: Case | None = shown["case"]
    return {
        "unit": {**brief(this, catalogue, request), "label": this.label, "number": this.number, "heading": this.heading,
                 "code": this.code_id, "book": this.book_id, "parent": this.parent_id,
                 "scan": [this.raw_start, this.raw_end], "confidence": this.confidence},
        "paragraphs": [{"unit": p.unit_id, "text": p.text} for p in passage.paragraphs],
        "editor_notes": shown["notes"],
        "children": [brief(u, catalogue, request) for u in children],
        "previous": before.id if before else None,
        "next": after.id if after else None,
        "cites": passage.cites,
        "cited_by": [c for rows in citing.values() for c in rows],
        "commentary": [brief(c.unit, catalogue, request, text=False) for c in shown["commentary"]],
        "explains": [u.id for u in shown["explains"]],
        "related": links,
        "gloss": ruling.gloss,
        "answers": ruling.answers,
        "precedents": ruling.precedents,
        "digest": ruling.digest,
        "applies": ruling.applies,
        "questions": [q.id for q in case.questions] if case else [],
        "outcomes": case.outcomes if case else [],
        "concepts": [{"id": k.id, "label": k.label} for k in shown["concepts"]],
        "corrections": shown["corrections"],
        "citations": shown["citations"],
    }  # fmt: skip


def _by_unit(rows: Sequence[CitationRow]) -> dict[str, list[CitationRow]]:
    grouped: dict[str, list[CitationRow]] = {}
    for row in rows:
        grouped.setdefault(row.from_unit, []).append(row)
    return grouped


def _by_target(passage: UnitText) -> list[CitationRow]:
    """The references of a passage, each target once and in the order of the text."""
    seen: dict[tuple[str | None, str], CitationRow] = {}
    for row in passage.cites:
        seen.setdefault((row.target_id, row.status if row.target_id else row.raw), row)
    return list(seen.values())
