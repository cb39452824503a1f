"""Disputes: from what happened to the provision that decides it, though they have no word in common."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from datasette_plugins.command import cli
from kb.dispute.adjudication import KINDS, Adjudication, adjudicate
from kb.dispute.hearing import hear
from kb.dispute.index import Index, load_index
from kb.read.store import open_store


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
    once, often = (adjudicate(index, f"the dealer {'revoked ' * n}") for n in (2, 9))
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
    undecided = adjudicate(index, "At what score may the partner who holds two honours call them?").undecided
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
        ("[1]", 'lacks its "qid" or its "query"'),
        ('{"qid": 1, "query": "x", "codes": "english-1864"}', '"codes" is no list of names'),
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
