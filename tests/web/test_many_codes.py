"""A library with more codes than fit side by side: the small library, with the limits lowered to two codes."""

import sqlite3

import pytest
from datasette.app import Datasette
from reading_pages import content, data, get, lines, twin

from kb.comparison import answers, concordance, table, topics, treatment
from kb.read.rows import CodeRow

ASKED = "My+partner+revoked%3B+what+is+the+penalty%3F"
ALL = ("arnaud-1829", "english-1864", "american-1893", "american-1894")


@pytest.fixture(autouse=True)
def two_codes_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show at most two codes side by side."""
    monkeypatch.setattr(table, "MOST", 2)
    monkeypatch.setattr(table, "USUAL", 2)


# Which codes


@pytest.mark.parametrize(
    ("counts", "named", "chosen"),
    [
        # The codes with the highest counts, oldest first.
        ({"c-1804": 2, "c-1802": 3, "c-1801": 1}, [], ["c-1802", "c-1804"]),
        ({}, [], ["c-1801", "c-1802"]),
        # The named codes, in the order in which they are named.
        ({"c-1801": 9}, ["c-1804", "none", "c-1802", "c-1804", "c-1803"], ["c-1804", "c-1802"]),
    ],
)
def test_choice_of_codes_side_by_side(counts: dict[str, int], named: list[str], chosen: list[str]) -> None:
    codes = [CodeRow(f"c-{year}", "", "", year, "", "", "Law", "") for year in (1801, 1802, 1803, 1804)]
    assert [code.id for code in table.side_by_side(tuple(codes), counts, named)] == chosen


# What is shown


SHOWN_OF = "//p[contains(@class, 'shown-of')]"


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("/compare/revoke", {
            SHOWN_OF: ["2 of 4 codes are shown: those that answer most of its questions. Choose others."],
            # Every code can be chosen by a labelled checkbox.
            "//form[contains(@class, 'choose')]//input[@name = 'codes'][@id = //label/@for]/@value": list(ALL),
            "//details[@id = 'others-of']//input[@name = 'codes'][not(@checked)]/@value": list(ALL[2:]),
            "//details[@id = 'others-of']//input[@checked]": [],
        }),
        ("/compare/revoke-penalty", {
            SHOWN_OF: ["2 of 4 codes are shown: those that say most on it. Choose others."],
        }),
        ("/concordance?by=english-1864", {
            SHOWN_OF: ["2 of 3 codes are shown: those with most provisions linked to it. Choose others."],
        }),
        (f"/dispute?q={ASKED}", {
            SHOWN_OF: [
                "2 of 4 codes are shown: those with the most similar provisions. Choose any other above."
            ],
        }),
        ("/compare/revoke.json", {"codes": ["arnaud-1829", "english-1864"], "every": 4}),
        ("/compare/revoke.json?codes=american-1894&codes=arnaud-1829", {
            "codes": ["american-1894", "arnaud-1829"],
            "url": "http://localhost/compare/revoke?codes=american-1894,arnaud-1829",
        }),
        (f"/compare/revoke.json?codes={','.join(ALL)}", {
            "codes": ["arnaud-1829", "english-1864"],
            "notes": ["4 codes were named; the first 2 of them are shown."],
        }),
        # Only questions that the shown codes answer are listed.
        ("/compare/revoke.json?codes=arnaud-1829", {
            "questions.*.id": ["revoke/definition", "revoke/penalty"], "asked": 2, "left": 2,
        }),
        # A concept lists the codes that say nothing on it.
        ("/compare/revoke-penalty.json", {
            "codes": ["arnaud-1829", "english-1864"], "every": 4,
            "columns.*.codes": [["arnaud-1829"], ["english-1864"]], "silent": ["american-1893", "american-1894"],
        }),
        ("/compare/revoke-penalty.json?codes=american-1894", {
            "codes": ["american-1894"], "url": "http://localhost/compare/revoke-penalty?codes=american-1894",
        }),
        ("/concordance.json?by=english-1864", {
            "codes": ["arnaud-1829", "american-1893"], "every": 4,
            # The state of a cell does not depend on the codes beside it.
            "provisions.*.cells.*.state": [["not judged"] * 2, ["linked"] * 2, ["not judged"] * 2],
            "without": {"arnaud-1829": [], "american-1893": [{"id": "american-1893/law-28", "state": "none"}]},
        }),
        ("/concordance.json?by=english-1864&codes=arnaud-1829,american-1894", {
            "codes": ["arnaud-1829", "american-1894"],
        }),
        ("/concordance.json?by=english-1864&against=american-1893", {"codes": ["american-1893"]}),
        (f"/dispute.json?q={ASKED}", {"issues.*.opinions.*.code": [["english-1864", "american-1893"]]}),
        (f"/dispute.json?q={ASKED}&code=american-1894", {"issues.*.opinions.*.code": [["american-1894"]]}),
    ],
)  # fmt: skip
async def test_page_and_json_have_the_named_codes_or_those_with_most_content(
    ds: Datasette, path: str, places: dict[str, object]
) -> None:
    assert await content(ds, path, places) == places


@pytest.mark.parametrize(
    ("path", "column", "codes"),
    [
        ("/compare/revoke.csv", "code", {"arnaud-1829", "english-1864"}),
        ("/concordance.csv?by=english-1864&codes=arnaud-1829", "other_code", {"arnaud-1829"}),
    ],
)
async def test_csv_has_only_the_codes_that_are_shown(ds: Datasette, path: str, column: str, codes: set[str]) -> None:
    assert {line[column] for line in await lines(ds, path)} == codes


def test_long_list_keeps_the_provisions_with_most_mentions(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = topics.find_topic(conn, "revoke")
    whole = treatment.treatment(conn, topic, ["english-1864"])
    monkeypatch.setattr(treatment, "PROVISIONS_ON_A_PAGE", 1)
    cut = treatment.treatment(conn, topic, ["english-1864"])
    all_counts, kept = ([p.times for column in t.columns for p in column.provisions] for t in (whole, cut))
    assert (whole.most, cut.most) == (0, 1) and kept == [max(all_counts)] and len(all_counts) > 1


# Pages


@pytest.mark.parametrize(
    ("path", "bound", "rows"),
    [
        ("/compare/revoke", (answers, "questions_on_a_page", lambda codes: 1), "questions"),
        ("/compare/revoke?codes=english-1864,american-1893&differ=1",
         (answers, "questions_on_a_page", lambda codes: 1), "questions"),
        ("/concept/revoke", (topics, "UNITS_ON_A_PAGE", 1), "units"),
        ("/concordance?by=english-1864", (concordance, "ROWS_ON_A_PAGE", 1), "provisions"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
async def test_pages_of_a_long_list_have_each_row_once(
    ds: Datasette, monkeypatch: pytest.MonkeyPatch, path: str, bound: tuple[object, str, object], rows: str
) -> None:
    whole = (await data(ds, twin(path)))[rows]
    monkeypatch.setattr(*bound)
    numbered = path + ("&" if "?" in path else "?") + "page="
    pages = [await data(ds, twin(f"{numbered}{n}")) for n in range(1, len(whole) + 1)]
    assert len(whole) > 1 == len(pages[0][rows]) and {page["pages"] for page in pages} == {len(whole)}
    assert [row for page in pages for row in page[rows]] == whole
    beyond = await data(ds, twin(f"{numbered}999"))
    assert beyond["page"] == len(whole) and f"page={len(whole)}" in beyond["url"]
    (after,) = (await get(ds, path)).xpath("//nav[contains(@class, 'pages')]//a[@rel = 'next']/@href")
    (before,) = (await get(ds, after)).xpath("//nav[contains(@class, 'pages')]//a[@rel = 'prev']/@href")
    assert "page=2" in after and "page=" not in before


@pytest.mark.parametrize("path", ["/compare/revoke.csv", "/concordance.csv?by=english-1864"])
async def test_csv_has_all_rows(ds: Datasette, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    whole = (await ds.client.get(path)).text
    monkeypatch.setattr(answers, "questions_on_a_page", lambda codes: 1)
    monkeypatch.setattr(concordance, "ROWS_ON_A_PAGE", 1)
    assert len(whole.splitlines()) > 4 and (await ds.client.get(path)).text == whole


async def test_provisions_without_a_counterpart_are_listed_on_the_last_page(
    ds: Datasette, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = await data(ds, "/concordance.json?by=english-1864")
    monkeypatch.setattr(concordance, "ROWS_ON_A_PAGE", 2)
    monkeypatch.setattr(concordance, "MOST_WITHOUT", 1)
    first, last = [await data(ds, f"/concordance.json?by=english-1864&page={n}") for n in (1, 2)]
    assert not any(first["without"].values())
    assert last["without"] == {code: listed[:1] for code, listed in whole["without"].items()}
