"""What our own pages give as examples is answered rightly."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.dispute.settlement import settle
from kb.read.domain import domain
from kb.read.store import open_store

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


def test_the_examples_of_the_pages_are_decided_by_the_right_laws(library: Path) -> None:
    with open_store(library) as conn:
        examples = domain(conn).examples.dispute
        assert set(examples) == set(DECIDED)
        for told in examples:
            (issue,) = settle(conn, told).heard
            assert {o.code: o.decided for o in issue.opinions} == dict.fromkeys(DECIDED[told], True)
            wrong = [
                o.findings[0].id
                for o in issue.opinions
                if o.findings[0].id.partition("/")[2] not in DECIDED[told][o.code].split("|")
            ]
            assert wrong == []


@pytest.mark.parametrize(
    "told", ["My partner opened two clubs and I bid hearts. Is he barred?", "May I take back a move in draughts?"]
)
def test_another_game_is_not_ruled_on(library: Path, told: str) -> None:
    with open_store(library) as conn:
        assert not any(issue.opinions for issue in settle(conn, told).heard)


def test_each_answer_to_a_fact_that_is_asked_back_leads_to_its_law(library: Path) -> None:
    """Whatever telling asks a fact, in each code the law of the answer stands first, or the code is silent on it."""
    with open_store(library) as conn:
        asked = set()
        for told in ("B trumped, then found a heart. What is the penalty?", "A card fell. Must he play it?",
                     "I asked what trumps were", "Fourth hand played before second", "Who pays for new cards?",
                     "He revoked but the cards are mixed", "May we consult about the penalty?"):  # fmt: skip
            (issue,) = settle(conn, told).heard
            assert issue.depends, told
            asked.add(issue.depends.fact)
            for branch in issue.depends.branches:
                (heard,) = settle(conn, told, facet=branch.question.id).heard
                for opinion in heard.opinions:
                    cites = branch.question.answers[opinion.code].cites
                    best = opinion.findings[0].id if opinion.decided else ""
                    assert opinion.decided == bool(cites), (told, branch.words, opinion.code)
                    assert not cites or any(f"{unit_id}/".startswith(f"{best}/") for unit_id in cites)
        assert len(asked) == 7


def test_every_case_that_turned_on_a_question_has_an_outcome_under_every_code(library: Path) -> None:
    with open_store(library) as conn:
        cases, questions, outcomes = (
            conn.execute(f"select count(distinct unit_id) from {table}").fetchone()[0]
            for table in ("digest", "case_question", "case_outcome")
        )
        (codes,) = conn.execute("select count(*) from code").fetchone()
        (told,) = conn.execute("select count(*) from case_outcome").fetchone()
    assert questions == outcomes >= 165 and cases == 179 and told == outcomes * codes
