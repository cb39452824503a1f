"""`whist ask` on the terminal: questions with their answers in lines, as JSON, and one JSON line for each asked."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from terminal import refusal, whist

PENALTY = "What is the penalty for a revoke?"


def test_prints_the_likeliest_questions_and_the_answers_to_the_first(library: Path) -> None:
    lines = whist("ask", PENALTY, "--db", library).output.splitlines()
    assert lines[0] == f"{PENALTY}  (revoke/penalty)"
    assert [line[:6] for line in lines[1:6]] == [f"  {year}" for year in (1829, 1839, 1864, 1893, 1894)]
    assert "  1864  law 72 (i): Three tricks taken, or three points deducted or added, as the adversaries" in lines[3]
    others = [line for line in lines[6:] if line]
    assert len(others) == 2 and all(line.endswith(")") and not line.startswith(" ") for line in others)


@pytest.mark.parametrize("code", ["1839", "deschapelles-1839"])
def test_answers_of_one_code_by_year_or_id_with_what_comes_nearest(library: Path, code: str) -> None:
    output = whist("ask", "May a player revoke on purpose?", "--code", code, "--db", library).output
    assert "(revoke/on-purpose)\n  1839  no rule; see “Commentary on Article 97”: the author's comment" in output
    assert output.count("\n  18") == 1


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
        ("penelty for a revoke", "'penelty' was read as 'penalty'.\n\nWhat is the penalty for a revoke?"),
    ],
)
def test_tells_how_a_text_was_read(library: Path, words: str, told: str) -> None:
    output = whist("ask", *words.split(), "--db", library).output
    assert output.startswith(told) and (output == told or "revoke/penalty" in output)


def test_json_has_the_questions_with_their_answers(library: Path) -> None:
    given = json.loads(whist("ask", "penelty for a revoke", "--code", "1864", "--json", "--db", library).output)
    assert given.keys() == {"query", "corrected", "told", "questions"}
    assert (given["query"], given["corrected"], given["told"]) == ("penelty for a revoke", {"penelty": "penalty"}, "")
    assert_question(given["questions"][0], "revoke/penalty", {"english-1864"})


def assert_question(given: dict[str, Any], question: str, codes: set[str]) -> None:
    """Require that a question has the documented keys, and the answers of these codes."""
    assert given.keys() == {"id", "label", "score", "part", "answers"} and given["id"] == question
    assert given["answers"].keys() == codes
    assert all(answer.keys() == {"state", "summary", "cites"} for answer in given["answers"].values())


# JSON lines.


def answers(library: Path, *asked: dict[str, Any]) -> list[dict[str, Any]]:
    said = "\n\n".join(map(json.dumps, asked))
    return [json.loads(line) for line in whist("ask", "--jsonl", "--db", library, said=said).output.splitlines()]


def test_json_line_has_the_questions_the_provisions_and_whether_they_decide(library: Path) -> None:
    first, silent, other = answers(
        library,
        {"qid": 7, "query": PENALTY, "codes": ["1893", "english-1864"]},
        {"qid": ["x"], "query": "May a player revoke on purpose?", "codes": ["deschapelles-1839"]},
        {"qid": None, "query": "will it rain tomorrow"},
    )
    assert [given.keys() for given in (first, silent, other)] == [{"qid", "questions", "results", "decided"}] * 3
    assert [given["qid"] for given in (first, silent, other)] == [7, ["x"], None]
    assert [given["decided"] for given in (first, silent, other)] == [True, False, False]
    assert_question(first["questions"][0], "revoke/penalty", {"english-1864", "american-1893"})
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
        ('{"qid": 1}', 'Line 2 of standard input lacks "qid" or "query"; write both.'),
        ('{"query": "revoke"}', 'Line 2 of standard input lacks "qid" or "query"; write both.'),
        ('{"qid": 1, "query": 2}', 'Line 2 of standard input lacks "qid" or "query"; write both.'),
        (
            '{"qid": 1, "query": "revoke", "codes": "1864"}',
            'Line 2 of standard input: "codes" is not a list of names; write ["..."].',
        ),
        ('{"qid": 1, "query": "revoke", "codes": ["9"]}', "There is no code '9'; the codes are arnaud-1829, "),
    ],
)
def test_wrong_line_is_told_in_one_sentence(library: Path, line: str, message: str) -> None:
    result = whist("ask", "--jsonl", "--db", library, said='{"qid": 1, "query": "revoke"}\n' + line)
    assert result.output.count("\n") == 1 and str(result.exception).startswith(message)


def test_wrong_line_ends_the_command_with_status_2(library: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from datasette_plugins.console import main; main()", "ask", "--jsonl", "--db", library],
        input='{"qid": 1}\n', capture_output=True, text=True,
    )  # fmt: skip
    message = 'whist: Line 1 of standard input lacks "qid" or "query"; write both.\n'
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)


# What is wrong or odd.


def test_unknown_code_and_no_words_are_refused(library: Path) -> None:
    codes = "arnaud-1829, deschapelles-1839, english-1864, american-1893, american-1894"
    assert refusal("ask", "revoke", "--code", "9", "--db", library) == f"There is no code '9'; the codes are {codes}."
    nothing = whist("ask", "--db", library)
    assert nothing.exit_code == 2 and "Say what happened" in nothing.output


def test_library_without_questions_answers_that_it_has_none(tiny_database: Path) -> None:
    output = whist("ask", PENALTY, "--db", tiny_database).output
    assert output.startswith("No question of the library matches this")


@pytest.mark.parametrize("text", ["\x00", "?" * 3000, "revoke " * 5000, "a? " * 500, "-- \"*' OR NEAR("])
def test_no_text_raises_an_error(library: Path, text: str) -> None:
    assert whist("ask", "--db", library, "--", text).exit_code == 0
