"""Citations: what a typed one means, and whether those of a text are correct."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import AliasPath, Field

from datasette_plugins.arguments import shortened
from datasette_plugins.catalogue import parents_of
from datasette_plugins.endpoint import PageRequest, TemporaryRedirect
from datasette_plugins.page import Briefs, JsonAs, Notes, Page, Shape, Shown, described
from kb.citing import verification
from kb.read import lookup, nearest, queries
from kb.read.domain import domain
from kb.read.rows import UnitRow
from kb.read.written import LONGEST, resolve

# A longer text does not fit into a URL; the command `whist cite` reads it.
LONGEST_TEXT, MOST_CITATIONS = 4000, 100


class Cite(Page, template="cite", at=["/cite.json?q=CITATION"]):
    """What a citation may mean."""

    candidates: Briefs = described(
        "the provisions that it may mean; if there is only one, the response redirects to /ID.json (302)"
    )
    nearest: Sequence[str] = described("similar ids, if it means no provision (status 404)")
    notes: Notes
    error: str = described("if it means no provision: one sentence", default="", exclude_if=lambda error: not error)
    typed: Shown[str]
    ends: Shown[Sequence[tuple[UnitRow, UnitRow]]]
    units: Shown[Sequence[UnitRow]]
    parents: Shown[Mapping[str, UnitRow]]


def cite(conn: sqlite3.Connection, request: PageRequest) -> Cite | TemporaryRedirect:
    """Find the provision that an id or a citation `q` means, or those it may mean.

    If it means none, the status is 404, and the page lists the nearest provisions that exist.
    """
    typed = request.get("q")
    read = typed if len(typed) <= LONGEST else ""
    meant = queries.moved(conn, read.lower().strip("/")) or read
    resolved = resolve(conn, meant) if meant else lookup.Resolution()
    if len(resolved.units) == 1 and not resolved.note:
        return TemporaryRedirect(f"/{resolved.units[0].id}")
    known = resolved.units or resolved.ends
    near = queries.units(conn, nearest.ids(conn, read)) if read and not known else {}
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
        ends=resolved.ends,
        units=units,
        parents=parents_of(conn, units),
        status=404 if lost else 200,
    )


def _within(owner: str, name: str) -> Any:
    """A key whose value is an attribute of an attribute."""
    return Field(validation_alias=AliasPath(owner, name))


class Checked(Shape):
    """A citation in a text and whether it is correct; `altered` is true if its words do not match its hash.

    `cited` is the citation as written in the text, `at` and `words_at` are the spans of the citation and of the quoted
    words, as character offsets into the text; `meant` are the ids of all units that it may mean. `unread` is true
    if a quotation in its sentence was not checked, because it may be from another source. `leads` are other units with
    the words; `similar`, if they are only similar. `result` is the status or, if nothing else is wrong, what is wrong
    with the page or year; `denial` is a negation that the quotation leaves out. `page` and `year` are the right ones,
    if the text gives others; `inferred` is true if the number of the page is inferred from those of other pages.
    """

    id: str = _within("claim", "id")
    words: str = _within("claim", "words")
    letters: str = _within("claim", "letters")
    cited: str = _within("claim", "cited")
    at: tuple[int, int] = _within("claim", "at")
    words_at: tuple[int, int] | None = _within("claim", "words_at")
    meant: tuple[str, ...] = _within("claim", "meant")
    unread: bool = _within("claim", "unread")
    status: str
    result: str
    unit: str | None
    now: str
    altered: bool
    citation: str
    nearest: tuple[str, ...]
    leads: tuple[str, ...]
    similar: str
    page: str
    inferred: bool
    year: str
    denial: str


class Verified(Page, template="verify", at=["/cite/verify.json?text=TEXT"]):
    """Whether the citations in a text are correct."""

    citations: Annotated[Sequence[verification.CitationVerdict], JsonAs(tuple[Checked, ...])] = described(
        "each citation: status is unchanged, corrected, moved, differs, elsewhere, not there, ambiguous, not found "
        "or not checked"
    )
    marked: str = described(
        "the text with the errors in its citations marked as changes in CriticMarkup; empty if there are none"
    )
    notes: Sequence[str] = described("parts of the text that were not checked")
    text: Shown[str]
    most_named: Shown[int] = verification.MOST_NAMED


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
