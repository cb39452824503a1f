"""The data tables: views, saved queries, and cells that link to the reading pages."""

import asyncio
import json
import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.request import urlopen

import pytest
import sqlite_utils
from datasette.app import Datasette
from reading_pages import data, get, started

from kb.tables.canned import QUERIES
from kb.tables.metadata import SHOWN, Shown
from kb.tables.views import VIEWS

# Rows that the small library lacks and some saved query needs.
EXTRA_ROWS: dict[str, list[dict[str, object]]] = {
    "closed": [{"unit_id": "english-1864/law-77", "code_id": "american-1894"},
               {"unit_id": "english-1864/law-72", "code_id": "american-1893"},
               {"unit_id": "american-1893/law-30", "code_id": "arnaud-1829"}],
    "lack": [{"code_id": "american-1894", "kind": "law", "reason": "The book leaves them out."}],
    "suggestion": [{"id": 1, "book_id": "drayson-1896", "raw_start": 40, "raw_end": 41, "before": "a", "after": "o",
                    "confidence": 0.5, "note": "a doubt"}],
    "edit": [{"id": 900, "book_id": "drayson-1896", "raw_start": 40, "raw_end": 41, "before": "a", "after": "a",
              "kind": "illegible", "source": "editor", "confidence": 1.0, "note": "a blot"}],
}  # fmt: skip


@pytest.fixture(scope="module")
def fuller(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small library with rows added, so that every saved query finds something."""
    path = Path(shutil.copy(database, tmp_path_factory.mktemp("fuller") / "fuller.db"))
    db = sqlite_utils.Database(path)
    for table, rows in EXTRA_ROWS.items():
        db.table(table).insert_all(rows)
    db.close()
    return path


@pytest.fixture(scope="module")
def full(fuller: Path) -> Datasette:
    """A Datasette over it."""
    return asyncio.run(started(fuller))


@pytest.fixture
def fuller_conn(fuller: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(fuller)) as conn:
        conn.row_factory = sqlite3.Row
        yield conn


# Views


@pytest.mark.parametrize("view", VIEWS, ids=lambda v: v.name)
def test_view_has_rows_and_the_described_columns(fuller_conn: sqlite3.Connection, view: object) -> None:
    cursor = fuller_conn.execute(f"select * from {view.name}")  # type: ignore[attr-defined]
    assert [c[0] for c in cursor.description] == list(view.columns)  # type: ignore[attr-defined]
    assert cursor.fetchall()


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        # Paragraphs and cases are not provisions.
        ("select id from provision where code_id = 'english-1864'",
         [("english-1864/law-71",), ("english-1864/law-72",), ("english-1864/law-77",)]),
        ("select a, b from equivalence where a like 'english-1864/%'", [
            ("english-1864/law-72", "american-1894/law-30"), ("english-1864/law-72/i", "american-1893/law-30"),
            ("english-1864/law-72/i", "american-1894/law-30"),
        ]),
        # A correction names the innermost unit around it.
        ("select unit_id, before from correction where page >= '18' and book_id like 'd%' and kind <> 'suggestion'", [
            ("english-1864/law-71", "yi."), ("english-1864/law-71", "- \n"), ("english-1864/law-72/iv", "19"),
            ("english-1864/law-72/iv", "tJie"), ("english-1864/law-77", "nnw"), ("drayson-1896/case-93", "penalty"),
            ("english-1864/law-71", "a"),
        ]),
    ],
    ids=["provision", "equivalence", "correction"],
)  # fmt: skip
def test_rows_of_a_view(fuller_conn: sqlite3.Connection, sql: str, expected: list[tuple[str, ...]]) -> None:
    assert [tuple(row) for row in fuller_conn.execute(sql)] == expected


# Saved queries


@pytest.mark.parametrize("name", [q.name for q in QUERIES])
async def test_every_saved_query_finds_rows_and_has_a_page(full: Datasette, name: str) -> None:
    assert await data(full, f"/fuller/{name}.json?_shape=array&word=revoke")
    page = await get(full, f"/fuller/{name}")
    assert page.findtext(".//h1").strip() == next(q.title for q in QUERIES if q.name == name)
    assert page.xpath("//pre[@id='sql-query']")


OF_REVOKE = [
    ("arnaud-1829/law-21", 1), ("english-1864/law-72", 3), ("english-1864/law-77", 1), ("american-1893/law-28", 1),
    ("american-1893/law-30", 1), ("american-1894/law-28", 1), ("american-1894/law-30", 1),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "given", "columns", "expected"),
    [
        # A concept by its id and by one of its terms.
        ("concept-by-code", {"concept": "revoke"}, ["provision", "times"], OF_REVOKE),
        ("concept-by-code", {"concept": "Renounce in Error"}, ["provision", "times"], OF_REVOKE),
        # How many provisions have any form of a word.
        ("mentions", {"word": "revoked"}, ["code", "provisions", "of_all"],
         [("arnaud-1829", 1, 1), ("english-1864", 2, 3), ("american-1893", 2, 2), ("american-1894", 2, 2)]),
        ("mentions", {}, ["code"], []),
        ("mentions", {"word": '"'}, ["provisions"], [(0,)] * 4),
        ("mentions", {"word": "*"}, ["provisions"], [(0,)] * 4),
        ("topic-through-time", {"topic": "REVOKE"}, ["question", "year", "state"], [
            ("What is a revoke?", 1829, "answered"), ("What is a revoke?", 1864, "answered"),
            ("What is a revoke?", 1893, "silent"), ("What is a revoke?", 1894, "silent"),
            *(("What does it cost?", year, "answered") for year in (1829, 1864, 1893, 1894)),
            ("May it be corrected?", 1829, "silent"), ("May it be corrected?", 1864, "not printed"),
            *(("May it be corrected?", year, "answered") for year in (1893, 1894)),
        ]),
        ("topic-through-time", {"topic": "misdeal"}, ["state"], []),
        # Linked provisions have a counterpart; pairs that nobody judged are not listed; a code does not lack what its
        # book leaves out.
        ("without-counterpart", {}, ["provision", "lacking_in"], [
            ("american-1893/law-28", "English club code"), ("american-1893/law-30", "Arnaud’s laws"),
        ]),
        ("without-counterpart", {"other": "american-1893"}, ["provision"], []),
        # The links of a paragraph count for its provision.
        ("concordance", {"code": "english-1864"}, ["number", "counterparts"],
         [("71", None), ("72", "1829: 21; 1893: 30; 1894: 30"), ("77", None)]),
        # Provisions with the same number but different text, from the earlier to the later code.
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
def test_rows_that_a_saved_query_finds(
    fuller_conn: sqlite3.Connection,
    name: str,
    given: dict[str, str],
    columns: list[str],
    expected: list[tuple[object, ...]],
) -> None:
    sql = next(query.sql for query in QUERIES if query.name == name)
    empty = dict.fromkeys(re.findall(r"(?<![:\w]):([a-z]+)", sql), "")  # as on the page of the query
    assert [tuple(row[column] for column in columns) for row in fuller_conn.execute(sql, empty | given)] == expected


# What Datasette shows, and where cells link to


@pytest.mark.parametrize(("name", "shown"), SHOWN.items(), ids=SHOWN)
async def test_page_of_a_table_counts_the_values_of_its_facets(full: Datasette, name: str, shown: Shown) -> None:
    page = await get(full, f"/fuller/{name}")
    assert sorted(page.xpath("//div[@class='facet-results']/div/@data-column")) == sorted(shown.facets)


async def test_empty_and_internal_tables_are_not_listed(shared: Datasette) -> None:
    listed = {*(await get(shared, "/small")).xpath("//div[@class='db-table']/h3/a/text()")}
    assert "unit" in listed and not {"suggestion", "entry_fts"} & listed


@pytest.mark.parametrize(
    ("table", "text", "target"),
    [
        ("unit?id=english-1864/law-72", "Law 72", "/english-1864/law-72"),
        ("citation", "Law 72", "/english-1864/law-72"),
        ("provision", "english-1864", "/code/english-1864"),
        ("concept", "revoke", "/concept/revoke"),
        ("topic", "Revoke", "/compare/revoke"),
        ("answer", "american-1894/law-30", "/american-1894/law-30"),
        ("concept-by-code", "english-1864/law-72", "/english-1864/law-72"),
        ("book", "Whist Laws", "/book/drayson-1896"),
        ("question", "What does it cost?", "/compare/revoke/penalty"),
        ("answer", "What does it cost?", "/compare/revoke/penalty"),
    ],
)
async def test_cells_link_to_the_reading_pages(shared: Datasette, table: str, text: str, target: str) -> None:
    page = await get(shared, f"/small/{table}")
    assert (text, target) in {(a.text, a.get("href")) for a in page.xpath("//td//a")}


# docs/data.md: its code blocks run unchanged, and it names every view and every saved query


PAGE = (Path(__file__).parents[2] / "docs" / "data.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.S)


@pytest.fixture
def pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the two pandas functions that docs/data.md uses; pandas need not be installed."""
    stand_in = SimpleNamespace(
        read_sql_query=lambda sql, conn: conn.execute(sql).fetchall(),
        read_csv=lambda address: urlopen(address).read().decode("utf-8").splitlines(),
    )
    monkeypatch.setitem(sys.modules, "pandas", stand_in)


def test_code_blocks_of_the_docs_run_in_order(address: str, pandas: None, capsys: pytest.CaptureFixture[str]) -> None:
    namespace: dict[str, Any] = {}
    assert len(BLOCKS) > 6
    for block in BLOCKS:
        code = block.replace("http://127.0.0.1:8001", address).replace("/whist.db", "/small.db")
        exec(compile(code.replace("/whist/", "/small/"), "docs/data.md", "exec"), namespace)
        assert capsys.readouterr().out.strip() or "print" not in block, block
    namespace["library"].close()
    assert len(namespace["provisions"]) > 5 and len(namespace["answers"]) > 5


def test_docs_name_every_view() -> None:
    assert [view.name for view in VIEWS if f"`{view.name}`" not in PAGE] == []


@pytest.mark.parametrize("query", QUERIES, ids=lambda q: q.name)
def test_docs_name_the_parameters_of_each_saved_query(query: Any) -> None:
    (documented,) = re.findall(rf"^\|[^|]*\| `{query.name}` \|([^|]*)\|$", PAGE, re.M)
    assert re.findall(r"`(\w+)`", documented) == list(dict.fromkeys(re.findall(r"(?<![:\w]):([a-z]+)", query.sql)))


@pytest.mark.parametrize("table", ["entry", "unit", "provision"])
async def test_search_box_of_a_table_finds_words(shared: Datasette, table: str) -> None:
    found = (await shared.client.get(f"/small/{table}.json?_search=corrected&_shape=array")).json()
    assert found and all("corrected" in json.dumps(row) for row in found)
    page = await get(shared, f"/small/{table}?_search=corrected")
    assert page.xpath("//input[@type='search']/@value") == ["corrected"]


@pytest.mark.parametrize("address", ["link?_search=revoke", "unit?_search_text=revoke"])
async def test_search_without_an_index_is_refused_instead_of_giving_all_rows(shared: Datasette, address: str) -> None:
    assert (await shared.client.get(f"/small/{address}")).status_code == 400


def test_sqlite_utils_finds_the_full_text_index(database: Path) -> None:
    assert sqlite_utils.Database(database).table("entry").detect_fts() == "entry_fts"
