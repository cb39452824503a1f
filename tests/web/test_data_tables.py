"""The tables for whoever works with data: views, saved queries, and cells that lead to the pages."""

from __future__ import annotations

import asyncio
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlite_utils
from datasette.app import Datasette
from lxml import html

import datasette_plugins
from extract.errors import DatabaseError
from kb.tables.canned import QUERIES
from kb.tables.metadata import SHOWN, metadata
from kb.tables.schema import TABLES
from kb.tables.views import VIEWS

# What the small library has nothing of, and some question asks for.
MORE: dict[str, list[dict[str, object]]] = {
    "closed": [{"unit_id": "english-1864/law-77", "code_id": "american-1894"},
               {"unit_id": "english-1864/law-72", "code_id": "american-1894"}],
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
    path = tmp_path_factory.mktemp("fuller") / "fuller.db"
    shutil.copy(database, path)
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
    empty = dict.fromkeys(re.findall(r"(?<![:\w]):([a-z]+)", sql), "")
    assert given.keys() <= empty.keys()
    return conn.execute(sql, empty | given).fetchall()


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


def test_a_provision_is_no_paragraph_and_no_case(rows_of: sqlite3.Connection) -> None:
    ids = {row["id"] for row in rows_of.execute("select id from provision")}
    assert "english-1864/law-72" in ids and not ids & {"english-1864/law-72/ii", "drayson-1896/case-93"}


def test_pairs_that_the_editor_rejected_are_no_equivalence(rows_of: sqlite3.Connection) -> None:
    pairs = {(row["a"], row["b"]) for row in rows_of.execute("select a, b from equivalence")}
    assert ("english-1864/law-72", "american-1894/law-30") in pairs
    assert ("english-1864/law-71", "american-1894/law-30") not in pairs


def test_a_correction_names_the_innermost_unit_around_it(rows_of: sqlite3.Connection) -> None:
    corrections = rows_of.execute("select * from correction where unit_id is not null").fetchall()
    assert corrections
    for row in corrections:
        inside = rows_of.execute(
            "select id, raw_end - raw_start as length from unit where book_id = ? and raw_start <= ? and raw_end >= ?",
            (row["book_id"], row["raw_start"], row["raw_end"]),
        ).fetchall()
        assert row["unit_id"] in {u["id"] for u in inside if u["length"] == min(v["length"] for v in inside)}


# Questions


@pytest.mark.parametrize("name", [q.name for q in QUERIES])
async def test_every_question_is_answered_though_sql_is_closed(fuller: Path, name: str) -> None:
    ds = datasette_plugins.instance(fuller)
    await ds.invoke_startup()
    answer = await ds.client.get(f"/fuller/{name}.json?_shape=array")
    assert answer.status_code == 200 and answer.json(), name
    assert (await ds.client.get(f"/fuller/{name}.csv")).status_code == 200
    page = html.document_fromstring((await ds.client.get(f"/fuller/{name}")).text)
    assert page.findtext(".//h1").strip() == next(q.title for q in QUERIES if q.name == name)
    assert (await ds.client.get("/fuller.json?sql=select+1")).status_code == 403


async def test_a_question_is_filled_in_by_its_address(ds: Datasette) -> None:
    address = "/small/topic-through-time.json?_shape=array"
    asked, other = [(await ds.client.get(f"{address}&topic={topic}")).json() for topic in ("REVOKE", "penalty")]
    assert {row["state"] for row in asked} == {"answered", "silent"} and other == []


def test_a_concept_is_found_by_its_id_and_by_its_terms(rows_of: sqlite3.Connection) -> None:
    by_id, by_term, every = (ask(rows_of, "concept-by-code", concept=c) for c in ("revoke", "Revoke", ""))
    assert by_id == by_term and 0 < len(by_id) < len(every)
    assert "english-1864/law-72" in {row["provision"] for row in by_id}


def test_the_provisions_that_have_a_word_are_counted_by_code(rows_of: sqlite3.Connection) -> None:
    found = {row["code"]: (row["provisions"], row["of_all"]) for row in ask(rows_of, "mentions", word="revoked")}
    assert found["english-1864"][0] == sum(
        "revok" in text.lower()
        for (text,) in rows_of.execute("select text from provision where code_id = 'english-1864'")
    )
    every = dict(rows_of.execute("select code_id, count(*) from provision group by 1"))
    assert {code: of_all for code, (_, of_all) in found.items()} == every
    assert not any(row["provisions"] for word in ("", '"', "*") for row in ask(rows_of, "mentions", word=word))


def test_what_is_linked_has_a_counterpart_and_what_is_not_looked_for_is_not_listed(rows_of: sqlite3.Connection) -> None:
    found = ask(rows_of, "without-counterpart")
    told = [(row["provision"], row["lacking_in"]) for row in found]
    assert ("english-1864/law-77", "American code") in told and not [
        row for row in told if row[0] == "english-1864/law-72"
    ]
    assert ask(rows_of, "without-counterpart", other="american-1893") == []
    with closing(sqlite3.connect(":memory:")) as copy:
        rows_of.backup(copy)
        copy.row_factory = rows_of.row_factory
        copy.execute("insert into lack values ('american-1894', 'law', 'The book leaves them out.')")
        assert "American code" not in {row["lacking_in"] for row in ask(copy, "without-counterpart")}


def test_the_concordance_takes_a_paragraph_for_its_provision(rows_of: sqlite3.Connection) -> None:
    found = {row["provision"]: row["counterparts"] for row in ask(rows_of, "concordance", code="english-1864")}
    assert found["english-1864/law-72"] == "1829: 21; 1893: 30; 1894: 30" and found["english-1864/law-77"] is None


def test_what_changed_between_two_codes_differs_under_one_number(rows_of: sqlite3.Connection) -> None:
    found = ask(rows_of, "changed-between", earlier="american-1893", later="american-1894")
    assert {row["a"].partition("/")[2] for row in found} == {row["b"].partition("/")[2] for row in found} != set()
    assert all(row["text_then"] != row["text_later"] for row in found)
    assert ask(rows_of, "changed-between", earlier="american-1894", later="american-1893") == []


def test_same_words_tells_whether_they_agree_to_the_letter(rows_of: sqlite3.Connection) -> None:
    texts = dict(rows_of.execute("select id, text from unit").fetchall())
    found = ask(rows_of, "same-words")
    assert found and all(row["to_the_letter"] == (texts[row["a"]] == texts[row["b"]]) for row in found)


def test_doubtful_words_are_those_below_what_is_asked(rows_of: sqlite3.Connection) -> None:
    assert max(row["confidence"] for row in ask(rows_of, "doubtful")) < 0.8
    assert len(ask(rows_of, "doubtful", below="0.99")) > len(ask(rows_of, "doubtful", below="0.6")) > 0


# What Datasette tells, and where cells lead


def test_every_column_that_is_named_for_showing_is_there() -> None:
    columns = {t.name: {c.name for c in t.columns} for t in TABLES} | {v.name: set(v.columns) for v in VIEWS}
    columns["word"] = {"word", "count"}
    for name, shown in SHOWN.items():
        named = {*shown.facets, *shown.sortable, *filter(None, (shown.label, shown.sort.removeprefix("-")))}
        assert named <= columns[name], name


def test_every_column_is_described_with_its_unit() -> None:
    tables = metadata("whist")["databases"]["whist"]["tables"]
    described = {(t, c): words for t, table in tables.items() for c, words in table.get("columns", {}).items()}
    assert described and all(described.values())
    assert "(characters)" in described["unit", "raw_start"] and "(probability)" in described["edit", "confidence"]


@pytest.mark.parametrize("name", sorted(SHOWN))
async def test_every_table_is_shown_as_it_is_described(ds: Datasette, name: str) -> None:
    assert (await ds.client.get(f"/small/{name}")).status_code == 200
    for column in SHOWN[name].sortable:
        assert (await ds.client.get(f"/small/{name}.json?_sort={column}")).status_code == 200


async def test_tables_without_rows_are_not_listed(ds: Datasette) -> None:
    listed = html.document_fromstring((await ds.client.get("/small")).text).xpath(
        "//div[@class='db-table']/h3/a/text()"
    )
    told = {t["name"] for t in (await ds.client.get("/data.json")).json()["tables"]}
    assert "unit" in listed and not {"moved", "suggestion", "entry_fts"} & ({*listed} | told)


@pytest.mark.parametrize(
    ("table", "text", "where"),
    [
        ("unit?id=english-1864/law-72", "Law 72", "/english-1864/law-72"),
        ("citation", "Law 72", "/english-1864/law-72"),
        ("provision", "english-1864/law-72", "/english-1864/law-72"),
        ("provision", "english-1864", "/code/english-1864"),
        ("concept", "revoke", "/concept/revoke"),
        ("topic", "Revoke", "/compare/revoke"),
        ("answer", "american-1894/law-30", "/american-1894/law-30"),
        ("concept-by-code", "english-1864/law-72", "/english-1864/law-72"),
        ("book", "Whist Laws", "/book/drayson-1896"),
    ],
)
async def test_cells_lead_to_the_reading_pages(ds: Datasette, table: str, text: str, where: str) -> None:
    page = html.document_fromstring((await ds.client.get(f"/small/{table}")).text)
    links = {(a.text, a.get("href")) for a in page.xpath("//td//a")}
    assert (text, where) in links, sorted(links)
    assert (await ds.client.get(where)).status_code == 200


async def test_what_names_no_unit_is_no_link(ds: Datasette) -> None:
    page = html.document_fromstring((await ds.client.get("/small/facet")).text)
    assert not [
        a for a in page.xpath("//td//a") if a.text and a.text.startswith("revoke/") and "/small/" not in a.get("href")
    ]


async def test_links_of_cells_are_under_the_base_url(database: Path) -> None:
    ds = datasette_plugins.instance(database, base_url="/whist/")
    await ds.invoke_startup()
    page = html.document_fromstring((await ds.client.get("/small/provision")).text)
    assert page.xpath("//td//a[.='english-1864/law-72']/@href") == ["/whist/english-1864/law-72"]


async def test_the_tables_never_hold_the_last_thread(ds: Datasette) -> None:
    assert (await ds.client.get("/english-1864/law-71")).status_code == 200  # the first of all is slow
    db = ds.get_database("small")
    ds.sql_time_limit_ms = 3000
    slow = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
    asked = [asyncio.create_task(db.execute(slow)) for _ in range(4)]
    await asyncio.sleep(0.1)
    page = asyncio.create_task(ds.client.get("/english-1864/law-72"))
    first, _ = await asyncio.wait([page, *asked], return_when=asyncio.FIRST_COMPLETED)
    assert first == {page} and page.result().status_code == 200
    for waiting in asked[2:]:
        waiting.cancel()
    await asyncio.gather(*asked, return_exceptions=True)
