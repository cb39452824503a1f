"""What we print as a citation leads back to the unit, in every style."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import pytest

from kb.citing.finding import in_words
from kb.read import cite, queries
from kb.read.lookup import tokens
from kb.read.written import LONGEST, UNITS, resolve

ADDRESS = "https://whist.example"
REVOKE = "english-1864/law-72"
STYLES = ("plain", "chicago", "mla", "oscola", "bluebook", "short")


@pytest.fixture(scope="module")
def conn(library: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"file:{library}?mode=ro", uri=True)) as conn:
        yield conn


def ids(conn: sqlite3.Connection, text: str) -> list[str]:
    return [unit.id for unit in resolve(conn, text).units]


def test_the_short_form_of_every_unit_leads_to_it(conn: sqlite3.Connection) -> None:
    """Where several units have one short form, as a heading and its line of contents do, all of them can be chosen."""
    units = queries.units(conn, UNITS(conn))
    printed = {i: cite.short(cite.cited(conn, unit)) for i, unit in units.items()}
    same = defaultdict(set)
    for i, line in printed.items():
        same[tuple(tokens(line))].add(i)
    wrong = {i: found for i, line in printed.items() if set(found := ids(conn, line)) != same[tuple(tokens(line))]}
    assert len(printed) > 2500 and not wrong


def test_a_citation_in_any_style_leads_to_its_unit_alone_and_in_a_footnote(conn: sqlite3.Connection) -> None:
    """So does every kind of unit; a footnote names only what has a number, and not the rules of dummy."""
    units = [*queries.units(conn, UNITS(conn)).values()]
    for unit in [*{(unit.work, unit.kind): unit for unit in units}.values(), *units[::100]]:
        for style, printed in asdict(cite.citations_for(conn, unit, f"{ADDRESS}/{unit.id}")).items():
            assert unit.id in ids(conn, printed), style
            bare = re.sub(r",? ?\]?[<(]?https?://\S+", "", printed).rstrip(" .,<")
            assert style in ("bibtex", "ris", "csl", "url") or unit.id in ids(conn, bare), (style, bare)
            if style in STYLES and unit.role in ("provision", "paragraph", "case", "decision") and unit.kind != "dummy":
                text = f"The point is old.[^1] It goes on.\n\n[^1]: See {bare}.\n\n[^2]: Hoyle, Games (1829), law 7."
                assert [[meant.id for meant in found.units] for found in in_words(conn, text)] == [[unit.id]], bare


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        (f"see {ADDRESS}/base/{REVOKE}.", [REVOKE]),
        (f"{REVOKE}/ii", [f"{REVOKE}/ii"]),
        ("“take three tricks from the revoking player” English laws, 1864, law 72 (i)", [f"{REVOKE}/i"]),
        ("English laws, 1864, law 72 (i): “take three tricks” [sha256/16: 61bb77e9ec70a316]", [f"{REVOKE}/i"]),
        ("law 72, The Laws of Whist (the English club code, 1864)", [REVOKE]),
        ("DRAYSON, Whist Laws and Whist Decisions (1896), case 93, decision", ["drayson-1896/case-93/decision"]),
        ("art. 94", ["deschapelles-1839/art-94"]),
        # A search is none, though a heading has its words.
        ("trump card 1864", []),
        ("“exposed cards” 1864", []),
        ("the laws of whist", []),
        ("", []),
        ("law 72 " * LONGEST, []),
    ],
)
def test_a_citation_as_it_is_pasted(conn: sqlite3.Connection, typed: str, found: list[str]) -> None:
    assert ids(conn, typed) == found
