"""What the pages say: names instead of ids, counts that agree in number, ways to every page."""

from __future__ import annotations

import re
import sqlite3
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from datasette.app import Datasette
from lxml import html

PATHS = (
    "/", "/code/english-1864", "/code/english-1864/read", "/book/drayson-1896", "/search?q=revoke",
    "/search?q=1864+law+72", "/compare", "/compare/revoke", "/compare/penalty", "/compare/american-1893/american-1894",
    "/compare?a=english-1864/law-72&b=american-1894/law-30", "/collate", "/collate?u=1893+law+28&u=1894+law+28",
    "/concordance", "/cases", "/references/unresolved", "/dispute", "/dispute?q=he+revoked",
    "/ruling?q=he+trumped&unit=english-1864/law-72", "/cite?q=law+7", "/cite/verify?text=english-1864/law-999",
    "/concepts", "/concept/revoke", "/browse", "/about", "/data", "/english-1864/law-72", "/english-1864/law-72/ii",
    "/drayson-1896/case-93", "/english-1864/law-72/evidence",
)  # fmt: skip
# Where ids and addresses are what is meant: code, records to copy, permalinks.
MEANT = "//code | //pre | //script | //textarea | //*[contains(@class, 'copy') or contains(@class, 'printed')]"
ID = re.compile(r"\b[a-z]+-\d{4}(?:/[a-z]|\b)")
ONE = re.compile(
    r"\b(?<![.,\d–-])1 (cases|words|questions|places|laws|articles|links|rows|provisions|codes|paragraphs|hits|pairs"
    r"|definitions|corrections|references|concepts|citations)\b"
)
MANY = re.compile(r"\b(?:0|[2-9]|\d{2,3}) (case|question|place|link|row|pair|citation|definition|reference)\b(?! of)")


def parsed(text: str) -> Any:
    """A page as a tree; of what a path finds in it, its types say too little."""
    return html.document_fromstring(text)


def told(text: str) -> str:
    """The words that a page shows, without what is meant for machines."""
    body = parsed(text).body
    for element in body.xpath(MEANT):
        element.drop_tree()
    return "\n".join(" ".join(piece.split()) for piece in body.itertext())


@pytest.mark.parametrize("path", PATHS)
async def test_a_page_has_names_instead_of_ids_and_counts_agree(ds: Datasette, path: str) -> None:
    words = told((await ds.client.get(path)).text)
    assert ID.findall(words) == [] and ONE.findall(words) == [] and MANY.findall(words) == []


@pytest.mark.parametrize(("bad", "found"), [("see english-1864/law-72", ID), ("1 cases", ONE), ("12 question", MANY)])
def test_the_faults_looked_for_would_be_found(bad: str, found: re.Pattern[str]) -> None:
    assert found.search(told(f"<body><p>{bad}</p><code>{bad}</code></body>"))


async def test_every_kind_of_page_is_two_steps_from_the_front_page(ds: Datasette) -> None:
    reached = {"/"}
    for _ in range(2):
        for path in sorted(reached):
            page = await ds.client.get(path)
            if page.headers["content-type"].startswith("text/html"):
                links = parsed(page.text).xpath("//a/@href")
                reached |= {urlsplit(urljoin(path, link)).path for link in links if link[0] in "/#?"}
    wanted = {urlsplit(path).path for path in PATHS} - {"/ruling", "/english-1864/law-72/evidence"}
    assert wanted - reached <= {"/english-1864/law-72/ii"}


async def test_what_is_said_of_links_is_counted(ds: Datasette, conn: sqlite3.Connection) -> None:
    counts = dict(conn.execute("select status, count(*) from link group by status"))
    words = told((await ds.client.get("/about")).text)
    assert f"{counts['confirmed']} link" in words and "judged by the editor" in words
    assert ("only proposed, and marked so" in words) == bool(counts.get("proposed"))


async def test_the_words_of_a_relation_are_explained(ds: Datasette) -> None:
    page = parsed((await ds.client.get("/english-1864/law-72")).text)
    assert all(word.get("title") for word in page.xpath("//*[@class='relation']/b"))
    assert page.xpath("//a[@href='/about#links']") and "would end otherwise" in (await ds.client.get("/about")).text
