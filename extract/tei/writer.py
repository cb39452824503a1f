"""Write an edition as a TEI P5 document that holds everything: reading text, scan, edits, pages, units and references.

The scan and its edits are cut into a stream of pieces (`stream`). The body nests the elements of units, cells and
references (`stretches`) by their spans and writes the pieces into them (`body`; which elements: `elements`). The
grounds of the pieces are collected on the way and written into the header and after the text (`header`).
"""

from __future__ import annotations

from functools import cache

from lxml import etree

from extract.corpus.book import Book
from extract.errors import TeiError
from extract.model import Edition
from extract.tei.body import Body
from extract.tei.header import header, standoff
from extract.tei.stream import Register, pieces
from extract.tei.stretches import stretches
from extract.tei.terms import SCHEMA, WHOLE_TEXT, XML_ID, XML_LANG, E, pointer
from extract.text.textlayer import TextLayer


def to_tei(book: Book, edition: Edition) -> etree._ElementTree:
    """Make the TEI document of an edition.

    Args:
        book: the book.
        edition: its edition; the scan and the edits are written as words, white space and readings.
    Returns:
        The document; it holds all of the edition except suggestions and findings.
    Raises:
        TeiError: units, pages, references and edits cross, a unit or reference is empty, or a text has a character
            that XML does not allow.
    """
    layer = TextLayer(edition.scan, edition.edits)
    marked = stretches(edition, layer)
    borders = [border for s in marked for border in (s.span.start, s.span.end)]
    borders += [page.raw_start for page in edition.pages]
    stream = list(pieces(edition.scan, layer.edits, borders))
    register = Register(stream)
    try:
        body = Body(edition, marked, stream, register)
        text = E.text(E.body(), *_back(edition), {XML_ID: WHOLE_TEXT, XML_LANG: "en"})
        root = E.TEI(header(book, edition, register), text, *standoff(register, body.parents))
    except ValueError as error:
        raise TeiError(f"{book.id}: a number, label or note cannot be written as XML ({error}); correct it.") from error
    etree.indent(root, space="")
    body.element.tail = "\n"
    text.replace(text[0], body.element)  # not indented: its white space is the scan's
    root.addprevious(
        etree.ProcessingInstruction(
            "xml-model",
            f'href="{SCHEMA.name}" type="application/xml" schematypens="http://relaxng.org/ns/structure/1.0"',
        )
    )
    return root.getroottree()


def _back(edition: Edition) -> list[etree._Element]:
    """The editor's notes to readers, after the text, each pointing to its unit; an empty list if there are none."""
    notes = []
    for note in edition.notes:
        if holder := edition.holder(note.span):
            notes.append(E.note(type="editorial", resp="#editor", target=pointer(holder.id)))
            notes[-1].text = note.text  # no `<g>` here: a character that XML does not allow is an error
    return [E.back(E.div(E.p(*notes), type="editorial"))] if notes else []


@cache
def _schema() -> etree.RelaxNG:
    return etree.RelaxNG(etree.parse(str(SCHEMA)))


def validate(tree: etree._ElementTree) -> None:
    """Check a document against our schema, `whist-tei.rng`.

    Raises:
        TeiError: names the first line that is not valid.
    """
    schema = _schema()
    if not schema.validate(tree):
        error = schema.error_log[0]
        raise TeiError(f"The TEI document does not follow {SCHEMA.name} (line {error.line}: {error.message}).")
