"""What the head of a page, the map of the site and the feed say: one author and one date of each thing, everywhere."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from datasette.app import Datasette
from lxml import etree, html
from pages import PAGES, altered, data, get

import datasette_plugins
from datasette_plugins.discovery import metadata, sitemap
from datasette_plugins.library import dated
from datasette_plugins.views import alphabet

ATOM = {"a": "http://www.w3.org/2005/Atom"}
MAP = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


def linked(page: html.HtmlElement) -> Any:
    return json.loads(page.xpath("string(//script[@type='application/ld+json'])"))


def meta(page: html.HtmlElement, name: str) -> list[str]:
    return [str(value) for value in page.xpath(f"//meta[@name='{name}' or @property='{name}']/@content")]


LONDON = [{"@type": "Organization", "name": "The London clubs"}]
BOOK = {
    "@id": "http://localhost/book/drayson-1896", "@type": "Book", "datePublished": "1896",
    "author": [{"@type": "Person", "name": "A. W. Drayson"}], "name": "Whist Laws and Whist Decisions",
    "publisher": {"@type": "Organization", "location": "New York", "name": "Harper & Brothers"},
    "url": "http://localhost/book/drayson-1896",
}  # fmt: skip
CODE = {
    "@id": "http://localhost/code/english-1864", "@type": "Legislation", "author": LONDON, "legislationDate": "1864",
    "legislationIdentifier": "english-1864", "legislationPassedBy": LONDON, "legislationType": "Code",
    "name": "The Laws of Whist", "url": "http://localhost/code/english-1864",
}  # fmt: skip


@pytest.mark.parametrize(
    ("path", "author", "year"),
    [
        ("/english-1864/law-72/ii", "The London clubs", "1896"),
        ("/american-1893/law-30", "American Whist League", "1895"),
        ("/arnaud-1829/law-21", "E. M. Arnaud", "1829"),
        ("/drayson-1896/case-93", "A. W. Drayson", "1896"),
    ],
)
async def test_author_and_date_of_a_unit_are_the_same_in_every_form(
    ds: Datasette, path: str, author: str, year: str
) -> None:
    page = await get(ds, path)
    told = linked(page)
    assert ([name["name"] for name in told["author"]], told["datePublished"]) == ([author], year)
    assert (meta(page, "author"), meta(page, "citation_date")) == ([author], [year])
    (cited,) = meta(page, "citation_author")
    bibtex = dict(re.findall(r"(?m)^ +(author|year)\s*=\s*\{+([^}]*)", (await ds.client.get(f"{path}.bib")).text))
    family = author.rpartition(" ")[2]
    assert family in cited and family in bibtex["author"] and bibtex["year"] == year
    (item,) = await data(ds, f"{path}.csl.json")
    assert item["issued"] == {"date-parts": [[int(year)]]}


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("english-1864/law-72", {
            "@type": "Legislation", "author": LONDON, "isPartOf": [CODE, BOOK], "legislationDate": "1864",
            "legislationIdentifier": "english-1864/law-72", "legislationPassedBy": LONDON, "legislationType": "Law",
            "name": "The Laws of Whist (1864), law 72",
        }),
        ("code/english-1864", {**CODE, "isPartOf": BOOK}),
        ("book/drayson-1896", BOOK),
        ("concept/revoke", {"@type": "DefinedTerm", "name": "revoke", "alternateName": ["renounce in error"]}),
        # What is no provision is no legislation.
        ("drayson-1896/case-93", {"@type": "CreativeWork", "isPartOf": [BOOK], "legislationDate": None}),
        ("english-1864/section-the-revoke", {"@type": "CreativeWork", "author": LONDON, "legislationDate": None}),
    ],
)  # fmt: skip
async def test_what_a_page_tells_machines_of_its_matter(ds: Datasette, path: str, told: dict[str, Any]) -> None:
    found = linked(await get(ds, f"/{path}"))
    assert {key: found.get(key) for key in told} == told
    assert found["@id"] == f"http://localhost/{path}"


@pytest.mark.parametrize("path", PAGES)
async def test_every_page_is_described_and_can_be_shown_beside_a_link(ds: Datasette, path: str) -> None:
    page = await get(ds, path)
    (description,) = meta(page, "description")
    assert 20 < len(description) <= 201 and "{" not in description
    assert meta(page, "og:description") == [description]
    assert meta(page, "og:url") == page.xpath("//link[@rel='canonical']/@href")
    assert meta(page, "og:title")[0] in page.findtext(".//title")
    assert meta(page, "og:image")[0].startswith("http://localhost/-/static-plugins/")
    assert page.xpath("//link[@type='application/atom+xml']/@href") == ["/feed.xml"]


async def test_the_picture_of_the_site_is_a_png_of_the_size_that_is_told(ds: Datasette) -> None:
    (picture,) = meta(await get(ds, "/"), "og:image")
    answer = await ds.client.get(picture.removeprefix("http://localhost"))
    width, height = (number.to_bytes(4, "big") for number in metadata.PICTURE_SIZE)
    assert answer.content.startswith(b"\x89PNG") and answer.content[16:24] == width + height


async def test_the_map_has_every_page_that_crawlers_may_read_with_the_day_of_the_build(
    ds: Datasette, database: Path
) -> None:
    tree = etree.fromstring((await ds.client.get("/sitemap.xml")).content)
    mapped = {loc.removeprefix("http://localhost") for loc in tree.xpath("//s:loc/text()", namespaces=MAP)}
    assert set(tree.xpath("//s:lastmod/text()", namespaces=MAP)) == {dated(database)[:10]}
    closed = tuple(path.rstrip("?") for path in sitemap.CLOSED if "*" not in path and path != "/dispute?")
    links = {h.partition("#")[0] for path in PAGES for h in (await get(ds, path)).xpath("//a/@href") if h[0] == "/"}
    open_links = {
        link for link in links
        if not re.search(r"[?.]|/evidence$", link) and not link.startswith((*closed, "/small", "/compare/"))
    }  # fmt: skip
    assert open_links <= mapped
    for path in mapped:
        await get(ds, path)


async def test_the_feed_has_the_build_with_its_date_and_what_it_holds(ds: Datasette, database: Path) -> None:
    answer = await ds.client.get("/feed.xml")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = etree.fromstring(answer.content)
    build = (ds.get_database("small").hash or "")[:8]
    assert feed.findtext("a:entry/a:id", namespaces=ATOM) == f"http://localhost/feed.xml#build-{build}"
    assert [time.text for time in feed.iterfind(".//a:updated", namespaces=ATOM)] == [dated(database)] * 2
    content = feed.findtext("a:entry/a:content", namespaces=ATOM)
    assert "4 codes from 3 books: 8 laws, 1 case, 1 definition" in content


async def test_the_date_is_that_of_the_file_and_not_of_a_copy_of_it(database: Path, tmp_path: Path) -> None:
    original, copy = (Path(shutil.copy(database, tmp_path / name)) for name in ("original.db", "copy.db"))
    os.utime(original, (0, 86_400))
    ds = datasette_plugins.instance(copy, told=original)
    await ds.invoke_startup()
    assert "<updated>1970-01-02T00:00:00Z</updated>" in (await ds.client.get("/feed.xml")).text


async def test_a_library_that_may_change_has_a_feed_too(database: Path) -> None:
    ds = Datasette([str(database)])
    await ds.invoke_startup()
    assert re.search(r"#build-\d{8}T\d{6}</id>", (await ds.client.get("/feed.xml")).text)


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/1864/law-72", "/english-1864/law-72"),
        ("/1864/72/II", "/english-1864/law-72/ii"),
        ("/1864/72/", "/1864/72"),
        ("/1864/72.json", "/english-1864/law-72.json"),
        ("/1864/72/evidence", "/english-1864/law-72/evidence"),
        ("/1864/72.bib", "/english-1864/law-72.bib"),
        ("/english-1864/72", "/english-1864/law-72"),
        ("/English-1864/Law-72", "/english-1864/law-72"),
        ("/english-1864/law-72/", "/english-1864/law-72"),
        ("/1896/case-93", "/drayson-1896/case-93"),
        ("/1829/21", "/arnaud-1829/law-21"),
    ],
)
async def test_other_forms_of_an_address_lead_to_the_provision(ds: Datasette, path: str, to: str) -> None:
    answer = await ds.client.get(path)
    assert (answer.status_code, answer.headers["location"]) == (301, to)


@pytest.mark.parametrize(
    "path", ["/1864/999", "/1700/72", "/1864/72/x", "/english-1864/999", "/1864/law", "/9999/1.json"]
)
async def test_a_form_that_means_nothing_is_not_found(ds: Datasette, path: str) -> None:
    assert (await ds.client.get(path)).status_code == 404


async def test_a_year_with_the_number_in_two_codes_is_not_guessed_at(tmp_path: Path, database: Path) -> None:
    ds = await altered(database, tmp_path, "update code set year = 1893 where id = 'american-1894'")
    assert (await ds.client.get("/1893/30")).status_code == 404


async def test_the_alphabet_has_terms_and_headings_once_each(ds: Datasette) -> None:
    letters = {part["letter"]: part["entries"] for part in (await data(ds, "/browse.json"))["letters"]}
    of_r = [(entry["words"], entry["of"]) for entry in letters["R"]]
    assert len(set(of_r)) == len(of_r)
    assert set(of_r) >= {
        ("renounce in error", "revoke"), ("revoke", None), ("REVOKING", "American code, 1894"),
        ("THE REVOKE", "English club code, 1864"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "filed"),
    [("THE REVOKE", "revoke"), ("a card left", "card left"), ("(American)", "american)"), ("[A] b", "a] b"),
     ("Theory", "theory"), ("The", "the"), ("A", "a"), ("—", "")],
)  # fmt: skip
def test_a_heading_is_filed_by_its_first_word_of_meaning(words: str, filed: str) -> None:
    assert alphabet.IndexEntry(words, "/").filed == filed


async def test_a_map_too_long_is_told_in_parts(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    async def mapped(path: str) -> list[str]:
        tree = etree.fromstring((await ds.client.get(path)).content)
        return [loc.removeprefix("http://localhost") for loc in tree.xpath("//s:loc/text()", namespaces=MAP)]

    whole = await mapped("/sitemap.xml")
    monkeypatch.setattr(sitemap, "MOST", len(whole) // 2)
    maps = await mapped("/sitemap.xml?all")
    assert len(maps) in (2, 3) and [path for part in maps for path in await mapped(part)] == whole
