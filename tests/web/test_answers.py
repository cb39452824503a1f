"""The answers of the codes: the table, what agrees, the course of a rule, the page that shows them and its forms."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from datasette.app import Datasette
from hypothesis import given
from hypothesis import strategies as st
from library import PENALTY
from lxml import html
from reading_pages import altered, data, get, lines, shown, told, words
from terminal import whist

from datasette_plugins.rule_line import WIDTH, rule_line
from extract.model import Span
from kb.collation.quoted import deciding_span
from kb.comparison import answers
from kb.comparison import topics as comparison
from kb.comparison.answers import Answers, columns_of
from kb.comparison.marking import TextPiece, with_marks
from kb.read import queries

ALL = ("arnaud-1829", "english-1864", "american-1893", "american-1894")
TABLE = "//table[@class='answer-table']"


def table(conn: sqlite3.Connection, *codes: str) -> Answers:
    return answers.answers(conn, comparison.find_topic(conn, "revoke"), codes, differ=False)


def cells(page: html.HtmlElement) -> list[list[str]]:
    return [[words(cell) for cell in row.findall("td")] for row in page.xpath(f"{TABLE}/tbody/tr[th]")]


# The table.


def test_codes_agree_only_if_all_lay_down_one_rule_and_none_is_silent(conn: sqlite3.Connection) -> None:
    pairs = [(ALL[0], ALL[1]), (ALL[1], ALL[2]), (ALL[2], ALL[3]), (ALL[0], ALL[2])]
    assert {q.slug: [q.agreed(pair) for pair in pairs] for q in table(conn).rows} == {
        "definition": [True, False, False, False],
        "penalty": [False, False, True, False],
        "correction": [False, False, True, False],
    }


def test_twins_share_a_column_only_where_they_are_twins_in_every_row_and_side_by_side(conn: sqlite3.Connection) -> None:
    made, apart = table(conn), table(conn, "american-1893", "english-1864", "american-1894")
    assert [len(made.columns), len(apart.columns)] == [3, 3]
    both = made.rows[1]
    one = replace(both, answers=both.answers | {ALL[3]: replace(both.answers[ALL[3]], twin=None)})
    mixed = replace(made, columns=columns_of(made.codes, (both, one)))
    assert [[(cell.codes, cell.columns) for cell in mixed.cells(question)[2:]] for question in (both, one)] == [
        [(ALL[2:], 2)], [(ALL[2:3], 1), (ALL[3:], 1)],
    ]  # fmt: skip
    assert ("american-1893/law-28", "american-1894/law-28") not in made.verdicts, "only the editor's verdicts count"


def test_deciding_words_may_begin_with_the_printed_number_and_run_over_a_paragraph(conn: sqlite3.Connection) -> None:
    law = replace(queries.unit(conn, "arnaud-1829/law-21"), label="Law 1", number="1")
    assert with_marks(replace(law, text="1. He deals.\n\nAgain he\ndeals."), ["1. He deals. Again"]) == (
        (TextPiece("He deals.", True),),
        (TextPiece("Again", True), TextPiece(" he\ndeals.")),
    )
    numeral = "Inquiry may be made."
    assert replace(law, text=numeral).body == numeral, "a word that begins like a numeral is no label"


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
    assert [bar.letter for bar in rule_line(made.course(made.rows[0])).bars] == ["A", "A", ""]
    draft = {code: replace(answer, source="machine") for code, answer in made.rows[1].answers.items()}
    assert made.course(replace(made.rows[1], answers=draft)) == () and rule_line(()) is None


# The page.


async def test_the_page_of_a_topic(ds: Datasette) -> None:
    page = await get(ds, "/compare/revoke")
    assert cells(page) == [
        [
            "not following suit when able definition of “Revoke”",
            "holding the suit led and playing another law 71",
            "silent",
        ],
        ["three points or three tricks law 21", "three tricks or three points law 72 (i)", "two tricks law 30 = 1894"],
        ["silent", "not judged", "yes; a revoke not law 28 = 1894, law 30 = 1894"],
    ]
    penalty = "//div[@id='penalty']"
    places = {
        f"{TABLE}/thead//th": [
            "Question", "1829 Arnaud’s laws", "1864 English club code",
            "1893 = 1894 American code of 1893 and American code, nearly word for word the same",
        ],
        f"{TABLE}/tbody//th": [
            "What is a revoke? not following suit → the same in <b>other</b> words",
            "What does it cost? three points or tricks → two tricks", "May it be corrected?",
        ],
        f"{TABLE}/tbody//th//a[1]/@href": ["#definition", "#penalty", "#correction"],
        f"{TABLE}/tbody/tr[th][2]/td/span[@class='cites']/a/@href": [
            "/arnaud-1829/law-21", "/english-1864/law-72/i", "/american-1893/law-30", "/american-1894/law-30",
        ],
        "//details[@class='question'][not(@open)]/div/@id": ["definition", "penalty", "correction"],
        "//form[@class='choose'][not(@method) or @method='get']/@action": ["/compare/revoke"],
        "//form[@class='choose']//input/@name | //form[@class='choose']//button/@type": ["codes"] * 4 + ["differ"],
        # The page works without a script.
        "//main//script | //main//*[@hidden]": [],
        # Every question has its texts and its drawing.
        f"{penalty}//mark | {penalty}//p[@class='opening'] | {penalty}//figcaption//li"
        f" | {penalty}//div[@class='relations']//details": [
            "A 1829 three points or three tricks",
            "A′ 1864 the same, at their choice",
            "B 1893 = 1894 two tricks",
            "The penalty for a revoke :",
            "may either take three tricks",
            "The penalty for each revoke is two tricks",
            "1829 law 21 → 1864 law 72 (i): a narrower ruleThe later has no rest. Word by word",
            "1864 law 72 (i) → 1893 law 30: a different ruleThree against two. Word by word",
        ],
    }  # fmt: skip
    assert shown(page, places) == places
    main = words(page.find(".//main"))
    assert "Not judged: not reviewed" in main and "Silent: the code was read" in main


async def test_codes_are_chosen_and_ordered_by_the_address(ds: Datasette) -> None:
    page = await get(ds, "/compare/revoke?codes=american-1893,english-1864")
    places = {
        "//input[@checked]/@value": ["american-1893", "english-1864"],
        f"{TABLE}/thead//th/a[1]": ["1893", "1864"],
        "//a[@class='move']/@href": ["/compare/revoke?codes=english-1864,american-1893"],
        "//link[@rel='canonical']/@href": ["http://localhost/compare/revoke?codes=american-1893,english-1864"],
    }
    assert shown(page, places) == places
    assert cells(await get(ds, "/compare/revoke?codes=american-1893&codes=english-1864&differ=")) == cells(page)


async def test_rows_that_agree_are_hidden_on_request_and_the_page_says_so(ds: Datasette) -> None:
    path = "/compare/revoke{}?codes=arnaud-1829,english-1864"
    page = await get(ds, path.format("") + "&differ=1")
    assert len(cells(page)) == 2 and "2 of 3 questions" in words(page.find(".//main"))
    assert path.format("") in page.xpath("//main//p/a/@href")
    places = {"questions.*.id": ["revoke/penalty", "revoke/correction"], "asked": 3}
    assert told(await data(ds, path.format(".json") + "&differ=1"), places) == places
    csv = await lines(ds, path.format(".csv") + "&differ=1")
    assert {line["question"] for line in csv} == {"penalty", "correction"}


async def test_what_the_address_asks_for_in_vain_is_told(ds: Datasette) -> None:
    path = "?codes=english-1864,nobody-1900&differ=yes&build=0000"
    found = await data(ds, f"/compare/revoke.json{path}")
    page = await get(ds, f"/compare/revoke{path}")
    assert [words(p) for p in page.xpath("//p[@class='warning']")] == found["notes"] and len(found["notes"]) == 3
    assert "nobody-1900" in found["notes"][0] and found["codes"] == ["english-1864"]
    assert not any("nobody" in link for link in page.xpath("//main//@href"))
    many = await data(ds, "/compare/revoke.json?codes=" + ",".join(f"x{i}" for i in range(900)))
    assert (len(many["notes"]), many["codes"]) == (6, list(ALL))
    alone = await data(ds, "/compare/revoke.json?codes=english-1864&differ=1")
    assert not alone["differ"] and len(alone["questions"]) == 3 and "single code" in alone["notes"][0]


@pytest.mark.parametrize(
    "path",
    [
        "/compare/revoke{}?codes=english-1864",
        "/collate{}?u=american-1893%2Flaw-28&u=american-1894%2Flaw-28",
        "/compare/american-1893/american-1894{}?page=1",
    ],
)
async def test_the_permalink_of_a_comparison_names_the_build_and_another_build_is_told(
    ds: Datasette, path: str
) -> None:
    page = await get(ds, path.format(""))
    link = page.xpath("string(//a[contains(@class, 'permalink')]/@href)")
    start, _, build = link.rpartition("build=")
    assert start[:-1] == f"http://localhost{path.format('').removesuffix('?page=1')}" and len(build) == 8
    same = await data(ds, f"{path.format('.json')}&build={build}")
    assert (same["notes"], same["build"]) == ([], build) and build in words(page.find(".//footer"))
    other = await data(ds, f"{path.format('.json')}&build=12345678")
    assert "rebuilt since" in other["notes"][0] and build in other["notes"][0]


async def test_a_library_that_may_change_has_no_build_to_name_and_a_topic_may_ask_the_questions_of_another(
    database: Path, tmp_path: Path
) -> None:
    await altered(database, tmp_path, "insert into facet_topic values ('penalty', 'revoke/penalty', 0)")
    ds = Datasette([str(tmp_path / "altered.db")])
    await ds.invoke_startup()
    places = {
        "//a[contains(@class, 'permalink')] | //p[@class='warning']": [],
        "//details[@class='question']/div/@id": ["revoke-penalty"],
        "//details[@class='question']//p[@class='ways']/a/@href": [
            "/compare/revoke#penalty", "/compare/revoke/penalty.svg",
        ],
    }  # fmt: skip
    assert shown(await get(ds, "/compare/penalty?build=12345678"), places) == places


async def test_without_questions_the_texts_stand_side_by_side_and_nothing_was_judged(ds: Datasette) -> None:
    page = await get(ds, "/compare/penalty?codes=english-1864")
    warnings = [words(p) for p in page.xpath("//p[@class='warning']")]
    assert warnings[0].startswith("Nothing was judged") and "no table of answers" in warnings[1]
    assert page.xpath("//div[@class='row']") and not page.xpath(TABLE)
    concept = await get(ds, "/compare/misdeal")
    assert not concept.xpath("//p[@class='warning']"), "a concept is no topic that could have been judged"
    for suffix in ("csv", "md"):
        missing = await ds.client.get(f"/compare/penalty.{suffix}")
        assert missing.status_code == 404 and "/compare/revoke" in missing.text


async def test_the_start_of_comparison_counts_questions_and_leads_to_the_other_pages(ds: Datasette) -> None:
    page = await get(ds, "/compare")
    assert "3 questions" in words(page.find(".//main"))
    assert {"/collate", "/compare/american-1893/american-1894"} <= set(page.xpath("//main//a/@href"))
    topics = (await data(ds, "/compare.json"))["topics"]
    assert [(topic["id"], topic["questions"]) for topic in topics] == [("revoke", 3), ("penalty", 0)]


async def test_the_course_of_a_rule_is_a_picture_for_other_pages(ds: Datasette) -> None:
    page = await get(ds, "/compare/revoke?codes=english-1864,american-1893")
    address = "/compare/revoke/penalty.svg?codes=english-1864,american-1893"
    assert page.xpath("//*[@id='penalty']//figure//a/@href") == [address]
    answer = await ds.client.get(address)
    assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, "image/svg+xml")
    assert "style" not in answer.text, "it needs nothing else, whatever policy the page around it has"
    picture = html.document_fromstring(answer.text)
    cited = "http://localhost/compare/revoke?codes=english-1864,american-1893#penalty"
    places = {
        "//desc": ["A′: 1864: the same, at their choice (law 72 (i)). B: 1893: two tricks (law 30)."],
        "//a/@href": [cited],
    }
    assert shown(picture, places) == places and cited in picture.xpath("//a/text/text()")[-1]
    for path in ("/compare/revoke/nothing.svg", "/compare/nothing/penalty.svg"):
        await get(ds, path, 404)


# Its other forms.


async def test_the_same_as_csv(ds: Datasette) -> None:
    assert 'filename="revoke.csv"' in (await ds.client.head("/compare/revoke.csv")).headers["content-disposition"]
    by_cell = {(line["question"], line["code"]): line for line in await lines(ds, "/compare/revoke.csv")}
    places = {
        ("penalty", "english-1864"): {
            "summary": "three tricks or three points", "pinpoints": "law 72 (i)", "state": "answered", "value": PENALTY,
            "deciding_words": "may either take three tricks",
        },
        ("penalty", "american-1894"): {"twin": "american-1893"},
        ("correction", "arnaud-1829"): {"state": "silent"},
        ("correction", "english-1864"): {"state": "not judged"},
        ("correction", "american-1893"): {"provisions": "american-1893/law-28; american-1893/law-30"},
    }  # fmt: skip
    assert {cell: {key: by_cell[cell][key] for key in keys} for cell, keys in places.items()} == places
    assert len(by_cell) == 3 * 4


async def test_the_same_as_markdown(ds: Datasette) -> None:
    response = await ds.client.get("/compare/revoke.md?codes=english-1864,american-1893")
    assert response.headers["content-type"] == "text/markdown; charset=utf-8"
    assert response.text.startswith("# Revoke\n") and "\n| Question | 1864 | 1893 |\n" in response.text
    assert ("\n| **What does it cost?** *three points or tricks → two tricks* "
            "| three tricks or three points ([law 72 (i)](http://localhost/english-1864/law-72/i)) "
            "| two tricks ([law 30](http://localhost/american-1893/law-30)) |\n") in response.text  # fmt: skip
    assert "| **May it be corrected?** | *not judged* |" in response.text
    assert "<b>" not in response.text and r"\<b\>other" in response.text
    assert {line.count("|") for line in response.text.splitlines() if line.startswith("|")} == {4}


def test_the_answers_on_a_terminal(database: Path) -> None:
    for asked, *said in (
        ("revoke", "  1864: three tricks or three points [law 72 (i)]\n  1893 = 1894: two tricks [law 30]",
         "1829: silent\n  1864: not judged"),
        ("revoke --json", '"pinpoint": "law 72 (i)"'),
        ("penalty", "no questions yet"),
    ):  # fmt: skip
        answer = whist("compare", *asked.split(), "--db", database)
        assert answer.exit_code == 0 and all(line in answer.output for line in said)
