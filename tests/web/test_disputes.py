"""Disputes: the page that finds the provisions that decide them, and the ruling."""

import sqlite3
from pathlib import Path

import pytest
from datasette.app import Datasette
from reading_pages import altered, data, get, shown, started, told, words

from kb.comparison.marking import TextPiece
from kb.dispute.evidence import KINDS
from kb.dispute.opinion import excerpt, holdings
from kb.dispute.settlement import REASONS

HAPPENED = "He trumped although he had a heart. What do we get?"
RULING = "/ruling?q=He+trumped+although+he+had+a+heart.+What+do+we+get%3F"
ASKED = "/dispute?q=He+trumped+although+he+had+a+heart.+What+do+we+get%3F"


# What a provision decides.


@pytest.mark.parametrize("questions", [[], ["revoke/penalty"]])
def test_provision_that_answers_no_question_is_cited_as_a_whole(conn: sqlite3.Connection, questions: list[str]) -> None:
    holding = holdings(conn, [("english-1864/law-71", questions)])["english-1864/law-71"]
    assert (holding.pinpoint, holding.question, holding.answer, holding.excerpt()) == (holding.unit, None, None, ())
    assert holding.gloss == "A revoke is playing another suit though able to follow."


def test_excerpt_keeps_the_deciding_words_and_shortens_the_rest() -> None:
    pieces = [
        TextPiece("before " * 90),
        TextPiece("this decides", True),
        TextPiece(" between" * 90 + " "),
        TextPiece("and this", True),
    ]
    short = list(excerpt([*pieces, TextPiece(" after" * 90)]))
    assert [piece.text for piece in short if piece.deciding] == ["this decides", "and this"]
    joined = "".join(piece.text for piece in short)
    assert joined.startswith("… before") and joined.endswith("after …") and " … between" in joined and len(joined) < 450
    assert "before this decides between" in joined and "between and this after" in joined
    whole = [TextPiece("All of it "), TextPiece("counts", True)]
    assert list(excerpt(whole)) == whole


def test_every_kind_of_evidence_has_a_reason() -> None:
    assert set(REASONS) == set(KINDS)


# The page.


async def test_dispute_page_shows_what_each_code_decides_oldest_first(
    ds: Datasette, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb.dispute.adjudication.FAINT", 0.0)
    card = "//section[contains(@class, 'opinion')]"
    places = {
        f"{card}//h2": [
            "1829 Law 21 Arnaud’s laws", "1864 Law 72 (I) English club code", "1893 Law 30 American code of 1893",
            "1894 Law 30 American code",
        ],
        f"{card}//p[@class='holds']": [
            "What does it cost? three points or three tricks", "What does it cost? three tricks or three points",
            "What does it cost? two tricks",
        ],
        f"{card}[contains(., 'it answers the question that you seem to ask')]//h2": [
            "1829 Law 21 Arnaud’s laws", "1864 Law 72 (I) English club code", "1893 Law 30 American code of 1893",
        ],
        f"{card}[contains(., 'Nearly word for word as in 1893')]//h2": ["1894 Law 30 American code"],
        f"{card}//mark": ["may either take three tricks", "The penalty for each revoke is two tricks"],
        f"{card}[2]//p[contains(@class, 'plaincite')]": [
            "The London clubs, The Laws of Whist (1864), law 72 (i), reprinted in A. W. Drayson, Whist Laws (New York: "
            "Harper & Brothers, 1896), p. 18."
        ],
        f"{card}[2]//p[@class='go']/a/@href": [
            "/ruling?q=He+trumped+although+he+had+a+heart.+What+do+we+get%3F&unit=english-1864%2Flaw-72"
        ],
        "//aside//a[contains(@href, 'compare')]/@href": ["/compare/revoke#penalty"],
        "//select[@id='club']/option[@selected]": [],
        "//section[@class='depends']": [
            "It depends: Was the trick turned? Not yet May it be corrected? Yes What does it cost? three points or "
            "tricks → two tricks"
        ],
        "//section[@class='depends']//li/a/@href": [
            f"{ASKED}&fact=revoke%2Fcorrection", f"{ASKED}&fact=revoke%2Fpenalty",
        ],
    }  # fmt: skip
    assert shown(await get(ds, ASKED), places) == places


async def test_weak_matches_get_a_warning_and_no_reasons(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kb.dispute.adjudication.FAINT", 99.0)
    main = words((await get(ds, ASKED)).find(".//main"))
    assert "may not be relevant" in main and "Why this law" not in main


RESULTS = """
update distinction set facet_id = 'revoke/penalty', result = 'it costs nothing' where words = 'not yet';
update distinction set result = 'too late (1829) -> two tricks go over (from 1893)' where words = 'yes';
"""


TWO_FACTS = """
insert into distinction
select 'revoke/2', seq, 'Was it noticed?', '["noticed"]', words,
    iif(seq, 'revoke/penalty', 'revoke/definition'), 1, null
from distinction where id = 'revoke/1';
delete from distinction where id = 'revoke/1' and facet_id = 'revoke/penalty';
insert into distinction
values ('revoke/1', 2, 'Was the trick turned?', '["turned"]', 'yes', 'revoke/definition', 1, null);
"""


TWO_QUESTIONS = "/dispute?q=It+was+a+revoke%2C+he+had+a+heart%3A+what+does+it+cost%2C+and+may+it+be+corrected%3F"
OF_A_PARAGRAPH = """
insert into precedent (unit_id, target_id) values ('drayson-1896/case-93/decision', 'english-1864/law-72/ii');
insert into gloss values ('english-1864/law-72', 'Of the whole law.');
"""


@pytest.mark.parametrize(
    ("change", "path", "places"),
    [
        *((RESULTS, f"{ASKED}{code}&fact=revoke/penalty:2", {
            "//section[@class='depends']//li": ["Not yet It costs nothing.", f"Yes (undo) {answer}"],
            "//section[@class='depends']//li/a/@href": [f"{ASKED}{code}&fact=revoke%2Fpenalty"],
        }) for code, answer in (
            ("", "Too late (1829) → two tricks go over (from 1893)."), ("&code=arnaud-1829", "Too late."),
            ("&code=american-1894", "Two tricks go over."),
            # The result does not name this code, so its answer to the question is shown.
            ("&code=english-1864", "What does it cost? three tricks or three points"),
        )),
        (TWO_FACTS, f"{TWO_QUESTIONS}&fact=revoke%2Fpenalty&fact=revoke%2Fcorrection", {
            "//section[@class='depends']//li/b": ["Yes", "Not yet"],
            "//section[@class='depends']//li[b]//a/@href": [
                f"{TWO_QUESTIONS}&fact=revoke%2Fcorrection", f"{TWO_QUESTIONS}&fact=revoke%2Fpenalty",
            ],
            "//link[@rel='canonical']/@href": [
                f"http://localhost{TWO_QUESTIONS}&fact=revoke%2Fpenalty&fact=revoke%2Fcorrection"
            ],
        }),
        # A ruling under a paragraph has only its own cases and paraphrase.
        (OF_A_PARAGRAPH, "/ruling?q=he+trumped&unit=english-1864/law-72/i", {
            "//h2[.='Decisions']/..//p[@class='head']/a/@href": ["/drayson-1896/case-93"], "//p[@class='gloss']": [],
        }),
    ],
    ids=["a result in all codes", "the result of 1829", "the result of 1894", "no result of this code",
         "the facts of two issues", "a ruling under a paragraph"],
)  # fmt: skip
async def test_page_content_with_other_judgements(
    database: Path, tmp_path: Path, change: str, path: str, places: dict[str, list[str]]
) -> None:
    assert shown(await get(await altered(database, tmp_path, change), path), places) == places


@pytest.mark.parametrize("path", [f"{ASKED}&fact=foo/bar", f"{RULING}&unit=english-1864/law-72&fact=foo/bar",
    # The text states the fact.
    "/ruling?q=He+trumped,+the+trick+was+turned.&unit=english-1864/law-72&fact=revoke/penalty"])  # fmt: skip
async def test_answer_to_a_question_not_asked_is_reported_and_ignored(ds: Datasette, path: str) -> None:
    page = await get(ds, path)
    name = path.rpartition("=")[2]
    assert f"“{name}” does not answer a question that is asked here; it was ignored." in words(page.find(".//main"))
    assert "fact=" not in page.xpath("string(//link[@rel='canonical']/@href)")


@pytest.mark.parametrize(
    ("path", "places"),
    [
        (f"{ASKED}&code=english-1864", {
            "//section[contains(@class, 'opinion')]//h2": ["1864 Law 72 (I) English club code"],
            "//select[@id='club']/option[@selected]/@value": ["english-1864"],
            "//header//nav//a[contains(@href, 'dispute')]/@href": ["/dispute?code=english-1864"],
            "//main//a/@href[starts-with(., '/ruling') or starts-with(., '/search')]"
            "[not(contains(., 'code=english-1864'))]": [],
        }),
        ("/search?q=revoke&code=american-1894", {
            "//main//h2/a/@href": [
                "/american-1894/law-30?code=american-1894", "/american-1894/law-28?code=american-1894",
                "/american-1894/section-revoking?code=american-1894",
            ],
        }),
        ("/search?q=revoke", {"//main//h2/a[contains(@href, 'code=')]": []}),
        ("/english-1864/law-72?code=american-1894", {
            "//aside//a/@href[starts-with(., '/ruling')]": ["/ruling?unit=english-1864/law-72&code=american-1894"],
            "//form[@role='search']/input[@type='hidden']/@value": ["american-1894"],
            "//ul[@class='related']/li[1]/p[1]": ["1894 Law 30 American code your club’s code"],
            "//link[@rel='canonical']/@href": ["http://localhost/english-1864/law-72"],
        }),
        # The page asks for a fact that was not stated; an answer counts and can be undone.
        (f"{ASKED}&fact=revoke/correction", {
            "//section[@class='depends']//li": [
                "Not yet (undo) May it be corrected?",
                "Yes What does it cost? three points or tricks → two tricks",
            ],
            "//section[@class='depends']//li/a/@href": [f"{ASKED}&fact=revoke%2Fpenalty"],
            "//link[@rel='canonical']/@href": [f"http://localhost{ASKED}&fact=revoke%2Fcorrection"],
            "//section[@class='opinion']//a[@class='button']/@href": [
                f"{RULING}&unit=american-{year}%2Flaw-28&fact=revoke%2Fcorrection" for year in (1893, 1894)
            ],
        }),
        (f"{RULING}&unit=american-1893/law-28&fact=revoke/correction", {
            "//p[@class='told']": [HAPPENED, "Was the trick turned? Not yet."],
            "//p[@class='holds']": ["May it be corrected? yes; a revoke not"] * 2,
            "//section[@class='depends']": [],
        }),
        # Two questions are answered one by one.
        ("/dispute?q=It+was+a+revoke,+he+had+a+heart:+what+does+it+cost,+and+may+it+be+corrected%3F", {
            "//nav[@class='asked']//a": ["What does it cost?", "May it be corrected?"],
            "//nav[@class='asked']//a/@href": ["#asked-1", "#asked-2"],
            "//section[@class='issue']/h2": ["What does it cost?", "May it be corrected?"],
            "//section[@class='issue']/h2/@id": ["asked-1", "asked-2"],
            "//section[@class='issue']/section/@aria-labelledby": [
                "arnaud-1829-1", "english-1864-1", "american-1893-1", "american-1894-1", "english-1864-2",
                "american-1893-2", "american-1894-2",
            ],
            "//p[@class='matter']": ["This looks like a question about revoke. See all the answers on that topic."],
            "//section[@class='issue'][1]//p[@class='go']/a/@href[not(contains(., 'cost'))]": [],
            "//section[@class='issue'][2]//p[@class='go']/a/@href[not(contains(., 'corrected'))]": [],
        }),
        # Without a dispute there are the form and examples.
        ("/dispute?q=+++", {
            "//form[@class='tell'][.//textarea]//button": ["Find the law"],
            "//section[@class='opinion']": [],
            "//main//ul/li/a/@href[contains(., 'Fourth')]": ["/dispute?q=Fourth+hand+played+before+second."],
        }),
        # A text without content words matches nothing either.
        *((f"/dispute?q={nothing}", {
            "//main//p[contains(., 'Try other')]": [
                "The library could not match this to a rule. Try other words: who did what, and when? Or look through "
                "the topics."
            ],
            "//section[contains(@class, 'opinion')] | //aside//h2": [],
        }) for nothing in ("xyzzy", "Is+it+so%3F")),
        # An answer of a code counts even if it does not rest on a provision.
        ("/dispute?q=Is+it+a+revoke+if+he+held+a+heart+and+trumped%3F&code=arnaud-1829", {
            "//section[contains(@class, 'opinion')]": [
                "1829 Revoke Arnaud’s laws What is a revoke? not following suit when able Revoke.—Not following suit "
                "when able to do so. This is not one of the numbered laws. Laws of Whist (1829), definition of "
                "“Revoke”, in E. M. Arnaud, Epitome (Edinburgh: Oliver & Boyd, 1829), p. [18]."
            ],
            "//section[contains(@class, 'opinion')]//a/@href": ["/arnaud-1829/def-revoke"],
        }),
        # With only one code there is nothing to compare.
        (f"{ASKED}&code=english-1864", {"//aside//h2": []}),
        (f"{RULING}&unit=english-1864/law-72&code=english-1864", {
            "//h1": ["Law 72 (I)"],
            "//p[@class='told']": [HAPPENED],
            "//main//mark": ["may either take three tricks"],
            "//p[@class='opening']": ["The penalty for a revoke :"],
            # Nobody said whether the trick was turned.
            "//section[@class='depends']": [
                "This depends on a fact that was not stated: Was the trick turned? Not yet May it be corrected? "
                "Yes What does it cost? three tricks or three points (law 72 (i))"
            ],
            "//section[@class='depends']//a/@href": [
                f"{ASKED}&code=english-1864&fact=revoke/{name}" for name in ("correction", "penalty")
            ],
            "//main//section[4]": [
                "Decisions Case 93 Whist Laws, 1896A claims a revoke; Y denies it. The revoke stands."
            ],
            "//dl[@class='other-codes']/*": [
                "1829", "three points or three tricks law 21", "1893", "two tricks law 30", "1894",
                "nearly word for word as in 1893 law 30",
            ],
            "//a[@rel='bookmark']/@href | //link[@rel='canonical']/@href": [
                "http://localhost/ruling?q=He+trumped+although+he+had+a+heart.+What+do+we+get%3F"
                "&unit=english-1864%2Flaw-72&code=english-1864"
            ] * 2,
            "//nav[@class='crumbs']/a/@href": [f"{ASKED}&code=english-1864"],
        }),
        ("/ruling?q=held+the+suit+led+and+played+another&unit=english-1864/law-71", {
            "//dl[@class='other-codes']/dd[position()>1]": ["silent", "silent"],
        }),
        # Without facts the ruling has all answers of the provision.
        ("/ruling?unit=american-1893/law-30", {
            "//dl[@class='ruled']/dt": ["What does it cost?", "May it be corrected?"], "//p[@class='told']": [],
        }),
        ("/ruling?q=he+trumped&unit=1864+law+72", {"//h1": ["Law 72 (I)"]}),
        ("/ruling?q=he+trumped&unit=English-1864/Law-72/I", {"//h1": ["Law 72 (I)"]}),
    ],
)  # fmt: skip
async def test_page_content(ds: Datasette, path: str, places: dict[str, list[str]]) -> None:
    assert shown(await get(ds, path), places) == places


async def test_text_on_another_subject_gets_no_answer(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kb.dispute.hearing._OFF_TOPIC", 0.0)
    for text, threshold, answer in (
        ("xyzzy", 0.0, "This does not seem to be about whist."),
        ("plugh", 9.0, "The library could not match this to a rule."),
    ):
        monkeypatch.setattr("kb.dispute.hearing._CLEARLY_OFF_TOPIC", threshold)
        assert answer in words((await get(ds, f"/dispute?q={text}")).find(".//main"))


async def test_if_the_question_is_unclear_the_page_asks_which_is_meant(library: Path) -> None:
    ds = await started(library)
    asks = "//section[@aria-label='Which question']"
    page = await get(ds, "/dispute?q=the+last+card+is+not+his")
    assert words(page.find(f".{asks}")).startswith("Not certain: Which of these is your question?")
    question = "What if the last card does not come to the dealer?"
    (address,) = page.xpath(f"{asks}//a[. = '{question}']/@href")
    chosen = {
        asks: [f"You ask: {question} (undo)"],
        f"{asks}//a/@href": ["/dispute?q=the+last+card+is+not+his"],
        "//section[@class='opinion'][.//span = '1894']//p[@class='go']/a/@href": [
            "/ruling?q=the+last+card+is+not+his&unit=american-1894%2Flaw-17&fact=trump-card%2Fwrong-place%3A0"
        ],
        "//p[contains(@class, 'warning')]": [],
    }
    assert shown(await get(ds, address), chosen) == chosen


async def test_dispute_that_no_code_decides_shows_no_provision(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kb.dispute.adjudication.CLEARLY_UNRULED", -9.0)
    page = await get(ds, ASKED)
    assert "None of the codes seems to rule on this." in words(page.find(".//main"))
    assert page.xpath("//section[contains(@class, 'opinion')]") == []


@pytest.mark.parametrize("related", [False, True])
async def test_code_without_a_rule_is_shown_briefly_with_related_laws(
    ds: Datasette, monkeypatch: pytest.MonkeyPatch, related: bool
) -> None:
    monkeypatch.setattr("kb.dispute.adjudication.FAINT", 0.0 if related else 99.0)
    monkeypatch.setattr("kb.dispute.adjudication.silent", lambda features: 0.9 if features["silent"] else 0.1)
    undecided = "//section[contains(@class, 'undecided')]"
    places = {
        f"{undecided}[1]": [
            "1893 American code of 1893: if you mean “What is a revoke?”, the editor looked for a rule in this code "
            "and found none." + " Related: Law 30 (about something else) What does it cost? two tricks" * related
        ],
        f"{undecided}//a/@href": [
            f"/ruling?q=Is+it+a+revoke+if+he+held+a+heart+and+trumped%3F&unit=american-{year}%2Flaw-30"
            for year in (1893, 1894)[: 2 * related]
        ],
        f"{undecided}//p[contains(@class, 'plaincite')]": [],
    }  # fmt: skip
    assert shown(await get(ds, "/dispute?q=Is+it+a+revoke+if+he+held+a+heart+and+trumped%3F"), places) == places


async def test_if_a_code_decides_its_twin_decides_too(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    silence_scores = {"american-1893": 0.1, "american-1894": 0.9}
    codes = iter(("arnaud-1829", "english-1864", "american-1893", "american-1894"))
    monkeypatch.setattr("kb.dispute.adjudication.silent", lambda features: silence_scores.get(next(codes), 0.9))
    (issue,) = (await data(ds, ASKED.replace("?", ".json?")))["issues"]
    assert [opinion["decided"] for opinion in issue["opinions"]] == [False, False, True, True]


@pytest.mark.parametrize(
    ("query", "places"),
    [
        (HAPPENED, {
            "issues.*.asked": [None],
            "issues.*.put": [HAPPENED],
            "issues.0.opinions.*.code": ["arnaud-1829", "english-1864", "american-1893", "american-1894"],
            "issues.0.opinions.1.decided": True,
            "issues.0.opinions.1.findings.0.pinpoint": "english-1864/law-72/i",
            "issues.0.opinions.1.findings.0.deciding": ["may either take three tricks"],
        }),
        (f"{HAPPENED}&code=hoyle-1742", {
            "notes": ["There is no code “hoyle-1742”; it was left out."],
            "code": None,
            "issues.0.opinions.*.code": ["arnaud-1829", "english-1864", "american-1893", "american-1894"],
            "url": f"http://localhost{ASKED}",
        }),
        (f"{HAPPENED}&fact=revoke/correction", {
            "issues.0.depends.answers.*.chosen": [True, False],
            "issues.0.opinions.*.findings.*.question": [[], [], ["revoke/correction"] * 2, ["revoke/correction"] * 2],
            "issues.0.opinions.2.findings.0.ruling": (
                f"http://localhost{RULING}&unit=american-1893%2Flaw-28&fact=revoke%2Fcorrection"
            ),
        }),
        ("Is it a revoke if he held a heart and trumped?&code=arnaud-1829", {
            "issues.0.opinions.*.decided": [False],
            "issues.0.opinions.*.silent_on": [None],
            "issues.0.opinions.0.elsewhere.*.id": ["arnaud-1829/def-revoke"],
            "issues.0.opinions.0.elsewhere.*.answer": ["not following suit when able"],
        }),
        # A long text is cut and an unknown word is corrected; the notes report both.
        ("revoke " * 400, {
            "query": ("revoke " * 400)[:2000],
            "url": "http://localhost/dispute?q=" + ("revoke+" * 400)[:2000],
            "notes": [
                "Only the first 2,000 characters were used; please shorten your text.",
                "“revok” was read as “revoke”.",
            ],
        }),
        # A fact that was stated, or does not matter, is not asked for.
        ("He trumped although he had a heart, and the trick was turned.", {"issues.*.depends": [None]}),
        ("A misdeal", {"issues.*.depends": [None]}),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "",
)  # fmt: skip
async def test_dispute_json_content(ds: Datasette, query: str, places: dict[str, object]) -> None:
    assert told(await data(ds, f"/dispute.json?q={query}"), places) == places


# The ruling.


@pytest.mark.parametrize("unit", ["english-1864/law-720", "drayson-1896/case-93", "x" * 3000, "1864 law", "²"])
@pytest.mark.parametrize("suffix", ["", ".json", ".md"])
async def test_ruling_on_a_unit_that_is_not_a_provision_is_404(ds: Datasette, unit: str, suffix: str) -> None:
    assert (await ds.client.get(f"/ruling{suffix}", params={"unit": unit})).status_code == 404


RULED = r"""# English club code, 1864, Law 72 (I)

## The facts

> He trumped \<b\>\*twice\*\</b\>

## The law

> The penalty for a revoke :
>
> (i) Is at the option of the adversaries, who, at the end of the hand, **may either take three tricks** from the \
revoking player, or deduct three points from his score ;
>

The London clubs, The Laws of Whist (1864), law 72 (i), reprinted in A. W. Drayson, Whist Laws (New York: Harper & \
Brothers, 1896), p. 18. <http://localhost/english-1864/law-72/i>

## Answer

*What does it cost?* three tricks or three points

This depends on a fact that was not stated: *Was the trick turned?*

- **not yet**: May it be corrected?
- **yes**: What does it cost? three tricks or three points (law 72 (i))

## Decisions

- [Case 93](http://localhost/drayson-1896/case-93): A claims a revoke; Y denies it. **The revoke stands.**

## The other codes

three points or tricks → two tricks

- **1829**: three points or three tricks ([law 21](http://localhost/arnaud-1829/law-21))
- **1893**: two tricks ([law 30](http://localhost/american-1893/law-30))
- **1894**: nearly word for word as in 1893 ([law 30](http://localhost/american-1894/law-30))
""".replace(" \\\n", " ")


async def test_ruling_as_markdown_has_all_parts_and_escapes_the_facts(ds: Datasette) -> None:
    response = await ds.client.get("/ruling.md?q=He+trumped+<b>*twice*</b>&unit=english-1864/law-72")
    assert response.headers["content-type"].startswith("text/markdown") and response.text == RULED
    response = await ds.client.get("/ruling.md?q=He+trumped&unit=english-1864/law-72&fact=revoke/penalty")
    assert "> He trumped\n\n- *Was the trick turned?* yes\n\n## The law" in response.text
    assert "## Answer\n\nWhat does it cost? three tricks or three points (law 72 (i))\n\n" in response.text
    assert "This depends" not in response.text
