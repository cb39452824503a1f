"""TEI: what is written is valid TEI P5, says what the edition says, and reads back as the same edition."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from tei_editions import BOOK, sent, some_edition
from tei_reading import assert_same, from_tei

from extract.errors import TeiError
from extract.model import Edit, Edition, Page, Reference, Unit
from extract.tei.terms import name, unit_id, xml_id
from extract.tei.writer import to_tei, validate
from extract.text.textlayer import TextLayer


def xml(tree: etree._ElementTree | etree._Element) -> str:
    """A document or element as text."""
    return etree.tostring(tree, encoding="UTF-8", with_tail=False).decode("utf-8")


def every(tree: etree._ElementTree, tag: str) -> list[etree._Element]:
    """The elements with a tag, in order."""
    return list(tree.getroot().iter(name(tag)))


# Any edition


@settings(max_examples=200)
@given(some_edition())
def test_any_edition_is_read_back_as_it_was(edition: Edition) -> None:
    assert from_tei(sent(to_tei(BOOK, edition))) == edition


@given(st.text(max_size=12))
def test_ids_are_names_and_come_back(tail: str) -> None:
    for given_id in (f"b-1800/{tail}", f"1{tail}", f"_{tail}", f"é{tail}"):
        made = xml_id(given_id)
        assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9._-]*", made)
        assert unit_id(made) == given_id


# A small book, in full


def white(before: str, after: str) -> Edit:
    return Edit(0, 0, before, after, "space", "rule", 1.0, "white space")


def begin(tail: str, kind: str, *, parent: str | None = None, code: str | None = None, **more: Any) -> Unit:
    told = {"label": "", "number": None, "cells": (), "sure": 1.0} | more
    return Unit(
        f"b-1800/{tail}", "b-1800", code, kind, told["label"], told["number"], parent and f"b-1800/{parent}", "LAWS.",
        0, 0, 0, None, "", told["sure"], (), told["cells"], role="row" if kind == "odds" else None,
    )  # fmt: skip


def printed(*story: str | Edit | Unit | tuple[str, ...] | None) -> Edition:
    """Set a book from words, edits, beginnings of units and of references (their targets), and None for their ends."""
    scan = ""
    edits: list[Edit] = []
    units: list[Unit] = []
    references: list[Reference] = []
    begun: list[tuple[int, Unit | tuple[str, ...]]] = []
    for item in story:
        if isinstance(item, Edit):
            edits.append(item._replace(raw_start=len(scan), raw_end=len(scan) + len(item.before)))
            scan += item.before
        elif isinstance(item, str):
            scan += item
        elif item is not None:
            begun.append((len(scan), item))
        else:
            start, what = begun.pop()
            if isinstance(what, Unit):
                units.append(replace(what, raw_start=start, raw_end=len(scan)))
                continue
            holder = next(u.id for _, u in reversed(begun) if isinstance(u, Unit))
            references += [
                Reference(holder, start, len(scan), scan[start:], f"b-1800/{t}", "resolved", 0.75) for t in what
            ]
    units.sort(key=lambda u: (u.raw_start, -u.raw_end))
    notes = [u.span for u in units if u.kind == "footnote"]
    layer = TextLayer(scan, tuple(edits))
    pages = (Page(0, 0, 8, "11", "interpolated"), Page(1, 8, len(scan), "12", "printed"))
    return Edition(
        "b-1800",
        scan,
        layer.edits,
        (),
        pages,
        tuple(
            replace(u, seq=i, text=layer.read_around(u.span, notes), page="11" if u.raw_start < 8 else "12")
            for i, u in enumerate(units)
        ),
        tuple(references),
    )


@pytest.fixture
def small() -> Edition:
    """A heading, a folio, a law with a paragraph and a footnote in its midst, a range of references, a table row."""
    blank, line, paragraph, closed = (
        white("  ", " "), white(" \n", " "), white(" \n\n", "\n\n"), white(" ", "")
    )  # fmt: skip
    return printed(
        begin("section-laws", "section", label="LAWS."), "LAWS.", None, paragraph,
        Edit(0, 0, "12", "", "furniture", "rule", 0.95, "folio"), paragraph,
        begin("law-1", "law", label="Law 1", number="1", parent="section-laws", code="code-1800"),
        "1.", blank, "The", blank, "deal", Edit(0, 0, "- \n", "", "join", "model", 0.7, "broken"),
        "er", blank, "shall", line, "give", closed, ":", paragraph,
        begin("law-1/i", "subclause", label="Law 1 (i)", number="i", parent="law-1", code="code-1800"),
        "I.", blank, "one", blank, "card", closed, ";", None, line,
        begin("law-1/note-1", "footnote", label="Note", parent="law-1", code="code-1800", sure=0.95),
        "(a)", blank, "At", blank, "Paris.", None, paragraph,
        "or", blank, Edit(0, 0, "tJie", "the", "ocr", "editor", 1.0, "misread"), blank, "next", line,
        "(see", blank, ("law-1", "law-1/i"), "Laws", " ", "1-2", None, ").", None, paragraph,
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
</orig><reg resp="#model" cert="medium"/></choice>er shall
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


def test_a_small_book_in_full(small: Edition) -> None:
    tree = to_tei(BOOK, small)
    (body,) = every(tree, "body")
    assert re.sub(r"</?body[^>]*>", "", xml(body)) == BODY
    assert_same(small, from_tei(sent(tree)))


def test_each_ground_is_told_once_with_its_exact_confidence(small: Edition) -> None:
    tree = to_tei(BOOK, small)
    told = [
        (i.get("type"), i.get("resp"), i.findtext(name("desc")), *(c.get("degree") for c in i.iter(name("certainty"))))
        for i in every(tree, "interp")
    ]
    expected = {(e.kind, f"#{e.source}", e.note, str(e.confidence)) for e in small.edits}
    assert len(told) == len(set(told))
    assert set(told) == {*expected, ("borders", None, None, "0.95"), ("reference", None, None, "0.75")}


def test_a_parent_that_nesting_does_not_show_is_a_link(small: Edition) -> None:
    units = (*small.units[:-1], replace(small.units[-1], parent_id="b-1800/law-1"))
    tree = to_tei(BOOK, replace(small, units=units))
    assert [link.get("target") for link in every(tree, "link")] == ["#b-1800.odds-1 #b-1800.law-1"]
    assert from_tei(sent(tree)).units == units


def test_a_page_may_turn_between_two_cells(small: Edition) -> None:
    border = small.scan.index("low,")
    first, last = small.pages
    pages = (first, replace(last, raw_end=border), Page(2, border, len(small.scan), "13", "printed"))
    tree = to_tei(BOOK, replace(small, pages=pages))
    assert [len(cell.findall(name("pb"))) for cell in every(tree, "cell")] == [0, 1]
    assert from_tei(sent(tree)).pages == pages


def test_an_edit_across_cells_stands_in_the_first() -> None:
    edit = Edit(0, 0, "l0 Z", "10\t2", "ocr", "editor", 1.0, "misread")
    edition = printed(begin("odds-1", "odds", cells=("10", "2")), edit, None, " end of page")
    tree = to_tei(BOOK, edition)
    assert [(cell.get("n"), len(cell.findall(name("choice")))) for cell in every(tree, "cell")] == [("10", 1), ("2", 0)]
    assert_same(edition, from_tei(sent(tree)))


def test_lines_of_the_file_may_be_broken_anew(small: Edition) -> None:
    """White space in the file is one blank however it is written, so an editor may wrap its lines."""
    text = xml(to_tei(BOOK, small))
    wrapped = text.replace(" The ", "\n      The\n ").replace("<p>", "<p>\n  ").replace("\n<lb", "\n\n   <lb")
    assert wrapped != text
    assert_same(small, from_tei(etree.fromstring(wrapped).getroottree()))


# What must not pass


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("one card", "one <hi>card</hi>"),
        ('type="law"', 'type="law 1"'),
        ('resp="#editor"', 'resp="#somebody"'),
        ("<p>(a) At Paris.</p>", "(a) At Paris."),
        ("teiHeader", "header"),
    ],
)
def test_what_does_not_follow_the_schema_is_refused(small: Edition, old: str, new: str) -> None:
    text = xml(to_tei(BOOK, small))
    validate(etree.fromstring(text).getroottree())
    assert old in text
    with pytest.raises(TeiError, match=r"whist-tei\.rng"):
        validate(etree.fromstring(text.replace(old, new)).getroottree())


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda u: {"units": (*u[:2], replace(u[2], raw_end=u[1].raw_end + 3))}, r"law-1/i .* crosses b-1800/law-1"),
        (lambda u: {"units": (*u[:2], replace(u[2], raw_end=u[2].raw_start))}, r"law-1/i .* is empty"),
        (lambda u: {"units": (replace(u[0], number="\x0c"), *u[1:])}, "XML cannot carry"),
        (lambda u: {"pages": (Page(0, u[1].raw_start + 3, 99, "1", "printed"),)}, "'  ' at .* lies across the border"),
    ],
    ids=["units that cross", "an empty unit", "a number", "a border within an edit"],
)
def test_what_cannot_be_told_in_tei_is_refused(small: Edition, change: Callable[[Any], Any], why: str) -> None:
    with pytest.raises(TeiError, match=why):
        to_tei(BOOK, replace(small, **change(small.units)))
