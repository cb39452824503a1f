"""Citing: what a typed citation means, and whether the citations of a text still hold."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import AliasPath, Field

from datasette_plugins.arguments import shortened
from datasette_plugins.catalogue import parents_of
from datasette_plugins.endpoint import Elsewhere, PageRequest
from datasette_plugins.page import As, Briefs, Notes, Page, Shape, Shown, says
from kb.citing import verification
from kb.read import lookup, queries
from kb.read.domain import domain
from kb.read.rows import UnitRow
from kb.read.written import LONGEST, resolve

# A longer text does not fit into a URL; the command `whist cite` reads it.
LONGEST_TEXT, MOST_CITATIONS = 4000, 100


class Cite(Page, template="cite", at=["/cite.json?q=CITATION"]):
    """What a citation may mean."""

    candidates: Briefs = says("what it may mean; where it means one, this leads to /ID.json (302)")
    nearest: Sequence[str] = says("ids like it, if it means none (the status is 404 then)")
    notes: Notes
    error: str = says("if it means none, one sentence", default="", exclude_if=lambda error: not error)
    typed: Shown[str]
    units: Shown[Sequence[UnitRow]]
    parents: Shown[Mapping[str, UnitRow]]


def cite(conn: sqlite3.Connection, request: PageRequest) -> Cite | Elsewhere:
    """Find the provision that an id or a citation `q` means, or those it may mean.

    If it means none, the status is 404, and the page lists the nearest provisions that exist.
    """
    typed = request.get("q")
    read = typed if len(typed) <= LONGEST else ""
    meant = queries.moved(conn, read.lower().strip("/")) or read
    resolved = resolve(conn, meant) if meant else lookup.Resolution()
    if len(resolved.units) == 1 and not resolved.note:
        return Elsewhere(f"/{resolved.units[0].id}")
    near = queries.units(conn, lookup.nearest_ids(conn, read)) if read and not resolved.units else {}
    units = resolved.units or tuple(near.values())
    lost = bool(typed) and not resolved.units
    return Cite(
        url="/cite" + request.query(q=[read]),
        title="Cite",
        candidates=resolved.units,
        nearest=list(near),
        notes=[resolved.note] if resolved.note else [],
        error=f"“{shortened(typed)}” names no provision here." if lost else "",
        typed=shortened(typed),
        units=units,
        parents=parents_of(conn, units),
        status=404 if lost else 200,
    )


def _of_claim(name: str) -> Any:
    return Field(validation_alias=AliasPath("claim", name))


class Checked(Shape):
    """A citation in a text and whether it holds; `altered` is true if its words do not match its hash.

    `cited` is the citation as written in the text, `at` and `words_at` are the spans of the citation and of the quoted
    words, as character offsets into the text; `meant` are the ids that a citation in words may mean.
    """

    id: str = _of_claim("id")
    words: str = _of_claim("words")
    letters: str = _of_claim("letters")
    cited: str = _of_claim("cited")
    at: tuple[int, int] = _of_claim("at")
    words_at: tuple[int, int] | None = _of_claim("words_at")
    meant: tuple[str, ...] = _of_claim("meant")
    status: str
    unit: str | None
    now: str
    altered: bool
    citation: str
    nearest: tuple[str, ...]


class Verified(Page, template="verify", at=["/cite/verify.json?text=TEXT"]):
    """Whether the citations in a text still hold."""

    citations: Annotated[Sequence[verification.CitationVerdict], As(tuple[Checked, ...])] = says(
        "each citation: status is unchanged, corrected, moved, differs, elsewhere, not there, ambiguous or not found"
    )
    marked: str = says(
        "the text with what is wrong in its citations as tracked changes, in CriticMarkup; empty if nothing is"
    )
    notes: Sequence[str] = says("what was left out")
    text: Shown[str]
    longest: Shown[int] = LONGEST_TEXT


def verify(conn: sqlite3.Connection, request: PageRequest) -> Verified:
    """Check each citation of a text: whether it leads to its provision, and whether the quoted words are there."""
    typed = request.get("text")
    text = typed[:LONGEST_TEXT]
    verdicts, note = verification.verify(conn, text, request.absolute(""), MOST_CITATIONS)
    notes = [note] if note else []
    if len(typed) > LONGEST_TEXT:
        notes.append(f"Only the first {LONGEST_TEXT} characters were read; `whist cite --verify` reads whole books.")
    if text and not verdicts:
        example = domain(conn).examples.unit or "CODE/NUMBER"
        notes.append(f"No citation was found; one names its work and a number, or has an id such as {example}.")
    marked = verification.marked(text, verdicts)
    return Verified(
        url="/cite/verify" + request.query(text=[text]),
        title="Check citations",
        citations=verdicts,
        marked=marked if marked != text else "",
        notes=notes,
        text=text,
    )
