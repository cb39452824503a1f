"""The answers of the codes: the table, what agrees, the course of a rule, and the page that shows them."""

from __future__ import annotations

import csv
import io
import re
import shutil
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from datasette.app import Datasette
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from datasette_plugins.rule_line import WIDTH, rule_line
from extract.model import Span
from kb.collation.quoted import deciding_span
from kb.comparison import answers
from kb.comparison import topics as comparison
from kb.comparison.answers import Answer, Answers, Question, Stage, columns_of
from kb.comparison.marking import TextPiece, with_marks
from kb.read import queries
from kb.read.paging import ListPage
from kb.read.rows import CodeRow, TopicRow, UnitRow

ALL = ("arnaud-1829", "english-1864", "american-1893", "american-1894")


def table(conn: sqlite3.Connection, *codes: str, differ: bool = False) -> Answers:
    found = answers.answers(conn, comparison.find_topic(conn, "revoke"), codes, differ=differ)
    assert found is not None
    return found


def answers_on(codes: Sequence[str], *questions: Question) -> Answers:
    """The answers of codes of 1800, 1801 and so on."""
    rows = [CodeRow(code, "", "", 1800 + i, "", "", "", "") for i, code in enumerate(codes)]
    page = ListPage(1, len(questions), len(questions))
    return Answers(columns_of(rows, questions), questions, page, len(codes), TopicRow("t", "T", "t", ""), {}, {}, {})


def course_of(rules: Sequence[str], source: str = "editor") -> tuple[Stage, ...]:
    """The course of the rules of so many codes; a code without a rule is silent in it."""
    codes = [f"c-{i}" for i, _ in enumerate(rules)]
    told = {
        code: Answer(code, "", ("x/1",) if rule or source == "machine" else (), None, source, rule=rule, brief=rule)
        for code, rule in zip(codes, rules, strict=True)
    }
    made = answers_on(codes, Question("t/q", "?", "", told))
    return made.course(made.rows[0])


async def page_of(ds: Datasette, path: str) -> html.HtmlElement:
    response = await ds.client.get(path)
    assert response.status_code == 200, path
    return html.document_fromstring(response.text)


def words(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


def cells(page: html.HtmlElement) -> list[list[str]]:
    rows = page.xpath("//table[@class='answer-table']/tbody/tr[th]")
    return [[words(cell) for cell in row.findall("td")] for row in rows]


# What agrees.


@given(st.lists(st.sampled_from(["A", "A'", "B", ""]), min_size=1, max_size=6))
def test_one_letter_is_drawn_for_one_rule(letters: list[str]) -> None:
    drawn = rule_line(course_of(letters))
    assert drawn is not None and [bar.letter for bar in drawn.bars] == [rule.replace("'", "′") for rule in letters]


def test_a_draft_has_no_course_and_no_drawing() -> None:
    assert course_of(["", ""], "machine") == () and rule_line(()) is None


def test_codes_agree_only_if_all_lay_down_one_rule_and_none_is_silent() -> None:
    told = {code: Answer(code, "", (f"{code}/1",), rule=rule) for code, rule in ("aA", "bA", "cB")}
    question = Question("t/q", "?", "", told | {"d": Answer("d", "", ("d/1",)), "s": Answer("s", "", ())})
    assert [codes for codes in ("ab", "abc", "d", "as", "s", "ax") if question.agreed(codes)] == ["ab"]


def test_only_the_editors_verdicts_count(conn: sqlite3.Connection) -> None:
    proposed = ("american-1893/law-28", "american-1894/law-28")
    assert proposed not in table(conn).verdicts


# The table.


def test_twins_share_a_column_where_they_are_twins_in_every_row_and_side_by_side(conn: sqlite3.Connection) -> None:
    apart = table(conn, "american-1893", "english-1864", "american-1894")
    assert [len(table(conn).columns), len(apart.columns)] == [3, 3]


def test_twins_of_one_row_share_its_cell() -> None:
    told = {"a": Answer("a", "", ("a/1",)), "b": Answer("b", "", ("b/1",), twin="a")}
    both = Question("t/1", "?", "", told)
    one = Question("t/2", "?", "", told | {"b": Answer("b", "", ())})
    made = answers_on("ab", both, one)
    assert [[(c.codes, c.columns, c.state) for c in made.cells(question)] for question in (both, one)] == [
        [(("a", "b"), 2, "answered")],
        [(("a",), 1, "answered"), (("b",), 1, "silent")],
    ]


def test_the_deciding_words_are_set_apart_and_nothing_is_lost(conn: sqlite3.Connection) -> None:
    told = [answer for question in table(conn).rows for answer in question.answers.values()]
    for answer in told:
        for unit in queries.units(conn, answer.cites).values():
            paragraphs = with_marks(unit, answer.deciding_in(unit.id))
            assert " ".join("".join(p.text for p in par) for par in paragraphs).split() == unit.body.split()


def test_deciding_words_may_begin_with_the_printed_number_and_run_over_a_paragraph() -> None:
    unit = UnitRow(
        "c/1", "b", "c", "law", "Law 1", "1", None, None, 0, 0, 0, None, "1. He deals.\n\nAgain he\ndeals.", 1.0
    )
    assert with_marks(unit, ["1. He deals. Again"]) == (
        (TextPiece("He deals.", True),),
        (TextPiece("Again", True), TextPiece(" he\ndeals.")),
    )
    numeral = "Inquiry may be made."
    assert replace(unit, text=numeral).body == numeral, "a word that begins like a numeral is no label"


@given(st.text("ab \n", min_size=1).filter(lambda words: bool(words.split())), st.text("ab \n"))
def test_deciding_words_are_found_where_they_first_stand_white_space_aside(words: str, text: str) -> None:
    found = re.search(r"\s+".join(map(re.escape, words.split())), text)
    assert deciding_span(words, text) == (Span(*found.span()) if found else None)


# The course of a rule.


@pytest.mark.parametrize("codes", [ALL, ALL[::-1]], ids=["oldest first", "newest first"])
def test_the_course_of_a_rule_tells_what_each_code_made_of_it(conn: sqlite3.Connection, codes: tuple[str, ...]) -> None:
    made = table(conn, *codes)
    by_slug = {q.slug: [(s.codes[0].year, s.until, s.state, s.rule) for s in made.course(q)] for q in made.rows}
    assert by_slug == {
        "definition": [(1829, 1864, "first", "A"), (1864, 1893, "same", "A"), (1893, None, "silent", "")],
        "penalty": [(1829, 1864, "first", "A"), (1864, 1893, "altered", "A'"), (1893, None, "changed", "B")],
        "correction": [(1829, 1864, "silent", ""), (1864, 1893, "not judged", ""), (1893, None, "first", "A")],
    }


def test_the_bars_of_a_drawing_follow_one_another_and_fill_it(conn: sqlite3.Connection) -> None:
    made = table(conn)
    line = rule_line(made.course(made.rows[1]))
    ends = [0, *(x for bar in line.bars for x in (bar.x, bar.x + bar.width)), WIDTH]
    assert ends == sorted(ends) and ends[1] == 0 and ends[-2] >= WIDTH - 3
    assert line.label == (
        "A 1829: three points or three tricks; A′ 1864: the same, at their choice; B 1893 = 1894: two tricks"
    )
    narrow = replace(line.bars[1], width=5)
    assert (line.bars[1].above, narrow.above) == ("1864", "1864 A′"), "a letter without room stands by the years"


# The page.


async def test_the_page_of_a_topic(ds: Datasette) -> None:
    page = await page_of(ds, "/compare/revoke")
    heads = [words(th) for th in page.xpath("//table[@class='answer-table']/thead//th")]
    assert heads[:2] == ["Question", "1829 Arnaud’s laws"] and heads[3].startswith("1893 = 1894")
    assert heads[3].endswith("nearly word for word the same")
    assert cells(page) == [
        [
            "not following suit when able definition of “Revoke”",
            "holding the suit led and playing another law 71",
            "silent",
        ],
        ["three points or three tricks law 21", "three tricks or three points law 72 (i)", "two tricks law 30 = 1894"],
        ["silent", "not judged", "yes; a revoke not law 28 = 1894, law 30 = 1894"],
    ]
    assert page.xpath("//table[@class='answer-table']/tbody/tr[th][2]/td/span[@class='cites']/a/@href") == [
        "/arnaud-1829/law-21", "/english-1864/law-72/i", "/american-1893/law-30", "/american-1894/law-30",
    ]  # fmt: skip
    questions = {"#definition": "What is a revoke? not following suit → the same in <b>other</b> words",
                 "#penalty": "What does it cost? three points or tricks → two tricks",
                 "#correction": "May it be corrected?"}  # fmt: skip
    rows = page.xpath("//table[@class='answer-table']/tbody//th")
    assert {row.xpath("string(.//a/@href)"): words(row) for row in rows} == questions
    folded = page.xpath("//details[@class='question'][not(@open)]/div/@id")
    assert [f"#{name}" for name in folded] == list(questions)
    (form,) = page.xpath("//form[@class='choose']")
    assert (form.get("method", "get"), form.get("action")) == ("get", "/compare/revoke")
    assert form.xpath(".//input/@name | .//button/@type") == ["codes"] * 4 + ["differ"]
    assert not page.xpath("//main//script | //main//*[@hidden]"), "the page works without a script"
    main = words(page.find(".//main"))
    assert "Not judged: not reviewed" in main and "Silent: the code was read" in main


async def test_every_question_has_its_texts_and_its_drawing(ds: Datasette) -> None:
    (penalty,) = (await page_of(ds, "/compare/revoke")).xpath("//div[@id='penalty']")
    shown = penalty.xpath(".//mark | .//p[@class='opening'] | .//figcaption//li | .//div[@class='relations']//details")
    assert [words(element) for element in shown] == [
        "A 1829 three points or three tricks",
        "A′ 1864 the same, at their choice",
        "B 1893 = 1894 two tricks",
        "The penalty for a revoke :",
        "may either take three tricks",
        "The penalty for each revoke is two tricks",
        "1829 law 21 → 1864 law 72 (i): a narrower ruleThe later has no rest. Word by word",
        "1864 law 72 (i) → 1893 law 30: a different ruleThree against two. Word by word",
    ]


async def test_codes_are_chosen_and_ordered_by_the_address(ds: Datasette) -> None:
    page = await page_of(ds, "/compare/revoke?codes=american-1893,english-1864")
    assert [words(th)[:4] for th in page.xpath("//table[@class='answer-table']/thead//th")] == ["Ques", "1893", "1864"]
    assert page.xpath("//input[@checked]/@value") == ["american-1893", "english-1864"]
    by_form = await page_of(ds, "/compare/revoke?codes=american-1893&codes=english-1864&differ=")
    assert cells(by_form) == cells(page)
    assert page.xpath("//a[@class='move']/@href") == ["/compare/revoke?codes=english-1864,american-1893"]
    assert page.xpath("string(//link[@rel='canonical']/@href)").endswith("?codes=american-1893,english-1864")


async def test_rows_that_agree_are_hidden_on_request_and_the_page_says_so(ds: Datasette) -> None:
    path = "/compare/revoke?codes=arnaud-1829,english-1864&differ=1"
    page = await page_of(ds, path)
    assert len(cells(page)) == 2 and "2 of 3 questions" in words(page.find(".//main"))
    assert "/compare/revoke?codes=arnaud-1829,english-1864" in page.xpath("//main//p/a/@href")
    data = (await ds.client.get(path.replace("?", ".json?"))).json()
    assert ([q["id"] for q in data["questions"]], data["asked"]) == (["revoke/penalty", "revoke/correction"], 3)
    lines = csv.DictReader(io.StringIO((await ds.client.get(path.replace("?", ".csv?"))).text))
    assert {line["question"] for line in lines} == {"penalty", "correction"}


async def test_what_the_address_asks_for_in_vain_is_told(ds: Datasette) -> None:
    path = "?codes=english-1864,nobody-1900&differ=yes&build=0000"
    data = (await ds.client.get(f"/compare/revoke.json{path}")).json()
    page = await page_of(ds, f"/compare/revoke{path}")
    assert [words(p) for p in page.xpath("//p[@class='warning']")] == data["notes"] and len(data["notes"]) == 3
    assert "nobody-1900" in data["notes"][0] and data["codes"] == ["english-1864"]
    assert not any("nobody" in link for link in page.xpath("//main//@href"))
    many = (await ds.client.get("/compare/revoke.json?codes=" + ",".join(f"x{i}" for i in range(900)))).json()
    assert (len(many["notes"]), many["codes"]) == (6, list(ALL))
    alone = (await ds.client.get("/compare/revoke.json?codes=english-1864&differ=1")).json()
    assert not alone["differ"] and len(alone["questions"]) == 3 and "single code" in alone["notes"][0]


@pytest.mark.parametrize(
    "path",
    [
        "/compare/revoke{}?codes=english-1864",
        "/compare{}?a=american-1893%2Flaw-28&b=american-1894%2Flaw-28",
        "/collate{}?u=american-1893%2Flaw-28&u=american-1894%2Flaw-28",
        "/compare/american-1893/american-1894{}?page=1",
    ],
)
async def test_the_permalink_of_a_comparison_names_the_build_and_another_build_is_told(
    ds: Datasette, path: str
) -> None:
    page = await page_of(ds, path.format(""))
    link = page.xpath("string(//a[contains(@class, 'permalink')]/@href)")
    start, _, build = link.rpartition("build=")
    assert start[:-1] == f"http://localhost{path.format('').removesuffix('?page=1')}" and len(build) == 8
    same = (await ds.client.get(f"{path.format('.json')}&build={build}")).json()
    assert (same["notes"], same["build"]) == ([], build) and build in words(page.find(".//footer"))
    other = (await ds.client.get(f"{path.format('.json')}&build=12345678")).json()
    assert "rebuilt since" in other["notes"][0] and build in other["notes"][0]


async def test_a_library_that_may_change_has_no_build_to_name_and_a_topic_may_ask_the_questions_of_another(
    database: Path, tmp_path: Path
) -> None:
    other = tmp_path / "whist.db"
    shutil.copy(database, other)
    with closing(sqlite3.connect(other)) as conn, conn:
        conn.execute("insert into facet_topic values ('penalty', 'revoke/penalty', 0)")
    ds = Datasette([str(other)])
    await ds.invoke_startup()
    page = await page_of(ds, "/compare/penalty?build=12345678")
    assert not page.xpath("//a[contains(@class, 'permalink')] | //p[@class='warning']")
    assert page.xpath("//details[@class='question']/div/@id") == ["revoke-penalty"]
    away = page.xpath("//details[@class='question']//p[@class='ways']/a/@href")
    assert away == ["/compare/revoke#penalty", "/compare/revoke/penalty.svg"]


async def test_without_questions_the_texts_stand_side_by_side_and_nothing_was_judged(ds: Datasette) -> None:
    page = await page_of(ds, "/compare/penalty?codes=english-1864")
    told = [words(p) for p in page.xpath("//p[@class='warning']")]
    assert told[0].startswith("Nothing was judged") and "no table of answers" in told[1]
    assert page.xpath("//div[@class='row']") and not page.xpath("//table[@class='answer-table']")
    concept = await page_of(ds, "/compare/misdeal")
    assert not concept.xpath("//p[@class='warning']"), "a concept is no topic that could have been judged"
    for suffix in ("csv", "md"):
        missing = await ds.client.get(f"/compare/penalty.{suffix}")
        assert missing.status_code == 404 and "/compare/revoke" in missing.text


async def test_the_start_of_comparison_counts_questions_and_leads_to_the_other_pages(ds: Datasette) -> None:
    page = await page_of(ds, "/compare")
    assert "3 questions" in words(page.find(".//main"))
    assert {"/collate", "/compare/american-1893/american-1894"} <= set(page.xpath("//main//a/@href"))
    data = (await ds.client.get("/compare.json")).json()
    assert [(t["id"], t["questions"]) for t in data["topics"]] == [("revoke", 3), ("penalty", 0)]


async def test_addresses_of_the_answers_are_under_the_base_url(site: Callable[..., Awaitable[Datasette]]) -> None:
    page = await page_of(await site(base_url="/whist/"), "/compare/revoke?codes=english-1864,american-1893")
    inside = [h for h in page.xpath("//main//@href | //main//@action") if not h.startswith(("#", "http"))]
    assert inside and all(h.startswith("/whist/") for h in inside)


async def test_the_course_of_a_rule_is_a_picture_for_other_pages(ds: Datasette) -> None:
    page = await page_of(ds, "/compare/revoke?codes=english-1864,american-1893")
    (address,) = page.xpath("//*[@id='penalty']//figure//a/@href")
    assert address == "/compare/revoke/penalty.svg?codes=english-1864,american-1893"
    answer = await ds.client.get(address)
    assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, "image/svg+xml")
    assert "style" not in answer.text, "it needs nothing else, whatever policy the page around it has"
    picture = html.document_fromstring(answer.content)
    (label,) = page.xpath("//*[@id='penalty']//figure/*[@role='img']/@aria-label")
    (told,) = picture.xpath("//desc/text()")
    assert "law 72" in told and all(bar.split(": ", 1)[1] in told for bar in label.split("; ")), "it is told in words"
    (cited,) = picture.xpath("//a/@href")
    assert cited == "http://localhost/compare/revoke?codes=english-1864,american-1893#penalty"
    assert cited in picture.xpath("//a/text/text()")[-1]
    for path in ("/compare/revoke/nothing.svg", "/compare/nothing/penalty.svg"):
        assert (await ds.client.get(path)).status_code == 404
