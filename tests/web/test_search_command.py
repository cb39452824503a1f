"""`whist search` and `whist dispute` on the terminal."""

import json
from pathlib import Path

import pytest
from datasette.app import Datasette
from terminal import refusal, whist


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["revokke", "1894"], 0, "searched for revoke 1894"),
        (["revokke", "1894"], 0, "works of 1894"),
        (["l", "72"], 0, "named: english-1864/law-72"),
        (["1864", "law", "999"], 0, "english-1864/law-71 to english-1864/law-77"),
        ([], 2, "Usage"),
    ],
)
def test_search_reports_how_it_read_the_query(database: Path, words: list[str], code: int, told: str) -> None:
    result = whist("search", *words, "--db", database)
    assert result.exit_code == code and told in result.output


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("english-1864/law-172", "did you mean english-1864/law-77, english-1864/law-72, "),
        ("english-1864/law-72/ix", "did you mean english-1864/law-72, "),
        ("law 28", "did you mean american-1893/law-28, american-1894/law-28?"),
        ("qqq", "`whist search` finds provisions by their words."),
    ],
)
def test_show_suggests_what_an_unknown_id_may_mean(database: Path, typed: str, told: str) -> None:
    assert told in refusal("show", typed, "--db", database)


@pytest.mark.parametrize("command", [["search", "revoke"], ["dispute", "He revoked. What do we get?"]])
def test_code_option_accepts_an_id_or_a_year(database: Path, command: list[str]) -> None:
    by_id, by_year = (
        whist(*command, "--json", "--code", code, "--db", database).stdout for code in ("american-1894", "1894")
    )
    assert by_id == by_year and "american-1894/law-" in by_id


def test_dispute_prints_the_answer_with_its_deciding_words(database: Path) -> None:
    output = whist("dispute", "He revoked. What do we get?", "--code", "1864", "--db", database).output
    assert "\n    What does it cost? three tricks or three points\n    “may either take three tricks”\n" in output


@pytest.mark.parametrize("typed", ['"revoke"', "1864 law 72", "lxxii", "kind:law penalty", "zzyzx penalty"])
async def test_terminal_and_page_report_the_same_total(database: Path, shared: Datasette, typed: str) -> None:
    printed = json.loads(whist("search", typed, "--json", "--db", database).stdout)
    page = (await shared.client.get("/search.json", params={"q": typed})).json()
    assert (printed["total"], printed["mode"]) == (page["total"], page["mode"])
