"""Search results: the hits and their order, facets, notes, snippets and marked words."""

import re
import sqlite3
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
import sqlite_utils

from extract.language.folding import fold, words_of
from kb.comparison.topics import speaking_of
from kb.read import queries
from kb.read.rows import UnitRow
from kb.search.facets import Count, FacetValue, Narrowing, facets
from kb.search.highlight import BEGIN, END, hits, marked, snippet
from kb.search.querylang import parse
from kb.search.search import SearchResult, search
from kb.tables import schema


def ids(result: SearchResult) -> list[str]:
    return [hit.id for hit in result.hits]


@pytest.mark.parametrize(
    ("typed", "told", "found"),
    [
        ("mis-deal", {"mode": "all"}, {"english-1864/law-77"}),
        ('"mis deal"', {"mode": "all"}, {"english-1864/law-77"}),
        (
            "kind:law code:american-1894",
            {"mode": "browse", "total": 2},
            {"american-1894/law-28", "american-1894/law-30"},
        ),
        ("concept:misdeal", {"total": 1}, {"english-1864/law-77"}),
        # If no unit has all the words, some suffice; stop words exclude nothing.
        ("zzyzx penalty", {"mode": "some"}, {"american-1894/law-30"}),
        ("zzyzx", {"mode": "none", "total": 0}, set()),
        ("claim revoke", {"mode": "all"}, set()),
        ("kind:law claim revoke denies", {"mode": "some"}, {"english-1864/law-72"}),
        ("what is the penalty if he didn't follow and it was a revoke", {"mode": "some"}, {"english-1864/law-72"}),
        ("what can't be the penalty for each revoke", {}, {"american-1894/law-30"}),
        ('revoke "corrected"', {"joined": 0}, set()),
        ('"revoke misdeal"', {"total": 0}, set()),  # no phrase runs from the text into the compound forms after it
        # A misspelt word is corrected unless it is quoted; a real word is not corrected.
        ("kind:law qqqqqqqq", {"corrected": None}, set()),
        ("re\u00advokke penalty", {"corrected": "revoke penalty", "literal": '"revokke" penalty'}, set()),
        ('"revokke" penalty', {"corrected": None, "literal": None, "mode": "some"}, set()),
        ("revolve", {"corrected": None, "suggestion": "revoke", "total": 0}, set()),
        ("opinion", {"suggestion": None, "total": 0}, set()),  # option is no term of the subject
        # A name or year is an ordinary word if it is alone, quoted, in conflict with another, or would leave no hits.
        ("the 1864", {"understood": ()}, set()),
        ("american", {"understood": ()}, set()),
        ('revoke "1864"', {"understood": ()}, set()),
        ("american 1864 revoke", {"understood": ()}, set()),
        ("pole divided", {"understood": (), "mode": "some"}, {"english-1864/law-72"}),
        ('divided "xyzzy code:"arnaud', {"understood": ()}, {"english-1864/law-72"}),
        ("ar\u00adnaud divided", {"understood": ()}, {"english-1864/law-72"}),
        # The works that are all that a query names.
        ("1864", {"works": ("english-1864",), "total": 0}, set()),
        ("the English laws of whist, 1864", {"works": ("english-1864",)}, set()),
        ("american code", {"works": ("american-1893", "american-1894")}, set()),
        ("american-1893", {"works": ("american-1893",)}, set()),
        ("Arnaud's laws", {"works": ("arnaud-1829",)}, set()),
        ("drayson", {"works": ("drayson-1896",)}, set()),
        *((typed, {"works": ()}, set()) for typed in ("american 1864", "laws", "1864 revoke", "72 1864", "1850", "")),
        # Without a valid condition or a word there is nothing to look for.
        *(
            (typed, {"mode": "none", "total": 0}, set())
            for typed in ("concept:nonsense", "code:1901", "year:1850", "year:>1850", "-kind:poem")
        ),
    ],
)
def test_search_reports_how_it_read_the_query(
    conn: sqlite3.Connection, typed: str, told: dict[str, object], found: set[str]
) -> None:
    result = search(conn, typed)
    assert {name: getattr(result, name) for name in told} == told and found <= {*ids(result)}


def test_hits_are_ranked_with_provisions_first_and_pages_join(
    conn: sqlite3.Connection,
) -> None:
    whole = search(conn, "revoking", limit=50)  # matched by its stem
    assert whole.total == len(whole.hits) and sorted(whole.hits, key=lambda hit: -hit.score) == list(whole.hits)
    found = ids(whole)
    assert found.index("arnaud-1829/law-21") < found.index("english-1864/section-the-revoke")
    assert "english-1864/law-72" in found and found[-1] == "drayson-1896/index-revoke"
    assert [i for at in range(0, whole.total, 4) for i in ids(search(conn, "revoking", limit=4, offset=at))] == found


def test_paragraph_is_found_under_its_law(conn: sqlite3.Connection) -> None:
    (hit,) = [h for h in search(conn, "divided").hits if h.unit.kind == "law"]
    assert (hit.id, hit.paragraphs) == ("english-1864/law-72", ("english-1864/law-72/iv",))
    assert ids(search(conn, "divided", kinds=["subclause"])) == ["english-1864/law-72/iv"]


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [
        ("revoke", {"codes": ["english-1864"]}),
        ("revoke corrected", {}),
        ("claim revoke denies", {}),
        ("revokke 1894", {}),
        ("arnaud divided", {}),
    ],
)
def test_facet_counts_match_the_filtered_search(
    conn: sqlite3.Connection, typed: str, chosen: dict[str, list[str]]
) -> None:
    result = search(conn, typed, **chosen)  # type: ignore[arg-type]
    where = {f"{name}s": values for name, values in result.where.items()}
    for facet in result.facets:
        for value in facet.values:
            found = search(conn, result.rest, **(where | {f"{facet.name}s": [value.value]}))  # type: ignore[arg-type]
            assert found.total == value.count, (facet.name, value)
            assert value.chosen == (value.value in result.where.get(facet.name, ()))


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
def test_year_or_work_name_filters_and_is_reported(
    conn: sqlite3.Connection, typed: str, told: str, only: set[str]
) -> None:
    result = search(conn, typed, limit=100)
    assert {h.unit.work for h in result.hits} == only and told in result.understood[0]
    assert search(conn, result.literal or "").understood == ()


def test_totals_agree_for_quoted_words_and_concepts(conn: sqlite3.Connection) -> None:
    for word in ("revoke", "penalty", "law", "misdeal"):
        found = search(conn, word, limit=100)
        assert found.total - found.joined == search(conn, f'"{word}"').total, word
    for concept in queries.concepts(conn):
        counts = {concept.units, search(conn, f"concept:{concept.id}").total, len(speaking_of(conn, concept.id))}
        assert len(counts) == 1, concept.id


def test_year_in_the_query_does_not_filter_if_a_year_is_chosen(conn: sqlite3.Connection) -> None:
    result = search(conn, "revoke 1894", years=[1864])
    assert (result.understood, result.given["year"]) == ((), ("1864",))


def test_finds_deciding_provisions_without_all_the_words(conn: sqlite3.Connection) -> None:
    result = search(conn, "revoke corrected")
    assert result.mode == "all" and result.joined == sum("corrected" not in h.unit.text for h in result.hits) >= 2
    assert ids(result)[0] == "american-1893/law-28" and "american-1894/law-30" in ids(result)
    assert all(BEGIN in hit.snippet for hit in result.hits), "the words that a provision has are marked"


def test_top_hits_are_of_several_works_and_identical_texts_are_adjacent(
    conn: sqlite3.Connection,
) -> None:
    found = search(conn, "revoke penalty").hits
    assert len({h.unit.work for h in found[:4]}) >= 3
    pairs = [(first.id, second.id, second.twin) for first, second in pairwise(found)]
    assert ("american-1893/law-30", "american-1894/law-30", "american-1893/law-30") in pairs


@pytest.mark.parametrize(
    ("typed", "same", "chosen"),
    [
        ('"revoke', '"revoke"', {}), ('revoke"', "revoke", {}), ("revoke -", "revoke", {}), ('""', "", {}),
        ("--penalty revoke", "-penalty revoke", {}), ("revoke*penalty", '"revoke penalty"', {}),
        ("KIND:law revoke", "kind:law revoke", {}), ("rev**", "rev*", {}), ("MISDEAL", "misdeal", {}),
        ("penelty revoke", "penalty revoke", {}), ('concept:"false deal"', "concept:misdeal", {}),
        ("revoke AND NOT penalty", "revoke -penalty", {}), ("NOT kind:law revoke", "-kind:law revoke", {}),
        ("year:1864-1829 penalty", "year:1829-1864 penalty", {}), ("year:0000-9999 " * 9 + "revoke", "revoke", {}),
        (f"revoke{' ' * 2000}misdeal", "revoke", {}),
        # Fields filter like facets.
        ("code:1864 revoke", "revoke", {"codes": ["english-1864"]}),
        ("year:1893-1894 revoke", "revoke", {"years": [1893, 1894]}),
        ("kind:cases revoke", "revoke", {"kinds": ["case"]}),
    ],
)  # fmt: skip
def test_equivalent_queries_have_the_same_hits(
    conn: sqlite3.Connection, typed: str, same: str, chosen: dict[str, list[Any]]
) -> None:
    assert ids(search(conn, typed)) == ids(search(conn, same, **chosen))


def test_concepts_are_found_by_any_label(conn: sqlite3.Connection) -> None:
    named = [[k.id for k in search(conn, typed).concepts] for typed in ("renounce in error", "mis-deal", "error")]
    assert named == [["revoke"], ["misdeal"], []]


def test_snippet_shows_the_densest_span_and_marks_only_hits() -> None:
    text = "nothing here " * 60 + "a revoke, revoking and a mis-deal. " + "then more " * 60
    shown = snippet(text, [m.span() for m in re.finditer("revoke|revoking|mis-deal", text)], 120)
    assert shown.startswith("…") and shown.endswith("…")
    assert shown.count(BEGIN) == shown.count(END) == 3
    plain = shown.strip("…").replace(BEGIN, "").replace(END, "")
    assert plain in " ".join(text.split()) and len(plain) <= 160


@pytest.mark.parametrize(
    ("text", "word", "begins"),
    [
        (f"a {BEGIN}revoke{END} \n of  a card", "card", f"a revoke of a {BEGIN}card{END}"),
        ("revoke " * 20_000, "revoke", BEGIN),  # must not be slow
    ],
)
def test_snippet_of_a_text_with_marker_characters_or_many_hits(text: str, word: str, begins: str) -> None:
    assert snippet(text, [m.span() for m in re.finditer(word, text)]).startswith(begins)


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
def test_marks_what_the_index_matches(text: str, query: str, found: list[str]) -> None:
    db = sqlite_utils.Database(memory=True)
    schema.create(db)
    db.table("entry").insert({"id": 1, "unit_id": "a", "text": fold(text), "concepts": "", "heading": ""})
    db.execute("insert into entry_fts(entry_fts) values ('rebuild')")
    assert [text[a:b] for a, b in hits(text, marked(db.conn, parse(query).match(), ["a"]).get("a", ""))] == found


def test_every_word_of_the_library_is_marked_in_its_hits(conn: sqlite3.Connection) -> None:
    for (word,) in conn.execute("select word from word where length(word) > 2"):
        for hit in search(conn, word, limit=100).hits:
            shown = marked(conn, f'"{word}"', [hit.id]).get(hit.id, "")
            found = {m for a, b in hits(hit.unit.text, shown) for m in words_of(hit.unit.text[a:b])}
            assert word in found or word not in words_of(hit.unit.text), (word, hit.id)


@pytest.mark.parametrize(
    ("typed", "gone"),
    [
        ("revoke -year:1864", lambda u: u.work == "english-1864"),
        ("revoke -year:1893-1894", lambda u: u.work.startswith("american")),
        ("revoke -kind:law", lambda u: u.kind == "law"),
        ("revoke -code:english", lambda u: u.code_id == "english-1864"),
        ("revoke -book:drayson", lambda u: u.book_id == "drayson-1896"),
        ("revoke -penalty", lambda u: "penalty" in u.text.lower()),
        ("-kind:law", lambda u: u.kind == "law"),
        ("-concept:penalty revoke", lambda u: "penalty" in u.text),
    ],
)
def test_negated_field_or_word_excludes(conn: sqlite3.Connection, typed: str, gone: Callable[[UnitRow], bool]) -> None:
    words = " ".join(w for w in typed.split() if not w.startswith("-")) or "-zzz"
    unfiltered, filtered = search(conn, words, limit=100), search(conn, typed, limit=100)
    assert sorted(ids(filtered)) == sorted(h.id for h in unfiltered.hits if not gone(h.unit)) != sorted(ids(unfiltered))
    assert filtered.total == len(filtered.hits) and filtered.notes == ()


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("code:1870 penalty", "1870"), ("year: penalty", "year:"), ("year:soon penalty", "soon"),
        ("-kind:nonsense penalty", "nonsense"), ("concept:nonsense penalty", "nonsense"),
        ("year:1700 penalty", "1700"), ("year:²²²² penalty", "²²²²"), ("year:1829-1864-1894 penalty", "1829-1864-1894"),
        ("year:1896-1829 penalty", "“1896-1829” was read as 1829-1896."), ("OR penalty", "OR was left out"),
        ("kind:poem penalty", "footnote, index entry, law, heading, paragraph, table"),
        ("code:1901 penalty", "there is arnaud-1829, "),
    ],
)  # fmt: skip
def test_reports_ignored_or_corrected_fields(conn: sqlite3.Connection, typed: str, told: str) -> None:
    result = search(conn, typed)
    assert told in result.notes[0] and ids(result) == ids(search(conn, "penalty"))


def test_unknown_or_too_many_filters_are_reported_and_ignored(conn: sqlite3.Connection) -> None:
    given = {"codes": ["nonsense"], "kinds": ["wrong"], "books": ["none"], "years": ["1700", "soon", "1864"]}
    result = search(conn, "penalty", **given)  # type: ignore[arg-type]
    assert result.given == {"code": (), "kind": (), "book": (), "year": ("1864",), "concept": ()}
    assert ids(result) == ids(search(conn, "penalty", years=[1864])) and len(result.notes) == 5
    many = search(conn, "revoke", years=[f"1829-{year}" for year in range(1850, 1900)])
    assert len(many.given["year"]) == 20 and "50 were given" in many.notes[0]


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
def test_reports_every_limit(conn: sqlite3.Connection, typed: str, bound: str) -> None:
    assert any(bound in note for note in search(conn, typed).notes)


def test_long_facet_keeps_the_chosen_value_counts_the_rest_and_has_the_oldest_code_first() -> None:
    cube = [Count(f"code-{n}", "law", "book", 1800 + n, 1) for n in range(100)]
    facet = next(facets(cube, Narrowing({"code": ("code-99",), "kind": (), "book": (), "year": ()}, {})))
    assert (len(facet.values), facet.more, sum(v.chosen for v in facet.values)) == (40, 60, 1)
    assert [(v.value, v.chosen) for v in (*facet.values[:3], facet.values[-1])] == [
        ("code-0", False), ("code-1", False), ("code-2", False), ("code-99", True)
    ]  # fmt: skip


def test_chosen_value_without_results_is_shown_with_none() -> None:
    wanted = {"code": ("none",), "kind": (), "book": (), "year": ((1864, 1864),)}
    found = {f.name: f.values for f in facets([Count("code", "law", "book", 1850, 1)], Narrowing(wanted, {}))}
    assert [found["code"], found["year"]] == [(FacetValue(value, 0, True),) for value in ("none", "1864")]
