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
from extract.tei_terms import SCHEMA, TeiError, name, unit_id, xml_id
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

SCAN = (
    "THE  LAWS. \n\n12 \n\n1.  The  deal - \ner  shall  give : \n"
    "(a)  At  Paris. \n\nI.  one  card ;  or \n\n\nII.  tJie  next  (see  Laws  1-2). \n\n"
    "Ace\tlow \n"
)


def span_of(words: str) -> tuple[int, int]:
    start = SCAN.index(words)
    return start, start + len(words)


def made_unit(tail: str, kind: UnitKind, words: str, text: str, **more: object) -> Unit:
    start, end = span_of(words)
    return Unit(f"b-1800/{tail}", "b-1800", None, kind, "", None, None, None, 0, start, end, "12", text, **more)  # type: ignore[arg-type]


def small() -> Edition:
    """A heading, a folio, a law with two paragraphs and a footnote in its midst, a table row, a range of references."""
    word = {"source": "rule", "confidence": 1.0, "note": "white space"}
    edits = [Edit(m.start(), m.end(), "  ", " ", "space", **word) for m in re.finditer("  ", SCAN)]  # type: ignore[arg-type]
    edits += [
        Edit(m.start(), m.end(), m[0], " " if SCAN[m.start() - 1] == ":" else "\n\n", "space", **word)  # type: ignore[arg-type]
        for m in re.finditer(r" \n+(?!er)", SCAN)
        if m.end() < len(SCAN)
    ]
    edits += [
        Edit(*span_of("12"), "12", "", "furniture", "rule", 0.95, "folio"),
        Edit(*span_of(" - \n"), " - \n", "", "join", "model", 0.7, "line-end hyphen"),
        Edit(*span_of("tJie"), "tJie", "the", "ocr", "editor", 1.0, "misread"),
        Edit(*span_of("low"), "low", "low", "illegible", "editor", 0.5, "a blot"),
        Edit(SCAN.index(" :"), SCAN.index(" :") + 1, " ", "", "space", **word),  # type: ignore[arg-type]
    ]
    law = SCAN[SCAN.index("1.  The") : SCAN.index(" \n\nAce")]
    units = [
        made_unit("section-laws", "section", "THE  LAWS.", "THE LAWS.", label="THE LAWS."),
        made_unit("law-1", "law", law, ""),
    ]
    raise NotImplementedError(units, edits)
