"""The pages that read and show citations."""

import json
import sqlite3
from pathlib import Path
from urllib.parse import urlencode

import pytest
from datasette.app import Datasette
from lxml import html

from datasette_plugins.serve import instance
from kb.cite import formats
from kb.read import queries

LAW = "english-1864/law-72/i"


@pytest.fixture
async def site(library: Path) -> Datasette:
    """The site over the shipped knowledge base."""
    ds = instance(library)
    await ds.invoke_startup()
    return ds


@pytest.mark.parametrize(
    ("typed", "status", "expected"),
    [
        ("The Laws of Whist (the English club code, 1864), law 72 (ii)", 302, "/english-1864/law-72/ii"),
        ("http://localhost/English-1864/Law-72/", 302, "/english-1864/law-72"),
        ("https://example.org/english-1864/law-72", 404, "Example.org is not known as an address of this library."),
        ("law 28", 200, "american-1894/law-28"),
        ("1864 law 72 (ix)", 200, "paragraph ix"),
        ("1864 law 999", 404, "There is no law 999 there."),
        ("x" * 300, 404, "names no provision here"),
        ("english-1864/law-172", 404, "english-1864/law-91"),
    ],
)
@pytest.mark.parametrize("suffix", ["", ".json"])
async def test_cite_page_redirects_to_the_provision_or_shows_what_was_meant(
    site: Datasette, typed: str, status: int, expected: str, suffix: str
) -> None:
    response = await site.client.get(f"/cite{suffix}?{urlencode({'q': typed})}")
    assert response.status_code == status
    location = response.headers.get("location")
    assert location == expected + suffix if location else expected in response.text.replace(typed, "")


@pytest.mark.parametrize(
    ("kind", "work", "suffix", "begins"),
    [
        ("code", "english-1864", "bib", "@incollection{english-1864,"),
        ("book", "drayson-1896", "ris", "TY  - BOOK"),
        ("code", "arnaud-1829", "csl.json", '[\n  {\n    "id": "arnaud-1829",\n    "type": "chapter"'),
        ("book", "arnaud-1829", "csl.json", '[\n  {\n    "id": "arnaud-1829",\n    "type": "book"'),
        ("book", "english-1864", "bib", ""),
    ],
)
async def test_whole_code_or_book_has_records(site: Datasette, kind: str, work: str, suffix: str, begins: str) -> None:
    response = await site.client.get(f"/{kind}/{work}.{suffix}")
    assert response.status_code == (200 if begins else 404) and response.text.startswith(begins)
    assert not begins or f"http://localhost/{kind}/{work}" in response.text


async def test_heading_in_quotation_marks_is_no_quotation(site: Datasette) -> None:
    typed = "Epitome of the Game of Whist 1829, definition of “Deal”"
    response = await site.client.get(f"/search?{urlencode({'q': typed})}")
    assert response.headers["location"] == "/arnaud-1829/def-deal"


@pytest.mark.parametrize(("words", "there"), [("take three tricks", True), ("ake three tricks", False)])
async def test_search_says_whether_quoted_words_stand_there(site: Datasette, words: str, there: bool) -> None:
    typed = f'1864 law 72 "{words}"'
    found = json.loads((await site.client.get(f"/search.json?{urlencode({'q': typed})}")).text)
    assert found["quotation"] == {"words": words, "there": there}


async def test_page_of_a_provision_shows_every_form_as_text(site: Datasette, shipped: sqlite3.Connection) -> None:
    made = formats.citations_for(shipped, queries.unit(shipped, LAW), f"http://localhost/{LAW}")
    page = html.fromstring((await site.client.get(f"/{LAW}")).text)
    texts = {" ".join(node.text_content().split()) for node in page.xpath("//*[contains(@class, 'copy')]")}
    for form in (made.plain, made.chicago, made.mla, made.oscola, made.bluebook, made.short, made.url):
        assert any(form in text for text in texts), form


@pytest.mark.parametrize(("suffix", "field"), [("bib", "bibtex"), ("ris", "ris"), ("csl.json", "csl")])
async def test_records_have_addresses(site: Datasette, shipped: sqlite3.Connection, suffix: str, field: str) -> None:
    made = formats.citations_for(shipped, queries.unit(shipped, LAW), f"http://localhost/{LAW}")
    assert (await site.client.get(f"/{LAW}.{suffix}")).text == getattr(made, field)
