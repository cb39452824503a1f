"""What a search finds, in which order, and with what beside it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator

import pytest
import sqlite_utils

from extract.language.folding import fold, words_of
from kb.comparison.topics import speaking_of
from kb.read import queries
from kb.read.rows import UnitRow
from kb.search.facets import Count, Narrowing, facets
from kb.search.highlight import BEGIN, END, hits, marked, snippet
from kb.search.querylang import parse
from kb.search.search import SearchResult, search
from kb.tables import schema


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
def test_a_misspelt_word_is_searched_as_it_must_be_meant(
    conn: sqlite3.Connection, typed: str, meant: str | None
) -> None:
    result = search(conn, typed)
    assert result.corrected == meant
    assert meant is None or ids(result) == ids(search(conn, meant)) != []


def test_the_query_is_searched_as_it_stands_when_it_is_quoted(conn: sqlite3.Connection) -> None:
    result = search(conn, search(conn, "revokke penalty").literal or "")
    assert (result.corrected, result.literal) == (None, None) and result.mode == "some"


def test_a_word_that_is_one_is_not_put_right_but_another_is_suggested(conn: sqlite3.Connection) -> None:
    result = search(conn, "revolve")
    assert (result.corrected, result.suggestion, result.total) == (None, "revoke", 0)


def test_words_that_only_serve_exclude_nothing(conn: sqlite3.Connection) -> None:
    told = search(conn, "what is the penalty if he didn't follow and it was a revoke")
    assert told.mode == "some" and "english-1864/law-72" in ids(told)
    assert set(ids(search(conn, "what can't be the penalty for each revoke"))) >= {"american-1894/law-30"}


@pytest.mark.parametrize(
    ("typed", "told", "only"),
    [
        ("revoke 1894", "works of 1894", {"american-1894"}),
        ("penalty american", "American code", {"american-1893", "american-1894"}),
        ("penalty american laws 1893", "American code of 1893, American code and works of 1893", {"american-1893"}),
        ("revoke drayson", "Whist Laws", {"english-1864", "american-1894", "drayson-1896"}),
        ("penalty 1864-1893", "works of 1864-1893", {"english-1864", "american-1893"}),
    ],
)
def test_a_year_or_the_name_of_a_work_narrows_and_is_told(
    conn: sqlite3.Connection, typed: str, told: str, only: set[str]
) -> None:
    result = search(conn, typed, limit=100)
    assert {h.unit.work for h in result.hits} == only
    assert told in result.understood[0]
    assert search(conn, result.literal or "").understood == ()


@pytest.mark.parametrize("typed", ["1864", "american", "the 1864", 'revoke "1864"', "american 1864 revoke"])
def test_a_name_alone_or_quoted_or_at_odds_is_a_word_like_others(conn: sqlite3.Connection, typed: str) -> None:
    assert search(conn, typed).understood == ()


@pytest.mark.parametrize("typed", ["arnaud divided", "pole divided"])
def test_a_name_that_would_leave_nothing_is_a_word_like_others(conn: sqlite3.Connection, typed: str) -> None:
    result = search(conn, typed)
    assert result.understood == () and result.mode == "some" and result.total > 0


@pytest.mark.parametrize("typed", ['divided "xyzzy code:"arnaud', "ar\u00adnaud divided"])
def test_a_name_that_leaves_nothing_is_given_up_however_it_is_written(conn: sqlite3.Connection, typed: str) -> None:
    result = search(conn, typed)
    assert result.understood == () and "english-1864/law-72" in ids(result)


def test_a_misspelt_word_is_put_right_where_a_soft_hyphen_divides_it(conn: sqlite3.Connection) -> None:
    result = search(conn, "re\u00advokke penalty")
    assert (result.corrected, result.literal) == ("revoke penalty", '"revokke" penalty')


def test_quoted_words_stand_in_the_text_itself(conn: sqlite3.Connection) -> None:
    for label in ("false deal", "renounce in error", "revok"):
        quoted = ids(search(conn, f'"{label}"', limit=100))
        assert set(quoted) < set(ids(search(conn, label, limit=100)))
        texts = dict(conn.execute("select unit_id, text from entry"))
        assert all(label in texts[i].lower() for i in quoted), label
    assert search(conn, '"revoke misdeal"').total == 0, "no phrase runs from the text into the forms of its compounds"


def test_what_is_found_is_counted_once_for_all(conn: sqlite3.Connection) -> None:
    for word in ("revoke", "penalty", "law", "misdeal"):
        found = search(conn, word, limit=100)
        assert found.total - found.joined == search(conn, f'"{word}"').total, word
    told = {concept.id: concept.units for concept in queries.concepts(conn)}
    assert told == {i: search(conn, f"concept:{i}").total for i in told}
    assert told == {i: speaking_of(conn, i)[1].total for i in told}


@pytest.mark.parametrize("typed", ["revoke corrected", "claim revoke denies", "revokke 1894", "arnaud divided"])
def test_a_facet_counts_what_choosing_it_leaves(conn: sqlite3.Connection, typed: str) -> None:
    result = search(conn, typed)
    for facet in result.facets:
        for value in facet.values:
            where = {f"{name}s": values for name, values in result.where.items()}
            found = search(conn, result.rest, **(where | {f"{facet.name}s": [value.value]}))  # type: ignore[arg-type]
            assert found.total == value.count, (facet.name, value)


def test_what_was_chosen_beside_the_query_is_not_narrowed_by_its_words(conn: sqlite3.Connection) -> None:
    result = search(conn, "revoke 1894", years=[1864])
    assert result.understood == () and result.given["year"] == ("1864",)


def test_provisions_that_rule_on_it_are_found_without_all_the_words(conn: sqlite3.Connection) -> None:
    result = search(conn, "revoke corrected")
    assert result.mode == "all" and result.joined == sum("corrected" not in h.unit.text for h in result.hits) >= 2
    assert ids(result)[0] == "american-1893/law-28" and "american-1894/law-30" in ids(result)
    assert search(conn, 'revoke "corrected"').joined == 0


def test_facets_narrow_before_it_is_told_whether_all_words_are_there(conn: sqlite3.Connection) -> None:
    assert search(conn, "claim revoke").mode == "all"
    narrowed = search(conn, "kind:law claim revoke denies")
    assert narrowed.mode == "some" and narrowed.hits[0].unit.kind == "law"


def test_no_code_fills_the_first_places_and_a_print_of_the_same_text_follows_the_other(
    conn: sqlite3.Connection,
) -> None:
    found = search(conn, "revoke penalty").hits
    assert len({h.unit.work for h in found[:4]}) >= 3
    at = next(i for i, h in enumerate(found) if h.id == "american-1893/law-30")
    assert (found[at + 1].id, found[at + 1].twin) == ("american-1894/law-30", "american-1893/law-30")


def test_a_kind_may_be_given_in_the_plural(conn: sqlite3.Connection) -> None:
    assert ids(search(conn, "kind:cases revoke")) == ids(search(conn, "kind:case revoke")) != []


@pytest.mark.parametrize(
    ("typed", "same"),
    [
        ('"revoke', '"revoke"'), ('revoke"', "revoke"), ("revoke -", "revoke"), ("--penalty revoke", "-penalty revoke"),
        ("revoke*penalty", '"revoke penalty"'), ("KIND:law revoke", "kind:law revoke"), ('""', ""), ("rev**", "rev*"),
    ],
)  # fmt: skip
def test_malformed_queries_are_forgiven(conn: sqlite3.Connection, typed: str, same: str) -> None:
    assert ids(search(conn, typed)) == ids(search(conn, same))


def test_concepts_are_named_by_any_label(conn: sqlite3.Connection) -> None:
    assert [k.id for k in search(conn, "renounce in error").concepts] == ["revoke"]
    assert [k.id for k in search(conn, "mis-deal").concepts] == ["misdeal"]
    assert search(conn, "error").concepts == ()


def spans(text: str, *words: str) -> list[tuple[int, int]]:
    return [m.span() for m in re.finditer("|".join(words), text)]


def test_snippet_shows_the_densest_stretch_and_marks_only_hits() -> None:
    text = "nothing here " * 60 + "a revoke, revoking and a mis-deal. " + "then more " * 60
    shown = snippet(text, spans(text, "revoke", "revoking", "mis-deal"), 120)
    assert shown.startswith("…") and shown.endswith("…")
    assert shown.count(BEGIN) == shown.count(END) == 3
    plain = shown.strip("…").replace(BEGIN, "").replace(END, "")
    assert plain in " ".join(text.split()) and len(plain) <= 160


def test_snippet_leaves_marks_of_the_text_itself_out() -> None:
    text = f"a {BEGIN}revoke{END} \n of  a card"
    assert snippet(text, spans(text, "card")) == f"a revoke of a {BEGIN}card{END}"


def test_a_snippet_of_a_long_text_full_of_hits_takes_no_time_to_speak_of() -> None:
    text = "revoke " * 60_000
    assert snippet(text, spans(text, "revoke")).startswith(BEGIN)


@pytest.fixture
def marks() -> Iterator[Callable[[str, str], list[str]]]:
    """What is marked in a text for a query, as the index of the library does it."""
    db = sqlite_utils.Database(memory=True)
    schema.create(db)

    def marks_in(text: str, query: str) -> list[str]:
        db.execute("delete from entry")
        db.table("entry").insert(
            {
                "id": 1,
                "unit_id": "a",
                "text": fold(text),
                "concepts": "",
                "heading": "",
            }
        )
        db.execute("insert into entry_fts(entry_fts) values ('rebuild')")
        shown = marked(db.conn, parse(query).match(), ["a"])
        return [text[a:b] for a, b in hits(text, shown.get("a", ""))]

    yield marks_in
    db.close()


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("It is audible. He spoke audibly.", "audibly", ["audible", "audibly"]),
        ("A mis-deal; a misdeal; a deal.", "misdeal", ["mis-deal", "misdeal"]),
        ("A mis-deal; a misdeal; a deal.", "mis-deal", ["mis-deal", "misdeal"]),
        ("A mis-deal; a deal.", "deal", ["mis-deal", "deal"]),
        ("By ﬁneſſe; the Cæsars’ œuvre.", "finesse caesar", ["ﬁneſſe", "Cæsars"]),
        ("the re\u00advoke is a mis\u2010deal", "revoke misdeal", ["re\u00advoke", "mis\u2010deal"]),
        ("lead out of turn, out of it", '"out of turn" lead', ["lead", "out of turn"]),
        ("revoke, revoked, reviewed", "rev*", ["revoke", "revoked", "reviewed"]),
        (f"a {BEGIN}revoke{END} revoke", "revoke", ["revoke"]),
        ("nothing of it", "revoke", []),
    ],
)
def test_marked_is_what_the_index_finds(
    marks: Callable[[str, str], list[str]], text: str, query: str, found: list[str]
) -> None:
    assert marks(text, query) == found


def test_every_word_of_the_library_is_marked_where_it_stands(conn: sqlite3.Connection) -> None:
    words = [word for (word,) in conn.execute("select word from word where length(word) > 2")]
    assert len(words) > 60
    for word in words:
        for hit in search(conn, word, limit=100).hits:
            shown = marked(conn, f'"{word}"', [hit.id]).get(hit.id, "")
            found = {m for a, b in hits(hit.unit.text, shown) for m in words_of(hit.unit.text[a:b])}
            assert word in found or word not in words_of(hit.unit.text), (word, hit.id)


def test_a_span_of_years_is_two_bounds(conn: sqlite3.Connection) -> None:
    result = search(conn, "year:0000-9999 " * 9 + "revoke")
    assert ids(result) == ids(search(conn, "revoke"))
    years = next(f for f in result.facets if f.name == "year")
    assert [v.value for v in years.values] == ["1829", "1864", "1893", "1894", "1896"]
    assert all(v.chosen for v in years.values)


def test_a_span_of_years_given_backwards_is_put_right_and_told(conn: sqlite3.Connection) -> None:
    result = search(conn, "year:1864-1829 penalty")
    assert ids(result) == ids(search(conn, "year:1829-1864 penalty")) != ids(search(conn, "penalty"))
    assert result.notes == ("“1864-1829” was read as 1829-1864.",)


@pytest.mark.parametrize(
    ("typed", "gone"),
    [
        ("revoke -year:1864", lambda u: u.work == "english-1864"),
        ("revoke -year:1893-1894", lambda u: u.work.startswith("american")),
        ("revoke -kind:law", lambda u: u.kind == "law"),
        ("revoke -code:english", lambda u: u.code_id == "english-1864"),
        ("revoke -book:drayson", lambda u: u.book_id == "drayson-1896"),
        ("-kind:law", lambda u: u.kind == "law"),
        ("-concept:penalty revoke", lambda u: "penalty" in u.text),
    ],
)
def test_an_unwanted_field_excludes(conn: sqlite3.Connection, typed: str, gone: Callable[[UnitRow], bool]) -> None:
    words = " ".join(w for w in typed.split() if not w.startswith("-")) or "-zzz"
    whole, left = search(conn, words, limit=100), search(conn, typed, limit=100)
    assert sorted(ids(left)) == sorted(h.id for h in whole.hits if not gone(h.unit)) != sorted(ids(whole))
    assert left.total == len(left.hits) and left.notes == ()


def test_a_concept_is_named_by_any_of_its_labels(conn: sqlite3.Connection) -> None:
    assert ids(search(conn, 'concept:"false deal"')) == ids(search(conn, "concept:misdeal"))


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("year: penalty", "year:"), ("-kind:nonsense penalty", "nonsense"), ("concept:nonsense penalty", "nonsense"),
        ("year:1700 penalty", "1700"), ("year:²²²² penalty", "²²²²"), ("year:1829-1864-1894 penalty", "1829-1864-1894"),
    ],
)  # fmt: skip
def test_what_is_passed_over_is_told(conn: sqlite3.Connection, typed: str, told: str) -> None:
    result = search(conn, typed)
    assert told in result.notes[0] and ids(result) == ids(search(conn, "penalty"))


def test_given_values_that_name_nothing_are_told_and_left_out(conn: sqlite3.Connection) -> None:
    result = search(
        conn, "penalty", codes=["nonsense"], kinds=["wrong"], books=["none"], years=["1700", "soon", "1864"]
    )
    assert result.given == {"code": (), "kind": (), "book": (), "year": ("1864",), "concept": ()}
    assert ids(result) == ids(search(conn, "penalty", years=[1864])) and len(result.notes) == 5


@pytest.mark.parametrize(
    ("typed", "bound"),
    [
        ("card " * 9, "8 times"),
        (" ".join(f"w{n}" for n in range(201)), "200 words"),
        ("a* b* c* d* e* f* g*", "6 beginnings"),
        ("kind:law " * 21, "20 conditions"),
        ("x" * 2001, "2000 letters"),
    ],
)
def test_every_bound_is_told(conn: sqlite3.Connection, typed: str, bound: str) -> None:
    assert any(bound in note for note in search(conn, typed).notes)


def test_many_given_values_are_bounded_and_told(conn: sqlite3.Connection) -> None:
    result = search(conn, "revoke", years=[f"1829-{year}" for year in range(1850, 1900)])
    assert len(result.given["year"]) == 20 and "50 were given" in result.notes[0]


def test_a_facet_of_many_values_keeps_the_chosen_and_counts_the_rest() -> None:
    cube = [Count(f"code-{n}", "law", "book", 1800 + n, 1) for n in range(100)]
    narrowed = Narrowing({"code": ("code-99",), "kind": (), "book": (), "year": ()}, {})
    facet = next(facets(cube, narrowed))
    assert (len(facet.values), facet.more) == (40, 60)
    assert [v.value for v in facet.values if v.chosen] == ["code-99"]
