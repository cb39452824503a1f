"""`whist search` on the terminal and for JSON lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from datasette.app import Datasette

from extract.errors import QueryError
from kb.cli.reader import search_command


def answers(database: Path, *lines: object) -> list[dict[str, Any]]:
    told = "".join(json.dumps(line) + "\n\n" for line in lines)
    found = CliRunner().invoke(search_command, ["--jsonl", "--db", str(database)], input=told, catch_exceptions=False)
    return [json.loads(line) for line in found.stdout.splitlines()]


def test_each_line_is_answered_with_its_own_id_best_first(database: Path) -> None:
    first, second = answers(database, {"qid": 7, "query": "revoke penalty"}, {"qid": "b", "query": "zzyzx"})
    scores = [hit["score"] for hit in first["results"]]
    assert first["qid"] == 7 and first["results"][0]["id"] == "american-1893/law-30"
    assert scores == sorted(scores, reverse=True) and second == {"qid": "b", "results": []}


def test_a_line_may_narrow(database: Path) -> None:
    (found,) = answers(database, {"qid": 1, "query": "revoke", "codes": ["american-1894"], "kinds": ["law"]})
    assert {hit["id"] for hit in found["results"]} == {"american-1894/law-28", "american-1894/law-30"}


def test_what_a_citation_names_comes_first(database: Path) -> None:
    (found,) = answers(database, {"qid": 1, "query": "1893 law 30"})
    assert found["results"][0]["id"] == "american-1893/law-30"


@pytest.mark.parametrize("line", ["{", "[]", '{"qid": 1}', '{"query": "revoke"}', '{"qid": 1, "query": 2}'])
def test_a_line_that_is_no_question_is_told(database: Path, line: str) -> None:
    with pytest.raises(QueryError, match="Line 1 of standard input"):
        CliRunner().invoke(search_command, ["--jsonl", "--db", str(database)], input=line, catch_exceptions=False)


def test_the_terminal_tells_what_was_understood(database: Path) -> None:
    found = CliRunner().invoke(search_command, ["revokke", "1894", "--db", str(database)]).output
    assert "searched for revoke 1894" in found and "works of 1894" in found
    assert "named: english-1864/law-72" in CliRunner().invoke(search_command, ["l", "72", "--db", str(database)]).output


async def test_the_terminal_and_the_page_count_alike(database: Path, ds: Datasette) -> None:
    for typed in ("revoke", '"revoke"', "1864 law 72", "lxxii", "kind:law penalty", "zzyzx penalty"):
        told = CliRunner().invoke(search_command, [typed, "--json", "--db", str(database)]).stdout
        page = (await ds.client.get("/search.json", params={"q": typed})).json()
        assert [json.loads(told)[key] for key in ("total", "mode")] == [page["total"], page["mode"]], typed


def test_nothing_to_look_for_is_told(database: Path) -> None:
    assert CliRunner().invoke(search_command, ["--db", str(database)]).exit_code == 2
