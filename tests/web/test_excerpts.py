"""A unit as a document of its own: TEI with its edits, Markdown with its citation; open to scripts of any origin."""

from __future__ import annotations

import io
import sqlite3

import pytest
from datasette.app import Datasette
from lxml import etree

from extract.tei.terms import SCHEMA, XML_ID, name
from extract.tei.writer import validate
from kb.read import queries
from kb.read.excerpt import excerpt
from kb.read.markdown import paragraph

LEFT_OUT = {name(tag) for tag in ("fw", "index", "note", "orig", "pb")}


def tei(conn: sqlite3.Connection, unit_id: str) -> etree._ElementTree:
    made = excerpt(conn, queries.unit(conn, unit_id), lambda path: f"https://example.org{path}")
    return etree.parse(io.BytesIO(made))


def read(element: etree._Element) -> str:
    """The reading text of an element, as any reader of TEI would read it."""
    if element.tag in LEFT_OUT or (element.tag == name("sic") and element.getparent().tag == name("choice")):
        return ""
    inner = "".join((" " if child.tag == name("lb") else "") + read(child) + (child.tail or "") for child in element)
    return (element.text or "") + inner


def every_unit(conn: sqlite3.Connection) -> list[str]:
    return [row[0] for row in conn.execute("select id from unit where continues is null")]


def test_every_unit_follows_the_schema(conn: sqlite3.Connection) -> None:
    for unit_id in every_unit(conn):
        validate(tei(conn, unit_id))


def test_the_words_and_the_edits_are_those_of_the_unit(conn: sqlite3.Connection) -> None:
    tree = tei(conn, "arnaud-1829/def-revoke")
    unit = queries.unit(conn, "arnaud-1829/def-revoke")
    assert read(tree.find(f".//{name('body')}")).split() == unit.text.split()
    (choice,) = tree.iter(name("choice"))
    assert [(c.tag, c.text) for c in choice] == [(name("sic"), "Revohe"), (name("corr"), "Revoke")]


def test_a_law_comes_with_its_paragraphs(conn: sqlite3.Connection) -> None:
    ids = [made.get(XML_ID) for made in tei(conn, "english-1864/law-72").iter(name("div"))]
    assert ids[0] == "english-1864.law-72" and "english-1864.law-72.i" in ids


def test_no_pointer_leads_nowhere(conn: sqlite3.Connection) -> None:
    outside = set()
    for unit_id in every_unit(conn):
        root = tei(conn, unit_id).getroot()
        here = {made.get(XML_ID) for made in root.iter()}
        for made in root.iter(etree.Element):
            for key in ("target", "corresp", "next", "prev", "source", "ana", "resp"):
                for pointer in (made.get(key) or "").split():
                    assert not pointer.startswith("#") or pointer[1:] in here, (unit_id, pointer)
                    outside.add(pointer)
    assert "https://example.org/english-1864/law-72" in outside


def test_the_header_names_the_book_the_whole_scan_and_the_licence(conn: sqlite3.Connection) -> None:
    tree = tei(conn, "english-1864/law-72")
    unit = queries.unit(conn, "english-1864/law-72")
    facts = queries.scan_facts(conn, unit.book_id)
    told = {made.tag.rpartition("}")[2]: made for made in tree.find(f".//{name('bibl')}[@type='scan']").iter()}
    assert (told["idno"].text, int(told["measure"].get("quantity"))) == facts
    assert f"{unit.raw_start} to {unit.raw_end}" in told["note"].text
    assert "publicdomain" in tree.find(f".//{name('licence')}").get("target")
    assert tree.findtext(f".//{name('titleStmt')}/{name('author')}") == "A. W. Drayson"


async def test_the_site_serves_the_document_and_its_schema(ds: Datasette) -> None:
    answer = await ds.client.get("/english-1864/law-72.tei.xml")
    assert answer.headers["content-type"].startswith("application/tei+xml")
    assert "http://localhost/schemas/whist-tei.rng" in answer.text.partition("<TEI")[0]
    assert (await ds.client.get("/schemas/whist-tei.rng")).text == SCHEMA.read_text("utf-8")


async def test_markdown_has_heading_text_citation_and_link(ds: Datasette) -> None:
    told = (await ds.client.get("/english-1864/law-72.md")).text
    title, *_ = told.splitlines()
    citation = told.strip().splitlines()[-1]
    assert title == "# English club code, 1864, Law 72" and "> 72\\. The penalty" in told
    assert citation.startswith("— [") and citation.endswith("](http://localhost/english-1864/law-72)")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("72. The penalty", "72\\. The penalty"),
        ("II. Can be claimed", "II. Can be claimed"),
        ("- a list", "\\- a list"),
        ("1894 was the year", "1894 was the year"),
        ("# *none* of it", "\\# \\*none\\* of it"),
    ],
)
def test_no_text_is_taken_for_markdown(text: str, told: str) -> None:
    assert paragraph(text) == told


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/english-1864/law-72.json", 200),
        ("/English-1864/Law-72.json", 301),
        ("/english-1864/law-999.json", 404),
        ("/english-1864/law-72.tei.xml", 200),
        ("/compare/revoke.csv", 200),
        ("/concepts.ttl", 200),
        ("/openapi.json", 200),
        ("/small/unit.json", 200),
        ("/small/concordance.csv", 200),
        ("/small.db", 200),
        ("/small.json?sql=select+1", 403),
    ],
)
async def test_scripts_of_any_origin_may_read_everything(ds: Datasette, path: str, status: int) -> None:
    answer = await ds.client.get(path, headers={"origin": "https://example.org"})
    assert (answer.status_code, answer.headers.get_list("access-control-allow-origin")) == (status, ["*"])
    assert "access-control-allow-credentials" not in answer.headers


async def test_an_unchanged_page_may_be_read_by_them_too(ds: Datasette) -> None:
    tag = (await ds.client.get("/concepts.json")).headers["etag"]
    answer = await ds.client.get("/concepts.json", headers={"if-none-match": tag, "origin": "https://example.org"})
    assert answer.status_code == 304 and answer.headers["access-control-allow-origin"] == "*"
