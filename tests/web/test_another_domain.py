"""A library of another domain, without the optional parts: every page works and uses that library's own terms."""

import html
import json
import re
from collections.abc import Sequence
from pathlib import Path

import boat_club
import pytest
from reading_pages import altered, data, get, started, words
from samples import build_database
from terminal import whist

from kb.read.domain import domain
from kb.read.store import open_store

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
    "/cite?q=1871+by-law+8", "/dispute",
    "/dispute?q=two+boats+met+at+the+bridge", f"/ruling?unit={CODE}/by-law-8", f"/ruling.md?unit={CODE}/by-law-8",
    "/feed.xml",
    "/robots.txt", "/sitemap.xml", "/openapi.json", "/index.json",
)  # fmt: skip
MISSING = ("/nothing", f"/{CODE}/by-law-99", "/code/nobody-1900", "/compare/nothing", "/concept/nothing")
# Whist terms and phrases that must not appear on the pages of another library. What ALLOWED matches is ignored: by-laws
# and the software's own names (its command, static files and schema, the kind `law` in data).
WHIST_TERMS = re.compile(
    r"\bwhist\b|\bcards?\b|\bdeal(?:er|t)?\b|\btricks?\b|\brevoke|\btrump|\bspade|\brubber\b|misdeal|\b18(?:29|39|64|93|94)\b"
    r"|drayson|deschapelles|at the table|club’s code|\bplayers?\b|\blaws?\b",
    re.IGNORECASE,
)
ALLOWED = re.compile(
    r"/-/static-plugins/[^\"\s]+|whist-tei\.rng|<code>whist [^<]*</code>|`whist [^`]*`|twitter:card|class=\"card\""
    r"|by[- ]laws?|class=\"provision law\"|kind=law|\"kind\": \"law\"|(?:type|n)=\"law\"|&quot;law&quot;",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def clubs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database built from the by-laws of two clubs."""
    folder = tmp_path_factory.mktemp("clubs")
    boat_club.write(folder, boat_club.LIBRARY, clubs=2)
    return build_database(folder, folder / "rowing.db")


async def texts_at(database: Path, addresses: Sequence[str]) -> dict[str, str]:
    """Get the text at each address, redirects followed; the final status of each must be 200."""
    site = await started(database)
    answers = {address: await site.client.get(address, follow_redirects=True) for address in addresses}
    assert {address: answer.status_code for address, answer in answers.items()} == dict.fromkeys(addresses, 200)
    return {address: answer.text for address, answer in answers.items()}


async def test_pages_have_no_whist_terms_and_no_dead_or_empty_links(clubs: Path) -> None:
    site, found = await started(clubs), await texts_at(clubs, PAGES)
    missing = {address: (await site.client.get(address)).text for address in MISSING}
    for address, text in {**missing, **found}.items():
        whist_terms = [m[0] for m in WHIST_TERMS.finditer(ALLOWED.sub("", text))]
        # Schemas have the names of keys and kinds, which are the same in every library.
        assert not whist_terms or address in ("/openapi.json", "/index.json", "/about", "/data"), (address, whist_terms)
    pages = [text for text in found.values() if "</html>" in text]
    links = {html.unescape(link) for text in pages for link in re.findall(r'href="(/[^"#]*)"', text)}
    assert not links & {"/concepts", "/cases", "/concordance"}, "empty rooms"
    await texts_at(clubs, sorted(links))


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/", "Search the by-laws"), ("/", "rule books"), ("/dispute", "Find the by-law"), (LAW, "by-law 8"),
        (f"{LAW}.bib", "by-law 8"), (f"{LAW}.ris", "by-law 8"), (f"{LAW}.csl.json", "by-law 8"),
        (f"{LAW}.md", "by-law 8"), (f"{LAW}.tei.xml", "The Library of Rowing"),
        ("/cite?q=1871+by-law+8", "<h1>By-law 8"),
        ("/search?q=1871+by-law+99", "There is no by-law 99 there."),
        ("/search?q=boat+kind:by-law", 'class="hits"'), (f"/{CODE}/by-law-6", f'href="/{CODE}/by-law-3"'),
    ],
)  # fmt: skip
async def test_pages_use_the_librarys_word_for_provisions(clubs: Path, address: str, expected: str) -> None:
    assert expected in (await texts_at(clubs, [address]))[address]


@pytest.mark.parametrize(
    ("library", "present", "absent"),
    [
        (boat_club.LIBRARY + '[pages]\nhidden = ["dispute", "browse"]\n', ["/compare"], ["/dispute", "/browse"]),
        # Without settings, the pages speak of provisions.
        ("", ["Search the provisions", "provision 8"], ["by-law 8"]),
    ],
    ids=["hidden pages", "no settings"],
)
async def test_library_settings_hide_pages_and_name_provisions(
    tmp_path: Path, library: str, present: list[str], absent: list[str]
) -> None:
    boat_club.write(tmp_path, library, clubs=1)
    pages = "".join((await texts_at(build_database(tmp_path, tmp_path / "rowing.db"), ["/", f"{LAW}.bib"])).values())
    assert all(text in pages for text in present) and not any(text in pages for text in absent)


@pytest.mark.parametrize(
    "command",
    [
        ["check"], ["search", "oars"], ["show", f"{CODE}/by-law-8"], ["cite", f"{CODE}/by-law-8"], ["terms"],
        ["compare", f"{CODE}/by-law-4", "millpond-club-1888/by-law-4"], ["dispute", "two boats met at the bridge"],
    ],
)  # fmt: skip
def test_every_command_works_without_a_thesaurus(clubs: Path, command: list[str]) -> None:
    result = whist(*command, "--db", clubs)
    assert result.exit_code == 0, result.output
    assert not WHIST_TERMS.search(ALLOWED.sub("", result.output)), result.output


def test_examples_that_the_file_lacks_are_made_from_the_provisions(clubs: Path) -> None:
    with open_store(clubs) as conn:
        assert domain(conn).examples.pair == ("1871 by-law 1", "1888 by-law 1")


def test_shared_rules_are_counted_among_the_provisions(clubs: Path) -> None:
    with open_store(clubs) as conn:
        (found,) = conn.execute("select code_id, source_id, provisions, same from borrowing")
    assert tuple(found) == ("millpond-club-1888", CODE, 12, 5)


def test_terms_are_proposed_for_the_thesaurus_best_first(clubs: Path) -> None:
    assert [term["label"] for term in json.loads(whist("terms", "--json", "--db", clubs).output)] == [
        "chosen umpire", "crew", "boat", "oars", "subscription", "member", "committee", "umpire",
    ]  # fmt: skip


def test_exported_tei_has_the_name_of_the_library(clubs: Path, tmp_path: Path) -> None:
    options = [word for form in ("tei", "skos", "csv") for word in (f"--{form}", str(tmp_path / form))]
    result = whist("export", *options, "--corpus", clubs.parent, "--db", clubs)
    assert result.exit_code == 0, result.output
    assert "The Library of Rowing" in (tmp_path / "tei" / "riverside-1871.xml").read_text(encoding="utf-8")


async def test_rule_books_are_compared_by_links_whatever_their_numbers(clubs: Path, tmp_path: Path) -> None:
    linked = [
        (f"{CODE}/by-law-{a}", f"millpond-club-1888/by-law-{b}")
        for a, b in ((4, 4), (5, 5), (7, 6), (11, 11), (2, 8), (3, 9))
    ]
    values = ", ".join(f"('{a}', '{b}', 'same-text', null, 0.9, 'proposed', 'machine', '')" for a, b in linked)
    site = await altered(clubs, tmp_path, f"delete from link; insert into link values {values};")
    compared = await data(site, f"/compare/{CODE}/millpond-club-1888.json")
    assert [link for link in linked if link not in [(row["a"], row["b"]) for row in compared["provisions"]]] == []
    assert "by-law by by-law" in words(await get(site, f"/compare/{CODE}/millpond-club-1888"))


def rewrite(book: Path, old: str, new: str) -> None:
    """Replace the text of a file from `old` to its end."""
    book.write_text(book.read_text(encoding="utf-8").partition(old)[0] + new, encoding="utf-8")


async def test_pages_work_for_a_book_without_a_code(tmp_path: Path) -> None:
    boat_club.write(tmp_path, clubs=1)
    part = '[[part]]\nid = "prose"\nbegins = ""\ngrammar = "paragraphs"\nslug = "p"\n'
    rewrite(tmp_path / "riverside-1871" / "book.toml", "[[code]]", part)
    paths = (
        "/", "/about", "/data", "/search?q=boat", "/book/riverside-1871", "/compare", "/dispute", "/dispute?q=boat",
        "/concordance", "/cases", "/collate", "/cite", "/browse", "/feed.xml", "/sitemap.xml",
    )  # fmt: skip
    home = (await texts_at(build_database(tmp_path, tmp_path / "rowing.db"), paths))["/"]
    assert "Search the texts" in home and 'href="/dispute"' not in home
    assert whist("check", "--db", tmp_path / "rowing.db").exit_code == 0


async def test_command_and_page_compare_a_topic_of_unnumbered_by_laws(tmp_path: Path) -> None:
    boat_club.write(tmp_path)
    (tmp_path / "thesaurus.toml").write_text(THESAURUS, encoding="utf-8")
    (tmp_path / "topics.toml").write_text(TOPICS, encoding="utf-8")
    for name, code in (("riverside-1871", CODE), ("millpond-1888", "millpond-club-1888")):
        part = f'grammar = "paragraphs"\nkind = "law"\nslug = "by-law"\ncode = "{code}"\n'
        rewrite(tmp_path / name / "book.toml", 'grammar = "series"', part)
    database = build_database(tmp_path, tmp_path / "rowing.db")
    result = whist("compare", "boats", "--db", database)
    assert result.exit_code == 0 and "after sunset" in result.output, result.exception
    assert f"/{CODE}/by-law-" in (await texts_at(database, ["/compare/boats"]))["/compare/boats"]
