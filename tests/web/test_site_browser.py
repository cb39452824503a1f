"""The pages in a real browser: errors, accessibility, keyboard, print, phones, and use without JavaScript."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus, urlencode

import pytest
from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.browser
PATHS = (
    "/", "/code/english-1864", "/code/english-1864/read", "/book/drayson-1896", "/search?q=revoke", "/compare",
    "/concordance", "/cases",
    "/search", "/search?q=he+trumped+although+he+had+a+heart", "/search?q=he+trumped&code=english-1864",
    "/search?q=1864+law+72+%22take+three+tricks%22", "/search?q=zzyzx",
    "/ruling/revoke/penalty?code=english-1864&q=he+trumped",
    "/compare/revoke", "/compare/revoke/penalty", "/compare/revoke/penalty?code=english-1864",
    "/compare/revoke/correction", "/compare/american-1893/american-1894", "/collate",
    "/collate?u=1893+law+28&u=1894+law+28&u=1864+law+72&u=1829+law+21",
    "/collate?u=english-1864/law-72&u=american-1894/law-30", "/concepts", "/concept/revoke", "/about",
    "/data", "/english-1864/law-72", "/drayson-1896/case-93", "/cite",
    "/english-1864/law-72/evidence",
)  # fmt: skip
TABLES = ("/small", "/small/unit", "/small/unit/english-1864~2Flaw-72", "/small/same-words")
FAILING = ("/nowhere/at-all", "/search?q=revoke&code=nonsense")
FAULTS = (Path(__file__).parent / "faults.js").read_text("utf-8")
LAW = "/english-1864/law-72"
PLAIN = {"java_script_enabled": False, "viewport": {"width": 390, "height": 780}}
STYLE = "([of, name]) => getComputedStyle(document.querySelector(of))[name]"
WIDTH = "document.documentElement.scrollWidth"
SHIFTS = """window.shift = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({type: "layout-shift", buffered: true});"""
SETTLED = (
    """document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))))"""
)
PLACE = """(document.activeElement.closest("header.site, .leaf, .apparatus, .margin")
  ?? document.activeElement).className"""
Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """Open a page of the small library in a new window, with options for the window."""
    with ExitStack() as windows:

        def opened(path: str, **options: Any) -> Page:
            page = windows.enter_context(browser.new_page(base_url=address, **options))
            page.goto(path)
            return page

        yield opened


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """A window that the tests of the module share, and the errors and warnings that the browser reports in it."""
    messages = list[str]()
    with browser.new_page() as page:
        page.on("console", lambda m: messages.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda e: messages.append(str(e)))
        yield page, messages


def visible(page: Page, *parts: str) -> list[str]:
    """Those of the given parts of a page that are visible."""
    return [part for part in parts if page.locator(part).first.is_visible()]


def top(page: Page, part: str) -> float:
    """The distance of a part of a page from the top of the window, in pixels."""
    box = page.locator(part).first.bounding_box()
    assert box, part
    return box["y"]


def printed_as_table(page: Page, table: str) -> tuple[str, ...]:
    """How a table displays its head and its rows, and whether a page break may split a row."""
    places = ((f"{table} thead", "display"), (f"{table} tbody tr", "display"), (f"{table} tbody tr", "breakInside"))
    return tuple(page.evaluate(STYLE, [*place]) for place in places)


@pytest.mark.parametrize("path", [*PATHS, *TABLES, *FAILING])
def test_page_has_no_errors_and_ours_no_accessibility_faults(
    window: tuple[Page, list[str]], address: str, path: str
) -> None:
    page, messages = window
    messages.clear()
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(address + path)
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        assert path in TABLES or page.evaluate(FAULTS) == [], scheme
    assert messages == [] or path in FAILING
    if path in PATHS:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        page.set_viewport_size({"width": 320, "height": 640})
        assert page.evaluate(WIDTH) <= 320
        page.set_viewport_size({"width": 390, "height": 800})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert path in TABLES or page.evaluate(WIDTH) <= 390


def test_evidence_notes_are_readable_without_javascript(visit: Visit) -> None:
    page = visit(f"{LAW}/evidence", java_script_enabled=False)
    assert not visible(page, ".scan .ed.ocr .tip")
    page.locator(".scan .ed.ocr").focus()
    assert "62 %" in page.locator(".scan .ed.ocr .tip:visible").inner_text()


def test_question_is_sent_by_keyboard_and_the_chosen_code_remembered(visit: Visit) -> None:
    page = visit("/")
    page.select_option("#club", "american-1893")
    page.fill("#q", "He trumped although he had a heart.")
    page.press("#q", "Shift+Enter")
    assert page.locator("#q").input_value().endswith("heart.\n"), "what happened may be told in several lines"
    with page.expect_navigation():
        page.press("#q", "Enter")
    assert "q=He+trumped" in page.url and "code=american-1893" in page.url
    for path, chosen in (
        ("/", "american-1893"),
        ("/search", "american-1893"),
        ("/search?q=He+revoked", ""),  # what is shown is told as it is
        ("/search?q=He+revoked&code=english-1864", "english-1864"),
        ("/search?code=english-1864", "english-1864"),
        ("/", "american-1893"),
    ):
        page.goto(path)
        assert page.locator("#club").input_value() == chosen, path
    page.goto(LAW)
    page.fill("header #q", "who deals first")
    with page.expect_navigation():
        page.press("header #q", "Enter")
    assert "code=american-1893" in page.url and page.locator("#club").input_value() == "american-1893"


def test_search_works_without_javascript(visit: Visit) -> None:
    page = visit("/", **PLAIN)
    page.fill("#q", "He trumped although he had a heart. What do we get?")
    page.select_option("#club", "english-1864")
    with page.expect_navigation():
        page.click("main form button")
    assert visible(page, ".lines.chosen dd", ".others-of dd", ".likely dd") == [".lines.chosen dd"]
    for folded in (".others-of", ".likely"):
        page.locator(f"{folded} summary").first.click()
    assert visible(page, ".others-of dd", ".likely dd") == [".others-of dd", ".likely dd"]
    page.click("text=Ruling to print")
    assert page.locator(".told").inner_text() == "He trumped although he had a heart. What do we get?"


ASKED = (
    "My partner revoked and the trick is turned. What may they claim?",
    "What happens if a player leads out of turn?",
    "The dealer turned up the wrong card. Is it a misdeal?",
    "Somebody exposed a card while dealing. May we have a new deal?",
    "May I look at the last trick?",
    "How many points is a game, and do honours count?",
    "He threw his cards on the table. What now?",
    "A bystander told my opponent the score. What can we do?",
    "The pack has only fifty-one cards; does the hand count?",
    "Who deals first?",
    "He played before his partner when he should have been last.",
)


@pytest.mark.parametrize("code", ["", "english-1864"])
def test_first_line_of_the_answer_is_on_the_first_screen_of_a_phone(
    browser: Browser, shipped_address: str, code: str
) -> None:
    with browser.new_page(base_url=shipped_address, viewport={"width": 390, "height": 844}) as page:
        for text in ASKED:
            page.goto("/search?" + urlencode({"q": text, "code": code}))
            first = page.locator(".asked .lines dd").first.bounding_box()
            assert first and first["y"] + 24 < 844, (text, first)
            assert page.evaluate(WIDTH) <= 390, text
            page.locator(".asked h2 a").first.click()
            first = page.locator(".lines dd").first.bounding_box()
            assert first and first["y"] + 24 < 844, (page.url, first)
            assert page.evaluate(WIDTH) <= 390, page.url


@pytest.mark.parametrize("path", [
    "/compare/revoke", "/compare/new-deal", "/compare/revoke/penalty", "/search?q=what+does+a+revoke+cost",
    "/ruling/revoke/penalty?code=deschapelles-1839", "/",
])  # fmt: skip
def test_page_of_the_shipped_library_has_no_faults_on_a_phone(
    window: tuple[Page, list[str]], shipped_address: str, path: str
) -> None:
    page, messages = window
    messages.clear()
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(shipped_address + path)
    assert (page.evaluate(FAULTS), messages) == ([], [])
    assert page.evaluate(WIDTH) <= 320


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


def test_answers_are_cards_on_a_phone_and_print_as_a_table_with_repeated_heads(visit: Visit) -> None:
    page = visit("/compare/revoke", **PLAIN)
    cells = page.locator(".answer-table tbody tr").nth(1).locator("> *")
    assert cells.count() > 2, "question and answers stand under one another"
    assert len(set(cells.evaluate_all("all => all.map((one) => Math.round(one.getBoundingClientRect().x))"))) == 1
    page.emulate_media(media="print")
    assert printed_as_table(page, ".answer-table") == ("table-header-group", "table-row", "avoid")
    page.goto("/concordance")
    assert printed_as_table(page, ".numbers-table")[:2] == ("table-header-group", "table-row")


def test_dark_and_light_schemes_differ(visit: Visit) -> None:
    pages = [visit(LAW, color_scheme=scheme) for scheme in ("light", "dark")]
    assert len({page.evaluate(STYLE, ["body", "backgroundColor"]) for page in pages}) == 2


def test_code_is_navigated_by_number_without_javascript(visit: Visit) -> None:
    page = visit("/code/english-1864/read", **PLAIN)
    assert visible(page, ".nos a", ".comment .text") == []
    page.click(".numbers summary")
    page.click(".nos a[href='#law-77']")
    page.click(".comment summary")
    assert visible(page, ".comment .text")
    page.set_viewport_size({"width": 1280, "height": 700})
    page.goto("/code/english-1864/read")
    law, comment = page.locator("#law-72").bounding_box(), page.locator(".comment .text").bounding_box()
    assert law and comment and comment["x"] > law["x"] + law["width"], "the commentary stands beside its law"
    assert visible(page, ".nos a")


def test_late_fonts_do_not_shift_the_layout(visit: Visit) -> None:
    page = visit("/robots.txt", viewport={"width": 390, "height": 800})
    page.add_init_script(SHIFTS)

    def delay(route: Route) -> None:
        page.wait_for_timeout(200)
        route.continue_()

    page.route("**/*.woff2", delay)
    for path in ("/", "/compare/revoke", "/compare/revoke/penalty", "/code/english-1864/read", "/search?q=revoke", LAW):
        page.goto(path)
        page.evaluate(SETTLED)
        assert page.evaluate("window.shift") < 0.02, path


def test_filters_are_folded_and_the_text_of_a_law_is_on_the_first_screen(visit: Visit) -> None:
    page = visit("/search?q=%22revoke%22", java_script_enabled=False, viewport={"width": 390, "height": 844})
    assert not visible(page, ".facets a")
    page.locator(".narrow summary").press("Enter")
    assert visible(page, ".facets a")
    page.goto(LAW)
    tops = [top(page, part) for part in (".leaf > .text p", "#codes-h", "#answers-h", "#cases-h", "#cite-h")]
    assert tops[0] < 320 and tops == sorted(tops)
    page.get_by_role("navigation", name="On this page").get_by_role("link", name="Cite", exact=True).press("Enter")
    assert page.url.endswith("#cite-h")


def test_law_page_is_navigated_and_copied_by_keyboard(visit: Visit) -> None:
    page, order = visit(LAW, permissions=["clipboard-read", "clipboard-write"]), []
    for key in "/?jkns":
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement === document.body"), "no key by itself does anything"
    while not page.evaluate("document.activeElement.matches('.plaincite + .copier')"):
        page.keyboard.press("Tab")
        order.append(page.evaluate(PLACE))
        assert len(order) < 60
    assert list(dict.fromkeys(order)) == ["skip", "site", "leaf", "apparatus", "margin"]
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Copied the citation").wait_for()
    assert "law 72" in page.evaluate("navigator.clipboard.readText()")
    page.locator("summary", has_text="Other forms").press("Enter")
    assert page.get_by_role("button", name="Copy the BibTeX record").is_visible()
    names = page.locator(".copier").evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    assert len(set(names)) == len(names) == 11


def test_provision_prints_with_citation_and_permalink_after_its_text(visit: Visit, address: str) -> None:
    page = visit(LAW)
    page.emulate_media(media="print")
    tops = [top(page, part) for part in (".leaf .text", ".plaincite", ".permalink", "#answers-h")]
    assert tops == sorted(tops)
    assert not visible(page, ".onpage", ".copier", "header.site .find", "footer.site nav", ".citebox details")
    page.goto("/collate?u=english-1864/law-72&u=american-1894/law-30")
    assert page.locator(".printed").inner_text().startswith(f"{address}/collate?u=")
