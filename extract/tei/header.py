"""The header of a TEI file, and its stand-off part: the grounds of edits, and links to parents."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from lxml import etree

from extract.corpus.book import Book
from extract.model import Edition
from extract.tei.stream import Register
from extract.tei.terms import XML_ID, E, Ground, degree, xml_id

_RESPONSIBLE = (
    ("rule", "made by a rule of the software"),
    ("editor", "read by the editor"),
)
_PRACTICE = {
    "correction": """
        The scan is never changed. A misreading of the scan is corrected by a choice of sic (the scan) and corr (the
        reading). A sic alone is a misprint of the book itself, which is kept. An unclear or a gap is a place that
        cannot be read. An fw is not part of the text: running heads, page numbers, signatures, stamps, specks. Each
        of them has @resp (rule, editor), @cert (high from 0.9, medium from 0.6, low) and @ana, which points to
        the kind of edit, its evidence, and the exact probability that it is right.""",
    "normalization": """
        Each entry of charDecl is a kind of white space: what the scan has and what is read. A blank in a p, head,
        cell, seg or ref is ws_blank, and lb is ws_line, unless lb, c or space points to another entry by @ana. A
        line end of the file counts as a blank, but not just before an lb. Blanks at the beginning and end of a p,
        head or cell, and around elements between paragraphs, do not count.""",
    "hyphenation": """
        A word that is broken at a line end, split or run together is a choice of orig (the scan) and reg (the
        reading).""",
    "segmentation": """
        An element of the text with @xml:id is a unit that can be cited: div, head (of a section), row, note or seg.
        Its @type (of a row, @role) is its kind; the categories of classDecl say how the software treats each kind: as
        a provision, a case, prose. @n is its number, @source the code it belongs to, @corresp what it explains, @cert
        how certain its label and borders are. An index gives its label, and its heading if that is not the label of
        the section around it. Its parent is the unit or section around it, for a note its @target, unless the linkGrp
        of type parent says otherwise. A div without @xml:id contains a section, a table, or the rest of a unit after
        an inner unit. If a cell has @n, that is its value, spaced as in the table.""",
    "interpretation": """
        A ref has one target for each provision referred to. Its @type says whether it is resolved, ambiguous,
        dangling (no such provision), foreign (another book) or a slip (the author's own mistake).""",
}
_NO_RIGHTS_STATED = "No statement is made about rights in the book or in this text."
_IDS = """The id of a unit is its @xml:id with / for each full stop; a code such as _2e_ stands for U+002E."""


def header(book: Book, edition: Edition, register: Register) -> etree._Element:
    """The `<teiHeader>`: the book, its scan with checksum, its codes, how it is encoded, its kinds of white space."""
    library = book.domain.library
    licence = E.availability(E.p(library.rights or _NO_RIGHTS_STATED), status="unknown")
    if library.rights_url:
        licence = E.availability(E.licence(library.rights, target=library.rights_url), status="free")
    kinds = sorted({(unit.kind, str(unit.role)) for unit in edition.units})
    categories = [E.category(E.catDesc(role), n=kind) for kind, role in kinds]
    characters = [
        E.char(
            *map(_mapping, ("scan", "reading"), white[:2]),
            {XML_ID: key, "ana": white.ground and register.why(white.ground)},
        )
        for white, key in register.whites.items()
    ]
    return E.teiHeader(
        E.fileDesc(
            E.titleStmt(
                E.title(book.title),
                E.author(book.byline),
                *(E.respStmt(E.resp(task), E.name(library.title), {XML_ID: key}) for key, task in _RESPONSIBLE),
            ),
            E.publicationStmt(E.publisher(library.title), E.idno(book.id, type="book"), licence),
            E.sourceDesc(*_source(book, edition)),
        ),
        E.encodingDesc(
            E.editorialDecl(*(E(tag, E.p(" ".join(rule.split()))) for tag, rule in _PRACTICE.items())),
            E.refsDecl(E.p(_IDS)),
            *([E.classDecl(E.taxonomy(*categories))] if categories else []),
            *([E.charDecl(*characters)] if characters else []),
        ),
        E.profileDesc(E.langUsage(E.language("English", ident="en"))),
    )


def _mapping(kind: str, text: str) -> etree._Element:
    return E.mapping(" ".join(f"U+{ord(c):04X}" for c in text), type=kind)


def _source(book: Book, edition: Edition) -> Iterator[etree._Element]:
    """Yield the printed book, its scan, and the codes that it prints or its units belong to."""
    imprint = E.imprint(E.pubPlace(book.place), E.publisher(book.publisher), _date(book.year))
    yield E.biblStruct(E.monogr(E.author(book.byline), E.title(book.title), imprint))
    yield E.bibl(
        E.title(f"Scan of {book.short}"),
        E.idno(hashlib.sha256(edition.scan.encode("utf-8")).hexdigest(), type="sha256"),
        E.extent(E.measure(unit="character", quantity=str(len(edition.scan)))),
        *([E.note(book.note)] if book.note else []),
        type="scan",
    )
    known = {code.id: (E.title(code.title), E.author(code.authority), _date(code.year)) for code in book.codes}
    codes = [
        E.bibl(*known.get(key, ()), E.idno(key, type="code"), {"type": "code", XML_ID: f"code_{xml_id(key)}"})
        for key in sorted({*known, *(u.code_id for u in edition.units if u.code_id is not None)})
    ]
    if codes:
        yield E.listBibl(*codes)


def _date(year: int) -> etree._Element:
    return E.date(str(year), when=f"{year:04d}")


def standoff(register: Register, parents: Sequence[etree._Element]) -> list[etree._Element]:
    """The `<standOff>` with grounds and with parents that nesting does not show; an empty list if there are none."""
    grounds = [_ground(ground, key) for ground, key in register.grounds.items()]
    groups = [
        *([E.interpGrp(*grounds, type="ground")] if grounds else []),
        *([E.linkGrp(*parents, type="parent")] if parents else []),
    ]
    return [E.standOff(*groups)] if groups else []


def _ground(ground: Ground, key: str) -> etree._Element:
    element = E.interp(
        {
            "type": ground.kind,
            "n": ground.rule or None,
            "resp": f"#{ground.source}" if ground.source else None,
            "cert": degree(ground.confidence),
            XML_ID: key,
        }
    )
    if ground.note:
        element.append(E.desc())
        element[0].text = ground.note  # TEI has no `<g>` here
    locus = "location" if ground.kind == "borders" else "value"
    element.append(E.certainty(locus=locus, degree=repr(float(ground.confidence))))
    return element
