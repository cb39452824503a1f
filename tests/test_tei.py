"""TEI: what is written is valid TEI P5, says what the edition says, and reads back as the same edition."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from extract.book import Book
from extract.model import Edit, EditKind, Edition, FolioStatus, Page, Reference, Unit, UnitKind
from extract.tei import to_tei
from extract.tei_reader import from_tei, read_tei, require_same, validate
from extract.tei_terms import SCHEMA, TeiError, name, reading_text, unit_id, xml_id
from extract.textlayer import TextLayer
from tests.tei_editions import BOOK, ELSEWHERE, some_edition

NAMES = {"t": "http://www.tei-c.org/ns/1.0"}


def sent(tree: etree._ElementTree) -> etree._ElementTree:
    """A document as it comes back from a file."""
    return etree.fromstring(etree.tostring(tree, encoding="UTF-8")).getroottree()


# Any edition


@settings(max_examples=200)
@given(some_edition())
def test_any_edition_is_read_back_as_it_was(edition: Edition) -> None:
    assert from_tei(sent(to_tei(BOOK, edition, ELSEWHERE))) == edition


@given(st.text(max_size=12))
def test_ids_are_names_and_come_back(tail: str) -> None:
    for given_id in (f"b-1800/{tail}", f"1{tail}", f"_{tail}", f"é{tail}"):
        made = xml_id(given_id)
        assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9._-]*", made)
        assert unit_id(made) == given_id


def test_ids_stay_readable() -> None:
    assert xml_id("english-1864/law-72/ii") == "english-1864.law-72.ii"


# A small book, in full


def white(before: str, after: str) -> Edit:
    return Edit(0, 0, before, after, "space", "rule", 1.0, "white space")


def begin(
    tail: str,
    kind: UnitKind,
    *,
    number: str | None = None,
    label: str = "",
    parent: str | None = None,
    code: str | None = None,
    sure: float = 1.0,
    cells: tuple[str, ...] = (),
) -> Unit:
    above = f"b-1800/{parent}" if parent else None
    return Unit(f"b-1800/{tail}", "b-1800", code, kind, label, number, above, "LAWS.", 0, 0, 0, None, "", sure, (), cells)


def printed(*story: str | Edit | Unit | tuple[str, ...] | None) -> Edition:
    """Set a book from words, edits, beginnings of units and of references (their targets), and None for their ends."""
    scan = ""
    edits: list[Edit] = []
    units: list[Unit] = []
    references: list[Reference] = []
    begun: list[tuple[int, Unit | tuple[str, ...]]] = []
    for item in story:
        if isinstance(item, Edit):
            edits.append(replace(item, raw_start=len(scan), raw_end=len(scan) + len(item.before)))
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
    pages = (Page(0, 0, 12, "11", "interpolated"), Page(1, 12, len(scan), "12", "printed"))
    return Edition(
        "b-1800",
        scan,
        layer.edits,
        (),
        pages,
        tuple(
            replace(u, seq=i, text=reading_text(layer, u.span, notes), page="11" if u.raw_start < 12 else "12")
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
        begin("odds-1", "odds", number="1", parent="section-laws", cells=("Ace", "low, or not")),
        "Ace", white("\t", " "), Edit(0, 0, "low,", "low,", "illegible", "editor", 0.5, "a blot"), blank, "or", blank,
        Edit(0, 0, "nott", "nott", "typo", "editor", 1.0, "misprint"), None, "\n",
    )  # fmt: skip


def test_print(small: Edition) -> None:
    tree = to_tei(BOOK, small)
    print(etree.tostring(tree, encoding="unicode"))
    require_same(small, from_tei(sent(tree)))
    raise SystemExit
