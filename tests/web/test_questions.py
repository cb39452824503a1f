"""A question with its answers, a topic, a search for questions and a ruling: their pages, JSON and CSV."""

import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from datasette.app import Datasette
from reading_pages import altered, content, data, get, lines, words

from datasette_plugins.pages.question import in_a_sentence, through_time
from kb.comparison.marking import TextPiece, with_marks
from kb.questions.questions import Question, questions
from kb.read import queries

YEARS = {"arnaud-1829": 1829, "english-1864": 1864, "american-1893": 1893, "american-1894": 1894}
ALL = [*YEARS]
LINES = "//section[@aria-label='The answers']/dl[contains(@class, 'lines')]"
OTHERS = "//section[@aria-label='The answers']/details[@class='others-of']"
ASKED = "//section[@class='asked'][1]"
STORY = "He+trumped+although+he+had+a+heart.+What+do+we+get?"
OF_PENALTY = [
    "Three points or three tricks. law 21", "Three tricks or three points, at their choice. law 72 (i)",
    "Two tricks. law 30", "Two tricks. law 30",
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "places"),
    [
        # A question.
        ("/compare/revoke/penalty", {
            "//h1": ["What does it cost?"],
            "//nav[@class='crumbs']/a/@href": ["/compare", "/compare/revoke"],
            f"{LINES}/dt": ["1829", "1864", "1893", "1894"],
            f"{LINES}/dd": OF_PENALTY,
            f"{LINES}/dd/span/a/@href": [
                "/arnaud-1829/law-21", "/english-1864/law-72/i", "/american-1893/law-30", "/american-1894/law-30"
            ],
            OTHERS: [],
            "//section[@aria-labelledby='course-h']/p": [
                "In 1829: three points or three tricks. In 1864: the same, at their choice. From 1893: two tricks."
            ],
            "//details[@class='depends'][@open]/summary": ["It depends. Was the trick turned?"],
            "//details[@class='depends']//li": [
                "Not yet: from 1893: he takes it back. May it be corrected?", "Yes: the penalty is due."
            ],
            "//details[@class='depends']//a/@href": ["/compare/revoke/correction"],
            "//div[@class='law']/p[@class='head']": ["Law 21", "Law 72 (I)", "Law 30", "Law 30"],
            "//div[@class='law']//mark": ["may either take three tricks", "The penalty for each revoke is two tricks"],
            "//div[@class='law']//p[@class='opening']": ["The penalty for a revoke :"],
            "//div[@class='law']/p[contains(@class, 'plaincite')]": [
                f"{place}, p. {page}."
                for place, page in (
                    ("Laws of Whist (1829), law 21, in E. M. Arnaud, Epitome (Edinburgh: Oliver & Boyd, 1829)", "[18]"),
                    ("The London clubs, The Laws of Whist (1864), law 72 (i), reprinted in A. W. Drayson, Whist Laws "
                     "(New York: Harper & Brothers, 1896)", "18"),
                    ("American Whist League, The Laws of Whist (1893), law 30, reprinted in William Pole, Theory "
                     "(New York: G. W. Carleton, 1895)", "18"),
                    ("American Whist League, The Laws of Whist (1894), law 30, reprinted in A. W. Drayson, Whist Laws "
                     "(New York: Harper & Brothers, 1896)", "18"),
                )
            ],
            "//h3/a[@class='go']/@href": [f"/ruling/revoke/penalty?code={code}" for code in ALL],
            "//ul[@class='citing']//a/@href": ["/drayson-1896/case-93"],
            "//ul[@class='citing']//li/p": ["Case 93", "A claims a revoke; Y denies it.", "The revoke stands."],
            "//div[@class='sisters']//a/@href": ["/compare/revoke/definition"],
            "//a[@class='permalink copy']/@href": ["http://localhost/compare/revoke/penalty"],
            "//a[. = 'CSV' or . = 'JSON']/@href": [
                "/compare/revoke/penalty.csv", "/compare/revoke/penalty.json"
            ],
        }),
        # With a chosen code, its line is first and alone.
        *(
            (f"/compare/revoke/penalty?code={code}", {
                f"{LINES}/dd": OF_PENALTY[1:2],
                f"{OTHERS}[not(@open)]//dd": [OF_PENALTY[0], *OF_PENALTY[2:]],
                "//link[@rel='canonical']/@href": ["http://localhost/compare/revoke/penalty?code=english-1864"],
            })
            for code in ("english-1864", "1864")
        ),
        # A silent code tells what comes nearest; a book that leaves such rules out is not a silent code.
        ("/compare/revoke/definition", {
            f"{LINES}/dd[3] | {LINES}/dd[4]": ["No rule; see law 28: it does not say what a revoke is.", "No rule."],
            f"{LINES}/dd[3]//a/@href": ["/american-1893/law-28"],
            "//section[@aria-labelledby='course-h']/p": [
                "In 1829 and 1864: not following suit. No rule in 1893 and 1894."
            ],
            "//details[@class='depends'] | //div[@class='sisters'] | //ul[@class='citing']": [],
        }),
        ("/compare/revoke/correction", {
            f"{LINES}/dd": [
                "No rule.", "Not printed in our book.", "Yes; a revoke not. law 28, 30",
                "Yes; a revoke not. law 28, 30",
            ],
            "//section[@aria-labelledby='course-h']/p": [
                "From 1893: yes, unless it is a revoke. No rule in 1829. Our book does not print that of 1864."
            ],
        }),
        # A topic: questions down, codes across; a code with the same rule as its neighbour shares its cell.
        ("/compare/revoke", {
            "//table/thead//th": ["Question", "1829", "1864", "1893", "1894"],
            "//table/tbody//th/a/@href": [
                "/compare/revoke/definition", "/compare/revoke/penalty", "/compare/revoke/correction"
            ],
            "//table/tbody//td": [
                "Not following suit 1829 definition of “Revoke” · 1864 law 71", "no rule",
                "Three points or three tricks law 21", "The same, at their choice law 72 (i)",
                "Two tricks 1893 law 30 · 1894 law 30",
                "no rule", "not printed", "Yes, unless it is a revoke 1893 law 28, 30 · 1894 law 28, 30",
            ],
            "//td[@class='chosen']": [],
            "//a[. = 'CSV']/@href": ["/compare/revoke.csv"],
        }),
        ("/compare/revoke?code=1894", {
            "//td[@class='chosen']": [
                "no rule", "Two tricks 1893 law 30 · 1894 law 30",
                "Yes, unless it is a revoke 1893 law 28, 30 · 1894 law 28, 30",
            ],
            "//td[@class='chosen']/@data-years": ["1893, 1894"] * 3, "//td[@class='chosen']/@colspan": ["2"] * 3,
        }),
        # A question that is shown under a further topic has still only one page.
        ("/compare/penalty", {"//table/tbody//th/a/@href": ["/compare/revoke/penalty"]}),
        ("/compare", {
            "//main//*[. = '3 questions']": ["3 questions"],
            "//main//a/@href[. = '/collate' or . = '/compare/american-1893/american-1894']": [
                "/compare/american-1893/american-1894", "/collate",
            ],
        }),
        ("/compare.json", {"topics.*.id": ["revoke", "penalty"], "topics.*.questions": [3, 1]}),
        ("/compare/revoke.json", {
            "topic.id": "revoke", "questions.*.id": ["revoke/definition", "revoke/penalty", "revoke/correction"],
            "questions.1.answers.*.brief": [
                "three points or three tricks", "the same, at their choice", "two tricks", "two tricks"
            ],
        }),
        ("/compare/revoke/definition.json", {
            "question.answers.american-1893": {
                "code": "american-1893", "state": "silent", "rule": "", "brief": "", "summary": "", "cited": [],
                "near": {"id": "american-1893/law-28", "pinpoint": "law 28", "words": [],
                         "citation": "American code of 1893, law 28", "page": "18"},
                "near_why": "it does not say what a revoke is", "reprint_of": None,
            },
        }),
        ("/compare/revoke/penalty.json", {
            "url": "http://localhost/compare/revoke/penalty", "title": "What does it cost?",
            "question.answers.*.code": ALL,
            "question.answers.english-1864.cited": [
                {"id": "english-1864/law-72/i", "pinpoint": "law 72 (i)", "words": ["may either take three tricks"],
                 "citation": "English club code, 1864, law 72 (i)", "page": "18"}
            ],
            "question.answers.american-1894.reprint_of": "american-1893",
            "question.sisters": ["revoke/definition"],
            "question.facts.0.branches.0": {
                "answer": "not yet", "other": "revoke/correction", "result": "he takes it back (from 1893)"
            },
            "turned": ["drayson-1896/case-93"],
        }),
        # A search: the likeliest question first, with its answers; the others closed.
        (f"/search?q={STORY}", {
            f"{ASKED}/h2/a/@href": ["/compare/revoke/penalty"],
            f"{ASKED}/dl/dd": OF_PENALTY,
            f"{ASKED}/details[@class='likely'][not(@open)]/summary": ["What is a revoke?"],
            f"{ASKED}/details[@class='likely']//dt": ["1829", "1864", "1893", "1894"],
            f"{ASKED}/details[@class='depends'][not(@open)]/summary": ["It depends. Was the trick turned?"],
            f"{ASKED}/div[@class='sisters']": [],  # the question is shown already
            f"{ASKED}/p[@class='ways']/a/@href": ["/compare/revoke/penalty"],
            "//textarea[@name='q']": ["He trumped although he had a heart. What do we get?"],
            "//header//form": [],
        }),
        (f"/search?q={STORY}&code=1864", {
            f"{ASKED}/dl/dd": OF_PENALTY[1:2],
            f"{ASKED}/details[@class='others-of'][not(@open)]//dt": ["1829", "1893", "1894"],
            f"{ASKED}/details[@class='likely']/p/a/@href": ["/compare/revoke/definition?code=english-1864"],
            f"{ASKED}/p[@class='ways']/a/@href": [
                "/compare/revoke/penalty?code=english-1864",
                "/ruling/revoke/penalty?code=english-1864"
                "&q=He%20trumped%20although%20he%20had%20a%20heart.%20What%20do%20we%20get%3F",
            ],
            "//select[@name='code']/option[@selected]/@value": ["english-1864"],
        }),
        # Each part of a text gets its own questions.
        ("/search?q=He+trumped.+What+do+we+get+for+it?+May+he+take+the+card+back?", {
            "//section[@class='asked']/h2": ["What does it cost?", "May it be corrected?"],
        }),
        ("/search?q=revokke", {
            "//p[@class='suggestion']": ["“revokke” was read as revoke."],
            "//section[@class='asked']/h2": ["What is a revoke?"],
            "//section[@class='passages']/p[@class='outcome']": ["15 passages have the words."],
        }),
        ("/search?q=zzyzx", {"//p[@class='outcome']": [
            "This does not seem to be about whist.", "No passage has these words either. The texts are in English."
        ]}),
        # Passages, with their filters.
        ("/search?q=%22revoke%22&code=english-1864", {
            "//ol[@class='hits']//h3/a/@href": [
                "/english-1864/law-72", "/english-1864/law-77", "/english-1864/section-the-revoke"
            ],
            "//p[@class='snippet']/mark": ["revoke", "revoking", "revokes", "revoke", "REVOKE"],
            "//details[@class='narrow'][@open]//a/@href": [
                "/search?q=%22revoke%22", "/search?q=%22revoke%22&code=english-1864&kind=law",
                "/search?q=%22revoke%22&code=english-1864&kind=section",
            ],
            "//details[@class='narrow']//a[@class='chosen']": ["English club code, 1864: remove this filter"],
        }),
        ("/search?kind=case&book=drayson-1896", {
            "//ol[@class='hits']//h3/a/@href": ["/drayson-1896/case-93"],
            "//section[@class='passages']/p[@class='outcome']": ["1 passage has passed the filters."],
        }),
        # A citation with words in quotation marks.
        *(
            (f"/search?q=1864+law+72+%22{typed.replace(' ', '+')}%22", {
                "//section[@class='named']//h3/a/@href": ["/english-1864/law-72"],
                f"//section[@class='named']/p[@class='{kind}']": [f"The words “{typed}” {told}"],
                "//section[@class='asked']": [],
            })
            for typed, kind, told in (
                ("take three tricks", "confirmed", "stand in it exactly so."),
                ("Take three tricks", "warning", "do not stand in it, letter by letter."),
                ("take four tricks", "warning", "do not stand in it, letter by letter."),
            )
        ),
        ("/search?q=laws+71-72", {
            "//section[@class='named']//h3/a/@href": ["/english-1864/law-71", "/english-1864/law-72"],
        }),
        ("/search.json?q=1864+law+72+%22take+three+tricks%22", {
            "named.*.id": ["english-1864/law-72"], "quotation": {"words": "take three tricks", "there": True},
            "questions": [],
        }),
        ("/search.json?q=1864+law+72", {"named.*.id": ["english-1864/law-72"], "quotation": None}),
        ("/search.json?q=He+trumped.+What+do+we+get+for+it?&code=1893", {
            "questions.0.part": 0, "questions.0.id": "revoke/penalty", "questions.0.label": "What does it cost?",
            "questions.0.answers": {
                "american-1893": {"state": "answered", "summary": "Two tricks.", "cites": ["american-1893/law-30"]},
            },
        }),
        # The passages that are found.
        ("/search.json?q=%22renounce+in+error%22", {
            "total": 2, "mode": "all",
            "hits.0.passage.1": {"text": "renounce", "found": True},
        }),
        # A ruling: the answer first.
        ("/ruling/revoke/penalty?code=1864&q=He+trumped.%0AWe+saw+it.", {
            "//article/*/descendant-or-self::*[self::h1 or self::h2 or @class='holds']": [
                "What does it cost?", "Three tricks or three points, at their choice. law 72 (i)",
                "The facts, as they were told", "The law",
            ],
            "//p[@class='told']": ["He trumped.", "We saw it."],
            "//div[@class='text']//mark": ["may either take three tricks"],
            "//p[contains(@class, 'plaincite')]": [
                "The London clubs, The Laws of Whist (1864), law 72 (i), reprinted in A. W. Drayson, Whist Laws "
                "(New York: Harper & Brothers, 1896), p. 18."
            ],
            "//dl[@class='blanks']/dt": ["Settled on", "For one side", "For the other"],
            "//meta[@name='description']/@content": [
                "Three tricks or three points, at their choice. (English club code, 1864, law 72 (i))"
            ],
            "//link[@rel='canonical']/@href": [
                "http://localhost/ruling/revoke/penalty?code=english-1864&q=He+trumped.%0AWe+saw+it."
            ],
        }),
        *(
            (f"/ruling/revoke/correction?code={code}", {
                "//p[@class='holds']": [holds],
                "//meta[@name='description']/@content": [told],
                "//section": [],
            })
            for code, holds, told in (
                ("1829", "No rule.", "No rule on this. (Arnaud’s laws, 1829)"),
                ("1864", "Not printed in our book.", "Not printed in our book. (English club code, 1864)"),
            )
        ),
        ("/ruling/revoke/penalty.json?code=1894&q=He+trumped", {
            "label": "What does it cost?", "code.id": "american-1894", "answer.summary": "Two tricks.",
            "answer.cited.*.id": ["american-1894/law-30"], "facts": "He trumped",
        }),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "",
)  # fmt: skip
async def test_content_of_pages_and_json(shared: Datasette, path: str, places: dict[str, object]) -> None:
    assert await content(shared, path, places) == places


@pytest.mark.parametrize(
    ("typed", "to"),
    [
        ("1864 law 72", "/english-1864/law-72"),
        ("72 (ii)", "/english-1864/law-72/ii"),
        ("1864 law 72 (ii)", "/english-1864/law-72/ii"),
        ("english-1864/law-72/i", "/english-1864/law-72/i"),
        ("Drayson case 93", "/drayson-1896/case-93"),
    ],
)
async def test_citation_leads_to_its_provision(shared: Datasette, typed: str, to: str) -> None:
    response = await shared.client.get("/search", params={"q": typed})
    assert (response.status_code, response.headers["location"]) == (302, to)
    chosen = await shared.client.get("/search", params={"q": typed, "code": "1893"})
    assert chosen.headers["location"] == f"{to}?code=american-1893"
    assert (await get(shared, chosen.headers["location"])).xpath("//header//input[@name='code']/@value")
    assert "nonsense" in words(await get(shared, f"/search?q={quote(typed)}&code=nonsense", 400))


@pytest.mark.parametrize("filters", ["code=nonsense", "kind=poem", "book=none", "year=soon", "code=1864&code=1870"])
async def test_wrong_filter_is_an_error_and_finds_nothing(shared: Datasette, filters: str) -> None:
    page, found = await get(shared, f"/search?q=revoke&{filters}", 400), await shared.client.get(
        f"/search.json?q=revoke&{filters}"
    )  # fmt: skip
    (told,) = page.xpath("//p[@role='alert']")
    assert found.status_code == 400 and found.json()["error"] == words(told) and filters[-4:] in words(told)
    assert found.json()["hits"] == found.json()["questions"] == [] and not page.xpath("//main//ol | //main//h2")


async def test_each_part_of_a_text_has_its_own_questions_the_likeliest_first(shared: Datasette) -> None:
    found = await data(shared, "/search.json?q=He+trumped.+What+do+we+get+for+it?+May+he+take+the+card+back?")
    asked = [(question["part"], -question["score"]) for question in found["questions"]]
    firsts = {part: next(q["id"] for q in found["questions"] if q["part"] == part) for part, _ in asked}
    assert firsts == {0: "revoke/penalty", 1: "revoke/correction"} and asked == sorted(asked)
    assert all([*question["answers"]] == ALL for question in found["questions"])


async def test_every_page_of_passages_has_others(shared: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasette_plugins.pages.search.PAGE", 4)
    pages = [await data(shared, f"/search.json?q=revoking&page={n}") for n in range(1, 6)]
    ids = [hit["unit"]["id"] for page in pages for hit in page["hits"]]
    assert [len(page["hits"]) for page in pages] == [4, 4, 4, 3, 0] and len({*ids}) == len(ids) == pages[0]["total"]


async def test_csv_has_a_line_for_each_question_and_code(shared: Datasette) -> None:
    head = await shared.client.head("/compare/revoke.csv")
    assert 'filename="revoke.csv"' in head.headers["content-disposition"]
    whole = await lines(shared, "/compare/revoke.csv")
    by_answer = {(line["question"], line["code"]): line for line in whole}
    expected = {
        ("revoke/penalty", "english-1864"): {
            "summary": "Three tricks or three points, at their choice.", "pinpoints": "law 72 (i)", "state": "answered",
            "rule": "A'", "deciding_words": "may either take three tricks", "year": "1864",
            "url": "http://localhost/compare/revoke/penalty",
        },
        ("revoke/penalty", "american-1894"): {"reprint_of": "american-1893"},
        ("revoke/definition", "american-1893"): {
            "state": "silent", "near": "american-1893/law-28", "near_why": "it does not say what a revoke is"
        },
        ("revoke/correction", "english-1864"): {"state": "not printed"},
        ("revoke/correction", "american-1893"): {
            "provisions": "american-1893/law-28; american-1893/law-30",
            "citations": "American code of 1893, law 28; American code of 1893, law 30", "pages": "18; 18",
            "urls": "http://localhost/american-1893/law-28; http://localhost/american-1893/law-30",
        },
    }  # fmt: skip
    assert {at: {key: by_answer[at][key] for key in keys} for at, keys in expected.items()} == expected
    assert len(whole) == len(by_answer) == 3 * 4
    assert await lines(shared, "/compare/revoke/penalty.csv") == whole[4:8]


@pytest.mark.parametrize("code", ["english-1864", "1864"])
async def test_code_filters_the_answers_in_data(shared: Datasette, code: str) -> None:
    whole = await lines(shared, "/compare/revoke.csv")
    assert await lines(shared, f"/compare/revoke.csv?code={code}") == whole[1::4]
    assert await lines(shared, f"/compare/revoke/penalty.csv?code={code}") == whole[5:6]
    topic, question = [await data(shared, f"/compare/revoke{part}.json?code={code}") for part in ("", "/penalty")]
    assert [[*q["answers"]] for q in [*topic["questions"], question["question"]]] == [["english-1864"]] * 4


async def test_more_than_three_cases_are_folded(database: Path, tmp_path: Path) -> None:
    script = "".join(
        f"""
        insert into unit (id, book_id, kind, label, number, seq, raw_start, raw_end, page, text, confidence, role)
        select 'drayson-1896/case-{n}', book_id, 'case', 'Case {n}', '{n}', seq + {n}, raw_start, raw_end, page, text,
            1, 'case' from unit where id = 'drayson-1896/case-93';
        insert into case_question values ('drayson-1896/case-{n}', 'revoke/penalty', 0);
        """
        for n in (94, 95, 96, 97)
    )
    ds = await altered(database, tmp_path, script)
    places = {
        "//section/ul[@class='citing']//a": ["Case 93", "Case 94", "Case 95"],
        "//section/details[not(@class)]/summary": ["2 more"],
        "//section/details[not(@class)]//a": ["Case 96", "Case 97"],
    }
    assert await content(ds, "/compare/revoke/penalty", places) == places


async def test_law_that_is_cited_as_a_whole_is_not_repeated_by_its_paragraphs(database: Path, tmp_path: Path) -> None:
    cites = json.dumps(["english-1864/law-72", "english-1864/law-72/i"])
    script = f"""
        update answer set cites = '{cites}' where question_id = 'revoke/penalty' and code_id = 'english-1864';
        insert into deciding values ('revoke/penalty', 'english-1864', 1, 'english-1864/law-72', null);
    """
    places = {
        "//div[@class='law']/p[@class='head']": ["Law 21", "Law 72", "Law 30", "Law 30"],
        f"{LINES}/dd[2]/span": ["law 72"],
        "//div[@class='law']//mark": ["may either take three tricks", "The penalty for each revoke is two tricks"],
    }
    ds = await altered(database, tmp_path, script)
    assert await content(ds, "/compare/revoke/penalty", places) == places


# What the pages say


def stated(known: Question, **answers: tuple[str, str]) -> Question:
    """A question whose codes have other states and rules, by the last two digits of their years."""
    return replace(known, answers={
        code: replace(answer, state=state, brief=brief)
        for code, answer in known.answers.items()
        for state, brief in [answers[f"of_{code[-2:]}"]]
    })  # fmt: skip


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (["a", "a", "a", "a"], "The same in all codes: a."),
        (["a", "b", "b", "b"], "In 1829: a. From 1864: b."),
        (["a", "b", "b", "-"], "In 1829: a. In 1864 and 1893: b. No rule in 1894."),
        (["a", "b", "b", "?"], "In 1829: a. In 1864 and 1893: b. Our book does not print that of 1894."),
        (["a", "a", "a", "-"], "In 1829, 1864 and 1893: a. No rule in 1894."),
        (["a", "b", "a", "b"], "In 1829: a. In 1864: b. In 1893: a. In 1894: b."),
        (["-", "-", "a", "a"], "From 1893: a. No rule in 1829 and 1864."),
        (["-", "-", "-", "-"], "No rule in 1829, 1864, 1893 and 1894."),
    ],
)
def test_rule_through_time_is_told_in_sentences(conn: sqlite3.Connection, rules: list[str], told: str) -> None:
    states = {"-": ("silent", ""), "?": ("not printed", "")}
    of = {f"of_{code[-2:]}": states.get(rule, ("answered", rule)) for code, rule in zip(ALL, rules, strict=True)}
    assert through_time(stated(questions(conn)["revoke/penalty"], **of), YEARS) == told


def test_description_has_the_newest_answer_first(conn: sqlite3.Connection) -> None:
    known = questions(conn)
    assert in_a_sentence(known["revoke/correction"], YEARS) == "1894: Yes; a revoke not. 1893: Yes; a revoke not."
    silent = replace(
        known["revoke/correction"], answers={"arnaud-1829": known["revoke/correction"].answers["arnaud-1829"]}
    )
    assert in_a_sentence(silent, YEARS) == "May it be corrected? None of the codes has a rule."


def test_deciding_words_may_begin_with_the_number_and_span_paragraphs(conn: sqlite3.Connection) -> None:
    law = replace(queries.unit(conn, "arnaud-1829/law-21"), label="Law 1", number="1")
    text = "1. He deals.\n\nAgain he\ndeals. 1. He deals. Again"
    assert with_marks(replace(law, text=text), ["1. He\n  deals. Again"]) == (
        (TextPiece("He deals.", True),),
        (TextPiece("Again", True), TextPiece(" he\ndeals. 1. He deals. Again")),
    )
    assert replace(law, text="Inquiry.").body == "Inquiry.", "a word that begins like a numeral is no label"
