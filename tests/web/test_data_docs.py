"""docs/data.md: its blocks run as they stand, and it names every view and every question there is."""

from __future__ import annotations

import csv
import io
import re
import sqlite3
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.request import urlopen

import pytest

from kb.tables.canned import QUERIES
from kb.tables.views import VIEWS

PAGE = (Path(__file__).parents[2] / "docs" / "data.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.S)


@pytest.fixture
def pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the two readers of pandas, which the library itself does not need."""

    def read_sql_query(sql: str, conn: sqlite3.Connection) -> list[Any]:
        return conn.execute(sql).fetchall()

    def read_csv(address: str) -> list[Any]:
        with urlopen(address) as answer:
            return list(csv.reader(io.StringIO(answer.read().decode("utf-8"))))

    stand_in = ModuleType("pandas")
    vars(stand_in).update(read_sql_query=read_sql_query, read_csv=read_csv)
    monkeypatch.setitem(sys.modules, "pandas", stand_in)


def test_the_notebook_runs_from_top_to_bottom(address: str, pandas: None, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    assert len(BLOCKS) > 6
    for block in BLOCKS:
        here = block.replace("http://127.0.0.1:8001", address).replace("/whist.db", "/small.db")
        exec(compile(here.replace("/whist/", "/small/"), "docs/data.md", "exec"), names)
        assert capsys.readouterr().out.strip() or "print" not in block, block
    names["library"].close()
    assert len(names["provisions"]) == len(names["concordance"]) - 1 > 5


@pytest.mark.parametrize("name", [q.name for q in QUERIES] + [v.name for v in VIEWS])
def test_every_view_and_question_is_named(name: str) -> None:
    assert f"`{name}`" in PAGE


@pytest.mark.parametrize("query", QUERIES, ids=lambda q: q.name)
def test_what_a_question_asks_for_is_told(query: Any) -> None:
    (told,) = re.findall(rf"^\|[^|]*\| `{query.name}` \|([^|]*)\|$", PAGE, re.M)
    asked = dict.fromkeys(re.findall(r"(?<![:\w]):([a-z]+)", query.sql))
    assert re.findall(r"`(\w+)`", told) == list(asked)
