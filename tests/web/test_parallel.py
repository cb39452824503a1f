"""Texts in parallel columns, how words are matched at length, and two codes law by law."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from datasette.app import Datasette
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

import datasette_plugins
from kb.collation.collate import SLIVER, align
from kb.collation.parallel import MOST_TEXTS, collate, variants
from kb.comparison import changes
from kb.comparison.concordance import concordance

SOME = ["the", "a", "card", "suit;", "Suit", "honour", "honor,", "mis-deal", "dealer.", "may"]
WORDS = st.lists(st.sampled_from(SOME))
TEXTS = st.lists(WORDS.map(" ".join), min_size=2, max_size=MOST_TEXTS)
NUMBERS = st.lists(st.integers(0, 30).map(str), max_size=60)


@given(TEXTS)
def test_pieces_give_their_texts_back_and_what_is_marked_as_the_same_is_the_same(texts: list[str]) -> None:
    made = collate(texts)
    columns = [[piece for band in made.bands for piece in band[n]] for n in range(len(texts))]
    assert ["".join(piece.text for piece in column) for column in columns] == texts
    marks = [{piece.mark for piece in column} for column in columns]
    for n, text in enumerate(texts):
        if n and marks[n] <= {"same"} and not made.unlike[n] and "words" not in marks[0]:
            assert text.split() == texts[0].split()
        assert ("shared" in marks[n]) <= (made.unlike[n] if n else any(made.unlike))


@given(NUMBERS, NUMBERS)
def test_steps_follow_one_another_and_what_agrees_is_the_same(a: list[str], b: list[str]) -> None:
    ends = (0, 0)
    for step in align(a, b):
        assert (step.i, step.j) == ends and (step.i2, step.j2) != ends
        assert step.mark == "words" or "".join(a[step.i : step.i2]) == "".join(b[step.j : step.j2])
        ends = step.i2, step.j2
    assert ends == (len(a), len(b))


@given(st.integers(0, 1200), st.integers(0, 1199))
def test_a_long_text_is_aligned_but_for_the_word_that_was_changed(cut: int, changed: int) -> None:
    long = [f"w{i}" for i in range(1200)]
    other = [f"x{i}" if i == changed else word for i, word in enumerate(long)][:cut]
    alike = sum(step.mark != "words" for step in align(long, other))
    assert alike >= cut - SLIVER, "but for a word or two between it and where the other text ends"


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("the cards, or the pack", "the cards or the pack", "signs"),
        ("he may deal. a player", "he may deal. A player", "signs"),
        ("if any one plays the card", "if anyone plays the card", "signs"),
        ("after a mis-deal the cards", "after a misdeal the cards", "signs"),
        ("the honours are four", "the honors are four", "spelling"),
        ("face upwards on the table", "face upward on the table", "spelling"),
        ("he shews the card to all", "he shows the card to all", "spelling"),
        ("of four cards in a row", "of for cards in a row", "words"),
        ("two tricks are taken then", "three tricks are taken then", "words"),
        ("the penalty of the hand is", "the penalties of the hand is", "words"),
    ],
)
def test_signs_and_spelling_are_told_from_words(a: str, b: str, kind: str) -> None:
    assert [variant.kind for variant in variants(a, b)] == [kind]
    assert collate([a, b]).marks - {"same"} == {"words" if kind == "words" else "form"}


def test_quotation_marks_and_blanks_are_no_variants() -> None:
    assert variants("corrected ; but it stands", "corrected; but it stands") == ()
    assert variants("the “card”  of the player’s\nhand", 'the "card" of the player\'s hand') == ()
    assert collate(["the card’s suit", "the card's  suit"]).agree


def test_a_variant_is_given_with_its_words_around() -> None:
    (variant,) = variants("or doubt as to where the pack was cut", "or doubt as to the place where the pack was cut")
    told = (variant.left, variant.before, variant.after, variant.right)
    assert told == ("or doubt as to", "", "the place", "where the pack was cut")


def test_bands_end_where_clauses_end_and_all_are_in_step() -> None:
    a = "The dealer deals the cards. The player on his left leads a card."
    b, over_the_end = a.replace("leads", "plays"), a.replace("cards. The player", "pack; another")
    assert len(collate([a, b, over_the_end]).bands) == 1
    rows = ["".join(p.text for p in band[1]) for band in collate([a, b]).bands]
    assert rows == ["The dealer deals the cards. ", "The player on his left plays a card."]


def test_a_text_unlike_the_first_stands_whole_and_only_what_it_shares_is_marked() -> None:
    a = "The dealer deals the cards. The player on his left leads a card. Then all follow suit in turn."
    other = "Nobody at this table ever follows the rule that the player on his left may not speak with onlookers or bet"
    made = collate([a, a.replace("all", "they"), other])
    assert made.unlike == (False, False, True) and [band[2] for band in made.bands[1:]] == [(), ()]
    assert [p.text.strip() for p in made.bands[0][2] if p.mark == "shared"] == ["player on his left"]


def test_a_row_ends_with_a_clause_and_not_within_an_abbreviation() -> None:
    text = "A revoke is established, i. e. the trick is turned\n\nI. Honors, i.e., the ace, or e. g. a king; the rest."
    rows = ["".join(piece.text for piece in band[0]) for band in collate([text, text]).bands]
    first, second = text.split("\n\n")
    assert rows == [first + "\n\n", second]


@pytest.mark.parametrize(("other", "shares"), [("", (1.0, 1.0)), ("a card", (1.0, 0.0))])
def test_texts_without_words_can_be_collated(other: str, shares: tuple[float, float]) -> None:
    assert collate(["", other]).shares == shares


# Two codes.


async def told(ds: Datasette, path: str) -> dict[str, Any]:
    return (await ds.client.get(path)).json()


async def test_codes_that_print_the_same_provisions_are_compared_provision_by_provision(ds: Datasette) -> None:
    data = await told(ds, "/compare/american-1893/american-1894.json")
    alike = {"rewritten": False, "variants": []}
    assert data["provisions"] == [
        {"a": "american-1893/law-28", "b": "american-1894/law-28", **alike},
        {"a": "american-1893/law-30", "b": "american-1894/law-30", **alike},
    ]
    assert data["unchanged"] == ["american-1893/law-28", "american-1893/law-30"]
    assert data["linked"] == data["only_a"] == data["only_b"] == []
    page = html.document_fromstring((await ds.client.get("/compare/american-1893/american-1894")).text)
    facts = " ".join(page.xpath("string(//p[@class='facts'])").split())
    assert facts == "Of 2 provisions that stand in both, 2 are without change."


async def test_of_any_two_codes_every_link_counts_and_what_only_one_has_is_what_no_link_names(ds: Datasette) -> None:
    data = await told(ds, "/compare/english-1864/american-1894.json")
    tie = {"here": "english-1864/law-72", "there": "american-1894/law-30", "relation": "differs", "judged": True}
    counterpart = {"b": "american-1894/law-30", "links": [tie]}
    assert data["linked"] == [{"a": "english-1864/law-72", "counterparts": [counterpart]}]
    assert {unit["id"]: unit["state"] for unit in data["only_a"] + data["only_b"]} == {
        "english-1864/law-71": "none", "english-1864/law-77": "not judged", "american-1894/law-28": "not judged",
    }  # fmt: skip
    assert data["provisions"] == []
    text = (await ds.client.get("/compare/english-1864/american-1894")).text
    facts = " ".join(html.document_fromstring(text).xpath("string(//p[@class='facts'])").split())
    assert facts.startswith("1 provision of 1864 is linked with others of 1894.") and "0" not in facts.split()


def test_the_younger_of_two_codes_may_be_looked_from(conn: sqlite3.Connection) -> None:
    (row,) = changes.changes(conn, "american-1893", "english-1864").linked
    (tie,) = row.cells["english-1864"].counterparts[0].ties
    assert (tie.here, tie.there, tie.relation) == ("american-1893/law-30", "english-1864/law-72/i", "differs")


async def test_what_the_book_of_a_code_does_not_print_is_not_said_to_stand_only_in_the_other(
    database: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "lacks.db"
    shutil.copy(database, copy)
    with closing(sqlite3.connect(copy)) as conn, conn:
        conn.execute("insert into lack values ('american-1894', 'law', 'Its laws are left out.')")
        grid = concordance(conn, "english-1864")
    assert {row.cells["american-1894"].state for row in grid.rows} == {"linked", "not printed"}
    ds = datasette_plugins.instance(copy)
    await ds.invoke_startup()
    for year, states in (("1894", {"not printed"}), ("1893", {"not judged"})):
        data = await told(ds, f"/compare/english-1864/american-{year}.json")
        assert {unit["state"] for unit in data["only_a"]} == states
    compared = (await ds.client.get("/compare/english-1864/american-1894")).text
    assert "Its laws are left out." in compared and "Only in 1864" not in compared
    assert "Its laws are left out." in (await ds.client.get("/code/american-1894")).text
    assert ">not printed<" in (await ds.client.get("/concordance?by=english-1864")).text


@pytest.mark.parametrize(
    "path", ["/code/english-1864", "/code/english-1864/read", "/compare/english-1864/american-1894"]
)
async def test_the_note_on_a_code_stands_where_it_is_shown(ds: Datasette, path: str) -> None:
    assert "The code of the Portland and Arlington clubs." in (await ds.client.get(path)).text


def test_a_long_code_is_compared_page_by_page(conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = changes.changes(conn, "english-1864", "american-1894")
    monkeypatch.setattr(changes, "ON_A_PAGE", 1)
    pages = [changes.changes(conn, "english-1864", "american-1894", n) for n in (1, 2, 3, 4)]
    assert [(p.page.number, p.page.pages) for p in pages] == [(1, 3), (2, 3), (3, 3), (3, 3)]
    assert [a for p in pages[:3] for a in p.only_a] == list(whole.only_a)
    assert [len(p.only_b) for p in pages[:3]] == [0, 0, len(whole.only_b)]


async def test_every_two_codes_have_a_page_that_leads_from_the_older_to_the_newer(ds: Datasette) -> None:
    start = (await ds.client.get("/compare")).text
    for a, b in combinations(["arnaud-1829", "english-1864", "american-1893", "american-1894"], 2):
        page, back = await ds.client.get(f"/compare/{a}/{b}"), await ds.client.get(f"/compare/{b}/{a}")
        assert page.status_code == 200 and f"/compare/{a}/{b}" in start
        assert (back.status_code, back.headers["location"]) == (301, f"/compare/{a}/{b}")
    assert (await ds.client.get("/compare/english-1864/english-1864")).headers["location"] == "/code/english-1864"
    missing = await ds.client.get("/compare/english-1864/american-1849")
    assert missing.status_code == 404 and "/code/american-1894" in missing.text


# The page of a collation.


async def test_a_collation_gives_the_texts_back_on_page_and_twin(ds: Datasette) -> None:
    query = "u=1893+law+28&u=american-1894/law-28&u=1864+law+72"
    data = await told(ds, f"/collate.json?{query}")
    texts = {unit["id"]: unit["text"] for unit in data["units"]}
    assert list(texts) == ["american-1893/law-28", "american-1894/law-28", "english-1864/law-72"]
    columns = ["".join(piece["text"] for band in data["bands"] for piece in band[n]) for n in range(3)]
    assert all(column and text.endswith(column) for column, text in zip(columns, texts.values(), strict=True))
    page = html.document_fromstring((await ds.client.get(f"/collate?{query}")).text)
    shown = " ".join(cell.text_content() for cell in page.xpath("//table/tbody/tr/td"))
    assert {*" ".join(columns).split()} <= {*shown.split()}


@pytest.mark.parametrize(
    ("query", "status", "told"),
    [
        ("", 200, ""),
        ("u=1864+law+72", 200, ""),
        ("u=1864+law+72&u=english-1864/law-72", 200, "given twice"),
        ("u=1864+law+72&u=law+28", 200, "may be one of these"),
        ("u=1864+law+72&u=english-1864/law-172", 404, "names no provision"),
        ("u=1864+law+72&u=" + "x" * 3000, 200, "too long"),
        ("&".join(["u=law+28"] * 9), 200, "Only the first 5"),
        ("u=1864+law+72+(ix)&u=1894+law+30", 200, "paragraph ix"),
    ],
)
async def test_what_cannot_be_collated_is_told(ds: Datasette, query: str, status: int, told: str) -> None:
    response = await ds.client.get(f"/collate?{query}")
    assert response.status_code == status and told in response.text
    data = await ds.client.get(f"/collate.json?{query}")
    assert (data.status_code, "error" in data.json()) == (status, status == 404)


async def test_what_may_mean_several_can_be_chosen(ds: Datasette) -> None:
    page = html.document_fromstring((await ds.client.get("/collate?u=1864+law+72&u=law+28")).text)
    choices = page.xpath("//div[@class='warning']//a/@href")
    assert "/collate?u=english-1864%2Flaw-72&u=american-1894%2Flaw-28" in choices
    for choice in choices:
        assert "parallel" in (await ds.client.get(choice)).text
