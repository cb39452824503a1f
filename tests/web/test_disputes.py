"""Disputes: the page that finds what decides them, the ruling, and the index both ask."""

from __future__ import annotations

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from datasette.app import Datasette
from jsonschema import Draft202012Validator
from lxml import html

from datasette_plugins.openapi import schemas
from datasette_plugins.views.dispute import MOST_LETTERS
from kb.comparison.marking import TextPiece
from kb.comparison.value import in_words
from kb.dispute import index as indexes
from kb.dispute.adjudication import adjudicate
from kb.dispute.evidence import KINDS
from kb.dispute.index import index_of
from kb.dispute.opinion import excerpt, holdings
from kb.dispute.settlement import REASONS

HAPPENED = "He trumped although he had a heart. What do we get?"
ASKED = "/dispute?q=He+trumped+although+he+had+a+heart.+What+do+we+get%3F"


async def page_of(ds: Datasette, path: str, status: int = 200) -> html.HtmlElement:
    response = await ds.client.get(path)
    assert response.status_code == status, path
    return html.document_fromstring(response.text)


def words(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


# The index.


def test_the_index_is_loaded_once_for_a_file_whoever_asks(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads = []
    load = indexes.load_index
    monkeypatch.setattr(indexes, "load_index", lambda conn: loads.append(1) or load(conn))
    copy = tmp_path / "copy.db"
    shutil.copy(database, copy)

    def ask(_: int) -> indexes.Index:
        conn = sqlite3.connect(copy)
        try:
            return index_of(conn)
        finally:
            conn.close()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(ask, range(8)))
    assert len(loads) == 1 and all(index is found[0] for index in found)
    with sqlite3.connect(copy) as conn:
        conn.execute("update gloss set words = 'Quite other words now, and more of them than there were before.'")
        conn.execute("create table grown as select * from unit")
    assert ask(0) is not found[0] and len(loads) == 2


def test_what_has_no_file_is_loaded_each_time(conn: sqlite3.Connection) -> None:
    with sqlite3.connect(":memory:") as memory:
        conn.backup(memory)
        assert index_of(memory) is not index_of(memory)


# What a provision holds.


def test_a_finding_names_the_nearest_question_that_it_answers(conn: sqlite3.Connection) -> None:
    found = adjudicate(index_of(conn), HAPPENED, codes=["english-1864"])
    assert (found.findings[0].id, found.findings[0].facets) == ("english-1864/law-72", ("revoke/penalty",))


def test_a_holding_cites_the_paragraph_of_the_answer_and_marks_its_words(conn: sqlite3.Connection) -> None:
    held = holdings(conn, [("english-1864/law-72", ["revoke/penalty"])])["english-1864/law-72"]
    assert held.pinpoint.id == "english-1864/law-72/i" and held.opening == "The penalty for a revoke :"
    assert [p.text for p in held.excerpt() if p.deciding] == ["may either take three tricks"]
    alone = holdings(conn, [("english-1864/law-71", [])])["english-1864/law-71"]
    assert alone.pinpoint == alone.unit and alone.answer is None and alone.excerpt() == () and alone.gloss


def test_a_question_that_another_provision_answers_is_not_answered_by_this_one(conn: sqlite3.Connection) -> None:
    held = holdings(conn, [("english-1864/law-71", ["revoke/penalty"])])["english-1864/law-71"]
    assert held.question is None and held.pinpoint == held.unit


def test_an_excerpt_keeps_all_that_decides_and_little_else() -> None:
    text = [
        TextPiece("before " * 90),
        TextPiece("this decides", True),
        TextPiece(" between" * 90 + " "),
        TextPiece("and this", True),
    ]
    short = list(excerpt([*text, TextPiece(" after" * 90)]))
    assert [p.text for p in short if p.deciding] == ["this decides", "and this"]
    told = "".join(p.text for p in short)
    assert told.startswith("… before") and told.endswith("after …") and " … between" in told and len(told) < 450
    whole = [TextPiece("All of it "), TextPiece("counts", True)]
    assert list(excerpt(whole)) == whole


def test_a_value_is_told_in_the_words_of_the_vocabulary() -> None:
    notes = {("who", "adversaries"): "the other side", ("effect", "tricks-taken"): "tricks go over",
             ("moment", "end-of-hand"): "the hand being played out"}  # fmt: skip
    value = {"mode": "may", "who": ["adversaries"], "effect": ["2 tricks-taken", "new-deal"], "until": ["end-of-hand"]}
    assert in_words(value, notes) == (
        ("Who may", "adversaries (the other side)"),
        ("What", "tricks go over: 2; new deal"),
        ("Until", "the hand being played out"),
    )
    assert in_words(value | {"choice": ["adversaries"]}, notes)[1] == ("What", "tricks go over: 2; or new deal")
    assert in_words(None, notes) == ()


def test_every_kind_of_evidence_has_its_words() -> None:
    assert set(REASONS) == set(KINDS)


# The page.


async def test_a_dispute_shows_what_decides_it_in_each_code_oldest_first(
    ds: Datasette, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb.dispute.adjudication.FAINT", 0.0)
    page = await page_of(ds, ASKED)
    cards = page.xpath("//section[contains(@class, 'opinion')]")
    assert [words(c.find(".//h2"))[:4] for c in cards] == ["1829", "1864", "1893", "1894"]
    english = cards[1]
    assert "Law 72 (I)" in words(english.find(".//h2"))
    assert [words(m) for m in english.xpath(".//mark")] == ["may either take three tricks"]
    assert words(english.xpath(".//p[@class='holds']")[0]) == "What does it cost? three tricks or three points"
    assert "it answers the question you seem to ask" in words(english)
    assert "law 72 (i)" in words(english.xpath(".//p[contains(@class, 'plaincite')]")[0])
    assert english.xpath(".//p[@class='go']/a/@href")[0].startswith("/ruling?q=He+trumped")
    assert "Nearly word for word as in 1893" in words(cards[3])
    assert page.xpath("//aside//a/@href").count("/compare/revoke#penalty") == 1
    assert page.xpath("//select[@id='club']/option[@selected]") == []


async def test_where_little_is_like_it_the_page_says_so_and_gives_no_reasons(
    ds: Datasette, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb.dispute.adjudication.FAINT", 99.0)
    told = words((await page_of(ds, ASKED)).find(".//main"))
    assert "may not be relevant" in told and "It stands here because" not in told


async def test_a_fact_that_was_not_told_is_asked_back(ds: Datasette) -> None:
    page = await page_of(ds, ASKED)
    (asks,) = page.xpath("//section[@class='depends']")
    assert words(asks).startswith("It depends: Was the trick turned? Not yet")
    no, _ = asks.xpath(".//li/a/@href")
    assert no.endswith("&fact=revoke%2Fcorrection")
    chosen = await page_of(ds, no)
    assert "Not yet (as you said" in words(chosen.xpath("//section[@class='depends']")[0])
    found = (await ds.client.get(no.replace("/dispute", "/dispute.json"))).json()
    (issue,) = found["issues"]
    assert [answer["chosen"] for answer in issue["depends"]["answers"]] == [True, False]
    answering = {c["code"]: c["findings"][0]["question"] for c in issue["opinions"] if c["decided"]}
    ruling = chosen.xpath("//section[@class='opinion']//a[@class='button']/@href")[-1]
    assert ruling.endswith("&fact=revoke%2Fcorrection")
    assert "May it be corrected?" in words((await page_of(ds, ruling)).xpath("//p[@class='holds']")[0])
    assert answering["american-1893"] == answering["american-1894"] == "revoke/correction"
    assert all(answer in (None, "revoke/correction") for answer in answering.values()), "no other question is answered"


@pytest.mark.parametrize("told", ["He trumped although he had a heart, and the trick was turned.", "A misdeal"])
async def test_a_fact_that_was_told_or_is_no_matter_is_not_asked(ds: Datasette, told: str) -> None:
    found = (await ds.client.get("/dispute.json", params={"q": told})).json()
    assert all(issue["depends"] is None for issue in found["issues"])


async def test_one_code_may_be_asked_and_is_carried_on(ds: Datasette) -> None:
    page = await page_of(ds, f"{ASKED}&code=english-1864")
    assert len(page.xpath("//section[contains(@class, 'opinion')]")) == 1
    assert page.xpath("//select[@id='club']/option[@selected]/@value") == ["english-1864"]
    assert "/dispute?code=english-1864" in page.xpath("//header//nav//a/@href")
    assert all("code=english-1864" in h for h in page.xpath("//main//a/@href") if h.startswith(("/ruling", "/search")))
    law = await page_of(ds, "/english-1864/law-72?code=english-1864")
    assert "/ruling?unit=english-1864/law-72&code=english-1864" in law.xpath("//aside//a/@href")


async def test_the_code_of_the_club_goes_from_search_to_law_and_back(ds: Datasette) -> None:
    found = await page_of(ds, "/search?q=revoke&code=american-1894")
    hits = found.xpath("//main//h2/a/@href")
    assert hits and all(href.endswith("?code=american-1894") for href in hits)
    law = await page_of(ds, "/english-1864/law-72?code=american-1894")
    assert law.xpath("//form[@role='search']/input[@type='hidden']/@value") == ["american-1894"]
    others = law.xpath("//ul[@class='related']/li")
    assert "your club’s code" in words(others[0]) and "1894" in words(others[0])
    assert law.xpath("//link[@rel='canonical']/@href")[0].endswith("/english-1864/law-72")
    assert not (await page_of(ds, "/search?q=revoke")).xpath("//main//h2/a[contains(@href, 'code=')]")


async def test_a_code_that_says_nothing_is_told_quietly_with_what_is_nearest(
    ds: Datasette, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb.dispute.adjudication.silent", lambda signs: 0.9 if signs["silent"] else 0.1)
    page = await page_of(ds, "/dispute?q=Is+it+a+revoke+if+he+held+a+heart+and+trumped%3F")
    quiet = page.xpath("//section[contains(@class, 'undecided')]")
    assert "seems to say nothing on this. The nearest in it: Law 21 on another point: " in words(quiet[0])
    assert not quiet[0].xpath(".//p[contains(@class, 'plaincite')]") and quiet[0].xpath(".//a")
    data = (await ds.client.get("/dispute.json?q=Is+it+a+revoke+if+he+held+a+heart+and+trumped%3F")).json()
    assert {o["code"]: o["decided"] for o in data["issues"][0]["opinions"]}["american-1893"] is False


async def test_what_one_code_decides_its_double_decides_too(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"american-1893": 0.1, "american-1894": 0.9}
    codes = iter(("arnaud-1829", "english-1864", "american-1893", "american-1894"))
    monkeypatch.setattr("kb.dispute.adjudication.silent", lambda signs: told.get(next(codes), 0.9))
    data = (await ds.client.get(ASKED.replace("?", ".json?"))).json()
    assert [o["decided"] for o in data["issues"][0]["opinions"]] == [False, False, True, True]


async def test_two_things_that_are_asked_are_answered_one_by_one(ds: Datasette) -> None:
    asked = "/dispute?q=It+was+a+revoke,+he+had+a+heart:+what+does+it+cost,+and+may+it+be+corrected%3F"
    page = await page_of(ds, asked)
    assert [words(a) for a in page.xpath("//nav[@class='asked']//a")] == ["What does it cost?", "May it be corrected?"]
    issues = page.xpath("//section[@class='issue']")
    assert [words(section.find("h2")) for section in issues] == ["What does it cost?", "May it be corrected?"]
    assert all(section.xpath("section/@aria-labelledby") for section in issues)
    ids = page.xpath("//@id")
    assert len(set(ids)) == len(ids) and set(page.xpath("//nav[@class='asked']//a/@href")) <= {f"#{i}" for i in ids}
    assert "This seems to be about revoke" in words(page.xpath("//p[@class='matter']")[0])
    rulings = [section.xpath(".//p[@class='go']/a/@href") for section in issues]
    assert all("cost" in href for href in rulings[0]) and all("corrected" in href for href in rulings[1])


async def test_without_a_dispute_there_is_the_form_and_examples(ds: Datasette) -> None:
    for path in ("/dispute", "/dispute?q=", "/dispute?q=+++"):
        page = await page_of(ds, path)
        assert page.xpath("//form[@class='tell']//textarea") and not page.xpath("//section[@class='opinion']")
        assert len(page.xpath("//main//ul/li/a[starts-with(@href, '/dispute?q=')]")) == 3
    assert page.xpath("//form[@class='tell']//button") and "/dispute" in (await ds.client.get("/sitemap.xml")).text


async def test_words_that_no_provision_has_are_told(ds: Datasette) -> None:
    assert "Say it in other words" in words((await page_of(ds, "/dispute?q=xyzzy")).find(".//main"))


async def test_a_long_story_is_cut_and_the_reader_is_told(ds: Datasette) -> None:
    page = await page_of(ds, "/dispute?q=" + "revoke+" * 400)
    assert "Only the first 2,000 letters were read" in words(page.find(".//main"))
    data = (await ds.client.get("/dispute.json?q=" + "revoke+" * 400)).json()
    assert len(data["query"]) <= MOST_LETTERS and data["notes"] and len(data["url"]) < 3000


async def test_an_unknown_code_is_left_out_and_noted(ds: Datasette) -> None:
    data = (await ds.client.get(f"{ASKED.replace('?', '.json?')}&code=hoyle-1742")).json()
    assert data["notes"] == ["There is no code “hoyle-1742”; it was left out."] and data["code"] is None
    assert len(data["issues"][0]["opinions"]) == 4 and "hoyle" not in data["url"]


async def test_the_twins_have_the_shape_that_is_documented(ds: Datasette) -> None:
    for path, name in (
        (ASKED.replace("?", ".json?"), "Dispute"),
        ("/ruling.json?q=He+trumped&unit=english-1864/law-72", "Ruling"),
    ):
        Draft202012Validator(schemas()[name]).validate((await ds.client.get(path)).json())
    (issue,) = (await ds.client.get(ASKED.replace("?", ".json?"))).json()["issues"]
    english = next(o for o in issue["opinions"] if o["code"] == "english-1864")
    assert issue["asked"] is None and issue["put"] == HAPPENED
    assert english["decided"] and english["findings"][0]["pinpoint"] == "english-1864/law-72/i"
    assert english["findings"][0]["deciding"] == ["may either take three tricks"]


# The ruling.


async def test_a_ruling_has_facts_law_answer_decisions_and_the_other_codes(ds: Datasette) -> None:
    page = await page_of(ds, ASKED.replace("/dispute", "/ruling") + "&unit=english-1864/law-72&code=english-1864")
    told = words(page.find(".//main"))
    assert words(page.find(".//h1")) == "Law 72 (I)" and words(page.xpath("//p[@class='told']")[0]) == HAPPENED
    assert [words(m) for m in page.xpath("//main//mark")] == ["may either take three tricks"]
    assert words(page.xpath("//p[@class='opening']")[0]) == "The penalty for a revoke :"
    orders = page.xpath("//dl[@class='orders']")[0]
    assert [words(dt) for dt in orders.findall("dt")] == ["Who may", "What", "At the choice of"]
    assert words(orders.findall("dd")[1]) == "tricks go to the adversaries: 3; or no slam is counted"
    assert "A claims a revoke; Y denies it." in told and "The revoke stands." in told
    others = page.xpath("//dl[@class='other-codes']")[0]
    assert [words(dt) for dt in others.findall("dt")] == ["1829", "1893", "1894"]
    assert words(others.findall("dd")[2]) == "nearly word for word as in 1893 law 30"
    permalink = page.xpath("//a[@rel='bookmark']/@href")[0]
    assert permalink == page.xpath("//link[@rel='canonical']/@href")[0] and permalink.startswith("http://localhost/")
    assert "code=english-1864" in page.xpath("//nav[@class='crumbs']/a/@href")[0]


async def test_a_ruling_has_its_address_as_a_qr_code_unless_that_would_be_too_fine(ds: Datasette) -> None:
    page = await page_of(ds, "/ruling?unit=english-1864/law-72&q=He+trumped")
    assert page.xpath("//footer//svg[@class='qr']/title[.='The address of this ruling']")
    page = await page_of(ds, f"/ruling?unit=english-1864/law-72&q={'x' * 700}")
    assert not page.xpath("//svg[@class='qr']")


async def test_a_silent_code_is_told_in_the_ruling(ds: Datasette) -> None:
    page = await page_of(ds, "/ruling?q=held+the+suit+led+and+played+another&unit=english-1864/law-71")
    others = page.xpath("//dl[@class='other-codes']")[0]
    assert [words(dd) for dd in others.findall("dd")][1:] == ["silent", "silent"]


async def test_a_ruling_without_facts_tells_all_that_the_provision_answers(ds: Datasette) -> None:
    page = await page_of(ds, "/ruling?unit=american-1893/law-30")
    assert not page.xpath("//p[@class='told']")
    assert [words(dt) for dt in page.xpath("//dl[@class='ruled']/dt")] == ["What does it cost?", "May it be corrected?"]


async def test_a_ruling_may_be_asked_for_by_a_citation_or_a_paragraph(ds: Datasette) -> None:
    for unit in ("1864+law+72", "english-1864/law-72/i", "English-1864/Law-72"):
        assert words((await page_of(ds, f"/ruling?q=he+trumped&unit={unit}")).find(".//h1")) == "Law 72 (I)"


@pytest.mark.parametrize("unit", ["english-1864/law-720", "drayson-1896/case-93", "x" * 3000, "1864 law", "²"])
async def test_what_is_no_provision_is_not_found(ds: Datasette, unit: str) -> None:
    for form in ("", ".json", ".md"):
        assert (await ds.client.get(f"/ruling{form}", params={"unit": unit})).status_code == 404


async def test_a_ruling_without_a_provision_leads_to_the_dispute(ds: Datasette) -> None:
    response = await ds.client.get("/ruling?q=he+trumped")
    assert response.status_code == 301 and response.headers["location"] == "/dispute?q=he+trumped"


async def test_a_ruling_as_markdown_has_all_parts_and_no_markup_of_the_facts(ds: Datasette) -> None:
    response = await ds.client.get("/ruling.md?q=He+trumped+<b>*twice*</b>&unit=english-1864/law-72")
    assert response.headers["content-type"].startswith("text/markdown")
    heads = [line for line in response.text.splitlines() if line.startswith("#")]
    assert heads == ["# English club code, 1864, Law 72 (I)", "## The facts", "## The law", "## What it rules",
                     "## Decisions", "## The other codes"]  # fmt: skip
    assert r"> He trumped \<b\>\*twice\*\</b\>" in response.text
    assert "**may either take three tricks**" in response.text
    assert "[Case 93](http://localhost/drayson-1896/case-93): A claims a revoke; Y denies it." in response.text
    assert (
        "- **1894**: nearly word for word as in 1893 ([law 30](http://localhost/american-1894/law-30))" in response.text
    )
