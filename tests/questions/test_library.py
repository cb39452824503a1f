"""The library as an object, and the JSON lines of `whist ask`, on the shipped knowledge base."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
from terminal import whist

from extract.errors import DatabaseError, QueryError, UnknownIdError
from kb import Library, open_library

PENALTY = "What is the penalty for a revoke?"
ON_PURPOSE = "May a player revoke on purpose?"


@pytest.fixture(scope="module")
def opened(library: Path) -> Iterator[Library]:
    with open_library(library) as opened:
        yield opened


def test_importing_it_costs_little() -> None:
    costly = {"click", "datasette", "numpy", "pydantic", "rapidfuzz", "spacy", "sqlite3"}
    code = "import sys, kb; print(*(name for name in sys.modules if '.' not in name))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not costly & {*done.stdout.split()}


def test_a_question_has_the_answers_of_all_codes_or_of_those_asked(opened: Library) -> None:
    (question, *_), one = (match.question for match in opened.ask(PENALTY).matches), opened.ask(PENALTY, code="1864")
    assert (question.id, [*question.answers]) == ("revoke/penalty", [*opened.years])
    answers = one.matches[0].question.answers
    assert [*answers] == ["english-1864"] and answers["english-1864"].laws[0].pinpoint == "law 72 (i)"
    two = opened.ask(PENALTY, code=["american-1893", "1864"]).matches[0].question.answers
    assert {*two} == {"english-1864", "american-1893"}
    with pytest.raises(QueryError, match=r"^There is no code '9'; the codes are arnaud-1829, .*, american-1894\.$"):
        opened.ask(PENALTY, code="9")
    with pytest.raises(FrozenInstanceError):
        one.told = "nothing"  # type: ignore[misc]


def test_a_law_is_cited_in_any_form_and_has_its_counterparts(opened: Library) -> None:
    law = opened.law("1864 law 72")
    assert (law.id, law.text[:15]) == ("english-1864/law-72", "72. The penalty")
    assert "law 72, reprinted in" in law.citation
    assert {row.other for row in law.related} >= {"american-1893/law-30"}
    assert opened.law("/english-1864/law-72/").unit == law.unit


@pytest.mark.parametrize(
    ("cited", "message"),
    [
        ("1864 law 99", "There is no law 99 there. There are english-1864/law-1 to english-1864/law-91."),
        ("1864 law 72 (ix)", "There is no provision '1864 law 72 (ix)'; did you mean english-1864/law-72?"),
        ("1870 law 3", "There is no code or book of 1870 in this library."),
        ("english-1864/law-7x", "There is no provision 'english-1864/law-7x'; did you mean english-1864/law-7"),
        ("???", "There is no provision '???'; `whist search` finds provisions by their words."),
    ],
)
def test_what_is_not_there_is_told_with_the_nearest(opened: Library, cited: str, message: str) -> None:
    with pytest.raises(UnknownIdError) as error:
        opened.law(cited)
    assert str(error.value).startswith(message)


def test_a_topic_has_its_questions_with_their_answers(opened: Library) -> None:
    compared = opened.compare("revoke")
    assert compared.topic.label == "The revoke"
    assert {question.id for question in compared.questions} >= {"revoke/penalty", "choice-of-penalty/consult-revoke"}
    with pytest.raises(UnknownIdError, match="There is no topic 'bezique'; the topics are: "):
        opened.compare("bezique")


def test_it_can_be_closed_and_a_missing_file_is_told(library: Path, tmp_path: Path) -> None:
    opened = open_library(str(library))
    opened.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened.law("1864 law 72")
    with pytest.raises(DatabaseError, match="There is no knowledge base at"):
        open_library(tmp_path / "none.db")


# JSON lines.


def answers(library: Path, *asked: dict[str, Any]) -> list[dict[str, Any]]:
    said = "\n\n".join(map(json.dumps, asked))
    return [json.loads(line) for line in whist("ask", "--jsonl", "--db", library, said=said).output.splitlines()]


def test_json_line_has_the_questions_the_provisions_and_whether_they_decide(library: Path) -> None:
    first, silent, other = answers(
        library,
        {"qid": 7, "query": PENALTY, "codes": ["1893", "english-1864"]},
        {"qid": ["x"], "query": ON_PURPOSE, "codes": ["deschapelles-1839"]},
        {"qid": None, "query": "will it rain tomorrow"},
    )
    assert [given.keys() for given in (first, silent, other)] == [{"qid", "questions", "results", "decided"}] * 3
    assert [(given["qid"], given["decided"]) for given in (first, silent, other)] == [
        (7, True), (["x"], False), (None, False),
    ]  # fmt: skip
    question = first["questions"][0]
    assert [*question] == ["id", "label", "score", "part", "answers"] and question["id"] == "revoke/penalty"
    assert question["answers"].keys() == {"english-1864", "american-1893"}
    assert [result["id"] for result in first["results"][:2]] == ["english-1864/law-72/i", "american-1893/law-30"]
    cited = [i for q in first["questions"] for answer in q["answers"].values() for i in answer["cites"]]
    assert [result["id"] for result in first["results"]] == [*dict.fromkeys(cited)]
    assert all(result.keys() == {"id", "score"} for result in first["results"])
    assert silent["questions"][0]["answers"]["deschapelles-1839"] == {"state": "silent", "summary": "", "cites": []}
    assert other["questions"] == other["results"] == []


def test_questions_of_a_text_that_asks_several_have_their_parts(library: Path) -> None:
    (given,) = answers(library, {"qid": 1, "query": f"{PENALTY} And until when may a revoke be claimed?"})
    first = {question["part"]: question["id"] for question in reversed(given["questions"])}
    assert first == {0: "revoke/penalty", 1: "revoke/claim-until"}
    assert max(sum(q["part"] == part for q in given["questions"]) for part in (0, 1)) <= 5


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "Line 2 of standard input is not JSON; write one object per line."),
        ("[" * 100_000, "Line 2 of standard input is not JSON; write one object per line."),
        ('["revoke"]', 'Line 2 of standard input lacks "qid" or "query"; write both.'),
        ('{"query": "revoke"}', 'Line 2 of standard input lacks "qid" or "query"; write both.'),
        ('{"qid": 1, "query": 2}', 'Line 2 of standard input lacks "qid" or "query"; write both.'),
        ('{"qid": 1, "query": "a", "codes": "1864"}', 'Line 2 of standard input: "codes" is not a list of names;'),
        ('{"qid": 1, "query": "a", "codes": ["9"]}', "There is no code '9'; the codes are arnaud-1829, "),
    ],
)
def test_wrong_line_is_told_in_one_sentence(library: Path, line: str, message: str) -> None:
    result = whist("ask", "--jsonl", "--db", library, said='{"qid": 1, "query": "revoke"}\n' + line)
    assert result.output.count("\n") == 1 and str(result.exception).startswith(message)


# The command.


def test_each_question_of_a_text_is_answered_once(library: Path) -> None:
    text = "He led out of turn. What is the penalty for leading out of turn? Who decides the penalty for leading?"
    lines = whist("ask", text, "--code", "1893", "--db", library).output.splitlines()
    named = [line for line in lines if line.endswith(")") and not line.startswith(" ")]
    assert len(named) == len({*named}) > 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("will it rain tomorrow", "This does not seem to be about whist.\n"),
        ("who invented whist", "None of the codes seems to rule on this.\n"),
        ("...", "No question of the library matches this; `whist search` finds passages by their words.\n"),
    ],
)
def test_tells_why_a_text_has_no_questions(library: Path, words: str, told: str) -> None:
    assert whist("ask", words, "--db", library).output == told


@pytest.mark.parametrize("text", ["\x00", "?" * 3000, "revoke " * 5000, "a? " * 500, "-- \"*' OR NEAR("])
def test_no_text_raises_an_error(library: Path, text: str) -> None:
    assert whist("ask", "--db", library, "--", text).exit_code == 0
