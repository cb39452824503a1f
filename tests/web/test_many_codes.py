"""Where a library has more codes than can be set side by side: the small library, with the bounds lowered to two."""

from __future__ import annotations

import csv
import io
import sqlite3
from typing import Any
from urllib.parse import urlsplit

import pytest
from datasette.app import Datasette
from lxml import html

from kb.comparison import answers, concordance, table, topics, treatment
from kb.read.rows import CodeRow

ALL = ("arnaud-1829", "english-1864", "american-1893", "american-1894")


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no room for more than two codes side by side."""
    monkeypatch.setattr(table, "MOST", 2)
    monkeypatch.setattr(table, "USUAL", 2)


async def page_of(ds: Datasette, path: str) -> html.HtmlElement:
    response = await ds.client.get(path)
    assert response.status_code == 200
    return html.document_fromstring(response.text)


async def data(ds: Datasette, path: str) -> Any:
    return (await ds.client.get(path)).json()


def told(page: html.HtmlElement) -> str:
    return " ".join(" ".join(page.xpath("//p[contains(@class, 'shown-of')]//text()")).split())


def code(i: str, year: int) -> CodeRow:
    return CodeRow(i, i, i, year, "", "", "Law", "")


# Which codes


def test_those_with_most_to_tell_are_shown_oldest_first_or_those_named_in_their_order() -> None:
    every = tuple(code(f"c-{year}", year) for year in (1801, 1802, 1803, 1804))
    shown = table.side_by_side(every, {"c-1804": 2, "c-1802": 3, "c-1801": 1})
    assert [c.id for c in shown] == ["c-1802", "c-1804"]
    assert [c.id for c in table.side_by_side(every, {})] == ["c-1801", "c-1802"]
    named = table.side_by_side(every, {"c-1801": 9}, ["c-1804", "none", "c-1802", "c-1804", "c-1803"])
    assert [c.id for c in named] == ["c-1804", "c-1802"]
    assert table.side_by_side(every[:2], {"c-1802": 3}) == every[:2]


# A topic


async def test_a_topic_shows_the_codes_that_answer_most_and_says_so(ds: Datasette, conn: sqlite3.Connection) -> None:
    found = await data(ds, "/compare/revoke.json")
    counts = dict(conn.execute("select code_id, count(*) from cell where cites <> '[]' group by 1"))
    least = min(counts.get(i, 0) for i in found["codes"])
    assert len(found["codes"]) == 2 and found["every"] == len(ALL)
    assert all(counts.get(i, 0) <= least for i in ALL if i not in found["codes"])
    page = await page_of(ds, "/compare/revoke")
    assert told(page) == "2 of 4 codes are shown: those that answer most of its questions. Choose others ."
    assert len(page.xpath("//table[contains(@class, 'answer-table')]//thead//th")) <= 3


async def test_every_other_code_can_be_chosen_by_a_box_with_a_label(ds: Datasette) -> None:
    page = await page_of(ds, "/compare/revoke")
    boxes = page.xpath("//form[contains(@class, 'choose')]//input[@name = 'codes']")
    assert sorted(box.get("value") for box in boxes) == sorted(ALL)
    assert all(page.xpath(f"//label[@for = '{box.get('id')}']") for box in boxes)
    folded = page.xpath("//details[@id = 'others-of']//input[@name = 'codes']")
    assert len(folded) == 2 and not any(box.get("checked") for box in folded)
    chosen = await data(ds, "/compare/revoke.json?codes=american-1894&codes=arnaud-1829")
    assert chosen["codes"] == ["american-1894", "arnaud-1829"]
    assert chosen["url"].endswith("/compare/revoke?codes=american-1894,arnaud-1829")


async def test_more_codes_than_have_room_are_left_out_and_told(ds: Datasette) -> None:
    found = await data(ds, f"/compare/revoke.json?codes={','.join(ALL)}")
    assert found["codes"] == list(ALL[:2])
    assert found["notes"] == ["4 codes were named; the first 2 of them are shown."]


async def test_only_what_the_codes_shown_answer_is_asked_of_them(ds: Datasette, conn: sqlite3.Connection) -> None:
    for chosen in (["arnaud-1829"], ["english-1864", "american-1893"]):
        found = await data(ds, f"/compare/revoke.json?codes={','.join(chosen)}")
        answered = {
            facet for facet, by, cites in conn.execute("select facet_id, code_id, cites from cell")
            if by in chosen and cites != "[]"
        }  # fmt: skip
        assert {q["id"] for q in found["questions"]} == answered
        assert found["asked"] == found["left"] == len(answered)
        assert all(list(q["answers"]) == chosen for q in found["questions"])


async def test_csv_and_markdown_have_the_same_codes(ds: Datasette) -> None:
    found = await data(ds, "/compare/revoke.json")
    lines = list(csv.DictReader(io.StringIO((await ds.client.get("/compare/revoke.csv")).text)))
    assert {line["code"] for line in lines} == set(found["codes"])
    assert len(lines) == 2 * found["asked"]
    other = (await ds.client.get("/compare/revoke.md?codes=arnaud-1829,american-1894")).text
    assert "1829" in other and "1864" not in other.partition("## ")[0].partition("|")[2]


async def test_leaving_out_agreement_looks_at_the_codes_shown(ds: Datasette) -> None:
    every, few = [
        await data(ds, f"/compare/revoke.json?codes=american-1893,american-1894{also}") for also in ("", "&differ=1")
    ]
    assert [q["id"] for q in few["questions"]] == [q["id"] for q in every["questions"] if not q["agreed"]]
    assert few["asked"] == every["asked"] and few["left"] == len(few["questions"])


@pytest.mark.parametrize("also", ["", "codes=english-1864,american-1893&differ=1&"])
async def test_the_pages_of_questions_have_each_once(ds: Datasette, monkeypatch: pytest.MonkeyPatch, also: str) -> None:
    whole = await data(ds, f"/compare/revoke.json?{also}")
    monkeypatch.setattr(answers, "questions_on_a_page", lambda codes: 1)
    pages = [await data(ds, f"/compare/revoke.json?{also}page={n}") for n in range(1, whole["left"] + 1)]
    assert whole["left"] > 1 and {page["pages"] for page in pages} == {whole["left"]}
    assert [q for page in pages for q in page["questions"]] == whole["questions"]
    beyond = await data(ds, f"/compare/revoke.json?{also}page=999")
    assert beyond["page"] == whole["left"] and f"page={whole['left']}" in beyond["url"]
    first = await page_of(ds, f"/compare/revoke?{also}")
    (after,) = first.xpath("//nav[@aria-label = 'Pages of questions']//a[@rel = 'next']/@href")
    assert (await page_of(ds, after)).xpath("//a[@rel = 'prev']")
    csv_lines = (await ds.client.get(f"/compare/revoke.csv?{also}")).text.splitlines()
    assert len(csv_lines) == 1 + 2 * whole["left"]


# A concept


async def test_a_concept_shows_the_codes_that_say_most_and_lets_others_be_chosen(ds: Datasette) -> None:
    found = await data(ds, "/compare/revoke-penalty.json")
    assert len(found["codes"]) <= 2 and found["every"] == 4
    shown = {c for column in found["columns"] for c in column["codes"]}
    assert shown and shown <= set(found["codes"]) and not shown & set(found["silent"])
    page = await page_of(ds, "/compare/revoke-penalty")
    assert "2 of 4 codes are shown: those that say most on it." in told(page)
    other = next(c for c in ALL if c not in found["codes"])
    chosen = await data(ds, f"/compare/revoke-penalty.json?codes={other}")
    assert chosen["codes"] == [other] and chosen["url"].endswith(f"?codes={other}")


def test_of_very_many_provisions_each_code_has_those_that_name_it_most(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = topics.find_topic(conn, "revoke")
    assert topic is not None
    whole = treatment.treatment(conn, topic, ["english-1864"])
    monkeypatch.setattr(treatment, "PROVISIONS_ON_A_PAGE", 1)
    cut = treatment.treatment(conn, topic, ["english-1864"])
    every, few = ([p for column in t.columns for p in column.provisions] for t in (whole, cut))
    assert whole.most == 0 and cut.most == 1 == len(few) < len(every)
    assert few[0].times == max(p.times for p in every)


async def test_the_places_of_a_concept_stand_on_pages(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = await data(ds, "/concept/revoke.json")
    monkeypatch.setattr(topics, "UNITS_ON_A_PAGE", 2)
    last = -(-whole["total"] // 2)
    pages = [await data(ds, f"/concept/revoke.json?page={n}") for n in range(1, last + 1)]
    assert last > 1 and {page["pages"] for page in pages} == {last}
    assert [u["id"] for page in pages for u in page["units"]] == [u["id"] for u in whole["units"]]
    page = await page_of(ds, "/concept/revoke")
    (after,) = page.xpath("//nav[@class = 'pages']//a[@rel = 'next']/@href")
    assert urlsplit(after).query == "page=2"


# The concordance


async def test_the_concordance_shows_the_codes_most_linked_or_those_named(ds: Datasette) -> None:
    found = await data(ds, "/concordance.json?by=english-1864")
    assert len(found["codes"]) == 2 and all(set(row["cells"]) == set(found["codes"]) for row in found["provisions"])
    page = await page_of(ds, "/concordance?by=english-1864")
    assert told(page).startswith("2 of 3 codes are shown: those with most provisions linked to it.")
    named = await data(ds, "/concordance.json?by=english-1864&codes=arnaud-1829,american-1894")
    assert named["codes"] == ["arnaud-1829", "american-1894"]
    alone = await data(ds, "/concordance.json?by=english-1864&against=american-1893")
    assert alone["codes"] == ["american-1893"]
    lines = csv.DictReader(
        io.StringIO((await ds.client.get("/concordance.csv?by=english-1864&codes=arnaud-1829")).text)
    )
    assert {line["other_code"] for line in lines} == {"arnaud-1829"}


async def test_what_a_cell_says_does_not_hang_on_the_codes_beside_it(
    ds: Datasette, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = await data(ds, "/concordance.json?by=american-1894&codes=english-1864")
    monkeypatch.setattr(table, "MOST", 9)
    whole = await data(ds, "/concordance.json?by=american-1894")
    assert [row["cells"]["english-1864"] for row in few["provisions"]] == [
        row["cells"]["english-1864"] for row in whole["provisions"]
    ]
    assert few["without"]["english-1864"] == whole["without"]["english-1864"]


async def test_the_pages_of_the_concordance_have_each_provision_once(
    ds: Datasette, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = await data(ds, "/concordance.json?by=english-1864")
    rows = len(whole["provisions"])
    monkeypatch.setattr(concordance, "ROWS_ON_A_PAGE", 1)
    monkeypatch.setattr(concordance, "MOST_WITHOUT", 1)
    pages = [await data(ds, f"/concordance.json?by=english-1864&page={n}") for n in range(1, rows + 1)]
    assert rows > 1 and {page["pages"] for page in pages} == {rows}
    assert [row for page in pages for row in page["provisions"]] == whole["provisions"]
    assert not any(any(page["without"].values()) for page in pages[:-1])
    assert all(listed == whole["without"][code][:1] for code, listed in pages[-1]["without"].items())
    page = await page_of(ds, "/concordance?by=english-1864&page=2")
    assert urlsplit(page.xpath("//nav[@class = 'pages']//a[@rel = 'prev']/@href")[0]).query == "by=english-1864"
    csv_lines = (await ds.client.get("/concordance.csv?by=english-1864")).text.splitlines()
    assert len(csv_lines) > rows


# A dispute


async def test_a_dispute_shows_the_codes_with_the_likest_provisions(ds: Datasette) -> None:
    found = await data(ds, "/dispute.json?q=My+partner+revoked%3B+what+is+the+penalty%3F")
    (issue,) = found["issues"]
    assert len(issue["opinions"]) == 2 and any(opinion["findings"] for opinion in issue["opinions"])
    page = await page_of(ds, "/dispute?q=My+partner+revoked%3B+what+is+the+penalty%3F")
    assert told(page).startswith("2 of 4 codes are shown: those with the most similar provisions.")
    other = next(i for i in ALL if i not in {opinion["code"] for opinion in issue["opinions"]})
    chosen = await data(ds, f"/dispute.json?q=My+partner+revoked&code={other}")
    assert [opinion["code"] for opinion in chosen["issues"][0]["opinions"]] == [other]
