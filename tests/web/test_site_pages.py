"""Every page: its HTML is sound, its JSON twin matches the documented schema, and its content is as expected."""

import gzip
import re
from itertools import pairwise
from pathlib import Path

import pytest
from datasette.app import Datasette
from jsonschema import Draft202012Validator
from reading_pages import PAGES, content, data, get, mapped, started, twin, words

import datasette_plugins
from datasette_plugins.library import dated
from datasette_plugins.openapi import schemas
from datasette_plugins.page import DESCRIBED
from datasette_plugins.views import sitemap

# What every page has exactly once.
ONCE = (
    "/html[@lang='en']", "/html/head/title[text()]", "//body/*[1][@href='#main']", "//main", "//main[@id='main']",
    "//h1[normalize-space()]", "//main//h1", "//footer[@class='site']",
    "//link[@rel='canonical'][starts-with(@href, 'http://localhost/')]",
    "//link[@rel='alternate'][@type='application/json']",
    "//meta[@name='description'][string-length(@content) > 20][string-length(@content) <= 301]",
    "//meta[@property='og:description'][@content = //meta[@name='description']/@content]",
    "//meta[@property='og:url'][@content = //link[@rel='canonical']/@href]",
    "//meta[@property='og:title'][contains(//title, @content)]",
    "//meta[@property='og:image'][starts-with(@content, 'http://localhost/-/static-plugins/')]",
)  # fmt: skip
# What no page has: a repeated id, inline style or script, a field without a label, a relative URL, an unfilled
# placeholder.
NOWHERE = (
    "//*[@id = preceding::*/@id or @id = ancestor::*/@id]", "//@style | //style | //*[@onclick or @onload or @onerror]",
    "//script[not(@src or @type='application/ld+json')]", "//input[not(@type='hidden' or @id = //label/@for)]",
    "//@href[not(starts-with(., '/') or starts-with(., '#') or starts-with(., 'http') or starts-with(., 'mailto:?'))]",
    "//meta[@name='description'][contains(@content, '{')]",
)  # fmt: skip


@pytest.mark.parametrize(("path", "shape"), PAGES.items())
async def test_page_structure_is_sound_and_json_matches_its_schema(
    shared: Datasette, path: str, shape: str | None
) -> None:
    page = await get(shared, path)
    assert {place: len(page.xpath(place)) for place in ONCE} == dict.fromkeys(ONCE, 1)
    assert {place: page.xpath(place) for place in NOWHERE} == {place: [] for place in NOWHERE}
    levels = [int(h.tag[1]) for h in page.xpath("//main//*[self::h1 or self::h2 or self::h3 or self::h4]")]
    assert levels[0] == 1 and all(b <= a + 1 for a, b in pairwise(levels)), levels
    response = await shared.client.get(twin(path))
    assert response.status_code == 200 and response.headers["content-type"].startswith("application/json")
    if shape:
        Draft202012Validator(schemas()[DESCRIBED[shape][0].__name__]).validate(response.json())
    assert response.json()["url"].startswith("http://localhost/")


async def test_every_link_works_and_the_sitemap_has_all_crawlable_pages(shared: Datasette, database: Path) -> None:
    pages = [await get(shared, path) for path in PAGES]
    found = {link for page in pages for link in page.xpath("//a/@href | //meta[@property='og:image']/@content")}
    paths = {link.removeprefix("http://localhost").partition("#")[0] for link in found}
    links = {path for path in paths if path.startswith("/")}
    assert len(links) > 60
    in_map = set(await mapped(shared))
    for link in sorted(links | in_map):
        assert (await shared.client.get(link, follow_redirects=True)).status_code == 200, link
    closed = tuple(path.rstrip("?") for path in sitemap.CLOSED if "*" not in path)
    unmapped = [
        link for link in links - in_map
        if not re.search(r"[?.]|/evidence$", link) and not link.startswith((*closed, "/small"))
    ]  # fmt: skip
    assert unmapped == []
    assert f"<lastmod>{dated(database)[:10]}</lastmod>" in (await shared.client.get("/sitemap.xml")).text


def test_templates_have_no_inline_style_or_script() -> None:
    unsafe = re.compile(r"<style|\sstyle=|\son[a-z]+=|javascript:|\|safe|<script(?![^>]*(src=|ld\+json))")
    templates = [*(Path(datasette_plugins.__file__).parent / "templates").rglob("*.html")]
    assert templates and [path.name for path in templates if unsafe.search(path.read_text())] == []


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("/english-1864/law-72?scan=1", {
            "//h1": ["Law 72"],
            "//a[@class='partnumber']": ["I.", "II.", "IV."],
            "//*[a[@class='partnumber'][. = 'II.']]": [
                "II.Can be claimed for as many revokes as occur during the hand ;"
            ],
            "//a[@rel='prev' or @rel='next']/@href": ["/english-1864/law-71", "/english-1864/law-77"],
            "//ul[@class='related']/li/p[@class='head']/a/@href": [
                "/american-1893/law-30", "/american-1894/law-30", "/arnaud-1829/law-21"
            ],
            "//ul[@class='related']/li[3]/p[3]": [
                "a broader rule · proposed by the machine · strength 64 % · word by word"
            ],
            # First the case that it decided, then the unit that cites it.
            "//ul[@class='citing']//p[@class='head']/a/@href": ["/drayson-1896/case-93", "/english-1864/law-77"],
            "//main//p[contains(., '“tJie”')]": ["the [?]: the OCR text reads “tJie”; certain to 62 %."],
            "//pre[@class='scan'][contains(., 'tJie')][contains(., '19')]/@tabindex": ["0"],
        }),
        ("/english-1864/law-72", {"//pre[@class='scan']": []}),
        # A concept links to the broader and the narrower ones.
        *((f"/concept/{concept}", {"//p[@class='facts']/a/@href": [f"/concept/{other}"]})
          for concept, other in (("revoke", "revoke-penalty"), ("revoke-penalty", "revoke"))),
        # Provisions with nearly the same words and the same links are shown once.
        ("/english-1864/law-72/i", {
            "//ul[@class='related']/li[p[@class='why'] = 'three against two']/p[@class='head']": [
                "1893 Law 30 American code of 1893", "1894 Law 30 American code"
            ],
        }),
        ("/english-1864/law-77", {
            # Each number of a list leads to its own target.
            "//div[@class='text']//a[@class='ref']": ["71", "72"],
            "//div[@class='text']//a[@class='ref']/@href": ["/english-1864/law-71", "/english-1864/law-72"],
            "//span[@class='illegible']": ["nnw"],
        }),
        ("/drayson-1896/case-93", {
            "//main//*[@class='sic']/preceding-sibling::node()[1]": ["penalty", "Law 77", ", not Law 999"],
            "//main//*[@class='sic']": ["[sic]", "[sic]", "[not found]"],
        }),
        ("/english-1864/law-72/evidence", {
            "//p[@class='lead'][contains(., 'OCR text')][contains(., 'not their picture')]/@class": ["lead"],
            "//div[@class='scan']/a/@href": ["#n1", "#n2"],
            "//tr/@id": ["n2", "n1"],
            "//tr[@id='n2']/td": [
                "tJie", "the", "misread letters", "a rule", "62 %", "tJie reads the in 14 other places", "550"
            ],
        }),
        ("/collate?u=1893+law+28&u=1894+law+28", {
            "//main//p[@class='facts'][contains(., 'machine')]": [
                "American code, 1894, Law 28: nearly the same words (proposed by the machine): same words."
            ],
            "//main//b[@class='other-words']": [],
        }),
        # A table shows its rows under its column heads: on its own page, on the page of a row and in the book.
        *(
            (path, {
                f"//{within}//table//th": ["Odds", "Of winning", "1"],
                f"//{within}//table//td": ["", "9 to 8", "against"],
                f"//{within}//table//tbody//th/a/@href": ["/pole-1895/odds-table-1/1"],
            })
            for path, within in (
                ("/pole-1895/odds-table-1", "article"), ("/pole-1895/odds-table-1/1", "article"),
                ("/book/pole-1895", "details"),
            )
        ),
        # The author of a code is the body that issued it; its year in citations is that of the book.
        *(
            (path, {
                "//meta[@name='author']/@content": [author],
                "//meta[@name='citation_author']/@content": [turned],
                "//meta[@name='citation_date']/@content": [year],
            })
            for path, author, turned, year in (
                ("/english-1864/law-72/ii", "The London clubs", "The London clubs", "1896"),
                ("/drayson-1896/case-93", "A. W. Drayson", "Drayson, A. W.", "1896"),
            )
        ),
        # A key is listed with the keys nested in it.
        ("/about", {
            "//dt[code = 'concepts']/following-sibling::dd[1][contains(., 'mentions')]": [
                "concepts that it mentions (id, label)"
            ],
        }),
        ("/about.json", {"books.0.edits": {"ocr": 2, "by rule": 2}}),
        # Relations are explained, and links counted.
        ("/english-1864/law-72", {
            "//a[@href='/about#links']/@href": ["/about#links"],
            "//*[@class='relation']/b[not(@title)]": [],
        }),
        ("/about", {
            "//main[contains(., '5 links were judged by the editor; 2 are only proposed')]/@id": ["main"],
        }),
        ("/english-1864%2Flaw-72.json", {"unit.id": "english-1864/law-72"}),
    ],
)  # fmt: skip
async def test_content_of_pages_and_json(shared: Datasette, path: str, places: dict[str, object]) -> None:
    assert await content(shared, path, places) == places


async def test_evidence_shows_the_whole_ocr_text(shared: Datasette) -> None:
    page = await get(shared, "/english-1864/law-72/evidence")
    for mark in page.xpath("//span[@class='tip'] | //div[@class='scan']//sup"):
        mark.drop_tree()
    (scan,) = page.xpath("//div[@class='scan']")
    assert scan.text_content() == (await data(shared, "/english-1864/law-72/evidence.json"))["scan"]


async def test_text_of_books_and_queries_is_escaped(shared: Datasette) -> None:
    for path in ("/search?q=claim", "/drayson-1896/case-93", "/drayson-1896/case-93/evidence", "/compare/revoke",
                 "/compare/revoke/penalty?code=%3Cb%3Eclaim", "/ruling/revoke/penalty?code=1864&q=%3Cb%3Eclaim+%3Cimg",
                 "/search?q=claim&code=%3Cimg", "/collate?u=%3Cb%3Eclaim&u=%3Cimg",
                 "/search?q=%3Cscript%3Ealert(1)%3C/script%3E", "/search?q=%22%3E%3Cimg+src=x+onerror=alert(1)%3E",
                 "/english-1864/%3Cb%3E"):  # fmt: skip
        text = (await shared.client.get(path)).text
        assert "<b>claim" not in text and "<img" not in text and "<script>alert" not in text, path
    assert "&lt;b&gt;<mark>claim</mark>&lt;/b&gt;" in (await shared.client.get("/search?q=claim")).text


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("/english-1864/law-172", "english-1864/law-72"),
        ("/english-1864/law-72/ix", "english-1864/law-72"),
        ("/code/english", None),
        ("/serach/it", None),
        ("/concept/bezique", None),
        ("/compare/bezique", None),
        ("/compare/revoke/bezique", None),
        ("/ruling/revoke/bezique", None),
        ("/book/nobody-1800", None),
        ("/1700/72", None),
        ("/1864/72/x", None),
        ("/1864/law", None),
    ],
)
async def test_missing_page_has_the_search_box_and_its_json_the_nearest_provisions(
    shared: Datasette, path: str, near: str | None
) -> None:
    page = await get(shared, path, 404)
    assert page.findtext(".//h1") == "Not found" and len(page.xpath("//form[@role='search']")) == 1
    assert words(page.find(".//main//label")) == words((await get(shared, "/about")).find(".//label[@for='q']"))
    response = await shared.client.get(twin(path))
    failure = response.json()
    assert response.status_code == 404 and failure["error"]
    Draft202012Validator(schemas()["Failure"]).validate(failure)
    assert near is None or near in [n["id"] for n in failure["nearest"]]


@pytest.mark.parametrize(
    ("path", "told"),
    [("/collate?u=1864+law+72+(ix)&u=1894+law+30", "paragraph ix"), ("/search?q=1864+law+72+(ix)", "paragraph ix"),
     ("/search?q=1864+law+999", "There is no law 999 there.")],
)  # fmt: skip
async def test_page_and_json_report_reinterpreted_or_ignored_input(shared: Datasette, path: str, told: str) -> None:
    page, found = await get(shared, path), await data(shared, twin(path))
    warnings = [words(p) for p in page.xpath("//main//p[@class='warning']")]
    assert warnings == (found["notes"] if "notes" in found else [found["note"]]) and told in warnings[0]


@pytest.mark.parametrize("path", ["/search", "/search.json", "/english-1864/law-72", "/about.json"])
async def test_refuses_more_than_100_fields(shared: Datasette, path: str) -> None:
    response = await shared.client.get(f"{path}?{'&'.join(['q=a'] * 101)}")
    assert response.status_code == 400 and "more than 100 fields" in response.text
    assert (await shared.client.get(f"{path}?{'&'.join(['q=a'] * 100)}")).status_code == 200


# The size of the pages of the shipped library


MOST = 60_000
READ = (
    "/", "/about", "/english-1864/law-72", "/drayson-1896/case-93", "/search?q=revoke", "/search?q=revoke&kind=law",
    "/compare/revoke", "/compare/revoke/penalty", "/code/english-1864/read", "/code/deschapelles-1839/read",
    "/code/english-1864", "/concepts", "/compare/english-1864/american-1893", "/shared/deschapelles-1839", "/cases",
    "/concordance",
    "/concept/revoke", "/search?q=my+partner+revoked+and+the+trick+is+turned", "/ruling/revoke/penalty?code=1864",
    "/book/drayson-1896", "/english-1864/law-72/evidence",
)  # fmt: skip


async def test_pages_style_sheet_and_fonts_stay_under_their_size_limits(library: Path) -> None:
    ds = await started(library)
    for path in READ:
        response = await ds.client.get(path)
        assert response.status_code == 200 and len(gzip.compress(response.content, 4)) < MOST, f"{path} is too heavy"
    static = Path(datasette_plugins.__file__).parent / "static"
    assert len(gzip.compress((static / "whist.css").read_bytes())) < 15_000
    assert sum(font.stat().st_size for font in static.glob("fonts/*.woff2")) < 110_000
