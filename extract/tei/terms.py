"""The vocabulary of our TEI files: names, ids, elements, degrees of certainty, and the grounds of edits.

TEI Consortium, *TEI P5: Guidelines for Electronic Text Encoding and Interchange*, 4.3.0 (2021).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

from lxml import etree
from lxml.builder import ElementMaker

NAMESPACE = "http://www.tei-c.org/ns/1.0"
XML = "http://www.w3.org/XML/1998/namespace"
XML_ID, XML_LANG = f"{{{XML}}}id", f"{{{XML}}}lang"
BLANK, LINE, PARAGRAPH = "ws_blank", "ws_line", "ws_paragraph"
NOTES = ("footnote", "note")
# The element of a unit by its kind, where TEI allows it; units of other kinds are a `div`, or with cells a `row`.
FORMS = {**dict.fromkeys(NOTES, "note"), "section": "head"}
WHOLE_TEXT = "text"
SCHEMA = Path(__file__).parent.parent / "data" / "whist-tei.rng"
# The characters that XML 1.0 does not allow, not even as character references.
_ILLEGAL = re.compile("([^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff])")
_UNNAMED = re.compile(r"^[^A-Za-z]|[^A-Za-z0-9/-]")
_ESCAPE = re.compile(r"_([0-9a-f]+)_")


class Ground(NamedTuple):
    """The evidence for an edit, a reference or the borders of a unit: listed once in a file, pointed to by `@ana`.

    Its fields are the last fields of `Edit`, in the same order.
    """

    kind: str
    source: str | None
    confidence: float
    note: str = ""
    rule: str = ""


class BeforeAfter(NamedTuple):
    """The text of the scan, the reading text, and the ground if they come from an edit."""

    before: str
    after: str
    ground: Ground | None


def name(tag: str) -> str:
    """A tag with the TEI namespace, in the notation of lxml."""
    return f"{{{NAMESPACE}}}{tag}"


def fill(parent: etree._Element, text: str) -> None:
    """Append text to an element; a character that XML does not allow becomes `<g ref="#u_000c"/>`."""
    for i, part in enumerate(_ILLEGAL.split(text)):
        if i % 2:
            parent.append(E.g(ref=f"#u_{ord(part):04x}"))
        elif part and len(parent):
            parent[-1].tail = (parent[-1].tail or "") + part
        elif part:
            parent.text = (parent.text or "") + part


def _set(element: etree._Element, attributes: Mapping[str, str | None]) -> None:
    for key, value in attributes.items():
        if value is not None:
            element.set(key, value)


class _Maker(Protocol):
    """Makes TEI elements: `E.p("text", n="1")` or `E("p", "text", {"n": "1"})`; attributes of None are left out."""

    def __call__(self, tag: str, *content: object, **attributes: str | None) -> etree._Element: ...

    def __getattr__(self, tag: str) -> Callable[..., etree._Element]: ...


E: _Maker = ElementMaker(namespace=NAMESPACE, nsmap={None: NAMESPACE}, typemap={str: fill, dict: _set})


def xml_id(unit_id: str) -> str:
    """The id of a unit as an XML name: `/` becomes `.`; other characters that a name may not have are escaped.

    >>> xml_id("english-1864/law-72/ii")
    'english-1864.law-72.ii'
    """
    return _UNNAMED.sub(lambda m: f"_{ord(m[0]):x}_", unit_id).replace("/", ".")


def unit_id(xml_name: str) -> str:
    """The id of a unit from its XML name: the inverse of `xml_id`."""
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)), xml_name.replace(".", "/"))


def pointer(unit_id: str) -> str:
    """A pointer to a unit of the same file: no reference leaves its book."""
    return f"#{xml_id(unit_id)}"


def degree(confidence: float) -> str:
    """A probability as TEI's three degrees: high from 0.9, medium from 0.6, low below."""
    return "high" if confidence >= 0.9 else "medium" if confidence >= 0.6 else "low"
