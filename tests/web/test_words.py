"""The wording of pages: names instead of ids, counts that agree in number; and links to every kind of page."""

import re
from urllib.parse import urljoin, urlsplit

import pytest
from datasette.app import Datasette
from lxml import html

PATHS = (
    "/", "/code/english-1864", "/code/english-1864/read", "/book/drayson-1896", "/search?q=revoke",
    "/search?q=laws+71-72", "/search?q=he+revoked&code=english-1864", "/compare", "/compare/revoke", "/compare/penalty",
    "/compare/revoke/penalty", "/compare/revoke/correction", "/ruling/revoke/penalty?code=english-1864&q=he+trumped",
    "/compare/american-1893/american-1894",
    "/collate?u=english-1864/law-72&u=american-1894/law-30", "/collate", "/collate?u=1893+law+28&u=1894+law+28",
    "/concordance", "/cases", "/cite?q=law+7",
    "/concepts", "/concept/revoke", "/about", "/data", "/english-1864/law-72", "/english-1864/law-72/ii",
    "/drayson-1896/case-93", "/english-1864/law-72/evidence",
)  # fmt: skip
# Where ids and addresses are intended: code, records to copy, permalinks.
MEANT = "//code | //pre | //script | //textarea | //*[contains(@class, 'copy') or contains(@class, 'printed')]"
ID = re.compile(r"\b[a-z]+-\d{4}(?:/[a-z]|\b)")
ONE = re.compile(
    r"\b(?<![.,\d–-])1 (cases|words|questions|places|laws|articles|links|rows|provisions|codes|paragraphs|hits|pairs"
    r"|definitions|corrections|references|concepts|citations)\b"
)
MANY = re.compile(r"\b(?:0|[2-9]|\d{2,3}) (case|question|place|link|row|pair|citation|definition|reference)\b(?! of)")


def visible_text(page: html.HtmlElement) -> str:
    """The visible text of a page, without the parts where ids are intended."""
    for element in page.body.xpath(MEANT):
        element.drop_tree()
    return "\n".join(" ".join(piece.split()) for piece in page.body.itertext())


@pytest.mark.parametrize("path", PATHS)
async def test_page_has_names_instead_of_ids_and_counts_agree(shared: Datasette, path: str) -> None:
    words = visible_text(html.document_fromstring((await shared.client.get(path)).text))
    assert [fault.findall(words) for fault in (ID, ONE, MANY)] == [[], [], []]


async def test_every_kind_of_page_is_within_two_clicks_of_the_front_page(shared: Datasette) -> None:
    reached = {"/"}
    for _ in range(2):
        for path in sorted(reached):
            page = await shared.client.get(path)
            if page.headers["content-type"].startswith("text/html"):
                links = html.document_fromstring(page.text).xpath("//a/@href")
                reached |= {urlsplit(urljoin(path, link)).path for link in links if link[0] in "/#?"}
    wanted = {urlsplit(path).path for path in PATHS} - {"/english-1864/law-72/evidence"}
    assert wanted - reached <= {"/english-1864/law-72/ii", "/ruling/revoke/penalty"}
