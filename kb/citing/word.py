"""A manuscript as a Word document: its text with its notes, and changes to it as tracked changes.

The format is Office Open XML (ECMA-376, part 1, WordprocessingML): a paragraph `w:p` has runs `w:r` with text `w:t`;
a tracked change is a `w:del` with the runs that go and a `w:ins` with those that come.
"""

from __future__ import annotations

import copy
import io
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from lxml import etree

from extract.errors import QueryError
from kb.citing.verification import Change

SIGNATURE = b"PK\x03\x04"
"""With which every Word document begins, as a ZIP archive does."""
BODY, NOTES = "word/document.xml", ("word/footnotes.xml", "word/endnotes.xml")
LARGEST = 100_000_000
"""Bytes of XML in a document that is read; a manuscript of a thousand pages has a tenth of that."""
AUTHOR = "whist cite --verify"
_FIRST_ID = 900_000  # of our changes; a manuscript numbers its own from 0
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_NO_WORD = "The file begins like a Word document, but cannot be read as one; save it again, or give its text."
# What stands for other content of a run in the text that is read.
_SIGNS = {f"{_W}tab": "\t", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the text and the `w:t` it stands in; `start` is its place in the text."""

    start: int
    element: etree._Element

    @property
    def text(self) -> str:
        """Its characters."""
        return self.element.text or ""

    @property
    def end(self) -> int:
        """The place just after it."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class WordDocument:
    """A Word document as text: a paragraph a line, notes after the body, each marked as Markdown has footnotes.

    Attributes:
        text: what is read.
        pieces: the stretches of it that stand in the document, in order.
        parts: the parsed parts by name; `members` are all files of the archive as they were.
    """

    text: str
    pieces: tuple[Piece, ...]
    parts: dict[str, etree._Element]
    members: dict[str, bytes]


def read_word(data: bytes) -> WordDocument:
    """Read a Word document.

    Raises:
        QueryError: it is none, or too large.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(member.file_size for member in archive.infolist()) > LARGEST:
                raise QueryError(f"The document has more than {LARGEST:,} bytes; check it in parts.")
            members = {member.filename: archive.read(member) for member in archive.infolist()}
        parser = etree.XMLParser(resolve_entities=False, no_network=True)
        parts = {name: etree.fromstring(members[name], parser) for name in (BODY, *NOTES) if name in members}
    except (zipfile.BadZipFile, etree.XMLSyntaxError, NotImplementedError, RuntimeError, EOFError) as error:
        raise QueryError(_NO_WORD) from error
    if BODY not in parts:
        raise QueryError(_NO_WORD)
    told: list[str] = []
    pieces: list[Piece] = []
    at = 0
    for name, part in parts.items():
        for sign, element in _read(part, name):
            if element is not None:
                pieces.append(Piece(at, element))
            told.append(sign)
            at += len(sign)
    return WordDocument("".join(told), tuple(pieces), parts, members)


def _read(part: etree._Element, name: str) -> Iterator[tuple[str, etree._Element | None]]:
    """The text of a part, each stretch with the element that holds it, if one does."""
    kind = name.removeprefix("word/").removesuffix("s.xml")
    for element in part.iter():
        if element.tag == f"{_W}t":
            yield element.text or "", element
        elif element.tag in _SIGNS:
            yield _SIGNS[element.tag], None
        elif element.tag in (f"{_W}footnoteReference", f"{_W}endnoteReference"):
            yield f"[^{etree.QName(element).localname.removesuffix('Reference')}{element.get(f'{_W}id')}]", None
        elif element.tag in (f"{_W}footnote", f"{_W}endnote"):
            yield f"\n\n[^{kind}{element.get(f'{_W}id')}]: ", None
        elif element.tag == f"{_W}p" and name == BODY:
            yield "\n\n", None


def with_changes(document: WordDocument, changes: Iterable[Change], date: str) -> bytes:
    """The document with changes as tracked changes; a remark is inserted in brackets.

    Args:
        changes: to its text, in order; its parts are changed by this.
        date: that of the changes, by RFC 3339.
    """
    numbers = count(_FIRST_ID)

    def tracked(kind: str) -> etree._Element:
        marks = {f"{_W}id": str(next(numbers)), f"{_W}author": AUTHOR, f"{_W}date": date}
        return etree.Element(f"{_W}{kind}", marks)

    for change in reversed(list(changes)):
        touched = [p for p in document.pieces if p.start < change.end and p.end > change.start and change.words]
        touched = touched or [p for p in document.pieces if p.start < change.start][-1:]
        cuts = [_cut(p.element, max(change.start - p.start, 0), max(change.end - p.start, 0), tracked) for p in touched]
        if cuts:
            inserted = tracked("ins")
            inserted.append(_run(touched[-1].element, "t", change.words or f" [{change.remark}]"))
            cuts[-1].addnext(inserted)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in document.members.items():
            part = document.parts.get(name)
            written = data if part is None else etree.tostring(part, xml_declaration=True, encoding="UTF-8")
            archive.writestr(name, written)
    return out.getvalue()


def _cut(element: etree._Element, start: int, end: int, tracked: Callable[[str], etree._Element]) -> etree._Element:
    """Cut the run of a text in two, with what stands between two places of the text as deleted.

    Returns:
        What stands before the second run.
    """
    run, text = element.getparent(), element.text or ""
    assert run is not None
    rest = _run(element, "t", text[end:])
    for following in list(element.itersiblings()):
        rest.append(following)
    element.text = text[:start]
    element.set(_SPACE, "preserve")
    run.addnext(rest)
    if not text[start:end]:
        return run
    deleted = tracked("del")
    deleted.append(_run(element, "delText", text[start:end]))
    run.addnext(deleted)
    return deleted


def _run(like: etree._Element, kind: str, text: str) -> etree._Element:
    """A run of text that looks as that of another text."""
    run = etree.Element(f"{_W}r")
    above = like.getparent()
    if above is not None and (looks := above.find(f"{_W}rPr")) is not None:
        run.append(copy.deepcopy(looks))
    etree.SubElement(run, f"{_W}{kind}", {_SPACE: "preserve"}).text = text
    return run
