"""A commentary: pieces headed by the articles they explain, and which these are."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import make_book, render

from extract.edition import make_edition
from extract.model import Unit
from extract.text.source import Layout

BODY = "It is but just that the first who come should play. The cut is left to chance. (See Article 9.)"
PLAN = """
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
    matter = ["THE PRINCIPLES", *(x for head in heads for x in (head, BODY))]
    edition = make_edition(make_book(folder / "small", render(matter, layout), layout, PLAN))
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
    assert [" ".join(u.text.split()) for u in found] == [f"{head} {BODY}" for head in heads]


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
    matter = ["THE PRINCIPLES", "Article 1.", BODY, "OF THE DEAL.", "Article 2.", BODY]
    edition = make_edition(make_book(tmp_path / "small", render(matter, "lines"), "lines", PLAN))
    assert [(u.number, u.heading) for u in edition.units if u.kind == "commentary"] == [
        ("1", "THE PRINCIPLES"), ("2", "OF THE DEAL.")
    ]  # fmt: skip
