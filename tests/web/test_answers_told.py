"""The table of a topic as CSV, as Markdown and on a terminal."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner
from datasette.app import Datasette
from library import PENALTY
from reading_pages import lines

from datasette_plugins.command import cli


async def test_the_same_as_csv(ds: Datasette) -> None:
    assert 'filename="revoke.csv"' in (await ds.client.head("/compare/revoke.csv")).headers["content-disposition"]
    cells = {(line["question"], line["code"]): line for line in await lines(ds, "/compare/revoke.csv")}
    english = cells["penalty", "english-1864"]
    assert english == english | {
        "summary": "three tricks or three points", "pinpoints": "law 72 (i)", "state": "answered", "value": PENALTY,
        "deciding_words": "may either take three tricks",
    }  # fmt: skip
    assert cells["correction", "american-1893"]["provisions"] == "american-1893/law-28; american-1893/law-30"
    assert [cell["state"] for (question, _), cell in cells.items() if question == "correction"] == [
        "silent", "not judged", "answered", "answered",
    ]  # fmt: skip
    assert cells["penalty", "american-1894"]["twin"] == "american-1893" and len(cells) == 3 * 4


async def test_the_same_as_markdown(ds: Datasette) -> None:
    response = await ds.client.get("/compare/revoke.md?codes=english-1864,american-1893")
    assert response.headers["content-type"] == "text/markdown; charset=utf-8"
    assert response.text.startswith("# Revoke\n") and "\n| Question | 1864 | 1893 |\n" in response.text
    assert ("\n| **What does it cost?** *three points or tricks → two tricks* "
            "| three tricks or three points ([law 72 (i)](http://localhost/english-1864/law-72/i)) "
            "| two tricks ([law 30](http://localhost/american-1893/law-30)) |\n") in response.text  # fmt: skip
    assert "| **May it be corrected?** | *not judged* |" in response.text
    assert "<b>" not in response.text and r"\<b\>other" in response.text
    assert {line.count("|") for line in response.text.splitlines() if line.startswith("|")} == {4}


def test_the_answers_on_a_terminal(database: Path) -> None:
    for words, *told in (
        ("revoke", "  1864: three tricks or three points [law 72 (i)]\n  1893 = 1894: two tricks [law 30]",
         "1829: silent\n  1864: not judged"),
        ("revoke --json", '"pinpoint": "law 72 (i)"'),
        ("penalty", "Nothing was judged"),
    ):  # fmt: skip
        answer = CliRunner().invoke(cli, ["compare", *words.split(), "--db", str(database)])
        assert answer.exit_code == 0 and all(line in answer.output for line in told)
