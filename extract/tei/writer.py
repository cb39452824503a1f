"""Write an edition as a TEI P5 file that holds everything: reading text, scan, edits, pages, units and references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from lxml import etree

from extract.corpus.book import Book
from extract.errors import TeiError
from extract.model import Edition, Reference, Span, Unit
from extract.tei.cells import Cell, cells_of
from extract.tei.flow import Flow
from extract.tei.header import each_on_a_line, header, standoff
from extract.tei.marks import Marker
from extract.tei.stream import Register, pieces
from extract.tei.terms import NSMAP, SCHEMA, WHOLE_TEXT, XML_ID, XML_LANG, name, pointer
from extract.tei.units import NOTES, Describer, is_row
from extract.text.textlayer import TextLayer


@dataclass(frozen=True, slots=True)
class _Interval:
    """A stretch with an element of its own: a unit, a cell, or references of one stretch and standing.

    `rank` orders intervals of the same stretch; `cells` are those of a unit that is a row.
    """

    span: Span
    item: Unit | Cell | tuple[Reference, ...]
    rank: int
    cells: tuple[Cell, ...] = ()


def to_tei(book: Book, edition: Edition) -> etree._ElementTree:
    """Make the TEI document of an edition.

    Args:
        book: the book.
        edition: its edition; the scan and the edits are written as words, white space and readings.
    Returns:
        The document; `extract.tei.reader.from_tei` gives the edition back, but for suggestions and findings.
    Raises:
        TeiError: units, pages, references and edits cross each other, or a text holds what XML cannot carry.
    """
    layer = TextLayer(edition.scan, edition.edits)
    intervals = _intervals(edition, layer)
    borders = [b for i in intervals for b in (i.span.start, i.span.end)]
    stream = list(pieces(edition.scan, layer.edits, [*borders, *(p.raw_start for p in edition.pages)]))
    register = Register(stream)
    describer = Describer(register, _further(edition.units))
    root = etree.Element(name("TEI"), nsmap=NSMAP)
    text = etree.SubElement(root, name("text"), {XML_ID: WHOLE_TEXT, XML_LANG: "en"})
    flow = Flow(etree.SubElement(text, name("body")), Marker(register), describer)
    score = _Score(edition, intervals, flow)
    try:
        for piece in stream:
            score.reach(piece.start)
            flow.piece(piece)
        score.reach(len(edition.scan))
        flow.finish()
        _remarks(text, edition)
        root.insert(0, header(book, edition, register))
        root.extend(standoff(register, describer.parents))
    except ValueError as error:
        raise TeiError(f"{book.id}: XML cannot carry a number, label or note ({error}); correct it.") from error
    each_on_a_line(root)
    root.addprevious(
        etree.ProcessingInstruction(
            "xml-model",
            f'href="{SCHEMA.name}" type="application/xml" schematypens="http://relaxng.org/ns/structure/1.0"',
        )
    )
    return root.getroottree()


def _further(units: Sequence[Unit]) -> dict[str, str]:
    """Of each footnote that goes on elsewhere, and of each of its stretches but the last, the id of the next."""
    last: dict[str, str] = {}
    found: dict[str, str] = {}
    for unit in units:
        if unit.continues is not None:
            found[last.get(unit.continues, unit.continues)] = unit.id
            last[unit.continues] = unit.id
    return found


def _remarks(text: etree._Element, edition: Edition) -> None:
    """The editor's notes to the reader, after the text, each pointing to the unit it is on."""
    placed = [(note, holder) for note in edition.notes if (holder := edition.holder(note.span))]
    if not placed:
        return
    div = etree.SubElement(etree.SubElement(text, name("back")), name("div"), {"type": "editorial"})
    paragraph = etree.SubElement(div, name("p"))
    for note, holder in placed:
        about = {"type": "editorial", "resp": "#editor", "target": pointer(holder.id)}
        etree.SubElement(paragraph, name("note"), about).text = note.text


def _intervals(edition: Edition, layer: TextLayer) -> list[_Interval]:
    """All stretches with an element of their own, outer before inner."""
    notes = sorted(u.span for u in edition.units if u.kind in NOTES or u.continues is not None)
    spans = [(u.id, u.span) for u in edition.units] + [("", Span(*_stretch(r))) for r in edition.references]
    found: list[_Interval] = []
    running = -1  # how far a unit reaches that has no room for tables
    for unit in sorted(edition.units, key=lambda u: (u.raw_start, -u.raw_end, u.seq)):
        within = unit.raw_start < running
        cells: tuple[Cell, ...] = ()
        if is_row(unit) and not within:
            inner = [s for key, s in spans if unit.span.covers(s) and key != unit.id]
            cells = cells_of(unit, layer, notes, inner)
        found.append(_Interval(unit.span, unit, 2 if within else 0, cells))
        found += [_Interval(c.span, c, 1) for c in cells if c.span]
        if cells or unit.kind in (*NOTES, "section"):
            running = max(running, unit.raw_end)
    for _, same in groupby(enumerate(sorted(edition.references, key=_stretch)), lambda r: _standing(*r)):
        group = tuple(reference for _, reference in same)
        found.append(_Interval(Span(group[0].raw_start, group[0].raw_end), group, 3))
    return sorted(found, key=lambda i: (i.span.start, -i.span.end, i.rank))


def _stretch(reference: Reference) -> tuple[int, int]:
    return reference.raw_start, reference.raw_end


def _standing(i: int, r: Reference) -> tuple[object, ...]:
    """What the members of one `<ref>` share; one without a target has an element of its own."""
    return (*_stretch(r), r.status, r.confidence, i if r.target_id is None else None)


class _Score:
    """Tells the flow what begins and ends as the writing comes to each offset of the scan."""

    def __init__(self, edition: Edition, intervals: Sequence[_Interval], flow: Flow) -> None:
        self.edition, self.flow = edition, flow
        self.units = {unit.id: unit for unit in edition.units}
        self.coming, self.pages = intervals, sorted(edition.pages, key=lambda p: (p.raw_start, p.seq))
        self.begun = self.turned = 0
        self.open: list[_Interval] = []

    def reach(self, at: int) -> None:
        """End what ends here, turn the page, begin what begins here."""
        while self.open and self.open[-1].span.end <= at:
            self.end(self.open.pop())
        self.turn(at)
        while self.begun < len(self.coming) and self.coming[self.begun].span.start <= at:
            self.begin(self.coming[self.begun])
            self.begun += 1
            self.turn(at)

    def turn(self, at: int) -> None:
        """Turn the page, unless a row is open and no cell of it: the next one will hold the page."""
        while self.turned < len(self.pages) and self.pages[self.turned].raw_start <= at:
            if self.open and self.open[-1].cells:
                return
            self.flow.page(self.pages[self.turned])
            self.turned += 1

    def begin(self, interval: _Interval) -> None:
        outer = self.open[-1] if self.open else None
        if not interval.span:
            raise TeiError(f"{self.edition.book_id}: {_named(interval)} is empty; correct where it begins and ends.")
        if outer and (not outer.span.covers(interval.span) or (interval.cells and outer.rank == 3)):
            raise TeiError(
                f"{self.edition.book_id}: {_named(interval)} crosses {_named(outer)}; correct where they begin and end."
            )
        self.open.append(interval)
        if isinstance(interval.item, Unit):
            self.flow.open_unit(interval.item, self.ancestors(interval.item), interval.cells)
        elif isinstance(interval.item, Cell):
            self.flow.open_cell(interval.item)
        else:
            self.flow.open_references(interval.item)

    def end(self, interval: _Interval) -> None:
        if isinstance(interval.item, Unit):
            self.flow.close_unit()
        else:
            self.flow.close_flow()

    def ancestors(self, unit: Unit) -> list[str]:
        """The ids of the unit's parent, its parent's parent, and so on."""
        found: list[str] = []
        while unit.parent_id in self.units and unit.parent_id not in found:
            found.append(unit.parent_id)
            unit = self.units[unit.parent_id]
        return found


def _named(interval: _Interval) -> str:
    """An interval in words, for messages."""
    where = f"at {interval.span.start}-{interval.span.end}"
    if isinstance(interval.item, Unit):
        return f"{interval.item.id} {where}"
    return f"a cell {where}" if isinstance(interval.item, Cell) else f"the reference {where}"
