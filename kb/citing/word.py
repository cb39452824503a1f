"""Read the text and notes of a Word document, and write changes to it as tracked changes.

The format is Office Open XML (ECMA-376, part 1, WordprocessingML): a paragraph `w:p` has runs `w:r` with text `w:t`;
a tracked change is a `w:del` with the deleted runs and a `w:ins` with the inserted ones.
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
"""The first bytes of every Word document, as of any ZIP archive."""
BODY, NOTES = "word/document.xml", ("word/footnotes.xml", "word/endnotes.xml")
LARGEST = 100_000_000
"""The largest uncompressed size of a document, in bytes; a manuscript of a thousand pages has a tenth of that."""
AUTHOR = "whist cite --verify"
_FIRST_ID = 900_000  # of our changes; a manuscript numbers its own changes from 0
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_NO_WORD = "The file begins like a Word document, but cannot be read as one; save it again, or give its text."
# The text for other elements of a run.
_SIGNS = {f"{_W}tab": "\t", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A `w:t` element, and the offset in the document's text at which its text begins."""

    start: int
    element: etree._Element

    @property
    def text(self) -> str:
        """Its characters."""
        return self.element.text or ""

    @property
    def end(self) -> int:
        """The offset just after its text."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class WordDocument:
    """A Word document as text: paragraphs, then notes, which are marked like Markdown footnotes.

    Attributes:
        text: the text.
        pieces: the `w:t` elements that hold the text, in order.
        parts: the parsed XML parts, by name.
        members: all files of the archive, unchanged.
    """

    text: str
    pieces: tuple[Piece, ...]
    parts: dict[str, etree._Element]
    members: dict[str, bytes]


def read_word(data: bytes) -> WordDocument:
    """Read a Word document.

    Raises:
        QueryError: it is not a Word document, or too large.
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
    texts: list[str] = []
    pieces: list[Piece] = []
    at = 0
    for name, part in parts.items():
        for text, element in _read(part, name):
            if element is not None:
                pieces.append(Piece(at, element))
            texts.append(text)
            at += len(text)
    return WordDocument("".join(texts), tuple(pieces), parts, members)


def _read(part: etree._Element, name: str) -> Iterator[tuple[str, etree._Element | None]]:
    """The text of a part in pieces, each with the element that holds it, or None."""
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
    """The document as a file with tracked changes; a remark is inserted in brackets.

    Args:
        document: the document; its `parts` are modified.
        changes: the changes to its text, in order.
        date: the date of the changes (RFC 3339).
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
    """Split the run of a `w:t` element in two, with the text between two offsets as a tracked deletion.

    Returns:
        The element before the second run.
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


def _run(model: etree._Element, kind: str, text: str) -> etree._Element:
    """A run of text with the formatting of the run of another `w:t` element."""
    run = etree.Element(f"{_W}r")
    above = model.getparent()
    if above is not None and (properties := above.find(f"{_W}rPr")) is not None:
        run.append(copy.deepcopy(properties))
    etree.SubElement(run, f"{_W}{kind}", {_SPACE: "preserve"}).text = text
    return run
