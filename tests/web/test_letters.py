"""The letters of a first visit: what is read first is asked for first, and what stands in until it comes fits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import datasette_plugins

STATIC = Path(datasette_plugins.__file__).parent / "static"
PATHS = (
    "/", "/english-1864/law-72", "/drayson-1896/case-93", "/code/english-1864", "/code/english-1864/read", "/about",
    "/book/drayson-1896", "/search?q=revoke", "/compare", "/compare/revoke", "/concepts", "/concept/revoke", "/data",
    "/dispute?q=he+trumped+although+he+had+a+heart", "/ruling?unit=english-1864/law-72", "/collate", "/cases",
)  # fmt: skip
# The faces in which text in the window is set, as `family style`.
SET = """() => {
    const set = new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const range = document.createRange();
        range.selectNode(walker.currentNode);
        const parent = walker.currentNode.parentElement;
        const box = range.getBoundingClientRect(), style = getComputedStyle(parent);
        const seen = parent.checkVisibility() && box.width > 1 && box.height > 1 && box.top < innerHeight;
        if (seen && walker.currentNode.data.trim())
            set.add(style.fontFamily.split(",")[0].replaceAll('"', "") + " " + style.fontStyle);
    }
    return [...set];
}"""


# The font faces of the style sheet, by the names of their properties.
RULES = re.findall(r"@font-face \{(.*?)\}", (STATIC / "whist.css").read_text(encoding="utf-8"))
FACES = [dict(re.findall(r"([a-z-]+): ([^;]+);", rule)) for rule in RULES]


def named(face: dict[str, str]) -> str:
    return f"{face['font-family'].strip(chr(34))} {face.get('font-style', 'normal')}"


FILES = {named(face): Path(face["src"].partition('url("')[2].partition('"')[0]).name for face in FACES}


def test_what_stands_in_for_italics_is_italic() -> None:
    """A browser that finds no italics slants the roman, which is wider: lines move when the true letters come."""
    local = {named(face) for face in FACES if "local(" in face["src"]}
    assert local and {name.replace(" normal", " italic") for name in local} <= local
    assert all(("italic" in face["src"].lower()) == (face.get("font-style") == "italic") for face in FACES)


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390])
def test_letters_that_are_seen_at_once_are_asked_for_at_once(browser: Browser, address: str, width: int) -> None:
    with browser.new_page(viewport={"width": width, "height": 800}) as page:
        for path in PATHS:
            page.goto(address + path)
            preloaded = page.evaluate(
                "[...document.querySelectorAll('link[rel=preload]')].map(l => l.href.split('/').pop())"
            )
            seen = {FILES[name] for name in page.evaluate(SET) if name in FILES}
            page.wait_for_function("document.fonts.status == 'loaded'")
            loaded = page.evaluate(
                "[...document.fonts].filter(f => f.status == 'loaded').map(f => f.family + ' ' + f.style)"
            )
            assert seen <= {*preloaded} <= {FILES.get(name.replace('"', "")) for name in loaded}, path
