"""Grow the body of a TEI text piece by piece: paragraphs, divisions, notes and tables open and close as they must.

TEI allows no paragraph after a division, no division in a note, no text between divisions. So a paragraph opens
when a word comes, text after an inner division gets a division of its own, and in notes, headings and cells a unit
is a `<seg>`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from lxml import etree

from extract.model import Page, Reference, Unit
from extract.tei.cells import Cell
from extract.tei.marks import Marker, is_formework
from extract.tei.stream import Piece
from extract.tei.terms import element, fill, name
from extract.tei.units import NOTES, Describer, Form

Mode = Literal["block", "flow", "row"]
_MODES: dict[Form, Mode] = {"div": "block", "note": "block", "head": "flow", "seg": "flow", "row": "row"}


@dataclass(slots=True)
class _Open:
    """An open element and what it holds: paragraphs and divisions (`block`), text (`flow`), or cells (`row`).

    `lingers`: it stands for no unit, and stays open until something comes that cannot be in it.
    """

    element: etree._Element
    mode: Mode
    unit: Unit | None = None
    lingers: Literal["", "paragraph", "rest", "table", "section"] = ""
    begun: bool = False
    divided: bool = False


class Flow:
    """The body as far as it is written; pieces, pages and the borders of units come in the order of the scan."""

    def __init__(self, body: etree._Element, marker: Marker, describer: Describer) -> None:
        self._open = [_Open(body, "block")]
        self._marker, self._describer = marker, describer
        self._words: list[str] = []
        self._white: list[Piece] = []

    def piece(self, piece: Piece) -> None:
        """Write a word, white space or an edit."""
        if piece.white:
            self._white.append(piece)
            return
        self._settle()
        if piece.ground is not None:
            if not is_formework(piece, piece.ground):
                self._paragraph()
            self._add(self._marker.edit(piece, piece.ground))
            return
        self._paragraph()
        self._words.append(piece.before)
        self._open[-1].begun = True

    def page(self, page: Page) -> None:
        """Write the beginning of a page."""
        self._settle()
        self._add(self._marker.page(page))

    def open_unit(self, unit: Unit, ancestors: Collection[str], cells: Sequence[Cell] = ()) -> None:
        """Begin a unit.

        Args:
            unit: the unit.
            ancestors: the ids of its parent, its parent's parent, and so on.
            cells: where its cells lie, if it is the row of a table.
        """
        form = self._form(unit, cells)
        self._settle(ends=form not in ("note", "seg"))
        if form == "seg":
            self._paragraph()
        elif form != "note":
            self._make_room(form, ancestors)
        section, holder = self._section(), self._holder()
        if form == "head":
            self._push(_Open(element("div", type="section"), "block", unit, "section"))
        made = self._describer.begin(unit, form, holder)
        self._push(_Open(made, _MODES[form], unit))
        for cell in cells:
            made.append(element("cell", n=cell.value))
        for index in self._describer.names(unit, form, section):
            if form == "row":
                made[0].append(index)
            else:
                self._add(index, counts=False)

    def close_unit(self) -> None:
        """End the unit that was opened last."""
        self._settle(ends=True)
        while self._open[-1].lingers:
            self._pop()
        self._pop()

    def open_cell(self, cell: Cell) -> None:
        """Begin a cell of the row that was opened last."""
        self._open.append(_Open(self._open[-1].element[cell.index], "flow"))

    def open_references(self, group: Sequence[Reference]) -> None:
        """Begin references of one stretch and one standing."""
        self._settle()
        self._paragraph()
        self._push(_Open(self._marker.reference(group), "flow"))

    def close_flow(self) -> None:
        """End the cell or the references that were opened last."""
        self._settle(ends=True)
        self._pop()

    def finish(self) -> None:
        """Write what is pending at the end of the scan."""
        self._settle(ends=True)
        while len(self._open) > 1:
            self._pop()
        body = self._open[0].element
        if body.find(name("div")) is None and body.find(name("p")) is None:
            self._add(element("p"))  # TEI wants something in a body, even of a book that is all furniture

    # What is open

    def _form(self, unit: Unit, cells: Sequence[Cell]) -> Form:
        if unit.kind in NOTES:
            return "note"
        flows = (o.mode != "block" and o.lingers != "paragraph" for o in self._open)
        if any(flows) or any(o.unit is not None and o.unit.kind in NOTES for o in self._open):
            return "seg"
        if unit.kind == "section":
            return "head"
        return "row" if cells else "div"

    def _section(self) -> str | None:
        """The label of the innermost section that is open."""
        return next((o.unit.label for o in reversed(self._open) if o.unit and o.lingers == "section"), None)

    def _holder(self) -> str | None:
        """The id of the innermost unit or section that is open."""
        return next((o.unit.id for o in reversed(self._open) if o.unit), None)

    def _make_room(self, form: Form, ancestors: Collection[str]) -> None:
        """Close what cannot hold a new division, row or section: other tables and texts, sections it is not of."""
        while self._open[-1].lingers:
            top = self._open[-1]
            if top.lingers == "table" and form == "row":
                return
            if top.lingers == "section" and top.unit and top.unit.id in ancestors:
                break
            self._pop()
        if form == "row":
            self._push(_Open(element("div", type="table"), "block", None, "rest"))
            self._push(_Open(element("table"), "block", None, "table"))

    def _paragraph(self) -> None:
        """Make sure that text may follow."""
        if self._open[-1].lingers == "table":
            self._pop()
            self._pop()
        if self._open[-1].mode != "block":
            return
        if self._open[-1].divided:
            self._push(_Open(element("div", type="continued"), "block", None, "rest"))
        self._push(_Open(element("p"), "flow", None, "paragraph"))

    # White space

    def _settle(self, *, ends: bool = False) -> None:
        """Write the white space that waits: it may end a paragraph, and what precedes an end is written out in full."""
        waiting, self._white = self._white, []
        if self._open[-1].lingers == "paragraph" and (ends or any("\n\n" in w.after for w in waiting)):
            self._pop()
        top = self._open[-1]
        if len(waiting) == 1 and top.begun and top.mode == "flow" and not ends and self._marker.usual(waiting[0]):
            self._words.append(" ")
            return
        for white in waiting:
            if top.mode == "flow" and "\n" in white.before and white.after:
                self._words.append("\n")
            self._add(self._marker.white(white, in_text=top.mode == "flow"))

    # Elements

    def _add(self, made: etree._Element, *, counts: bool = True) -> None:
        """Append an element to the open one; between divisions each gets a line of its own."""
        self._flush()
        top = self._open[-1]
        top.element.append(made)
        top.begun = top.begun or counts
        if top.mode == "block":
            top.element.text, made.tail = "\n", "\n"

    def _push(self, opened: _Open) -> None:
        self._open[-1].divided |= opened.element.tag.endswith("}div")
        self._add(opened.element)
        self._open.append(opened)

    def _pop(self) -> None:
        self._flush()
        self._open.pop()

    def _flush(self) -> None:
        if self._words:
            fill(self._open[-1].element, "".join(self._words))
            self._words.clear()
