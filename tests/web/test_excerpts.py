"""A unit as a document of its own: TEI with its edits, Markdown with its citation; open to scripts of any origin."""

from __future__ import annotations

import io
import sqlite3

import pytest
from datasette.app import Datasette
from lxml import etree

from extract.tei.terms import NAMESPACE, SCHEMA, XML_ID, name
from extract.tei.writer import validate
from kb.read import queries
from kb.read.excerpt import excerpt
from kb.read.markdown import paragraph

BODY = """<p><choice ana="#why_1"><sic>Revohe</sic><corr resp="#rule" cert="high">Revoke</corr></choice>.—Not following
suit <lb ana="#ws_2"/>when able to do so.</p>"""


def tei(conn: sqlite3.Connection, unit_id: str) -> etree._ElementTree:
    made = excerpt(conn, queries.unit(conn, unit_id), lambda path: f"https://example.org{path}")
    return etree.parse(io.BytesIO(made))


def test_every_unit_follows_the_schema_and_no_pointer_leads_nowhere(conn: sqlite3.Connection) -> None:
    outside = set()
    for (unit_id,) in conn.execute("select id from unit where continues is null"):
        tree = tei(conn, unit_id)
        validate(tree)
        pointers = " ".join(tree.xpath("//@target | //@corresp | //@next | //@prev | //@source | //@ana | //@resp"))
        away = {*pointers.split()} - {f"#{made}" for made in tree.xpath("//@xml:id")}
        assert not [pointer for pointer in away if pointer.startswith("#")], unit_id
        outside |= away
    assert "https://example.org/english-1864/law-72" in outside


def test_a_unit_comes_with_its_words_its_edits_and_its_paragraphs(conn: sqlite3.Connection) -> None:
    assert " ".join(BODY.split()) in " ".join(etree.tounicode(tei(conn, "arnaud-1829/def-revoke")).split())
    assert [made.get(XML_ID) for made in tei(conn, "english-1864/law-72").iter(name("div"))] == [
        "english-1864.law-72", *(f"english-1864.law-72.{paragraph}" for paragraph in ("i", "ii", "iv")),
    ]  # fmt: skip


def test_the_header_names_the_book_the_whole_scan_and_the_licence(conn: sqlite3.Connection) -> None:
    places = {
        "//t:titleStmt/t:author/text()": ["A. W. Drayson"],
        "//t:bibl[@type='scan']/t:idno/text()": ["0" * 64],
        "//t:bibl[@type='scan']//t:measure/@quantity": ["1161"],
        "//t:bibl[@type='scan']/t:note/text()": ["An excerpt: characters 137 to 578 of the scan."],
        "//t:licence/@target": ["https://creativecommons.org/publicdomain/mark/1.0/"],
    }
    tree = tei(conn, "english-1864/law-72")
    assert {place: tree.xpath(place, namespaces={"t": NAMESPACE}) for place in places} == places


async def test_the_site_serves_the_document_its_schema_and_markdown(ds: Datasette) -> None:
    answer = await ds.client.get("/english-1864/law-72.tei.xml")
    assert answer.headers["content-type"].startswith("application/tei+xml")
    assert "http://localhost/schemas/whist-tei.rng" in answer.text.partition("<TEI")[0]
    assert (await ds.client.get("/schemas/whist-tei.rng")).text == SCHEMA.read_text("utf-8")
    told = (await ds.client.get("/english-1864/law-72.md")).text
    assert told.startswith("# English club code, 1864, Law 72\n\n*THE REVOKE*\n\n> 72\\. The penalty")
    assert told.rstrip().endswith("](http://localhost/english-1864/law-72)")


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


async def test_scripts_of_any_origin_may_read_everything(ds: Datasette) -> None:
    headers = {"origin": "https://example.org"}
    for path, status in (
        ("/English-1864/Law-72.json", 301), ("/english-1864/law-999.json", 404), ("/english-1864/law-72.tei.xml", 200),
        ("/compare/revoke.csv", 200), ("/openapi.json", 200), ("/small/unit.json", 200),
        ("/small/concordance.csv", 200), ("/small.db", 200), ("/small.json?sql=select+1", 403), ("/concepts.json", 200),
        ("/concepts.json", 304), ("/concepts.ttl", 200),
    ):  # fmt: skip
        answer = await ds.client.get(path, headers=headers)
        given = (answer.status_code, answer.headers.get_list("access-control-allow-origin"))
        assert given == (status, ["*"]) and "access-control-allow-credentials" not in answer.headers, path
        headers["if-none-match"] = answer.headers.get("etag", "")
