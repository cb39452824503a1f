"""Citations: the plain line, and forms that their readers accept."""

from __future__ import annotations

import json
import re
import sqlite3

import pytest

from kb.read import cite, queries

PAGE = "https://whist.example/"


def citations(conn: sqlite3.Connection, unit_id: str) -> cite.Citations:
    return cite.citations_for(conn, queries.unit(conn, unit_id), PAGE + unit_id)


@pytest.mark.parametrize(
    ("unit_id", "line"),
    [
        ("english-1864/law-72/ii", "The Laws of Whist (1864), law 72 (ii), in A. W. Drayson, Whist Laws "
         "(New York: Harper & Brothers, 1896), p. 18"),
        ("arnaud-1829/law-21", "E. M. Arnaud, Epitome (Edinburgh: Oliver & Boyd, 1829), law 21, p. 18"),
        ("drayson-1896/case-93/decision", "A. W. Drayson, Whist Laws (New York: Harper & Brothers, 1896), "
         "case 93, decision, p. 18"),
        ("arnaud-1829/def-revoke",
         "E. M. Arnaud, Epitome (Edinburgh: Oliver & Boyd, 1829), definition of “Revoke”, p. 18"),
    ],
)  # fmt: skip
def test_plain(conn: sqlite3.Connection, unit_id: str, line: str) -> None:
    assert citations(conn, unit_id).plain == line


def test_short_names_the_year_once(conn: sqlite3.Connection) -> None:
    assert citations(conn, "english-1864/law-72").short == "English club code 1864, law 72"
    assert citations(conn, "american-1893/law-30").short == "American code of 1893, law 30"


def test_bibtex_is_balanced_and_escaped(conn: sqlite3.Connection) -> None:
    entry = citations(conn, "english-1864/law-72/ii").bibtex
    assert entry.startswith("@incollection{english-1864:law-72:ii,")
    assert r"Harper \& Brothers" in entry and entry.count("{") == entry.count("}")
    assert f"url = {{{PAGE}english-1864/law-72/ii}}" in entry and "{pages}" not in entry


def test_ris_has_its_tags_in_order_and_ends_its_lines(conn: sqlite3.Connection) -> None:
    record = citations(conn, "english-1864/law-72").ris
    lines = record.split("\r\n")
    assert lines[0] == "TY  - CHAP" and lines[-2:] == ["ER  - ", ""]
    assert all(re.match(r"[A-Z][A-Z0-9]  - ", line) for line in lines[:-1])
    assert "A2  - Drayson, A. W." in lines and "SP  - 18" in lines


def test_csl_is_json_with_both_dates(conn: sqlite3.Connection) -> None:
    (item,) = json.loads(citations(conn, "english-1864/law-72").csl)
    assert item["issued"] == {"date-parts": [[1896]]} and item["original-date"] == {"date-parts": [[1864]]}
    assert item["container-author"] == [{"family": "Drayson", "given": "A. W."}] and item["type"] == "chapter"


def test_markdown_is_a_link(conn: sqlite3.Connection) -> None:
    of = citations(conn, "english-1864/law-72")
    assert of.markdown == f"[{of.plain}]({PAGE}english-1864/law-72)"


def test_every_unit_can_be_cited(conn: sqlite3.Connection) -> None:
    lines = {}
    for book in queries.books(conn):
        for unit in queries.units_of_book(conn, book.id):
            line = citations(conn, unit.id).plain
            assert str(book.year) in line and "None" not in line
            lines.setdefault(line, []).append(unit.id)
    assert {k: v for k, v in lines.items() if len(v) > 1} == {}
