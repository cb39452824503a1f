"""Write an edition as a TEI P5 file that holds everything: reading text, scan, edits, pages, units and references."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from lxml import etree

from extract.book import Book
from extract.model import Edition, Reference, Span, Unit
from extract.tei_cells import Cell, cells_of
from extract.tei_flow import Flow
from extract.tei_header import header, standoff
from extract.tei_marks import Marker
from extract.tei_stream import Register, pieces
from extract.tei_terms import NAMESPACE, WHOLE_TEXT, XML_ID, XML_LANG, TeiError, element, name, xml_id
from extract.tei_units import NOTES, Describer
from extract.textlayer import TextLayer

SCHEMA = "whist-tei.rng"


@dataclass(frozen=True, slots=True)
class _Interval:
    """A stretch with an element of its own: a unit, a cell, or references of one stretch and standing."""

    span: Span
    item: Unit | Cell | tuple[Reference, ...]


def to_tei(book: Book, edition: Edition, elsewhere: Mapping[str, str] | None = None) -> etree._ElementTree:
    """Make the TEI document of an edition.

    Args:
        book: the book.
        edition: its edition; the scan and the edits are written as words, white space and readings.
        elsewhere: the book id of each unit of other books, for pointers to them (`book.xml#unit`).
    Returns:
        The document; `extract.tei_reader.from_tei` gives the edition back, but for suggestions and findings.
    Raises:
        TeiError: units, pages, references and edits cross each other, or a text holds what XML cannot carry.
    """
    here = {unit.id for unit in edition.units}

    def address(target: str) -> str:
        home = "" if target in here else (elsewhere or {}).get(target, "")
        return f"{home}.xml#{xml_id(target)}" if home else f"#{xml_id(target)}"

    layer = TextLayer(edition.scan, edition.edits)
    intervals = list(_intervals(edition, layer))
    borders = [b for i in intervals for b in (i.span.start, i.span.end)]
    stream = list(pieces(edition.scan, layer.edits, [*borders, *(p.raw_start for p in edition.pages)]))
    register = Register(stream)
    describer = Describer(register, address)
    root = etree.Element(name("TEI"), nsmap={None: NAMESPACE})
    text = etree.SubElement(root, name("text"), {XML_ID: WHOLE_TEXT, XML_LANG: "en"})
    flow = Flow(etree.SubElement(text, name("body")), Marker(register, address), describer)
    score = _Score(edition, intervals, flow)
    try:
        for piece in stream:
            score.reach(piece.start)
            flow.piece(piece)
        score.reach(len(edition.scan))
        flow.finish()
        root.insert(0, header(book, edition, register))
        root.append(standoff(register, describer.parents))
    except ValueError as error:
        raise TeiError(f"{book.id}: XML cannot carry a number, label or note ({error}); correct it.") from error
    _lines(root)
    root.addprevious(
        etree.ProcessingInstruction(
            "xml-model",
            f'href="{SCHEMA}" type="application/xml" schematypens="http://relaxng.org/ns/structure/1.0"',
        )
    )
    return root.getroottree()


def _intervals(edition: Edition, layer: TextLayer) -> Iterator[_Interval]:
    """All stretches with an element of their own, outer before inner."""
    notes = sorted(u.span for u in edition.units if u.kind in NOTES)
    found: list[_Interval] = []
    for unit in sorted(edition.units, key=lambda u: (u.raw_start, -u.raw_end, u.seq)):
        found.append(_Interval(unit.span, unit))
        found += [_Interval(c.span, c) for c in cells_of(unit, layer, notes) if c.span]
    for _, same in groupby(enumerate(sorted(edition.references, key=_stretch)), lambda r: _standing(*r)):
        group = tuple(reference for _, reference in same)
        found.append(_Interval(Span(group[0].raw_start, group[0].raw_end), group))
    rank = {Unit: 0, Cell: 1, tuple: 2}
    yield from sorted(found, key=lambda i: (i.span.start, -i.span.end, rank[type(i.item)]))


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
        self.cells: dict[str, list[Cell]] = {}

    def reach(self, at: int) -> None:
        """End what ends here, turn the page, begin what begins here."""
        while self.open and self.open[-1].span.end <= at:
            self.end(self.open.pop())
        while self.turned < len(self.pages) and self.pages[self.turned].raw_start <= at:
            self.flow.page(self.pages[self.turned])
            self.turned += 1
        while self.begun < len(self.coming) and self.coming[self.begun].span.start <= at:
            self.begin(self.coming[self.begun])
            self.begun += 1

    def begin(self, interval: _Interval) -> None:
        if self.open and not self.open[-1].span.covers(interval.span) or not interval.span:
            a, b = (i.item for i in (self.open[-1] if self.open else interval, interval))
            raise TeiError(
                f"{self.edition.book_id}: {_named(b)} at {interval.span.start} crosses the border of {_named(a)}; "
                "correct where it begins and ends."
            )
        self.open.append(interval)
        item = interval.item
        if isinstance(item, Unit):
            self.flow.open_unit(item, self.ancestors(item))
        elif isinstance(item, Cell):
            self.flow.open_cell(item)
        else:
            self.flow.open_references(item)

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
