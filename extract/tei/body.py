"""Write the body of a TEI text: spans of the scan become nested elements, inside the containers that TEI requires.

TEI allows no paragraph after a division, no division in a note, no text between divisions. So a paragraph is opened
when a word comes, text after an inner division gets a division of its own, and in notes, headings and cells a unit
is a `<seg>`. These containers (paragraphs, sections, tables) have no span of the scan: each stays open until something
comes that cannot be in it, or until the span around it ends.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import pairwise
from operator import itemgetter

from lxml import etree

from extract.errors import TeiError
from extract.model import Edition, Page, Unit
from extract.tei.elements import (
    edit_element,
    index_elements,
    page_element,
    reference_element,
    unit_element,
    white_element,
)
from extract.tei.stream import Piece, Register
from extract.tei.stretches import MarkedSpan
from extract.tei.terms import BLANK, FORMS, WHOLE_TEXT, XML_ID, BeforeAfter, E, fill, name, pointer

_P, _TABLE = name("p"), name("table")
_BLOCKS = frozenset(map(name, ("body", "div", "note", "table")))
_FLOWS = frozenset(map(name, ("p", "head", "seg", "ref", "cell")))
_NO_DIVISIONS = frozenset(map(name, ("head", "seg", "ref", "cell", "row", "note")))


class Body:
    """The body of an edition; `parents` are links to parents that the nesting of elements does not show.

    Args:
        edition: the edition.
        marked: its spans with an element of their own, outer before inner.
        stream: the pieces of its scan; no border of a span or page is within a piece.
        register: assigns the ids of grounds and of white space.
    Raises:
        TeiError: units or references cross, or are empty.
    """

    def __init__(
        self, edition: Edition, marked: Iterable[MarkedSpan], stream: Iterable[Piece], register: Register
    ) -> None:
        self.element: etree._Element = E.body()
        self.parents: list[etree._Element] = []
        self._book_id, self._register = edition.book_id, register
        self._units = {unit.id: unit for unit in edition.units}
        self._chains = _chains(edition.units)
        # Sorted by offset; at the same offset pages come first, then spans, then words.
        coming: list[tuple[int, Page | MarkedSpan | Piece]] = [(page.raw_start, page) for page in edition.pages]
        coming += [(stretch.span.start, stretch) for stretch in marked]
        coming += [(piece.start, piece) for piece in stream]
        self._coming = deque(sorted(coming, key=itemgetter(0)))
        self._unit_of: dict[etree._Element, Unit] = {}  # the unit of an element, or the heading of a section
        self._span = self._top = self.element  # the innermost open element with a span; the innermost open element
        self._words: list[str] = []
        self._white: list[BeforeAfter] = []
        self._fill(self.element, len(edition.scan) + 1)
        if self.element.find(name("div")) is None and self.element.find(_P) is None:
            self._add(E.p())  # TEI requires content in a body, even for a book that is all furniture

    def _fill(self, element: etree._Element, end: int, first: Iterable[etree._Element] = ()) -> None:
        """Write into an element everything that begins before the offset `end`, after the elements in `first`."""
        around = self._span, self._top
        self._span = self._top = element
        for index in first:
            self._add(index)
        while self._coming and self._coming[0][0] < end:
            _, item = self._coming.popleft()
            if isinstance(item, Page):
                self._settle()
                self._add(page_element(item))
            elif isinstance(item, MarkedSpan):
                self._stretch(item, end)
            else:
                self._piece(item)
        self._settle(ends=True)
        self._flush()
        self._span, self._top = around

    def _piece(self, piece: Piece) -> None:
        if piece.white:
            self._white.append(piece.reading)
            return
        self._settle()
        before, _, ground = piece.reading
        if ground is None:
            self._paragraph()
            self._words.append(before)
            return
        element = edit_element(piece.reading, ground, self._register)
        if element.tag != name("fw"):
            self._paragraph()
        self._add(element)

    # Spans

    def _stretch(self, stretch: MarkedSpan, end: int) -> None:
        """Write a span with its contents, inside a span that ends at `end`."""
        item, span = stretch.item, stretch.span
        if not span or span.end > end or (stretch.cells and self._top.tag == name("ref")):
            what = item.id if isinstance(item, Unit) else "a reference"
            raise TeiError(
                f"{self._book_id}: {what} at {span.start}-{span.end} is empty, or crosses the border of "
                f"{self._holder()}; correct its beginning and end."
            )
        if isinstance(item, Unit):
            self._unit(item, stretch)
        else:
            self._settle()
            self._paragraph()
            self._fill(self._add(reference_element(item, self._register)), span.end)

    def _unit(self, unit: Unit, stretch: MarkedSpan) -> None:
        form = FORMS.get(unit.kind, "row" if stretch.cells else "div")
        if form != "note" and any(e.tag in _NO_DIVISIONS for e in self._opened()):
            form = "seg"
        self._settle(ends=form not in ("note", "seg"))
        if form == "seg":
            self._paragraph()
        elif form != "note":
            self._make_room(form, unit)
        section = next(
            (self._unit_of[e].label for e in self._opened() if e in self._unit_of and XML_ID not in e.attrib), None
        )
        if unit.parent_id != self._holder() and form != "note":
            parent = pointer(unit.parent_id) if unit.parent_id is not None else f"#{WHOLE_TEXT}"
            self.parents.append(E.link(target=f"{pointer(unit.id)} {parent}"))
        if form == "head":
            self._open(E.div(type="section"))
            self._unit_of[self._top] = unit
        made = self._add(unit_element(unit, form, self._chains, self._register))
        self._unit_of[made] = unit
        indexes = index_elements(unit, form, section)
        if not stretch.cells:
            self._fill(made, stretch.span.end, indexes)
            return
        made.extend(E.cell(n=cell.value) for cell in stretch.cells)
        made[0].extend(indexes)
        for element, cell in zip(made, stretch.cells, strict=True):
            self._fill(element, cell.span.end)

    def _opened(self) -> Iterator[etree._Element]:
        """Yield the open elements, the innermost first."""
        yield self._top
        yield from self._top.iterancestors()

    def _holder(self) -> str | None:
        """The id of the innermost open unit or section, or None."""
        return next((self._unit_of[e].id for e in self._opened() if e in self._unit_of), None)

    def _make_room(self, form: str, unit: Unit) -> None:
        """Close other tables, paragraphs, and sections that do not hold the unit; open a table for a row."""
        above: set[str] = set()
        parent = unit.parent_id
        while parent in self._units and parent not in above:
            above.add(parent)
            parent = self._units[parent].parent_id
        while self._top is not self._span and not (self._top in self._unit_of and self._unit_of[self._top].id in above):
            if self._top.tag == _TABLE and form == "row":
                return
            self._close()
        if form == "row":
            self._open(E.div(type="table"))
            self._open(E.table())

    def _paragraph(self) -> None:
        """Make sure that the innermost open element can hold text."""
        if self._top.tag == _TABLE:
            self._close()
            self._close()
        if self._top.tag in _FLOWS:
            return
        if self._top.find(name("div")) is not None:
            self._open(E.div(type="continued"))
        self._open(E.p())

    # White space

    def _settle(self, *, ends: bool = False) -> None:
        """Write the pending white space, which may end a paragraph.

        A usual blank between words of one line is written as a blank, but not at the border of an element (`ends`),
        where XML readers may trim it.
        """
        waiting, self._white = self._white, []
        if self._top.tag == _P and (ends or any("\n\n" in w.after for w in waiting)):
            self._close()
        in_text = self._top.tag in _FLOWS
        plain = len(waiting) == 1 and in_text and not ends and self._has_text()
        if plain and self._register.white(waiting[0]) == BLANK:
            self._words.append(" ")
            return
        for white in waiting:
            if in_text and "\n" in white.before and white.after:
                self._words.append("\n")
            self._add(white_element(white, self._register, in_text=in_text))

    def _has_text(self) -> bool:
        """Whether the open element holds more than index entries, so that a blank is not at its beginning."""
        return bool(self._words) or (len(self._top) > 0 and self._top[-1].tag != name("index"))

    # Elements

    def _add(self, element: etree._Element) -> etree._Element:
        """Append an element to the open one; directly in a body, division, note or table it gets a line of its own."""
        self._flush()
        self._top.append(element)
        if self._top.tag in _BLOCKS:
            self._top.text = element.tail = "\n"
        return element

    def _open(self, element: etree._Element) -> None:
        """Append an element without a span, and open it."""
        self._top = self._add(element)

    def _close(self) -> None:
        """Close the innermost open element, which has no span."""
        self._flush()
        self._top = next(self._top.iterancestors())

    def _flush(self) -> None:
        fill(self._top, "".join(self._words))
        self._words.clear()


def _chains(units: Iterable[Unit]) -> dict[str, dict[str, str]]:
    """For the parts of units that the print sets apart, the id of the `next` and of the previous (`prev`) part."""
    chains: dict[str, list[str]] = {}
    for unit in units:
        if unit.continues is not None:
            chains.setdefault(unit.continues, [unit.continues]).append(unit.id)
    links = [link for ids in chains.values() for link in pairwise(ids)]
    return {"next": dict(links), "prev": {after: before for before, after in links}}
