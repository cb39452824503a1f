"""The tables for whoever works with data: views, saved queries, and cells that lead to the pages."""

from __future__ import annotations

import asyncio
import re
import shutil
import sqlite3
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.request import urlopen

import pytest
import sqlite_utils
from datasette.app import Datasette
from reading_pages import data, get, started

import datasette_plugins
from extract.errors import DatabaseError
from kb.tables.canned import QUERIES
from kb.tables.metadata import SHOWN, metadata
from kb.tables.schema import TABLES
from kb.tables.views import VIEWS

# What the small library has nothing of, and some question asks for.
MORE: dict[str, list[dict[str, object]]] = {
    "closed": [{"unit_id": "english-1864/law-77", "code_id": "american-1894"},
               {"unit_id": "english-1864/law-72", "code_id": "american-1893"},
               {"unit_id": "american-1893/law-30", "code_id": "arnaud-1829"}],
    "lack": [{"code_id": "american-1894", "kind": "law", "reason": "The book leaves them out."}],
    "suggestion": [{"id": 1, "book_id": "drayson-1896", "raw_start": 40, "raw_end": 41, "before": "a", "after": "o",
                    "confidence": 0.5, "note": "a doubt"}],
    "edit": [{"id": 900, "book_id": "drayson-1896", "raw_start": 40, "raw_end": 41, "before": "a", "after": "a",
              "kind": "illegible", "source": "editor", "confidence": 1.0, "note": "a blot"}],
    "page": [{"id": 1, "book_id": "drayson-1896", "seq": 0, "raw_start": 0, "raw_end": 10**6, "folio": "18",
              "status": "printed"}],
}  # fmt: skip


@pytest.fixture(scope="module")
def fuller(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small library with something for every question to find."""
    path = Path(shutil.copy(database, tmp_path_factory.mktemp("fuller") / "fuller.db"))
    db = sqlite_utils.Database(path)
    for table, rows in MORE.items():
        db.table(table).insert_all(rows)
    db.close()
    return path


@pytest.fixture
def rows_of(fuller: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(fuller)) as conn:
        conn.row_factory = sqlite3.Row
        yield conn


def ask(conn: sqlite3.Connection, name: str, **given: object) -> list[sqlite3.Row]:
    """The answer to a question; what is not given is left empty, as on its page."""
    sql = next(q.sql for q in QUERIES if q.name == name)
    return conn.execute(sql, dict.fromkeys(re.findall(r"(?<![:\w]):([a-z]+)", sql), "") | given).fetchall()


@pytest.mark.parametrize("name", ["data", "openapi", "schemas"])
def test_a_file_that_would_hide_behind_a_page_is_refused(database: Path, tmp_path: Path, name: str) -> None:
    copy = Path(shutil.copy(database, tmp_path / f"{name}.db"))
    with pytest.raises(DatabaseError, match="hides pages"):
        datasette_plugins.instance(copy)


# Views


@pytest.mark.parametrize("view", VIEWS, ids=lambda v: v.name)
def test_a_view_has_the_columns_that_are_described(rows_of: sqlite3.Connection, view: object) -> None:
    cursor = rows_of.execute(f"select * from {view.name}")  # type: ignore[attr-defined]
    assert [c[0] for c in cursor.description] == list(view.columns)  # type: ignore[attr-defined]
    assert cursor.fetchall()


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        # A provision is no paragraph and no case.
        ("select id from provision where code_id = 'english-1864'",
         [("english-1864/law-71",), ("english-1864/law-72",), ("english-1864/law-77",)]),
        # Pairs that the editor rejected are no equivalence.
        ("select a, b from equivalence where a like 'english-1864/%'", [
            ("english-1864/law-72", "american-1894/law-30"), ("english-1864/law-72/i", "american-1893/law-30"),
            ("english-1864/law-72/i", "american-1894/law-30"),
        ]),
        # A correction names the innermost unit around it.
        ("select unit_id, before from correction where page = '18' and kind <> 'suggestion'", [
            ("english-1864/law-71", "yi."), ("english-1864/law-71", "- \n"), ("english-1864/law-72/iv", "19"),
            ("english-1864/law-72/iv", "tJie"), ("english-1864/law-77", "nnw"), ("drayson-1896/case-93", "penalty"),
            ("english-1864/law-71", "a"),
        ]),
    ],
    ids=["provision", "equivalence", "correction"],
)  # fmt: skip
def test_what_a_view_holds(rows_of: sqlite3.Connection, sql: str, found: list[tuple[str, ...]]) -> None:
    assert [tuple(row) for row in rows_of.execute(sql)] == found


# Questions


@pytest.mark.parametrize("name", [q.name for q in QUERIES])
async def test_every_question_is_answered_though_sql_is_closed(fuller: Path, name: str) -> None:
    ds = await started(fuller)
    assert await data(ds, f"/fuller/{name}.json?_shape=array")
    page = await get(ds, f"/fuller/{name}")
    assert page.findtext(".//h1").strip() == next(q.title for q in QUERIES if q.name == name)


OF_REVOKE = [
    ("arnaud-1829/law-21", 1), ("english-1864/law-72", 3), ("english-1864/law-77", 1), ("american-1893/law-28", 1),
    ("american-1893/law-30", 1), ("american-1894/law-28", 1), ("american-1894/law-30", 1),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "given", "columns", "found"),
    [
        # A concept by its id and by one of its terms.
        ("concept-by-code", {"concept": "revoke"}, ["provision", "times"], OF_REVOKE),
        ("concept-by-code", {"concept": "Renounce in Error"}, ["provision", "times"], OF_REVOKE),
        # How many provisions have some form of a word.
        ("mentions", {"word": "revoked"}, ["code", "provisions", "of_all"],
         [("arnaud-1829", 1, 1), ("english-1864", 2, 3), ("american-1893", 2, 2), ("american-1894", 2, 2)]),
        ("mentions", {"word": '"'}, ["provisions"], [(0,)] * 4),
        ("mentions", {"word": "*"}, ["provisions"], [(0,)] * 4),
        ("topic-through-time", {"topic": "REVOKE"}, ["question", "year", "state"], [
            ("What is a revoke?", 1829, "answered"), ("What is a revoke?", 1864, "answered"),
            ("What is a revoke?", 1893, "silent"), ("What is a revoke?", 1894, "silent"),
            *(("What does it cost?", year, "answered") for year in (1829, 1864, 1893, 1894)),
            ("May it be corrected?", 1829, "silent"),
            *(("May it be corrected?", year, "answered") for year in (1893, 1894)),
        ]),
        ("topic-through-time", {"topic": "penalty"}, ["state"], []),
        # What is linked has a counterpart, what was not looked for is not listed, and what its book leaves out a code
        # does not lack.
        ("without-counterpart", {}, ["provision", "lacking_in"], [
            ("american-1893/law-28", "English club code"), ("american-1893/law-30", "Arnaud’s laws"),
        ]),
        ("without-counterpart", {"other": "american-1893"}, ["provision"], []),
        # A paragraph stands for its provision.
        ("concordance", {"code": "english-1864"}, ["number", "counterparts"],
         [("71", None), ("72", "1829: 21; 1893: 30; 1894: 30"), ("77", None)]),
        # What differs under one number, of the earlier to the later.
        ("changed-between", {"earlier": "american-1893", "later": "american-1894"}, ["a", "b"],
         [("american-1893/law-28", "american-1894/law-28")]),
        ("changed-between", {"earlier": "american-1894", "later": "american-1893"}, ["a", "b"], []),
        ("same-words", {}, ["a", "b", "to_the_letter"], [
            ("american-1893/law-28", "american-1894/law-28", 0), ("american-1893/law-30", "american-1894/law-30", 1),
        ]),
        ("doubtful", {}, ["scan", "confidence"], [("nnw", 0.3), ("a", 0.5), ("tJie", 0.62)]),
        ("doubtful", {"below": "0.6"}, ["scan", "confidence"], [("nnw", 0.3), ("a", 0.5)]),
    ],
)  # fmt: skip
def test_what_a_question_finds(
    rows_of: sqlite3.Connection, name: str, given: dict[str, str], columns: list[str], found: list[tuple[object, ...]]
) -> None:
    assert [tuple(row[column] for column in columns) for row in ask(rows_of, name, **given)] == found


# What Datasette tells, and where cells lead


def test_every_column_that_is_named_for_showing_is_there() -> None:
    columns = {t.name: {c.name for c in t.columns} for t in TABLES} | {v.name: set(v.columns) for v in VIEWS}
    named = {
        (name, column)
        for name, shown in SHOWN.items()
        for column in (*shown.facets, *shown.sortable, shown.label, (shown.sort or "").removeprefix("-"))
        if column
    }
    described = {(name, column) for name, has in columns.items() for column in has}
    assert named <= described | {("word", "word"), ("word", "count")}


def test_every_column_is_described_with_its_unit() -> None:
    tables = metadata("whist")["databases"]["whist"]["tables"]
    assert all(words for table in tables.values() for words in table.get("columns", {}).values())
    assert "(characters)" in tables["unit"]["columns"]["raw_start"]


async def test_every_table_is_shown_as_it_is_described(ds: Datasette) -> None:
    for name in SHOWN:
        assert (await ds.client.get(f"/small/{name}")).status_code == 200, name


async def test_tables_without_rows_are_not_listed(ds: Datasette) -> None:
    listed = {*(await get(ds, "/small")).xpath("//div[@class='db-table']/h3/a/text()")}
    told = {t["name"] for t in (await data(ds, "/data.json"))["tables"]}
    assert "unit" in listed and not {"moved", "suggestion", "entry_fts"} & (listed | told)


@pytest.mark.parametrize(
    ("table", "text", "where"),
    [
        ("unit?id=english-1864/law-72", "Law 72", "/english-1864/law-72"),
        ("citation", "Law 72", "/english-1864/law-72"),
        ("provision", "english-1864", "/code/english-1864"),
        ("concept", "revoke", "/concept/revoke"),
        ("topic", "Revoke", "/compare/revoke"),
        ("answer", "american-1894/law-30", "/american-1894/law-30"),
        ("concept-by-code", "english-1864/law-72", "/english-1864/law-72"),
        ("book", "Whist Laws", "/book/drayson-1896"),
    ],
)
async def test_cells_lead_to_the_reading_pages(ds: Datasette, table: str, text: str, where: str) -> None:
    links = {(a.text, a.get("href")) for a in (await get(ds, f"/small/{table}")).xpath("//td//a")}
    assert (text, where) in links


async def test_what_names_no_unit_is_no_link(ds: Datasette) -> None:
    links = (await get(ds, "/small/facet")).xpath("//td//a[starts-with(., 'revoke/')]/@href")
    assert all("/small/" in link for link in links)


async def test_links_of_cells_are_under_the_base_url(site: Callable[..., Awaitable[Datasette]]) -> None:
    page = await get(await site(base_url="/whist/"), "/small/provision")
    assert page.xpath("//td//a[.='english-1864/law-72']/@href") == ["/whist/english-1864/law-72"]


async def test_the_tables_never_hold_the_last_thread(ds: Datasette) -> None:
    assert (await ds.client.get("/english-1864/law-71")).status_code == 200  # the first of all is slow
    db = ds.get_database("small")
    ds.sql_time_limit_ms = 800
    slow = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
    asked = [asyncio.create_task(db.execute(slow)) for _ in range(4)]
    await asyncio.sleep(0.1)
    page = asyncio.create_task(ds.client.get("/english-1864/law-72"))
    first, _ = await asyncio.wait([page, *asked], return_when=asyncio.FIRST_COMPLETED)
    assert first == {page} and page.result().status_code == 200
    for waiting in asked[2:]:
        waiting.cancel()
    await asyncio.gather(*asked, return_exceptions=True)


# docs/data.md: its blocks run as they stand, and it names every view and every question there is


PAGE = (Path(__file__).parents[2] / "docs" / "data.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.S)


@pytest.fixture
def pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the two readers of pandas, which the library itself does not need."""
    stand_in = SimpleNamespace(
        read_sql_query=lambda sql, conn: conn.execute(sql).fetchall(),
        read_csv=lambda address: urlopen(address).read().decode("utf-8").splitlines(),
    )
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


def test_every_view_is_named() -> None:
    assert [view.name for view in VIEWS if f"`{view.name}`" not in PAGE] == []


@pytest.mark.parametrize("query", QUERIES, ids=lambda q: q.name)
def test_what_a_question_asks_for_is_told(query: Any) -> None:
    (told,) = re.findall(rf"^\|[^|]*\| `{query.name}` \|([^|]*)\|$", PAGE, re.M)
    asked = dict.fromkeys(re.findall(r"(?<![:\w]):([a-z]+)", query.sql))
    assert re.findall(r"`(\w+)`", told) == list(asked)
