"""How facts are put on a page: names, addresses, marks and the time line. No HTML but the marks of a hit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from threading import Lock
from urllib.parse import quote_plus

from cachetools import LRUCache, cached
from datasette.app import Datasette
from markupsafe import Markup, escape

from datasette_plugins import library
from datasette_plugins.endpoint import PageRequest
from datasette_plugins.inline import DOUBT, inline
from extract.corpus.domain import Domain, Examples, a
from kb.read.reading import TextParagraph, UnitText, without_label
from kb.read.rows import CodeRow
from kb.search.search import BEGIN, END

EDIT_KINDS = {
    "ocr": "misread letters", "join": "words joined or split", "space": "spacing", "furniture": "page furniture",
    "typo": "the book’s own misprint", "illegible": "illegible",
}  # fmt: skip
# What a reader may say of a word, by the kinds of `kb.desk.emendation.KINDS`.
READINGS = {
    "ocr": "it is misread", "join": "words are joined or parted", "speck": "a speck: nothing is printed here",
    "furniture": "a running head or page number", "typo": "the book’s own misprint", "illegible": "nobody can read it",
}  # fmt: skip
SOURCES = {"rule": "a rule", "model": "the word model", "editor": "the editor"}
# What the other provision is, seen from the one on the page.
RELATIONS = {
    "same-text": "the same words", "equivalent": "the same rule, other words", "differs": "a different rule",
    "broader": "a narrower rule", "narrower": "a broader rule", "opposed": "the opposite rule",
}  # fmt: skip
# What these words mean, for those who ask.
MEANT = {
    "same-text": "The words are the same but for trifles: stops, capitals, spelling.",
    "equivalent": "The outcome is the same in every case.",
    "differs": "A dispute on the same question would end otherwise.",
    "broader": "The outcome is the same, but the other covers less: fewer cases, conditions or options.",
    "narrower": "The outcome is the same, but the other covers more: further cases, conditions or options.",
    "opposed": "One allows what the other forbids, or they order contrary outcomes on the same facts.",
}
# How a case would be decided under a code.
OUTCOMES = {
    "decided": "decided so", "same": "the same result", "otherwise": "another result", "silent": "silent",
    "open": "left open by its words",
}  # fmt: skip
# Of the time line, in units of the drawing: between two cards, and the tallest bar; and how many bars and years it has.
_BETWEEN, _TALLEST, _MOST_BARS, _MOST_TICKS = 14, 190, 50, 20
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)  # years
# The same as a sign in a narrow column: a broader rule says more.
SIGNS = {"same-text": "=", "equivalent": "≈", "differs": "≠", "broader": "−", "narrower": "+", "opposed": "⇄"}
STATUSES = {
    "resolved": "", "ambiguous": "it is not certain which is meant", "dangling": "not in this library",
    "foreign": "in another book", "slip": "the author’s own slip, shown as printed",
}  # fmt: skip
# Why a reference leads nowhere, in a sentence; of an ambiguous one the page tells how sure its best reading is.
WHY_UNRESOLVED = {
    "dangling": "What it names is not in this library.",
    "foreign": "It names a place in another book, which is not in this library.",
    "slip": "The author cites the wrong provision.",
}
# What Datasette's forms leave without a name, and its headings without their order.
_UNNAMED = {
    '<select name="_filter_column': '<select aria-label="Column" name="_filter_column',
    '<select name="_filter_op': '<select aria-label="Comparison" name="_filter_op',
    '<input type="text" name="_filter_value': '<input type="text" aria-label="Value" name="_filter_value',
    '<select name="_sort"': '<select aria-label="Sort by" name="_sort"',
    "<h3>": "<h2>",
    "</h3>": "</h2>",
}
# Characters of all parts of pages that are kept; one takes a byte, or two where it has signs that Latin-1 has not.
MOST_OF_PARTS = 8_000_000
_QUOTED = re.compile(r'"([^"]*)"')
_BLANK_LINE = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Block:
    """Paragraphs of one unit in a row; `part` if it is a numbered paragraph of the unit that is shown."""

    unit_id: str
    part: bool
    label: str
    paragraphs: tuple[TextParagraph, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A code on the time line, in units of the drawing: the card's left edge and the year's place on the axis."""

    code: CodeRow
    laws: int
    left: float
    at: float


@dataclass(frozen=True, slots=True)
class YearsBar:
    """So many codes of the years from `year` on: the bar's left edge, width and height in the drawing.

    `place`: how many codes are older.
    """

    year: int
    codes: int
    place: int
    left: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class TimeLine:
    """A drawing of the codes above an axis of years: as cards, or as bars where there is no room for cards."""

    width: int
    cards: tuple[Card, ...]
    bars: tuple[YearsBar, ...]
    years: tuple[tuple[int, float], ...]


def timeline(codes: Sequence[CodeRow], laws: dict[str, int], width: int = 1000, card: int = 112) -> TimeLine | None:
    """Place the codes, the oldest first, on an axis of years.

    Cards that would overlap are moved apart, from the last one back, but not beyond where the axis begins. Codes that
    have no room for cards are counted by so many years that there are at most fifty bars.
    """
    if not codes:
        return None
    first, last = codes[0].year, codes[-1].year
    if len(codes) * (card + _BETWEEN) - _BETWEEN > width:
        return _bars([code.year for code in codes], width)
    scale = (width - card) / max(last - first, 1)
    places = [(c, (c.year - first) * scale + card / 2) for c in codes]
    lefts: list[float] = []
    limit = float(width)
    for _, at in reversed(places):
        limit = min(at - card / 2, limit - card)
        lefts.append(limit)
        limit -= _BETWEEN
    cards, free = list[Card](), 0.0
    for (c, at), x in zip(places, reversed(lefts), strict=True):
        cards.append(Card(c, laws.get(c.id, 0), round(max(x, free), 1), round(at, 1)))
        free = max(x, free) + card + _BETWEEN
    ticks = ((y, round((y - first) * scale + card / 2, 1)) for y in _ticks(first, last))
    return TimeLine(width, tuple(cards), (), tuple(ticks))


def _bars(years: Sequence[int], width: int) -> TimeLine:
    step = next((n for n in _STEPS if (years[-1] // n - years[0] // n) < _MOST_BARS), _STEPS[-1])
    first, end = years[0] // step * step, (years[-1] // step + 1) * step
    scale = width / (end - first)
    counts = Counter(year // step * step for year in years)
    tallest, place, bars = max(counts.values()), 0, list[YearsBar]()
    for year, n in sorted(counts.items()):
        bars.append(YearsBar(year, n, place, round((year - first) * scale + 1, 1), round(step * scale - 2, 1),
                        round(max(_TALLEST * n / tallest, 2), 1)))  # fmt: skip
        place += n
    ticks = ((y, round((y - first) * scale, 1)) for y in _ticks(first, end))
    return TimeLine(width, (), tuple(bars), tuple(ticks))


def _ticks(first: int, last: int) -> Iterator[int]:
    """The years that are written on an axis: each tenth, or fewer where there are many."""
    step = next((n for n in _STEPS if n >= 10 and (last - first) // n < _MOST_TICKS), _STEPS[-1])
    return (year for year in range(first // step * step, last + 1, step) if year >= first)


def gist(text: str, length: int) -> str:
    """The beginning of a text, cut between words."""
    flat = " ".join(text.split())
    if len(flat) <= length:
        return flat
    return flat[: flat.rfind(" ", 0, length)].rstrip(" ,;:.—-") + "…"


def kind_name(about: Domain, kind: str, count: int = 1) -> str:
    """The name of a kind of unit in a library, for one or several."""
    return about.noun_of_kind(kind).of(count)


class Site:
    """What the templates may ask of the site."""

    edit_kinds, sources, relations, statuses = EDIT_KINDS, SOURCES, RELATIONS, STATUSES
    signs, why_unresolved, readings, meant = SIGNS, WHY_UNRESOLVED, READINGS, MEANT
    doubt, outcomes = DOUBT, OUTCOMES

    def __init__(self, datasette: Datasette) -> None:
        self._datasette = datasette
        self._base = str(datasette.setting("base_url"))
        self.parts: LRUCache[Hashable, Markup] = LRUCache(MOST_OF_PARTS, getsizeof=len)
        keeping = cached(self.parts, key=lambda *key, caller: key, lock=Lock())
        self._kept = keeping(lambda *key, caller: caller())
        self.static = cache(self._static)

    def href(self, path: str) -> str:
        """The address of a path of the site, under its base_url."""
        return self._base + path.removeprefix("/")

    def _static(self, name: str) -> str:
        """The address of a static file; it changes when the software does, so that it can be kept for ever."""
        return f"{self._datasette.urls.static_plugins(library.static_name(), name)}?v={library.software()}"

    @property
    def copied(self) -> bool:
        """Whether the page will stand among files, without a server behind it."""
        return bool(library.configured(self._datasette).get("copied"))

    @property
    def editing(self) -> bool:
        """Whether the server is the editor's own."""
        return library.edited(self._datasette)

    def picture(self, request: PageRequest, name: str) -> str:
        """The whole address of a static file, for those who show it beside a link to the page."""
        return request.absolute(f"/-/static-plugins/{library.static_name()}/{name}?v={library.software()}")

    def tables(self) -> str:
        """The address of the tables behind the pages."""
        knowledge = library.known(self._datasette)
        return str(self._datasette.urls.database(knowledge.db.name)) if knowledge else self.href("/")

    @property
    def about(self) -> Domain:
        """What the library is about, and the words it has for things."""
        knowledge = library.known(self._datasette)
        return knowledge.domain if knowledge else Domain()

    @property
    def examples(self) -> Examples:
        """What readers may try."""
        return self.about.examples

    @property
    def rooms(self) -> frozenset[str]:
        """What the library has to show (`kb.read.domain.rooms`)."""
        knowledge = library.known(self._datasette)
        return knowledge.rooms if knowledge else frozenset()

    def shows(self, room: str) -> bool:
        """Whether a page has anything to show."""
        return room in self.rooms

    @property
    def provision(self) -> str:
        """What the library calls a provision."""
        return self.about.provision.singular

    @property
    def provisions(self) -> str:
        """What it calls several."""
        return self.about.provision.several

    @property
    def the_provisions(self) -> str:
        """What is searched: its provisions, or its texts if it has no code."""
        return f"the {self.provisions}" if self.shows("codes") else "the texts"

    @property
    def a_provision(self) -> str:
        """A provision, with its article."""
        return a(self.provision)

    @property
    def code(self) -> str:
        """What the library calls a code."""
        return self.about.code.singular

    @property
    def codes(self) -> str:
        """What it calls several."""
        return self.about.code.several

    @property
    def a_code(self) -> str:
        """A code, with its article."""
        return a(self.code)

    def noun(self, code: CodeRow, count: int) -> str:
        """What a code calls its provisions, for one or several."""
        return self.about.noun(code.provision).of(count)

    @property
    def hint(self) -> str:
        """What may be typed into the box."""
        return ", or ".join(filter(None, (self.examples.hint, *self.examples.citations[:1])))

    @property
    def tries(self) -> list[tuple[str, str]]:
        """Searches to try with their addresses, a citation at the end; a copy takes plain words only."""
        words = self.examples.search[:1] if self.copied else self.examples.search
        tried = (*words, *self.examples.citations[:1])
        return [(_QUOTED.sub("“\\1”", text), f"/search?q={quote_plus(text, safe=':')}") for text in tried]

    @property
    def example_id(self) -> str:
        """The id of a provision."""
        return "/".join((self.examples.unit or "").split("/")[:2])

    def kind(self, kind: str, count: int = 1) -> str:
        """The name of a kind of unit, for one or several."""
        return kind_name(self.about, kind, count)

    def role(self, kind: str) -> str:
        """What a kind of unit is to the software: `provision`, `case` ..."""
        return self.about.roles.get(kind, "")

    def marked(self, snippet: str) -> Markup:
        """A snippet with its hits marked: escaped first, so that no text of a book is ever markup."""
        safe = str(escape(snippet)).replace(BEGIN, "<mark>").replace(END, "</mark>")
        return Markup(safe)

    def amended(self, html: Markup) -> Markup:
        """A part of one of Datasette's own pages, with names for its fields; what visitors typed is escaped in it."""
        told = str(html)
        for found, named in _UNNAMED.items():
            told = told.replace(found, named)
        return Markup(told)

    def gist(self, text: str, length: int = 90) -> str:
        """The beginning of a text, cut between words."""
        return gist(text, length)

    def blocks(self, passage: UnitText) -> list[Block]:
        """A passage by its numbered paragraphs, each with its printed label set apart."""
        blocks = []
        for owner, group in groupby(passage.paragraphs, key=lambda p: p.unit_id):
            first, *rest = group
            part = owner != passage.unit.id
            number = owner.rpartition("/")[2] if part else passage.unit.number
            kind = "" if part else passage.unit.kind
            label, first = without_label(first, number, kind) if first.opens or not part else ("", first)
            told = tuple(p for p in (first, *rest) if any(run.text.strip() for run in p.runs))
            if told:
                blocks.append(Block(owner, part, label, told))
        return blocks

    def paragraphs(self, text: str) -> list[str]:
        """A reading text cut at its blank lines."""
        return [p for p in _BLANK_LINE.split(text) if p.strip()]

    def inline(self, paragraph: TextParagraph) -> Markup:
        """A paragraph as running text, see `datasette_plugins.inline`."""
        return inline(paragraph.runs, self.href, STATUSES)

    def kept(self, *key: Hashable, caller: Callable[[], Markup]) -> Markup:
        """A part of a page that depends on nothing but its key and the build: made once."""
        knowledge = library.known(self._datasette)
        made: Markup = self._kept(*key, caller=caller) if knowledge and knowledge.seed else caller()
        return made

    def arrows(self, verdict: str) -> str:
        """A verdict with its arrows as a printer sets them."""
        return verdict.replace("->", "→")

    def percent(self, share: float) -> str:
        """A probability or share as people read it; never 100 % unless it is."""
        return "100 %" if share >= 1 else f"{min(round(share * 100), 99)} %"

    def release(self) -> str:
        """The release of the software and the first digits of the data's checksum."""
        data = library.build(self._datasette)
        return f"{library.release()}{' · data ' + data if data else ''}"
