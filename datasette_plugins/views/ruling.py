"""The ruling on a dispute by one provision, to be read out at the table or printed on a sheet."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import segno
from markupsafe import Markup

from datasette_plugins.page import Document, Moved, PageRequest, TemplateResponse
from datasette_plugins.shared import brief, club, missing, works
from datasette_plugins.views.dispute import MOST_LETTERS
from kb.dispute import ruling as rulings
from kb.dispute.index import index_of
from kb.read import cite, queries
from kb.read.domain import domain
from kb.read.rows import UnitRow
from kb.read.written import LONGEST, resolve

# A sheet has room for so many; the others stand on the page of the provision.
CASES, ANSWERS = 4, 4
# Letters of an address whose QR code has squares of half a millimetre on paper; finer ones are not read by every phone.
MOST_OF_QR = 600


def ruling(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse | Moved | Document:
    """How the provision `unit`, given by id or typed as a citation, decides a dispute `q`; as `.md` to be kept.

    What names no provision of a code is not found (404).
    """
    wanted = request.get("unit")
    if not wanted and "format" not in request.parts:
        return Moved("/dispute")
    unit = _unit(conn, wanted) if len(wanted) <= LONGEST else None
    facts = request.get("q")[:MOST_LETTERS].strip()
    index, fact = index_of(conn), request.get("fact")
    fact = fact if fact in index.facets else ""
    made = rulings.rule(conn, index, facts, unit, fact) if unit else None
    if made is None:
        return missing(conn, replace(request, path="/ruling"), "provision", wanted[:LONGEST])
    catalogue = works(conn)
    chosen, notes = club(request, catalogue)
    held = made.holding
    shown = unit if unit and unit.id != held.unit.id and held.answer is None else held.pinpoint
    citation = cite.plain(cite.cited(conn, shown))
    kept = replace(
        request,
        args={
            k: [v] for k, v in (("q", facts), ("unit", unit.id if unit else ""), ("code", chosen), ("fact", fact)) if v
        },
    )
    if "format" in request.parts:
        text = rulings.as_markdown(made, catalogue.name(held.unit), citation, request.absolute, domain(conn))
        return Document(text, "text/markdown; charset=utf-8", f"ruling-{held.unit.id.replace('/', '-')}.md")
    permalink = request.absolute("/ruling" + kept.query())
    context = {
        "works": catalogue,
        "club": chosen,
        "notes": notes,
        "ruling": made,
        "held": held,
        "shown": shown,
        "citation": citation,
        "answers": made.answers[:ANSWERS] if held.answer else made.answers,
        "precedents": made.precedents[:CASES],
        "more": max(0, len(made.precedents) - CASES),
        "back": "/dispute" + kept.query(unit=None),
        "markdown": "/ruling.md" + kept.query(),
        "permalink": permalink,
        "qr": qr_code(permalink),
    }
    data = {
        "facts": facts,
        "notes": notes,
        "unit": brief(held.unit, catalogue, request),
        "pinpoint": shown.id,
        "citation": citation,
        "gloss": held.gloss,
        "opening": held.opening or None,
        "text": held.blocks,
        "question": held.question.id if held.question else None,
        "answer": held.answer.summary if held.answer else None,
        "value": held.answer.value if held.answer else None,
        "orders": [{"head": head, "words": words} for head, words in made.orders],
        "answers": made.answers,
        "precedents": made.precedents,
        "others": [
            {"code": other.code.id, "state": other.state, "summary": other.summary,
             "cites": [{"id": i, "pinpoint": pinpoint} for i, pinpoint in other.cites],
             "like": other.like.id if other.like else None}
            for other in made.others
        ],
        "verdict": made.verdict or None,
        "permalink": permalink,
    }  # fmt: skip
    title = f"{catalogue.full(shown)}: the ruling"
    return TemplateResponse("ruling", title, "/ruling", data, context, query=kept.query())


def qr_code(address: str) -> Markup:
    """An address as a QR code, an SVG to stand in a page; nothing where it would be too fine to be read from paper."""
    if len(address) > MOST_OF_QR:
        return Markup("")
    made = segno.make(address, micro=False, error="m")
    return Markup(made.svg_inline(svgclass="qr", lineclass=None, omitsize=True, title="The address of this ruling"))


def _unit(conn: sqlite3.Connection, wanted: str) -> UnitRow | None:
    """The unit that an id, an id of earlier releases or a citation means, if it means one."""
    now = queries.moved(conn, wanted.lower().strip("/"))
    found = resolve(conn, now or wanted).units
    return found[0] if len(found) == 1 else None
