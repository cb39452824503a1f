"""Cases with their decisions, constitutions with sections in each article, and commentaries on articles."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import make_book, render, shown

from extract.edition import make_edition
from extract.model import Edition, Unit
from extract.text.source import Layout

CASES = [
    ("Case 1. — A leads a small heart and Y revokes. What is the penalty?", "Decision. — The penalty is three tricks."),
    (
        "Case 2. — B deals and faces a card. May Y claim a new deal?",
        "Answer. — He may, before the trump card is turned.",
    ),
    ("Case 3. — Z plays out of turn. The decision of Case 2 is of no use here.", "Decision. — Z's card is exposed."),
    ("Case 4. — A claims honors after the next deal.", "Suggestion. — Let them be forfeited."),
]
PLAN = """
[[part]]
id = "cases"
begins = "DISPUTES"
grammar = "cases"
split = ["Decision", "Answer", "Suggestion"]
[[part.series]]
label = "Case {n}."
kind = "case"
slug = "case"
name = "Case"
"""


def units(folder: Path, matter: list[str], layout: Layout = "lines") -> tuple[Unit, ...]:
    return make_edition(make_book(folder / "small", render(["DISPUTES", *matter], layout), layout, PLAN)).units


def plain(text: str) -> str:
    return text.replace(" — ", "—")


@pytest.mark.parametrize("layout", ["lines", "markdown", "single-line"])
def test_a_case_ends_where_its_decision_begins(tmp_path: Path, layout: Layout) -> None:
    found = units(tmp_path, [x for pair in CASES for x in pair], layout)
    assert shown(found, "case") == [(f"small/case-{i}", plain(story)) for i, (story, _) in enumerate(CASES, 1)]
    assert shown(found, "decision") == [
        (f"small/case-{i}/decision", plain(decision)) for i, (_, decision) in enumerate(CASES, 1)
    ]
    cases, decisions = ([u for u in found if u.kind == kind] for kind in ("case", "decision"))
    for case, decision in zip(cases, decisions, strict=True):
        assert (decision.parent_id, decision.label) == (case.id, f"{case.label}, decision")
        assert case.raw_end <= decision.raw_start


def test_a_case_without_decision_stands_alone(tmp_path: Path) -> None:
    found = units(tmp_path, [*CASES[0], "Case 2. — Nobody can tell what is right here.", *CASES[2], *CASES[3]])
    assert [u.id for u in found if u.kind == "decision"] == [f"small/case-{i}/decision" for i in (1, 3, 4)]


def test_garbled_case_numbers_are_decoded_and_mended(tmp_path: Path) -> None:
    stories = [(f"Case {n}. — A deals and B looks at his cards.", "Decision. — He may.") for n in range(1, 15)]
    read = "\n".join(x for pair in stories for x in pair)
    for printed, misread in (("1.", "i."), ("9.", "g."), ("11.", "ii."), ("13.", "i  3.")):
        read = read.replace(f"Case {printed}", f"Case {misread}")
    found = units(tmp_path, read.split("\n"))
    assert shown(found, "case") == [(f"small/case-{i}", plain(story)) for i, (story, _) in enumerate(stories, 1)]


LAYOUTS: tuple[Layout, ...] = ("lines", "markdown", "single-line")
CONSTITUTION = """
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
    return make_edition(make_book(folder / "small", render(matter, layout), layout, CONSTITUTION))


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


SAID = "It is but just that the first who come should play. The cut is left to chance. (See Article 9.)"
EXPLAINING = """
[[part]]
id = "commentary"
begins = "THE PRINCIPLES"
grammar = "commentary"
explains = "small/art-"
[[part.series]]
label = "Articles {list}."
kind = "commentary"
slug = "commentary"
name = "Article"
expect = 12
[[part.series]]
label = "B {list}."
kind = "commentary"
slug = "commentary"
prefix = "b"
name = "Article"
expect = 8
"""


def commentaries(folder: Path, heads: list[str], layout: Layout = "lines") -> list[Unit]:
    matter = ["THE PRINCIPLES", *(x for head in heads for x in (head, SAID))]
    edition = make_edition(make_book(folder / "small", render(matter, layout), layout, EXPLAINING))
    return [u for u in edition.units if u.kind == "commentary"]


@pytest.mark.parametrize("layout", ["lines", "markdown"])
def test_each_piece_knows_what_it_explains_and_runs_from_its_head_to_the_next(tmp_path: Path, layout: Layout) -> None:
    heads = ["Articles 1, 2, and 3.", "Article 4.", "Articles 5 and 6.", "Article 7.", "B 1.", "B 2 and 3."]
    found = commentaries(tmp_path, heads, layout)
    assert {u.id: u.explains for u in found} == {
        "small/commentary-1": ("small/art-1", "small/art-2", "small/art-3"),
        "small/commentary-4": ("small/art-4",),
        "small/commentary-5": ("small/art-5", "small/art-6"),
        "small/commentary-7": ("small/art-7",),
        "small/commentary-b1": ("small/art-b1",),
        "small/commentary-b2": ("small/art-b2", "small/art-b3"),
    }
    assert [" ".join(u.text.split()) for u in found] == [f"{head} {SAID}" for head in heads]


@pytest.mark.parametrize(
    ("heads", "explained"),
    [
        (["Articles ] , 2, and 3.", "Article 4.", "Articles 5, 6, and ?.", "Article 8.", "Articles 9 and i0."],
         [[1, 2, 3], [4], [5, 6, 7], [8], [9, 10]]),
        (["Articles 5 and lo."], [[5, 10]]),
        (["Articles I and 2.", "Articles 3 and 4.", "Articles S and 6.", "Article 7."], [[1, 2], [3, 4], [5, 6], [7]]),
        (["Articles 1, 3, and 6.", "Articles 7, and lo, and 12."], [[1, 3, 6], [7, 10, 12]]),
        (["Article 1.", "Article 2.", "Articles 9 and following."], [[1], [2], [9, 10, 11, 12]]),
    ],
    ids=["garbled", "a figure like a word", "a capital for a figure", "articles left out", "and following"],
)  # fmt: skip
def test_lists_are_read_in_their_order(tmp_path: Path, heads: list[str], explained: list[list[int]]) -> None:
    found = commentaries(tmp_path, heads)
    assert [[int(x.rsplit("-", 1)[1]) for x in u.explains] for u in found] == explained


def test_a_piece_knows_the_section_it_stands_in(tmp_path: Path) -> None:
    matter = ["THE PRINCIPLES", "Article 1.", SAID, "OF THE DEAL.", "Article 2.", SAID]
    edition = make_edition(make_book(tmp_path / "small", render(matter, "lines"), "lines", EXPLAINING))
    assert [(u.number, u.heading) for u in edition.units if u.kind == "commentary"] == [
        ("1", "THE PRINCIPLES"), ("2", "OF THE DEAL.")
    ]  # fmt: skip
