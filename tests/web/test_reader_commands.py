"""What readers ask on the terminal: `whist ask`, `whist search`, `whist show` and `whist compare`."""

import json
from pathlib import Path

import pytest
from datasette.app import Datasette
from terminal import refusal, whist

STORY = "He trumped although he had a heart. What do we get?"


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["search", "1864", "72"], 0, "named: english-1864/law-72"),
        (["search", "1864", "law", "999"], 0, "There is no law 999 there."),
        (["search", "revoke", "xylophone"], 0, "found with some of the words; none has all"),
        (["search"], 2, "Usage"),
        (["ask"], 2, "Usage"),
        (["ask", STORY], 0, "What does it cost?  (revoke/penalty)\n  1829  law 21: Three points or three tricks.\n"),
        (["ask", "revokke"], 0, "'revokke' was read as 'revoke'."),
        (["ask", "revokke"], 0, "\n  1893  no rule; see law 28: it does not say what a revoke is\n"),
        (["ask", "How do I boil an egg?"], 0, "This does not seem to be about whist."),
        (["compare", "revoke"], 0, "(revoke/correction)\n  1829  no rule\n  1864  not printed\n"),
        (["compare", "revoke", "--json"], 0, '"pinpoint": "law 72 (i)"'),
        (["compare", "english-1864/law-72", "american-1894/law-30", "--json"], 0,
         '"a": "english-1864/law-72",\n  "b": "american-1894/law-30",\n  "share": 0.'),
    ],
)  # fmt: skip
def test_command_prints_what_was_asked(database: Path, words: list[str], code: int, told: str) -> None:
    result = whist(*words, "--db", database)
    assert result.exit_code == code and told in result.output, result.output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["show", "english-1864/law-172"], "did you mean english-1864/law-77, english-1864/law-72, "),
        (["show", "english-1864/law-72/ix"], "did you mean english-1864/law-72, "),
        (["show", "law 28"], "did you mean american-1893/law-28, american-1894/law-28?"),
        (["show", "qqq"], "`whist search` finds provisions by their words."),
        (["compare", "bezique"], "There is no topic 'bezique'; the topics are: revoke, penalty."),
        (["ask", STORY, "--code", "1870"], "There is no code '1870'; the codes are arnaud-1829, "),
        (["search", "revoke", "--code", "1870"], "No code is called “1870”; write one of "),
    ],
)
def test_refusal_names_what_there_is(database: Path, words: list[str], told: str) -> None:
    assert told in refusal(*words, "--db", database)


@pytest.mark.parametrize("command", [["search", "revoke"], ["ask", STORY]])
def test_code_option_accepts_an_id_or_a_year(database: Path, command: list[str]) -> None:
    by_id, by_year = (
        whist(*command, "--json", "--code", code, "--db", database).stdout for code in ("american-1894", "1894")
    )
    assert by_id == by_year and "american-1894/law-" in by_id and "english-1864" not in by_id


def test_lines_of_questions_get_lines_of_answers(database: Path) -> None:
    asked = [{"qid": "a", "query": STORY, "codes": ["1864"]},
             {"qid": "b", "query": "Is it a revoke?", "codes": ["1894"]},
             {"qid": "c", "query": "How do I boil an egg?"}]  # fmt: skip
    result = whist("ask", "--jsonl", "--db", database, said="\n".join(map(json.dumps, asked)))
    first, second, third = map(json.loads, result.stdout.splitlines())
    assert [found["qid"] for found in (first, second, third)] == ["a", "b", "c"]
    assert [*first["questions"][0]] == ["id", "label", "score", "part", "answers"]
    assert first["questions"][0]["answers"] == {
        "english-1864": {"state": "answered", "summary": "Three tricks or three points, at their choice.",
                         "cites": ["english-1864/law-72/i"]},
    }  # fmt: skip
    assert first["results"][0] == {"id": "english-1864/law-72/i", "score": first["questions"][0]["score"]}
    assert (first["decided"], second["decided"], third["decided"]) == (True, False, False)
    assert second["questions"][0]["id"] == "revoke/definition" and (third["questions"], third["results"]) == ([], [])


@pytest.mark.parametrize("typed", ['"revoke"', "72 penalty", "kind:law penalty", "zzyzx penalty"])
async def test_terminal_and_page_report_the_same_passages(database: Path, shared: Datasette, typed: str) -> None:
    printed = json.loads(whist("search", typed, "--json", "--db", database).stdout)
    page = (await shared.client.get("/search.json", params={"q": typed})).json()
    assert (printed["total"], printed["mode"]) == (page["total"], page["mode"]) and page["total"]
    assert [hit["id"] for hit in printed["hits"]] == [hit["unit"]["id"] for hit in page["hits"]][: len(printed["hits"])]
