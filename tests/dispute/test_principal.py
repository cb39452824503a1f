"""A question in general words is a principal question of its topic, unless it tells particular facts."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest

from kb.dispute.hearing import hear, put_right
from kb.dispute.index import Index
from kb.dispute.principal import principal
from kb.read.domain import domain

REVOKE = ["arnaud-1829/law-21", "deschapelles-1839/art-93|94", "english-1864/law-72", "american-1893/law-30"]
CLAIM = ["arnaud-1829/law-23", "deschapelles-1839/art-97|101|108", "english-1864/law-78", "american-1893/law-33"]
MISDEAL = ["arnaud-1829/law-1", "deschapelles-1839/art-26|27|31|35", "english-1864/law-43", "american-1893/law-17"]
EXPOSED = ["arnaud-1829/law-14", "deschapelles-1839/art-73|74", "english-1864/law-56", "american-1893/law-20"]
SHOWING = ["arnaud-1829/law-14", "deschapelles-1839/art-75", "english-1864/law-56", "american-1893/law-20|21"]
LEADING = ["arnaud-1829/law-17", "deschapelles-1839/art-82", "english-1864/law-62", "american-1893/law-24"]
BOTH = "What is the penalty for a revoke? Until when can we claim it?"
ASKED = {
    "What is the penalty for a revoke?": [REVOKE],
    "whats the penelty for a revoak": [REVOKE],
    "What do I lose for a revoke?": [REVOKE],
    "what's the fine for not following suit": [REVOKE],
    "What is the penalty for a revoke, and until when can we claim it?": [REVOKE, CLAIM],
    "Until when may a revoke be claimed?": [CLAIM],
    "What is the penalty for a misdeal?": [MISDEAL],
    "What is the penalty for exposing a card?": [SHOWING],
    "What is an exposed card?": [EXPOSED],
    "What is the penalty for leading out of turn?": [LEADING],
}


@pytest.mark.parametrize("told", ASKED)
def test_what_everybody_asks_is_answered_by_the_law_that_decides_it(
    conn: sqlite3.Connection, index: Index, told: str
) -> None:
    read, _ = put_right(index, told, domain(conn).terms)
    for (_, found), laws in zip(hear(index, read).heard, ASKED[told], strict=True):
        assert not found.undecided
        for law in laws:
            stem, _, numbers = law.rpartition("-")
            assert found.of(law.partition("/")[0])[0].id in {f"{stem}-{number}" for number in numbers.split("|")}


def test_every_principal_question_is_reached_by_the_words_of_its_kind(conn: sqlite3.Connection, index: Index) -> None:
    """`asking` and the names of the topics reach all that topics.toml names."""
    names = dict(conn.execute("select t.id, c.label from topic t join concept c on c.id = t.concept_id").fetchall())
    words = dict(conn.execute("select kind, words from asking order by rowid desc").fetchall())
    missed = [
        (topic, kind)
        for topic, questions in index.principals.items()
        for kind, facets in questions.items()
        if principal(index, f"{words[kind]} {names[topic]}?") != facets
    ]
    assert missed == []


@pytest.mark.parametrize(
    "told",
    [
        "The dealer showed one of my cards while dealing. Must he deal again?",
        "What is the penalty for revoking twice?",
        "My partner revoked and then mixed the tricks. What is the penalty?",
        "What is the penalty if dummy revokes?",
        "",
    ],
)
def test_particular_facts_ask_no_principal_question(index: Index, told: str) -> None:
    assert principal(index, told) == ()


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        (("B trumped, then found a heart: what is the penalty?",), "penalty"),
        (("B trumped, then found a heart: until when can we claim it?",), "until"),
        ((BOTH, "What is the penalty for a revoke?"), "penalty"),
        ((BOTH, "Until when can we claim it?"), "until"),
    ],
)
def test_what_tells_of_a_topic_without_its_name_names_it_and_each_thing_asked_has_its_own_kind(
    index: Index, told: tuple[str, ...], kind: str
) -> None:
    assert principal(index, *told) == index.principals["revoke"][kind]


def test_a_question_in_its_own_words_is_that_question(index: Index) -> None:
    general = {facets for questions in index.principals.values() for facets in questions.values()}
    for facet, label in index.labels.items():
        found = principal(index, label)
        assert facet in found or found in general, label
    assert principal(index, "Fourth hand played before second.")


@pytest.mark.parametrize("told", ["Will it rain on Saturday?", "How does the knight move in chess?", "hello"])
def test_what_has_too_little_of_the_game_is_not_ruled_on(index: Index, told: str) -> None:
    assert hear(index, told).findings == ()


def test_words_that_are_none_are_read_as_those_of_the_books(conn: sqlite3.Connection, index: Index) -> None:
    known = replace(index, everyday={"buddi": "partner", "rag": "small card"})
    for told, read, changed in (
        ("A penelty for a revoak", "A penalty for a revoke", {"penelty": "penalty", "revoak": "revoke"}),
        ("My Buddy's rags", "My partner's small card", {"Buddy": "partner", "rags": "small card"}),
        ("He trumped my ace in Norway", "He trumped my ace in Norway", {}),
        ("the password of my landlord", "the password of my landlord", {}),
    ):
        assert put_right(known if changed else index, told, domain(conn).terms) == (read, changed)


def test_a_question_of_a_form_of_the_game_by_itself_is_meant_only_where_that_is_named(index: Index) -> None:
    told = "My partner claimed the rest of the tricks and showed his hand"
    assert not any("/dummy-" in f.id or "/art-b" in f.id for f in hear(index, told, limit=3).findings)
    dummy = hear(index, "What if dummy revokes?", codes=["english-1864"]).findings
    assert dummy[0].id == "english-1864/dummy-2"
