"""What a TEI file of ours declares outside its text: the book, the scan's checksum, white space, grounds, parents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from lxml import etree

from extract.errors import TeiError
from extract.tei.terms import NAMESPACE, WHOLE_TEXT, XML_ID, Ground, White, content, pointed, unit_id

_NAMES = {"t": NAMESPACE}

Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class Declared:
    """The declarations of a file; `parents` has the units whose parent is not the unit around them."""

    book_id: str
    sha256: str
    grounds: dict[str, Ground]
    whites: dict[str, White]
    parents: dict[str, str | None]

    def ground(self, pointer: str) -> Ground:
        """The ground that an `@ana` points to.

        Raises:
            TeiError: the file has no such ground.
        """
        return _one(self.grounds, pointed(pointer), "interp")

    def white(self, key: str) -> White:
        """The white space with an id.

        Raises:
            TeiError: the file has no such entry.
        """
        return _one(self.whites, key, "char")


def read_declared(root: etree._Element) -> Declared:
    """Read the header and the standOff of a valid file."""
    grounds = {i.get(XML_ID, ""): _ground(i) for i in find(root, "t:standOff/t:interpGrp/t:interp")}
    whites = {}
    for char in find(root, "t:teiHeader//t:char"):
        before, after = (_characters(mapping) for mapping in find(char, "t:mapping"))
        why = char.get("ana")
        ground = _one(grounds, pointed(why), "interp") if why is not None else None
        whites[char.get(XML_ID, "")] = White(before, after, ground)
    parents: dict[str, str | None] = {}
    for link in find(root, "t:standOff/t:linkGrp/t:link"):
        child, parent = (pointed(p) for p in link.get("target", "").split())
        parents[unit_id(child)] = None if parent == WHOLE_TEXT else unit_id(parent)
    return Declared(
        content(find(root, "t:teiHeader//t:publicationStmt/t:idno")[0]),
        content(find(root, "t:teiHeader//t:bibl[@type='scan']/t:idno")[0]),
        grounds,
        whites,
        parents,
    )


def find(root: etree._Element, path: str) -> list[etree._Element]:
    """The elements on a path of TEI tags (`t:div/t:p`)."""
    return root.findall(path, _NAMES)


def _ground(interp: etree._Element) -> Ground:
    note = "".join(desc.text or "" for desc in find(interp, "t:desc"))
    confidence = float(find(interp, "t:certainty")[0].get("degree", "1"))
    resp = interp.get("resp")
    return Ground(
        interp.get("type", ""), None if resp is None else pointed(resp), confidence, note, interp.get("n", "")
    )


def _characters(mapping: etree._Element) -> str:
    return "".join(chr(int(code.removeprefix("U+"), 16)) for code in content(mapping).split())


def _one(entries: dict[str, Entry], key: str, tag: str) -> Entry:
    try:
        return entries[key]
    except KeyError:
        raise TeiError(
            f"The TEI file points to the {tag} {key!r}, which it lacks; write it anew with `whist export --tei`."
        ) from None
