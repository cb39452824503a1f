"""The site in a real browser, on a phone and on a desk: no page has faults, and the readers' tasks succeed."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus, urlencode

import pytest
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
LAW = "/english-1864/law-72"
PATHS = (
    "/", "/about", "/data", "/code/english-1864", "/code/english-1864/read", "/book/drayson-1896", "/concepts",
    "/concept/revoke", "/cases", "/concordance", "/cite", LAW, f"{LAW}/evidence", "/drayson-1896/case-93",
    "/search", "/search?q=revoke", "/search?q=he+trumped+although+he+had+a+heart",
    "/search?q=he+trumped&code=english-1864", "/search?q=1864+law+72+%22take+three+tricks%22", "/search?q=zzyzx",
    "/ruling/revoke/penalty?code=english-1864&q=he+trumped",
    "/compare", "/compare/revoke", "/compare/revoke/penalty", "/compare/revoke/penalty?code=english-1864",
    "/compare/revoke/correction", "/compare/american-1893/american-1894", "/collate",
    "/collate?u=1893+law+28&u=1894+law+28&u=1864+law+72&u=1829+law+21",
)  # fmt: skip
TABLES = ("/small", "/small/unit", "/small/unit/english-1864~2Flaw-72", "/small/same-words")
FAILING = ("/nowhere/at-all", "/search?q=revoke&code=nonsense")
SHIPPED = (
    "/", "/about", "/data", LAW, "/compare/revoke", "/compare/new-deal", "/compare/revoke/penalty",
    "/search?q=what+does+a+revoke+cost", "/ruling/revoke/penalty?code=deschapelles-1839",
)  # fmt: skip
FAULTS = (Path(__file__).parent / "faults.js").read_text("utf-8")
WIDTH = "document.documentElement.scrollWidth"
STYLE = "([of, name]) => getComputedStyle(document.querySelector(of))[name]"
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 800}
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """A window that the tests of the module share, and the errors and warnings that the browser reports in it."""
    messages = list[str]()
    with browser.new_page() as page:
        page.on("console", lambda m: messages.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda e: messages.append(str(e)))
        yield page, messages


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Open]:
    """Open a page of the small library in a new window, with options for the window."""
    with ExitStack() as windows:

        def opened(path: str, **options: Any) -> Page:
            page = windows.enter_context(browser.new_page(base_url=address, **options))
            page.goto(path)
            return page

        yield opened


@pytest.fixture(params=[PHONE, DESK], ids=["phone", "desk"])
def reader(request: pytest.FixtureRequest, browser: Browser, shipped_address: str) -> Iterator[Page]:
    """A reader's window on the front page of the shipped library."""
    with browser.new_page(base_url=shipped_address, viewport=request.param) as page:
        page.goto("/")
        yield page


def top(page: Page, part: str) -> float:
    """The distance of the first of some parts of a page from the top of the window, in pixels."""
    box = page.locator(part).first.bounding_box()
    assert box, part
    return box["y"]


def on_first_screen(page: Page, part: str) -> bool:
    """Whether the first line of a part of a page is seen without scrolling, and nothing reaches beyond the margin."""
    assert page.viewport_size
    size = page.viewport_size
    return top(page, part) + 24 < size["height"] and page.evaluate(WIDTH) <= size["width"]


def visible(page: Page, *parts: str) -> list[str]:
    """Those of the given parts of a page that are visible."""
    return [part for part in parts if page.locator(part).first.is_visible()]


def ask(page: Page, text: str, box: str = "main #q") -> None:
    """Type a text into a box, and send it with the Enter key."""
    page.fill(box, text)
    with page.expect_navigation():
        page.press(box, "Enter")


# Every page


@pytest.mark.parametrize(
    ("site", "path"),
    [*(("address", path) for path in (*PATHS, *TABLES, *FAILING)), *(("shipped_address", path) for path in SHIPPED)],
)
def test_page_has_no_faults(
    window: tuple[Page, list[str]], request: pytest.FixtureRequest, site: str, path: str
) -> None:
    page, messages = window
    messages.clear()
    page.set_viewport_size(PHONE)
    page.goto(request.getfixturevalue(site) + path)
    assert messages == [] or path in FAILING
    if path in TABLES:
        return  # what else they have is Datasette's
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(FAULTS) == [], scheme
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 640})
        assert page.evaluate(WIDTH) <= width
    page.set_viewport_size(PHONE)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate(WIDTH) <= 390


# At the table


ASKED = (
    "My partner revoked and the trick is turned. What may they claim?",
    "What happens if a player leads out of turn?",
    "Somebody exposed a card while dealing. May we have a new deal?",
    "May I look at the last trick?",
    "How many points is a game, and do honours count?",
    "The pack has only fifty-one cards; does the hand count?",
)


def test_player_has_the_answer_of_any_code_on_the_first_screen(reader: Page) -> None:
    for text, code in zip(ASKED, cycle(("", "english-1864"))):
        reader.goto("/search?" + urlencode({"q": text, "code": code}))
        assert on_first_screen(reader, ".asked .lines dd"), text
        reader.locator(".asked h2 a").first.click()
        assert on_first_screen(reader, ".lines dd"), reader.url


def test_secretary_chooses_a_code_once_and_prints_a_ruling(reader: Page) -> None:
    reader.select_option("#club", "english-1864")
    reader.fill("#q", "they called honours too late")
    reader.press("#q", "Shift+Enter")
    assert reader.locator("#q").input_value().endswith("late\n"), "what happened may be told in several lines"
    ask(reader, "they called honours too late")
    assert "code=english-1864" in reader.url and reader.locator(".asked .lines dt").first.inner_text() == "1864"
    for path, chosen in (
        ("/", "english-1864"),
        ("/search?q=He+revoked", ""),  # what is shown is told as it is
        ("/search?q=He+revoked&code=american-1893", "american-1893"),
    ):
        reader.goto(path)
        assert reader.locator("#club").input_value() == chosen, path
    reader.goto(LAW)
    ask(reader, "he revoked, and we saw it after the trick was turned", "header #q")
    assert "code=english-1864" in reader.url
    with reader.expect_navigation():
        reader.locator("text=Ruling to print").first.click()
    assert "we saw it after" in reader.locator(".told").inner_text()
    assert on_first_screen(reader, ".sheet .answer, .sheet h1") and reader.get_by_role("button", name="Print").count()


def test_ruling_prints_on_one_page(browser: Browser, shipped_address: str) -> None:
    facts = "&q=" + quote_plus("My partner revoked, the trick was turned, and they claim three tricks. " * 4)
    with browser.new_page(base_url=shipped_address) as page:
        for ruling in (
            "choice-of-penalty/which-adversary?code=american-1893",  # with the longest law but one
            "misdeal/which?code=english-1864",
            "revoke/penalty?code=deschapelles-1839",
        ):
            page.goto(f"/ruling/{ruling}{facts}")
            printed = page.pdf(format="A4", print_background=False)
            assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1, ruling
        page.emulate_media(media="print")
        assert visible(page, "footer.site nav", ".sheet .do", ".sheet .text mark", ".permalink", ".blanks") == [
            ".sheet .text mark", ".permalink", ".blanks"
        ]  # fmt: skip


def test_search_works_without_javascript(visit: Open) -> None:
    page = visit("/", java_script_enabled=False, viewport=PHONE)
    page.fill("#q", "He trumped although he had a heart. What do we get?")
    page.select_option("#club", "english-1864")
    with page.expect_navigation():
        page.click("main form button")
    assert visible(page, ".lines.chosen dd", ".others-of dd", ".likely dd") == [".lines.chosen dd"]
    for folded in (".others-of", ".likely"):
        page.locator(f"{folded} summary").first.click()
    assert visible(page, ".others-of dd", ".likely dd") == [".others-of dd", ".likely dd"]
    page.goto("/search?q=%22revoke%22")
    assert not visible(page, ".facets a")
    page.locator(".narrow summary").press("Enter")
    assert visible(page, ".facets a")


# At a desk


def test_historian_gets_from_a_topic_to_the_laws_and_takes_the_table_home(reader: Page) -> None:
    reader.get_by_role("link", name="Compare", exact=True).click()
    reader.get_by_role("link", name="The revoke", exact=True).first.click()
    assert on_first_screen(reader, "main table, main .answer-table")
    reader.get_by_role("link", name="What is the penalty for a revoke?").first.click()
    assert on_first_screen(reader, ".lines dd") and reader.locator("main mark").count() >= 5
    for name, head in (("CSV", "text/csv"), ("JSON", "application/json")):
        address = reader.get_by_role("link", name=name, exact=True).first.get_attribute("href")
        assert address and reader.request.get(address).headers["content-type"].startswith(head)
    reader.goto("/data")
    for address in reader.locator("main dl.keys dd a").evaluate_all("all => all.map((one) => one.href)"):
        assert reader.request.get(address).ok, address
    reader.get_by_role("link", name="licence", exact=True).click()
    assert "CC0" in reader.locator("#licence + p").inner_text()


def test_passer_by_on_a_law_learns_what_it_is_and_what_whist_is(reader: Page) -> None:
    reader.goto(LAW)
    assert on_first_screen(reader, ".leaf > .text p")
    assert reader.locator("h1").inner_text().startswith("Law 72")
    most = 4_600 if reader.viewport_size == PHONE else 3_000
    assert reader.evaluate("document.documentElement.scrollHeight") <= most
    assert reader.locator(".lines dt").count() == 5 and reader.locator("a.term").count() == 6
    reader.get_by_role("link", name="About", exact=True).click()
    assert on_first_screen(reader, "#whist + p") and "card game" in reader.locator("#whist + p").inner_text()
    reader.locator("header .name a").click()
    assert on_first_screen(reader, ".titlepage #q")
    assert reader.get_by_role("heading", name="What is whist?").is_visible()


def test_term_is_explained_by_pointer_keyboard_and_tap(visit: Open) -> None:
    law, term, note = "/english-1864/law-77", "a.term", "[role=tooltip]"
    page = visit(law, java_script_enabled=False)
    assert not visible(page, note)
    page.locator(term).first.hover()
    assert visible(page, note)
    page.mouse.move(0, 0)
    page.locator(term).first.focus()
    assert page.locator(note).first.inner_text() == "penalty. What the side in error pays."
    page = visit(law)
    page.locator(term).first.hover()
    page.keyboard.press("Escape")
    assert not visible(page, note)
    page = visit(law, has_touch=True, viewport=PHONE)
    page.locator(term).first.tap()
    assert visible(page, note) and page.url.endswith(law)
    page.locator(term).first.tap()
    page.wait_for_url("**/concept/penalty")


def test_scholar_copies_a_citation_by_keyboard(visit: Open) -> None:
    page, count = visit(LAW, permissions=["clipboard-read", "clipboard-write"]), 0
    for key in "/?jkns":
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement === document.body"), "no key by itself does anything"
    while not page.evaluate("document.activeElement.matches('.plaincite + .copier')"):
        page.keyboard.press("Tab")
        count += 1
        assert count < 60
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Copied the citation").wait_for()
    assert "law 72" in page.evaluate("navigator.clipboard.readText()")
    page.locator("summary", has_text="Other forms").press("Enter")
    assert page.get_by_role("button", name="Copy the BibTeX record").is_visible()
    names = page.locator(".copier").evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    assert len(set(names)) == len(names) > 5


def test_code_and_evidence_are_read_without_javascript(visit: Open) -> None:
    page = visit("/code/english-1864/read", java_script_enabled=False, viewport=PHONE)
    assert visible(page, ".nos a", ".comment .text") == []
    page.click(".numbers summary")
    page.click(".nos a[href='#law-77']")
    page.click(".comment summary")
    assert visible(page, ".comment .text")
    page.goto(f"{LAW}/evidence")
    assert not visible(page, ".scan .ed.ocr .tip")
    page.locator(".scan .ed.ocr").focus()
    assert "62 %" in page.locator(".scan .ed.ocr .tip:visible").inner_text()


def test_law_and_tables_print(visit: Open, address: str) -> None:
    page = visit("/compare/revoke", viewport=PHONE)
    cells = page.locator(".answer-table tbody tr").nth(1).locator("> *")
    assert len(set(cells.evaluate_all("all => all.map((one) => Math.round(one.getBoundingClientRect().x))"))) == 1
    page.emulate_media(media="print")
    heads = [(f".answer-table {part}", name) for part, name in (
        ("thead", "display"), ("tbody tr", "display"), ("tbody tr", "breakInside")
    )]  # fmt: skip
    assert [page.evaluate(STYLE, [*head]) for head in heads] == ["table-header-group", "table-row", "avoid"]
    page.goto(LAW)
    tops = [top(page, part) for part in (".leaf .text", ".plaincite", ".permalink")]
    assert tops == sorted(tops)
    assert not visible(page, ".onpage", ".copier", "header.site .find", "footer.site nav", ".citebox details")
    page.goto("/collate?u=english-1864/law-72&u=american-1894/law-30")
    assert page.locator(".printed").inner_text().startswith(f"{address}/collate?u=")
