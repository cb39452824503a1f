"""Walk through the text of a TEI file and gather the scan, the edits, and where pages, units and references lie."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, cast

from lxml import etree

from extract.errors import TeiError
from extract.model import Edit, Span
from extract.tei.declared import Declared, find
from extract.tei.terms import BLANK, LINE, XML_ID, Ground, content, pointed, sign, unit_id
from extract.text.spacing import spaced

_WHITE = {"lb": LINE, "c": BLANK, "space": BLANK}
_HOLDERS = ("body", "div", "note", "table", "row")
_FLOWS = ("p", "head", "cell", "seg", "ref")
_TRIMMED = ("p", "head", "cell")
_STANDING = ("sic", "unclear", "gap")
_RUN = re.compile(r"\s+|\S+")


@dataclass(slots=True)
class Found:
    """A unit: its element, the unit or section around it, the section it is in, where it and its cells lie."""

    element: etree._Element
    id: str
    kind: str
    holder: str | None
    section: str | None
    start: int
    end: int = 0
    cells: list[Span] = field(default_factory=list)

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @property
    def row(self) -> bool:
        return _tag(self.element) == "row"


@dataclass(slots=True)
class FoundReferences:
    """References of one stretch and one standing."""

    holder: str
    targets: tuple[str | None, ...]
    status: str
    confidence: float
    start: int
    end: int = 0


@dataclass(frozen=True, slots=True)
class _Around:
    """What is around an element: the innermost unit, unit or section, section; and what is around that section."""

    unit: str | None = None
    holder: str | None = None
    section: str | None = None
    outside: _Around | None = None


class Walk:
    """What is gathered; `pages` are their beginnings, folios and statuses."""

    def __init__(self, declared: Declared) -> None:
        self.declared = declared
        self.scan: list[str] = []
        self.at = 0
        self.edits: list[Edit] = []
        self.pages: list[tuple[int, str | None, str]] = []
        self.units: list[Found] = []
        self.references: list[FoundReferences] = []

    def read(self, body: etree._Element) -> None:
        """Walk through the body of a valid file.

        Raises:
            TeiError: text stands where no text can be, or a pointer points to nothing.
        """
        self._inside(body, _Around())

    def _inside(self, parent: etree._Element, around: _Around) -> None:
        children = [child for child in parent if isinstance(child.tag, str)]
        self._text(parent, parent.text, None, children[0] if children else None)
        for child, following in pairwise([*children, None]):
            assert child is not None
            self._element(child, around)
            self._text(parent, child.tail, child, following)

    def _text(
        self,
        parent: etree._Element,
        text: str | None,
        before: etree._Element | None,
        after: etree._Element | None,
    ) -> None:
        if not text:
            return
        tag = _tag(parent)
        if tag in _HOLDERS:
            if text.strip():
                raise TeiError(f"The TEI file has text outside a paragraph: {text.strip()[:40]!r}; put it into one.")
            return
        if before is None and tag in _TRIMMED:
            text = text.lstrip()
        if (after is None and tag in _TRIMMED) or (after is not None and _tag(after) == "lb"):
            text = text.rstrip()
        for run in _RUN.findall(text):
            if run.isspace():
                self._white(BLANK)
            else:
                self._add(run)

    def _element(self, element: etree._Element, around: _Around) -> None:
        tag, why = _tag(element), element.get("ana", "")
        if tag in _WHITE:
            self._white(pointed(why) or _WHITE[tag])
        elif tag == "pb":
            folio = element.get("n")
            self.pages.append((self.at, folio, element.get("type", "unnumbered" if folio is None else "printed")))
        elif tag == "fw":
            self._edit(content(element), "", self.declared.ground(why))
        elif tag in _STANDING:
            self._edit(content(element), spaced(content(element)), self.declared.ground(why))
        elif tag == "choice":
            before, after = (content(reading) for reading in element)
            self._edit(before, after, self.declared.ground(why))
        elif tag == "g":
            self._add(sign(element))
        elif tag == "ref":
            self._references(element, around)
        elif tag in (*_HOLDERS, *_FLOWS):
            self._holder(element, around)

    def _holder(self, element: etree._Element, around: _Around) -> None:
        tag, key = _tag(element), element.get(XML_ID)
        if tag == "head" and around.outside is not None:
            around = around.outside
        if key is not None:
            self._unit(element, unit_id(key), around)
            return
        start = self.at
        heads = [head.get(XML_ID, "") for head in find(element, "t:head")] if tag == "div" else []
        inner = _Around(around.unit, unit_id(heads[0]), unit_id(heads[0]), around) if heads else around
        self._inside(element, inner)
        if tag == "cell":
            self.units[self._row].cells.append(Span(start, self.at))

    def _unit(self, element: etree._Element, key: str, around: _Around) -> None:
        tag, holder = _tag(element), around.holder
        kind = "section" if tag == "head" else element.get("role" if tag == "row" else "type", "")
        if tag == "note":
            target = element.get("target")
            holder = unit_id(pointed(target)) if target is not None else None
        found = Found(element, key, kind, holder, around.section, self.at)
        self.units.append(found)
        if tag == "row":
            self._row = len(self.units) - 1
        self._inside(element, _Around(key, key, key if tag == "head" else around.section))
        found.end = self.at

    def _references(self, element: etree._Element, around: _Around) -> None:
        targets = tuple(unit_id(pointed(p)) for p in element.get("target", "").split())
        found = FoundReferences(
            around.unit or "",
            targets or (None,),
            element.get("type", ""),
            self.declared.ground(element.get("ana", "")).confidence,
            self.at,
        )
        self.references.append(found)
        self._inside(element, around)
        found.end = self.at

    # The scan

    def _add(self, text: str) -> None:
        self.scan.append(text)
        self.at += len(text)

    def _white(self, key: str) -> None:
        white = self.declared.white(key)
        if white.ground is not None:
            self._edit(white.before, white.after, white.ground)
        else:
            self._add(white.before)

    def _edit(self, before: str, after: str, ground: Ground) -> None:
        start = self.at
        self._add(before)
        self.edits.append(Edit(start, self.at, before, after, *cast("tuple[Any, ...]", ground)))


def _tag(element: etree._Element) -> str:
    """The tag without its namespace."""
    return str(element.tag).rpartition("}")[2]
