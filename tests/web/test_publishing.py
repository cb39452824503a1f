"""The site behind a proxy, the commands and settings of the publishing guide, the container, and the static copy."""

import json
import re
import shlex
import sqlite3
import threading
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest.mock import AsyncMock
from urllib.parse import unquote, urlsplit
from urllib.request import urlopen

import click
import httpx
import pytest
from datasette.app import Datasette
from lxml import html
from playwright.sync_api import Browser
from reading_pages import PAGES, shown, twin
from terminal import whist

import datasette_plugins
from datasette_plugins.answering.headers import CSP
from datasette_plugins.command import cli
from datasette_plugins.publishing import site
from datasette_plugins.publishing.places import Places, rewritten
from datasette_plugins.publishing.pocket import index_script
from datasette_plugins.views import sitemap
from extract.errors import WhistError
from kb.search.inverted import IndexedDocument, IndexedTerm, invert

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "publishing.md").read_text(encoding="utf-8")
CONTAINERFILE = (ROOT / "docs" / "deploy" / "Containerfile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
URL = "https://example.org/whist"


@pytest.fixture(scope="module")
def public(database: Path) -> httpx.ASGITransport:
    """The site at a public address."""
    return httpx.ASGITransport(datasette_plugins.instance(database, URL).app())


@pytest.fixture
def proxy(public: httpx.ASGITransport) -> httpx.AsyncClient:
    """A client that acts like a proxy: it forwards the path unchanged and sends its own host."""
    return httpx.AsyncClient(transport=public, base_url="http://127.0.0.1:8001")


@pytest.mark.parametrize("path", PAGES)
async def test_links_behind_a_proxy_start_with_the_public_path(proxy: httpx.AsyncClient, path: str) -> None:
    response = await proxy.get(f"/whist{path}")
    assert response.status_code == 200 and "127.0.0.1" not in response.text
    page = html.document_fromstring(response.text)
    links = tuple(page.xpath("//@href | //@src | //@action"))
    assert [h for h in links if not h.startswith(("/whist/", "#", URL, "mailto:", "https://creativecommons.org"))] == []
    urls = page.xpath("//meta[@property='og:url' or @property='og:image']/@content | //link[@rel='canonical']/@href")
    assert len(urls) == 3 and all(url.startswith(f"{URL}/") for url in urls)
    assert (await proxy.get(f"/whist{twin(path)}")).json()["url"].startswith(f"{URL}/")


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("sitemap.xml", f"<loc>{URL}/english-1864/law-72</loc>"), ("feed.xml", f"<id>{URL}/feed.xml</id>"),
        *(("robots.txt", f"Disallow: /whist{path}\n") for path in sitemap.CLOSED),
        ("robots.txt", "Disallow: /whist/cite\n"), ("robots.txt", f"Sitemap: {URL}/sitemap.xml"),
    ],
)  # fmt: skip
async def test_files_for_crawlers_behind_a_proxy_have_the_public_path(
    proxy: httpx.AsyncClient, path: str, told: str
) -> None:
    assert told in (await proxy.get(f"/whist/{path}")).text


async def test_redirects_behind_a_proxy_keep_the_path_and_links_work(proxy: httpx.AsyncClient) -> None:
    for path in ("/1864/72", "/english-1864/law-72/", "/English-1864/72", "/arnaud-1829"):
        response = await proxy.get(f"/whist{path}")
        assert response.status_code == 301 and response.headers["location"].startswith("/whist/"), path
    page = html.document_fromstring((await proxy.get("/whist/english-1864/law-72")).text)
    for link in page.xpath("//link[@rel='stylesheet']/@href | //main//a/@href[starts-with(., '/whist/')]"):
        assert (await proxy.get(link)).status_code == 200, link


async def test_datasette_can_serve_the_site_as_a_plugin(database: Path) -> None:
    """Like `datasette serve`: with the settings and metadata of the guide, and with ASGI lifespan events."""
    metadata = {"plugins": {"whist": {"url": URL}}}
    app = Datasette([], immutables=[str(database)], metadata=metadata, settings={"default_allow_sql": False}).app()
    receive, send = AsyncMock(side_effect=[{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]), AsyncMock()
    await app({"type": "lifespan", "asgi": {"version": "3.0"}}, receive, send)
    assert [message["type"] for ((message,), _) in send.await_args_list] == [
        "lifespan.startup.complete", "lifespan.shutdown.complete"
    ]  # fmt: skip
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8001") as client:
        assert f'href="{URL}/english-1864/law-72"' in (await client.get("/english-1864/law-72")).text


def test_command_in_the_guide_writes_the_metadata(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = re.findall(r"^python -c (.*) > metadata.json$", GUIDE, re.M)
    exec(shlex.split(line)[0])
    output = json.loads(capsys.readouterr().out)
    assert output["plugins"]["whist"]["url"].startswith("https://") and output["databases"]["whist"]["tables"]["unit"]


STEPS = [
    (line.partition(" ")[0], line.partition(" ")[2])
    for line in re.sub(r"\\\n\s*", "", CONTAINERFILE).splitlines()
    if line and not line.startswith("#")
]
# The commands of the container, each in exec form (run without a shell).
RUN = [json.loads(rest) for word, rest in STEPS if word in ("RUN", "ENTRYPOINT")]


def test_container_builds_checks_and_serves_as_an_unprivileged_user() -> None:
    copies = [rest.split()[:-1] for word, rest in STEPS if word == "COPY" and not rest.startswith("--from")]
    paths = {path for step in copies for path in step}
    assert all((ROOT / path).exists() for path in paths), paths
    assert {pattern.rstrip("*") for pattern in PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]} <= paths
    whist = [step for step in RUN if step[0] == "/venv/bin/whist"]
    assert [step[1] for step in whist] == ["build", "check", "serve"]
    for step in whist:
        known = {option for param in cli.get_command(click.Context(cli), step[1]).params for option in param.opts}
        assert {word for word in step if word.startswith("--")} <= known
        assert step[step.index("--db") + 1] == "/srv/whist.db"
    assert ("USER", "whist") in STEPS


# The static copy: every page as a file, and a search that needs no server


Make = Callable[[Path], site.Copy]


@pytest.fixture(scope="module")
def make_copy(database: Path) -> Iterator[Make]:
    with ThreadPoolExecutor(1) as pool:
        yield lambda target: site.copy_site(database, target, URL, pool, progress=lambda message: None)


@pytest.fixture(scope="module")
def copy(make_copy: Make, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copy") / "site"
    make_copy(folder)
    return folder


class Handler(SimpleHTTPRequestHandler):
    """Serves files as `python -m http.server` does, with the content security policy of the site."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", CSP)
        super().end_headers()


@pytest.fixture(scope="module")
def copy_url(copy: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(copy))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_every_link_in_the_copy_has_a_file_and_an_anchor(copy: Path) -> None:
    pages = {path: html.parse(str(path)) for path in copy.rglob("*.html") if path.name != "404.html"}
    targets = {(path, "") for path in copy.rglob("*") if path.is_file()}
    targets |= {(path, anchor) for path, page in pages.items() for anchor in page.xpath("//@id")}
    assert len(pages) > 90
    for path, page in pages.items():
        for link in page.xpath("//a/@href | //link/@href | //script/@src"):
            url = urlsplit(link)
            target = (path.parent / unquote(url.path)).resolve() if url.path else path
            external = url.scheme and link.startswith((URL, "https://creativecommons.org"))
            assert external or (target, url.fragment) in targets, (path, link)
        for action in page.xpath("//form/@action"):
            assert (path.parent / action).resolve() == copy / "browse/index.html", path


def test_copy_serves_permalinks_and_has_files_for_crawlers(copy: Path, copy_url: str) -> None:
    assert (copy / "sitemap.xml").is_file() and (copy / "robots.txt").is_file()
    with urlopen(f"{copy_url}/english-1864/law-72/ii") as response:
        assert response.url == f"{copy_url}/english-1864/law-72/ii/" and b"<h1>Law 72 (II)</h1>" in response.read()
    assert f"{URL}/english-1864/law-72" in (copy / "english-1864/law-72.bib").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "places"),
    [
        ("english-1864/law-72/index.html", {
            "//link[@rel='canonical']/@href": [f"{URL}/english-1864/law-72"],
            # The copy has files for a ruling and for a comparison of two linked provisions.
            "//a/@href[contains(., 'ruling/')]": ["../../ruling/english-1864.law-72/index.html"],
            "//a/@href[contains(., 'collate/american-1894.law-30')]": [
                "../../collate/american-1894.law-30~english-1864.law-72/index.html"
            ],
        }),
        # What only a server can do is explained and not offered.
        ("compare/index.html", {
            "//main//input": [],
            "//p[contains(., 'This asks')]": [
                "This asks the library’s own server. What a copy of its pages cannot do."
            ],
        }),
        ("dispute/index.html", {"//a/@href[contains(., '#copy')]": ["../browse/index.html#copy"]}),
        ("search/index.html", {"//a/@href[contains(., '#copy')]": ["../browse/index.html#copy"]}),
        # Without JavaScript, the search page is an alphabetical index.
        ("browse/index.html", {
            "//*[@id='found']/@hidden": [""],
            "//a[. = 'renounce in error']/@href": ["../concept/revoke/index.html"],
        }),
        # The 404 page works at any depth, because its links have absolute paths.
        ("404.html", {"//@href[not(starts-with(., '/whist/') or starts-with(., '#'))]": []}),
    ],
)  # fmt: skip
def test_copied_page_content(copy: Path, file: str, places: dict[str, list[str]]) -> None:
    assert shown(html.parse(str(copy / file)).getroot(), places) == places


def files(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_copy_replaces_only_an_earlier_copy_and_is_reproducible(make_copy: Make, copy: Path, tmp_path: Path) -> None:
    target = tmp_path / "mine"
    target.mkdir()
    (target / "letter.txt").write_text("dear")
    with pytest.raises(WhistError, match="name an empty folder"):
        make_copy(target)
    assert files(tmp_path) == {Path("mine/letter.txt"): b"dear"}
    (target / "letter.txt").rename(target / site.MARK)
    (target / "old.html").write_text("old")
    result, expected = make_copy(target), files(copy)
    assert files(target) == expected and result.size == sum(map(len, expected.values()))
    assert sorted(result.kinds.elements()) == sorted(path.suffix[1:] for path in expected)
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


def test_failed_copy_keeps_the_earlier_one(make_copy: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "site"
    kept.mkdir()
    (kept / site.MARK).write_text("kept")
    monkeypatch.setattr(site.sitemap, "paths", lambda conn: ["/english-1864/law-999"])
    with pytest.raises(WhistError, match="/english-1864/law-999 cannot be copied: the site answers 404"):
        make_copy(kept)
    assert [p.name for p in tmp_path.rglob("*")] == ["site", site.MARK]


@pytest.mark.parametrize(
    ("href", "file", "rest"),
    [
        ("/whist/english-1864/law-72#ii", "english-1864/law-72/index.html", "#ii"),
        ("/whist/english-1864/law-72?scan=1", "english-1864/law-72/evidence/index.html", ""),
        ("/whist/english-1864/law-72.csl.json", "english-1864/law-72.csl.json", ""),
        ("/whist/", "index.html", ""),
        ("/whist/search?q=revoke", "browse/index.html", "?q=revoke"),
        ("/whist/collate?u=english-1864/law-2&u=american-1894/law-1",
         "collate/american-1894.law-1~english-1864.law-2/index.html", ""),
        ("/whist/ruling.md?unit=english-1864/law-72", "ruling/english-1864.law-72.md", ""),
        ("/whist/ruling?unit=../../etc", "browse/index.html", "#copy"),
        ("/whist/collate?u=a&u=b", "browse/index.html", "#copy"),
        ("/whist/small/unit", "browse/index.html", "#copy"),
        # Fragments and links out of the site stay as they are.
        ("#ii", None, ""), ("https://www.w3.org/", None, ""), ("mailto:a@b.c", None, ""),
    ],
)  # fmt: skip
def test_link_leads_to_a_file_of_the_copy(href: str, file: str | None, rest: str) -> None:
    page, after = Places(URL, "/-/static/").target(href)
    assert (page and page.file, after) == (file, rest)


def test_markup_without_links_is_copied_unchanged() -> None:
    text = '<p class="x">A &amp; B\'s &lt;i href="/no"&gt; <br><svg viewBox="0 0 1 1"></svg></p>'
    page, found = rewritten(text, Places(URL, "/-/static/"), lambda page: page.file)
    assert html.tostring(html.document_fromstring(page)) == html.tostring(html.document_fromstring(text))
    assert found == set()


@pytest.mark.parametrize(
    ("url", "told"),
    [([], "--url")]
    + [
        (["--url", url], "https://whist.example")
        for url in ("whist.example", "ftp://whist.example", "https://a:b", "https://a/?q")
    ],
)
def test_copy_requires_a_public_url(database: Path, tmp_path: Path, url: list[str], told: str) -> None:
    result = whist("export", "--site", tmp_path / "s", "--db", database, *url)
    assert result.exit_code == 2 and told in result.stderr


# Queries for the search of the copy, and the start of the heading of the page that the first hit leads to.
SOUGHT = {"revokes": "Law", "1864 law 72": "Law 72", "penal revoke": "Law", "mis-deal": "Law 77", "zzyzx": None}


@pytest.mark.browser
def test_search_of_the_copy_works_on_a_server_and_from_disk(browser: Browser, copy_url: str, copy: Path) -> None:
    errors: list[str] = []
    with browser.new_page(viewport={"width": 390, "height": 800}) as page:
        page.on("pageerror", lambda error: errors.append(str(error)))
        for root, typed in [*((copy_url, typed) for typed in SOUGHT), (copy.as_uri(), "1864 law 72")]:
            page.goto(f"{root}/english-1864/law-72/index.html")
            page.fill("#q", typed)
            page.press("#q", "Enter")
            page.wait_for_selector("#found:not([hidden])")
            if first := SOUGHT[typed]:
                page.locator("#found .hits a").first.click()
                assert page.inner_text("h1").startswith(first), typed
            else:
                assert page.inner_text("#found .outcome") == f"Nothing was found for “{typed}”."
            assert errors == [] and page.evaluate("document.documentElement.scrollWidth") <= 390, typed


# The search index of the copy


def test_forms_of_a_word_are_one_term_with_documents_by_kind_of_match() -> None:
    contents = (("He revoked the card", "", ""), ("revoke", "revoke", ""), ("", "revoke", ""), ("", "", "revoke"))
    terms = invert([IndexedDocument(f"{n}", *content) for n, content in enumerate(contents)])
    assert terms == [IndexedTerm(("card",), (), (0,), ()), IndexedTerm(("revoke", "revoked"), (3,), (0, 1), (2,))]


def test_index_script_has_all_units_oldest_first_and_no_markup(conn: sqlite3.Connection) -> None:
    text = index_script(conn)
    index = json.loads(text.removeprefix("globalThis.whistIndex=").removesuffix(";\n"))
    ids = [unit[0] for unit in index["units"]]
    assert ids[0] == "arnaud-1829/section-definitions" and len(ids) == len(set(ids))
    assert set(ids) == {unit_id for (unit_id,) in conn.execute("select id from unit where continues is null")}
    assert "<" not in text
