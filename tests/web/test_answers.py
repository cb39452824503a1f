"""The codes' answers to the questions of a topic: table, agreement, course of a rule, page and other formats."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from datasette.app import Datasette
from reading_pages import altered, begun, content, data, get, lines, shown, words
from terminal import whist

from kb.comparison import answers
from kb.comparison import topics as comparison
from kb.comparison.answers import Answers, columns_of
from kb.comparison.marking import TextPiece, with_marks
from kb.read import queries

ALL = ("arnaud-1829", "english-1864", "american-1893", "american-1894")
TABLE = "//table[@class='answer-table']"
TWO_CODES = "english-1864,american-1893"


def revoke_answers(conn: sqlite3.Connection, *codes: str) -> Answers:
    return answers.answers(conn, comparison.find_topic(conn, "revoke"), codes, differ=False)


# The table.


def test_codes_agree_only_if_all_have_the_same_rule_and_none_is_silent(conn: sqlite3.Connection) -> None:
    pairs = [(ALL[0], ALL[1]), (ALL[1], ALL[2]), (ALL[2], ALL[3]), (ALL[0], ALL[2])]
    assert {question.slug: [question.agreed(pair) for pair in pairs] for question in revoke_answers(conn).rows} == {
        "definition": [True, False, False, False],
        "penalty": [False, False, True, False],
        "correction": [False, False, True, False],
    }


def test_twins_share_a_column_only_if_adjacent_and_twins_in_every_row(conn: sqlite3.Connection) -> None:
    whole, separated = revoke_answers(conn), revoke_answers(conn, "american-1893", "english-1864", "american-1894")
    assert [len(whole.columns), len(separated.columns)] == [3, 3]
    twins = whole.rows[1]
    apart = replace(twins, answers=twins.answers | {ALL[3]: replace(twins.answers[ALL[3]], twin=None)})
    mixed = replace(whole, columns=columns_of(whole.codes, (twins, apart)))
    assert [[(cell.codes, cell.columns) for cell in mixed.cells(question)[2:]] for question in (twins, apart)] == [
        [(ALL[2:], 2)], [(ALL[2:3], 1), (ALL[3:], 1)],
    ]  # fmt: skip
    assert ("american-1893/law-28", "american-1894/law-28") not in whole.verdicts, "only the editor's verdicts count"


def test_deciding_words_may_begin_with_the_number_and_span_paragraphs(conn: sqlite3.Connection) -> None:
    law = replace(queries.unit(conn, "arnaud-1829/law-21"), label="Law 1", number="1")
    text = "1. He deals.\n\nAgain he\ndeals. 1. He deals. Again"
    assert with_marks(replace(law, text=text), ["1. He\n  deals. Again"]) == (
        (TextPiece("He deals.", True),),
        (TextPiece("Again", True), TextPiece(" he\ndeals. 1. He deals. Again")),
    )
    assert replace(law, text="Inquiry.").body == "Inquiry.", "a word that begins like a numeral is no label"


# The course of a rule.


@pytest.mark.parametrize("codes", [ALL, ALL[::-1]], ids=["oldest first", "newest first"])
def test_course_of_a_rule_lists_each_change_oldest_first(conn: sqlite3.Connection, codes: tuple[str, ...]) -> None:
    result = revoke_answers(conn, *codes)
    by_slug = {q.slug: [(s.codes[0].year, s.until, s.state, s.rule) for s in result.course(q)] for q in result.rows}
    assert by_slug == {
        "definition": [(1829, 1864, "first", "A"), (1864, 1893, "same", "A"), (1893, None, "silent", "")],
        "penalty": [(1829, 1864, "first", "A"), (1864, 1893, "altered", "A'"), (1893, None, "changed", "B")],
        "correction": [(1829, 1864, "silent", ""), (1864, 1893, "not judged", ""), (1893, None, "first", "A")],
    }


def test_stages_of_a_rule_have_years_letters_and_words(conn: sqlite3.Connection) -> None:
    result = revoke_answers(conn)
    stages = [(stage.years, stage.letter, stage.words) for stage in result.course(result.rows[1])]
    assert stages == [
        ("1829", "A", "three points or three tricks"), ("1864", "A′", "the same, at their choice"),
        ("1893 = 1894", "B", "two tricks"),
    ]  # fmt: skip
    assert [stage.letter for stage in result.course(result.rows[0])] == ["A", "A", ""]


# The page.


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("/compare/revoke", {
            f"{TABLE}/thead//th": [
                "Question", "1829 Arnaud’s laws", "1864 English club code",
                "1893 = 1894 American code of 1893 and American code, nearly word for word the same",
            ],
            f"{TABLE}/tbody//th": [
                "What is a revoke? not following suit → the same in <b>other</b> words",
                "What does it cost? three points or tricks → two tricks", "May it be corrected?",
            ],
            f"{TABLE}/tbody//th//a[1]/@href": ["#definition", "#penalty", "#correction"],
            f"{TABLE}/tbody/tr[th]/td": [
                "not following suit when able definition of “Revoke”",
                "holding the suit led and playing another law 71", "no rule",
                "three points or three tricks law 21", "three tricks or three points law 72 (i)",
                "two tricks law 30 = 1894",
                "no rule", "not judged", "yes; a revoke not law 28 = 1894, law 30 = 1894",
            ],
            f"{TABLE}/tbody/tr[th][2]/td/span[@class='cites']/a/@href": [
                "/arnaud-1829/law-21", "/english-1864/law-72/i", "/american-1893/law-30", "/american-1894/law-30",
            ],
            "//details[@class='question'][not(@open)]/div/@id": ["definition", "penalty", "correction"],
            "//form[@class='choose'][not(@method) or @method='get']/@action": ["/compare/revoke"],
            "//form[@class='choose']//input/@name | //form[@class='choose']//button/@type": ["codes"] * 4 + ["differ"],
            # The page works without a script.
            "//main//script | //main//*[@hidden]": [],
            # Every question has its texts and the course of its rule.
            "//div[@id='penalty']//mark": ["may either take three tricks", "The penalty for each revoke is two tricks"],
            "//div[@id='penalty']//p[@class='opening']": ["The penalty for a revoke :"],
            "//div[@id='penalty']//ol[@class='course']/li": [
                "A 1829 three points or three tricks", "A′ 1864 the same, at their choice",
                "B 1893 = 1894 two tricks",
            ],
            "//div[@id='penalty']//div[@class='relations']//details": [
                "1829 law 21 → 1864 law 72 (i): a narrower ruleThe later has no rest. Word by word",
                "1864 law 72 (i) → 1893 law 30: a different ruleThree against two. Word by word",
            ],
            # The page distinguishes a silent code from one that nobody has judged.
            "//main[contains(., 'No rule: the editor read')][contains(., 'Not judged: not reviewed')]/@id": ["main"],
        }),
        # The query string chooses and orders the codes.
        *(
            (f"/compare/revoke?{codes}", {
                f"{TABLE}/thead//th/a[1]": ["1893", "1864"],
                f"{TABLE}/tbody/tr[th][2]/td": ["two tricks law 30", "three tricks or three points law 72 (i)"],
                "//input[@checked]/@value": ["american-1893", "english-1864"],
                "//a[@class='move']/@href": [f"/compare/revoke?codes={TWO_CODES}"],
                "//link[@rel='canonical']/@href": ["http://localhost/compare/revoke?codes=american-1893,english-1864"],
            })
            for codes in ("codes=american-1893,english-1864", "codes=american-1893&codes=english-1864&differ=")
        ),
        # Rows that agree are hidden on request, and the page says so.
        ("/compare/revoke?codes=arnaud-1829,english-1864&differ=1", {
            f"{TABLE}/tbody//th//a[1]/@href": ["#penalty", "#correction"],
            "//main//p[contains(., '2 of 3 questions')]/a/@href": ["/compare/revoke?codes=arnaud-1829,english-1864"],
        }),
        # Parameters with unknown values are reported.
        ("/compare/revoke?codes=english-1864,nobody-1900&differ=yes", {
            "//p[@class='warning']": [
                "There is no code “nobody-1900”; it was left out.",
                "“differ=yes” means nothing; differ=1 leaves out rows on which the codes agree.",
            ],
            "//main//@href[contains(., 'nobody')]": [],
        }),
        # Without questions the texts are side by side; a concept gets no warning, as only topics are judged.
        ("/compare/penalty?codes=english-1864", {
            "//p[@class='warning']": [
                "Nothing was judged: this build has no questions on the topic. The texts stand side by side as the "
                "machine links them.",
                "There is no table of answers here to choose from; all codes are shown.",
            ],
            "//div[@class='row']/@class": ["row", "row"],
            TABLE: [],
        }),
        ("/compare/misdeal", {"//p[@class='warning']": []}),
        # The start page of comparisons.
        ("/compare", {
            "//main//*[. = '3 questions']": ["3 questions"],
            "//main//a/@href[. = '/collate' or . = '/compare/american-1893/american-1894']": [
                "/compare/american-1893/american-1894", "/collate",
            ],
        }),
        ("/compare.json", {"topics.*.id": ["revoke", "penalty"], "topics.*.questions": [3, 0]}),
        ("/compare/revoke.json?codes=arnaud-1829,english-1864&differ=1", {
            "questions.*.id": ["revoke/penalty", "revoke/correction"], "asked": 3,
        }),
        ("/compare/revoke.json?codes=english-1864&differ=1", {
            "questions.*.id": ["revoke/definition", "revoke/penalty", "revoke/correction"], "differ": False,
            "notes": ["A single code differs from none; all questions are shown."],
        }),
        # Of very many unknown codes only a few are named.
        (f"/compare/revoke.json?codes={','.join(f'x{i}' for i in range(900))}", {
            "codes": list(ALL),
            "notes": [
                *(f"There is no code “x{i}”; it was left out." for i in range(5)),
                "895 more names of codes that do not exist were left out.",
            ],
        }),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "",
)  # fmt: skip
async def test_content_of_pages_and_json(shared: Datasette, path: str, places: dict[str, object]) -> None:
    assert await content(shared, path, places) == places


@pytest.mark.parametrize(
    "path",
    [
        "/compare/revoke{}?codes=english-1864",
        "/collate{}?u=american-1893%2Flaw-28&u=american-1894%2Flaw-28",
        "/compare/american-1893/american-1894{}?page=1",
    ],
)
async def test_permalink_names_the_build_and_another_build_is_reported(shared: Datasette, path: str) -> None:
    page = await get(shared, path.format(""))
    start, _, build = page.xpath("string(//a[contains(@class, 'permalink')]/@href)").rpartition("build=")
    assert start[:-1] == f"http://localhost{path.format('').removesuffix('?page=1')}" and len(build) == 8
    same = await data(shared, f"{path.format('.json')}&build={build}")
    assert (same["notes"], same["build"]) == ([], build) and build in words(page.find(".//footer"))
    other = await data(shared, f"{path.format('.json')}&build=12345678")
    assert "rebuilt since" in other["notes"][0] and build in other["notes"][0]


async def test_mutable_library_has_no_permalink_and_topics_can_share_questions(database: Path, tmp_path: Path) -> None:
    await altered(database, tmp_path, "insert into facet_topic values ('penalty', 'revoke/penalty', 0)")
    ds = await begun(Datasette([str(tmp_path / "altered.db")]))
    places = {
        "//a[contains(@class, 'permalink')] | //p[@class='warning']": [],
        "//details[@class='question']/div/@id": ["revoke-penalty"],
        "//details[@class='question']//p[@class='ways']/a/@href": ["/compare/revoke#penalty"],
    }
    assert shown(await get(ds, "/compare/penalty?build=12345678"), places) == places


@pytest.mark.parametrize("path", ["/compare/penalty.csv", "/compare/penalty.md"])
async def test_missing_table_is_404(shared: Datasette, path: str) -> None:
    assert "There is no table of answers penalty" in words((await get(shared, path, 404)).find(".//main"))


# The other formats.


async def test_csv_content(shared: Datasette) -> None:
    assert 'filename="revoke.csv"' in (await shared.client.head("/compare/revoke.csv")).headers["content-disposition"]
    by_cell = {(line["question"], line["code"]): line for line in await lines(shared, "/compare/revoke.csv")}
    places = {
        ("penalty", "english-1864"): {
            "summary": "three tricks or three points", "pinpoints": "law 72 (i)", "state": "answered",
            "deciding_words": "may either take three tricks",
        },
        ("penalty", "american-1894"): {"twin": "american-1893"},
        ("correction", "arnaud-1829"): {"state": "silent"},
        ("correction", "english-1864"): {"state": "not judged"},
        ("correction", "american-1893"): {"provisions": "american-1893/law-28; american-1893/law-30"},
    }  # fmt: skip
    assert {cell: {key: by_cell[cell][key] for key in keys} for cell, keys in places.items()} == places
    assert len(by_cell) == 3 * 4
    differing = await lines(shared, "/compare/revoke.csv?codes=arnaud-1829,english-1864&differ=1")
    assert {line["question"] for line in differing} == {"penalty", "correction"}


async def test_markdown_content(shared: Datasette) -> None:
    response = await shared.client.get("/compare/revoke.md?codes=english-1864,american-1893")
    assert response.headers["content-type"] == "text/markdown; charset=utf-8"
    assert response.text.startswith("# Revoke\n") and "\n| Question | 1864 | 1893 |\n" in response.text
    assert ("\n| **What does it cost?** *three points or tricks → two tricks* "
            "| three tricks or three points ([law 72 (i)](http://localhost/english-1864/law-72/i)) "
            "| two tricks ([law 30](http://localhost/american-1893/law-30)) |\n") in response.text  # fmt: skip
    assert "| **May it be corrected?** | *not judged* |" in response.text
    assert "<b>" not in response.text and r"\<b\>other" in response.text
    assert {line.count("|") for line in response.text.splitlines() if line.startswith("|")} == {4}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("revoke", ["  1864: three tricks or three points [law 72 (i)]\n  1893 = 1894: two tricks [law 30]",
                    "1829: no rule\n  1864: not judged"]),
        ("revoke --json", ['"pinpoint": "law 72 (i)"']),
        ("penalty", ["no questions yet", "english-1864/law-77: 77. The penalty for a mis-deal"]),
        ("penalty --json", ['"columns": [']),
        ("english-1864/law-72 american-1894/law-30 --json",
         ['"a": "english-1864/law-72",\n  "b": "american-1894/law-30",\n  "share": 0.']),
    ],
)  # fmt: skip
def test_compare_command_prints_answers_or_provisions(database: Path, arguments: str, expected: list[str]) -> None:
    result = whist("compare", *arguments.split(), "--db", database)
    assert result.exit_code == 0 and all(line in result.output for line in expected)
