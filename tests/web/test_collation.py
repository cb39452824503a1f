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
    one, other = " ".join(a), " ".join(b)
    result = compare_texts(one, other)
    assert "".join(p.text for p in result.a) == one and "".join(p.text for p in result.b) == other
    shared = [[p.text.split() for p in side if p.mark == "same"] for side in (result.a, result.b)]
    folded = [[[w.strip(".,") for w in part] for part in side] for side in shared]
    assert folded[0] == folded[1]
    for side in (result.a, result.b):
        for i, part in enumerate(side):
            if part.mark == "same" and 0 < i < len(side) - 1:
                assert len(part.text.split()) >= SLIVER


@given(WORDS)
def test_a_text_agrees_with_itself(words: list[str]) -> None:
    result = compare_texts(" ".join(words), " ".join(w.upper() + "." for w in words))
    assert result.same


def test_one_changed_word_is_all_that_is_marked() -> None:
    result = compare_texts("he may take three tricks from his adversary", "he may take two tricks from his adversary")
    assert [p.text for p in result.a if p.mark == "only"] == ["three "]
    assert [p.text for p in result.b if p.mark == "only"] == ["two "]


def test_codes_that_agree_are_grouped_in_order() -> None:
    text = " ".join(f"word{i}" for i in range(60))
    assert agreeing([("1829", "quite other words"), ("1893", text), ("1894", text + " more")]) == [
        ["1829"], ["1893", "1894"],
    ]  # fmt: skip


def test_treatment_finds_provisions_by_concept_and_hangs_links_on_them(conn: sqlite3.Connection) -> None:
    topic = find_topic(conn, "revoke")
    assert topic is not None
    treated = treatment(conn, topic)
    assert [[c.id for c in column.codes] for column in treated.columns] == [
        ["arnaud-1829"], ["english-1864"], ["american-1893", "american-1894"],
    ]  # fmt: skip
    english = {p.unit.id: p for p in treated.columns[1].provisions}
    assert set(english) == {"english-1864/law-72", "english-1864/law-77"}
    relations = {link.other: link.relation for link in english["english-1864/law-72"].links}
    assert relations == {"american-1894/law-30": "differs", "arnaud-1829/law-21": "narrower"}
    assert {p.unit.id for p in treated.columns[2].chief} >= {"american-1893/law-30"}


def test_linked_provisions_stand_in_one_row_and_each_stands_once(conn: sqlite3.Connection) -> None:
    topic = find_topic(conn, "revoke")
    assert topic is not None
    treated = treatment(conn, topic)
    rows = [[[p.unit.id for p in cell] for cell in row] for row in treated.rows]
    assert [["arnaud-1829/law-21"], ["english-1864/law-72"], ["american-1893/law-30"]] in rows
    assert [[p.unit.id for p in cell] for cell in treated.alone][1] == ["english-1864/law-77"]
    shown = [p.unit.id for row in (*treated.rows, treated.alone) for cell in row for p in cell]
    assert sorted(shown) == sorted(p.unit.id for column in treated.columns for p in column.chief)


def test_a_concept_is_spoken_of_in_its_narrower_ones(conn: sqlite3.Connection) -> None:
    on = {p.unit.id for p in provisions_on(conn, "revoke-penalty")}
    assert on <= {p.unit.id for p in provisions_on(conn, "revoke")}


def test_a_topic_without_words_is_none(conn: sqlite3.Connection) -> None:
    assert find_topic(conn, "bezique") is None
