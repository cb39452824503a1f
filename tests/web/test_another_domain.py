"""A library of another domain without what is optional: it speaks its own words on every page, and nothing fails."""

from __future__ import annotations

import html
import json
import re
import shutil
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import boat_club
import pytest
from reading_pages import started
from terminal import whist

from kb.build.database import build
from kb.comparison.changes import changes
from kb.comparison.concordance import twin_codes

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


async def test_no_page_speaks_of_whist_or_leads_to_an_empty_room(clubs: Path) -> None:
    site = await started(clubs)
    missing = {address: (await site.client.get(address)).text for address in MISSING}
    for address, text in {**missing, **await bodies(clubs, PAGES)}.items():
        foreign = [m[0] for m in FOREIGN.finditer(OWN.sub("", text))]
        # The schemas tell the names of keys and kinds, which are the same in every library.
        assert not foreign or address in ("/openapi.json", "/index.json", "/about", "/data"), (address, foreign)
        assert "</html>" not in text or not re.search('href="/(concepts|cases|concordance)"', text), address


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


async def test_every_link_of_every_page_leads_to_a_page(clubs: Path) -> None:
    found = await bodies(clubs, [address for address in PAGES if "." not in address])
    await bodies(
        clubs, sorted({html.unescape(h) for text in found.values() for h in re.findall(r'href="(/[^"#]*)"', text)})
    )


async def test_pages_that_are_hidden_are_not_linked(tmp_path: Path) -> None:
    boat_club.write(tmp_path, boat_club.LIBRARY + '[pages]\nhidden = ["dispute", "browse"]\n', clubs=1)
    start = (await bodies(built(tmp_path), ["/"]))["/"]
    assert "/dispute" not in start and "/browse" not in start and "/compare" in start


async def test_a_library_that_says_nothing_of_itself_speaks_of_provisions(tmp_path: Path) -> None:
    boat_club.write(tmp_path, "", clubs=1)
    found = await bodies(built(tmp_path), ["/", LAW, f"{LAW}.bib", "/dispute", "/compare"])
    assert "Search the provisions" in found["/"] and "provision 8" in found[f"{LAW}.bib"]


@pytest.mark.parametrize(
    "command",
    [
        ["check"], ["search", "oars"], ["show", f"{CODE}/by-law-8"], ["cite", f"{CODE}/by-law-8"], ["terms"],
        ["compare", f"{CODE}/by-law-4", "millpond-club-1888/by-law-4"], ["dispute", "two boats met at the bridge"],
        ["terms", "--json"],
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
    copy = Path(shutil.copy(clubs, tmp_path))
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
    address = f"/compare/{CODE}/millpond-club-1888"
    assert "by-law by by-law" in (await bodies(copy, [address]))[address]


async def test_a_book_without_a_code_is_read_and_searched(tmp_path: Path) -> None:
    boat_club.write(tmp_path, clubs=1)
    book = tmp_path / "riverside-1871" / "book.toml"
    head = book.read_text(encoding="utf-8").partition("[[code]]")[0]
    part = '[[part]]\nid = "prose"\nbegins = ""\ngrammar = "paragraphs"\nslug = "p"\n'
    book.write_text(head + part, encoding="utf-8")
    rooms = (
        "/", "/about", "/data", "/search?q=boat", "/book/riverside-1871", "/compare", "/dispute", "/dispute?q=boat",
        "/concordance", "/cases", "/collate", "/cite", "/cite/verify", "/browse", "/feed.xml", "/sitemap.xml",
    )  # fmt: skip
    start = (await bodies(built(tmp_path), rooms))["/"]
    assert "Search the texts" in start and 'href="/dispute"' not in start
    assert whist("check", "--db", tmp_path / "rowing.db").exit_code == 0


# Codes of unnumbered paragraphs


@pytest.fixture(scope="module")
def unnumbered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The by-laws of two clubs of which the second took over the first's, printed without numbers, built."""
    corpus = tmp_path_factory.mktemp("unnumbered")
    boat_club.write(corpus)
    (corpus / "thesaurus.toml").write_text(THESAURUS, encoding="utf-8")
    (corpus / "topics.toml").write_text(TOPICS, encoding="utf-8")
    scan = re.sub(r"(?m)^\d+\. ", "", boat_club.scan(boat_club.RIVERSIDE))
    for name, code in (("riverside-1871", "riverside-club-1871"), ("millpond-1888", "millpond-club-1888")):
        (corpus / name / "scan.txt").write_text(scan, encoding="utf-8")
        book = corpus / name / "book.toml"
        text = re.sub(r'sha256 = "\w+"', f'sha256 = "{sha256(scan.encode()).hexdigest()}"', book.read_text("utf-8"))
        part = f'grammar = "paragraphs"\nkind = "law"\nslug = "by-law"\ncode = "{code}"\n'
        book.write_text(text.partition('grammar = "series"')[0] + part, encoding="utf-8")
    return built(corpus)


async def test_a_topic_of_unnumbered_by_laws_is_compared_by_the_command_and_on_its_page(unnumbered: Path) -> None:
    done = whist("compare", "boats", "--db", unnumbered)
    assert done.exit_code == 0 and "after sunset" in done.output, done.exception
    assert "/riverside-club-1871/by-law-" in (await bodies(unnumbered, ["/compare/boats"]))["/compare/boats"]
