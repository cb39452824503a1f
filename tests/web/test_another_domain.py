"""A library of another domain without what is optional: it speaks its own words on every page, and nothing fails."""

from __future__ import annotations

import html
import json
import re
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from urllib.parse import urljoin

import boat_club
import pytest
from click.testing import CliRunner

import datasette_plugins
from datasette_plugins.command import cli
from kb.build.database import build
from kb.comparison.changes import changes
from kb.comparison.concordance import twin_codes

CODE = "riverside-club-1871"
LAW = f"/{CODE}/by-law-8"
PAGES = (
    "/", "/about", "/data", "/search", "/search?q=oars", "/search?q=1871+by-law+8", "/search?q=by-laws+2-4",
    "/search?q=zebra", "/search?q=boat+kind:by-law", f"/code/{CODE}", f"/code/{CODE}/read", "/book/riverside-1871",
    LAW, f"{LAW}/evidence", f"{LAW}.json", f"{LAW}.md", f"{LAW}.bib", f"{LAW}.ris", f"{LAW}.csl.json",
    f"{LAW}.tei.xml", "/compare", f"/compare?a={CODE}/by-law-4&b=millpond-club-1888/by-law-4", "/collate",
    f"/collate?u={CODE}/by-law-4&u=millpond-club-1888/by-law-4", "/concordance", "/concordance.csv", "/cases",
    "/concepts", "/concepts.ttl", "/concepts.jsonld", "/browse", "/references/unresolved", "/cite",
    "/cite?q=1871+by-law+8", "/cite/verify", "/cite/verify?text=nothing", "/dispute",
    "/dispute?q=two+boats+met+at+the+bridge", f"/ruling?unit={CODE}/by-law-8", f"/ruling.md?unit={CODE}/by-law-8",
    "/nothing", f"/{CODE}/by-law-99", "/code/nobody-1900", "/compare/nothing", "/concept/nothing", "/feed.xml",
    "/robots.txt", "/sitemap.xml", "/openapi.json", "/index.json",
)  # fmt: skip
# Words of the library of whist, and what its pages say that no other library's may; the software's own names (its
# command, static files and schema, the kind `law` in data) are no words of a page.
FOREIGN = re.compile(
    r"\bwhist\b|\bcards?\b|\bdeal(?:er|t)?\b|\btricks?\b|\brevoke|\btrump|\bspade|\brubber\b|misdeal|\b18(?:29|39|64|93|94)\b"
    r"|drayson|deschapelles|at the table|club’s code|\bplayers?\b|\blaws?\b",
    re.IGNORECASE,
)
OWN = re.compile(
    r"/-/static-plugins/[^\"\s]+|whist-tei\.rng|<code>whist [^<]*</code>|`whist [^`]*`|twitter:card|class=\"card\""
    r"|by[- ]laws?|class=\"provision law\"|kind=law|\"kind\": \"law\"|(?:type|n)=\"law\"|&quot;law&quot;",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def clubs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The by-laws of two clubs, built."""
    return built(tmp_path_factory.mktemp("clubs"))


def built(folder: Path, library: str = boat_club.LIBRARY, clubs: int = 2) -> Path:
    corpus = folder / "corpus"
    corpus.mkdir()
    boat_club.write(corpus, library, clubs)
    with ThreadPoolExecutor(1) as pool:
        build(corpus, folder / "rowing.db", executor=pool, progress=lambda _: None)
    return folder / "rowing.db"


async def bodies(database: Path, addresses: Sequence[str]) -> dict[str, tuple[int, str]]:
    """The answers to some addresses, each led on to where it leads."""
    site = datasette_plugins.instance(database)
    await site.invoke_startup()
    answers = {address: await site.client.get(address, follow_redirects=True) for address in addresses}
    return {address: (answer.status_code, answer.text) for address, answer in answers.items()}


async def test_no_page_speaks_of_whist_and_none_fails(clubs: Path) -> None:
    for address, (status, text) in (await bodies(clubs, PAGES)).items():
        assert status in (200, 404), (address, status)
        foreign = [m[0] for m in FOREIGN.finditer(OWN.sub("", text))]
        # The schemas tell the names of keys and kinds, which are the same in every library.
        assert not foreign or address in ("/openapi.json", "/index.json", "/about", "/data"), (address, foreign)


async def test_provisions_are_called_and_cited_by_the_word_of_the_library(clubs: Path) -> None:
    found = await bodies(clubs, PAGES)
    assert "Search the by-laws" in found["/"][1]
    assert "Find the by-law" in found["/dispute"][1]
    assert "rule books" in found["/"][1]
    for form in ("", ".bib", ".ris", ".csl.json", ".md"):
        assert "by-law 8" in found[LAW + form][1], form
    assert found["/cite?q=1871+by-law+8"][1] == found[LAW][1]
    assert "The Library of Rowing" in found[f"{LAW}.tei.xml"][1]
    assert json.loads((await bodies(clubs, ["/search.json?q=boat+kind:by-law"]))["/search.json?q=boat+kind:by-law"][1])[
        "total"
    ]


async def test_references_are_found_by_the_words_of_the_library(clubs: Path) -> None:
    (_, text) = (await bodies(clubs, [f"/{CODE}/by-law-6"]))[f"/{CODE}/by-law-6"]
    assert f'href="/{CODE}/by-law-3"' in text


async def test_rooms_without_anything_in_them_are_not_linked(clubs: Path) -> None:
    found = await bodies(clubs, PAGES)
    for address, (_, text) in found.items():
        if "</html>" in text:
            for empty in ("/concepts", "/cases", "/concordance"):
                assert f'href="{empty}"' not in text.replace("/concepts.ttl", ""), (address, empty)


async def test_every_link_of_every_page_leads_to_a_page(clubs: Path) -> None:
    found = await bodies(clubs, [address for address in PAGES if "." not in address])
    links = {
        urljoin(address, html.unescape(link))
        for address, (_, text) in found.items()
        for link in re.findall(r'href="(/[^"#]*)"', text)
    }
    for address, (status, _) in (await bodies(clubs, sorted(links))).items():
        assert status == 200, address


async def test_pages_that_are_hidden_are_not_linked(tmp_path: Path) -> None:
    database = built(tmp_path, boat_club.LIBRARY + '[pages]\nhidden = ["dispute", "browse"]\n', clubs=1)
    (_, text) = (await bodies(database, ["/"]))["/"]
    assert "/dispute" not in text and "/browse" not in text and "/compare" in text


async def test_a_library_that_says_nothing_of_itself_speaks_of_provisions(tmp_path: Path) -> None:
    found = await bodies(built(tmp_path, library="", clubs=1), ["/", LAW, f"{LAW}.bib", "/dispute", "/compare"])
    assert "Search the provisions" in found["/"][1]
    assert "provision 8" in found[f"{LAW}.bib"][1]
    assert all(status == 200 for status, _ in found.values())


@pytest.mark.parametrize(
    "command",
    [
        ["check"], ["search", "oars"], ["show", f"{CODE}/by-law-8"], ["cite", f"{CODE}/by-law-8"], ["terms"],
        ["compare", f"{CODE}/by-law-4", "millpond-club-1888/by-law-4"], ["dispute", "two boats met at the bridge"],
        ["terms", "--json"],
    ],
)  # fmt: skip
def test_every_command_works_without_a_thesaurus(clubs: Path, command: list[str]) -> None:
    done = CliRunner().invoke(cli, [*command, "--db", str(clubs)])
    assert done.exit_code == 0, done.output
    assert not FOREIGN.search(OWN.sub("", done.output)), done.output


def test_terms_are_proposed_for_the_thesaurus(clubs: Path) -> None:
    done = CliRunner().invoke(cli, ["terms", "--json", "--db", str(clubs)])
    labels = [term["label"] for term in json.loads(done.output)]
    assert {"umpire", "oars", "regatta"} & set(labels)
    assert not {"shall", "every", "after"} & set(labels)


def test_what_is_exported_bears_the_name_of_the_library(clubs: Path, tmp_path: Path) -> None:
    folders = [word for form in ("tei", "skos", "csv") for word in (f"--{form}", str(tmp_path / form))]
    corpus = str(clubs.parent / "corpus")
    done = CliRunner().invoke(cli, ["export", *folders, "--corpus", corpus, "--db", str(clubs)])
    assert done.exit_code == 0, done.output
    assert "The Library of Rowing" in (tmp_path / "tei" / "riverside-1871.xml").read_text(encoding="utf-8")


async def test_two_rule_books_are_compared_by_what_is_linked_whatever_its_number(clubs: Path, tmp_path: Path) -> None:
    copy = tmp_path / "rowing.db"
    copy.write_bytes(clubs.read_bytes())
    pairs = [(4, 4), (5, 5), (7, 6), (11, 11), (2, 8), (3, 9)]
    with closing(sqlite3.connect(copy)) as conn, conn:
        conn.execute("delete from link")
        conn.executemany(
            "insert into link values (?, ?, 'same-text', null, 0.9, 'proposed', 'machine', '')",
            [(f"{CODE}/by-law-{a}", f"millpond-club-1888/by-law-{b}") for a, b in pairs],
        )
        assert twin_codes(conn) == [(CODE, "millpond-club-1888")]
        both = {(c.a.number, c.b.number) for c in changes(conn, CODE, "millpond-club-1888").both}
    assert {(str(a), str(b)) for a, b in pairs} <= both
    (status, text) = (await bodies(copy, [f"/compare/{CODE}/millpond-club-1888"]))[
        f"/compare/{CODE}/millpond-club-1888"
    ]
    assert status == 200 and "by-law by by-law" in text


async def test_a_book_without_a_code_is_read_and_searched(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    boat_club.write(corpus, clubs=1)
    book = corpus / "riverside-1871" / "book.toml"
    text = book.read_text(encoding="utf-8")
    head = text[: text.index("[[code]]")]
    part = '[[part]]\nid = "prose"\nbegins = ""\ngrammar = "paragraphs"\nslug = "p"\n'
    book.write_text(head + part, encoding="utf-8")
    with ThreadPoolExecutor(1) as pool:
        build(corpus, tmp_path / "prose.db", executor=pool, progress=lambda _: None)
    rooms = (
        "/", "/about", "/data", "/search?q=boat", "/book/riverside-1871", "/compare", "/dispute", "/dispute?q=boat",
        "/concordance", "/cases", "/collate", "/cite", "/cite/verify", "/browse", "/feed.xml", "/sitemap.xml",
    )  # fmt: skip
    found = await bodies(tmp_path / "prose.db", rooms)
    assert all(status == 200 for status, _ in found.values()), {a: status for a, (status, _) in found.items()}
    assert "Search the texts" in found["/"][1] and 'href="/dispute"' not in found["/"][1]
    assert CliRunner().invoke(cli, ["check", "--db", str(tmp_path / "prose.db")]).exit_code == 0
