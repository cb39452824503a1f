"""Disputes: from what happened to the provision that decides it, though they have no word in common."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from datasette_plugins.command import cli
from kb.dispute.adjudication import KINDS, Adjudication, adjudicate
from kb.dispute.distinction import distinctions
from kb.dispute.hearing import hear, put_right
from kb.dispute.index import Index, load_index
from kb.dispute.principal import principal
from kb.dispute.settlement import settle
from kb.read.domain import domain
from kb.read.store import open_store


@pytest.fixture(scope="module")
def conn(library: Path) -> Iterator[sqlite3.Connection]:
    with open_store(library) as found:
        yield found


@pytest.fixture(scope="module")
def index(library: Path) -> Index:
    """It needs no connection any more."""
    with open_store(library) as found:
        index = load_index(found)
    with pytest.raises(sqlite3.ProgrammingError):
        found.execute("select 1")
    return index


def first(found: Adjudication, code: str) -> list[str]:
    return [finding.id.partition("/")[2] for finding in found.of(code)[:3]]


def test_everyday_words_find_the_law_of_each_code(index: Index) -> None:
    found = adjudicate(index, "They did not follow suit though they could: how many tricks or points do they lose?")
    for code, laws in {
        "arnaud-1829": {"law-21"},
        "deschapelles-1839": {"art-93", "art-94"},
        "english-1864": {"law-72"},
        "american-1893": {"law-30"},
    }.items():
        assert laws & set(first(found, code))


def test_a_word_that_a_story_repeats_counts_twice_at_most(index: Index) -> None:
    once, often = (adjudicate(index, f"the dealer {'revoked ' * n}") for n in (3, 9))  # three words are two pairs
    assert once.findings == often.findings


def test_each_issue_is_heard_by_itself_and_all_findings_are_told_once(index: Index) -> None:
    told = "B did not follow suit though he could: what does it cost, and until when may it be claimed?"
    hearing = hear(index, told)
    cost, time = (found for _, found in hearing.heard)
    assert "law-72" in first(cost, "english-1864") and "law-78" in first(time, "english-1864")
    ids = [finding.id for finding in hearing.findings]
    assert len(set(ids)) == len(ids) and {"english-1864/law-72", "english-1864/law-78"} <= set(ids)
    assert [f.score for f in hearing.findings] == sorted((f.score for f in hearing.findings), reverse=True)
    assert "revoke" in hearing.topics


def test_two_prints_of_one_answer_are_not_told_apart(index: Index) -> None:
    one, other = "american-1893", "american-1894"
    for question in index.labels.values():
        found = adjudicate(index, question, limit=1)
        firsts = {f.code: f.facets[:1] for f in found.findings}
        facet = firsts.get(other)
        if facet and firsts.get(one) == facet and index.twins.get(facet[0], {}).get(other) == one:
            assert (one in found.undecided) == (other in found.undecided)


def test_findings_are_of_the_codes_and_kinds_asked_for_best_first_and_each_says_why_it_is_there(index: Index) -> None:
    found = adjudicate(index, "may a looker-on speak?", codes=["english-1864"], kinds=["etiquette"], limit=2)
    assert [(f.code, "/etiquette-" in f.id) for f in found.findings] == [("english-1864", True)] * 2
    assert found.findings[0].score >= found.findings[1].score
    for finding in adjudicate(index, "the dealer looked at the trump card too soon").findings:
        assert finding.why and {kind for kind, _ in finding.why} <= set(KINDS)
        assert sum(share for _, share in finding.why) == pytest.approx(1, abs=0.05)


def test_a_code_that_says_nothing_is_told_so_and_one_that_decides_is_not(index: Index) -> None:
    undecided = adjudicate(index, "How does a player call honours, and at what score?").undecided
    assert "american-1893" in undecided and not {"arnaud-1829", "deschapelles-1839"} & set(undecided)


def test_a_case_does_not_speak_where_it_is_left_out(index: Index) -> None:
    case = "drayson-1896/case-93"
    facts = "A is told to lead a club, looks through his hand, says he has none and leads a diamond, then finds a club"
    assert case in dict(adjudicate(index, facts).cases)
    assert case not in dict(adjudicate(index, facts, exclude=[f"{case}/decision"]).cases)


@pytest.mark.parametrize("question", ["", "?", "the of and", "x" * 5000, "ſ\u0000\ud7ff", "(*\"' OR NEAR"])
def test_no_question_is_an_error(index: Index, question: str) -> None:
    assert isinstance(adjudicate(index, question), Adjudication)


# The command


def dispute(library: Path, *words: str, said: str = "") -> Result:
    return CliRunner().invoke(cli, ["dispute", *words, "--db", str(library)], input=said)


def test_the_command_answers_a_line_for_each_line(library: Path) -> None:
    asked = [
        {"qid": "1", "query": "cards thrown down by all four", "codes": ["english-1864"], "kinds": ["law"]},
        {"qid": "2", "query": "what do four honours count?", "codes": ["american-1894"]},
    ]
    said = dispute(library, "--jsonl", said="\n".join(map(json.dumps, asked)) + "\n\n")
    one, other = map(json.loads, said.output.splitlines())
    assert (one["qid"], one["results"][0]["id"]) == ("1", "english-1864/law-59")
    assert "decided" not in one and other["decided"] is False


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
    said = dispute(library, "--jsonl", said=line)
    assert said.exit_code != 0 and told in str(said.exception)


def test_the_command_tells_a_reader_what_decides(library: Path) -> None:
    words = ["who", "pays", "when", "marked", "cards", "are", "replaced"]
    said = dispute(library, *words, "--code", "english-1864").output
    assert "law 90" in said and "English" in said


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
     "May we consult about the penalty?", "Wrong person dealt. Do we throw it in?", "Two of us drew the same card"],
)  # fmt: skip
def test_each_answer_to_a_fact_that_is_asked_back_leads_to_its_law(conn: sqlite3.Connection, told: str) -> None:
    """Whatever telling asks a fact, in each code the law of the answer stands first, or the code is silent on it."""
    (issue,) = settle(conn, told).heard
    assert issue.depends
    for branch in issue.depends.branches:
        (heard,) = settle(conn, told, fact=branch.answer.name).heard
        assert heard.depends and heard.depends.chosen and heard.depends.chosen.answer == branch.answer
        for opinion in heard.opinions:
            cites = branch.question.answers[opinion.code].cites
            best = opinion.findings[0].id if opinion.decided else ""
            assert opinion.decided == bool(cites), (branch.answer.words, opinion.code)
            assert not cites or any(f"{unit_id}/".startswith(f"{best}/") for unit_id in cites)


def test_a_fact_is_told_by_words_as_they_stand(conn: sqlite3.Connection) -> None:
    for told, asked in (("It was not his turn to deal.", True), ("He dealt out of turn, the trump is turned.", False)):
        (issue,) = settle(conn, told).heard
        assert bool(issue.depends and "when it was noticed" in issue.depends.fact) == asked, told


def test_a_fact_that_stands_twice_is_told_by_the_same_words(conn: sqlite3.Connection) -> None:
    one, other = (d for d in distinctions(conn) if d.fact == "Had the cards been cut for the next deal?")
    assert one.told_by == other.told_by != () and one.answers != other.answers


def test_the_facts_told_last_count(index: Index) -> None:
    told = "He dealt me fourteen cards. What now? Next hand my partner asked to see the last trick. May he?"
    (_, wrong), (issue, seen) = hear(index, told).heard
    alone = adjudicate(index, issue.put, stressed=issue.asked)
    assert first(wrong, "english-1864")[0] == "law-44" and first(seen, "english-1864")[0] == "law-91"
    assert first(alone, "english-1864")[0] != "law-91"


def test_every_case_that_turned_on_a_question_has_an_outcome_under_every_code(conn: sqlite3.Connection) -> None:
    asked = """select (select count(*) from digest), (select count(distinct unit_id) from case_question),
        count(distinct unit_id), count(*) / (select count(*) from code) from case_outcome"""
    cases, questions, outcomes, told = conn.execute(asked).fetchone()
    assert cases == 179 and questions == outcomes == told >= 165


# What is asked of the facts, told apart where more than one thing is.
