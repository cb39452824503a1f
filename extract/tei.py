"""An edition as plain TEI P5: divisions, paragraphs, notes, references, page breaks, and what the scan has otherwise.

Units are nested as they belong together. A unit is a `div`; a heading opens one; a numbered paragraph is a `p`, a note
a `note`, the rows of a table are a `table`. The text is the reading text. Where letters of the scan were misread,
`choice` has both; white space, joined hyphens and page furniture are not marked up (the table `edit` has them).

TEI Consortium, *TEI P5: Guidelines for Electronic Text Encoding and Interchange*, 4.3.0 (2021).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, groupby
from pathlib import Path
from typing import Protocol

from lxml import etree
from lxml.builder import ElementMaker

from extract.corpus.book import Book
from extract.errors import TeiError
from extract.model import Edit, Edition, Page, Reference, Span, Unit
from extract.text.textlayer import TextLayer

NAMESPACE = "http://www.tei-c.org/ns/1.0"
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
SCHEMA = Path(__file__).parent / "data" / "whist-tei.rng"
_NO_RIGHTS_STATED = "No statement is made about rights in the book or in this text."
_PRACTICE = (
    "The text is the reading text; white space is normalised, and words cut at a line end are joined. A choice has "
    "what the scan has (sic) and what is read (corr), with @resp (the software's rule or the editor) and @cert (high "
    "from 0.9, medium from 0.6, low below). A sic alone is a misprint of the book, which stays; an unclear or a gap "
    "is a place that cannot be read. Running heads, page numbers and signatures are left out. A pb without @n begins "
    "a page without a number; one of @type interpolated has a number that is not printed."
)
_IDS = "The id of a unit is its @xml:id with / for each full stop; its @type is its kind, @n its number."
# What XML 1.0 does not allow, not even as a character reference.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_UNNAMED = re.compile(r"^[^A-Za-z]|[^A-Za-z0-9/-]")
_PARAGRAPH = "\n\n"

Node = str | etree._Element


def _plain(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", text)


def _append(parent: etree._Element, text: str) -> None:
    text = _plain(text)
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def _set(element: etree._Element, attributes: Mapping[str, str | None]) -> None:
    for key, value in attributes.items():
        if value is not None:
            element.set(key, value)


class _Maker(Protocol):
    """Makes TEI elements: `E.p("text", {"n": "1"})`; attributes of None are left out."""

    def __call__(self, tag: str, *content: object) -> etree._Element: ...

    def __getattr__(self, tag: str) -> Callable[..., etree._Element]: ...


E: _Maker = ElementMaker(namespace=NAMESPACE, nsmap={None: NAMESPACE}, typemap={str: _append, dict: _set})


def name(tag: str) -> str:
    """A tag with the TEI namespace, in the notation of lxml."""
    return f"{{{NAMESPACE}}}{tag}"


def xml_id(unit_id: str) -> str:
    """The id of a unit as an XML name: `/` becomes `.`; other characters that a name may not have are escaped.

    >>> xml_id("english-1864/law-72/ii")
    'english-1864.law-72.ii'
    """
    return _UNNAMED.sub(lambda m: f"_{ord(m[0]):x}_", unit_id).replace("/", ".")


def to_tei(
    book: Book, edition: Edition, pointer: Callable[[str], str] = lambda unit_id: f"#{xml_id(unit_id)}"
) -> etree._ElementTree:
    """Make the TEI document of an edition, or of those of its units that are given.

    Args:
        book: the book.
        edition: its scan, edits, pages, units, references and notes; units whose parent is not among them stand at
            the top.
        pointer: makes the pointer to a unit that is not in the document.
    Raises:
        TeiError: a number, label or note cannot be written as XML.
    """
    ids = {unit.id for unit in edition.units}
    try:
        text = _Text(edition, lambda unit_id: f"#{xml_id(unit_id)}" if unit_id in ids else pointer(unit_id))
        body = E.body(*text.divisions(None))
        if not len(body):
            body.append(E.p())  # TEI wants content in a body, even for a book that is all furniture
        root = E.TEI(_header(book), E.text(body, *_back(edition, text.pointer), {XML_LANG: "en"}))
    except ValueError as error:
        raise TeiError(f"{book.id}: a number, label or note cannot be written as XML ({error}); correct it.") from error
    root.addprevious(
        etree.ProcessingInstruction(
            "xml-model",
            f'href="{SCHEMA.name}" type="application/xml" schematypens="http://relaxng.org/ns/structure/1.0"',
        )
    )
    return root.getroottree()


class _Text:
    """The units of an edition as elements."""

    def __init__(self, edition: Edition, pointer: Callable[[str], str]) -> None:
        self.pointer = pointer
        self._layer = TextLayer(edition.scan, edition.edits)
        self._pages = sorted(edition.pages, key=lambda page: page.raw_start)
        self._references = sorted(edition.references, key=lambda r: (r.raw_start, -r.raw_end))
        known = {unit.id for unit in edition.units}
        apart = (u for u in edition.units if _in_text(u) or u.continues is not None)
        self._apart = sorted(apart, key=lambda unit: (unit.raw_start, -unit.raw_end))
        self._inside: dict[str | None, list[Unit]] = defaultdict(list)
        self._further: dict[str, list[Unit]] = defaultdict(list)
        for unit in sorted(edition.units, key=lambda u: u.seq):
            if unit.continues is not None:
                self._further[unit.continues].append(unit)
            else:
                self._inside[unit.parent_id if unit.parent_id in known else None].append(unit)

    def divisions(self, parent: str | None) -> Iterator[etree._Element]:
        """The elements of the units under a unit that are no part of its text."""
        units = [unit for unit in self._inside[parent] if parent is None or not _in_text(unit)]
        for rows, group in groupby(units, key=_is_row):
            if rows:
                held = [*group]
                yield E.div({"type": "table"}, E.table(*map(self._row, held)), *chain(*map(self._notes, held)))
            else:
                yield from map(self._division, group)

    def _division(self, unit: Unit) -> etree._Element:
        rows = [row for row in self._inside[unit.id] if _is_row(row)]
        content: list[etree._Element] = []
        if unit.role == "heading":
            content.append(E.head(*self._nodes(unit.span)))
        elif rows and unit.role == "table":
            head = [E.row({"role": "label"}, *map(E.cell, unit.cells))] if unit.cells else []
            content.append(E.table(*head, *map(self._row, rows)))
        else:
            content += self._paragraphs(unit)
        notes = [*self._notes(unit), *(chain(*map(self._notes, rows)) if unit.role == "table" else ())]
        inner = () if rows and unit.role == "table" else self.divisions(unit.id)
        return E.div(_attributes(unit), *(content or [E.p()]), *notes, *inner)

    def _notes(self, unit: Unit) -> Iterator[etree._Element]:
        """The notes of a unit, and of its numbered paragraphs, that do not stand within a text."""
        written = unit.role not in ("table", "row")
        for inner in self._inside[unit.id]:
            if inner.role == "note" and not (written and unit.span.covers(inner.span)):
                yield self._note(inner)
            elif inner.role == "paragraph":
                yield from self._notes(inner)

    def _note(self, unit: Unit) -> etree._Element:
        return E.note(_attributes(unit), *self._paragraphs(unit))

    def _row(self, unit: Unit) -> etree._Element:
        cells = [E.cell(" ".join(cell.split())) for cell in unit.cells]
        return E.row({XML_ID: xml_id(unit.id), "role": unit.kind, "n": unit.number}, *cells)

    def _paragraphs(self, unit: Unit) -> Iterator[etree._Element]:
        """The paragraphs of a unit, with its numbered paragraphs and the notes in its text; its continuations last."""
        own = {u.id for u in self._inside[unit.id] if _in_text(u)}
        parts = (u for u in self._apart if unit.span.covers(u.span) and u.id != unit.id)
        at, nodes = unit.raw_start, list[Node]()
        for part in (u for u in parts if u.id in own or u.role == "note" or u.continues is not None):
            if part.raw_start < at:
                continue
            nodes += self._nodes(Span(at, part.raw_start))
            if part.id in own and part.role == "note":
                nodes.append(self._note(part))
            elif part.id in own:
                yield from _divided(nodes)
                nodes = []
                yield from self._numbered(part)
            at = max(at, part.raw_end)
        nodes += self._nodes(Span(at, unit.raw_end))
        for further in self._further[unit.id]:
            nodes += [" ", *self._nodes(further.span)]
        yield from _divided(nodes)

    def _numbered(self, unit: Unit) -> Iterator[etree._Element]:
        """A numbered paragraph; if it has several paragraphs, the first one has its id."""
        for i, paragraph in enumerate(self._paragraphs(unit)):
            _set(paragraph, {} if i else {XML_ID: xml_id(unit.id), "n": unit.number})
            yield paragraph

    def _nodes(self, span: Span) -> list[Node]:
        """The text of a span with its page breaks, references and corrections."""
        found: list[Node] = []
        at = span.start
        while self._pages and self._pages[0].raw_start < max(span.end, span.start + 1):
            page = self._pages.pop(0)
            stop = min(max(at, page.raw_start), span.end)
            found += [*self._words(Span(at, stop)), _page_break(page)]
            at = stop
        return [*found, *self._words(Span(at, span.end))]

    def _words(self, span: Span) -> Iterator[Node]:
        """The text of a span without page breaks, its references as elements."""
        at = span.start
        inside = [r for r in self._references if span.start <= r.raw_start and r.raw_end <= span.end]
        for (start, end), group in groupby(inside, key=lambda r: (r.raw_start, r.raw_end)):
            if start < at or not self._readable(start, end):
                continue
            yield from self._corrected(Span(at, start))
            yield self._reference([*group], Span(start, end))
            at = end
        yield from self._corrected(Span(at, span.end))

    def _readable(self, start: int, end: int) -> bool:
        """Whether no edit crosses the border of a span."""
        return all(start <= e.raw_start and e.raw_end <= end for e in self._layer.within(start, end))

    def _reference(self, group: Sequence[Reference], span: Span) -> etree._Element:
        targets = " ".join(self.pointer(r.target_id) for r in group if r.target_id is not None)
        return E.ref({"type": group[0].status, "target": targets or None}, *self._corrected(span))

    def _corrected(self, span: Span) -> Iterator[Node]:
        """The text of a span, with an element for each place where letters were misread or are wrong in print."""
        at = span.start
        for edit in self._layer.within(span.start, span.end):
            if edit.kind in _MARKED and span.covers(edit.span) and edit.before.strip():
                yield self._layer.read(at, edit.raw_start)
                yield _correction(edit)
                at = edit.raw_end
        yield self._layer.read(at, span.end)


_MARKED = frozenset({"ocr", "typo", "illegible"})


def _is_row(unit: Unit) -> bool:
    return bool(unit.cells) and unit.role != "table"


def _in_text(unit: Unit) -> bool:
    """Whether a unit belongs to the text of the unit around it: a numbered paragraph, or a note."""
    return unit.role in ("paragraph", "note")


def _attributes(unit: Unit) -> dict[str, str | None]:
    return {XML_ID: xml_id(unit.id), "type": unit.kind, "n": unit.number}


def _page_break(page: Page) -> etree._Element:
    return E.pb({"n": page.folio, "type": "interpolated" if page.status == "interpolated" else None})


def _correction(edit: Edit) -> etree._Element:
    scanned, read = (" ".join(text.split()) for text in (edit.before, edit.after))
    if edit.kind == "typo":
        return E.sic(read)
    if edit.kind == "illegible":
        return E.unclear(read, {"reason": "illegible"}) if read else E.gap({"reason": "illegible"})
    degree = "high" if edit.confidence >= 0.9 else "medium" if edit.confidence >= 0.6 else "low"
    return E.choice(E.sic(scanned), E.corr(read, {"resp": f"#{edit.source}", "cert": degree}))


def _divided(nodes: Iterable[Node]) -> Iterator[etree._Element]:
    """Paragraphs made of nodes, which empty lines divide; a paragraph without words holds only breaks and notes."""
    paragraph: list[Node] = []
    for node in nodes:
        first, *others = node.split(_PARAGRAPH) if isinstance(node, str) else [node]
        paragraph.append(first)
        for other in others:
            yield from _paragraph(paragraph)
            paragraph = [other]
    yield from _paragraph(paragraph)


def _paragraph(nodes: Sequence[Node]) -> Iterator[etree._Element]:
    kept = [_collapsed(node) for node in nodes]
    while kept and isinstance(kept[0], str) and not (kept[0]).strip():
        kept = kept[1:]
    if kept and isinstance(kept[0], str):
        kept[0] = kept[0].lstrip()
    if kept and isinstance(kept[-1], str):
        kept[-1] = kept[-1].rstrip()
    if any(not isinstance(node, str) or node for node in kept):
        yield E.p(*kept)


def _collapsed(node: Node) -> Node:
    return re.sub(r"\s+", " ", node) if isinstance(node, str) else node


def _header(book: Book) -> etree._Element:
    """The `teiHeader`: the book, the checksum of its scan, its codes, and how the text is encoded."""
    library = book.domain.library
    licence = E.availability(E.p(library.rights or _NO_RIGHTS_STATED), {"status": "unknown"})
    if library.rights_url:
        licence = E.availability(E.licence(library.rights, {"target": library.rights_url}), {"status": "free"})
    tasks = (("rule", "made by a rule of the software"), ("editor", "read by the editor"))
    imprint = E.imprint(E.pubPlace(book.place), E.publisher(book.publisher), _date(book.year))
    codes = [
        E.bibl(E.title(code.title), E.author(code.authority), _date(code.year), E.idno(code.id, {"type": "code"}))
        for code in book.codes
    ]
    return E.teiHeader(
        E.fileDesc(
            E.titleStmt(
                E.title(book.title),
                E.author(book.byline),
                *(E.respStmt(E.resp(task), E.name(library.title), {XML_ID: key}) for key, task in tasks),
            ),
            E.publicationStmt(E.publisher(library.title), E.idno(book.id, {"type": "book"}), licence),
            E.sourceDesc(
                E.biblStruct(E.monogr(E.author(book.byline), E.title(book.title), imprint)),
                E.bibl(E.title(f"Scan of {book.short}"), E.idno(book.sha256, {"type": "sha256"}), {"type": "scan"}),
                *([E.listBibl(*codes)] if codes else []),
            ),
        ),
        E.encodingDesc(E.editorialDecl(E.p(_PRACTICE)), E.refsDecl(E.p(_IDS))),
        E.profileDesc(E.langUsage(E.language("English", {"ident": "en"}))),
    )


def _date(year: int) -> etree._Element:
    return E.date(str(year), {"when": f"{year:04d}"})


def _back(edition: Edition, pointer: Callable[[str], str]) -> Iterator[etree._Element]:
    """The editor's notes to readers, after the text, each pointing to its unit."""
    notes = [
        E.note(note.text, {"type": "editorial", "resp": "#editor", "target": pointer(holder.id)})
        for note in edition.notes
        if (holder := edition.holder(note.span))
    ]
    if notes:
        yield E.back(E.div(E.p(*notes), {"type": "editorial"}))


@cache
def _schema() -> etree.RelaxNG:
    return etree.RelaxNG(etree.parse(str(SCHEMA)))


def validate(tree: etree._ElementTree) -> None:
    """Check a document against our schema, `whist-tei.rng`, a subset of TEI.

    Raises:
        TeiError: names the first line that is not valid.
    """
    schema = _schema()
    if not schema.validate(tree):
        error = schema.error_log[0]
        raise TeiError(f"The TEI document does not follow {SCHEMA.name} (line {error.line}: {error.message}).")
