"""The reading room: the concordance of numbers, the cases by topic, unresolved references, and a code to be read."""

from __future__ import annotations

import csv
import io
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from datasette.app import Datasette
from lxml import html

import datasette_plugins
from datasette_plugins.views.works import by_heading
from kb.comparison import cases, concordance
from kb.desk import unresolved
from kb.read import commentary, queries, reading


@pytest.fixture
async def noted(database: Path, tmp_path: Path) -> Datasette:
    """The small library with the editor's note on law 77, and what he says of a slip in the decision."""
    path = Path(shutil.copy(database, tmp_path / "noted.db"))
    with closing(sqlite3.connect(path)) as conn:
        law = conn.execute("select book_id, raw_start, raw_end from unit where id = 'english-1864/law-77'").fetchone()
        conn.execute(
            "insert into editor_note values (1, 'english-1864/law-77', ?, ?, ?, 'Law 76 is lost.', 'p. 18')", law
        )
        conn.execute("insert into edit select 99, book_id, raw_start, raw_end, raw, raw, 'typo', 'editor', 1, "
                     "'read Law 71', '' from citation where status = 'slip'")  # fmt: skip
        conn.commit()
    ds = datasette_plugins.instance(path)
    await ds.invoke_startup()
    return ds


async def get(ds: Datasette, path: str) -> html.HtmlElement:
    response = await ds.client.get(path)
    assert response.status_code == 200
    return html.document_fromstring(response.text)


async def data(ds: Datasette, path: str) -> Any:
    return (await ds.client.get(path)).json()


def words(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


# The concordance


async def test_what_is_linked_through_a_paragraph_stands_under_its_law(ds: Datasette) -> None:
    found = await data(ds, "/concordance.json?by=english-1864")
    law = next(row for row in found["provisions"] if row["id"] == "english-1864/law-72")
    (there,) = law["cells"]["arnaud-1829"]["counterparts"]
    assert there["id"] == "arnaud-1829/law-21"
    assert there["ties"] == [
        {"here": "english-1864/law-72/i", "there": "arnaud-1829/law-21", "relation": "narrower", "judged": True}
    ]
    (whole,) = law["cells"]["american-1894"]["counterparts"]
    assert [tie["here"] for tie in whole["ties"]] == ["english-1864/law-72"], "what links the wholes outdoes the rest"


def test_none_is_told_from_what_nobody_has_said(conn: sqlite3.Connection) -> None:
    table = concordance.concordance(conn, "english-1864")
    states = {row.unit.number: [row.cells[c.id].state for c in table.codes] for row in table.rows}
    assert [c.id for c in table.codes] == ["arnaud-1829", "american-1893", "american-1894"]
    assert states == {
        "71": ["not judged", "not judged", "none"],
        "72": ["linked", "linked", "linked"],
        "77": ["not judged", "not judged", "not judged"],
    }
    assert [(u.id, state) for u, state in table.without["american-1893"]] == [("american-1893/law-28", "none")]
    assert [state for _, state in table.without["american-1894"]] == ["not judged"]


def test_proposals_and_rejected_pairs_are_no_counterparts(conn: sqlite3.Connection) -> None:
    table = concordance.concordance(conn, "american-1894")
    linked = {row.unit.number: row.cells["american-1893"].counterparts for row in table.rows}
    assert linked["28"] == () and [c.unit.number for c in linked["30"]] == ["30"]
    assert not any(c.unit.number == "71" for row in table.rows for c in row.cells["english-1864"].counterparts)


async def test_the_concordance_as_a_page(ds: Datasette) -> None:
    page = await get(ds, "/concordance")
    heads = page.xpath("//thead//a/@href")
    assert heads == ["/code/english-1864", *(f"/concordance?by={c}" for c in ("arnaud-1829", "american-1893",
                                                                           "american-1894"))]  # fmt: skip
    assert "=" in words(page.xpath("//th[@class='twin1']")[0]), "twins stand beside each other"
    cells = [words(td) for td in page.xpath("//tr[@id='law-72']/td")]
    assert cells[0] == "1829 21+I: paragraph I: a broader rule" and cells[2] == "1894 30≠: a different rule"
    none, blank = page.xpath("//tr[@id='law-71']/td[3] | //tr[@id='law-77']/td[3]")
    assert words(none) == "none" and words(blank) == "" and blank.get("class") == "blank"
    assert page.xpath("//section[@id='without']//dd//a/@href") == ["/american-1893/law-28", "/american-1894/law-28"]


async def test_one_code_can_be_set_against_another_and_what_is_none_is_told(ds: Datasette) -> None:
    page = await get(ds, "/concordance?by=arnaud-1829&against=english-1864")
    assert len(page.xpath("//thead//th")) == 2
    assert page.xpath("//select[@id='against']/option[@selected]/@value") == ["english-1864"]
    found = await data(ds, "/concordance.json?by=bezique&against=whist")
    assert found["by"] == "english-1864" and len(found["codes"]) == 3 and len(found["notes"]) == 2
    itself = await data(ds, "/concordance.json?by=english-1864&against=english-1864")
    assert len(itself["codes"]) == 3 and "against itself" in itself["notes"][0]


async def test_the_concordance_as_csv(ds: Datasette) -> None:
    response = await ds.client.get("/concordance.csv?by=english-1864")
    assert response.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert tuple(rows[0]) == concordance.COLUMNS
    (one,) = (r for r in rows if r["provision"] == "english-1864/law-72" and r["other_code"] == "arnaud-1829")
    assert (one["number"], one["other_number"], one["relation"]) == ("72", "21", "narrower")
    assert one["part"] == "english-1864/law-72/i"
    alone = [r for r in rows if not r["provision"]]
    assert [(r["other_provision"], r["state"]) for r in alone] == [
        ("american-1893/law-28", "none"), ("american-1894/law-28", "not judged"),
    ]  # fmt: skip


def test_the_fullest_code_gives_the_order(conn: sqlite3.Connection) -> None:
    assert concordance.fullest(conn) == "english-1864"


# The cases


async def test_a_case_stands_under_the_matter_of_which_its_law_answers_most(ds: Datasette) -> None:
    page = await get(ds, "/cases")
    (matter,) = page.xpath("//section[@class='matter']")
    assert matter.get("id") == "on-revoke" and words(matter.find("h2")) == "Revoke 1 case"
    (case,) = matter.xpath(".//li")
    assert [words(p) for p in case.findall("p")] == [
        "Case 93 p. 18", "A claims a revoke; Y denies it.", "The revoke stands.", "Law 72 English club code, 1864",
        "In 1893 A takes two tricks, not three.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("query", "total", "notes"),
    [
        ("", 1, 0), ("law=1864+law+72", 1, 0), ("law=english-1864/law-72/ii", 1, 0), ("law=1864+law+71", 0, 0),
        ("code=english-1864", 1, 0), ("code=arnaud-1829", 0, 0), ("code=bezique", 1, 1), ("law=bezique", 1, 1),
        ("law=1864+law+72+(ix)", 1, 1), ("law=law+72&code=arnaud-1829", 0, 1),
        ("otherwise=any", 1, 0), ("otherwise=american-1893", 1, 0), ("otherwise=american-1894", 0, 0),
        ("otherwise=bezique", 1, 1), ("otherwise=any&law=1864+law+71", 0, 0),
    ],
)  # fmt: skip
async def test_cases_are_narrowed_by_provision_and_code(ds: Datasette, query: str, total: int, notes: int) -> None:
    found = await data(ds, f"/cases.json?{query}")
    assert (found["total"], len(found["notes"])) == (total, notes)
    page = await get(ds, f"/cases?{query}")
    assert len(page.xpath("//section[@class='matter']//li")) == total
    assert len(page.xpath("//p[@class='warning']")) == notes


async def test_a_case_says_what_each_code_would_decide(ds: Datasette) -> None:
    page = await get(ds, "/drayson-1896/case-93")
    (section,) = page.xpath("//section[@class='outcomes']")
    assert section.xpath(".//p/a/@href") == ["/compare/revoke#penalty"]
    told = dict(zip(map(words, section.findall("dl/dt")), map(words, section.findall("dl/dd")), strict=True))
    assert told["American code of 1893: another result"].startswith("A takes two tricks, not three. (Law")
    assert told["English club code, 1864: decided so"].endswith("(Law 72 (I))")
    found = await data(ds, "/drayson-1896/case-93.json")
    assert found["questions"] == ["revoke/penalty"]
    assert [o["state"] for o in found["outcomes"]] == ["same", "decided", "otherwise", "open"]


async def test_a_question_has_its_cases(ds: Datasette) -> None:
    page = await get(ds, "/compare/revoke")
    (row,) = page.xpath("//div[@id='penalty']//h3[.='Cases that turned on it']/..")
    assert row.xpath(".//a/@href") == ["/drayson-1896/case-93"]
    found = await data(ds, "/compare/revoke.json")
    assert [question["cases"] for question in found["questions"]] == [[], ["drayson-1896/case-93"], []]


async def test_cases_as_csv_have_a_line_for_each_code(ds: Datasette) -> None:
    rows = list(csv.DictReader((await ds.client.get("/cases.csv?otherwise=any")).text.splitlines()))
    assert [row["outcome"] for row in rows] == ["same", "decided", "otherwise", "open"]
    assert rows[2]["result"] == "A takes two tricks, not three." and rows[1]["rests_on"]


def test_a_case_that_turned_on_no_law_comes_last(conn: sqlite3.Connection) -> None:
    (case,) = cases.cases(conn)
    matters = cases.by_matter(conn, [replace(case, topic=None, on=()), case])
    assert [m.topic and m.topic.id for m in matters] == ["revoke", None]


# The references


async def test_what_could_not_be_resolved_is_told_with_its_place_and_reason(ds: Datasette) -> None:
    page = await get(ds, "/references/unresolved")
    (section,) = page.xpath("//section[@id='drayson-1896']")
    assert "Of 5 references 1 leads nowhere, and 1 leads to the wrong place." in words(section)
    lost, slip = section.xpath(".//li")
    assert lost.xpath(".//mark/text()") == ["Law 999"]
    assert "not in this library" in words(lost) and "p. 18, character" in words(lost)
    assert lost.xpath(".//a/@href")[-1] == "/drayson-1896/case-93/decision/evidence"
    assert "As printed it leads to Law 77" in words(slip)
    assert "No reference was found in this book." in words(page.xpath("//section[@id='pole-1895']")[0])
    assert page.xpath("//section[@class='unresolved']//h2//a/@href")[0] == "/book/arnaud-1829"


async def test_references_of_one_book(ds: Datasette) -> None:
    found = await data(ds, "/references/unresolved.json?book=drayson-1896")
    assert [(r["words"], r["status"]) for r in found["references"]] == [("Law 77", "slip"), ("Law 999", "dangling")]
    assert found["counts"] == {"drayson-1896": {"dangling": 1, "resolved": 3, "slip": 1}}
    other = await data(ds, "/references/unresolved.json?book=bezique")
    assert other["book"] is None and len(other["notes"]) == 1


def test_the_words_around_a_reference_are_whole(conn: sqlite3.Connection) -> None:
    slip, lost = unresolved.unresolved(conn)
    assert slip.before.startswith("Decision.") and slip.before.endswith("and ") and slip.after.startswith(", not Law")
    assert lost.before.endswith("not ") and lost.after == "."


async def test_what_the_editor_says_of_a_reference_is_told_with_it(noted: Datasette) -> None:
    slip = (await get(noted, "/references/unresolved")).xpath("//section[@id='drayson-1896']//li")[1]
    assert words(slip.xpath("p[@class='reason']")[0]).endswith("The editor: read Law 71.")


# A code to be read


async def test_a_code_is_read_with_the_editors_notes(noted: Datasette) -> None:
    page = await get(noted, "/code/english-1864/read")
    (note,) = page.xpath("//p[@class='editor-note']")
    assert words(note) == "Editor’s note. Law 76 is lost. (p. 18)"
    assert note.xpath("ancestor::div[@id='law-77']")
    assert [n["text"] for n in (await data(noted, "/code/english-1864/read.json"))["editor_notes"]] == [
        "Law 76 is lost."
    ]


async def test_a_number_leads_to_its_place(ds: Datasette) -> None:
    for typed, to in [("72", "law-72"), ("72 (ii)", "law-72.ii"), ("law lxxii", "law-72"), ("1864 law 71", "law-71")]:
        response = await ds.client.get("/code/english-1864/read", params={"number": typed})
        assert response.status_code == 302 and response.headers["location"] == f"/code/english-1864/read#{to}"
        assert (await get(ds, "/code/english-1864/read")).xpath(f"//*[@id='{to}']")
    twin = await ds.client.get("/code/english-1864/read.json?number=72")
    assert twin.headers["location"] == "/english-1864/law-72.json"


@pytest.mark.parametrize("typed", ["999", "x" * 300, "american-1894/law-28", "<b>"])
async def test_what_is_no_number_of_the_code_is_told(ds: Datasette, typed: str) -> None:
    response = await ds.client.get("/code/english-1864/read", params={"number": typed})
    page = html.document_fromstring(response.text)
    assert response.status_code == 200 and "is no number of this code" in words(page.xpath("//p[@class='warning']")[0])
    assert page.xpath("//article//div[@id='law-72']")


async def test_every_number_is_a_link_to_a_place_on_the_page(ds: Datasette) -> None:
    page = await get(ds, "/code/english-1864/read")
    links = page.xpath("//nav[@class='numbers']//span[@class='nos']/a")
    assert [a.text for a in links] == ["71", "72", "77"]
    assert all(page.xpath(f"//*[@id='{a.get('href')[1:]}']") for a in page.xpath("//nav[@class='numbers']//a"))
    assert page.xpath("//article//h2/a[@class='top']/@href") == ["#main"]


async def test_what_explains_a_law_stands_beside_it(ds: Datasette) -> None:
    page = await get(ds, "/code/english-1864/read")
    (band,) = page.xpath("//div[@class='explained']")
    assert [div.get("id") for div in band.xpath("./div[@class='units']/div")] == ["law-72"]
    comment = band.xpath("./div[@class='comments']/details")[0]
    assert words(comment.xpath("./div")[0]).startswith("Decision. — The revoke stands")
    assert comment.xpath(".//a[@class='ref']/@href")[0] == "/english-1864/law-72", "its references lead on"
    found = await data(ds, "/code/english-1864/read.json")
    assert [(c["id"], c["explains"]) for c in found["commentary"]] == [
        ("drayson-1896/case-93/decision", ["english-1864/law-72"])
    ]
    law = await get(ds, "/english-1864/law-72")
    assert words(law.xpath("//aside[@class='margin']//details[@class='comment']/summary")[0]) == "Case 93, decision"


@pytest.mark.parametrize(("length", "opens"), [(10, 1), (60, 2), (5000, 4)])
def test_a_long_commentary_is_cut_between_paragraphs_and_nothing_is_lost(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, length: int, opens: int
) -> None:
    monkeypatch.setattr(commentary, "OPENING", length)
    law = queries.unit(conn, "english-1864/law-72")
    (told,) = commentary.commentaries(conn, [law])
    assert len(told.opening) == opens and (*told.opening, *told.rest) == reading.passage(conn, law).paragraphs
    assert told.words_left == sum(len(p.text.split()) for p in told.rest)


def test_units_within_others_go_on_under_their_heading(conn: sqlite3.Connection) -> None:
    law, other = (queries.unit(conn, f"english-1864/law-{n}") for n in (71, 77))
    note = replace(law, id="english-1864/law-71/note-1", kind="note", parent_id=law.id)
    ((_, _, units),) = by_heading(conn, [law, note, other])
    assert [u.id for u in units] == [law.id, note.id, other.id]


async def test_from_a_law_one_click_leads_to_its_rule_through_time(ds: Datasette) -> None:
    law = await get(ds, "/english-1864/law-72")
    (link,) = law.xpath("//dl[@class='answers']//a[@class='through']/@href")
    assert link == "/compare/revoke#penalty"
    assert (await get(ds, "/compare/revoke")).xpath("//div[@id='penalty']//figure[@class='ruleline']")


async def test_a_code_leads_to_its_concordance_its_cases_and_its_unresolved_references(ds: Datasette) -> None:
    links = (await get(ds, "/code/english-1864")).xpath("//ul[contains(@class, 'shelf-links')]//a/@href")
    assert links == ["/concordance?by=english-1864", "/cases?code=english-1864",
                     "/references/unresolved?book=drayson-1896", "/borrowings/english-1864"]  # fmt: skip
    assert "none here turned on it" in words((await get(ds, "/code/arnaud-1829")).find(".//main"))
    assert "2 of its 5 references could not be resolved" in words((await get(ds, "/book/drayson-1896")).find(".//main"))


async def test_pages_call_the_ocr_text_by_its_name(ds: Datasette) -> None:
    page = await get(ds, "/english-1864/law-72/evidence")
    assert "OCR text" in [h.text for h in page.xpath("//h2")] and "Page 18, characters" in words(page.find(".//main"))
    law = words((await get(ds, "/english-1864/law-72?scan=1")).find(".//main"))
    assert "of its OCR text" in law and "The OCR text" in law and "the scan" not in law.lower()
