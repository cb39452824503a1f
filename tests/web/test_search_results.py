"""What a search finds, in which order, and with what beside it."""

from __future__ import annotations

import sqlite3

import pytest

from kb.highlight import BEGIN, END, snippet
from kb.querylang import parse
from kb.search import SearchResult, search


def ids(result: SearchResult) -> list[str]:
    return [hit.id for hit in result.hits]


@pytest.mark.parametrize("typed", ["misdeal", "mis-deal", "MISDEAL", '"mis deal"'])
def test_a_compound_is_found_in_every_spelling(conn: sqlite3.Connection, typed: str) -> None:
    assert "english-1864/law-77" in ids(search(conn, typed))


def test_stems_match_and_provisions_come_before_headings_and_index(conn: sqlite3.Connection) -> None:
    found = ids(search(conn, "revoking"))
    assert {"english-1864/law-72", "drayson-1896/index-revoke"} <= set(found)
    assert found.index("arnaud-1829/law-21") < found.index("english-1864/section-the-revoke")
    assert found[-1] == "drayson-1896/index-revoke"


def test_scores_fall_and_pages_follow_each_other(conn: sqlite3.Connection) -> None:
    whole = search(conn, "revoke", limit=50)
    scores = [h.score for h in whole.hits]
    assert scores == sorted(scores, reverse=True) and whole.total == len(whole.hits)
    paged = [i for at in range(0, whole.total, 4) for i in ids(search(conn, "revoke", limit=4, offset=at))]
    assert paged == ids(whole)


def test_a_paragraph_is_found_within_its_law(conn: sqlite3.Connection) -> None:
    (hit,) = [h for h in search(conn, "divided").hits if h.unit.kind == "law"]
    assert (hit.id, hit.paragraphs) == ("english-1864/law-72", ("english-1864/law-72/iv",))
    assert ids(search(conn, "divided", kinds=["subclause"])) == ["english-1864/law-72/iv"]


def test_facets_count_what_narrowing_would_leave(conn: sqlite3.Connection) -> None:
    result = search(conn, "revoke", codes=["english-1864"])
    for facet in result.facets:
        for value in facet.values:
            chosen = {f"{facet.name}s": [int(value.value) if facet.name == "year" else value.value]}
            if facet.name != "code":
                chosen["codes"] = ["english-1864"]
            assert search(conn, "revoke", **chosen).total == value.count, (facet.name, value)  # type: ignore[arg-type]
    code = next(f for f in result.facets if f.name == "code")
    assert [v.value for v in code.values if v.chosen] == ["english-1864"] and len(code.values) > 1


def test_fields_narrow_like_facets(conn: sqlite3.Connection) -> None:
    assert ids(search(conn, "code:1864 penalty")) == ids(search(conn, "penalty", codes=["english-1864"]))
    assert ids(search(conn, "year:1893-1894 penalty")) == ids(search(conn, "penalty", years=[1893, 1894]))
    assert set(ids(search(conn, "concept:misdeal"))) == {"english-1864/law-77"}


def test_a_field_that_names_nothing_is_told(conn: sqlite3.Connection) -> None:
    result = search(conn, "code:1870 penalty")
    assert result.total and "1870" in result.notes[0]
    assert "soon" in search(conn, "year:soon penalty").notes[0]


def test_fields_alone_browse_in_order(conn: sqlite3.Connection) -> None:
    result = search(conn, "kind:law code:american-1894")
    assert result.mode == "browse" and ids(result) == ["american-1894/law-28", "american-1894/law-30"]


def test_some_words_will_do_if_no_place_has_all(conn: sqlite3.Connection) -> None:
    result = search(conn, "zzyzx penalty")
    assert result.mode == "some" and "american-1894/law-30" in ids(result)
    assert search(conn, "zzyzx").mode == "none"


def test_excluded_words_are_not_there(conn: sqlite3.Connection) -> None:
    for hit in search(conn, "revoke -penalty", limit=50).hits:
        assert "penalty" not in hit.unit.text.lower()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("revokke", "revoke"), ("penelty revoke", "penalty revoke"), ("revoke", None), ("kind:law qqqqqqqq", None)],
)
def test_suggestion(conn: sqlite3.Connection, typed: str, meant: str | None) -> None:
    assert search(conn, typed).suggestion == meant


def test_concepts_are_named_by_any_label(conn: sqlite3.Connection) -> None:
    assert [k.id for k in search(conn, "renounce in error").concepts] == ["revoke"]
    assert [k.id for k in search(conn, "mis-deal").concepts] == ["misdeal"]
    assert search(conn, "error").concepts == ()


def test_snippet_shows_the_densest_stretch_and_marks_only_hits() -> None:
    text = "nothing here " * 60 + "a revoke, revoking and a mis-deal. " + "then more " * 60
    shown = snippet(text, parse("revoke misdeal"), 120)
    assert shown.startswith("…") and shown.endswith("…")
    assert shown.count(BEGIN) == shown.count(END) == 3
    plain = shown.strip("…").replace(BEGIN, "").replace(END, "")
    assert plain in " ".join(text.split()) and len(plain) <= 160


def test_snippet_leaves_marks_of_the_text_itself_out() -> None:
    assert snippet(f"a {BEGIN}revoke{END}", parse("card")) == "a revoke"
