"""One unit as a document: TEI with its edits, Markdown with its citation; scripts of any origin may read them."""

import io
import sqlite3

from datasette.app import Datasette
from lxml import etree

from extract.tei import NAMESPACE, SCHEMA, XML_ID, name, validate
from kb.read import queries
from kb.read.excerpt import excerpt

BODY = """<choice><sic>Revohe</sic><corr resp="#rule" cert="high">Revoke</corr></choice>.—Not following suit when able
to do so.</p>"""


def tei(conn: sqlite3.Connection, unit_id: str) -> etree._ElementTree:
    document = excerpt(conn, queries.unit(conn, unit_id), lambda path: f"https://example.org{path}")
    return etree.parse(io.BytesIO(document))


def test_every_unit_is_valid_tei_without_dangling_pointers(conn: sqlite3.Connection) -> None:
    outside = set()
    for (unit_id,) in conn.execute("select id from unit where continues is null"):
        tree = tei(conn, unit_id)
        validate(tree)
        pointers = " ".join(tree.xpath("//@target | //@resp"))
        unresolved = {*pointers.split()} - {f"#{xml_id}" for xml_id in tree.xpath("//@xml:id")}
        assert not [pointer for pointer in unresolved if pointer.startswith("#")], unit_id
        outside |= unresolved
    assert "https://example.org/english-1864/law-72" in outside


def test_tei_has_the_edits_and_paragraphs_of_the_unit(conn: sqlite3.Connection) -> None:
    assert " ".join(BODY.split()) in " ".join(etree.tounicode(tei(conn, "arnaud-1829/def-revoke")).split())
    (law,) = tei(conn, "english-1864/law-72").iter(name("div"))
    ids = [paragraph.get(XML_ID) for paragraph in law.iter(name("p")) if paragraph.get(XML_ID)]
    assert ids == [f"english-1864.law-72.{paragraph}" for paragraph in ("i", "ii", "iv")]


def test_tei_header_names_the_book_the_scan_the_code_and_the_licence(conn: sqlite3.Connection) -> None:
    places = {
        "//t:titleStmt/t:author/text()": ["A. W. Drayson"],
        "//t:bibl[@type='scan']/t:idno/text()": ["0" * 64],
        "//t:listBibl/t:bibl/t:author/text()": ["The London clubs"],
        "//t:licence/@target": ["https://creativecommons.org/publicdomain/zero/1.0/"],
    }
    tree = tei(conn, "english-1864/law-72")
    assert {place: tree.xpath(place, namespaces={"t": NAMESPACE}) for place in places} == places


async def test_site_serves_tei_and_its_schema(shared: Datasette) -> None:
    response = await shared.client.get("/english-1864/law-72.tei.xml")
    assert response.headers["content-type"].startswith("application/tei+xml")
    assert "http://localhost/schemas/whist-tei.rng" in response.text.partition("<TEI")[0]
    assert (await shared.client.get("/schemas/whist-tei.rng")).text == SCHEMA.read_text("utf-8")


async def test_scripts_of_any_origin_may_read_every_response(shared: Datasette) -> None:
    headers = {"origin": "https://example.org"}
    for path, status in (
        ("/English-1864/Law-72.json", 301), ("/english-1864/law-999.json", 404), ("/english-1864/law-72.tei.xml", 200),
        ("/compare/revoke.csv", 200), ("/about.json", 200), ("/small/unit.json", 200),
        ("/small/concordance.csv", 200), ("/small.db", 200), ("/small.json?sql=select+1", 403), ("/concepts.json", 200),
        ("/concepts.json", 304),
    ):  # fmt: skip
        response = await shared.client.get(path, headers=headers)
        actual = (response.status_code, response.headers.get_list("access-control-allow-origin"))
        assert actual == (status, ["*"]) and "access-control-allow-credentials" not in response.headers, path
        headers["if-none-match"] = response.headers.get("etag", "")
