"""Disputes: the page that finds what decides them, and the ruling."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from datasette.app import Datasette
from reading_pages import altered, data, get, shown, told, words

from kb.comparison.marking import TextPiece
from kb.comparison.value import in_words
from kb.dispute.evidence import KINDS
from kb.dispute.opinion import excerpt, holdings
from kb.dispute.settlement import REASONS

HAPPENED = "He trumped although he had a heart. What do we get?"
RULING = "/ruling?q=He+trumped+although+he+had+a+heart.+What+do+we+get%3F"
ASKED = "/dispute?q=He+trumped+although+he+had+a+heart.+What+do+we+get%3F"


# What a provision holds.


@pytest.mark.parametrize("asked", [[], ["revoke/penalty"]])
def test_a_provision_that_answers_no_question_is_cited_as_a_whole(conn: sqlite3.Connection, asked: list[str]) -> None:
    held = holdings(conn, [("english-1864/law-71", asked)])["english-1864/law-71"]
    assert (held.pinpoint, held.question, held.answer, held.excerpt()) == (held.unit, None, None, ())
    assert held.gloss == "A revoke is playing another suit though able to follow."


def test_an_excerpt_keeps_all_that_decides_and_little_else() -> None:
    text = [
        TextPiece("before " * 90),
        TextPiece("this decides", True),
        TextPiece(" between" * 90 + " "),
        TextPiece("and this", True),
    ]
    short = list(excerpt([*text, TextPiece(" after" * 90)]))
    assert [p.text for p in short if p.deciding] == ["this decides", "and this"]
    joined = "".join(p.text for p in short)
    assert joined.startswith("… before") and joined.endswith("after …") and " … between" in joined and len(joined) < 450
    whole = [TextPiece("All of it "), TextPiece("counts", True)]
    assert list(excerpt(whole)) == whole


def test_a_value_is_told_in_the_words_of_the_vocabulary() -> None:
    notes = {("who", "adversaries"): "the other side", ("moment", "end-of-hand"): "the hand being played out"}
    value = {"mode": "may", "who": ["adversaries"], "effect": ["2 tricks-taken", "new-deal"], "until": ["end-of-hand"]}
    assert in_words(value, notes) == (
        ("Who may", "adversaries (the other side)"),
        ("What", "tricks taken: 2; new deal"),
        ("Until", "the hand being played out"),
    )


def test_every_kind_of_evidence_has_its_words() -> None:
    assert set(REASONS) == set(KINDS)


# The page.


async def test_a_dispute_shows_what_decides_it_in_each_code_oldest_first(
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
        f"{card}[contains(., 'it answers the question you seem to ask')]//h2": [
            "1829 Law 21 Arnaud’s laws", "1864 Law 72 (I) English club code", "1893 Law 30 American code of 1893",
        ],
        f"{card}[contains(., 'Nearly word for word as in 1893')]//h2": ["1894 Law 30 American code"],
        f"{card}//mark": ["may either take three tricks", "The penalty for each revoke is two tricks"],
        f"{card}[2]//p[contains(@class, 'plaincite')]": [
            "The Laws of Whist (1864), law 72 (i), reprinted in A. W. Drayson, Whist Laws (New York: "
            "Harper & Brothers, 1896), p. 18."
        ],
        f"{card}[2]//p[@class='go']/a/@href": [
            "/ruling?q=He+trumped+although+he+had+a+heart.+What+do+we+get%3F&unit=english-1864%2Flaw-72"
        ],
        "//aside//a[contains(@href, 'compare')]/@href": ["/compare/revoke#penalty"],
        "//select[@id='club']/option[@selected]": [],
        "//section[@class='depends']": [
            "It depends: Was the trick turned? Not yet May it be corrected? Yes three points or tricks → two tricks"
        ],
        "//section[@class='depends']//li/a/@href": [
            f"{ASKED}&fact=revoke%2Fcorrection", f"{ASKED}&fact=revoke%2Fpenalty",
        ],
    }  # fmt: skip
    assert shown(await get(ds, ASKED), places) == places


async def test_where_little_is_like_it_the_page_says_so_and_gives_no_reasons(
    ds: Datasette, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb.dispute.adjudication.FAINT", 99.0)
    main = words((await get(ds, ASKED)).find(".//main"))
    assert "may not be relevant" in main and "It stands here because" not in main


async def test_two_answers_to_a_fact_may_come_to_two_results_of_one_question(database: Path, tmp_path: Path) -> None:
    script = "update distinction set facet_id = 'revoke/penalty', result = 'The tricks go over' where words = 'not yet'"
    ds = await altered(database, tmp_path, script)
    places = {
        "//section[@class='depends']//li": [
            "Not yet The tricks go over", "Yes (as you said; leave it open) three points or tricks → two tricks",
        ],
        "//section[@class='depends']//li/a/@href": [f"{ASKED}&fact=revoke%2Fpenalty"],
    }  # fmt: skip
    assert shown(await get(ds, f"{ASKED}&fact=revoke/penalty:2"), places) == places


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
        # A fact that was not told is asked back; what was answered counts, and can be taken back.
        (f"{ASKED}&fact=revoke/correction", {
            "//section[@class='depends']//li": [
                "Not yet (as you said; leave it open) May it be corrected?",
                "Yes three points or tricks → two tricks",
            ],
            "//section[@class='depends']//li/a/@href": [f"{ASKED}&fact=revoke%2Fpenalty"],
            "//link[@rel='canonical']/@href": [f"http://localhost{ASKED}&fact=revoke%2Fcorrection"],
            "//section[@class='opinion']//a[@class='button']/@href": [
                f"{RULING}&unit=american-{year}%2Flaw-28&fact=revoke%2Fcorrection" for year in (1893, 1894)
            ],
        }),
        (f"{RULING}&unit=american-1893/law-28&fact=revoke/correction", {
            "//p[@class='holds']": ["May it be corrected? yes; a revoke not"],
        }),
        # Two things that are asked are answered one by one.
        ("/dispute?q=It+was+a+revoke,+he+had+a+heart:+what+does+it+cost,+and+may+it+be+corrected%3F", {
            "//nav[@class='asked']//a": ["What does it cost?", "May it be corrected?"],
            "//nav[@class='asked']//a/@href": ["#asked-1", "#asked-2"],
            "//section[@class='issue']/h2": ["What does it cost?", "May it be corrected?"],
            "//section[@class='issue']/h2/@id": ["asked-1", "asked-2"],
            "//section[@class='issue']/section/@aria-labelledby": [
                "arnaud-1829-1", "english-1864-1", "american-1893-1", "american-1894-1", "english-1864-2",
                "american-1893-2", "american-1894-2",
            ],
            "//p[@class='matter']": ["This seems to be about revoke: all that the codes answer stands there."],
            "//section[@class='issue'][1]//p[@class='go']/a/@href[not(contains(., 'cost'))]": [],
            "//section[@class='issue'][2]//p[@class='go']/a/@href[not(contains(., 'corrected'))]": [],
        }),
        # Without a dispute there is the form, and examples.
        ("/dispute?q=+++", {
            "//form[@class='tell'][.//textarea]//button": ["Find the law"],
            "//section[@class='opinion']": [],
            "//main//ul/li/a/@href[contains(., 'Fourth')]": ["/dispute?q=Fourth+hand+played+before+second."],
        }),
        ("/dispute?q=xyzzy", {
            "//main//p[contains(., 'Try other')]": [
                "The codes do not seem to have a rule on this. Try other words: who did what, and when? Or look "
                "through the topics."
            ],
        }),
        (f"{RULING}&unit=english-1864/law-72&code=english-1864", {
            "//h1": ["Law 72 (I)"],
            "//p[@class='told']": [HAPPENED],
            "//main//mark": ["may either take three tricks"],
            "//p[@class='opening']": ["The penalty for a revoke :"],
            "//dl[@class='orders']/*": [
                "Who may", "adversaries (the other side, both together)", "What",
                "tricks go to the adversaries: 3; or no slam is counted", "At the choice of",
                "adversaries (the other side, both together)",
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
            "//footer//svg[@class='qr']/title": ["The address of this ruling"],
        }),
        # The address would be too fine to be read off a page.
        (f"/ruling?unit=english-1864/law-72&q={'x' * 700}", {"//svg[@class='qr']": []}),
        ("/ruling?q=held+the+suit+led+and+played+another&unit=english-1864/law-71", {
            "//dl[@class='other-codes']/dd[position()>1]": ["silent", "silent"],
        }),
        # Without facts it tells all that the provision answers.
        ("/ruling?unit=american-1893/law-30", {
            "//dl[@class='ruled']/dt": ["What does it cost?", "May it be corrected?"], "//p[@class='told']": [],
        }),
        ("/ruling?q=he+trumped&unit=1864+law+72", {"//h1": ["Law 72 (I)"]}),
        ("/ruling?q=he+trumped&unit=English-1864/Law-72/I", {"//h1": ["Law 72 (I)"]}),
    ],
)  # fmt: skip
async def test_what_stands_on_a_page(ds: Datasette, path: str, places: dict[str, list[str]]) -> None:
    assert shown(await get(ds, path), places) == places


async def test_a_code_that_says_nothing_is_told_quietly_with_what_is_nearest(
    ds: Datasette, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb.dispute.adjudication.silent", lambda signs: 0.9 if signs["silent"] else 0.1)
    quiet = "//section[contains(@class, 'undecided')]"
    places = {
        f"{quiet}[1]": [
            "1829 Arnaud’s laws: seems to say nothing on this. The nearest in it: Law 21 on another point: What does "
            "it cost? three points or three tricks"
        ],
        f"{quiet}[contains(., 'The editor has read it for the question What is a revoke?')]//a/@href": [
            f"/ruling?q=Is+it+a+revoke+if+he+held+a+heart+and+trumped%3F&unit=american-{year}%2Flaw-30"
            for year in (1893, 1894)
        ],
        f"{quiet}//p[contains(@class, 'plaincite')]": [],
    }  # fmt: skip
    assert shown(await get(ds, "/dispute?q=Is+it+a+revoke+if+he+held+a+heart+and+trumped%3F"), places) == places


async def test_what_one_code_decides_its_double_decides_too(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = {"american-1893": 0.1, "american-1894": 0.9}
    codes = iter(("arnaud-1829", "english-1864", "american-1893", "american-1894"))
    monkeypatch.setattr("kb.dispute.adjudication.silent", lambda signs: alone.get(next(codes), 0.9))
    (issue,) = (await data(ds, ASKED.replace("?", ".json?")))["issues"]
    assert [o["decided"] for o in issue["opinions"]] == [False, False, True, True]


@pytest.mark.parametrize(
    ("asked", "places"),
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
        # A long story is cut, and a word that is none is read as another; the reader is told.
        ("revoke " * 400, {
            "query": ("revoke " * 400)[:2000],
            "url": "http://localhost/dispute?q=" + ("revoke+" * 400)[:2000],
            "notes": [
                "Only the first 2,000 letters were read; say it in fewer.", "“revok” was read as “revoke”.",
            ],
        }),
        # A fact that was told, or is no matter, is not asked.
        ("He trumped although he had a heart, and the trick was turned.", {"issues.*.depends": [None]}),
        ("A misdeal", {"issues.*.depends": [None]}),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "",
)  # fmt: skip
async def test_what_the_twin_of_a_dispute_tells(ds: Datasette, asked: str, places: dict[str, object]) -> None:
    assert told(await data(ds, f"/dispute.json?q={asked}"), places) == places


# The ruling.


@pytest.mark.parametrize("unit", ["english-1864/law-720", "drayson-1896/case-93", "x" * 3000, "1864 law", "²"])
async def test_what_is_no_provision_is_not_found(ds: Datasette, unit: str) -> None:
    for form in ("", ".json", ".md"):
        assert (await ds.client.get(f"/ruling{form}", params={"unit": unit})).status_code == 404


RULED = r"""# English club code, 1864, Law 72 (I)

## The facts

> He trumped \<b\>\*twice\*\</b\>

## The law

> The penalty for a revoke :
>
> (i) Is at the option of the adversaries, who, at the end of the hand, **may either take three tricks** from the \
revoking player, or deduct three points from his score ;
>

The Laws of Whist (1864), law 72 (i), reprinted in A. W. Drayson, Whist Laws (New York: Harper & Brothers, 1896), \
p. 18. <http://localhost/english-1864/law-72/i>

## What it rules

*What does it cost?* three tricks or three points

- **Who may**: adversaries (the other side, both together)
- **What**: tricks go to the adversaries: 3; or no slam is counted
- **At the choice of**: adversaries (the other side, both together)

## Decisions

- [Case 93](http://localhost/drayson-1896/case-93): A claims a revoke; Y denies it. **The revoke stands.**

## The other codes

three points or tricks → two tricks

- **1829**: three points or three tricks ([law 21](http://localhost/arnaud-1829/law-21))
- **1893**: two tricks ([law 30](http://localhost/american-1893/law-30))
- **1894**: nearly word for word as in 1893 ([law 30](http://localhost/american-1894/law-30))
""".replace(" \\\n", " ")


async def test_a_ruling_as_markdown_has_all_parts_and_no_markup_of_the_facts(ds: Datasette) -> None:
    response = await ds.client.get("/ruling.md?q=He+trumped+<b>*twice*</b>&unit=english-1864/law-72")
    assert response.headers["content-type"].startswith("text/markdown") and response.text == RULED
