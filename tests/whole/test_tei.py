"""TEI: documents are valid, have every unit with its reading text, and mark what the scan has otherwise."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree
from samples import BOOKS, CLUB, edition_of, make_book

from extract.corpus.book import Book, load_book
from extract.edition import make_edition
from extract.errors import TeiError
from extract.model import Edition
from extract.tei import XML_ID, name, to_tei, validate, xml_id
from extract.text.source import Layout

PLAN = f"""{CLUB}subdivisions = ["ordinal"]
[[citations.series]]
words = ["law"]
target = "club-1850/law-{{n}}"
"""
SCAN = """WHIST LAWS

1. The first law of tbe game, as in law 2, and
more of it.

And a second paragraph.

2. The second law:
First, one thing; and

Secondly, nott another.
"""
ERRATA = """
[[reading]]
at = {the}
scan = "tbe"
read = "the"
reason = "misread"
[[reading]]
at = {nott}
scan = "nott"
kind = "typo"
reason = "a misprint"
[[note]]
at = {more}
scan = "more"
text = "It has no more."
reason = "found"
"""
BODY = """<body><div xml:id="small-1850.section-whist-laws" type="section"><head><pb/>WHIST LAWS</head>
<div xml:id="club-1850.law-1" type="law" n="1"><p>1. The first law of
 <choice><sic>tbe</sic><corr resp="#editor" cert="high">the</corr></choice> game, as in
 <ref type="resolved" target="#club-1850.law-2">law 2</ref>, and more of it.</p><p>And a second paragraph.</p></div>
<div xml:id="club-1850.law-2" type="law" n="2"><p>2. The second law:</p>
<p xml:id="club-1850.law-2.1" n="1">First, one thing; and</p>
<p xml:id="club-1850.law-2.2" n="2">Secondly, <sic>nott</sic> another.</p></div></div></body>"""


def text_of(element: etree._Element) -> str:
    """The reading text of a unit in a document, without its notes and inner divisions."""

    def pieces(inner: etree._Element) -> Iterator[str]:
        yield inner.text or ""
        for child in inner:
            misread = child.tag == name("sic") and inner.tag == name("choice")
            if not misread and child.tag not in (name("note"), name("div")):
                yield " "[child.tag != name("p") :]
                yield from pieces(child)
            yield child.tail or ""

    return " ".join("".join(pieces(element)).split())


def small(folder: Path) -> tuple[Book, Edition]:
    errata = ERRATA.format(the=SCAN.index("tbe"), nott=SCAN.index("nott"), more=SCAN.index("more"))
    book = make_book(folder / "small-1850", SCAN, "lines", PLAN, errata)
    return book, make_edition(book)


@pytest.mark.parametrize("book_id", BOOKS)
def test_shipped_books_are_valid_and_have_the_text_of_every_unit(
    corpus: Path, editions: Mapping[str, Edition], book_id: str
) -> None:
    edition = editions[book_id]
    tree = to_tei(load_book(corpus / book_id), edition)
    validate(tree)
    there = {element.get(XML_ID): element for element in tree.iter() if element.get(XML_ID)}
    assert [u.id for u in edition.units if u.continues is None and xml_id(u.id) not in there] == []
    texts = {u.id: u.text for u in edition.units if u.continues is None and u.role not in ("table", "row", "paragraph")}
    found = {unit: "".join(text_of(there[xml_id(unit)]).split()) for unit in texts}
    assert {unit: text for unit, text in texts.items() if "".join(text.split()) != found[unit]} == {}
    assert sum(1 for _ in tree.iter(name("pb"))) == len(edition.pages)
    pointers = {p for ref in tree.iter(name("ref")) for p in (ref.get("target") or "").split()}
    assert pointers <= {f"#{key}" for key in there}


def test_full_text_of_a_small_book(tmp_path: Path) -> None:
    tree = to_tei(*small(tmp_path))
    validate(tree)
    body = etree.tounicode(next(tree.iter(name("body"))), with_tail=False).replace(f' xmlns="{name("")[1:-1]}"', "")
    assert body == BODY.replace(">\n<", "><").replace("\n ", " ")
    (note,) = (note for note in tree.iter(name("note")) if note.get("type") == "editorial")
    assert (note.get("target"), note.text) == ("#club-1850.law-1", "It has no more.")


def test_book_that_is_all_furniture_is_valid(tmp_path: Path) -> None:
    book, edition = small(tmp_path)
    validate(to_tei(book, replace(edition, units=(), references=(), notes=(), edits=())))


@pytest.mark.parametrize("layout", ["lines", "markdown", "single-line"])
def test_characters_that_xml_does_not_allow_are_replaced(tmp_path: Path, layout: Layout) -> None:
    edition = edition_of(tmp_path / "odd-1850", SCAN.replace("more", "mo\x0cre"), PLAN, layout)
    tree = to_tei(load_book(tmp_path / "odd-1850"), edition)
    validate(tree)
    assert "\x0c" not in etree.tounicode(tree)


def test_note_that_is_no_xml_is_an_error(tmp_path: Path) -> None:
    book, edition = small(tmp_path)
    odd = replace(edition, units=tuple(replace(unit, number="\x00") for unit in edition.units))
    with pytest.raises(TeiError, match="cannot be written as XML"):
        to_tei(book, odd)
