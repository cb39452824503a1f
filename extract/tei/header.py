"""The header of a TEI file, and what stands apart from its text: the grounds of edits, and parents."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from lxml import etree

from extract.corpus.book import Book
from extract.model import Edition
from extract.tei.stream import Register
from extract.tei.terms import XML_ID, Ground, White, degree, element, name, xml_id

_RESPONSIBLE = (
    ("rule", "made by a rule of the software"),
    ("model", "made by a statistical model of the software"),
    ("editor", "read by the editor"),
)
_PRACTICE = {
    "correction": """
        The scan is never changed. A misreading of the scan is mended as choice of sic (the scan) and corr (the
        reading). A sic alone is a misprint of the book's own and stands. An unclear or a gap is a place that cannot
        be read. An fw is what is not of the text: running heads, folios, signatures, stamps, specks. Each of them
        has @resp (rule, model, editor), @cert (high from 0.9, medium from 0.6, low) and @ana, which points to its
        ground: the kind of edit, its evidence, and the exact probability that it is right.""",
    "normalization": """
        Each entry of charDecl is a sort of white space: what the scan has and what is read. A blank in a p, head,
        cell, seg or ref is ws_blank, and lb is ws_line, unless lb, c or space points to another entry by @ana. A
        line end of the file counts as a blank; just before an lb it counts for nothing, and so do blanks at the
        beginning and end of a p, head or cell, and around what stands between paragraphs.""",
    "hyphenation": """
        Words broken at line ends, split or run together are choice of orig (the scan) and reg (the reading).""",
    "segmentation": """
        An element of the text with @xml:id is a unit that can be cited: div, head (of a section), row, note or seg.
        Its @type (of a row, @role) is its kind, @n its number, @source the code it belongs to, @corresp what it
        explains, @cert how sure its label and borders are. An index gives its label, and its heading where that is
        not the label of the section around it. Its parent is the unit or section around it, for a note its @target,
        unless the linkGrp of type parent says otherwise. A div without @xml:id holds a section, a table, or what
        continues a unit after an inner one. Where a cell has @n, that is its value, spaced as in the table.""",
    "interpretation": """
        A ref has one target for each provision referred to. Its @type tells whether it is resolved, ambiguous,
        dangling (no such provision), foreign (another book) or a slip of the author's own.""",
}
_UNTOLD = "Nothing is told of the rights in the book, nor in the text made from it."
_IDS = """The id of a unit is its @xml:id with / for each full stop; a code such as _2e_ stands for U+002E."""


def header(book: Book, edition: Edition, register: Register) -> etree._Element:
    """The `<teiHeader>`: the book, its scan with checksum, its codes, how it is encoded, its sorts of white space."""
    made = element("teiHeader")
    file = _in(made, "fileDesc")
    titles = _in(file, "titleStmt")
    _in(titles, "title", book.title)
    _in(titles, "author", book.byline)
    for key, task in _RESPONSIBLE:
        responsible = _in(titles, "respStmt", id_=key)
        _in(responsible, "resp", task)
        _in(responsible, "name", book.domain.library.title)
    published = _in(file, "publicationStmt")
    _in(published, "publisher", book.domain.library.title)
    _in(published, "idno", book.id, type="book")
    rights = book.domain.library
    if rights.rights_url:
        _in(_in(published, "availability", status="free"), "licence", rights.rights, target=rights.rights_url)
    else:
        _in(_in(published, "availability", status="unknown"), "p", rights.rights or _UNTOLD)
    _source(_in(file, "sourceDesc"), book, edition)
    encoding = _in(made, "encodingDesc")
    practice = _in(encoding, "editorialDecl")
    for tag, rule in _PRACTICE.items():
        _in(_in(practice, tag), "p", " ".join(rule.split()))
    _in(_in(encoding, "refsDecl"), "p", _IDS)
    if register.whites:
        characters = _in(encoding, "charDecl")
        for white, key in sorted(register.whites.items(), key=lambda w: _order(w[1])):
            _white(characters, white, key, register)
    language = _in(_in(made, "profileDesc"), "langUsage")
    _in(language, "language", "English", ident="en")
    return made


def _source(source: etree._Element, book: Book, edition: Edition) -> None:
    monograph = _in(_in(source, "biblStruct"), "monogr")
    _in(monograph, "author", book.byline)
    _in(monograph, "title", book.title)
    imprint = _in(monograph, "imprint")
    _in(imprint, "pubPlace", book.place)
    _in(imprint, "publisher", book.publisher)
    _in(imprint, "date", str(book.year), when=f"{book.year:04d}")
    scan = _in(source, "bibl", type="scan")
    _in(scan, "title", f"Scan of {book.short}")
    _in(scan, "idno", hashlib.sha256(edition.scan.encode("utf-8")).hexdigest(), type="sha256")
    _in(_in(scan, "extent"), "measure", unit="character", quantity=str(len(edition.scan)))
    if book.note:
        _in(scan, "note", book.note)
    known = {code.id: code for code in book.codes}
    codes = sorted({*known, *(u.code_id for u in edition.units if u.code_id is not None)})
    if not codes:
        return
    listed = _in(source, "listBibl")
    for key in codes:
        entry = _in(listed, "bibl", type="code", id_=f"code_{xml_id(key)}")
        if code := known.get(key):
            _in(entry, "title", code.title)
            _in(entry, "author", code.authority)
            _in(entry, "date", str(code.year), when=f"{code.year:04d}")
        _in(entry, "idno", key, type="code")


def _white(characters: etree._Element, white: White, key: str, register: Register) -> None:
    char = _in(characters, "char", id_=key)
    if white.ground:
        char.set("ana", f"#{register.ground(white.ground)}")
    for kind, text in (("scan", white.before), ("reading", white.after)):
        _in(char, "mapping", " ".join(f"U+{ord(c):04X}" for c in text), type=kind)


def _order(key: str) -> tuple[bool, int, str]:
    number = key.rpartition("_")[2]
    return number.isdecimal(), int(number) if number.isdecimal() else 0, key


def standoff(register: Register, parents: Sequence[tuple[str, str]]) -> list[etree._Element]:
    """The `<standOff>` with grounds, and parents that nesting does not show; nothing if there are none."""
    made = element("standOff")
    if register.grounds:
        group = _in(made, "interpGrp", type="ground")
        for ground, key in sorted(register.grounds.items(), key=lambda g: _order(g[1])):
            _ground(group, ground, key)
    if parents:
        links = _in(made, "linkGrp", type="parent")
        for child, parent in parents:
            _in(links, "link", target=f"{child} {parent}")
    return [made] if len(made) else []


def _ground(group: etree._Element, ground: Ground, key: str) -> None:
    resp = f"#{ground.source}" if ground.source else None
    entry = _in(
        group, "interp", id_=key, type=ground.kind, n=ground.rule or None, resp=resp, cert=degree(ground.confidence)
    )
    if ground.note:
        _in(entry, "desc").text = ground.note  # TEI has no `<g>` here
    locus = "location" if ground.kind == "borders" else "value"
    _in(entry, "certainty", locus=locus, degree=repr(float(ground.confidence)))


def each_on_a_line(holder: etree._Element) -> None:
    """Give each child of an element that holds no text a line of its own; the body has done so itself."""
    if holder.tag == name("body") or not len(holder) or holder[0].tag == name("g"):
        return
    holder.text = "\n"
    for child in holder:
        child.tail = "\n"
        each_on_a_line(child)


def _in(
    parent: etree._Element, tag: str, text: str = "", *, id_: str | None = None, **attributes: str | None
) -> etree._Element:
    made = element(tag, text, **attributes)
    if id_ is not None:
        made.set(XML_ID, id_)
    parent.append(made)
    return made
