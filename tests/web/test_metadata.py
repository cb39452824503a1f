"""What the head of a page, the map of the site and the feed say: one author and one date of each thing, everywhere."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from datasette.app import Datasette
from lxml import etree, html
from pages import PAGES, get

import datasette_plugins
from datasette_plugins.discovery import metadata, sitemap
from datasette_plugins.views import alphabet

ATOM = {"a": "http://www.w3.org/2005/Atom"}
MAP = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


def linked(page: html.HtmlElement) -> Any:
    return json.loads(page.xpath("string(//script[@type='application/ld+json'])"))


def meta(page: html.HtmlElement, name: str) -> list[str]:
    return [str(value) for value in page.xpath(f"//meta[@name='{name}' or @property='{name}']/@content")]


@pytest.mark.parametrize(
    ("path", "author", "year"),
    [
        ("/english-1864/law-72", "London clubs", "1896"),
        ("/english-1864/law-72/ii", "London clubs", "1896"),
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
    assert [name["name"].removeprefix("The ") for name in told["author"]] == [author] and told["datePublished"] == year
    assert [name.removeprefix("The ") for name in meta(page, "author")] == [author]
    family = author.rpartition(" ")[2]
    assert family in meta(page, "citation_author")[0] and len(meta(page, "citation_author")) == 1
    assert meta(page, "citation_date") == [year]
    bibtex = (await ds.client.get(f"{path}.bib")).text
    assert family in re.search(r"author\s*=\s*(.*)", bibtex)[1] and re.search(rf"year\s*=\s*\W{year}", bibtex)
    (item,) = (await ds.client.get(f"{path}.csl.json")).json()
    assert item["issued"] == {"date-parts": [[int(year)]]}


async def test_a_provision_is_legislation_of_its_code_in_the_book_that_prints_it(ds: Datasette) -> None:
    told = linked(await get(ds, "/english-1864/law-72"))
    code, book = told["isPartOf"]
    assert told["@type"] == "Legislation" and told["legislationIdentifier"] == "english-1864/law-72"
    assert told["legislationDate"] == "1864" and told["legislationPassedBy"] == told["author"]
    assert (code["@type"], code["legislationIdentifier"]) == ("Legislation", "english-1864")
    assert (book["@type"], book["datePublished"]) == ("Book", "1896")
    assert book["author"] == [{"@type": "Person", "name": "A. W. Drayson"}]
    assert code["@id"] == linked(await get(ds, "/code/english-1864"))["@id"]
    assert book["@id"] == linked(await get(ds, "/book/drayson-1896"))["@id"]


async def test_what_is_no_provision_is_no_legislation(ds: Datasette) -> None:
    for path in ("/drayson-1896/case-93", "/english-1864/section-the-revoke"):
        told = linked(await get(ds, path))
        assert told["@type"] == "CreativeWork" and "legislationDate" not in told


async def test_a_code_is_by_those_who_gave_it_and_a_concept_is_a_term(ds: Datasette) -> None:
    code = linked(await get(ds, "/code/english-1864"))
    assert code["legislationPassedBy"] == [{"@type": "Organization", "name": "The London clubs"}]
    assert code["legislationDate"] == "1864" and code["isPartOf"]["@type"] == "Book"
    concept = linked(await get(ds, "/concept/revoke"))
    assert concept["@type"] == "DefinedTerm" and "renounce in error" in concept["alternateName"]


@pytest.mark.parametrize("path", PAGES)
async def test_every_page_is_described_and_can_be_shown_beside_a_link(ds: Datasette, path: str) -> None:
    page = await get(ds, path)
    (description,) = meta(page, "description")
    assert 20 < len(description) <= 201 and "{" not in description
    assert meta(page, "og:description") == [description]
    assert meta(page, "og:url") == page.xpath("//link[@rel='canonical']/@href")
    assert meta(page, "og:title")[0] in page.findtext(".//title")
    picture = meta(page, "og:image")[0].removeprefix("http://localhost")
    assert picture.startswith("/-/static-plugins/")
    assert page.xpath("//link[@type='application/atom+xml']/@href") == ["/feed.xml"]


async def test_the_picture_of_the_site_is_a_png_of_the_size_that_is_told(ds: Datasette) -> None:
    page = await get(ds, "/")
    answer = await ds.client.get(meta(page, "og:image")[0].removeprefix("http://localhost"))
    assert answer.status_code == 200 and answer.content.startswith(b"\x89PNG")
    size = int.from_bytes(answer.content[16:20], "big"), int.from_bytes(answer.content[20:24], "big")
    assert size == metadata.PICTURE_SIZE


def test_no_template_is_left_to_the_general_description() -> None:
    folder = Path(datasette_plugins.__file__).parent / "templates" / "whist"
    told = {path.stem for path in folder.glob("*.html")}
    assert set(metadata.DESCRIPTIONS) <= told
    described = {"home", "code", "unit", "dispute", "data", "concordance", "cases"} | set(metadata.DESCRIPTIONS)
    assert told - {"_macros", "_misreading", "base", "error", "missing"} <= described


async def test_the_map_has_every_page_that_crawlers_may_read_with_the_day_of_the_build(
    ds: Datasette, database: Path
) -> None:
    tree = etree.fromstring((await ds.client.get("/sitemap.xml")).content)
    mapped = {loc.removeprefix("http://localhost") for loc in tree.xpath("//s:loc/text()", namespaces=MAP)}
    assert set(tree.xpath("//s:lastmod/text()", namespaces=MAP)) == {day_of(database)}
    closed = tuple(path.rstrip("?") for path in sitemap.CLOSED if "*" not in path and path != "/dispute?")
    links = {
        link.partition("#")[0]
        for path in PAGES
        for link in (await get(ds, path)).xpath("//a/@href[starts-with(., '/')]")
    }
    of_concepts = {path for path in links if path.startswith("/compare/")}
    for link in links:
        bare = link.partition("?")[0]
        if "?" in link or "." in bare or bare.startswith((*closed, "/small")) or bare.endswith("/evidence"):
            continue
        assert bare in mapped or bare in of_concepts, bare
    for path in mapped:
        answer = await ds.client.get(path)
        assert answer.status_code == 200, path


async def test_robots_are_kept_from_what_is_endless(ds: Datasette) -> None:
    robots = (await ds.client.get("/robots.txt")).text
    assert all(f"Disallow: {path}\n" in robots for path in sitemap.CLOSED)


async def test_the_feed_has_the_build_with_its_date_and_what_it_holds(ds: Datasette, database: Path) -> None:
    answer = await ds.client.get("/feed.xml")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = etree.fromstring(answer.content)
    (entry,) = feed.xpath("a:entry", namespaces=ATOM)
    build = (ds.get_database("small").hash or "")[:8]
    assert entry.findtext("a:id", namespaces=ATOM) == f"http://localhost/feed.xml#build-{build}"
    assert feed.findtext("a:updated", namespaces=ATOM) == entry.findtext("a:updated", namespaces=ATOM)
    assert entry.findtext("a:updated", namespaces=ATOM).startswith(day_of(database))
    assert "4 codes from 3 books: 8 laws, 1 case, 1 definition" in entry.findtext("a:content", namespaces=ATOM)


async def test_the_date_is_that_of_the_file_and_not_of_a_copy_of_it(database: Path, tmp_path: Path) -> None:
    original, copy = tmp_path / "original.db", tmp_path / "copy.db"
    for path in (original, copy):
        path.write_bytes(database.read_bytes())
    os.utime(original, (0, 86_400))
    ds = datasette_plugins.instance(copy, told=original)
    await ds.invoke_startup()
    assert "<updated>1970-01-02T00:00:00Z</updated>" in (await ds.client.get("/feed.xml")).text


async def test_a_library_that_may_change_has_a_feed_too(database: Path) -> None:
    ds = Datasette([str(database)])
    await ds.invoke_startup()
    feed = etree.fromstring((await ds.client.get("/feed.xml")).content)
    assert re.fullmatch(r".*#build-\d{8}T\d{6}", feed.findtext("a:entry/a:id", namespaces=ATOM))


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/1864/72", "/english-1864/law-72"),
        ("/1864/law-72", "/english-1864/law-72"),
        ("/1864/law-72/ii", "/english-1864/law-72/ii"),
        ("/1864/72/II", "/english-1864/law-72/ii"),
        ("/1864/72/", "/1864/72"),
        ("/1864/72.json", "/english-1864/law-72.json"),
        ("/1864/72/evidence", "/english-1864/law-72/evidence"),
        ("/1864/72.bib", "/english-1864/law-72.bib"),
        ("/english-1864/72", "/english-1864/law-72"),
        ("/english-1864/72/ii", "/english-1864/law-72/ii"),
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
    path = tmp_path / "twice.db"
    path.write_bytes(database.read_bytes())
    with sqlite3.connect(path) as conn:
        conn.execute("update code set year = 1893 where id = 'american-1894'")
    ds = datasette_plugins.instance(path)
    await ds.invoke_startup()
    assert (await ds.client.get("/1893/30")).status_code == 404


async def test_the_alphabet_has_terms_and_headings_once_each(site: Callable[..., Awaitable[Datasette]]) -> None:
    ds = await site()
    letters = {part["letter"]: part["entries"] for part in (await ds.client.get("/browse.json")).json()["letters"]}
    of_r = [(entry["words"], entry["of"]) for entry in letters["R"]]
    assert ("renounce in error", "revoke") in of_r and ("revoke", None) in of_r
    assert ("REVOKING", "American code, 1894") in of_r and len(set(of_r)) == len(of_r)
    assert ("THE REVOKE", "English club code, 1864") in of_r


@pytest.mark.parametrize(
    ("words", "filed"),
    [("THE REVOKE", "revoke"), ("a card left", "card left"), ("(American)", "american)"), ("[A] b", "a] b"),
     ("Theory", "theory"), ("The", "the"), ("A", "a"), ("—", "")],
)  # fmt: skip
def test_a_heading_is_filed_by_its_first_word_of_meaning(words: str, filed: str) -> None:
    assert alphabet.IndexEntry(words, "/").filed == filed


def day_of(file: Path) -> str:
    from datasette_plugins.library import dated

    return dated(file)[:10]


async def test_a_map_too_long_is_told_in_parts(ds: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = etree.fromstring((await ds.client.get("/sitemap.xml")).content).xpath("//s:loc/text()", namespaces=MAP)
    monkeypatch.setattr(sitemap, "MOST", len(whole) // 2)
    maps = etree.fromstring((await ds.client.get("/sitemap.xml?all")).content)
    assert maps.tag.endswith("sitemapindex")
    told = []
    for address in maps.xpath("//s:loc/text()", namespaces=MAP):
        part = etree.fromstring((await ds.client.get("/sitemap.xml?" + address.partition("?")[2])).content)
        told += part.xpath("//s:loc/text()", namespaces=MAP)
    assert told == whole
