"""The forms of a citation: lines in our style and those of the manuals, and records for reference managers."""

import json
import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.cite import formats, writing
from kb.read import queries
from kb.read.rows import AuthorRow, BookRow

PAGE = "https://whist.example/"
FORMS = json.loads((Path(__file__).parent / "forms.json").read_text("utf-8"))
LAW = "english-1864/law-72/ii"


def citations(conn: sqlite3.Connection, unit_id: str) -> formats.Citations:
    return formats.citations_for(conn, queries.unit(conn, unit_id), PAGE + unit_id)


@pytest.mark.parametrize("unit_id", FORMS)
def test_lines_in_each_style(shipped: sqlite3.Connection, unit_id: str) -> None:
    made = citations(shipped, unit_id)
    assert {style: getattr(made, style) for style in FORMS[unit_id]} == FORMS[unit_id]


@pytest.mark.parametrize(
    ("kind", "work", "style", "line"),
    [
        ("code", "english-1864", "plain",
         "Arlington and Portland Clubs (J. L. Baldwin's committee), The Laws of Whist (the "
         "English club code, 1864), reprinted in A. W. Drayson, Whist Laws and Whist Decisions (New York: Harper & "
         "Brothers, 1896)"),
        ("code", "english-1864", "short", "English laws, 1864"),
        ("book", "drayson-1896", "chicago", "A. W. Drayson, Whist Laws and Whist Decisions, with Upwards of 150 Cases "
         f"Illustrating the Laws (Harper & Brothers, 1896), {PAGE}drayson-1896."),
        ("book", "drayson-1896", "mla",
         "Drayson, A. W. Whist Laws and Whist Decisions, with Upwards of 150 Cases Illustrating "
         f"the Laws. Harper & Brothers, 1896, {PAGE}drayson-1896."),
        ("book", "drayson-1896", "oscola",
         "AW Drayson, Whist Laws and Whist Decisions, with upwards of 150 cases illustrating "
         f"the laws (Harper & Brothers 1896) <{PAGE}drayson-1896>."),
        ("book", "arnaud-1829", "short", "Epitome of the Game of Whist 1829"),
        ("code", "arnaud-1829", "short", "Arnaud's laws 1829"),
        ("code", "american-1893", "bluebook",
         "American Whist League, The American Laws of Whist (1893), reprinted in William "
         "Pole, The Evolution of Whist: A Study of the Progressive Changes Which the Game Has Passed Through (1895), "
         f"{PAGE}american-1893."),
    ],
)  # fmt: skip
def test_whole_code_or_book_is_cited(shipped: sqlite3.Connection, kind: str, work: str, style: str, line: str) -> None:
    whole = (formats.whole_code if kind == "code" else formats.whole_book)(shipped, work, PAGE + work)
    assert whole and getattr(formats.in_all_forms(whole), style) == line


def test_records_of_a_whole_book_and_of_nothing(shipped: sqlite3.Connection) -> None:
    whole = formats.whole_book(shipped, "pole-1895", PAGE)
    assert whole
    made = formats.in_all_forms(whole)
    assert made.bibtex.startswith("@book{pole-1895,") and made.ris.startswith("TY  - BOOK\r\n")
    (item,) = json.loads(made.csl)
    assert (item["type"], "container-title" in item, "note" in item) == ("book", False, False)
    assert formats.whole_book(shipped, "english-1864", PAGE) is formats.whole_code(shipped, "pole-1895", PAGE) is None


# The fields of a Zotero book section into which Zotero imports the tags of RIS and the fields of BibTeX.
RIS_FIELDS = {
    "AU": "author", "C2": "bookAuthor", "TI": "title", "ST": "shortTitle", "T2": "bookTitle", "PY": "date",
    "CY": "place", "PB": "publisher", "SP": "pages", "N1": "first", "UR": "url", "ID": "itemID",
}  # fmt: skip
BIBTEX_FIELDS = {
    "author": "author", "bookauthor": "bookAuthor", "title": "title", "booktitle": "bookTitle", "year": "date",
    "address": "place", "publisher": "publisher", "pages": "pages", "url": "url", "note": "first",
}  # fmt: skip


def test_bibtex_and_ris_records_keep_every_field_of_the_csl_item(shipped: sqlite3.Connection) -> None:
    for (unit_id,) in shipped.execute("select id from unit where continues is null order by id").fetchall()[::97]:
        cited = citations(shipped, unit_id)
        (item,) = json.loads(cited.csl)
        first_year = item.get("original-date", {"date-parts": [[""]]})["date-parts"][0][0]
        expected = {
            "author": _named(item["author"]), "bookAuthor": _named(item.get("container-author", ())),
            "title": item["title"], "bookTitle": item["container-title"],
            "date": str(item["issued"]["date-parts"][0][0]), "place": item["publisher-place"],
            "publisher": item["publisher"], "pages": item.get("page", ""), "url": item["URL"],
            "first": f"first published {first_year}" if first_year else "",
        }  # fmt: skip
        record = [line.split("  - ", 1) for line in cited.ris.split("\r\n")[1:-2]]
        assert {f: " and ".join(value for tag, value in record if RIS_FIELDS[tag] == f) for f in expected} == expected
        entry = dict(re.findall(r"^  (\w+) = \{(.*)\},?$", cited.bibtex, re.M))
        imported = {BIBTEX_FIELDS[name]: re.sub(r"[{}]|\\(?=[&%$#_])", "", value) for name, value in entry.items()}
        assert {field: imported.get(field, "") for field in expected} == expected


def _named(names: Sequence[Mapping[str, str]]) -> str:
    return " and ".join(n.get("literal") or f"{n['family']}, {n['given']}" for n in names)


def test_titles_in_bibtex_keep_their_capitals(shipped: sqlite3.Connection) -> None:
    assert "title = {{The Laws of Whist (the English club code, 1864), law 72 (ii)}}," in citations(shipped, LAW).bibtex


def test_several_authors_family_names_of_several_words_and_bodies(shipped: sqlite3.Connection) -> None:
    cited = writing.cited(shipped, queries.unit(shipped, LAW))
    authors = (AuthorRow("de la Rue", "Warren"), AuthorRow("Cavendish", ""))
    made = formats.citations(replace(cited, authors=authors), PAGE)
    assert "in Warren de la Rue and Cavendish, Whist Laws" in made.plain
    assert "bookauthor = {de la Rue, Warren and {Cavendish}}" in made.bibtex
    assert "C2  - de la Rue, Warren\r\nC2  - Cavendish\r\n" in made.ris
    assert cited.code
    club = formats.citations(replace(cited, code=replace(cited.code, authority="the Portland Club")), PAGE)
    assert json.loads(club.csl)[0]["author"] == [{"literal": "Portland Club"}]


def item(title: str) -> formats.Item:
    pole = [{"family": "Pole", "given": "William"}]
    book = BookRow("b-1850", "Laws", "Laws", "William Pole", 1850, "London", "Nobody", "")
    url = "https://whist.example/b-1850/law-1#a_b%20c"
    return formats.Item(id="b-1850/law-1", url=url, book=book, by=pole, writers=pole, title=title, short="Laws, law 1")


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1))
def test_any_title_gives_valid_bibtex_and_ris(title: str) -> None:
    entry = formats.bibtex(item(title))
    (inner,) = re.findall(r"^  title = \{\{(.*)\}\},$", entry, re.M)
    plain = re.sub(r"\\(?:textbackslash|textasciitilde|textasciicircum|\^)\{\}|\\[&%$#_{}]", "", inner)
    assert not set(plain) & set("&%$#_{}\\~^")
    assert "url = {https://whist.example/b-1850/law-1#a_b%20c}" in entry, "an address is not escaped"
    record = formats.ris(item(title)).split("\r\n")
    assert record[-2:] == ["ER  - ", ""] and [line[:2] for line in record].count("TI") == bool(title.strip())


def test_braces_and_brackets_in_a_title_are_kept() -> None:
    assert formats.line(item("“A & B”, {url} [x], law 1.."), "plain").endswith("1850), “A & B”, {url} [x], law 1..")
    assert formats.markdown("a [sic] b", "https://w") == r"[a \[sic\] b](https://w)"
