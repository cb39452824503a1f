"""A library of another domain without what is optional: it speaks its own words on every page, and nothing fails."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import boat_club
import pytest
from reading_pages import altered, data, get, started, words
from terminal import whist

from kb.build.database import build

THESAURUS = '[[concept]]\nid = "boat"\nlabel = "Boat"\nnote = ""\nvariants = ["boats"]\n'
TOPICS = '[[topic]]\nid = "boats"\nlabel = "Boats"\nnote = ""\nconcepts = ["boat"]\n'
CODE = "riverside-club-1871"
LAW = f"/{CODE}/by-law-8"
PAGES = (
    "/", "/about", "/data", "/search", "/search?q=oars", "/search?q=1871+by-law+8", "/search?q=by-laws+2-4",
    "/search?q=zebra", "/search?q=boat+kind:by-law", f"/code/{CODE}", f"/code/{CODE}/read", "/book/riverside-1871",
    LAW, f"{LAW}/evidence", f"{LAW}.json", f"{LAW}.md", f"{LAW}.bib", f"{LAW}.ris", f"{LAW}.csl.json",
    f"{LAW}.tei.xml", "/compare", f"/collate?u={CODE}/by-law-4&u=millpond-club-1888/by-law-4", "/collate",
    f"/collate?u={CODE}/by-law-4&u=millpond-club-1888/by-law-4", "/concordance", "/concordance.csv", "/cases",
    "/concepts", "/concepts.ttl", "/concepts.jsonld", "/browse", "/references/unresolved", "/cite",
    "/cite?q=1871+by-law+8", "/cite/verify", "/cite/verify?text=nothing", "/dispute",
    "/dispute?q=two+boats+met+at+the+bridge", f"/ruling?unit={CODE}/by-law-8", f"/ruling.md?unit={CODE}/by-law-8",
    "/feed.xml",
    "/robots.txt", "/sitemap.xml", "/openapi.json", "/index.json",
)  # fmt: skip
MISSING = ("/nothing", f"/{CODE}/by-law-99", "/code/nobody-1900", "/compare/nothing", "/concept/nothing")
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
    folder = tmp_path_factory.mktemp("clubs")
    boat_club.write(folder, boat_club.LIBRARY, clubs=2)
    return built(folder)


def built(corpus: Path) -> Path:
    with ThreadPoolExecutor(1) as pool:
        build(corpus, corpus / "rowing.db", executor=pool, progress=lambda _: None)
    return corpus / "rowing.db"


async def bodies(database: Path, addresses: Sequence[str]) -> dict[str, str]:
    """What is answered to some addresses, each led on to where it leads; all must lead to a page."""
    site = await started(database)
    answers = {address: await site.client.get(address, follow_redirects=True) for address in addresses}
    assert {address: answer.status_code for address, answer in answers.items()} == dict.fromkeys(addresses, 200)
    return {address: answer.text for address, answer in answers.items()}


async def test_no_page_speaks_of_whist_and_every_link_leads_to_a_page_that_has_something(clubs: Path) -> None:
    site, found = await started(clubs), await bodies(clubs, PAGES)
    missing = {address: (await site.client.get(address)).text for address in MISSING}
    for address, text in {**missing, **found}.items():
        foreign = [m[0] for m in FOREIGN.finditer(OWN.sub("", text))]
        # The schemas tell the names of keys and kinds, which are the same in every library.
        assert not foreign or address in ("/openapi.json", "/index.json", "/about", "/data"), (address, foreign)
    pages = [text for text in found.values() if "</html>" in text]
    links = {html.unescape(link) for text in pages for link in re.findall(r'href="(/[^"#]*)"', text)}
    assert not links & {"/concepts", "/cases", "/concordance"}, "empty rooms"
    await bodies(clubs, sorted(links))


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("/", "Search the by-laws"), ("/", "rule books"), ("/dispute", "Find the by-law"), (LAW, "by-law 8"),
        (f"{LAW}.bib", "by-law 8"), (f"{LAW}.ris", "by-law 8"), (f"{LAW}.csl.json", "by-law 8"),
        (f"{LAW}.md", "by-law 8"), (f"{LAW}.tei.xml", "The Library of Rowing"),
        ("/cite?q=1871+by-law+8", "<h1>By-law 8"),
        ("/search?q=boat+kind:by-law", 'class="hits"'), (f"/{CODE}/by-law-6", f'href="/{CODE}/by-law-3"'),
    ],
)  # fmt: skip
async def test_provisions_are_called_cited_and_found_by_the_word_of_the_library(
    clubs: Path, address: str, told: str
) -> None:
    assert told in (await bodies(clubs, [address]))[address]


@pytest.mark.parametrize(
    ("library", "told", "not_told"),
    [
        (boat_club.LIBRARY + '[pages]\nhidden = ["dispute", "browse"]\n', ["/compare"], ["/dispute", "/browse"]),
        # A library that says nothing of itself speaks of provisions.
        ("", ["Search the provisions", "provision 8"], ["by-law 8"]),
    ],
    ids=["hidden pages", "nothing"],
)
async def test_the_library_says_what_its_pages_are_and_what_they_speak_of(
    tmp_path: Path, library: str, told: list[str], not_told: list[str]
) -> None:
    boat_club.write(tmp_path, library, clubs=1)
    pages = "".join((await bodies(built(tmp_path), ["/", f"{LAW}.bib"])).values())
    assert all(each in pages for each in told) and not any(each in pages for each in not_told)


@pytest.mark.parametrize(
    "command",
    [
        ["check"], ["search", "oars"], ["show", f"{CODE}/by-law-8"], ["cite", f"{CODE}/by-law-8"], ["terms"],
        ["compare", f"{CODE}/by-law-4", "millpond-club-1888/by-law-4"], ["dispute", "two boats met at the bridge"],
    ],
)  # fmt: skip
def test_every_command_works_without_a_thesaurus(clubs: Path, command: list[str]) -> None:
    done = whist(*command, "--db", clubs)
    assert done.exit_code == 0, done.output
    assert not FOREIGN.search(OWN.sub("", done.output)), done.output


def test_terms_are_proposed_for_the_thesaurus(clubs: Path) -> None:
    done = whist("terms", "--json", "--db", clubs)
    labels = {term["label"] for term in json.loads(done.output)}
    assert {"umpire", "oars", "regatta"} & labels and not {"shall", "every", "after"} & labels


def test_what_is_exported_bears_the_name_of_the_library(clubs: Path, tmp_path: Path) -> None:
    folders = [word for form in ("tei", "skos", "csv") for word in (f"--{form}", str(tmp_path / form))]
    done = whist("export", *folders, "--corpus", clubs.parent, "--db", clubs)
    assert done.exit_code == 0, done.output
    assert "The Library of Rowing" in (tmp_path / "tei" / "riverside-1871.xml").read_text(encoding="utf-8")


async def test_two_rule_books_are_compared_by_what_is_linked_whatever_its_number(clubs: Path, tmp_path: Path) -> None:
    ids = [
        (f"{CODE}/by-law-{a}", f"millpond-club-1888/by-law-{b}")
        for a, b in ((4, 4), (5, 5), (7, 6), (11, 11), (2, 8), (3, 9))
    ]
    links = ", ".join(f"('{a}', '{b}', 'same-text', null, 0.9, 'proposed', 'machine', '')" for a, b in ids)
    site = await altered(clubs, tmp_path, f"delete from link; insert into link values {links};")
    compared = await data(site, f"/compare/{CODE}/millpond-club-1888.json")
    assert [pair for pair in ids if pair not in [(told["a"], told["b"]) for told in compared["provisions"]]] == []
    assert "by-law by by-law" in words(await get(site, f"/compare/{CODE}/millpond-club-1888"))


def rewrite(book: Path, old: str, new: str) -> None:
    """Write something else from some words on."""
    book.write_text(book.read_text(encoding="utf-8").partition(old)[0] + new, encoding="utf-8")


async def test_a_book_without_a_code_is_read_and_searched(tmp_path: Path) -> None:
    boat_club.write(tmp_path, clubs=1)
    part = '[[part]]\nid = "prose"\nbegins = ""\ngrammar = "paragraphs"\nslug = "p"\n'
    rewrite(tmp_path / "riverside-1871" / "book.toml", "[[code]]", part)
    rooms = (
        "/", "/about", "/data", "/search?q=boat", "/book/riverside-1871", "/compare", "/dispute", "/dispute?q=boat",
        "/concordance", "/cases", "/collate", "/cite", "/cite/verify", "/browse", "/feed.xml", "/sitemap.xml",
    )  # fmt: skip
    start = (await bodies(built(tmp_path), rooms))["/"]
    assert "Search the texts" in start and 'href="/dispute"' not in start
    assert whist("check", "--db", tmp_path / "rowing.db").exit_code == 0


async def test_a_topic_of_unnumbered_by_laws_is_compared_by_the_command_and_on_its_page(tmp_path: Path) -> None:
    boat_club.write(tmp_path)
    (tmp_path / "thesaurus.toml").write_text(THESAURUS, encoding="utf-8")
    (tmp_path / "topics.toml").write_text(TOPICS, encoding="utf-8")
    for name, code in (("riverside-1871", CODE), ("millpond-1888", "millpond-club-1888")):
        part = f'grammar = "paragraphs"\nkind = "law"\nslug = "by-law"\ncode = "{code}"\n'
        rewrite(tmp_path / name / "book.toml", 'grammar = "series"', part)
    database = built(tmp_path)
    done = whist("compare", "boats", "--db", database)
    assert done.exit_code == 0 and "after sunset" in done.output, done.exception
    assert f"/{CODE}/by-law-" in (await bodies(database, ["/compare/boats"]))["/compare/boats"]
