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
        (["search", "1864", "law", "999"], 0, "There is no law 999 there.\n0 found\n"),
        (["search", "revoke", "xylophone"], 0, "found with some of the words; none has all"),
        (["search"], 2, "Usage"),
        (["ask"], 2, "Usage"),
        (["ask", STORY], 0, "What does it cost?  (revoke/penalty)\n  1829  law 21: Three points or three tricks.\n"),
        (["ask", "revokke"], 0, "'revokke' was read as 'revoke'."),
        (["ask", "revokke"], 0, "\n  1893  no rule; see law 28: it does not say what a revoke is\n"),
        (["ask", "revokke", "--json"], 0, '{\n  "query": "revokke",\n  "corrected": {\n    "revokke": "revoke"\n  },'),
        (["show", "1864 law 72", "--json"], 0, '{\n  "unit": {\n    "id": "english-1864/law-72",'),
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
        (["show", "1864 law 99"], "There is no law 99 there. There are english-1864/law-"),
        (["show", "english-1864/law-172"], "did you mean english-1864/law-77, english-1864/law-72, "),
        (["show", "law 28"], "did you mean american-1893/law-28, american-1894/law-28?"),
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


@pytest.mark.parametrize("typed", ['"revoke"', "72 penalty", "kind:law penalty", "zzyzx penalty"])
async def test_terminal_and_page_report_the_same_passages(database: Path, shared: Datasette, typed: str) -> None:
    printed = json.loads(whist("search", typed, "--json", "--db", database).stdout)
    page = (await shared.client.get("/search.json", params={"q": typed})).json()
    assert (printed["total"], printed["mode"]) == (page["total"], page["mode"]) and page["total"]
    assert [hit["id"] for hit in printed["hits"]] == [hit["unit"]["id"] for hit in page["hits"]][: len(printed["hits"])]


async def test_citation_of_what_is_not_there_has_first_and_last_and_no_passages(shared: Datasette) -> None:
    found = (await shared.client.get("/search.json", params={"q": "1864 law 99"})).json()
    assert (found["note"], found["total"], found["hits"], found["questions"]) == (
        "There is no law 99 there.",
        0,
        [],
        [],
    )
    page = (await shared.client.get("/search", params={"q": "1864 law 99"})).text
    assert "Law 71</a> to <a" in page and "No passage has these words" not in page
