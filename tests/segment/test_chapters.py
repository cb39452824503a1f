"""A constitution: articles with sections numbered afresh in each."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import make_book, render

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


LONE = {**ARTICLES, "Article II. MEMBERSHIP.": ARTICLES["Article II. MEMBERSHIP."][:2]}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("articles", "one"), [(ARTICLES, "1"), (ARTICLES, "i"), (ARTICLES, "I"), (LONE, "1")])
def test_sections_are_numbered_within_their_article_which_is_their_heading(
    tmp_path: Path, layout: Layout, articles: dict[str, list[str]], one: str
) -> None:
    read = {h: [s.replace("Section 1.", f"Section {one}.") for s in sections] for h, sections in articles.items()}
    units = edition(tmp_path, read, layout).units
    headings = {u.id: u.text for u in units if u.id in [f"small/constitution-{a}" for a in (1, 2, 3)]}
    assert [*headings.values()] == [*articles]
    sections = [u for u in units if u.kind == "constitution_section"]
    assert [(u.id, headings.get(u.parent_id or ""), u.heading, " ".join(u.text.split())) for u in sections] == [
        (f"small/constitution-{a}-{s}", heading, heading, text)
        for a, (heading, texts) in enumerate(articles.items(), 1)
        for s, text in enumerate(texts, 1)
    ]
