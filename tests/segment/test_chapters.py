"""A constitution: articles with sections numbered afresh in each."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import make_book, render, shown

from extract.edition import make_edition
from extract.model import Edition
from extract.text.source import Layout

LAYOUTS: tuple[Layout, ...] = ("lines", "markdown", "single-line")
PLAN = """
[[part]]
id = "constitution"
begins = "CONSTITUTION"
grammar = "chapters"
[[part.series]]
label = "Article {I}."
kind = "section"
slug = "constitution"
name = "Article"
highest = 20
[[part.series]]
label = "Section {n}.|Sec. {n}."
kind = "constitution_section"
slug = "constitution"
name = "Section"
highest = 20
"""
ARTICLES = {
    "Article I. NAME.": ["Section 1. This organization shall be known as the League."],
    "Article II. MEMBERSHIP.": [
        "Section 1. Any club may become a member of it.",
        "Sec. 2. Each club shall pay its dues.",
        "Sec. 3. A club that fails to pay them is dropped.",
        "Sec. 4. It may be taken in again.",
    ],
    "Article III. OFFICERS.": [
        "Section 1. The officers shall be a President and a Secretary.",
        "Sec. 2. They are elected every year.",
        "Sec. 3. They serve until others are elected.",
    ],
}


def edition(folder: Path, articles: dict[str, list[str]], layout: Layout) -> Edition:
    matter = ["CONSTITUTION", *(x for heading, sections in articles.items() for x in (heading, *sections))]
    return make_edition(make_book(folder / "small", render(matter, layout), layout, PLAN))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("one", ["1", "i", "I"])
def test_sections_are_numbered_within_their_article(tmp_path: Path, layout: Layout, one: str) -> None:
    read = {h: [s.replace("Section 1.", f"Section {one}.") for s in sections] for h, sections in ARTICLES.items()}
    units = edition(tmp_path, read, layout).units
    printed = [
        (f"small/constitution-{a}-{s}", text)
        for a, sections in enumerate(ARTICLES.values(), 1)
        for s, text in enumerate(sections, 1)
    ]
    assert shown(units, "constitution_section") == printed


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_article_is_the_heading_of_its_sections(tmp_path: Path, layout: Layout) -> None:
    units = edition(tmp_path, ARTICLES, layout).units
    for number, heading in enumerate(ARTICLES, 1):
        article = next(u for u in units if u.id == f"small/constitution-{number}")
        assert (article.kind, article.text) == ("section", heading)
        sections = [u for u in units if u.parent_id == article.id]
        assert len(sections) == len(ARTICLES[heading])
        assert {u.heading for u in sections} == {heading}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_lone_second_section_stays_the_second(tmp_path: Path, layout: Layout) -> None:
    articles = {**ARTICLES, "Article II. MEMBERSHIP.": ARTICLES["Article II. MEMBERSHIP."][:2]}
    found = shown(edition(tmp_path, articles, layout).units, "constitution_section")
    assert ("small/constitution-2-2", "Sec. 2. Each club shall pay its dues.") in found
