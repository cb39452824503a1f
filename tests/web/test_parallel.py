"""Word-by-word comparison, texts in parallel columns, and two codes law by law."""

import sqlite3
from itertools import combinations, groupby
from pathlib import Path

import pytest
from datasette.app import Datasette
from hypothesis import given
from hypothesis import strategies as st
from reading_pages import altered, content, data, get, shown, words

from kb.collation.collate import SLIVER, align
from kb.collation.parallel import MOST_TEXTS, collate, variants
from kb.comparison import changes

FEW = st.lists(st.sampled_from(["the", "a", "card", "suit", "revoke", "dealer", "may", "not,", "led."]), max_size=25)
SOME = ["the", "a", "card", "suit;", "Suit", "honour", "honor,", "mis-deal", "dealer.", "may"]
TEXTS = st.lists(st.lists(st.sampled_from(SOME)).map(" ".join), min_size=2, max_size=MOST_TEXTS)
NUMBERS = st.lists(st.integers(0, 30).map(str), max_size=60)


@given(FEW, FEW)
def test_matching_runs_between_differences_are_not_slivers(a: list[str], b: list[str]) -> None:
    collation = collate([" ".join(a), " ".join(b)])
    for n in range(2):
        inside = [piece for band in collation.bands for piece in band[n]][1:-1]
        runs = [list(run) for differs, run in groupby(inside, key=lambda piece: piece.mark == "words") if not differs]
        assert collation.unlike[1] or all(len("".join(p.text for p in run).split()) >= SLIVER for run in runs[1:-1])


def test_marks_only_the_changed_word() -> None:
    collation = collate(["he may take three tricks from his adversary", "he may take two tricks from his adversary"])
    assert [p.text for n in (0, 1) for p in collation.bands[0][n] if p.mark == "words"] == ["three ", "two "]


@given(TEXTS)
def test_pieces_join_to_their_texts_and_same_marks_mean_same_words(texts: list[str]) -> None:
    collation = collate(texts)
    columns = [[piece for band in collation.bands for piece in band[n]] for n in range(len(texts))]
    assert ["".join(piece.text for piece in column) for column in columns] == texts
    marks = [{piece.mark for piece in column} for column in columns]
    for n, text in enumerate(texts):
        if n and marks[n] <= {"same"} and not collation.unlike[n] and "words" not in marks[0]:
            assert text.split() == texts[0].split()
        assert ("shared" in marks[n]) <= (collation.unlike[n] if n else any(collation.unlike))


@given(NUMBERS, NUMBERS)
def test_alignment_steps_are_contiguous_and_matches_are_equal(a: list[str], b: list[str]) -> None:
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
def test_distinguishes_punctuation_and_spelling_from_words(a: str, b: str, kind: str) -> None:
    assert [variant.kind for variant in variants(a, b)] == [kind]
    assert collate([a, b]).marks - {"same"} == {"words" if kind == "words" else "form"}


def test_variants_have_context_and_ignore_quotation_marks_and_spaces() -> None:
    (variant,) = variants("or doubt as to where the pack was cut", "or doubt as to the place where the pack was cut")
    in_context = (variant.left, variant.before, variant.after, variant.right)
    assert in_context == ("or doubt as to", "", "the place", "where the pack was cut")
    assert variants("the “card”  of the player’s ;\nhand", 'the "card" of the player\'s; hand') == ()
    assert collate(["the card’s suit", "the card's  suit"]).agree


def test_bands_end_at_clause_ends_that_all_texts_share() -> None:
    a = "The dealer deals the cards. The player on his left leads a card."
    b, across_the_end = a.replace("leads", "plays"), a.replace("cards. The player", "pack; another")
    assert len(collate([a, b, across_the_end]).bands) == 1
    clauses = (
        "A revoke is established, i. e. the trick is turned\n\n",
        "I. Honors, i.e., the ace, or e. g. a king; the rest.",
    )
    for texts, rows in (
        ([a, b], ["The dealer deals the cards. ", "The player on his left plays a card."]),
        (["".join(clauses)] * 2, [*clauses]),
    ):
        assert ["".join(piece.text for piece in band[1]) for band in collate(texts).bands] == rows


def test_dissimilar_text_stays_whole_with_only_shared_words_marked() -> None:
    a = "The dealer deals the cards. The player on his left leads a card. Then all follow suit in turn."
    other = "Nobody at this table ever follows the rule that the player on his left may not speak with onlookers or bet"
    collation = collate([a, a.replace("all", "they"), other])
    assert collation.unlike == (False, False, True) and [band[2] for band in collation.bands[1:]] == [(), ()]
    assert [p.text.strip() for p in collation.bands[0][2] if p.mark == "shared"] == ["player on his left"]
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
        # For any two codes, every link counts; provisions that no link names are only in their own code.
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
        ("/compare/american-1893/american-1894", {
            "//p[@class='facts']": ["2 laws are in both: 2 unchanged."],
        }),
        ("/compare/english-1864/american-1894", {
            "//p[@class='facts']": [
                "1 law of 1864 deals with the same subject as others of 1894. 1 law only in 1864. "
                "1 law of 1864 not reviewed. 1 law of 1894 not reviewed."
            ],
            NOTE: ["note"],
        }),
        ("/code/english-1864", {NOTE: ["note"]}),
        ("/code/english-1864/read", {NOTE: ["note"]}),
        # Every pair of codes has a page, with the older code first.
        ("/compare", {
            "//main//a/@href[starts-with(., '/compare/')][contains(substring(., 10), '/')]": [
                f"/compare/{a}/{b}"
                for a, b in combinations(["arnaud-1829", "english-1864", "american-1893", "american-1894"], 2)
            ],
        }),
    ],
)  # fmt: skip
async def test_page_and_json_of_two_codes(shared: Datasette, path: str, places: dict[str, object]) -> None:
    assert await content(shared, path, places) == places


async def test_every_provision_of_two_codes_is_counted_and_listed_once(database: Path, tmp_path: Path) -> None:
    """A provision with other words and other punctuation is not listed again under punctuation."""
    script = """
        update unit set text = replace(text, 'player', 'person') where id = 'american-1894/law-28';
        update unit set text = replace(text, 'A revoke', 'A revoke,') where id = 'american-1894/law-28';
        update unit set text = replace(text, 'error.', 'error') where id = 'american-1894/law-30';
    """
    places = {
        "//p[@class='facts']": [
            "2 laws are in both: 0 unchanged, 1 with other words, 1 different only in punctuation or spelling."
        ],
        "//div[@class='changed']/h3/a[1]": ["Law 28"],
        "//div[@class='changed']/p": ["Punctuation and spelling: revoke revoke,"],
        "//table[@class='forms']/tbody//th": ["Law 30"],
    }
    ds = await altered(database, tmp_path, script)
    assert shown(await get(ds, "/compare/american-1893/american-1894"), places) == places


async def test_laws_not_printed_in_one_code_are_not_listed_as_only_in_the_other(database: Path, tmp_path: Path) -> None:
    ds = await altered(database, tmp_path, "insert into lack values ('american-1894', 'law', 'Its laws are left out.')")
    for year, states in (("1894", {"not printed"}), ("1893", {"not judged"})):
        found = await data(ds, f"/compare/english-1864/american-{year}.json")
        assert {unit["state"] for unit in found["only_a"]} == states
    compared = words(await get(ds, "/compare/english-1864/american-1894"))
    assert "Its laws are left out." in compared and "Only in 1864" not in compared
    assert "Its laws are left out." in words(await get(ds, "/code/american-1894"))
    assert "not printed" in words(await get(ds, "/concordance?by=english-1864"))


def test_comparison_can_start_from_the_newer_code(conn: sqlite3.Connection) -> None:
    (row,) = changes.changes(conn, "american-1893", "english-1864").linked
    assert [(tie.here, tie.relation) for tie in row.cells["english-1864"].counterparts[0].ties] == [
        ("american-1893/law-30", "differs")
    ]


# The page of a collation.


async def test_collation_page_and_json_have_the_full_texts(shared: Datasette) -> None:
    query = "u=1893+law+28&u=american-1894/law-28&u=1864+law+72"
    found = await data(shared, f"/collate.json?{query}")
    columns = ["".join(piece["text"] for band in found["bands"] for piece in band[n]) for n in range(3)]
    assert all(column and unit["text"].endswith(column) for column, unit in zip(columns, found["units"], strict=True))
    cells = (await get(shared, f"/collate?{query}")).xpath("//table/tbody/tr/td")
    assert {*" ".join(columns).split()} <= {*" ".join(cell.text_content() for cell in cells).split()}


# What cannot be compared.


@pytest.mark.parametrize(
    ("path", "status", "told"),
    [
        ("/collate?u=1864+law+72&u=english-1864/law-72", 200, "given twice"),
        ("/collate?u=1864+law+72&u=law+28", 200, "may be one of these"),
        ("/collate?u=1864+law+72&u=law+28", 200, "/collate?u=english-1864%2Flaw-72&amp;u=american-1894%2Flaw-28"),
        ("/collate?u=1864+law+72&u=english-1864/law-172", 404, "There is no law “english-1864/law-172”"),
        ("/collate?u=1864+law+72", 200, "Name another law to compare with English club code, 1864, Law 72."),
        ("/collate", 200, "/collate?u=1864+law+72&amp;u=1894+law+30"),
        ("/collate?u=1864+law+72&u=" + "x" * 3000, 200, "too long"),
        ("/collate?" + "&".join(["u=law+28"] * 9), 200, "Only the first 5"),
        ("/compare/english-1864/american-1849", 404, "There is no code american-1849"),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "",
)
async def test_reports_what_cannot_be_compared(shared: Datasette, path: str, status: int, told: str) -> None:
    response = await shared.client.get(path)
    assert response.status_code == status and told in response.text
