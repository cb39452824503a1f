"""What our own pages give as examples is answered rightly."""

from __future__ import annotations

import sqlite3

import pytest

from kb.dispute.settlement import settle
from kb.read.domain import domain

DECIDED = {
    "The dealer showed one of my cards while dealing. Must he deal again?": {
        "arnaud-1829": "law-2", "deschapelles-1839": "art-32", "english-1864": "law-38", "american-1893": "law-15",
        "american-1894": "law-15",
    },
    "I led when it was my partner’s turn. What can the other side demand?": {
        "arnaud-1829": "law-17", "deschapelles-1839": "art-82", "english-1864": "law-62|law-63",
        "american-1893": "law-24", "american-1894": "law-24",
    },
    "Fourth hand played before second.": {
        "arnaud-1829": "law-19", "deschapelles-1839": "art-84", "english-1864": "law-68", "american-1893": "law-26",
        "american-1894": "law-26",
    },
}  # fmt: skip


def test_the_examples_of_the_pages_are_decided_by_the_right_laws(conn: sqlite3.Connection) -> None:
    examples = domain(conn).examples.dispute
    assert set(examples) == set(DECIDED)
    for told in examples:
        (issue,) = settle(conn, told).heard
        assert {o.code: o.decided for o in issue.opinions} == dict.fromkeys(DECIDED[told], True)
        for o in issue.opinions:
            assert o.findings[0].id.partition("/")[2] in DECIDED[told][o.code].split("|")


@pytest.mark.parametrize(
    "told", ["My partner opened two clubs and I bid hearts. Is he barred?", "May I take back a move in draughts?"]
)
def test_another_game_is_not_ruled_on(conn: sqlite3.Connection, told: str) -> None:
    assert not any(issue.opinions for issue in settle(conn, told).heard)


@pytest.mark.parametrize(
    "told",
    ["B trumped, then found a heart. What is the penalty?", "A card fell. Must he play it?", "I asked what trumps were",
     "Fourth hand played before second", "Who pays for new cards?", "He revoked but the cards are mixed",
     "May we consult about the penalty?"],
)  # fmt: skip
def test_each_answer_to_a_fact_that_is_asked_back_leads_to_its_law(conn: sqlite3.Connection, told: str) -> None:
    """Whatever telling asks a fact, in each code the law of the answer stands first, or the code is silent on it."""
    (issue,) = settle(conn, told).heard
    assert issue.depends
    for branch in issue.depends.branches:
        (heard,) = settle(conn, told, facet=branch.question.id).heard
        for opinion in heard.opinions:
            cites = branch.question.answers[opinion.code].cites
            best = opinion.findings[0].id if opinion.decided else ""
            assert opinion.decided == bool(cites), (branch.words, opinion.code)
            assert not cites or any(f"{unit_id}/".startswith(f"{best}/") for unit_id in cites)


def test_every_case_that_turned_on_a_question_has_an_outcome_under_every_code(conn: sqlite3.Connection) -> None:
    asked = """select (select count(*) from digest), (select count(distinct unit_id) from case_question),
        count(distinct unit_id), count(*) / (select count(*) from code) from case_outcome"""
    cases, questions, outcomes, told = conn.execute(asked).fetchone()
    assert cases == 179 and questions == outcomes == told >= 165
