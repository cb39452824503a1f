"""What the element of a unit says of it: kind, number, label, heading, parent, code, what it explains, certainty."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from lxml import etree

from extract.model import Unit
from extract.tei.stream import Register
from extract.tei.terms import WHOLE_TEXT, XML_ID, Ground, degree, element, pointer, xml_id

Form = Literal["div", "head", "row", "note", "seg"]
NOTES = ("footnote", "note")


def is_row(unit: Unit) -> bool:
    """Whether a unit is a row of a table, where there is room for one."""
    return bool(unit.cells) and unit.kind not in (*NOTES, "section", "table")


def usual_label(kind: str, text: str) -> str:
    """The label that goes without saying: a heading is labelled by its own words."""
    return " ".join(text.split()) if kind == "section" else ""


def usual_heading(kind: str, label: str, section: str | None) -> str | None:
    """The heading that goes without saying: the label of the section that holds the unit, or the section's own."""
    return label if kind == "section" else section


class Describer:
    """Makes the elements of units, and keeps the parents that the nesting of elements does not show.

    `further` has the id of the next stretch of each footnote, or stretch of one, that goes on.
    """

    def __init__(self, register: Register, further: Mapping[str, str]) -> None:
        self.register, self.further = register, further
        self.parents: list[tuple[str, str]] = []

    def begin(self, unit: Unit, form: Form, holder: str | None) -> etree._Element:
        """The empty element of a unit.

        Args:
            unit: the unit.
            form: which element.
            holder: the id of the unit, or section, whose element holds this one.
        """
        made = element(form)
        made.set(XML_ID, xml_id(unit.id))
        if form == "row":
            made.set("role", unit.kind)
        elif form != "head":
            made.set("type", unit.kind)
        if unit.number is not None:
            made.set("n", unit.number)
        if form == "note":
            holder = unit.parent_id
            if holder is not None:
                made.set("target", pointer(holder))
        if unit.parent_id != holder:
            parent = pointer(unit.parent_id) if unit.parent_id is not None else f"#{WHOLE_TEXT}"
            self.parents.append((pointer(unit.id), parent))
        if unit.code_id is not None:
            made.set("source", f"#code_{xml_id(unit.code_id)}")
        if unit.id in self.further:
            made.set("next", pointer(self.further[unit.id]))
        if unit.continues is not None:
            before = (key for key, after in self.further.items() if after == unit.id)
            made.set("prev", pointer(next(before)))
        if unit.explains:
            made.set("corresp", " ".join(map(pointer, unit.explains)))
        if unit.confidence != 1.0:
            made.set("ana", f"#{self.register.ground(Ground('borders', None, unit.confidence))}")
            made.set("cert", degree(unit.confidence))
        return made

    def names(self, unit: Unit, form: Form, section: str | None) -> Iterator[etree._Element]:
        """The label and heading of a unit as index entries, where they do not go without saying.

        So are the cells of a row that stands where no table can.
        """
        if unit.label != usual_label(unit.kind, unit.text):
            yield _index("label", unit.label)
        if unit.heading != usual_heading(unit.kind, unit.label, section):
            yield _index("heading", unit.heading)
        for cell in unit.cells if form != "row" else ():
            yield _index("cell", cell)


def _index(kind: str, words: str | None) -> etree._Element:
    made = element("index", indexName=kind)
    if words is not None:
        made.append(element("term", words))
    return made
