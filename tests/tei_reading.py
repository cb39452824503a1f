"""Read one of our TEI files back into the edition it was written from, to prove that nothing is lost."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections import namedtuple
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from lxml import etree

from extract.model import Edit, Edition, Page, Reference, Span, Unit
from extract.tei.elements import usual_heading, usual_label
from extract.tei.stretches import cell_text
from extract.tei.terms import BLANK, LINE, NAMESPACE, NOTES, WHOLE_TEXT, XML_ID, BeforeAfter, Ground, name, unit_id
from extract.tei.writer import validate
from extract.text.lines import join_parts
from extract.text.spacing import spaced
from extract.text.textlayer import TextLayer

_WHITE = {"lb": LINE, "c": BLANK, "space": BLANK}
_HOLDERS = ("body", "div", "note", "table", "row")
_FLOWS = ("p", "head", "cell", "seg")
_TRIMMED = ("p", "head", "cell")
_RUN = re.compile(r"\s+|\S+")


def from_tei(tree: etree._ElementTree) -> Edition:
    """Return the edition that `to_tei` wrote, without suggestions and findings, which are not in the file.

    Raises:
        TeiError: the document does not follow the schema.
        AssertionError: its text was changed, or is where no text may be.
    """
    validate(tree)
    declared = declarations(tree.getroot())
    walk = Walk(declared)
    walk.inside(find(tree.getroot(), "t:text/t:body")[0], Around())
    scan = "".join(walk.scan)
    assert hashlib.sha256(scan.encode("utf-8")).hexdigest() == declared.sha256, "the text is not that of the scan"
    ends = [*(start for start, *_ in walk.pages[1:]), len(scan)]
    pages = tuple(
        Page(i, start, end, *rest) for i, ((start, *rest), end) in enumerate(zip(walk.pages, ends, strict=False))
    )
    layer = TextLayer(scan, tuple(walk.edits))
    home = home_of(walk.units)
    references = [
        replace(r, from_unit=home.get(r.from_unit, r.from_unit), raw=scan[r.raw_start : r.raw_end])
        for r in sorted(walk.references, key=lambda r: (r.raw_start, r.raw_end))
    ]
    units = units_of(declared, walk, layer, pages)
    return Edition(declared.book_id, scan, layer.edits, (), pages, units, tuple(references))


def assert_same(edition: Edition, read: Edition) -> None:
    """Assert that an edition was read back as it was written."""
    assert read.scan == edition.scan
    assert read.edits == tuple(sorted(edition.edits))
    assert (read.pages, read.units) == (edition.pages, edition.units)
    assert read.references == tuple(sorted(edition.references, key=lambda r: (r.raw_start, r.raw_end)))


# Declarations outside the text


def declarations(root: etree._Element) -> SimpleNamespace:
    """The declarations of a file; `parents` has the units whose parent is not the unit around them."""
    grounds = {f"#{i.get(XML_ID)}": ground(i) for i in find(root, "t:standOff/t:interpGrp/t:interp")}
    whites = {}
    for char in find(root, "t:teiHeader//t:char"):
        before, after = (
            "".join(chr(int(code[2:], 16)) for code in content(m).split()) for m in find(char, "t:mapping")
        )
        why = char.get("ana")
        whites[f"#{char.get(XML_ID)}"] = BeforeAfter(before, after, None if why is None else grounds[why])
    links = [link.get("target").split() for link in find(root, "t:standOff/t:linkGrp/t:link")]
    return SimpleNamespace(
        book_id=content(find(root, "t:teiHeader//t:publicationStmt/t:idno")[0]),
        sha256=content(find(root, "t:teiHeader//t:bibl[@type='scan']/t:idno")[0]),
        grounds=grounds,
        whites=whites,
        parents={pointed_id(child): None if above == f"#{WHOLE_TEXT}" else pointed_id(above) for child, above in links},
        roles={c.get("n"): content(find(c, "t:catDesc")[0]) for c in find(root, "t:teiHeader//t:category")},
    )


def find(root: etree._Element, path: str) -> list[etree._Element]:
    """The elements on a path of TEI tags (`t:div/t:p`)."""
    return root.findall(path, {"t": NAMESPACE})


def ground(interp: etree._Element) -> Ground:
    resp = interp.get("resp")
    note = "".join(desc.text or "" for desc in find(interp, "t:desc"))
    confidence = float(find(interp, "t:certainty")[0].get("degree"))
    return Ground(interp.get("type"), resp and resp[1:], confidence, note, interp.get("n", ""))


def content(parent: etree._Element) -> str:
    """The text of an element, with the characters that XML cannot carry."""
    rest = "".join((character_of(child) if child.tag == name("g") else "") + (child.tail or "") for child in parent)
    return (parent.text or "") + rest


def character_of(g: etree._Element) -> str:
    """The character that a `<g/>` stands for."""
    return chr(int(g.get("ref").removeprefix("#u_"), 16))


def pointed_id(pointer: str) -> str:
    """The id of the unit that a pointer names."""
    return unit_id(pointer.removeprefix("#"))


# The units


def units_of(declared: SimpleNamespace, walk: Walk, layer: TextLayer, pages: tuple[Page, ...]) -> tuple[Unit, ...]:
    home = home_of(walk.units)
    notes = sorted(found.span for found in walk.units if found.kind in NOTES or found.id in home)
    page_starts = [page.raw_start for page in pages]
    labels: dict[str | None, str] = {}
    units: list[Unit] = []
    for seq, found in enumerate(walk.units):
        at, key = found.element, found.id
        further = [u.span for u in walk.units if home.get(u.id) == key]
        text = join_parts([layer.read_around(span, notes) for span in (found.span, *further)])
        names = names_of(found)
        label = names.get("label", [usual_label(found.kind, text)])[0] or ""
        heading = names.get("heading", [usual_heading(found.kind, label, labels.get(found.section))])[0]
        code, why = at.get("source"), at.get("ana")
        units.append(
            Unit(
                key,
                declared.book_id,
                None if code is None else pointed_id(code).removeprefix("code_"),
                found.kind,
                label,
                at.get("n"),
                declared.parents.get(key, found.holder),
                heading,
                seq,
                found.span.start,
                found.span.end,
                pages[max(0, bisect_right(page_starts, found.span.start) - 1)].folio if pages else None,
                text,
                1.0 if why is None else declared.grounds[why].confidence,
                tuple(map(pointed_id, at.get("corresp", "").split())),
                cells_of(found, names, layer, notes),
                home.get(key),
                declared.roles[found.kind],
                bool(pages) and pages[max(0, bisect_right(page_starts, found.span.start) - 1)].inferred,
            )
        )
        labels[key] = label
    return tuple(units)


def home_of(units: list[SimpleNamespace]) -> dict[str, str]:
    """The id of the footnote for each of its continuations."""
    home: dict[str, str] = {}
    for unit in units:
        if (before := unit.element.get("prev")) is not None:
            home[unit.id] = home.get(pointed_id(before), pointed_id(before))
    return home


def names_of(found: SimpleNamespace) -> dict[str, list[str | None]]:
    """The terms of a unit's index entries, by the name of the index; None for an entry without a term."""
    names: dict[str, list[str | None]] = {}
    for index in find(found.element[0] if tag_of(found.element) == "row" else found.element, "t:index"):
        terms = [content(term) for term in find(index, "t:term")]
        names.setdefault(index.get("indexName"), []).append(terms[0] if terms else None)
    return names


def cells_of(
    found: SimpleNamespace, names: dict[str, list[str | None]], layer: TextLayer, notes: list[Span]
) -> tuple[str, ...]:
    if tag_of(found.element) != "row":
        return tuple(cell or "" for cell in names.get("cell", ()))
    values = [cell.get("n") for cell in found.element]
    return tuple(
        cell_text(layer, span, notes) if value is None else value
        for value, span in zip(values, found.cells, strict=True)
    )


# The text


# Around an element: the innermost unit; unit or section; section; and the same around that section.
Around = namedtuple("Around", "unit holder section outside", defaults=(None,) * 4)


class Walk:
    """A walk through the text that gathers scan, edits, units, references, and the fields of pages."""

    def __init__(self, declared: SimpleNamespace) -> None:
        self.declared = declared
        self.scan: list[str] = []
        self.at = 0
        self.edits: list[Edit] = []
        self.pages: list[tuple[Any, ...]] = []
        self.units: list[SimpleNamespace] = []  # element, id, kind, holder, section, span, cells
        self.references: list[Reference] = []

    def inside(self, parent: etree._Element, around: Around) -> None:
        children = list(parent.iterchildren(etree.Element))
        self.text(parent, parent.text or "", None, children[0] if children else None)
        for child, following in pairwise([*children, None]):
            self.element(child, around)
            self.text(parent, child.tail or "", child, following)

    def text(
        self, parent: etree._Element, text: str, before: etree._Element | None, after: etree._Element | None
    ) -> None:
        tag = tag_of(parent)
        if tag in _HOLDERS:
            assert not text.strip(), "the file has text outside a paragraph"
            return
        if before is None and tag in _TRIMMED:
            text = text.lstrip()
        if tag in _TRIMMED if after is None else tag_of(after) == "lb":
            text = text.rstrip()
        for run in _RUN.findall(text):
            if run.isspace():
                self.white(f"#{BLANK}")
            else:
                self.add(run)

    def element(self, element: etree._Element, around: Around) -> None:
        tag, why = tag_of(element), element.get("ana", "")
        match tag:
            case "lb" | "c" | "space":
                self.white(why or f"#{_WHITE[tag]}")
            case "pb":
                folio = element.get("n")
                status = element.get("type", "unnumbered" if folio is None else "printed")
                self.pages.append((self.at, folio, status, element.get("cert") == "medium"))
            case "fw":
                self.edit(content(element), "", self.declared.grounds[why])
            case "sic" | "unclear" | "gap":
                self.edit(content(element), spaced(content(element)), self.declared.grounds[why])
            case "choice":
                self.edit(*map(content, element), self.declared.grounds[why])
            case "g":
                self.add(character_of(element))
            case "ref":
                targets = [*map(pointed_id, element.get("target", "").split())] or [None]
                confidence = self.declared.grounds[why].confidence
                before, start = len(self.references), self.at
                self.inside(element, around)
                self.references[before:before] = [
                    Reference(around.unit or "", start, self.at, "", target, element.get("type"), confidence)
                    for target in targets
                ]
            case _ if tag in (*_HOLDERS, *_FLOWS):
                self.holder(element, around)

    def holder(self, element: etree._Element, around: Around) -> None:
        tag, key = tag_of(element), element.get(XML_ID)
        if tag == "head" and around.outside is not None:
            around = around.outside
        if key is not None:
            self.unit(element, unit_id(key), around)
            return
        start = self.at
        heads = [unit_id(head.get(XML_ID)) for head in find(element, "t:head")] if tag == "div" else []
        self.inside(element, Around(around.unit, heads[0], heads[0], around) if heads else around)
        if tag == "cell":
            self.row.cells.append(Span(start, self.at))

    def unit(self, element: etree._Element, key: str, around: Around) -> None:
        tag, holder = tag_of(element), around.holder
        kind = "section" if tag == "head" else element.get("role" if tag == "row" else "type")
        if tag == "note":
            target = element.get("target")
            holder = None if target is None else pointed_id(target)
        found = SimpleNamespace(element=element, id=key, kind=kind, holder=holder, section=around.section, cells=[])
        self.units.append(found)
        if tag == "row":
            self.row = found
        start = self.at
        self.inside(element, Around(key, key, key if tag == "head" else around.section))
        found.span = Span(start, self.at)

    def add(self, text: str) -> None:
        self.scan.append(text)
        self.at += len(text)

    def white(self, pointer: str) -> None:
        white = self.declared.whites[pointer]
        if white.ground is not None:
            self.edit(white.before, white.after, white.ground)
        else:
            self.add(white.before)

    def edit(self, before: str, after: str, why: Ground) -> None:
        start = self.at
        self.add(before)
        self.edits.append(Edit(start, self.at, before, after, *why))


def tag_of(element: etree._Element) -> str:
    """The tag without its namespace."""
    return etree.QName(element).localname
