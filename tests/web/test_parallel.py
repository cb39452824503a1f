"""Word-by-word comparison, texts in parallel columns, two codes law by law, and the treatment of a topic."""

from __future__ import annotations

import sqlite3
from itertools import combinations, groupby
from pathlib import Path

import pytest
from datasette.app import Datasette
from hypothesis import given
from hypothesis import strategies as st
from reading_pages import altered, data, get, shown, told, words

from kb.collation.collate import SLIVER, agreeing, align
from kb.collation.parallel import MOST_TEXTS, collate, variants
from kb.comparison import changes
from kb.comparison.topics import find_topic
from kb.comparison.treatment import treatment

FEW = st.lists(st.sampled_from(["the", "a", "card", "suit", "revoke", "dealer", "may", "not,", "led."]), max_size=25)
SOME = ["the", "a", "card", "suit;", "Suit", "honour", "honor,", "mis-deal", "dealer.", "may"]
TEXTS = st.lists(st.lists(st.sampled_from(SOME)).map(" ".join), min_size=2, max_size=MOST_TEXTS)
NUMBERS = st.lists(st.integers(0, 30).map(str), max_size=60)


@given(FEW, FEW)
def test_between_two_differences_stand_more_than_a_few_words(a: list[str], b: list[str]) -> None:
    made = collate([" ".join(a), " ".join(b)])
    for n in range(2):
        inside = [piece for band in made.bands for piece in band[n]][1:-1]
        runs = [list(run) for words, run in groupby(inside, key=lambda piece: piece.mark == "words") if not words]
        assert made.unlike[1] or all(len("".join(p.text for p in run).split()) >= SLIVER for run in runs[1:-1])


def test_one_changed_word_is_all_that_is_marked_and_codes_that_agree_are_grouped_in_order() -> None:
    made = collate(["he may take three tricks from his adversary", "he may take two tricks from his adversary"])
    assert [p.text for n in (0, 1) for p in made.bands[0][n] if p.mark == "words"] == ["three ", "two "]
    text = " ".join(f"word{i}" for i in range(60))
    assert agreeing([("1829", "quite other words"), ("1893", text), ("1894", text + " more")]) == [
        ["1829"], ["1893", "1894"],
    ]  # fmt: skip


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
    steps = [*align(a, b)]
    assert [(0, 0), *((s.i2, s.j2) for s in steps)] == [*((s.i, s.j) for s in steps), (len(a), len(b))]
    assert all((s.i, s.j) != (s.i2, s.j2) for s in steps)
    assert all(s.mark == "words" or "".join(a[s.i : s.i2]) == "".join(b[s.j : s.j2]) for s in steps)


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("the cards, or the pack", "the cards or the pack", "signs"),
        ("after a mis-deal the cards", "after a misdeal the cards", "signs"),
        ("the honours are four", "the honors are four", "spelling"),
        ("of four cards in a row", "of for cards in a row", "words"),
        ("the penalty of the hand is", "the penalties of the hand is", "words"),
    ],
)
def test_signs_and_spelling_are_told_from_words(a: str, b: str, kind: str) -> None:
    assert [variant.kind for variant in variants(a, b)] == [kind]
    assert collate([a, b]).marks - {"same"} == {"words" if kind == "words" else "form"}


def test_a_variant_is_given_with_its_words_around_and_quotation_marks_and_blanks_are_none() -> None:
    (variant,) = variants("or doubt as to where the pack was cut", "or doubt as to the place where the pack was cut")
    around = (variant.left, variant.before, variant.after, variant.right)
    assert around == ("or doubt as to", "", "the place", "where the pack was cut")
    assert variants("the “card”  of the player’s ;\nhand", 'the "card" of the player\'s; hand') == ()
    assert collate(["the card’s suit", "the card's  suit"]).agree


def test_bands_end_where_clauses_end_and_all_are_in_step() -> None:
    a = "The dealer deals the cards. The player on his left leads a card."
    b, over_the_end = a.replace("leads", "plays"), a.replace("cards. The player", "pack; another")
    assert len(collate([a, b, over_the_end]).bands) == 1
    clauses = (
        "A revoke is established, i. e. the trick is turned\n\n",
        "I. Honors, i.e., the ace, or e. g. a king; the rest.",
    )
    for texts, rows in (
        ([a, b], ["The dealer deals the cards. ", "The player on his left plays a card."]),
        (["".join(clauses)] * 2, [*clauses]),
    ):
        assert ["".join(piece.text for piece in band[1]) for band in collate(texts).bands] == rows


def test_a_text_unlike_the_first_stands_whole_and_only_what_it_shares_is_marked() -> None:
    a = "The dealer deals the cards. The player on his left leads a card. Then all follow suit in turn."
    other = "Nobody at this table ever follows the rule that the player on his left may not speak with onlookers or bet"
    made = collate([a, a.replace("all", "they"), other])
    assert made.unlike == (False, False, True) and [band[2] for band in made.bands[1:]] == [(), ()]
    assert [p.text.strip() for p in made.bands[0][2] if p.mark == "shared"] == ["player on his left"]
    assert [collate(["", other]).shares for other in ("", "a card")] == [(1.0, 1.0), (1.0, 0.0)], "without words"


# Two codes.


NOTE = "//p[@class='note'][contains(., 'The code of the Portland and Arlington clubs.')]/@class"


@pytest.mark.parametrize(
    ("path", "places"),
    [
        # Codes that print the same provisions are compared provision by provision.
        ("/compare/american-1893/american-1894.json", {
            "provisions": [
                {"a": f"american-1893/law-{n}", "b": f"american-1894/law-{n}", "rewritten": False, "variants": []}
                for n in (28, 30)
            ],
            "unchanged": ["american-1893/law-28", "american-1893/law-30"],
            "linked": [], "only_a": [], "only_b": [],
        }),
        # Of any two codes every link counts, and what only one has is what no link names.
        ("/compare/english-1864/american-1894.json", {
            "linked": [{
                "a": "english-1864/law-72",
                "counterparts": [{"b": "american-1894/law-30", "links": [{
                    "here": "english-1864/law-72", "there": "american-1894/law-30", "relation": "differs",
                    "judged": True,
                }]}],
            }],
            "provisions": [],
            "only_a.*.id": ["english-1864/law-71", "english-1864/law-77"], "only_a.*.state": ["none", "not judged"],
            "only_b.*.id": ["american-1894/law-28"], "only_b.*.state": ["not judged"],
        }),
    ],
)  # fmt: skip
async def test_what_the_data_of_two_codes_tell(ds: Datasette, path: str, places: dict[str, object]) -> None:
    assert told(await data(ds, path), places) == places


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("/compare/american-1893/american-1894", {
            "//p[@class='facts']": ["Of 2 provisions that stand in both, 2 are without change."],
        }),
        ("/compare/english-1864/american-1894", {
            "//p[@class='facts']": [
                "1 provision of 1864 is linked with others of 1894. 1 stands only in 1864. 1 of 1864 is linked with "
                "none of 1894 so far. 1 of 1894 is linked with none of 1864 so far."
            ],
            NOTE: ["note"],
        }),
        ("/code/english-1864", {NOTE: ["note"]}),
        ("/code/english-1864/read", {NOTE: ["note"]}),
        # Every two codes have a page, from the older to the newer.
        ("/compare", {
            "//main//a/@href[starts-with(., '/compare/')][contains(substring(., 10), '/')]": [
                f"/compare/{a}/{b}"
                for a, b in combinations(["arnaud-1829", "english-1864", "american-1893", "american-1894"], 2)
            ],
        }),
    ],
)  # fmt: skip
async def test_what_stands_on_the_page_of_two_codes(ds: Datasette, path: str, places: dict[str, list[str]]) -> None:
    assert shown(await get(ds, path), places) == places


async def test_what_the_book_of_a_code_does_not_print_is_not_said_to_stand_only_in_the_other(
    database: Path, tmp_path: Path
) -> None:
    ds = await altered(database, tmp_path, "insert into lack values ('american-1894', 'law', 'Its laws are left out.')")
    for year, states in (("1894", {"not printed"}), ("1893", {"not judged"})):
        found = await data(ds, f"/compare/english-1864/american-{year}.json")
        assert {unit["state"] for unit in found["only_a"]} == states
    compared = words(await get(ds, "/compare/english-1864/american-1894"))
    assert "Its laws are left out." in compared and "Only in 1864" not in compared
    assert "Its laws are left out." in words(await get(ds, "/code/american-1894"))
    assert "not printed" in words(await get(ds, "/concordance?by=english-1864"))


def test_a_long_code_is_compared_page_by_page_and_the_younger_of_two_may_be_looked_from(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    (row,) = changes.changes(conn, "american-1893", "english-1864").linked
    assert [(tie.here, tie.relation) for tie in row.cells["english-1864"].counterparts[0].ties] == [
        ("american-1893/law-30", "differs")
    ]
    whole = changes.changes(conn, "english-1864", "american-1894")
    monkeypatch.setattr(changes, "ON_A_PAGE", 1)
    pages = [changes.changes(conn, "english-1864", "american-1894", n) for n in (1, 2, 3, 4)]
    assert [(p.page.number, p.page.pages) for p in pages] == [(1, 3), (2, 3), (3, 3), (3, 3)]
    assert [a for p in pages[:3] for a in p.only_a] == list(whole.only_a)
    assert [len(p.only_b) for p in pages[:3]] == [0, 0, len(whole.only_b)]


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/compare/american-1894/arnaud-1829", "/compare/arnaud-1829/american-1894"),
        ("/compare/english-1864/english-1864", "/code/english-1864"),
    ],
)
async def test_the_newer_code_before_the_older_or_one_code_twice_leads_on(ds: Datasette, path: str, to: str) -> None:
    answer = await ds.client.get(path)
    assert (answer.status_code, answer.headers["location"]) == (301, to)


def test_the_treatment_of_a_topic(conn: sqlite3.Connection) -> None:
    """Provisions are found by concept; linked ones stand in one row, and each stands once."""
    treated = treatment(conn, find_topic(conn, "revoke"))
    assert [[c.id for c in column.codes] for column in treated.columns] == [
        ["arnaud-1829"], ["english-1864"], ["american-1893", "american-1894"],
    ]  # fmt: skip
    links = [(p.unit.id, {link.other: link.relation for link in p.links}) for p in treated.columns[1].provisions]
    assert links == [
        ("english-1864/law-72", {"american-1894/law-30": "differs", "arnaud-1829/law-21": "narrower"}),
        ("english-1864/law-77", {}),
    ]
    rows = [[[p.unit.id for p in cell] for cell in row] for row in (*treated.rows, treated.alone)]
    assert [["arnaud-1829/law-21"], ["english-1864/law-72"], ["american-1893/law-30"]] in rows
    assert rows[-1][1] == ["english-1864/law-77"]
    chief = sorted(p.unit.id for column in treated.columns for p in column.chief)
    assert chief == sorted(unit_id for row in rows for cell in row for unit_id in cell)


# The page of a collation.


async def test_a_collation_gives_the_texts_back_on_page_and_twin(ds: Datasette) -> None:
    query = "u=1893+law+28&u=american-1894/law-28&u=1864+law+72"
    found = await data(ds, f"/collate.json?{query}")
    columns = ["".join(piece["text"] for band in found["bands"] for piece in band[n]) for n in range(3)]
    assert all(column and unit["text"].endswith(column) for column, unit in zip(columns, found["units"], strict=True))
    cells = (await get(ds, f"/collate?{query}")).xpath("//table/tbody/tr/td")
    assert {*" ".join(columns).split()} <= {*" ".join(cell.text_content() for cell in cells).split()}


# What cannot be compared.


@pytest.mark.parametrize(
    ("path", "status", "told"),
    [
        ("/collate?u=1864+law+72&u=english-1864/law-72", 200, "given twice"),
        ("/collate?u=1864+law+72&u=law+28", 200, "may be one of these"),
        ("/collate?u=1864+law+72&u=law+28", 200, "/collate?u=english-1864%2Flaw-72&amp;u=american-1894%2Flaw-28"),
        ("/collate?u=1864+law+72&u=english-1864/law-172", 404, "names no provision"),
        ("/collate?u=1864+law+72&u=" + "x" * 3000, 200, "too long"),
        ("/collate?" + "&".join(["u=law+28"] * 9), 200, "Only the first 5"),
        ("/compare/english-1864/american-1849", 404, "/code/american-1894"),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "",
)
async def test_what_cannot_be_compared_is_told(ds: Datasette, path: str, status: int, told: str) -> None:
    response = await ds.client.get(path)
    assert response.status_code == status and told in response.text
