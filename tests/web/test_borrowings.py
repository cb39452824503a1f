"""The pages of borrowings: who took from whom, provision by provision, and the families."""

from __future__ import annotations

import csv
import io
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from datasette.app import Datasette
from lxml import html

import datasette_plugins
from kb.comparison import borrowing
from kb.comparison.borrowing import Borrowing


async def get(ds: Datasette, path: str) -> html.HtmlElement:
    response = await ds.client.get(path)
    assert response.status_code == 200, path
    return html.document_fromstring(response.text)


async def data(ds: Datasette, path: str) -> Any:
    return (await ds.client.get(path)).json()


def words(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


async def test_every_code_stands_against_each_earlier_one(ds: Datasette) -> None:
    page = await get(ds, "/borrowings")
    table = page.xpath("//table[contains(@class, 'borrowed')]")[0]
    assert [words(th) for th in table.xpath(".//thead//th")] == [
        "1829 Arnaud’s laws", "1864 English club code", "1893 American code of",
    ]  # fmt: skip
    cells = {words(row.find("th")): [words(td) for td in row.findall("td")] for row in table.xpath(".//tbody/tr")}
    assert cells == {
        "English club code, 1864": ["·", "", ""], "American code of 1893": ["", "", ""],
        "American code, 1894": ["", "", "100"],
    }  # fmt: skip
    (nearest,) = page.xpath("//ul[contains(@class, 'owes')]/li")
    assert words(nearest) == (
        "American code, 1894: 100 % of its 2 provisions are also in American code of 1893 (2 in the same words)"
    )


async def test_a_code_with_what_it_took_and_gave(ds: Datasette) -> None:
    found = await data(ds, "/borrowings/american-1893.json")
    assert [(b["code"], b["source"], b["share"]) for b in found["borrowings"]] == [
        ("american-1894", "american-1893", 1.0)
    ]
    assert found["families"][0] == {"codes": 2, "members": ["american-1893/law-28", "american-1894/law-28"]}
    page = await get(ds, "/borrowings/american-1893")
    assert page.xpath("//h2/text()")[:1] == ["What later codes have of it"]


async def test_two_codes_provision_by_provision(ds: Datasette) -> None:
    found = await data(ds, "/borrowings/american-1894/american-1893.json")
    assert [(p["id"], p["source"], p["relation"], p["judge"]) for p in found["provisions"]] == [
        ("american-1894/law-28", "american-1893/law-28", "same-text", "machine"),
        ("american-1894/law-30", "american-1893/law-30", "same-text", "editor"),
    ]
    part = await data(ds, "/borrowings/english-1864/arnaud-1829.json")
    assert [p["relation"] for p in part["provisions"]] == ["narrower"], "of the later to the earlier"
    assert "None of its provisions" in words(await get(ds, "/borrowings/american-1893/arnaud-1829"))


async def test_two_codes_are_summed_up_by_what_there_is(ds: Datasette) -> None:
    for path, told in (
        ("american-1894/american-1893", "Of its 2 laws, 2 (100 %) are also in American code of 1893, in the same "
         "words. For 2 of these, no earlier code is closer."),
        ("english-1864/arnaud-1829", "Of its 3 laws, 1 (33 %) is also in Arnaud’s laws, 1829, in part."),
    ):  # fmt: skip
        assert told in [words(p) for p in (await get(ds, f"/borrowings/{path}")).xpath("//main/p")]


async def test_the_other_way_round_leads_to_the_page_and_what_is_no_code_is_told(ds: Datasette) -> None:
    turned = await ds.client.get("/borrowings/american-1893/american-1894")
    assert (turned.status_code, turned.headers["location"]) == (301, "/borrowings/american-1894/american-1893")
    same = await ds.client.get("/borrowings/american-1893/american-1893.json")
    assert (same.status_code, same.headers["location"]) == (301, "/borrowings/american-1893.json")
    for path in ("/borrowings/bezique", "/borrowings/american-1893/bezique"):
        assert (await ds.client.get(path)).status_code == 404


async def test_the_start_of_comparison_leads_there(ds: Datasette) -> None:
    assert (await get(ds, "/compare")).xpath("//main//a[@href='/borrowings']")


async def test_all_pairs_as_csv(ds: Datasette) -> None:
    response = await ds.client.get("/borrowings.csv")
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert tuple(rows[0]) == borrowing.COLUMNS
    assert [(r["code"], r["source_year"], r["share"]) for r in rows] == [
        ("english-1864", "1829", "0.0000"), ("american-1894", "1893", "1.0000"),
    ]  # fmt: skip


@pytest.fixture
async def bare(database: Path, tmp_path: Path) -> Datasette:
    """The small library without a provision that two codes print."""
    path = Path(shutil.copy(database, tmp_path / "bare.db"))
    with closing(sqlite3.connect(path)) as conn:
        conn.executescript("delete from borrowing; delete from family;")
    ds = datasette_plugins.instance(path)
    await ds.invoke_startup()
    return ds


async def test_without_borrowings_the_page_says_so_and_no_map_names_it(bare: Datasette) -> None:
    assert "No code of this library prints a provision of an earlier one." in words(await get(bare, "/borrowings"))
    assert "/borrowings" not in (await bare.client.get("/sitemap.xml")).text
    for page in ("/compare", "/code/american-1894"):
        assert "/borrowings" not in (await bare.client.get(page)).text


def test_families_in_most_codes_come_first_and_can_be_paged(conn: sqlite3.Connection) -> None:
    assert borrowing.family_count(conn) == 2 == borrowing.family_count(conn, "american-1894")
    assert borrowing.family_count(conn, "english-1864") == 0
    first, second = (borrowing.families(conn, limit=1, skipped=n)[0] for n in (0, 1))
    assert [u.id for u in second.members] == ["american-1893/law-30", "american-1894/law-30"]
    assert first.codes == 2


def test_the_nearest_is_that_of_most_words_or_else_of_most_rules() -> None:
    found = [Borrowing("c", "a", 9, 5, 0, 0, 1), Borrowing("c", "b", 9, 4, 0, 0, 3), Borrowing("d", "a", 9, 0, 2, 0, 0),
             Borrowing("d", "b", 9, 0, 3, 0, 0), Borrowing("e", "a", 9, 0, 0, 4, 0)]  # fmt: skip
    assert {code: b.source for code, b in borrowing.chief(found).items()} == {"c": "b", "d": "b"}
