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

from datasette.app import Datasette
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from datasette_plugins.rule_line import WIDTH, rule_line
from extract.model import Span
from kb.collation.quoted import deciding_span
from kb.comparison import answers
from kb.comparison import topics as comparison
from kb.comparison.answers import Answer, Answers, Question, columns_of
from kb.comparison.marking import TextPiece, with_marks
from kb.read import queries
from kb.read.paging import ListPage
from kb.read.rows import CodeRow, TopicRow, UnitRow

ALL = ("arnaud-1829", "english-1864", "american-1893", "american-1894")


def table(conn: sqlite3.Connection, *codes: str, differ: bool = False) -> Answers:
    topic = comparison.find_topic(conn, "revoke")
    assert topic is not None
    found = answers.answers(conn, topic, codes, differ=differ)
    assert found is not None
    return found


def answers_on(topic: TopicRow, codes: Sequence[CodeRow], *questions: Question) -> Answers:
    page = ListPage(1, len(questions), len(questions))
    return Answers(columns_of(codes, questions), questions, page, len(codes), topic, {}, {}, {})


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


def answer(code: str, *cites: str, twin: str | None = None) -> Answer:
    return Answer(code, "", cites, twin=twin)


@given(st.lists(st.sampled_from(["A", "A'", "B", ""]), min_size=1, max_size=6))
def test_one_letter_is_drawn_for_one_rule(letters: list[str]) -> None:
    codes = tuple(CodeRow(f"c-{1800 + i}", "", "", 1800 + i, "", "", "", "") for i, _ in enumerate(letters))
    told = {
        code.id: replace(answer(code.id, *([f"{code.id}/1"] if rule else [])), rule=rule, brief=rule)
        for code, rule in zip(codes, letters, strict=True)
    }
    topic = TopicRow("t", "T", "t", "")
    made = answers_on(topic, codes, Question("t/q", "?", "", told))
    drawn = rule_line(made.course(made.rows[0]))
    assert drawn is not None and [bar.letter for bar in drawn.bars] == [rule.replace("'", "′") for rule in letters]


async def test_a_question_of_another_topic_is_named_by_its_home_and_leads_there(database: Path, tmp_path: Path) -> None:
    other = tmp_path / "whist.db"
    shutil.copy(database, other)
    with closing(sqlite3.connect(other)) as conn, conn:
        conn.execute("insert into facet_topic values ('penalty', 'revoke/penalty', 0)")
    ds = Datasette([], immutables=[str(other)])
    await ds.invoke_startup()
    page = await page_of(ds, "/compare/penalty")
    assert page.xpath("//details[@class='question']/div/@id") == ["revoke-penalty"]
    away = page.xpath("//details[@class='question']//p[@class='ways']/a/@href")
    assert away == ["/compare/revoke#penalty", "/compare/revoke/penalty.svg"]
    data = (await ds.client.get("/compare/penalty.json")).json()
    assert [q["id"] for q in data["questions"]] == ["revoke/penalty"]


def course_of(*rules: str, source: str = "editor") -> list[str]:
    codes = tuple(CodeRow(f"c-{1800 + i}", "", "", 1800 + i, "", "", "", "") for i, _ in enumerate(rules))
    told = {c.id: replace(answer(c.id, "x/1"), rule=r, source=source) for c, r in zip(codes, rules, strict=True)}
    made = answers_on(TopicRow("t", "T", "t", ""), codes, Question("t/q", "?", "", told))
    return [stage.state for stage in made.course(made.rows[0])]


def test_a_rule_is_the_same_altered_or_another_by_its_letter() -> None:
    assert course_of("A", "A", "A'", "B") == ["first", "same", "altered", "changed"]


def test_a_draft_has_no_course() -> None:
    assert course_of("", "", source="machine") == []


def test_codes_agree_only_if_all_lay_down_one_rule() -> None:
    told = {code: replace(answer(code, f"{code}/1"), rule=rule) for code, rule in zip("abcd", "AAB", strict=False)}
    question = Question("t/q", "?", "", told | {"d": answer("d", "d/1")})
    assert question.agreed("ab") and not question.agreed("abc") and not question.agreed("d")


def test_silence_and_a_missing_answer_never_agree() -> None:
    told = {"a": answer("a", "a/1"), "b": answer("b"), "c": answer("c", twin="b")}
    question = Question("t/q", "?", "", told)
    assert not question.agreed(["a", "b"])
    assert not question.agreed(["b", "c"])
    assert not question.agreed(["a", "d"])
    assert [question.state(code) for code in "abd"] == ["answered", "silent", "not judged"]


def test_only_the_editors_verdicts_count(conn: sqlite3.Connection) -> None:
    found = table(conn).verdicts
    assert found["arnaud-1829/law-21", "english-1864/law-72/i"].relation == "broader"
    machine = queries.link(conn, "american-1893/law-28", "american-1894/law-28")
    assert machine is not None and machine.status == "proposed"
    assert ("american-1893/law-28", "american-1894/law-28") not in found


def test_questions_on_which_the_codes_agree_are_left_out(conn: sqlite3.Connection) -> None:
    def shown(*codes: str) -> list[str]:
        return [q.slug for q in table(conn, *codes, differ=True).rows]

    assert shown(*ALL) == ["definition", "penalty", "correction"]
    assert shown("arnaud-1829", "english-1864") == ["penalty", "correction"]
    assert shown("american-1894", "american-1893") == ["definition"], "silence is no agreement"


# The table.


def test_twins_share_a_column_only_where_they_are_twins_in_every_row(conn: sqlite3.Connection) -> None:
    assert [[c.id for c in column] for column in table(conn).columns][-1] == ["american-1893", "american-1894"]
    apart = table(conn, "american-1893", "english-1864", "american-1894")
    assert [len(column) for column in apart.columns] == [1, 1, 1]


def test_twins_of_one_row_share_its_cell() -> None:
    told = {"a": answer("a", "a/1"), "b": answer("b", "b/1", twin="a")}
    both = Question("t/1", "?", "", told)
    one = Question("t/2", "?", "", {"a": answer("a", "a/1"), "b": answer("b")})
    topic = TopicRow("t", "T", None, "")
    codes = tuple(CodeRow(i, i, i, year, "", "", "Law", "") for i, year in (("a", 1), ("b", 2)))
    made = answers_on(topic, codes, both, one)
    assert [(cell.codes, cell.columns, cell.state) for cell in made.cells(both)] == [(("a", "b"), 2, "answered")]
    assert [(cell.codes, cell.columns, cell.state) for cell in made.cells(one)] == [
        (("a",), 1, "answered"), (("b",), 1, "silent"),
    ]  # fmt: skip


def test_a_topic_without_questions_has_no_table(conn: sqlite3.Connection) -> None:
    topic = comparison.find_topic(conn, "penalty")
    assert topic is not None and answers.answers(conn, topic) is None


def test_the_deciding_words_are_set_apart_and_nothing_is_lost(conn: sqlite3.Connection) -> None:
    for question in table(conn).rows:
        for told in question.answers.values():
            for unit in queries.units(conn, told.cites).values():
                paragraphs = with_marks(unit, told.deciding_in(unit.id))
                assert " ".join("".join(p.text for p in par) for par in paragraphs).split() == unit.body.split()
    decides = "english-1864/law-72/i"
    english = next(q for q in table(conn).rows if q.slug == "penalty").answers["english-1864"]
    (paragraph,) = with_marks(queries.unit(conn, decides), english.deciding_in(decides))
    assert [p.text for p in paragraph if p.deciding] == ["may either take three tricks"]


def test_deciding_words_may_begin_with_the_printed_number_and_run_over_a_paragraph() -> None:
    unit = UnitRow(
        "c/1", "b", "c", "law", "Law 1", "1", None, None, 0, 0, 0, None, "1. He deals.\n\nAgain he\ndeals.", 1.0
    )
    assert with_marks(unit, ["1. He deals. Again"]) == (
        (TextPiece("He deals.", True),),
        (TextPiece("Again", True), TextPiece(" he\ndeals.")),
    )


@given(st.text("ab \n", min_size=1).filter(lambda words: bool(words.split())), st.text("ab \n"))
def test_deciding_words_are_found_where_they_first_stand_white_space_aside(words: str, text: str) -> None:
    found = re.search(r"\s+".join(map(re.escape, words.split())), text)
    assert deciding_span(words, text) == (Span(*found.span()) if found else None)


def test_a_word_that_begins_like_a_numeral_is_not_taken_for_the_label() -> None:
    unit = UnitRow("c/1", "b", "c", "law", "Law 1", "1", None, None, 0, 0, 0, None, "Inquiry may be made.", 1.0)
    assert unit.body == "Inquiry may be made."


# The course of a rule.


def test_the_course_of_a_rule_tells_what_each_code_made_of_it(conn: sqlite3.Connection) -> None:
    made = table(conn)
    by_slug = {q.slug: [(s.codes[0].year, s.until, s.state, s.rule) for s in made.course(q)] for q in made.rows}
    assert by_slug == {
        "definition": [(1829, 1864, "first", "A"), (1864, 1893, "same", "A"), (1893, None, "silent", "")],
        "penalty": [(1829, 1864, "first", "A"), (1864, 1893, "altered", "A'"), (1893, None, "changed", "B")],
        "correction": [(1829, 1864, "silent", ""), (1864, 1893, "not judged", ""), (1893, None, "first", "A")],
    }


def test_the_course_goes_by_years_whatever_the_order_of_the_columns(conn: sqlite3.Connection) -> None:
    made = table(conn, *reversed(ALL))
    for question in made.rows:
        assert made.course(question) == table(conn).course(question)


def test_the_bars_of_a_drawing_follow_one_another_and_fill_it(conn: sqlite3.Connection) -> None:
    made = table(conn)
    line = rule_line(made.course(made.rows[1]))
    assert line is not None and line.bars[0].x == 0
    for bar, after in zip(line.bars, line.bars[1:], strict=False):
        assert bar.x + bar.width <= after.x
    assert WIDTH - 3 <= line.bars[-1].x + line.bars[-1].width <= WIDTH
    assert [bar.letter for bar in line.bars] == ["A", "A′", "B"]
    assert line.label == (
        "A 1829: three points or three tricks; A′ 1864: the same, at their choice; B 1893 = 1894: two tricks"
    )
    narrow = replace(line.bars[1], width=5)
    assert (line.bars[1].above, narrow.above) == ("1864", "1864 A′"), "a letter without room stands by the years"
    assert rule_line(()) is None


# The page.


async def test_the_answers_come_first_each_cell_with_its_pinpoint_or_a_word(ds: Datasette) -> None:
    page = await page_of(ds, "/compare/revoke")
    heads = [words(th) for th in page.xpath("//table[@class='answer-table']/thead//th")]
    assert heads[1].startswith("1829") and heads[3].startswith("1893 = 1894") and "nearly word for word" in heads[3]
    rows = cells(page)
    assert rows[1] == [
        "three points or three tricks law 21", "three tricks or three points law 72 (i)", "two tricks law 30 = 1894",
    ]  # fmt: skip
    assert rows[0][2] == "silent" and rows[2][:2] == ["silent", "not judged"]
    assert "Not judged: not reviewed" in words(page.find(".//main")) and "Silent: the code was read" in words(
        page.find(".//main")
    )
    assert not [cell for row in rows for cell in row if not cell]
    first = page.xpath("//table[@class='answer-table']/tbody/tr[th][2]/td/span[@class='cites']/a/@href")
    assert first == ["/arnaud-1829/law-21", "/english-1864/law-72/i", "/american-1893/law-30", "/american-1894/law-30"]
    assert "→" in words(page.xpath("//table[@class='answer-table']/tbody/tr[th][2]/th")[0])


async def test_every_question_has_its_texts_its_drawing_and_an_address(ds: Datasette) -> None:
    page = await page_of(ds, "/compare/revoke")
    slugs = ["definition", "penalty", "correction"]
    assert page.xpath("//table[@class='answer-table']/tbody//th/a/@href") == [f"#{slug}" for slug in slugs]
    assert page.xpath("//details[@class='question'][not(@open)]/div/@id") == slugs, "the texts are folded"
    (penalty,) = page.xpath("//div[@id='penalty']")
    assert [words(m) for m in penalty.xpath(".//mark")] == [
        "may either take three tricks",
        "The penalty for each revoke is two tricks",
    ]
    assert words(penalty.xpath(".//p[@class='opening']")[0]) == "The penalty for a revoke :"
    (drawing,) = penalty.xpath(".//figure/*[local-name()='svg']")
    assert drawing.get("role") == "img" and "1864: the same, at their choice" in drawing.get("aria-label")
    assert words(penalty.xpath(".//figcaption//li")[0]) == "A 1829 three points or three tricks"
    told = [words(details) for details in penalty.xpath(".//div[@class='relations']//details")]
    assert told == [
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
    assert [q["id"] for q in data["questions"]] == ["revoke/penalty", "revoke/correction"] and data["asked"] == 3
    lines = list(csv.DictReader(io.StringIO((await ds.client.get(path.replace("?", ".csv?"))).text)))
    assert {line["question"] for line in lines} == {"penalty", "correction"}


async def test_what_the_address_asks_for_in_vain_is_told(ds: Datasette) -> None:
    path = "?codes=english-1864,nobody-1900&differ=yes&build=0000"
    data = (await ds.client.get(f"/compare/revoke.json{path}")).json()
    page = await page_of(ds, f"/compare/revoke{path}")
    assert [words(p) for p in page.xpath("//p[@class='warning']")] == data["notes"] and len(data["notes"]) == 3
    assert "nobody-1900" in data["notes"][0] and data["codes"] == ["english-1864"]
    assert not any("nobody" in link for link in page.xpath("//main//@href"))
    many = (await ds.client.get("/compare/revoke.json?codes=" + ",".join(f"x{i}" for i in range(900)))).json()
    assert len(many["notes"]) == 6 and many["codes"] == list(ALL)
    alone = (await ds.client.get("/compare/revoke.json?codes=english-1864&differ=1")).json()
    assert not alone["differ"] and len(alone["questions"]) == 3 and "single code" in alone["notes"][0]


async def test_the_permalink_names_the_build_and_another_build_is_told(ds: Datasette) -> None:
    page = await page_of(ds, "/compare/revoke?codes=english-1864")
    link = page.xpath("string(//a[contains(@class, 'permalink')]/@href)")
    build = link.rpartition("build=")[2]
    assert link.startswith("http://localhost/compare/revoke?codes=english-1864&build=") and len(build) == 8
    assert build in words(page.find(".//footer"))
    same = (await ds.client.get(link.removeprefix("http://localhost").replace("?", ".json?"))).json()
    assert same["notes"] == [] and same["build"] == build
    other = (await ds.client.get("/compare/revoke.json?build=12345678")).json()
    assert "rebuilt since" in other["notes"][0] and build in other["notes"][0]


async def test_a_library_that_may_change_has_no_build_to_name(database: Path) -> None:
    ds = Datasette([str(database)])
    await ds.invoke_startup()
    page = await page_of(ds, "/compare/revoke?build=12345678")
    assert not page.xpath("//a[contains(@class, 'permalink')] | //p[@class='warning']")


async def test_the_page_works_without_a_script(ds: Datasette) -> None:
    page = await page_of(ds, "/compare/revoke")
    (form,) = page.xpath("//form[@class='choose']")
    assert form.get("method", "get") == "get" and form.get("action") == "/compare/revoke"
    assert form.xpath(".//input/@name") == ["codes"] * 4 + ["differ"] and form.xpath(".//button")
    assert not page.xpath("//main//script | //main//*[@hidden]")


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


async def test_addresses_of_the_answers_are_under_the_base_url(
    site: Callable[..., Awaitable[Datasette]],
) -> None:
    ds = await site(base_url="/whist/")
    page = await page_of(ds, "/compare/revoke?codes=english-1864,american-1893")
    inside = [h for h in page.xpath("//main//@href | //main//@action") if not h.startswith(("#", "http"))]
    assert inside and all(h.startswith("/whist/") for h in inside)


async def test_the_course_of_a_rule_is_a_picture_for_other_pages(ds: Datasette) -> None:
    page = await page_of(ds, "/compare/revoke?codes=english-1864,american-1893")
    (address,) = page.xpath("//*[@id='penalty']//figure//a/@href")
    assert address == "/compare/revoke/penalty.svg?codes=english-1864,american-1893"
    answer = await ds.client.get(address)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("image/svg+xml")
    picture = html.document_fromstring(answer.content)
    (label,) = page.xpath("//*[@id='penalty']//figure/*[@role='img']/@aria-label")
    (told,) = picture.xpath("//desc/text()")
    for bar in label.split("; "):
        assert bar.split(": ", 1)[1] in told, "it says in words what it shows"
    assert "law 72" in told
    assert "style" not in answer.text, "it needs nothing else, whatever policy the page around it has"
    (cited,) = picture.xpath("//a/@href")
    assert cited == "http://localhost/compare/revoke?codes=english-1864,american-1893#penalty"
    assert cited in picture.xpath("//a/text/text()")[-1]
    assert (await ds.client.get("/compare/revoke/nothing.svg")).status_code == 404
    assert (await ds.client.get("/compare/nothing/penalty.svg")).status_code == 404
