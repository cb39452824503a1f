"""`whist search` on the terminal and for JSON lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from datasette.app import Datasette
from terminal import whist

from extract.errors import QueryError


def test_each_line_is_answered_with_its_own_id_best_first(database: Path) -> None:
    asked = (
        {"qid": 7, "query": "revoke penalty"},
        {"qid": "b", "query": "zzyzx"},
        {"qid": 1, "query": "revoke", "codes": ["american-1894"], "kinds": ["law"]},
        {"qid": 2, "query": "1893 law 30"},
    )
    told = "".join(json.dumps(line) + "\n\n" for line in asked)
    found = whist("search", "--jsonl", "--db", database, said=told)
    first, nothing, narrowed, cited = (json.loads(line) for line in found.stdout.splitlines())
    assert (first["qid"], nothing) == (7, {"qid": "b", "results": []})
    assert {hit["id"] for hit in narrowed["results"]} == {"american-1894/law-28", "american-1894/law-30"}
    assert first["results"][0]["id"] == cited["results"][0]["id"] == "american-1893/law-30"


@pytest.mark.parametrize("line", ["{", "[]", '{"qid": 1}', '{"query": "revoke"}', '{"qid": 1, "query": 2}'])
def test_a_line_that_is_no_question_is_told(database: Path, line: str) -> None:
    found = whist("search", "--jsonl", "--db", database, said=line)
    assert isinstance(found.exception, QueryError) and "Line 1 of standard input" in str(found.exception)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["revokke", "1894"], 0, "searched for revoke 1894"),
        (["revokke", "1894"], 0, "works of 1894"),
        (["l", "72"], 0, "named: english-1864/law-72"),
        ([], 2, "Usage"),
    ],
)
def test_the_terminal_tells_what_was_understood(database: Path, words: list[str], code: int, told: str) -> None:
    found = whist("search", *words, "--db", database)
    assert found.exit_code == code and told in found.output


@pytest.mark.parametrize("typed", ['"revoke"', "1864 law 72", "lxxii", "kind:law penalty", "zzyzx penalty"])
async def test_the_terminal_and_the_page_count_alike(database: Path, ds: Datasette, typed: str) -> None:
    told = json.loads(whist("search", typed, "--json", "--db", database).stdout)
    page = (await ds.client.get("/search.json", params={"q": typed})).json()
    assert (told["total"], told["mode"]) == (page["total"], page["mode"])
