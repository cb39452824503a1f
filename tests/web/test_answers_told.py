"""The table of a topic as CSV, as Markdown and on a terminal."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from click.testing import CliRunner
from datasette.app import Datasette
from library import PENALTY

from datasette_plugins.command import cli

ALL = ("arnaud-1829", "english-1864", "american-1893", "american-1894")


async def test_the_same_as_csv(ds: Datasette) -> None:
    response = await ds.client.get("/compare/revoke.csv")
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert 'filename="revoke.csv"' in response.headers["content-disposition"]
    lines = list(csv.DictReader(io.StringIO(response.text)))
    assert len(lines) == 3 * 4
    by_cell = {(line["question"], line["code"]): line for line in lines}
    english = by_cell["penalty", "english-1864"]
    assert (english["summary"], english["pinpoints"], english["state"], english["value"]) == (
        "three tricks or three points", "law 72 (i)", "answered", PENALTY,
    )  # fmt: skip
    assert english["deciding_words"] == "may either take three tricks"
    assert by_cell["correction", "american-1893"]["provisions"] == "american-1893/law-28; american-1893/law-30"
    assert [by_cell["correction", code]["state"] for code in ALL] == ["silent", "not judged", "answered", "answered"]
    assert by_cell["penalty", "american-1894"]["twin"] == "american-1893"


async def test_the_same_as_markdown(ds: Datasette) -> None:
    response = await ds.client.get("/compare/revoke.md?codes=english-1864,american-1893")
    assert response.headers["content-type"] == "text/markdown; charset=utf-8"
    lines = response.text.splitlines()
    assert lines[0] == "# Revoke" and "| Question | 1864 | 1893 |" in lines
    assert ("| **What does it cost?** *three points or tricks → two tricks* "
            "| three tricks or three points ([law 72 (i)](http://localhost/english-1864/law-72/i)) "
            "| two tricks ([law 30](http://localhost/american-1893/law-30)) |") in lines  # fmt: skip
    assert "| **May it be corrected?** | *not judged* |" in response.text
    assert "<b>" not in response.text and r"\<b\>other" in response.text
    rows = [line for line in lines if line.startswith("|")]
    assert len({line.count("|") for line in rows}) == 1


def test_the_answers_on_a_terminal(database: Path) -> None:
    told = CliRunner().invoke(cli, ["compare", "revoke", "--db", str(database)])
    assert told.exit_code == 0
    assert "  1864: three tricks or three points [law 72 (i)]\n  1893 = 1894: two tricks [law 30]" in told.output
    assert "1829: silent\n  1864: not judged" in told.output
    data = CliRunner().invoke(cli, ["compare", "revoke", "--json", "--db", str(database)])
    assert data.exit_code == 0 and '"pinpoint": "law 72 (i)"' in data.output
    bare = CliRunner().invoke(cli, ["compare", "penalty", "--db", str(database)])
    assert bare.exit_code == 0 and "Nothing was judged" in bare.output
