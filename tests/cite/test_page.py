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
        ("https://whist.example/English-1864/Law-72/", 302, "/english-1864/law-72"),
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
