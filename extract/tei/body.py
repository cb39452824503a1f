"""Grow the body of a TEI text piece by piece: paragraphs, divisions, notes and tables open and close as they must.

TEI allows no paragraph after a division, no division in a note, no text between divisions. So a paragraph opens
when a word comes, text after an inner division gets a division of its own, and in notes, headings and cells a unit
is a `<seg>`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from lxml import etree

from extract.errors import TeiError
from extract.model import Edition, Unit
from extract.tei.elements import (
    edit_element,
    index_elements,
    page_element,
    reference_element,
    unit_element,
    white_element,
)
from extract.tei.stream import Piece, Register
from extract.tei.stretches import Cell, Stretch
from extract.tei.terms import BLANK, FORMS, WHOLE_TEXT, BeforeAfter, E, fill, name, pointer

_BLOCKS = ("body", "div", "note", "table")
_FLOWS = ("p", "head", "seg", "ref", "cell")
_NO_DIVISIONS = ("head", "seg", "ref", "cell", "row", "note")


@dataclass(slots=True)
class _Open:
    """An open element: its local tag, the unit it is or holds as a section, where in the scan it ends.

    `divided`: it holds a division, after which no paragraph may come.
    """

    element: etree._Element
    tag: str
    unit: Unit | None = None
    end: float = inf
    divided: bool = False

    @property
    def lingers(self) -> bool:
        """Whether it stands for no stretch, and stays open until something comes that cannot be in it."""
        return self.end == inf


class Body:
    """The body as far as it is written; `parents` are links to parents that the nesting of elements does not show."""

    def __init__(self, edition: Edition, coming: Iterable[Stretch], register: Register) -> None:
        self.element: etree._Element = E.body()
        self.parents: list[etree._Element] = []
        self._edition, self._register = edition, register
        self._units = {unit.id: unit for unit in edition.units}
        self._chains = _chains(edition.units)
        self._coming = deque(coming)
        self._pages = deque(sorted(edition.pages, key=lambda p: (p.raw_start, p.seq)))
        self._open = [_Open(self.element, "body", end=len(edition.scan) + 1)]
        self._words: list[str] = []
        self._white: list[BeforeAfter] = []

    def write(self, stream: Iterable[Piece]) -> None:
        """Write the whole scan.

        Raises:
            TeiError: units or references cross, or are empty.
        """
        for piece in stream:
            self._reach(piece.start)
            self._piece(piece)
        self._reach(len(self._edition.scan))
        self._settle(ends=True)
        self._flush()
        if self.element.find(name("div")) is None and self.element.find(name("p")) is None:
            self._add(E.p())  # TEI wants something in a body, even of a book that is all furniture

    def _reach(self, at: int) -> None:
        """End what ends at an offset of the scan, turn the page, begin what begins there."""
        while ending := next((o for o in reversed(self._open) if o.end <= at), None):
            self._settle(ends=True)
            while self._pop() is not ending:
                pass
        self._turn(at)
        while self._coming and self._coming[0].span.start <= at:
            self._begin(self._coming.popleft())
            self._turn(at)

    def _turn(self, at: int) -> None:
        """Turn the page, unless a row is open and no cell of it: the next one will hold the page."""
        while self._pages and self._pages[0].raw_start <= at and self._open[-1].tag != "row":
            self._settle()
            self._add(page_element(self._pages.popleft()))

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
        made = edit_element(piece.reading, ground, self._register)
        if made.tag != name("fw"):
            self._paragraph()
        self._add(made)

    # What begins

    def _begin(self, stretch: Stretch) -> None:
        item, span, top = stretch.item, stretch.span, self._open[-1]
        if not span or any(o.end < span.end for o in self._open) or (stretch.cells and top.tag == "ref"):
            what = item.id if isinstance(item, Unit) else "a reference"
            raise TeiError(
                f"{self._edition.book_id}: {what} at {span.start}-{span.end} is empty or crosses {self._holder()}; "
                "correct where it begins and ends."
            )
        if isinstance(item, Unit):
            self._begin_unit(item, stretch.cells)
        elif isinstance(item, Cell):
            self._open.append(_Open(top.element[item.index], "cell", end=span.end))
        else:
            self._settle()
            self._paragraph()
            self._push(reference_element(item, self._register), end=span.end)

    def _begin_unit(self, unit: Unit, cells: Sequence[Cell]) -> None:
        form = FORMS.get(unit.kind, "row" if cells else "div")
        if form != "note" and any(o.tag in _NO_DIVISIONS for o in self._open):
            form = "seg"
        self._settle(ends=form not in ("note", "seg"))
        if form == "seg":
            self._paragraph()
        elif form != "note":
            self._make_room(form, unit)
        section = next((o.unit.label for o in reversed(self._open) if o.unit and o.lingers), None)
        if unit.parent_id != self._holder() and form != "note":
            parent = pointer(unit.parent_id) if unit.parent_id is not None else f"#{WHOLE_TEXT}"
            self.parents.append(E.link(target=f"{pointer(unit.id)} {parent}"))
        if form == "head":
            self._push(E.div(type="section"), unit)
        made = unit_element(unit, form, self._chains, self._register)
        self._push(made, unit, unit.raw_end)
        made.extend(E.cell(n=cell.value) for cell in cells)
        for index in index_elements(unit, form, section):
            if cells:
                made[0].append(index)
            else:
                self._add(index)

    def _holder(self) -> str | None:
        """The id of the innermost unit or section that is open."""
        return next((o.unit.id for o in reversed(self._open) if o.unit), None)

    def _make_room(self, form: str, unit: Unit) -> None:
        """Close what cannot hold a new division, row or section: other tables and texts, sections it is not of."""
        above: set[str] = set()
        parent = unit.parent_id
        while parent in self._units and parent not in above:
            above.add(parent)
            parent = self._units[parent].parent_id
        while (top := self._open[-1]).lingers and not (top.unit and top.unit.id in above):
            if top.tag == "table" and form == "row":
                return
            self._pop()
        if form == "row":
            self._push(E.div(type="table"))
            self._push(E.table())

    def _paragraph(self) -> None:
        """Make sure that text may follow."""
        if self._open[-1].tag == "table":
            self._pop()
            self._pop()
        if self._open[-1].tag in _FLOWS:
            return
        if self._open[-1].divided:
            self._push(E.div(type="continued"))
        self._push(E.p())

    # White space

    def _settle(self, *, ends: bool = False) -> None:
        """Write the white space that waits; it may end a paragraph.

        A usual blank between words of one line stands as a blank, but not at the border (`ends`) of an element, where
        readers may trim it.
        """
        waiting, self._white = self._white, []
        if self._open[-1].tag == "p" and (ends or any("\n\n" in w.after for w in waiting)):
            self._pop()
        in_text = self._open[-1].tag in _FLOWS
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
        inside = self._open[-1].element
        return bool(self._words) or (len(inside) > 0 and inside[-1].tag != name("index"))

    # Elements

    def _add(self, made: etree._Element) -> None:
        """Append an element to the open one; between divisions each gets a line of its own."""
        self._flush()
        top = self._open[-1]
        top.element.append(made)
        if top.tag in _BLOCKS:
            top.element.text = made.tail = "\n"

    def _push(self, made: etree._Element, unit: Unit | None = None, end: float = inf) -> None:
        tag = etree.QName(made).localname
        self._open[-1].divided |= tag == "div"
        self._add(made)
        self._open.append(_Open(made, tag, unit, end))

    def _pop(self) -> _Open:
        self._flush()
        return self._open.pop()

    def _flush(self) -> None:
        if self._words:
            fill(self._open[-1].element, "".join(self._words))
            self._words.clear()


def _chains(units: Iterable[Unit]) -> dict[str, dict[str, str]]:
    """Of each stretch of a footnote that is set in several, the id of the `next` one, and of the one before, `prev`."""
    chains: dict[str, list[str]] = {}
    for unit in units:
        if unit.continues is not None:
            chains.setdefault(unit.continues, [unit.continues]).append(unit.id)
    links = [link for ids in chains.values() for link in pairwise(ids)]
    return {"next": dict(links), "prev": {after: before for before, after in links}}
