"""Disputes: from what happened to the provision that decides it, though they have no word in common."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from terminal import whist

from kb.dispute.adjudication import KINDS, Adjudication, adjudicate
from kb.dispute.hearing import hear, put_right
from kb.dispute.index import Index, load_index
from kb.dispute.principal import principal
from kb.dispute.settlement import settle
from kb.read.domain import domain
from kb.read.store import open_store


@pytest.fixture(scope="module")
def index(shipped: sqlite3.Connection) -> Index:
    return load_index(shipped)


def test_a_word_that_a_story_repeats_counts_twice_at_most(index: Index) -> None:
    once, often = (adjudicate(index, f"the dealer {'revoked ' * n}") for n in (3, 9))  # three words are two pairs
    assert once.findings == often.findings


def test_findings_are_of_the_codes_and_kinds_asked_for_best_first_and_each_says_why_it_is_there(index: Index) -> None:
    found = adjudicate(index, "may a looker-on speak?", codes=["english-1864"], kinds=["etiquette"], limit=2)
    assert [(f.code, "/etiquette-" in f.id) for f in found.findings] == [("english-1864", True)] * 2
    assert found.findings[0].score >= found.findings[1].score
    for finding in adjudicate(index, "the dealer looked at the trump card too soon").findings:
        assert finding.why and {kind for kind, _ in finding.why} <= set(KINDS)
        assert sum(share for _, share in finding.why) == pytest.approx(1, abs=0.05)


def test_a_case_does_not_speak_where_it_is_left_out(index: Index) -> None:
    case = "drayson-1896/case-93"
    facts = "A is told to lead a club, looks through his hand, says he has none and leads a diamond, then finds a club"
    assert case in dict(adjudicate(index, facts).cases)
    assert case not in dict(adjudicate(index, facts, exclude=[f"{case}/decision"]).cases)


@pytest.mark.parametrize("question", ["", "x" * 5000, "ſ\u0000\ud7ff", "(*\"' OR NEAR"])
def test_no_question_is_an_error(index: Index, question: str) -> None:
    assert isinstance(adjudicate(index, question), Adjudication)


# The command


def test_the_command_answers_a_line_for_each_line(library: Path) -> None:
    asked = [
        {"qid": "1", "query": "cards thrown down by all four", "codes": ["english-1864"], "kinds": ["law"]},
        {"qid": "2", "query": "what do four honours count?", "codes": ["american-1894"]},
        {"qid": "3", "query": "He did not follow suit: what does it cost, and until when may it be claimed?"},
    ]
    said = whist("dispute", "--jsonl", "--db", library, said="\n".join(map(json.dumps, asked)) + "\n\n")
    one, other, both = map(json.loads, said.output.splitlines())
    assert (one["qid"], one["results"][0]["id"]) == ("1", "english-1864/law-59")
    assert "decided" not in one and other["decided"] is False
    assert [r["score"] for r in both["results"]] == sorted((r["score"] for r in both["results"]), reverse=True)
    ids = [r["id"] for r in both["results"]]
    assert len(ids) == len(set(ids))
    assert {"english-1864/law-72", "english-1864/law-78"} <= set(ids)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "Line 1 of standard input is not JSON"),
        ("[1]", 'lacks "qid" or "query"'),
        ('{"qid": 1, "query": "x", "codes": "english-1864"}', '"codes" is not a list of names'),
        ('{"qid": 1, "query": "x", "codes": ["french-1700"]}', "There is no code 'french-1700'"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_a_line_that_cannot_be_answered_is_told_in_a_sentence(library: Path, line: str, told: str) -> None:
    said = whist("dispute", "--jsonl", "--db", library, said=line)
    assert said.exit_code != 0 and told in str(said.exception)


def test_a_knowledge_base_without_answers_can_be_asked(unaided_library: Path) -> None:
    with open_store(unaided_library) as conn:
        assert adjudicate(load_index(conn), "the penalty for a revoke").findings


# A question in general words is a principal question of its topic, unless it tells particular facts.


REVOKE = ["arnaud-1829/law-21", "deschapelles-1839/art-93|94", "english-1864/law-72", "american-1893/law-30"]
CLAIM = ["arnaud-1829/law-23", "deschapelles-1839/art-97|101|108", "english-1864/law-78", "american-1893/law-33"]
MISDEAL = ["arnaud-1829/law-1", "deschapelles-1839/art-26|27|31|35", "english-1864/law-43", "american-1893/law-17"]
EXPOSED = ["arnaud-1829/law-14", "deschapelles-1839/art-73|74", "english-1864/law-56", "american-1893/law-20"]
SHOWING = ["arnaud-1829/law-14", "deschapelles-1839/art-75", "english-1864/law-56", "american-1893/law-20|21"]
LEADING = ["arnaud-1829/law-17", "deschapelles-1839/art-82", "english-1864/law-62", "american-1893/law-24"]
BOTH = "What is the penalty for a revoke? Until when can we claim it?"
ASKED = {
    "whats the penelty for a revoak": [REVOKE],
    "what's the fine for not following suit": [REVOKE],
    "What is the penalty for a revoke, and until when can we claim it?": [REVOKE, CLAIM],
    "What is the penalty for a misdeal?": [MISDEAL],
    "What is the penalty for exposing a card?": [SHOWING],
    "What is an exposed card?": [EXPOSED],
    "What is the penalty for leading out of turn?": [LEADING],
}


@pytest.mark.parametrize("told", ASKED)
def test_what_everybody_asks_is_answered_by_the_law_that_decides_it(
    shipped: sqlite3.Connection, index: Index, told: str
) -> None:
    read, _ = put_right(index, told, domain(shipped).terms)
    for (_, found), laws in zip(hear(index, read).heard, ASKED[told], strict=True):
        assert not found.undecided
        for law in laws:
            stem, _, numbers = law.rpartition("-")
            assert found.of(law.partition("/")[0])[0].id in {f"{stem}-{number}" for number in numbers.split("|")}


def test_every_principal_question_is_reached_by_the_words_of_its_kind(
    shipped: sqlite3.Connection, index: Index
) -> None:
    """`asking` and the names of the topics reach all that topics.toml names."""
    names = dict(shipped.execute("select t.id, c.label from topic t join concept c on c.id = t.concept_id").fetchall())
    words = dict(shipped.execute("select kind, words from asking order by rowid desc").fetchall())
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


def test_words_that_are_none_are_read_as_those_of_the_books(shipped: sqlite3.Connection, index: Index) -> None:
    known = replace(index, everyday={"buddi": "partner", "rag": "small card"})
    for told, read, changed in (
        ("A penelty for a revoak", "A penalty for a revoke", {"penelty": "penalty", "revoak": "revoke"}),
        ("My Buddy's rags", "My partner's small card", {"Buddy": "partner", "rags": "small card"}),
        ("He trumped my ace in Norway", "He trumped my ace in Norway", {}),
        ("the password of my landlord", "the password of my landlord", {}),
    ):
        assert put_right(known if changed else index, told, domain(shipped).terms) == (read, changed)


def test_a_question_of_a_form_of_the_game_by_itself_is_meant_only_where_that_is_named(index: Index) -> None:
    told = "My partner claimed the rest of the tricks and showed his hand"
    assert not any("/dummy-" in f.id or "/art-b" in f.id for f in hear(index, told, limit=3).findings)
    dummy = hear(index, "What if dummy revokes?", codes=["english-1864"]).findings
    assert dummy[0].id == "english-1864/dummy-2"


# What our own pages give as examples is answered rightly.


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


def test_the_examples_of_the_pages_are_decided_by_the_right_laws(shipped: sqlite3.Connection) -> None:
    examples = domain(shipped).examples.dispute
    assert set(examples) == set(DECIDED)
    for told in examples:
        (issue,) = settle(shipped, told).heard
        assert {o.code: o.decided for o in issue.opinions} == dict.fromkeys(DECIDED[told], True)
        for o in issue.opinions:
            assert o.findings[0].id.partition("/")[2] in DECIDED[told][o.code].split("|")


@pytest.mark.parametrize(
    "told",
    [
        "B trumped, then found a heart. What is the penalty?",
        "A card fell. Must he play it?",
        "He revoked but the cards are mixed",
        "Wrong person dealt. Do we throw it in?",
    ],
)
def test_each_answer_to_a_fact_that_is_asked_back_leads_to_its_law(shipped: sqlite3.Connection, told: str) -> None:
    """Whatever telling asks a fact, in each code the law of the answer stands first, or the code is silent on it."""
    (issue,) = settle(shipped, told).heard
    assert issue.depends
    for branch in issue.depends.branches:
        (heard,) = settle(shipped, told, fact=branch.answer.name).heard
        assert heard.depends and heard.depends.chosen and heard.depends.chosen.answer == branch.answer
        for opinion in heard.opinions:
            cites = branch.question.answers[opinion.code].cites
            best = opinion.findings[0].id if opinion.decided else ""
            assert opinion.decided == bool(cites), (branch.answer.words, opinion.code)
            assert not cites or any(f"{unit_id}/".startswith(f"{best}/") for unit_id in cites)


def test_a_fact_is_told_by_words_as_they_stand(shipped: sqlite3.Connection) -> None:
    for told, asked in (("It was not his turn to deal.", True), ("He dealt out of turn, the trump is turned.", False)):
        (issue,) = settle(shipped, told).heard
        assert bool(issue.depends and "when it was noticed" in issue.depends.fact) == asked, told


def test_the_facts_told_last_count(index: Index) -> None:
    told = "He dealt me fourteen cards. What now? Next hand my partner asked to see the last trick. May he?"
    (_, wrong), (_, seen) = hear(index, told).heard
    assert wrong.of("english-1864")[0].id == "english-1864/law-44"
    assert seen.of("english-1864")[0].id == "english-1864/law-91"


def test_every_case_that_turned_on_a_question_has_an_outcome_under_every_code(shipped: sqlite3.Connection) -> None:
    asked = """select (select count(*) from digest), (select count(distinct unit_id) from case_question),
        count(distinct unit_id), count(*) / (select count(*) from code) from case_outcome"""
    cases, questions, outcomes, told = shipped.execute(asked).fetchone()
    assert cases == 179 and questions == outcomes == told >= 165


# What is asked of the facts, told apart where more than one thing is.
