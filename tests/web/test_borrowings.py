"""The pages of borrowings: who took from whom, provision by provision, and the families."""

from __future__ import annotations

import csv
import io
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from datasette.app import Datasette
from pages import altered, data, get, shown

from kb.comparison import borrowing
from kb.comparison.borrowing import Borrowing


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("/borrowings", {
            "//table[contains(@class, 'borrowed')]//thead//th": [
                "1829 Arnaud’s laws", "1864 English club code", "1893 American code of"
            ],
            "//table[contains(@class, 'borrowed')]//tbody/tr/th": [
                "English club code, 1864", "American code of 1893", "American code, 1894"
            ],
            "//table[contains(@class, 'borrowed')]//tbody/tr/td": ["·", "", "", "", "", "", "", "", "100"],
            "//ul[contains(@class, 'owes')]/li": [
                "American code, 1894: 100 % of its 2 provisions are also in American code of 1893 (2 in the same words)"
            ],
        }),
        ("/borrowings/american-1893", {
            "//h2": ["What later codes have of it", "Families 2 rules that several provisions print"],
        }),
        ("/borrowings/american-1894/american-1893", {
            "//main/p[1]": [
                "Of its 2 laws, 2 (100 %) are also in American code of 1893, in the same words. "
                "For 2 of these, no earlier code is closer."
            ],
        }),
        ("/borrowings/english-1864/arnaud-1829", {
            "//main/p[1]": ["Of its 3 laws, 1 (33 %) is also in Arnaud’s laws, 1829, in part."],
        }),
        ("/borrowings/american-1893/arnaud-1829", {"//main/p[1]": ["None of its provisions is in the other."]}),
        ("/compare", {"//main//a/@href[. = '/borrowings']": ["/borrowings"]}),
    ],
)  # fmt: skip
async def test_what_stands_on_a_page(ds: Datasette, path: str, places: dict[str, list[str]]) -> None:
    assert shown(await get(ds, path), places) == places


@pytest.mark.parametrize(
    ("path", "key", "told"),
    [
        ("american-1893", "borrowings", [
            {"code": "american-1894", "source": "american-1893", "provisions": 2, "same": 2, "equivalent": 0, "part": 0,
             "nearest": 2, "share": 1.0},
        ]),
        ("american-1893", "families", [
            {"codes": 2, "members": ["american-1893/law-28", "american-1894/law-28"]},
            {"codes": 2, "members": ["american-1893/law-30", "american-1894/law-30"]},
        ]),
        ("american-1894/american-1893", "provisions", [
            {"id": "american-1894/law-28", "source": "american-1893/law-28", "relation": "same-text", "score": 0.99,
             "judge": "machine"},
            {"id": "american-1894/law-30", "source": "american-1893/law-30", "relation": "same-text", "score": 0.99,
             "judge": "editor"},
        ]),
        # The relation is that of the later to the earlier.
        ("english-1864/arnaud-1829", "provisions", [
            {"id": "english-1864/law-72", "source": "arnaud-1829/law-21", "relation": "narrower", "score": 0.64,
             "judge": "machine"},
        ]),
    ],
)  # fmt: skip
async def test_the_data_of_a_page(ds: Datasette, path: str, key: str, told: list[Any]) -> None:
    assert (await data(ds, f"/borrowings/{path}.json"))[key] == told


async def test_the_other_way_round_leads_to_the_page_and_what_is_no_code_is_told(ds: Datasette) -> None:
    turned = await ds.client.get("/borrowings/american-1893/american-1894")
    assert (turned.status_code, turned.headers["location"]) == (301, "/borrowings/american-1894/american-1893")
    same = await ds.client.get("/borrowings/american-1893/american-1893.json")
    assert (same.status_code, same.headers["location"]) == (301, "/borrowings/american-1893.json")
    for path in ("/borrowings/bezique", "/borrowings/american-1893/bezique"):
        assert (await ds.client.get(path)).status_code == 404


async def test_all_pairs_as_csv(ds: Datasette) -> None:
    response = await ds.client.get("/borrowings.csv")
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert tuple(rows[0]) == borrowing.COLUMNS
    assert [(r["code"], r["source_year"], r["share"]) for r in rows] == [
        ("english-1864", "1829", "0.0000"), ("american-1894", "1893", "1.0000"),
    ]  # fmt: skip


async def test_without_borrowings_the_page_says_so_and_no_map_names_it(database: Path, tmp_path: Path) -> None:
    bare = await altered(database, tmp_path, "delete from borrowing; delete from family;")
    told = "No code of this library prints a provision of an earlier one."
    assert told in (await bare.client.get("/borrowings")).text
    for page in ("/sitemap.xml", "/compare", "/code/american-1894"):
        assert "/borrowings" not in (await bare.client.get(page)).text


def test_families_are_counted_and_can_be_paged(conn: sqlite3.Connection) -> None:
    codes = ("", "american-1894", "english-1864")
    assert [borrowing.family_count(conn, code) for code in codes] == [2, 2, 0]
    (second,) = borrowing.families(conn, limit=1, skipped=1)
    assert [u.id for u in second.members] == ["american-1893/law-30", "american-1894/law-30"]


def test_the_nearest_is_that_of_most_words_or_else_of_most_rules() -> None:
    found = [Borrowing("c", "a", 9, 5, 0, 0, 1), Borrowing("c", "b", 9, 4, 0, 0, 3), Borrowing("d", "a", 9, 0, 2, 0, 0),
             Borrowing("d", "b", 9, 0, 3, 0, 0), Borrowing("e", "a", 9, 0, 0, 4, 0)]  # fmt: skip
    assert {code: b.source for code, b in borrowing.chief(found).items()} == {"c": "b", "d": "b"}
