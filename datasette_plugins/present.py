"""How data is presented on a page: names, URLs and marks. No HTML except the marks of search hits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby

from datasette.app import Datasette
from markupsafe import Markup

from datasette_plugins import library
from datasette_plugins.inline import DOUBT, inline
from datasette_plugins.site import PageRequest
from kb.cite.formats import MANUALS
from kb.read.reading import TextParagraph, UnitText, without_label
from kb.read.rows import RELATIONS, CodeRow

EDIT_KINDS = {
    "ocr": "misread letters", "join": "words joined or split", "space": "spacing", "furniture": "page furniture",
    "typo": "the book’s own misprint", "illegible": "illegible",
}  # fmt: skip
SOURCES = {"rule": "a rule", "editor": "the editor"}
# What the relations (`RELATIONS`) mean, for readers who want to know.
MEANT = {
    "same-text": "The words are the same, apart from small differences.",
    "equivalent": "The outcome is the same where both apply; each may add something.",
    "differs": "A dispute on the same question would end otherwise.",
    "broader": "The outcome is the same, but the other covers less: fewer cases, conditions or options.",
    "narrower": "The outcome is the same, but the other covers more: further cases, conditions or options.",
    "opposed": "One allows what the other forbids, or they order contrary outcomes on the same facts.",
}
# How a case would be decided under another code.
OUTCOMES = {
    "same": "same result", "otherwise": "different result", "silent": "no rule", "not printed": "not printed",
    "open": "unclear",
}  # fmt: skip
# The relations as symbols for a narrow column: a broader rule has a plus, since it covers more.
SIGNS = {"same-text": "=", "equivalent": "≈", "differs": "≠", "broader": "−", "narrower": "+", "opposed": "⇄"}
STATUSES = {
    "resolved": "", "ambiguous": "it is not certain which is meant", "dangling": "not in this library",
    "foreign": "in another book", "slip": "the author’s own slip, shown as printed",
}  # fmt: skip
_OF_YEARS = re.compile(r"(.+?)(?: \(((?:from )?\d{4}[^()]*)\))?")


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive paragraphs of one unit; `part` is true if it is a numbered paragraph of the unit that is shown."""

    unit_id: str
    part: bool
    label: str
    paragraphs: tuple[TextParagraph, ...]


def gist(text: str, length: int) -> str:
    """The beginning of a text, cut between words."""
    flat = " ".join(text.split())
    if len(flat) <= length:
        return flat
    return flat[: flat.rfind(" ", 0, length)].rstrip(" ,;:.—-") + "…"


class Site:
    """The values and functions that the templates use, under the name `whist`."""

    edit_kinds, sources, relations, statuses = EDIT_KINDS, SOURCES, RELATIONS, STATUSES
    signs, meant = SIGNS, MEANT
    doubt, outcomes, manuals = DOUBT, OUTCOMES, MANUALS

    def __init__(self, datasette: Datasette) -> None:
        self._datasette = datasette
        self._base = str(datasette.setting("base_url"))

    @property
    def _library(self) -> library.Library:
        return library.of(self._datasette)

    def href(self, path: str) -> str:
        """The URL of a path of the site, with base_url."""
        return self._base + path.removeprefix("/")

    def static(self, name: str) -> str:
        """The URL of a static file; it changes when the software does, so that clients can cache it for ever."""
        return self.href(f"{library.static_folder()}/{name}?v={library.software()}")

    def picture(self, request: PageRequest, name: str) -> str:
        """The absolute URL of a static file, for sites that show it in a preview of the page."""
        return request.absolute(f"{library.static_folder()}/{name}?v={library.software()}")

    @property
    def most_rows(self) -> int:
        """The most rows of a table or query that one response contains."""
        return int(self._datasette.setting("max_returned_rows"))

    def tables(self) -> str:
        """The URL of Datasette's page of the database."""
        return str(self._datasette.urls.database(self._library.db.name))

    def noun(self, code: CodeRow, count: int) -> str:
        """A code's word for its provisions, in the singular or plural."""
        return self._library.domain.noun(code.provision).of(count)

    def kind(self, kind: str, count: int = 1) -> str:
        """The name of a kind of unit, for one or several."""
        return self._library.domain.noun_of_kind(kind).of(count)

    def role(self, kind: str) -> str:
        """The role that a kind of unit has for the software: `provision`, `case` ..."""
        return self._library.domain.roles.get(kind, "")

    def gist(self, text: str, length: int = 90) -> str:
        """The beginning of a text, cut between words."""
        return gist(text, length)

    def blocks(self, passage: UnitText) -> list[Block]:
        """Group a passage by its numbered paragraphs, each with its printed label split off."""
        blocks = []
        for owner, group in groupby(passage.paragraphs, key=lambda p: p.unit_id):
            first, *rest = group
            part = owner != passage.unit.id
            number = owner.rpartition("/")[2] if part else passage.unit.number
            kind = "" if part else passage.unit.kind
            label, first = without_label(first, number, kind) if first.opens or not part else ("", first)
            filled = tuple(p for p in (first, *rest) if any(run.text.strip() for run in p.runs))
            if filled:
                blocks.append(Block(owner, part, label, filled))
        return blocks

    def inline(self, paragraph: TextParagraph) -> Markup:
        """A paragraph as inline HTML, see `datasette_plugins.inline`."""
        return inline(paragraph.runs, self.href, STATUSES)

    def by_years(self, result: str) -> list[tuple[str, str]]:
        """What follows in each code, as pairs of its years and words: `too late (1829) -> in time (from 1864)`."""
        return [(match[2] or "", match[1]) for part in result.split(" -> ") if (match := _OF_YEARS.fullmatch(part))]

    def percent(self, share: float) -> str:
        """A probability or share in per cent; 100 % only if it is exactly that, never by rounding."""
        return "100 %" if share >= 1 else f"{min(round(share * 100), 99)} %"
