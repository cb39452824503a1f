"""The pages in a real browser: errors, accessibility, keyboard, print, phones, and use without JavaScript."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.browser
PATHS = (
    "/", "/code/english-1864", "/code/english-1864/read", "/book/drayson-1896", "/search?q=revoke", "/compare",
    "/concordance", "/cases",
    "/dispute", "/dispute?q=he+trumped+although+he+had+a+heart", "/ruling?q=he+trumped&unit=english-1864/law-72",
    "/compare/revoke", "/compare/penalty", "/compare/american-1893/american-1894", "/collate",
    "/collate?u=1893+law+28&u=1894+law+28&u=1864+law+72&u=1829+law+21",
    "/collate?u=english-1864/law-72&u=american-1894/law-30", "/concepts", "/concept/revoke", "/about",
    "/data", "/english-1864/law-72", "/english-1864/law-72?scan=1", "/drayson-1896/case-93", "/cite",
    "/english-1864/law-72/evidence",
)  # fmt: skip
BACK_ROOM = ("/small", "/small/unit", "/small/unit/english-1864~2Flaw-72", "/small/same-words")
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


@pytest.mark.parametrize("path", [*PATHS, *BACK_ROOM, "/nowhere/at-all"])
def test_page_has_no_errors_and_no_accessibility_faults(
    window: tuple[Page, list[str]], address: str, path: str
) -> None:
    page, messages = window
    messages.clear()
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(address + path)
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(FAULTS) == [], scheme
    assert messages == [] or path == "/nowhere/at-all"
    if path in PATHS:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        page.set_viewport_size({"width": 320, "height": 640})
        assert page.evaluate(WIDTH) <= 320
        page.set_viewport_size({"width": 390, "height": 800})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate(WIDTH) <= 390


def test_evidence_notes_are_readable_without_javascript(visit: Visit) -> None:
    page = visit(f"{LAW}/evidence", java_script_enabled=False)
    assert not visible(page, ".scan .ed.ocr .tip")
    page.locator(".scan .ed.ocr").focus()
    assert "62 %" in page.locator(".scan .ed.ocr .tip:visible").inner_text()


def test_dispute_is_sent_by_keyboard_and_the_code_of_the_club_remembered(visit: Visit) -> None:
    page = visit("/dispute?code=american-1893")
    page.fill("#happened", "He trumped although he had a heart.")
    page.press("#happened", "Enter")
    assert "q=" not in page.url, "what happened may be told in several lines"
    with page.expect_navigation():
        page.press("#happened", "Control+Enter")
    assert "q=He+trumped" in page.url
    page.goto("/dispute")
    assert page.locator("#club").input_value() == "american-1893"
    page.goto("/dispute?q=He+revoked")
    assert page.locator("#club").input_value() == "", "what is shown is told as it is"


def test_answer_to_a_dispute_is_on_the_first_screen_and_its_ruling_prints(visit: Visit) -> None:
    page = visit("/dispute?q=He+trumped+although+he+had+a+heart.+What+do+we+get?&code=english-1864", **PLAIN)
    assert top(page, ".opinion") < 500
    page.click(".opinion .go a")
    page.emulate_media(media="print")
    assert visible(page, "footer.site", ".sheet .ways", ".sheet .text mark", ".permalink") == [
        ".sheet .text mark", ".permalink"
    ]  # fmt: skip


def test_answers_are_cards_on_a_phone_and_print_as_a_table_with_repeated_heads(visit: Visit) -> None:
    page = visit("/compare/revoke", **PLAIN)
    cells = page.locator(".answer-table tbody tr:has(th)").nth(1).locator("> *")
    assert cells.count() > 2, "question and answers stand under one another"
    assert len(set(cells.evaluate_all("all => all.map((one) => Math.round(one.getBoundingClientRect().x))"))) == 1
    page.locator("#only-differ").check()
    for code in ("american-1893", "american-1894"):
        page.locator(f"label[for=code-{code}]").click()
    with page.expect_navigation():
        page.click(".choose button")
    assert page.locator(".answer-table tbody tr:has(th)").count() == 2 and not visible(page, "#penalty")
    page.click(".answer-table a[href='#penalty']")
    page.emulate_media(media="print")
    assert page.locator(".in-full").count() == 2, "what is folded is not printed"
    assert visible(page, "#penalty", ".in-full:has(#correction)", ".choose") == ["#penalty"]
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
    for path in ("/", "/compare/revoke", "/code/english-1864/read", "/search?q=revoke", LAW):
        page.goto(path)
        page.evaluate(SETTLED)
        assert page.evaluate("window.shift") < 0.02, path


def test_first_hit_and_text_of_a_law_are_on_the_first_screen(visit: Visit) -> None:
    page = visit("/search?q=revoke", java_script_enabled=False, viewport={"width": 320, "height": 640})
    assert top(page, ".hits li") < 580 and not visible(page, ".facets a")
    page.locator(".narrow summary").press("Enter")
    assert visible(page, ".facets a")
    page.goto(LAW)
    tops = [top(page, part) for part in (".leaf > .text p", "#answers-h", "#cases-h", "#related-h", "#cite-h")]
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
    assert not visible(
        page, ".onpage", ".copier", "header.site .find", "footer.site nav", ".citebox details", ".word-by-word"
    )
    page.goto("/collate?u=english-1864/law-72&u=american-1894/law-30")
    assert page.locator(".printed").inner_text().startswith(f"{address}/collate?u=")
