"""Datasette's own pages in a real browser: their scripts and styles work under the policy."""

from __future__ import annotations

import shutil

import pytest
from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")]


def test_the_browser_has_nothing_to_complain_of(address: str) -> None:
    complaints: list[str] = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.on("console", lambda m: complaints.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda e: complaints.append(str(e)))
        for path in ("/small", "/small/unit?_facet=kind", "/small/unit/english-1864~2Flaw-72"):
            page.goto(address + path)
        page.goto(address + "/small/unit")
        assert page.evaluate("DATASETTE_ALLOW_FACET") is True, "the inline script has run"
        assert page.evaluate("getComputedStyle(document.querySelector('.page-header')).borderColor") == "rgb(255, 0, 0)"
        browser.close()
    assert complaints == []
