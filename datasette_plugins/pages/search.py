"""One box for the reader: what is typed is a citation, a question, a story, or words; one page answers each."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar
from urllib.parse import urlencode

from datasette_plugins.arguments import code_named, only
from datasette_plugins.catalogue import parents_of, works
from datasette_plugins.site import PageRequest, PermanentRedirect, SitePage, TemporaryRedirect
from extract.errors import QueryError
from kb.cite.resolve import resolve
from kb.cite.verify import stands
from kb.questions.ask import Asked, Match, as_data, ask
from kb.questions.questions import Question, questions
from kb.read.paging import ListPage
from kb.read.rows import UnitRow
from kb.search.query import without_filters
from kb.search.search import COUNTED, Found, Hit
from kb.search.search import search as find

PAGE = 20
SHOWN = 3  # questions of each part of a text
LONGEST = 2_000  # characters
FILTERS = ("code", "kind", "book", "year")
_NOTHING = Found(0, (), "none", dict.fromkeys(COUNTED, ()))
_QUOTED = re.compile(r"[\"“]([^\"“”]+)[\"”]")


@dataclass(frozen=True)
class Quotation:
    """Words in quotation marks beside a citation, and whether they stand in the provision, letter by letter."""

    words: str
    there: bool


@dataclass(frozen=True)
class Choice:
    """A value by which the passages can be filtered: its number, and the address with it, or without it if chosen."""

    value: str
    count: int
    chosen: bool
    address: str


@dataclass(frozen=True, kw_only=True)
class SearchPage(SitePage):
    """What a text typed into the box leads to."""

    template: ClassVar[str] = "search"
    internal: ClassVar[frozenset[str]] = frozenset({"parts", "place", "parents", "choices", "kept", "others", "ends"})
    query: str
    corrections: Mapping[str, str] = field(default_factory=dict)
    told: str = ""
    error: str = ""
    named: Sequence[UnitRow] = ()
    quotation: Quotation | None = None
    note: str = ""
    ends: Sequence[tuple[UnitRow, UnitRow]] = ()
    questions: Sequence[Mapping[str, Any]] = ()
    total: int = 0
    mode: str = "none"
    hits: Sequence[Hit] = ()
    parts: Sequence[Sequence[Match]] = ()
    others: Mapping[str, Question] = field(default_factory=dict)
    place: ListPage = field(default_factory=lambda: ListPage(1, PAGE, 0))
    parents: Mapping[str, UnitRow] = field(default_factory=dict)
    choices: Sequence[tuple[str, Sequence[Choice]]] = ()
    kept: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def address(self, number: int) -> str:
        """The address of a page of the passages, by its number."""
        return address(self.query, self.kept, number)


def search(conn: sqlite3.Connection, request: PageRequest) -> SearchPage | TemporaryRedirect:
    """Answer what was typed as `q`; `code`, `kind`, `book` and `year` filter the passages."""
    only(request, "q", *FILTERS, "page")
    text, catalogue = request.get("q")[:LONGEST], works(conn)
    kept = {name: request.all(name) for name in FILTERS if request.all(name)}
    chosen = code_named(kept["code"][0].strip(), catalogue) if len(kept.get("code", ())) == 1 else ""
    number = request.number("page", 1, 1, 500)
    title = f"Search: {text[:80]}" if text else "Search"
    page = SearchPage(url=address(text, kept, number), title=title, club=chosen, query=text, kept=kept)
    if not text and not kept:
        return page
    bare, quoted = _QUOTED.sub(" ", text), _QUOTED.findall(text)
    typed = resolve(conn, text, request.host)
    if typed.units:
        quoted = []  # they are the heading that is cited
    elif quoted:
        typed = resolve(conn, bare, request.host)
    named, quotation = typed.units[:12], None
    if len(typed.units) == 1 and not typed.note:
        quotation = Quotation(quoted[0], stands(quoted[0], typed.units[0].text)) if quoted else None
    words = "" if named or typed.note else without_filters(text)
    asked = ask(conn, words) if words else Asked(words, {}, (), "")
    # A citation, right or wrong, is not searched for as words: passages that happen to have its number are not meant.
    cites = bool(named or typed.note)
    try:
        searched = "" if cites else _with(asked.corrections, text)
        found = _NOTHING if cites and not kept else find(conn, searched, kept, PAGE, (number - 1) * PAGE)
    except QueryError as error:
        return replace(page, error=str(error), status=400)
    if len(named) == 1 and not typed.note and not quoted and "json" not in request.parts:
        return TemporaryRedirect(f"/{named[0].id}" + (f"?code={chosen}" if chosen else ""))
    if cites:  # only the filters had to be checked
        found = _NOTHING
    known = questions(conn)
    parts = [[*part[:SHOWN]] for part in asked.parts]
    opened = [part[0].question for part in parts]
    return replace(
        page,
        corrections=asked.corrections,
        told=asked.told,
        named=named,
        quotation=quotation,
        note=typed.note or "",
        ends=typed.ends,
        questions=as_data(asked.within([chosen] if chosen else [])),
        total=found.total,
        mode=found.mode,
        hits=found.hits,
        parts=parts,
        others={i: known[i] for q in opened for i in (*q.sisters, *(b.other for f in q.facts for b in f.branches))},
        place=ListPage(number, PAGE, found.total),
        parents=parents_of(conn, [*named, *(hit.unit for hit in found.hits)]),
        choices=[
            (name, _choices(text, kept, name, found)) for name in COUNTED if len(found.counts[name]) > 1 or name in kept
        ],
    )


def dispute(conn: sqlite3.Connection, request: PageRequest) -> PermanentRedirect:
    """What happened is told in the one box now."""
    kept = {name: request.args[name] for name in ("q", "code") if request.get(name)}
    return PermanentRedirect("/search", urlencode(kept, doseq=True))


def address(text: str, kept: Mapping[str, Sequence[str]], number: int = 1) -> str:
    """Return the address of a search."""
    fields = [("q", text)] if text else []
    fields += [(name, value) for name, values in kept.items() for value in values]
    fields += [("page", str(number))] if number > 1 else []
    return "/search" + (f"?{urlencode(fields)}" if fields else "")


def _choices(text: str, kept: Mapping[str, Sequence[str]], name: str, found: Found) -> list[Choice]:
    """The values of a filter among the results."""
    given = kept.get(name, ())
    return [
        Choice(value, count, bool(given), address(text, {**kept, name: [] if given else [value]}))
        for value, count in found.counts[name][:12]
    ]


def _with(corrections: Mapping[str, str], text: str) -> str:
    """The text with its misspelt words corrected."""
    for typed, read in corrections.items():
        text = re.sub(rf"\b{re.escape(typed)}\b", read, text)
    return text
