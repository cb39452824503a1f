"""The pages in a real browser: no console errors, the keyboard, narrow screens, and without JavaScript."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")]
PATHS = (
    "/", "/code/english-1864", "/code/english-1864/read", "/book/drayson-1896", "/search?q=revoke", "/compare",
    "/concordance", "/cases", "/references/unresolved",
    "/dispute", "/dispute?q=he+trumped+although+he+had+a+heart", "/ruling?q=he+trumped&unit=english-1864/law-72",
    "/compare/revoke", "/compare/penalty", "/compare/american-1893/american-1894", "/collate",
    "/collate?u=1893+law+28&u=1894+law+28&u=1864+law+72&u=1829+law+21",
    "/compare?a=english-1864/law-72&b=american-1894/law-30", "/concepts", "/concept/revoke", "/browse", "/about",
    "/data", "/english-1864/law-72", "/english-1864/law-72?scan=1", "/drayson-1896/case-93",
    "/english-1864/law-72/evidence", "/english-1864/law-72/evidence?pick=1",
)  # fmt: skip


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield running
        running.close()


@pytest.fixture(scope="module")
def narrow(browser: Browser) -> Iterator[Page]:
    """A window 320 pixels wide that notes every complaint of the browser."""
    page = browser.new_page(viewport={"width": 320, "height": 640})
    page.complaints = []  # type: ignore[attr-defined]
    page.on("console", lambda m: page.complaints.append(m.text) if m.type in ("error", "warning") else None)  # type: ignore[attr-defined]
    page.on("pageerror", lambda e: page.complaints.append(str(e)))  # type: ignore[attr-defined]
    yield page
    page.close()


@pytest.mark.parametrize("path", PATHS)
def test_no_complaints_no_sideways_scroll_and_the_skip_link_first(narrow: Page, address: str, path: str) -> None:
    narrow.complaints.clear()  # type: ignore[attr-defined]
    narrow.goto(address + path)
    assert narrow.evaluate("document.documentElement.scrollWidth") <= 320
    narrow.keyboard.press("Tab")
    assert narrow.evaluate("document.activeElement.className") == "skip"
    narrow.keyboard.press("Enter")
    assert narrow.evaluate("document.activeElement.id") == "main"
    assert narrow.complaints == []  # type: ignore[attr-defined]


def test_pages_read_without_javascript(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    page.fill("#q", "1864 law 72")
    page.press("#q", "Enter")
    page.click(".answers h3 a")
    assert page.url == f"{address}/english-1864/law-72" and page.inner_text("h1") == "Law 72"
    page.click("text=Evidence")
    mark = page.locator(".scan .ed.ocr")
    assert not mark.locator(".tip").is_visible()
    mark.focus()
    assert mark.locator(".tip").is_visible() and "62 %" in mark.locator(".tip").inner_text()
    context.close()


def test_conveniences_of_the_script(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}/english-1864/law-72")
    for key in "/?jkns":
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement === document.body"), "no key by itself does anything"
    assert page.locator(".plaincite + .copier").inner_text() == "Copy"
    page.click("text=Other forms")
    page.get_by_role("button", name="Copy the Chicago citation", exact=True).click()
    assert page.get_by_role("button", name="Copied the Chicago citation").inner_text() == "Copied"
    names = page.locator(".copier").evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    assert len(set(names)) == len(names) == 11
    page.close()


def test_a_misread_word_is_pointed_at_with_one_click_by_the_script(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}/english-1864/law-72/evidence")
    page.locator(".scan span").first.click(position={"x": 3, "y": 5})
    assert "?" not in page.url, "while the report is folded the text is only text"
    page.click("text=Report a misreading")
    page.locator(".scan span").first.click(position={"x": 3, "y": 5})
    page.wait_for_url("**?at=*")
    assert page.locator("#misread mark").inner_text() == "72."
    page.wait_for_selector("#read:focus")
    page.keyboard.type("73.")
    page.keyboard.press("Enter")
    page.wait_for_url("**read=73.*")
    assert 'scan = "72."\nread = "73."' in page.locator("#misread pre").inner_text()
    assert page.get_by_role("button", name="Copy the entry").is_visible()
    page.close()


def test_a_misread_word_is_pointed_at_without_javascript(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto(f"{address}/english-1864/law-72/evidence")
    assert not page.locator("#misread p").first.is_visible()
    page.click("text=Report a misreading")
    page.click("text=Point at the word")
    page.get_by_role("link", name="adversaries,").click()
    page.wait_for_selector("#read:focus")
    page.fill("#read", "adversary,")
    page.click("text=Make the entry")
    assert 'scan = "adversaries,"\nread = "adversary,"' in page.locator("#misread pre").inner_text()
    context.close()


def test_a_dispute_is_sent_from_the_keyboard(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}/dispute")
    page.fill("#happened", "He trumped although he had a heart.")
    page.press("#happened", "Enter")
    assert "q=" not in page.url, "what happened may be told in several lines"
    with page.expect_navigation():
        page.press("#happened", "Control+Enter")
    assert "q=He+trumped" in page.url
    page.close()


def test_a_dispute_is_told_and_ruled_on_without_javascript(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 780})
    page = context.new_page()
    page.goto(f"{address}/dispute")
    page.fill("#happened", "He trumped although he had a heart. What do we get?")
    page.select_option("#club", "english-1864")
    page.click(".tell button")
    card = page.locator(".opinion").first.bounding_box()
    assert card and card["y"] < 500, "the provision stands on the first screen"
    page.click(".opinion .go a")
    assert page.locator("h1").inner_text() == "Law 72 (I)" and "code=english-1864" in page.url
    page.emulate_media(media="print")
    assert not page.locator("footer.site").is_visible() and not page.locator(".sheet .ways").first.is_visible()
    assert page.locator(".sheet .text mark").is_visible() and page.locator(".permalink").is_visible()
    context.close()


def test_the_code_that_the_club_plays_is_remembered_by_the_script(browser: Browser, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/dispute?code=american-1893")
    page.fill("#happened", "He revoked.")
    with page.expect_navigation():
        page.click(".tell button")
    page.goto(f"{address}/dispute")
    assert page.locator("#club").input_value() == "american-1893"
    page.goto(f"{address}/dispute?q=He+revoked")
    assert page.locator("#club").input_value() == "", "what is shown is told as it is"
    context.close()


def test_the_answers_are_cards_on_a_phone_and_print_as_a_table_with_its_heads_on_each_page(
    browser: Browser, address: str
) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto(f"{address}/compare/revoke")
    row = page.locator(".answer-table tbody tr:has(th)").nth(1)
    lefts = {round(row.locator(f":nth-child({n})").first.bounding_box()["x"]) for n in (1, 2, 3)}  # type: ignore[index]
    assert len(lefts) == 1, "question and answers stand under one another"
    page.locator("#only-differ").check()
    page.locator("label[for=code-american-1893]").click()
    page.locator("label[for=code-american-1894]").click()
    with page.expect_navigation():
        page.click(".choose button")
    assert page.locator(".answer-table tbody tr:has(th)").count() == 2
    assert not page.locator("#penalty").is_visible()
    page.click(".answer-table a[href='#penalty']")
    assert page.url.endswith("#penalty") and page.locator("#penalty").is_visible()
    page.emulate_media(media="print")
    assert page.locator("#penalty").is_visible() and page.locator(".in-full").count() == 2
    assert not page.locator(".in-full:has(#correction)").is_visible(), "what is folded is not printed"
    style = "(of, name) => getComputedStyle(document.querySelector(of))[name]"
    assert page.evaluate(f"({style})('.answer-table thead', 'display')") == "table-header-group"
    assert page.evaluate(f"({style})('.answer-table tbody tr', 'breakInside')") == "avoid"
    assert page.evaluate(f"({style})('.answer-table tbody tr', 'display')") == "table-row"
    assert not page.locator(".choose").is_visible()
    context.close()


def test_dark_and_light_differ_and_print_drops_the_frame(browser: Browser, address: str) -> None:
    colours = set()
    for scheme in ("light", "dark"):
        page = browser.new_page(color_scheme=scheme)  # type: ignore[arg-type]
        page.goto(f"{address}/english-1864/law-72")
        colours.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        page.emulate_media(media="print")
        assert not page.locator("header.site .find").is_visible() and page.locator(".citebox .plaincite").is_visible()
        page.close()
    assert len(colours) == 2


def test_a_code_is_read_by_its_numbers_without_javascript(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 700})
    page = context.new_page()
    page.goto(f"{address}/code/english-1864/read")
    assert not page.locator(".nos a").first.is_visible() and not page.locator(".comment .text").is_visible()
    page.click(".numbers summary")
    page.click(".nos a[href='#law-77']")
    assert page.url.endswith("#law-77")
    page.fill("#number", "72 (ii)")
    page.press("#number", "Enter")
    assert page.url.endswith("/code/english-1864/read#law-72.ii")
    page.click(".comment summary")
    assert page.locator(".comment .text").is_visible()
    page.set_viewport_size({"width": 1280, "height": 700})
    page.goto(f"{address}/code/english-1864/read")
    law, comment = page.locator("#law-72").bounding_box(), page.locator(".comment .text").bounding_box()
    assert law and comment and comment["x"] > law["x"] + law["width"], "the commentary stands beside its law"
    assert page.locator(".nos a").first.is_visible()
    context.close()


def test_the_concordance_is_cards_on_a_phone_and_prints_with_its_heads_on_each_page(
    browser: Browser, address: str
) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 320, "height": 700})
    page = context.new_page()
    page.goto(f"{address}/concordance")
    head, cell = (page.locator(f"#law-72 > {tag}").first.bounding_box() for tag in ("th", "td"))
    assert head and cell and cell["y"] >= head["y"] + head["height"]
    assert not page.locator("#law-77 .blank").first.is_visible()
    page.select_option("#by", "american-1894")
    page.select_option("#against", "english-1864")
    page.click(".pick button")
    assert page.locator("#law-30 td a").get_attribute("href") == "/english-1864/law-72"
    page.emulate_media(media="print")
    style = "(of, name) => getComputedStyle(document.querySelector(of))[name]"
    assert page.evaluate(f"({style})('.numbers-table thead', 'display')") == "table-header-group"
    assert page.evaluate(f"({style})('.numbers-table tbody tr', 'display')") == "table-row"
    context.close()
