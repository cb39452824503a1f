"""The page of a law in a real browser."""

import pytest
from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
LAW = "/english-1864/law-77"


def test_term_is_explained_by_pointer_keyboard_and_tap(browser: Browser, address: str) -> None:
    with browser.new_page(base_url=address, java_script_enabled=False) as page:
        page.goto(LAW)
        term, note = page.locator("a.term").first, page.locator("[role=tooltip]").first
        assert not note.is_visible()
        term.hover()
        assert note.is_visible()
        page.mouse.move(0, 0)
        term.focus()
        assert note.inner_text() == "penalty. What the side in error pays."
        term.click()
        assert page.url.endswith("/concept/penalty")
    with browser.new_page(base_url=address) as page:
        page.goto(LAW)
        page.locator("a.term").first.hover()
        page.keyboard.press("Escape")
        assert not page.locator("[role=tooltip]").first.is_visible()
    with browser.new_page(base_url=address, has_touch=True, viewport={"width": 390, "height": 844}) as page:
        page.goto(LAW)
        term, note = page.locator("a.term").first, page.locator("[role=tooltip]").first
        term.tap()
        assert note.is_visible() and page.url.endswith(LAW)
        term.tap()
        page.wait_for_url("**/concept/penalty")


@pytest.mark.parametrize(("width", "most"), [(1280, 2_800), (390, 4_500)])
def test_law_page_is_short(browser: Browser, shipped_address: str, width: int, most: int) -> None:
    with browser.new_page(base_url=shipped_address, viewport={"width": width, "height": 800}) as page:
        page.goto("/english-1864/law-72")
        assert page.evaluate("document.documentElement.scrollHeight") <= most
        assert page.locator(".lines dt").count() == 5 and page.locator("a.term").count() == 6
