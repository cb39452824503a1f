"""Who reads by ear, by keyboard, with large letters or with weak eyes: names, order, contrast, targets, still pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, sync_playwright
from test_site_browser import PATHS

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")]
BACK_ROOM = ("/small", "/small/unit", "/small/unit/english-1864~2Flaw-72", "/small/same-words")
SHIFTS = """window.shift = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({type: "layout-shift", buffered: true});"""
FAULTS = (Path(__file__).parent / "faults.js").read_text("utf-8")
PLACE = """(document.activeElement.closest("header.site, .leaf, .apparatus, .margin")
  ?? document.activeElement).className"""


def in_order(page: Page, parts: Sequence[str]) -> bool:
    """Whether these parts of a page stand below one another."""
    boxes = [page.locator(part).first.bounding_box() for part in parts]
    tops = [box["y"] for box in boxes if box]
    return len(tops) == len(parts) and tops == sorted(tops)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield running
        running.close()


@pytest.fixture(scope="module", params=["light", "dark"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme=request.param)
    yield opened
    opened.close()


@pytest.mark.parametrize("path", [*PATHS, *BACK_ROOM, "/nowhere/at-all", "/cite", "/cite/verify"])
def test_names_order_contrast_and_targets(page: Page, address: str, path: str) -> None:
    page.goto(address + path)
    assert page.evaluate(FAULTS) == []


@pytest.mark.parametrize("path", [*PATHS, *BACK_ROOM])
def test_letters_twice_as_large_still_fit_a_phone(page: Page, address: str, path: str) -> None:
    page.goto(address + path)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_page_holds_still_when_its_letters_come_late(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.add_init_script(SHIFTS)

    def late(route: Route) -> None:
        page.wait_for_timeout(200)
        route.continue_()

    page.route("**/*.woff2", late)
    for path in ("/", "/compare/revoke", "/code/english-1864/read", "/search?q=revoke", "/english-1864/law-72"):
        page.goto(address + path)
        page.wait_for_timeout(300)
        assert page.evaluate("window.shift") < 0.02, path
    page.close()


def test_the_first_hit_and_the_text_of_a_law_stand_on_the_first_screen(browser: Browser, address: str) -> None:
    for width, height in ((390, 700), (320, 640)):
        context = browser.new_context(java_script_enabled=False, viewport={"width": width, "height": height})
        page = context.new_page()
        page.goto(f"{address}/search?q=revoke")
        hit = page.locator(".hits li").first.bounding_box()
        assert hit and hit["y"] < height - 60 and not page.locator(".facets a").first.is_visible()
        page.locator(".narrow summary").press("Enter")
        assert page.locator(".facets a").first.is_visible()
        page.goto(f"{address}/english-1864/law-72")
        text = page.locator(".leaf > .text p").first.bounding_box()
        assert text and text["y"] < height / 2
        assert in_order(page, ("#answers-h", "#cases-h", "#related-h", "#cite-h"))
        page.get_by_role("navigation", name="On this page").get_by_role("link", name="Cite", exact=True).press("Enter")
        assert page.url.endswith("#cite-h")
        context.close()


def test_a_law_is_reached_opened_and_copied_by_keyboard(browser: Browser, address: str) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{address}/english-1864/law-72")
    order = []
    for _ in range(60):
        page.keyboard.press("Tab")
        order.append(page.evaluate(PLACE))
        if page.evaluate("document.activeElement.matches('.plaincite + .copier')"):
            break
    assert list(dict.fromkeys(order)) == ["skip", "site", "leaf", "apparatus", "margin"]
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Copied the citation").wait_for()
    assert "law 72" in page.evaluate("navigator.clipboard.readText()")
    page.locator("summary", has_text="Other forms").press("Enter")
    assert page.get_by_role("button", name="Copy the BibTeX record").is_visible()
    context.close()


def test_a_provision_prints_with_its_citation_and_address_after_its_text(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.emulate_media(media="print")
    page.goto(f"{address}/english-1864/law-72")
    assert in_order(page, (".leaf .text", ".plaincite", ".permalink", "#answers-h"))
    for gone in (".onpage", ".copier", "footer.site nav", ".citebox details", ".word-by-word"):
        assert not page.locator(gone).first.is_visible(), gone
    page.goto(f"{address}/compare?a=english-1864/law-72&b=american-1894/law-30")
    assert page.locator(".printed").inner_text().startswith(f"{address}/compare?a=")
    page.close()
