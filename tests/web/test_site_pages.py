"""Every page: its HTML is sound, its JSON twin is as documented, and it says what it must."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path

import pytest
from datasette.app import Datasette
from jsonschema import Draft202012Validator
from lxml import html

import datasette_plugins
from datasette_plugins.openapi import schemas
from datasette_plugins.page import DESCRIBED

# Each page of the small library, with the key of its documented JSON shape.
PAGES = {
    "/": "/index.json",
    "/about": "/about.json",
    "/data": "/data.json",
    "/code/english-1864": "/code/CODE.json",
    "/code/american-1894/read": "/code/CODE/read.json",
    "/code/english-1864/read?number=nonsense": "/code/CODE/read.json",
    "/book/drayson-1896": "/book/BOOK.json",
    "/book/pole-1895": "/book/BOOK.json",
    "/search": "/search.json",
    "/search?q=revoke": "/search.json",
    "/search?q=revokke": "/search.json",
    "/search?q=1864+law+72": "/search.json",
    "/search?q=revoke&code=english-1864&kind=law&page=2": "/search.json",
    "/concepts": "/concepts.json",
    "/browse": "/browse.json",
    "/concept/revoke": "/concept/CONCEPT.json",
    "/compare": "/compare.json",
    "/compare?a=law+28&b=1864+law+72": "/compare.json",
    "/compare/revoke": "/compare/TOPIC.json",
    "/compare/revoke?codes=american-1894,english-1864&differ=1": "/compare/TOPIC.json",
    "/compare/penalty": "/compare/CONCEPT.json",
    "/compare/misdeal": "/compare/CONCEPT.json",
    "/compare/slam": "/compare/CONCEPT.json",
    "/compare/american-1893/american-1894": "/compare/CODE/CODE.json",
    "/collate": "/collate.json?u=ID&u=ID",
    "/collate?u=law+28": "/collate.json?u=ID&u=ID",
    "/collate?u=1893+law+28&u=1894+law+28&u=1864+law+72": "/collate.json?u=ID&u=ID",
    "/compare?a=english-1864/law-72&b=american-1894/law-30": "/compare.json?a=ID&b=ID",
    "/compare?a=american-1893/law-28&b=american-1894/law-28": "/compare.json?a=ID&b=ID",
    "/concordance": "/concordance.json",
    "/concordance?by=american-1894&against=english-1864": "/concordance.json",
    "/concordance?by=bezique&against=english-1864": "/concordance.json",
    "/borrowings": "/borrowings.json",
    "/borrowings?page=7": "/borrowings.json",
    "/borrowings/american-1893": "/borrowings/CODE.json",
    "/borrowings/english-1864": "/borrowings/CODE.json",
    "/borrowings/american-1894/american-1893": "/borrowings/CODE/SOURCE.json",
    "/borrowings/american-1893/arnaud-1829": "/borrowings/CODE/SOURCE.json",
    "/cases": "/cases.json",
    "/cases?law=1864+law+72": "/cases.json",
    "/cases?code=arnaud-1829": "/cases.json",
    "/references/unresolved": "/references/unresolved.json",
    "/references/unresolved?book=pole-1895": "/references/unresolved.json",
    "/cite": "/cite.json?q=CITATION",
    "/cite?q=law+28": "/cite.json?q=CITATION",
    "/cite?q=1864+law+72+(ix)": "/cite.json?q=CITATION",
    "/cite/verify": "/cite/verify.json?text=TEXT",
    "/cite/verify?text=%E2%80%9Ctake+three+tricks%E2%80%9D+english-1864/law-72+english-1864/law-172": (
        "/cite/verify.json?text=TEXT"
    ),
    "/english-1864/law-72": "/ID.json",
    "/english-1864/law-72?scan=1": "/ID.json",
    "/english-1864/law-72/ii": "/ID.json",
    "/english-1864/law-77": "/ID.json",
    "/drayson-1896/case-93": "/ID.json",
    "/drayson-1896/case-93/decision": "/ID.json",
    "/drayson-1896/case-93/fn-1": "/ID.json",
    "/drayson-1896/section-cases": "/ID.json",
    "/pole-1895/odds-table-1": "/ID.json",
    "/pole-1895/odds-table-1/1": "/ID.json",
    "/english-1864/law-72/evidence": "/ID/evidence.json",
    "/english-1864/law-72/evidence?pick=1": "/ID/evidence.json",
    "/arnaud-1829/law-21/evidence?at=96&read=laws&kind=ocr": "/ID/evidence.json",
}


def twin(path: str) -> str:
    bare, mark, query = path.partition("?")
    return ("/index" if bare == "/" else bare) + ".json" + mark + query


async def get(ds: Datasette, path: str, status: int = 200) -> html.HtmlElement:
    response = await ds.client.get(path)
    assert response.status_code == status, path
    return html.document_fromstring(response.text)


@pytest.mark.parametrize("path", PAGES)
async def test_page_is_sound(ds: Datasette, path: str) -> None:
    page = await get(ds, path)
    assert page.get("lang") == "en" and page.findtext(".//title")
    assert len(page.findall(".//h1")) == 1 and page.find(".//h1").text_content().strip()
    assert [len(page.findall(f".//{tag}")) for tag in ("main", "footer")] == [1, 1]
    assert page.body[0].get("href") == "#main" and page.find(".//main").get("id") == "main"
    assert [i for i, n in Counter(page.xpath("//@id")).items() if n > 1] == []
    assert page.xpath("//@style | //style | //*[@onclick or @onload or @onerror]") == []
    assert [s.get("type") for s in page.findall(".//script") if not s.get("src")] in ([], ["application/ld+json"])
    labels = set(page.xpath("//label/@for"))
    assert {i.get("id") for i in page.xpath("//input[not(@type='hidden')]")} <= labels
    assert all(h.startswith(("/", "#", "http", "mailto:?")) for h in page.xpath("//@href"))
    assert page.xpath("string(//link[@rel='canonical']/@href)").startswith("http://localhost/")
    assert page.xpath("//link[@rel='alternate'][@type='application/json']")


@pytest.mark.parametrize("path", PAGES)
async def test_headings_descend_by_one(ds: Datasette, path: str) -> None:
    levels = [
        int(h.tag[1]) for h in (await get(ds, path)).xpath("//main//*[self::h1 or self::h2 or self::h3 or self::h4]")
    ]
    assert levels[0] == 1
    assert all(b <= a + 1 for a, b in pairwise(levels)), levels


@pytest.mark.parametrize(("path", "shape"), PAGES.items())
async def test_json_twin_is_as_documented(ds: Datasette, path: str, shape: str) -> None:
    response = await ds.client.get(twin(path))
    assert response.status_code == 200 and response.headers["content-type"].startswith("application/json")
    data = response.json()
    page, _ = DESCRIBED[shape]
    Draft202012Validator(schemas()[page.__name__]).validate(data)
    assert data["url"].startswith("http://localhost/")


async def test_every_internal_link_leads_somewhere(ds: Datasette) -> None:
    links = {h.partition("#")[0] for path in PAGES for h in (await get(ds, path)).xpath("//a/@href") if h[0] == "/"}
    assert len(links) > 60
    for link in sorted(links - {""}):
        assert (await ds.client.get(link)).status_code == 200, link


async def test_base_url_is_in_every_link(site: Callable[..., Awaitable[Datasette]]) -> None:
    ds = await site(base_url="/whist/")
    for path in PAGES:
        page = html.document_fromstring((await ds.client.get(path)).text)
        paths = page.xpath("//@href | //@action | //@src")
        assert [p for p in paths if p.startswith("/") and not p.startswith("/whist/")] == []
        assert page.xpath("string(//link[@rel='canonical']/@href)").startswith("http://localhost/whist/")
    page = html.document_fromstring((await ds.client.get("/english-1864/law-72")).text)
    for link in page.xpath("//main//a/@href[starts-with(., '/whist/')]"):
        response = await ds.client.get(link.removeprefix("/whist"))
        assert response.status_code == 200, link


def test_templates_have_no_inline_style_or_script() -> None:
    root = Path(datasette_plugins.__file__).parent / "templates"
    for path in root.rglob("*.html"):
        text = path.read_text()
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", text), path.name
        assert "|safe" not in text, path.name
        assert all("src=" in s or "ld+json" in s for s in re.findall(r"<script[^>]*>", text)), path.name


async def test_provision_page(ds: Datasette) -> None:
    page = await get(ds, "/english-1864/law-72")
    text = page.find(".//main").text_content()
    assert page.findtext(".//h1") == "Law 72"
    assert [a.text for a in page.xpath("//a[@class='partnumber']")] == ["I.", "II.", "IV."]
    assert page.xpath("//a[@rel='prev']/@href") == ["/english-1864/law-71"]
    assert page.xpath("//a[@rel='next']/@href") == ["/english-1864/law-77"]
    related = page.xpath("//ul[@class='related']/li/p[@class='head']/a/@href")
    assert related == ["/american-1893/law-30", "/american-1894/law-30", "/arnaud-1829/law-21"]
    assert "judged by the editor" in text and "proposed by the machine" in text and "a broader rule" in text
    citing = page.xpath("//ul[@class='citing']//p[@class='head']/a/@href")
    assert citing == ["/drayson-1896/case-93", "/english-1864/law-77"], "what turned on it, then what cites it"
    assert "the OCR text reads “tJie”" in text and "62 %" in text
    assert (
        json.loads(page.xpath("string(//script[@type='application/ld+json'])"))["name"]
        == "The Laws of Whist (1864), law 72"
    )


async def test_marks_and_live_references(ds: Datasette) -> None:
    page = await get(ds, "/english-1864/law-77")
    assert page.xpath("//div[@class='text']//a[@class='ref']/@href") == ["/english-1864/law-71", "/english-1864/law-72"]
    assert page.xpath("//span[@class='illegible']/text()") == ["nnw"]
    case = (await get(ds, "/drayson-1896/case-93")).find(".//main").text_content()
    assert "penalty[sic]" in case and "Law  77[sic]" in case and "Law  999[not found]" in case


async def test_scan_on_demand(ds: Datasette) -> None:
    assert not (await get(ds, "/english-1864/law-72")).xpath("//pre[@class='scan']")
    (scan,) = (await get(ds, "/english-1864/law-72?scan=1")).xpath("//pre[@class='scan']")
    assert "tJie" in scan.text_content() and "19" in scan.text_content()


async def test_evidence(ds: Datasette) -> None:
    page = await get(ds, "/english-1864/law-72/evidence")
    assert "OCR text" in (lead := page.xpath("string(//p[@class='lead'])")) and "not their picture" in lead
    (scan,) = page.xpath("//div[@class='scan']")
    assert [a.get("href") for a in scan.findall("a")] == ["#n1", "#n2"]
    assert set(page.xpath("//tr/@id")) == {"n1", "n2"}
    assert "tJie reads the in 14 other places" in page.xpath("string(//tr[@id='n2'])")
    for mark in page.xpath("//span[@class='tip'] | //div[@class='scan']//sup"):
        mark.drop_tree()
    assert scan.text_content() == (await ds.client.get("/english-1864/law-72/evidence.json")).json()["scan"]


async def test_search_page(ds: Datasette) -> None:
    page = await get(ds, "/search?q=revoke&code=english-1864")
    assert page.xpath("//input[@id='q']/@value") == ["revoke"]
    assert page.xpath("//input[@type='hidden'][@name='code']/@value") == ["english-1864"]
    assert page.xpath("//a[@class='chosen']/@href") == ["/search?q=revoke"]
    assert "/search?q=revoke&code=english-1864&code=american-1894" in page.xpath("//div[@class='facets']//a/@href")
    assert {m.lower() for m in page.xpath("//p[@class='snippet']/mark/text()")} >= {"revoke"}
    typed = await get(ds, "/search?q=1864+law+72+(ii)")
    assert typed.xpath("//section[@class='answers']//h3/a/@href") == ["/english-1864/law-72/ii"]
    assert "revoke" in (await get(ds, "/search?q=revokke")).xpath("string(//p[@class='suggestion'])")


async def test_pages_of_results(ds: Datasette) -> None:
    first = (
        await ds.client.get(
            "/search.json?q=kind:law+kind:section+kind:case+kind:decision+kind:definition+kind:footnote"
            "+kind:index_entry+kind:table_row+kind:table"
        )
    ).json()
    whole = (await ds.client.get("/search.json?q=-zzz")).json()
    assert whole["total"] == first["total"] == 21 and whole["pages"] == 2
    beyond = await get(ds, "/search?q=-zzz&page=7")
    assert len(beyond.xpath("//ol[@class='hits']/li")) == 1, "the last page"


async def test_text_of_a_book_is_never_markup(ds: Datasette) -> None:
    for path in ("/search?q=claim", "/drayson-1896/case-93", "/drayson-1896/case-93/evidence", "/compare/revoke",
                 "/compare/revoke?codes=%3Cb%3Eclaim&differ=%3Cimg&build=%3Cimg", "/collate?u=%3Cb%3Eclaim&u=%3Cimg",
                 "/search?q=%3Cscript%3Ealert(1)%3C/script%3E", "/search?q=%22%3E%3Cimg+src=x+onerror=alert(1)%3E",
                 "/compare?a=%3Cb%3E&b=%3Cb%3E", "/english-1864/%3Cb%3E"):  # fmt: skip
        text = (await ds.client.get(path)).text
        assert "<b>claim" not in text and "<img" not in text and "<script>alert" not in text, path
    assert "&lt;b&gt;<mark>claim</mark>&lt;/b&gt;" in (await ds.client.get("/search?q=claim")).text


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("/english-1864/law-172", "/english-1864/law-72"),
        ("/english-1864/law-72/ix", "/english-1864/law-72"),
        ("/code/english", "/code/english-1864"),
        ("/concept/bezique", None),
        ("/compare/bezique", None),
        ("/book/nobody-1800", None),
        ("/nobody-1800", None),
    ],
)
async def test_an_address_that_leads_nowhere_names_the_nearest(ds: Datasette, path: str, near: str | None) -> None:
    page = await get(ds, path, 404)
    assert near is None or near in page.xpath("//main//a/@href")
    if path.count("/") > 1:
        data = await ds.client.get(path + ".json")
        assert data.status_code == 404 and "nearest" in data.json() and data.json()["error"]


@pytest.mark.parametrize("path", ["/no-such-page", "/small/no_such_table", "/codes/english-1864"])
async def test_even_an_address_that_is_not_the_sites_helps(ds: Datasette, path: str) -> None:
    page = await get(ds, path, 404)
    assert page.findtext(".//h1") == "Not found" and page.xpath("//main//a/@href") and page.xpath("//main//form")


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/english-1864", "/code/english-1864"),
        ("/drayson-1896", "/book/drayson-1896"),
        ("/English-1864/Law-72", "/english-1864/law-72"),
    ],
)
async def test_moved(ds: Datasette, path: str, to: str) -> None:
    response = await ds.client.get(path)
    assert response.status_code == 301 and response.headers["location"] == to


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("", 200),
        ("a=law+28", 200),
        ("a=law+28&b=1864+law+72", 200),
        ("a=x", 404),
        ("a=english-1864/law-172&b=law+28", 404),
    ],
)  # fmt: skip
async def test_what_is_compared_exists_or_is_not_found(ds: Datasette, query: str, status: int) -> None:
    page, data = await ds.client.get(f"/compare?{query}"), await ds.client.get(f"/compare.json?{query}")
    assert page.status_code == data.status_code == status
    assert ("error" in data.json()) == (status == 404)
    if "172" in query:
        assert "english-1864/law-72" in data.json()["nearest"]["a"]
        links = html.document_fromstring(page.text).xpath("//div[@class='warning']//a/@href")
        assert "/compare?a=english-1864%2Flaw-72&b=law+28" in links


async def test_a_comparison_says_what_it_read_otherwise(ds: Datasette) -> None:
    path = "a=1864+law+72+(ix)&b=1894+law+30"
    assert "paragraph ix" in (await get(ds, f"/compare?{path}")).xpath("string(//main//p[@class='warning'])")
    assert "paragraph ix" in (await ds.client.get(f"/compare.json?{path}")).json()["notes"][0]


async def test_what_a_search_passes_over_is_told_on_page_and_twin(ds: Datasette) -> None:
    path = "?q=revoke&code=nonsense&kind=law&book=none&year=1700"
    page, data = await get(ds, f"/search{path}"), (await ds.client.get(f"/search.json{path}")).json()
    told = [p.text for p in page.xpath("//p[@class='warning']")]
    assert told == data["notes"] and len(told) == 3 and data["total"]
    assert page.xpath("//input[@type='hidden']/@name") == ["kind"]
    assert not any("nonsense" in link for link in page.xpath("//main//@href"))


async def test_a_respelt_search_says_so_and_leads_to_the_words_as_they_were_typed(ds: Datasette) -> None:
    told = (await get(ds, "/search?q=revokke&kind=law")).xpath("//p[@class='suggestion']")[0]
    assert told.text_content() == "Searched for revoke. Search revokke instead"
    assert told.xpath("a/@href") == ["/search?q=%22revokke%22&kind=law"]
    data = (await ds.client.get("/search.json?q=revokke")).json()
    assert (data["corrected"], data["literal"], data["suggestion"]) == ("revoke", '"revokke"', None)


async def test_a_search_that_names_a_year_says_where_it_looked(ds: Datasette) -> None:
    told = (await get(ds, "/search?q=revoke+1894")).xpath("//p[@class='suggestion']")[0]
    assert "works of 1894" in told.text_content() and told.xpath("a/@href") == ["/search?q=revoke+%221894%22"]
    data = (await ds.client.get("/search.json?q=revoke+1894")).json()
    assert {hit["id"].split("/")[0] for hit in data["hits"]} == {"american-1894"} and "1894" in data["notes"][0]
    assert (await get(ds, "/search?q=1864+law+72")).xpath("//p[@class='suggestion']") == []


async def test_a_stretch_of_laws_and_a_book_that_is_not_here_are_told(ds: Datasette) -> None:
    page = await get(ds, "/search?q=laws+71-72")
    assert page.xpath("string(//h2[@id='answer-h'])") == "The provisions you named"
    assert page.xpath("//section[@class='answers']//h3/a/@href") == ["/english-1864/law-71", "/english-1864/law-72"]
    assert (await ds.client.get("/search.json?q=lxxii")).json()["mode"] == "named"
    assert "is another book" in (await get(ds, "/search?q=Cavendish")).xpath("string(//p[@class='warning'])")


async def test_a_second_print_of_a_text_is_told_in_a_line(ds: Datasette) -> None:
    page = await get(ds, "/search?q=penalty+for+each+revoke")
    assert "The same text as the result above." in page.xpath("//p[@class='snippet']/text()")
    hits = (await ds.client.get("/search.json?q=penalty+for+each+revoke")).json()["hits"]
    assert ("american-1894/law-30", "american-1893/law-30") in [(hit["id"], hit["twin"]) for hit in hits]


async def test_a_bent_citation_is_told_on_page_and_twin(ds: Datasette) -> None:
    page = await get(ds, "/search?q=1864+law+72+(ix)&kind=nonsense")
    data = (await ds.client.get("/search.json?q=1864+law+72+(ix)&kind=nonsense")).json()
    assert len(data["notes"]) == 2 == len(page.xpath("//p[@class='warning']"))


async def test_a_facet_link_says_only_what_was_chosen_beside_the_query(ds: Datasette) -> None:
    page = await get(ds, "/search?q=year:0000-9999+revoke&kind=law&year=1829-1864&page=1")
    links = page.xpath("//div[@class='facets']//a/@href")
    assert max(map(len, links)) < 120 and "/search?q=year%3A0000-9999+revoke&year=1829-1864" in links
    assert len(page.xpath("//div[@class='facets']//b")) == 2, "years that only the words choose cannot be taken back"


async def test_more_fields_than_any_page_has_are_refused(ds: Datasette) -> None:
    for path in ("/search", "/search.json", "/english-1864/law-72", "/compare/revoke.json"):
        response = await ds.client.get(f"{path}?{'&'.join(['q=a'] * 101)}")
        assert response.status_code == 400 and "more than 100 fields" in response.text
        assert (await ds.client.get(f"{path}?{'&'.join(['q=a'] * 100)}")).status_code == 200


async def test_comparison_word_by_word(ds: Datasette) -> None:
    page = await get(ds, "/compare?a=1893+law+28&b=1894+law+28")
    assert "agree word for word" in page.find(".//main").text_content() and not page.xpath("//main//ins | //main//del")
    topic = await get(ds, "/compare/penalty")
    heads = [" ".join(h.text_content().split()) for h in topic.xpath("//p[@class='years']")]
    assert heads == ["1829", "1864", "1893 = 1894"]


async def test_a_table_shows_its_rows_under_the_heads_of_its_columns(ds: Datasette) -> None:
    page = await get(ds, "/pole-1895/odds-table-1")
    assert page.xpath("//article//thead//th/text()") == ["Odds", "Of winning"]
    assert page.xpath("//article//tbody//td/text()") == ["9 to 8", "against"]
    assert page.xpath("//article//tbody//th/a/@href") == ["/pole-1895/odds-table-1/1"]
    row = await get(ds, "/pole-1895/odds-table-1/1")
    assert row.xpath("//article//thead//th/text()") == ["Odds", "Of winning"]
    book = await get(ds, "/book/pole-1895")
    assert book.xpath("//details//tbody//td/text()") == ["9 to 8", "against"]
