"""Comparison: word by word, the concordance, two codes law by law, what is new in a code, cases and concepts."""

import sqlite3
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from datasette.app import Datasette
from hypothesis import given
from hypothesis import strategies as st
from reading_pages import altered, content, data, get, lines, words

from kb.collation.collate import MOST_TEXTS, align, collate, variants
from kb.comparison.matrix import code_pairs, matrix, pairs
from kb.comparison.shared import shared as standing
from kb.comparison.topics import speaking_of

SOME = ["the", "a", "card", "suit;", "Suit", "honour", "honor,", "mis-deal", "dealer.", "may"]
TEXTS = st.lists(st.lists(st.sampled_from(SOME)).map(" ".join), min_size=2, max_size=MOST_TEXTS)
NUMBERS = st.lists(st.integers(0, 30).map(str), max_size=60)
CODES = ["arnaud-1829", "english-1864", "american-1893", "american-1894"]

# Word by word


@given(TEXTS)
def test_pieces_join_to_their_texts_and_same_marks_mean_same_words(texts: list[str]) -> None:
    collation = collate(texts)
    columns = [[piece for band in collation.bands for piece in band[n]] for n in range(len(texts))]
    assert ["".join(piece.text for piece in column) for column in columns] == texts
    assert not collation.agree or len({" ".join(text.split()) for text in texts}) == 1
    for n, column in enumerate(columns):
        marks = {piece.mark for piece in column}
        assert "shared" not in marks or (collation.unlike[n] if n else any(collation.unlike))
        assert not collation.without_phrase[n] or "shared" not in marks


@given(NUMBERS, NUMBERS)
def test_alignment_steps_are_contiguous_and_matches_are_equal(a: list[str], b: list[str]) -> None:
    steps = align(a, b)
    assert [(0, 0), *((s.i2, s.j2) for s in steps)] == [*((s.i, s.j) for s in steps), (len(a), len(b))]
    assert all((s.i, s.j) != (s.i2, s.j2) for s in steps)
    assert all(s.mark == "words" or a[s.i : s.i2] == b[s.j : s.j2] for s in steps)


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("the cards, or the pack", "the cards or the pack", "form"),
        ("after a mis-deal the cards", "after a misdeal the cards", "form"),
        ("the honours are four", "the honors are four", "form"),
        ("he may take three tricks from him", "he may take two tricks from him", "words"),
        ("of four cards in a row", "of for cards in a row", "words"),
        ("the penalty of the hand is", "the penalties of the hand is", "words"),
        ("a stake of 2/3 of a pound", "a stake of 23 of a pound", "words"),
        ("at 4.30 in the night", "at 43.0 in the night", "words"),
    ],
)
def test_punctuation_and_spelling_are_told_from_words_and_numbers(a: str, b: str, kind: str) -> None:
    assert [variant.kind for variant in variants(a, b)] == [kind]
    assert collate([a, b]).marks - {"same"} == {kind} and not collate([a, b]).agree


def test_variants_have_context_and_ignore_quotation_marks_and_spaces() -> None:
    (variant,) = variants("or doubt as to where the pack was cut", "or doubt as to the place where the pack was cut")
    in_context = (variant.left, variant.before, variant.after, variant.right)
    assert in_context == ("or doubt as to", "", "the place", "where the pack was cut")
    assert collate(["the “card”  of the player’s ;\nhand", 'the "card" of the player\'s; hand']).agree


def test_bands_end_at_clause_ends_that_all_texts_share() -> None:
    a = "The dealer deals the cards. The player on his left leads a card."
    b, across_the_end = a.replace("leads", "plays"), a.replace("cards. The player", "pack; another")
    assert len(collate([a, b, across_the_end]).bands) == 1
    rows = ["The dealer deals the cards. ", "The player on his left plays a card."]
    assert ["".join(piece.text for piece in band[1]) for band in collate([a, b]).bands] == rows


def test_unlike_text_stays_whole_with_only_its_phrases_marked() -> None:
    a = "The dealer deals the cards. The player on his left leads a card. Then all follow suit in turn."
    other = "Nobody at this table ever follows the rule that the player on his left may not speak with onlookers or bet"
    collation = collate([a, a.replace("all", "they"), other])
    assert collation.unlike == (False, False, True) and [band[2] for band in collation.bands[1:]] == [(), ()]
    assert [p.text.strip() for p in collation.bands[0][2] if p.mark == "shared"] == ["player on his left"]
    assert collation.without_phrase == (False, False, False)


@pytest.mark.parametrize(
    ("one", "other", "agree", "apart"),
    [
        ("A revoke is three tricks.", "A revoke is three tricks.", True, False),
        ("A revoke is three tricks.", "A revoke is three tricks;", False, False),
        # A word or two in common are no phrase, at the beginning either; and what shares nothing does not agree.
        ("The ace is the lowest card in cutting.", "The dealer may not touch it before he has looked.", False, True),
        ("Ten points.", "Nobody bets here.", False, True),
        ("", "a card", False, True),
    ],
)
def test_texts_agree_or_share_no_phrase_only_if_they_do(one: str, other: str, agree: bool, apart: bool) -> None:
    collation = collate([one, other])
    assert (collation.agree, collation.without_phrase[1]) == (agree, apart)


async def test_page_of_a_collation_says_what_is_judged_and_what_is_shared(database: Path, tmp_path: Path) -> None:
    script = """
        update unit set text = '28. Ten points.' where id = 'american-1893/law-28';
        update unit set text = '28. Nobody bets.' where id = 'american-1894/law-28';
        delete from link where relation = 'same-text';
    """
    ds = await altered(database, tmp_path, script)
    told = words((await get(ds, "/collate?u=1893+law+28&u=1894+law+28")).find(".//main"))
    assert "they share no phrase" in told and "agree to the letter" not in told
    assert "judged" not in told and "unrelated" not in told and "nearly the same words" not in told
    judged = await data(ds, "/collate.json?u=1864+law+72&u=1894+law+30&u=1893+law+28")
    assert [link and link["relation"] for link in judged["links"]] == ["differs", None]


async def test_collation_page_and_json_have_the_full_texts(shared: Datasette) -> None:
    query = "u=1893+law+28&u=american-1894/law-28&u=1864+law+72"
    found = await data(shared, f"/collate.json?{query}")
    bands = found["collation"]["bands"]
    columns = ["".join(piece["text"] for band in bands for piece in band[n]) for n in range(3)]
    assert all(column and unit["text"].endswith(column) for column, unit in zip(columns, found["units"], strict=True))
    cells = (await get(shared, f"/collate?{query}")).xpath("//table/tbody/tr/td")
    assert {*" ".join(columns).split()} <= {*" ".join(cell.text_content() for cell in cells).split()}
    assert "They agree to the letter." in words(await get(shared, "/collate?u=1893+law+30&u=1894+law+30"))


@pytest.mark.parametrize(
    ("path", "status", "told"),
    [
        ("/collate?u=1864+law+72&u=english-1864/law-72", 200, "given twice"),
        ("/collate?u=1864+law+72&u=law+28", 200, "may be one of these"),
        ("/collate?u=1864+law+72&u=law+28", 200, "/collate?u=english-1864%2Flaw-72&amp;u=american-1894/law-28"),
        ("/collate?u=1864+law+72&u=english-1864/law-172", 404, "There is no law “english-1864/law-172”"),
        ("/collate?u=1864+law+72", 200, "Name another law to compare with English club code, 1864, Law 72."),
        ("/collate", 200, "/collate?u=1864+law+72&amp;u=1894+law+30"),
        ("/collate?u=1864+law+72&u=" + "x" * 3000, 200, "too long"),
        ("/collate?" + "&".join(["u=law+28"] * 9), 200, "Only the first 5"),
        ("/compare/english-1864/american-1849", 404, "There is no code american-1849"),
        ("/shared/american-1849", 404, "There is no code american-1849"),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "",
)
async def test_reports_what_cannot_be_compared(shared: Datasette, path: str, status: int, told: str) -> None:
    response = await shared.client.get(path)
    assert response.status_code == status and told in response.text


# Counterparts: concordance, two codes, new and shared laws


def test_every_provision_of_two_codes_and_every_link_is_in_their_comparison(conn: sqlite3.Connection) -> None:
    turned = {"broader": "narrower", "narrower": "broader"}
    for a, b in code_pairs(conn):
        there, back = [*pairs(conn, a, b)], [*pairs(conn, b, a)]
        links = [{(tie.here, tie.there, tie.relation) for pair in each for tie in pair.ties} for each in (there, back)]
        assert links[1] == {(other, here, turned.get(relation, relation)) for here, other, relation in links[0]}
        for code, named in ((a, [pair.a for pair in there]), (b, [pair.b for pair in there])):
            own = {row.unit.id for row in matrix(conn)[code] if row.unit.role == "provision"}
            assert own == {unit.id for unit in named if unit and unit.role == "provision"}


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("/concordance", {
            "//thead//th": ["1864 English club code", "1829 Arnaud’s laws", "1893 American code of 1893",
                            "1894 American code"],
            "//thead//a/@href": ["/code/english-1864", "/concordance?by=arnaud-1829", "/concordance?by=american-1893",
                                 "/concordance?by=american-1894"],
            # “none” (the editor found no counterpart) differs from “not judged”; what is only proposed gives none.
            "//tr[@id='law-71']/td": ["", "", "none"],
            # The link of a paragraph is listed under its law, unless the law itself is linked.
            "//tr[@id='law-72']/td": ["1829 21+I: paragraph I: a broader rule",
                                      "1893 30≠I: paragraph I: a different rule", "1894 30≠: a different rule"],
            "//tr[@id='law-77']/td[@class='blank']": ["", "", ""],
            "//section[@id='without']//dd//a/@href": ["/american-1893/law-28", "/american-1894/law-28"],
        }),
        ("/concordance?by=arnaud-1829&against=english-1864", {
            "//thead//th": ["1829 Arnaud’s laws", "1864 English club code"],
            "//select[@id='against']/option[@selected]/@value": ["english-1864"],
        }),
        ("/concordance?by=1864&against=english-1864", {
            "//p[@class='warning']": ["A code cannot be set against itself; all the others are shown."],
        }),
        ("/compare/english-1864/american-1894", {
            "//p[@class='facts']": ["What 1894 has of the 3 provisions of 1864: 1 another rule on the same matter; "
                                    "1 without a counterpart; 1 not compared yet."],
            "//table/tbody/tr/th/a/@href": [f"/english-1864/law-{n}" for n in (71, 72, 77)],
            "//table/tbody/tr/td[1]": ["none", "Law 30", "not compared yet"],
            "//tr[@id='law-72']/td[2]/p": ["A different rule: Three tricks against two."],
            "//h2": ["In 1894, not compared yet"],
            "//p[@class='note'][contains(., 'The code of the Portland and Arlington clubs.')]/@class": ["note"],
        }),
        ("/compare/american-1893/american-1894", {"//tr[@id='law-30']/td[2]/p": ["unchanged"]}),
        # Every pair of codes has a page, with the older code first.
        ("/compare", {
            "//section[@aria-labelledby='c-h']//a/@href": [f"/compare/{a}/{b}" for a, b in combinations(CODES, 2)],
            "//section[@aria-labelledby='b-h']//a/@href": ["/shared", *(f"/shared/{code}" for code in CODES)],
        }),
        ("/shared", {
            "//tbody/tr[td[1] = '1893']": ["American code, 1894 2 provisions 1893 1 – – – –"],
            "//tbody/tr[td[1] = '1829']/td": ["1829", "–", "–", "1", "–", "–", "1829", *"–––––", "1829", *"–––––"],
        }),
        ("/shared/american-1894", {
            "//section[@id='same-words']//tbody/tr/th/a/@href": ["/american-1894/law-30"],
            "//section[@id='same-words']//tbody/tr/td[3]//a/@href": ["/american-1893/law-30"],
            "//section[@id='open']//li/a/@href": ["/american-1894/law-28"],
            "//section[@id='left-english-1864']//li/a/@href": ["/english-1864/law-71", "/english-1864/law-77"],
        }),
        ("/code/english-1864", {
            "//ul[contains(@class, 'shelf-links')]//a/@href": [
                "/concordance?by=english-1864", "/cases?code=english-1864", "/shared/english-1864",
            ],
        }),
    ],
)  # fmt: skip
async def test_pages_of_counterparts(shared: Datasette, path: str, places: dict[str, object]) -> None:
    assert await content(shared, path, places) == places


async def test_every_change_of_a_law_with_the_same_text_is_shown_once(database: Path, tmp_path: Path) -> None:
    script = """
        update unit set text = replace(text, 'revoke', 'fault') where id = 'american-1894/law-30';
        update unit set text = replace(text, 'error.', 'error') where id = 'american-1894/law-30';
    """
    ds = await altered(database, tmp_path, script)
    page = await get(ds, "/compare/american-1893/american-1894")
    (line,) = [line for line in await lines(ds, "/compare/american-1893/american-1894.csv") if line["changes"]]
    removed = [" ".join(gone.text_content().split()) for gone in page.xpath("//tr[@id='law-30']//del")]
    assert (line["id"], line["other_id"]) == ("american-1893/law-30", "american-1894/law-30")
    assert removed and [change.partition(" → ")[0] for change in line["changes"].split("; ")] == removed


async def test_laws_not_printed_in_a_code_are_not_told_to_be_missing_there(database: Path, tmp_path: Path) -> None:
    script = """
        insert into lack values ('american-1894', 'law', 'Its laws are left out.');
        insert into closed select id, 'american-1894' from unit where code_id = 'english-1864' and kind = 'law';
        delete from link;
    """
    ds = await altered(database, tmp_path, script.replace("insert into closed", "insert or ignore into closed"))
    found = await data(ds, "/compare/english-1864/american-1894.json")
    assert found["shares"] == {"not printed": 3}
    assert "Its laws are left out." in words(await get(ds, "/compare/english-1864/american-1894"))
    assert "not printed" in words(await get(ds, "/concordance?by=english-1864"))
    assert [line["standing"] for line in await lines(ds, "/shared/english-1864.csv")] == ["open"] * 4
    assert "left out" not in [line["standing"] for line in await lines(ds, "/shared/american-1894.csv")]


PAIR = {
    "id": "english-1864/law-72", "citation": "English club code, 1864, Law 72", "page": "18",
    "url": "http://localhost/english-1864/law-72",
}  # fmt: skip


@pytest.mark.parametrize(
    ("path", "list_of", "at", "line"),
    [
        ("/concordance{}?by=english-1864&against=1829", "lines", 1, PAIR | {
            "other_id": "arnaud-1829/law-21", "state": "linked", "relation": "narrower",
            "part": "english-1864/law-72/i", "other_part": "", "why": "the later has no rest"}),
        ("/concordance{}?by=1864&against=1893", "lines", 3, {
            "id": "", "url": "", "other_id": "american-1893/law-28", "state": "none"}),
        ("/compare/english-1864/american-1894{}", "lines", 1, PAIR | {"relation": "differs"}),
        ("/shared/american-1893{}", "lines", -1, {
            "standing": "open", "id": "english-1864/law-77", "other_code": "american-1893", "state": "not judged"}),
        ("/shared{}", "counts", 5, {"code": "american-1894", "earlier": "american-1893"}),
        ("/concept/revoke{}", "passages", 0, {"id": "arnaud-1829/law-21", "kind": "law"}),
        ("/concepts{}", "concepts", -2, {"id": "revoke-penalty", "broader": "revoke"}),
        ("/cases{}?otherwise=1893", "cases", 0, {
            "id": "drayson-1896/case-93", "citation": "Whist Laws, 1896, Case 93", "page": "18",
            "url": "http://localhost/drayson-1896/case-93", "turned_on": ["english-1864/law-72"],
            "questions": ["revoke/penalty"], "topic": "revoke", "decision": "The revoke stands."}),
    ],
)  # fmt: skip
async def test_lists_have_the_same_lines_as_json_and_as_csv(
    shared: Datasette, path: str, list_of: str, at: int, line: dict[str, Any]
) -> None:
    as_json, as_csv = (await data(shared, path.format(".json")))[list_of], await lines(shared, path.format(".csv"))
    assert {key: as_json[at][key] for key in line} == line

    def told(value: Any) -> str:
        return "; ".join(value) if isinstance(value, list) else str(value)

    flat = [{key: told(value) for key, value in each.items() if key != "outcomes"} for each in as_json]
    if list_of == "cases":  # a line for each code
        flat = [each for each, whole in zip(flat, as_json, strict=True) for _ in whole["outcomes"]]
    assert [{key: row[key] for key in each} for row, each in zip(as_csv, flat, strict=True)] == flat


def test_shipped_laws_agree_or_stand_alone_only_if_they_do(library: Path) -> None:
    with closing(sqlite3.connect(library)) as conn:
        for a, b in code_pairs(conn):
            bodies = [(pair.a.body, pair.b.body) for pair in pairs(conn, a, b) if pair.a and pair.b]
            agree = {texts for texts in bodies if collate(texts).agree}
            assert {texts for texts in bodies if texts[0].split() == texts[1].split()} <= agree
            assert bool(agree) == (a == "american-1893"), "of other words none agree to the letter, of a reprint some"
        for code in matrix(conn):
            found = standing(conn, code)
            shared_rows = {row.unit.id for rows in (*found.taken.values(), found.open) for row in rows}
            assert found.alone <= {row.unit.id for row, _ in found.new} and not found.alone & shared_rows
        assert "english-1864/law-78" in {unit.id for unit, _ in speaking_of(conn, "revoke")}


# The cases


@pytest.mark.parametrize(
    ("query", "total"),
    [
        ("", 1), ("law=1864+law+72", 1), ("law=english-1864/law-72/ii", 1), ("law=1864+law+71", 0),
        ("code=english-1864", 1), ("code=1864", 1), ("code=1829", 0), ("otherwise=any", 1),
        ("otherwise=american-1893", 1), ("otherwise=american-1894", 0), ("otherwise=any&law=1864+law+71", 0),
    ],
)  # fmt: skip
async def test_cases_are_filtered_by_provision_code_and_outcome(shared: Datasette, query: str, total: int) -> None:
    assert len((await data(shared, f"/cases.json?{query}"))["cases"]) == total
    page = await get(shared, f"/cases?{query}")
    assert len(page.xpath("//section[@class='matter']//li")) == total and not page.xpath("//p[@class='warning']")


async def test_cases_with_their_outcomes(shared: Datasette) -> None:
    places = {
        "//section[@class='matter']/@id": ["on-revoke"],
        "//section[@class='matter']/h2": ["Revoke 1 case"],
        "//section[@class='matter']//li/p": [
            "Case 93 p. 18", "A claims a revoke; Y denies it.", "The revoke stands.",
            "Law 72 English club code, 1864", "In 1893 A takes two tricks, not three.",
        ],
    }  # fmt: skip
    assert await content(shared, "/cases", places) == places
    told = await lines(shared, "/cases.csv")
    assert [(line["code"], line["outcome"], line["rests_on"]) for line in told] == [
        ("arnaud-1829", "same", "arnaud-1829/law-21"), ("english-1864", "decided", "english-1864/law-72/i"),
        ("american-1893", "otherwise", "american-1893/law-30"), ("american-1894", "open", "american-1894/law-30"),
    ]  # fmt: skip


# Concepts


async def test_concept_includes_what_speaks_only_of_a_narrower_one(database: Path, tmp_path: Path) -> None:
    script = "delete from unit_concept where unit_id = 'english-1864/law-72' and concept_id = 'revoke'"
    ds = await altered(database, tmp_path, script)
    (line,) = [each for each in await lines(ds, "/concept/revoke.csv") if each["id"] == "english-1864/law-72"]
    assert line["concepts"] == "revoke-penalty"
    page = await get(ds, "/concept/revoke")
    assert page.xpath("//li[a/@href='/english-1864/law-72']/span[@class='by']")
    total = len(await lines(ds, "/concept/revoke.csv"))
    counted = {each["id"]: int(each["passages"]) for each in await lines(ds, "/concepts.csv")}
    assert counted["revoke"] == total > counted["revoke-penalty"]
    found = await data(ds, "/search.json?q=concept:revoke")
    assert "english-1864/law-72" in [hit["unit"]["id"] for hit in found["hits"]]
