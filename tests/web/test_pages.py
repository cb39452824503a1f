"""Every page: it is sound wherever it is published, its links work, its JSON is as it was, and what is not there."""

import csv
import io
import json
import os
import re
import sqlite3
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from datasette.app import Datasette
from jinja2 import meta, nodes
from lxml import etree, html
from reading_pages import PAGES, content, data, get, lines, started, twin, words

import datasette_plugins
from datasette_plugins.headers import CSP
from datasette_plugins.library import dated
from datasette_plugins.pages.code import CATALOGUES
from datasette_plugins.pages.sitemap import CLOSED
from datasette_plugins.serve import instance
from datasette_plugins.site import SitePage
from kb.comparison.topics import topics
from kb.questions.questions import questions
from kb.tables.views import VIEWS

URL = "https://example.org/whist"
# What every page has exactly once.
ONCE = (
    "/html[@lang='en']", "/html/head/title[text()]", "//body/*[1][@href='#main']", "//main", "//main[@id='main']",
    "//h1[normalize-space()]", "//main//h1", "//footer[@class='site']", "//*[@id='q']",
    f"//link[@rel='canonical'][starts-with(@href, '{URL}/')]",
    "//link[@rel='alternate'][@type='application/json']",
    "//meta[@name='description'][string-length(@content) > 20][string-length(@content) <= 301]",
    "//meta[@property='og:description'][@content = //meta[@name='description']/@content]",
    "//meta[@property='og:url'][@content = //link[@rel='canonical']/@href]",
    "//meta[@property='og:title'][contains(//title, @content)]",
    f"//meta[@property='og:image'][starts-with(@content, '{URL}/-/static-plugins/')]",
)  # fmt: skip
# What no page has: a repeated id, inline style or script, a field without a label.
NOWHERE = (
    "//*[@id = preceding::*/@id or @id = ancestor::*/@id]", "//@style | //style | //*[@onclick or @onload or @onerror]",
    "//script[not(@src or @type='application/ld+json')]", "//input[not(@type='hidden' or @id = //label/@for)]",
)  # fmt: skip
# Where a link may lead: under the public path, within the page, or to one of the other sites that we name.
LEADS = ("/whist/", "#", URL, "mailto:?", "https://creativecommons.org/", *CATALOGUES.values())
# Pages without a list, whose JSON takes any argument.
NO_LIST = ("/about", "/data", "/ruling", "/collate", "/cite")
# Where ids and addresses are meant: code, records to copy, permalinks.
MEANT = "//code | //pre | //script | //textarea | //*[contains(@class, 'copy') or contains(@class, 'printed')]"
THINGS = "case|word|question|place|law|article|link|row|provision|code|paragraph|hit|pair|reference|concept|citation"
# An id where a name should stand, and counts that do not agree.
UNREADABLE = re.compile(
    rf"\b[a-z]+-\d{{4}}(?:/[a-z]|\b)|\b(?<![.,\d–-])1 (?:{THINGS})s\b"
    r"|\b(?:0|[2-9]|\d{2,3}) (?:case|question|place|link|row|pair|citation|reference)\b(?! of)"
)


@pytest.fixture(scope="module")
def public(database: Path) -> httpx.ASGITransport:
    """The site at a public address, as a proxy reaches it."""
    return httpx.ASGITransport(instance(database, URL).app())


@pytest.fixture
def proxy(public: httpx.ASGITransport) -> httpx.AsyncClient:
    """A client that acts like a proxy: it forwards the path unchanged and sends its own host."""
    return httpx.AsyncClient(transport=public, base_url="http://127.0.0.1:8001/whist")


@pytest.mark.parametrize("path", PAGES)
async def test_page_is_sound_and_has_a_json_version(proxy: httpx.AsyncClient, path: str) -> None:
    answer, as_json = await proxy.get(path), await proxy.get(twin(path))
    assert (answer.status_code, as_json.status_code) == (200, 200) and "127.0.0.1" not in answer.text + as_json.text
    for each, kind in ((answer, "text/html"), (as_json, "application/json")):
        assert each.headers["content-type"].startswith(kind) and each.headers["content-security-policy"] == CSP
        known = {"if-none-match": each.headers["etag"]}
        assert (await proxy.get(str(each.url), headers=known)).status_code == 304
    page = html.document_fromstring(answer.text)
    assert {place: len(page.xpath(place)) for place in ONCE} == dict.fromkeys(ONCE, 1)
    assert {place: page.xpath(place) for place in NOWHERE} == {place: [] for place in NOWHERE}
    assert [to for to in page.xpath("//@href | //@src | //@action") if not to.startswith(LEADS)] == []
    levels = [int(h.tag[1]) for h in page.xpath("//main//*[self::h1 or self::h2 or self::h3 or self::h4]")]
    assert levels[0] == 1 and all(b <= a + 1 for a, b in pairwise(levels)), levels
    found = as_json.json()
    assert found["url"].startswith(f"{URL}/") and found["title"] in page.findtext(".//title")
    # A reader may have arguments that nobody knows; a program that asks for a list is told.
    unknown = "&utm_source=x" if "?" in path else "?utm_source=x"
    assert words(html.document_fromstring((await proxy.get(path + unknown)).text)) == words(page)
    refused = await proxy.get(twin(path) + unknown)
    no_list = path.startswith(NO_LIST) or path in ("/", "/compare")
    assert no_list or (refused.status_code == 400 and "no argument utm_source" in refused.json()["error"])
    for element in page.body.xpath(MEANT):
        element.drop_tree()
    assert UNREADABLE.findall("\n".join(" ".join(piece.split()) for piece in page.body.itertext())) == []


async def test_every_link_works_and_the_sitemap_has_all_crawlable_pages(shared: Datasette, database: Path) -> None:
    pages = [await get(shared, path) for path in PAGES]
    found = {link for page in pages for link in page.xpath("//a/@href | //meta[@property='og:image']/@content")}
    paths = {link.removeprefix("http://localhost").partition("#")[0] for link in found}
    links = {path for path in paths if path.startswith("/")}
    assert {path.partition("?")[0] for path in PAGES} - {link.partition("?")[0] for link in links} == set()
    # A part of it is asked for by no one; 5,000 digits were an error once.
    answer = await shared.client.get("/sitemap.xml?part=" + "1" * 5000)
    places = etree.fromstring(answer.content).xpath("//*[local-name() = 'loc']/text()")
    in_map = {place.removeprefix("http://localhost") for place in places}
    for link in sorted(links | in_map):
        assert (await shared.client.get(link, follow_redirects=True)).status_code == 200, link
    closed = tuple(path.rstrip("?") for path in CLOSED if "*" not in path)
    unmapped = [
        link for link in links - in_map
        if not re.search(r"[?.]|/evidence$", link) and not link.startswith((*closed, "/small"))
    ]  # fmt: skip
    assert unmapped == []
    assert f"<lastmod>{dated(database)[:10]}</lastmod>" in answer.text


async def test_crawlers_redirects_and_style_sheets_keep_the_public_path(proxy: httpx.AsyncClient) -> None:
    assert f"<loc>{URL}/english-1864/law-72</loc>" in (await proxy.get("/sitemap.xml")).text
    robots = (await proxy.get("/robots.txt")).text
    assert f"Sitemap: {URL}/sitemap.xml" in robots and all(f"Disallow: /whist{path}\n" in robots for path in CLOSED)
    for path in ("/1864/72", "/english-1864/law-72/", "/English-1864/72", "/arnaud-1829"):
        assert (await proxy.get(path)).headers["location"].startswith("/whist/"), path
    page = html.document_fromstring((await proxy.get("/english-1864/law-72")).text)
    for link in page.xpath("//link[@rel='stylesheet']/@href | //main//a/@href[starts-with(., '/whist/')]"):
        assert (await proxy.get(f"http://127.0.0.1:8001{link}")).status_code == 200, link


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/english-1864", "/code/english-1864"),
        ("/drayson-1896", "/book/drayson-1896"),
        ("/dispute?q=he+trumped&code=1864", "/search?q=he+trumped&code=1864"),
        ("/ruling/revoke/penalty", "/compare/revoke/penalty"),
        ("/compare/misdeal", "/concept/misdeal"),
        ("/code/1864/read.json?number=72", "/code/english-1864/read.json?number=72"),
        ("/1864/72/II", "/english-1864/law-72/ii"),
        ("/ENGLISH-1864/LAW-72.json?a=b", "/english-1864/law-72.json?a=b"),
        ("/1864/72/evidence", "/english-1864/law-72/evidence"),
        ("/1864/72.bib", "/english-1864/law-72.bib"),
        ("/1896/case-93", "/drayson-1896/case-93"),
        # Two codes are compared with the older first; a code compared with itself is that code.
        ("/compare/american-1894/arnaud-1829", "/compare/arnaud-1829/american-1894"),
        ("/compare/english-1864/english-1864", "/code/english-1864"),
    ],
)
async def test_other_forms_of_an_address_redirect_to_the_page(shared: Datasette, path: str, target: str) -> None:
    response = await shared.client.get(path)
    assert (response.status_code, response.headers["location"]) == (301, target)


# Pages as JSON


SNAPSHOTS = {
    "index": "/index.json",
    "about": "/about.json",
    "data": "/data.json",
    "search-citation": "/search.json?q=1864+law+72+(ii)",
    "search-words": "/search.json?q=tricks&kind=law",
    "topic": "/compare/penalty.json?code=1864",
    "question": "/compare/revoke/penalty.json",
    "ruling": "/ruling/revoke/penalty.json?code=1864&q=He+trumped",
    "missing": "/english-1864/law-172.json",
}
# What differs from build to build.
VOLATILE = {"build": "", "built": "", "software": "", "size": 0}


@pytest.mark.parametrize("name", SNAPSHOTS)
async def test_json_of_a_page_is_as_it_was(shared: Datasette, name: str) -> None:
    """`SNAPSHOTS=write pytest` writes the files anew: read the difference before you commit it."""
    found = await data(shared, SNAPSHOTS[name])
    found |= {key: value for key, value in VOLATILE.items() if key in found}
    text = json.dumps(found, ensure_ascii=False, indent=1) + "\n"
    file = Path(__file__).parent / "snapshots" / f"{name}.json"
    if os.environ.get("SNAPSHOTS") == "write":
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8")


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
async def test_table_is_given_whole_as_csv_and_json(shared: Datasette, view: Any) -> None:
    rows = await data(shared, f"/data/{view.name}.json")
    assert rows and [*rows[0]] == [*view.columns]
    assert len(await lines(shared, f"/data/{view.name}.csv")) == len(rows)
    (listed,) = [table for table in (await data(shared, "/data.json"))["tables"] if table["name"] == view.name]
    assert listed["rows"] == len(rows) and listed["csv"] == f"http://localhost/data/{view.name}.csv"


# Templates


ALWAYS = {"page", "works", "page_request", "canonical", "alternate", "whist", "metadata", "m", "more_fonts"}


def pages_of(kind: type[SitePage]) -> list[type[SitePage]]:
    """A class of pages, and all classes derived from it."""
    return [kind, *(page for below in kind.__subclasses__() for page in pages_of(below))]


@pytest.mark.parametrize("page", [page for page in pages_of(SitePage) if page.template], ids=lambda page: page.__name__)
def test_template_reads_only_what_its_page_declares(shared: Datasette, page: type[SitePage]) -> None:
    source, *_ = shared.jinja_env.loader.get_source(shared.jinja_env, f"whist/{page.template}.html")
    tree = shared.jinja_env.parse(source)
    read = meta.find_undeclared_variables(tree) - ALWAYS - shared.jinja_env.globals.keys()
    read -= {each.name for each in tree.find_all((nodes.Macro, nodes.Name)) if getattr(each, "ctx", "store") == "store"}
    read -= {each.target for each in tree.find_all(nodes.Import)}
    assert read | page.internal <= page.__dataclass_fields__.keys()


def test_templates_have_no_inline_style_or_script() -> None:
    unsafe = re.compile(r"<style|\sstyle=|\son[a-z]+=|javascript:|\|safe|<script(?![^>]*(src=|ld\+json))")
    templates = [*(Path(datasette_plugins.__file__).parent / "templates").rglob("*.html")]
    assert templates and [path.name for path in templates if unsafe.search(path.read_text())] == []


async def test_text_of_books_and_queries_is_escaped(shared: Datasette) -> None:
    for path in ("/search?q=claim", "/drayson-1896/case-93", "/drayson-1896/case-93/evidence", "/compare/revoke",
                 "/compare/revoke/penalty?code=%3Cb%3Eclaim", "/ruling/revoke/penalty?code=1864&q=%3Cb%3Eclaim+%3Cimg",
                 "/search?q=claim&code=%3Cimg", "/collate?u=%3Cb%3Eclaim&u=%3Cimg",
                 "/search?q=%3Cscript%3Ealert(1)%3C/script%3E", "/search?q=%22%3E%3Cimg+src=x+onerror=alert(1)%3E",
                 "/english-1864/%3Cb%3E"):  # fmt: skip
        text = (await shared.client.get(path)).text
        assert "<b>claim" not in text and "<img" not in text and "<script>alert" not in text, path
    assert "&lt;b&gt;<mark>claim</mark>&lt;/b&gt;" in (await shared.client.get("/search?q=claim")).text


# What is not there


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("/english-1864/law-172", "english-1864/law-72"), ("/english-1864/law-72/ix", "english-1864/law-72"),
        *((path, None) for path in (
            "/code/english", "/serach/it", "/concept/bezique", "/compare/bezique", "/compare/revoke/bezique",
            "/ruling/revoke/bezique", "/book/nobody-1800", "/1700/72", "/1864/72/x", "/1864/law", "/schemas/Home",
            "/.env", "//x", "/wp-admin/setup.php", "/a/b/c/d/e/f/g", "/_memory", "/small/nothing",
            "/small/unit/nothing", "/small/unit.tei.xml", "/small/-1.tei.xml", "/small.tei.xml",
            *(f"/-/{page}" for page in ("nothing", "databases", "versions", "threads", "settings", "plugins",
                                        "metadata", "patterns")),
        )),
    ],
)  # fmt: skip
async def test_missing_page_has_the_search_box_and_names_the_nearest_provisions(
    shared: Datasette, path: str, near: str | None, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    answers = [await shared.client.get(each, headers={"if-none-match": "*"}) for each in (path, twin(path))]
    for answer in answers:
        assert (answer.status_code, answer.headers["cache-control"]) == (
            404,
            "no-store",
        ) and "etag" not in answer.headers
        assert answer.headers["content-security-policy"] == CSP
    page, failure = html.document_fromstring(answers[0].text), answers[1].json()
    assert page.findtext(".//h1") == "Not found" and len(page.xpath("//main//form[@role='search']//label")) == 1
    assert failure["error"] in words(page) and capfd.readouterr() == ("", "") and not caplog.records
    assert near is None or f"/{near}" in page.xpath("//main//li/a/@href")
    assert near is None or f"http://localhost/{near}" in [each["url"] for each in failure["nearest"]]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/cases.csv?law=1864+law+999", 404), ("/cases.csv?code=1700", 404), ("/compare/revoke.csv?cod=1864", 400),
        ("/concordance.csv?by=nonsense", 404), ("/compare/bezique.csv", 404), ("/data/nothing.csv", 404),
        ("/data/provision.csv?code=1864", 400), ("/small/unit.csv?_size=x", 400), ("/nothing.csv", 404),
        ("/cases.json?law=1864+law+999", 404), ("/english-1864/law-999.csl.json", 404), ("/data/unit.json", 404),
        ("/small/unit.json?_size=x", 400), ("/nothing.json", 404), ("/about.json?" + "&".join(["a=b"] * 101), 400),
        ("/english-1864/law-999.bib", 404), ("/english-1864/law-999.tei.xml", 404),
    ],
)  # fmt: skip
async def test_who_asks_for_data_gets_errors_as_data(shared: Datasette, path: str, status: int) -> None:
    response = await shared.client.get(path)
    assert response.status_code == status and "<" not in response.text
    form = path.partition("?")[0].rpartition(".")[2]
    if form == "csv":
        head, (told,) = csv.reader(io.StringIO(response.text))
        assert head == ["error"] and len(told) > 10 and response.headers["content-type"].startswith("text/csv")
    elif form == "json":
        assert len(response.json()["error"]) > 10
    else:
        assert response.text.startswith("There is no") and response.headers["content-type"].startswith("text/plain")


async def test_reader_is_told_what_was_reinterpreted(shared: Datasette) -> None:
    for path, told in (
        ("/collate?u=1864+law+72+(ix)&u=1894+law+30", "paragraph ix"), ("/search?q=1864+law+72+(ix)", "paragraph ix"),
        ("/search?q=1864+law+999", "There is no law 999 there."),
    ):  # fmt: skip
        page, found = await get(shared, path), await data(shared, twin(path))
        warnings = [words(p) for p in page.xpath("//main//p[@class='warning']")]
        assert warnings == (found["notes"] if "notes" in found else [found["note"]]) and told in warnings[0], path


# What single pages say


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("/", {
            "//title": ["The Law Library of Whist"],
            "//ol[@class='codes']//h3/a/@href": [
                "/code/arnaud-1829", "/code/english-1864", "/code/american-1893", "/code/american-1894"
            ],
            "//ol[@class='codes']/li[2]/p/span": ["3 laws"],
            "//ul[@class='topics']//a/@href": ["/compare/revoke", "/compare/penalty"],
            "//ul[@class='books']//a/@href": ["/book/arnaud-1829", "/book/pole-1895", "/book/drayson-1896"],
            "//ul[@class='books']/li[3]/p[@class='ways']": ["1 case"],
        }),
        ("/about", {
            "//dt[@id='links'][starts-with(normalize-space(following-sibling::dd[1]), '7 pairs of laws')]": [
                "Counterparts"
            ],
            "//tbody/tr[3]/*": ["Whist Laws, 1896", "1,161", "2", "1", "1"],
            "//h2[@id = 'licence']/following-sibling::p[1]/a[1]/@href": [
                "https://creativecommons.org/publicdomain/zero/1.0/"
            ],
        }),
        ("/data", {
            "//dl[@class='keys']/dt": [view.name for view in VIEWS],
            "//p/a[. = 'All the tables in it']/@href": ["http://localhost/small"],
        }),
    ],
)  # fmt: skip
async def test_content_of_pages(shared: Datasette, path: str, places: dict[str, object]) -> None:
    assert await content(shared, path, places) == places


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("english-1864/law-72", {
            "@type": "Legislation", "legislationDate": "1864", "legislationIdentifier": "english-1864/law-72",
            "name": "The Laws of Whist (1864), law 72", "license": "https://creativecommons.org/publicdomain/zero/1.0/",
            "author": [{"@type": "Organization", "name": "The London clubs"}],
            "isPartOf": ["http://localhost/code/english-1864", "http://localhost/book/drayson-1896"],
        }),
        ("data", {"@type": "Dataset", "license": "https://creativecommons.org/publicdomain/zero/1.0/"}),
        ("code/english-1864", {"@type": "Legislation", "isPartOf": ["http://localhost/book/drayson-1896"]}),
        ("book/drayson-1896", {"@type": "Book", "author": [{"@type": "Person", "name": "A. W. Drayson"}]}),
        ("concept/revoke", {"@type": "DefinedTerm", "name": "revoke", "alternateName": ["renounce in error"]}),
        # A unit that is not a provision is not legislation.
        ("drayson-1896/case-93", {"@type": "CreativeWork", "legislationDate": None}),
        ("english-1864/section-the-revoke", {"@type": "CreativeWork", "legislationDate": None}),
    ],
)  # fmt: skip
async def test_json_ld_of_a_page(shared: Datasette, path: str, expected: dict[str, Any]) -> None:
    json_ld = json.loads((await get(shared, f"/{path}")).xpath("string(//script[@type='application/ld+json'])"))
    if "isPartOf" in expected:
        wholes = json_ld["isPartOf"]
        json_ld["isPartOf"] = [whole["@id"] for whole in (wholes if isinstance(wholes, list) else [wholes])]
    assert {key: json_ld.get(key) for key in expected} == expected
    assert json_ld["@id"] == f"http://localhost/{path}"


# The pages of the shipped library


READ = (
    "/", "/about", "/data", "/english-1864/law-72", "/drayson-1896/case-93", "/search?q=revoke", "/concepts",
    "/code/english-1864/read", "/code/deschapelles-1839/read", "/concept/revoke", "/book/drayson-1896",
    "/search?q=my+partner+revoked+and+the+trick+is+turned", "/ruling/revoke/penalty?code=1864",
    "/english-1864/law-72/evidence",
)  # fmt: skip


async def test_pages_of_the_shipped_library_are_light(library: Path, shipped: sqlite3.Connection) -> None:
    ds = await started(library)
    for path in [*READ, *(f"/compare/{topic.id}" for topic in topics(shipped))]:
        response = await ds.client.get(path)
        assert response.status_code == 200, path
        assert len(response.content) < (60_000 if path.startswith("/compare") else 480_000), f"{path} is too heavy"
    for question in [*questions(shipped)][::9]:
        page = await get(ds, f"/compare/{question}")
        assert len(page.xpath("//section[@aria-label='The answers']/dl/dd")) == 5, question
    static = Path(datasette_plugins.__file__).parent / "static"
    assert (static / "whist.css").stat().st_size < 50_000
    assert sum(font.stat().st_size for font in static.glob("fonts/*.woff2")) < 110_000
