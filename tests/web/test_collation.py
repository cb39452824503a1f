"""Word-by-word comparison and the grouping of codes."""

from __future__ import annotations

import sqlite3

from hypothesis import given
from hypothesis import strategies as st

from kb.collation.collate import SLIVER, agreeing, compare_texts
from kb.comparison.topics import find_topic
from kb.comparison.treatment import provisions_on, treatment

WORDS = st.lists(st.sampled_from(["the", "a", "card", "suit", "revoke", "dealer", "may", "not,", "led."]), max_size=25)


@given(WORDS, WORDS)
def test_parts_give_back_both_texts(a: list[str], b: list[str]) -> None:
    result = compare_texts(" ".join(a), " ".join(b))
    assert ["".join(p.text for p in side) for side in (result.a, result.b)] == [" ".join(a), " ".join(b)]
    folded = [
        [[word.strip(".,") for word in p.text.split()] for p in side if p.mark == "same"]
        for side in (result.a, result.b)
    ]
    assert folded[0] == folded[1]
    inside = [p for side in (result.a, result.b) for p in side[1:-1] if p.mark == "same"]
    assert all(len(part.text.split()) >= SLIVER for part in inside)
    assert compare_texts(" ".join(a), " ".join(word.upper() + "." for word in a)).same


def test_one_changed_word_is_all_that_is_marked() -> None:
    result = compare_texts("he may take three tricks from his adversary", "he may take two tricks from his adversary")
    assert [p.text for side in (result.a, result.b) for p in side if p.mark == "only"] == ["three ", "two "]


def test_codes_that_agree_are_grouped_in_order() -> None:
    text = " ".join(f"word{i}" for i in range(60))
    assert agreeing([("1829", "quite other words"), ("1893", text), ("1894", text + " more")]) == [
        ["1829"], ["1893", "1894"],
    ]  # fmt: skip


def test_the_treatment_of_a_topic(conn: sqlite3.Connection) -> None:
    """Provisions are found by concept; linked ones stand in one row, and each stands once."""
    treated = treatment(conn, find_topic(conn, "revoke"))
    assert [[c.id for c in column.codes] for column in treated.columns] == [
        ["arnaud-1829"], ["english-1864"], ["american-1893", "american-1894"],
    ]  # fmt: skip
    english = {p.unit.id: {link.other: link.relation for link in p.links} for p in treated.columns[1].provisions}
    assert list(english) == ["english-1864/law-72", "english-1864/law-77"]
    assert english["english-1864/law-72"] == {"american-1894/law-30": "differs", "arnaud-1829/law-21": "narrower"}
    rows = [[[p.unit.id for p in cell] for cell in row] for row in (*treated.rows, treated.alone)]
    assert [["arnaud-1829/law-21"], ["english-1864/law-72"], ["american-1893/law-30"]] in rows
    assert rows[-1][1] == ["english-1864/law-77"]
    chief = [p.unit.id for column in treated.columns for p in column.chief]
    assert sorted(chief) == sorted(id for row in rows for cell in row for id in cell)
    narrower, on = ({p.unit.id for p in provisions_on(conn, name)} for name in ("revoke-penalty", "revoke"))
    assert narrower <= on and find_topic(conn, "bezique") is None
