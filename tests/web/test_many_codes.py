"""Where a library has more codes than can be set side by side: the small library, with the bounds lowered to two."""

from __future__ import annotations

import sqlite3

import pytest
from datasette.app import Datasette
from reading_pages import data, get, lines, shown, told, twin, words

from kb.comparison import answers, concordance, table, topics, treatment
from kb.read.rows import CodeRow

ASKED = "My+partner+revoked%3B+what+is+the+penalty%3F"
ALL = ("arnaud-1829", "english-1864", "american-1893", "american-1894")


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no room for more than two codes side by side."""
    monkeypatch.setattr(table, "MOST", 2)
    monkeypatch.setattr(table, "USUAL", 2)


# Which codes


@pytest.mark.parametrize(
    ("counts", "named", "chosen"),
    [
        # Those with most to tell, oldest first.
        ({"c-1804": 2, "c-1802": 3, "c-1801": 1}, [], ["c-1802", "c-1804"]),
        ({}, [], ["c-1801", "c-1802"]),
        # Those named, in their order.
        ({"c-1801": 9}, ["c-1804", "none", "c-1802", "c-1804", "c-1803"], ["c-1804", "c-1802"]),
    ],
)
def test_which_codes_stand_side_by_side(counts: dict[str, int], named: list[str], chosen: list[str]) -> None:
    every = [CodeRow(f"c-{year}", "", "", year, "", "", "Law", "") for year in (1801, 1802, 1803, 1804)]
    assert [c.id for c in table.side_by_side(tuple(every), counts, named)] == chosen


# A topic


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("/compare/revoke", "2 of 4 codes are shown: those that answer most of its questions. Choose others."),
        ("/compare/revoke-penalty", "2 of 4 codes are shown: those that say most on it."),
        ("/concordance?by=english-1864", "2 of 3 codes are shown: those with most provisions linked to it."),
        (f"/dispute?q={ASKED}", "2 of 4 codes are shown: those with the most similar provisions."),
    ],
)
async def test_a_page_says_which_codes_it_shows(ds: Datasette, path: str, line: str) -> None:
    (shown_of,) = (await get(ds, path)).xpath("//p[contains(@class, 'shown-of')]")
    assert words(shown_of).startswith(line)


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("/compare/revoke.json", {"codes": ["arnaud-1829", "english-1864"], "every": 4}),
        ("/compare/revoke.json?codes=american-1894&codes=arnaud-1829", {
            "codes": ["american-1894", "arnaud-1829"],
            "url": "http://localhost/compare/revoke?codes=american-1894,arnaud-1829",
        }),
        (f"/compare/revoke.json?codes={','.join(ALL)}", {
            "codes": ["arnaud-1829", "english-1864"],
            "notes": ["4 codes were named; the first 2 of them are shown."],
        }),
        ("/compare/revoke-penalty.json", {"codes": ["arnaud-1829", "english-1864"], "every": 4}),
        ("/compare/revoke-penalty.json?codes=american-1894", {
            "codes": ["american-1894"], "url": "http://localhost/compare/revoke-penalty?codes=american-1894",
        }),
        ("/concordance.json?by=english-1864", {"codes": ["arnaud-1829", "american-1893"], "every": 4}),
        ("/concordance.json?by=english-1864&codes=arnaud-1829,american-1894", {
            "codes": ["arnaud-1829", "american-1894"],
        }),
        ("/concordance.json?by=english-1864&against=american-1893", {"codes": ["american-1893"]}),
    ],
)  # fmt: skip
async def test_the_codes_with_most_to_tell_or_those_named_are_shown(
    ds: Datasette, path: str, places: dict[str, object]
) -> None:
    found = await data(ds, path)
    assert told(found, places) == places
    assert all(set(row["cells"]) == set(found["codes"]) for row in found.get("provisions", []))


# A topic


async def test_every_other_code_can_be_chosen_by_a_box_with_a_label(ds: Datasette) -> None:
    places = {
        "//form[contains(@class, 'choose')]//input[@name = 'codes'][@id = //label/@for]/@value": list(ALL),
        "//details[@id = 'others-of']//input[@name = 'codes'][not(@checked)]/@value": list(ALL[2:]),
        "//details[@id = 'others-of']//input[@checked]": [],
    }
    assert shown(await get(ds, "/compare/revoke"), places) == places


@pytest.mark.parametrize("chosen", [["arnaud-1829"], ["english-1864", "american-1893"]])
async def test_only_what_the_codes_shown_answer_is_asked_of_them(
    ds: Datasette, conn: sqlite3.Connection, chosen: list[str]
) -> None:
    found = await data(ds, f"/compare/revoke.json?codes={','.join(chosen)}")
    cells = conn.execute("select facet_id, code_id from cell where cites <> '[]'")
    assert {q["id"] for q in found["questions"]} == {facet for facet, by in cells if by in chosen}
    assert found["asked"] == found["left"] == len(found["questions"])
    assert all(list(q["answers"]) == chosen for q in found["questions"])


async def test_csv_and_markdown_have_the_same_codes(ds: Datasette) -> None:
    found = await data(ds, "/compare/revoke.json")
    found_lines = await lines(ds, "/compare/revoke.csv")
    assert {line["code"] for line in found_lines} == set(found["codes"]) and len(found_lines) == 2 * found["asked"]
    other = (await ds.client.get("/compare/revoke.md?codes=arnaud-1829,american-1894")).text
    assert "1829" in other and "1864" not in other.partition("## ")[0].partition("|")[2]


async def test_leaving_out_agreement_looks_at_the_codes_shown(ds: Datasette) -> None:
    path = "/compare/revoke.json?codes=american-1893,american-1894"
    every, few = await data(ds, path), await data(ds, f"{path}&differ=1")
    assert few["questions"] == [q for q in every["questions"] if not q["agreed"]]
    assert (few["asked"], few["left"]) == (every["asked"], len(few["questions"]))


# A concept


async def test_a_concept_tells_which_of_the_codes_shown_say_nothing(ds: Datasette) -> None:
    places = {"columns.*.codes": [["arnaud-1829"], ["english-1864"]], "silent": ["american-1893", "american-1894"]}
    assert told(await data(ds, "/compare/revoke-penalty.json"), places) == places


def test_of_very_many_provisions_each_code_has_those_that_name_it_most(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = topics.find_topic(conn, "revoke")
    assert topic is not None
    whole = treatment.treatment(conn, topic, ["english-1864"])
    monkeypatch.setattr(treatment, "PROVISIONS_ON_A_PAGE", 1)
    cut = treatment.treatment(conn, topic, ["english-1864"])
    every, few = ([p.times for column in t.columns for p in column.provisions] for t in (whole, cut))
    assert (whole.most, cut.most) == (0, 1) and few == [max(every)] and len(every) > 1


# The concordance


async def test_the_concordance_as_csv_has_the_codes_named(ds: Datasette) -> None:
    found = await lines(ds, "/concordance.csv?by=english-1864&codes=arnaud-1829")
    assert {line["other_code"] for line in found} == {"arnaud-1829"}


async def test_what_a_cell_says_does_not_hang_on_the_codes_beside_it(
    ds: Datasette, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = await data(ds, "/concordance.json?by=american-1894&codes=english-1864")
    monkeypatch.setattr(table, "MOST", 9)
    whole = await data(ds, "/concordance.json?by=american-1894")
    cells = ([row["cells"]["english-1864"] for row in found["provisions"]] for found in (few, whole))
    assert next(cells) == next(cells)
    assert few["without"]["english-1864"] == whole["without"]["english-1864"]


# Pages


@pytest.mark.parametrize(
    ("path", "bound", "rows"),
    [
        ("/compare/revoke", (answers, "questions_on_a_page", lambda codes: 1), "questions"),
        ("/compare/revoke?codes=english-1864,american-1893&differ=1",
         (answers, "questions_on_a_page", lambda codes: 1), "questions"),
        ("/concept/revoke", (topics, "UNITS_ON_A_PAGE", 1), "units"),
        ("/concordance?by=english-1864", (concordance, "ROWS_ON_A_PAGE", 1), "provisions"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
async def test_the_pages_of_a_long_list_have_each_row_once(
    ds: Datasette, monkeypatch: pytest.MonkeyPatch, path: str, bound: tuple[object, str, object], rows: str
) -> None:
    whole = (await data(ds, twin(path)))[rows]
    monkeypatch.setattr(*bound)
    numbered = path + ("&" if "?" in path else "?") + "page="
    pages = [await data(ds, twin(f"{numbered}{n}")) for n in range(1, len(whole) + 1)]
    assert len(whole) > 1 == len(pages[0][rows]) and {page["pages"] for page in pages} == {len(whole)}
    assert [row for page in pages for row in page[rows]] == whole
    beyond = await data(ds, twin(f"{numbered}999"))
    assert beyond["page"] == len(whole) and f"page={len(whole)}" in beyond["url"]
    (after,) = (await get(ds, path)).xpath("//nav[contains(@class, 'pages')]//a[@rel = 'next']/@href")
    (before,) = (await get(ds, after)).xpath("//nav[contains(@class, 'pages')]//a[@rel = 'prev']/@href")
    assert "page=2" in after and "page=" not in before


@pytest.mark.parametrize("path", ["/compare/revoke.csv", "/concordance.csv?by=english-1864"])
async def test_all_rows_stand_in_the_csv(ds: Datasette, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    whole = (await ds.client.get(path)).text
    monkeypatch.setattr(answers, "questions_on_a_page", lambda codes: 1)
    monkeypatch.setattr(concordance, "ROWS_ON_A_PAGE", 1)
    assert len(whole.splitlines()) > 4 and (await ds.client.get(path)).text == whole


async def test_what_no_row_names_is_listed_on_the_last_page(ds: Datasette, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = await data(ds, "/concordance.json?by=english-1864")
    monkeypatch.setattr(concordance, "ROWS_ON_A_PAGE", 2)
    monkeypatch.setattr(concordance, "MOST_WITHOUT", 1)
    first, last = [await data(ds, f"/concordance.json?by=english-1864&page={n}") for n in (1, 2)]
    assert not any(first["without"].values())
    assert last["without"] == {code: listed[:1] for code, listed in whole["without"].items()}


# A dispute


async def test_a_dispute_shows_the_codes_with_the_likest_provisions(ds: Datasette) -> None:
    (issue,) = (await data(ds, f"/dispute.json?q={ASKED}"))["issues"]
    assert len(issue["opinions"]) == 2 and any(opinion["findings"] for opinion in issue["opinions"])
    other = next(i for i in ALL if i not in {opinion["code"] for opinion in issue["opinions"]})
    (chosen,) = (await data(ds, f"/dispute.json?q=My+partner+revoked&code={other}"))["issues"]
    assert [opinion["code"] for opinion in chosen["opinions"]] == [other]
