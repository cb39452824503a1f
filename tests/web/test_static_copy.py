"""The static copy: every page as a file, links that lead somewhere, and a search that needs no server."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import urlopen

import pytest
from click.testing import CliRunner
from lxml import html
from playwright.sync_api import Browser, sync_playwright

from datasette_plugins.answering.headers import CSP
from datasette_plugins.command import cli
from datasette_plugins.publishing import site
from datasette_plugins.publishing.places import Places
from datasette_plugins.publishing.rewriting import rewritten
from extract.errors import WhistError

URL = "https://example.org/whist"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
in_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
Make = Callable[[Path], site.Copy]


@pytest.fixture(scope="module")
def make(database: Path) -> Iterator[Make]:
    with ThreadPoolExecutor(1) as pool:
        yield lambda target: site.copy_site(database, target, URL, pool, progress=lambda told: None)


@pytest.fixture(scope="module")
def copy(make: Make, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copy") / "site"
    make(folder)
    return folder


class Handler(SimpleHTTPRequestHandler):
    """What `python -m http.server` does, silently and under the policy of the site."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", CSP)
        super().end_headers()

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def served(copy: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(copy))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield running
        running.close()


def test_every_link_of_every_page_leads_to_a_file_and_a_place_in_it(copy: Path) -> None:
    pages = {path: html.parse(str(path)) for path in copy.rglob("*.html") if path.name != "404.html"}
    ids = {path: set(page.xpath("//@id")) for path, page in pages.items()}
    assert len(pages) > 90
    for path, page in pages.items():
        for link in page.xpath("//a/@href | //link/@href | //script/@src | //form/@action"):
            url = urlsplit(link)
            if url.scheme:
                assert link.startswith((URL, "https://creativecommons.org")), (path, link)
                continue
            aim = (path.parent / unquote(url.path)).resolve() if url.path else path
            assert aim.is_file(), (path, link)
            assert not url.fragment or url.fragment in ids[aim], (path, link)


def test_every_kind_of_page_has_its_other_forms(copy: Path) -> None:
    for form in ("/index.html", ".json", ".bib", ".ris", ".csl.json", ".md", "/evidence/index.html", "/evidence.json"):
        assert (copy / f"english-1864/law-72{form}").is_file(), form
    for file in (
        "compare/revoke.csv",
        "concepts.ttl",
        "feed.xml",
        "sitemap.xml",
        "robots.txt",
        "index.json",
        "404.html",
    ):
        assert (copy / file).is_file(), file


def test_a_permalink_leads_to_its_page_on_a_server_of_files(served: str) -> None:
    with urlopen(f"{served}/english-1864/law-72/ii") as answer:
        assert answer.url == f"{served}/english-1864/law-72/ii/" and b"<h1>Law 72 (II)</h1>" in answer.read()


def test_permalinks_and_citations_name_the_public_address(copy: Path) -> None:
    page = html.parse(str(copy / "english-1864/law-72/index.html"))
    assert page.xpath("string(//link[@rel='canonical']/@href)") == f"{URL}/english-1864/law-72"
    assert f"{URL}/english-1864/law-72" in (copy / "english-1864/law-72.bib").read_text(encoding="utf-8")


def test_a_ruling_and_two_linked_provisions_are_there_without_a_server(copy: Path) -> None:
    law = html.parse(str(copy / "english-1864/law-72/index.html"))
    links = law.xpath("//a/@href[contains(., 'ruling/') or contains(., 'compare/')]")
    assert "../../ruling/english-1864.law-72/index.html" in links
    assert "../../compare/american-1894.law-30~english-1864.law-72/index.html" in links


def test_what_only_a_server_can_do_is_told_and_not_offered(copy: Path) -> None:
    for path in copy.rglob("index.html"):
        actions = html.parse(str(path)).xpath("//form/@action")
        assert all((path.parent / action).resolve() == copy / "browse/index.html" for action in actions), path
    start = (copy / "compare/index.html").read_text(encoding="utf-8")
    assert "This asks the library’s own server." in start and "<input id=" not in start


def test_no_misreading_is_reported_where_no_server_makes_an_entry_of_it(copy: Path) -> None:
    page = html.parse(str(copy / "english-1864/law-72/evidence/index.html"))
    assert not page.xpath("//details[@id='misread'] | //a[contains(@href, 'at=')]")
    assert not (copy / "editor").exists()


def test_an_address_that_asked_the_server_leads_to_what_is_told_of_it(copy: Path) -> None:
    for path in ("dispute", "search", "cite/verify"):
        assert "browse/index.html#copy" in (copy / path / "index.html").read_text(encoding="utf-8")


def test_a_page_of_what_is_not_found_works_at_any_depth(copy: Path) -> None:
    page = html.parse(str(copy / "404.html"))
    assert all(link.startswith(("/whist/", "#")) for link in page.xpath("//a/@href | //link/@href"))


def test_two_copies_of_one_build_are_the_same_files(make: Make, copy: Path, tmp_path: Path) -> None:
    made = make(tmp_path / "again")
    again = {p.relative_to(tmp_path / "again"): p.read_bytes() for p in (tmp_path / "again").rglob("*") if p.is_file()}
    first = {p.relative_to(copy): p.read_bytes() for p in copy.rglob("*") if p.is_file()}
    assert again == first
    assert (made.kinds.total(), made.size) == (len(first), sum(map(len, first.values())))


def test_a_copy_takes_the_place_of_the_one_before_and_of_nothing_else(make: Make, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("dear")
    with pytest.raises(WhistError, match="name an empty folder"):
        make(mine)
    assert [p.name for p in mine.iterdir()] == ["letter.txt"]
    (mine / "letter.txt").rename(mine / site.MARK)
    (mine / "old.html").write_text("old")
    make(mine)
    assert (mine / "index.html").is_file() and not (mine / "old.html").exists()
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


def test_a_copy_that_fails_leaves_the_one_before(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "site"
    kept.mkdir()
    (kept / site.MARK).write_text("kept")
    monkeypatch.setattr(site.sitemap, "paths", lambda conn: ["/english-1864/law-999"])
    with pytest.raises(WhistError, match="/english-1864/law-999 cannot be copied: the site answers 404"):
        make(kept)
    assert [p.name for p in tmp_path.rglob("*")] == ["site", site.MARK]


@pytest.mark.parametrize(
    ("href", "file", "rest"),
    [
        ("/whist/english-1864/law-72#ii", "english-1864/law-72/index.html", "#ii"),
        ("/whist/english-1864/law-72?scan=1", "english-1864/law-72/evidence/index.html", ""),
        ("/whist/english-1864/law-72.csl.json", "english-1864/law-72.csl.json", ""),
        ("/whist/", "index.html", ""),
        ("/whist/search?q=revoke", "browse/index.html", "?q=revoke"),
        ("/whist/compare/revoke?differ=1", "compare/revoke/index.html", ""),
        ("/whist/compare?b=american-1894/law-1&a=english-1864/law-2",
         "compare/american-1894.law-1~english-1864.law-2/index.html", ""),
        ("/whist/ruling.md?unit=english-1864/law-72", "ruling/english-1864.law-72.md", ""),
        ("/whist/ruling?unit=../../etc", "browse/index.html", "#copy"),
        ("/whist/collate?u=a&u=b", "browse/index.html", "#copy"),
        ("/whist/small/unit", "browse/index.html", "#copy"),
    ],
)  # fmt: skip
def test_every_address_has_a_file(href: str, file: str, rest: str) -> None:
    page, after = Places(URL, "/-/static/").target(href)
    assert page is not None and (page.file, after) == (file, rest)


@pytest.mark.parametrize("href", ["#ii", "https://www.w3.org/", "mailto:a@b.c"])
def test_what_leads_out_of_the_site_is_left_alone(href: str) -> None:
    assert Places(URL, "/-/static/").target(href) == (None, "")


def test_what_is_no_link_is_copied_as_it_is() -> None:
    text = '<p class="x">A &amp; B\'s &lt;i href="/no"&gt; <br><svg viewBox="0 0 1 1"></svg></p>'
    page, found = rewritten(text, Places(URL, "/-/static/"), lambda page: page.file)
    assert html.tostring(html.document_fromstring(page)) == html.tostring(html.document_fromstring(text))
    assert found == set()


def test_a_copy_needs_the_address_it_will_have(database: Path, tmp_path: Path) -> None:
    told = CliRunner().invoke(cli, ["export", "--site", str(tmp_path / "s"), "--db", str(database)])
    assert told.exit_code == 2 and "--url" in told.stderr
    told = CliRunner().invoke(cli, ["export", "--site", str(tmp_path / "s"), "--url", "example", "--db", str(database)])
    assert told.exit_code == 2 and "https://whist.example" in told.stderr


@in_browser
@pytest.mark.browser
@pytest.mark.parametrize(
    ("typed", "first"),
    [("revokes", "Law"), ("1864 law 72", "Law 72"), ("penal revoke", "Law"), ("mis-deal", "Law 77"), ("zzyzx", None)],
)
def test_the_search_of_the_copy_finds_places_on_a_server_and_from_a_disk(
    browser: Browser, served: str, copy: Path, typed: str, first: str | None
) -> None:
    for root in (served, copy.as_uri()):
        page = browser.new_page(viewport={"width": 390, "height": 800})
        faults: list[str] = []
        page.on("pageerror", lambda error, faults=faults: faults.append(str(error)))
        page.goto(f"{root}/english-1864/law-72/index.html")
        page.fill("#q", typed)
        page.press("#q", "Enter")
        page.wait_for_selector("#found:not([hidden])")
        if first is None:
            assert page.inner_text("#found .outcome") == f"Nothing was found for “{typed}”."
        else:
            link = page.locator("#found .hits a").first
            assert link.inner_text().startswith(first)
            link.click()
            assert page.inner_text("h1").startswith(first)
        assert faults == [] and page.evaluate("document.documentElement.scrollWidth") <= 390
        page.close()


@in_browser
@pytest.mark.browser
def test_without_script_the_search_of_the_copy_is_an_index(browser: Browser, served: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{served}/browse/index.html?q=revoke")
    assert not page.is_visible("#found")
    page.click("text=renounce in error")
    assert page.inner_text("h1").lower() == "revoke"
    context.close()
