"""Search in the shipped library: exact filters, what is found, and the words marked in its passages."""

import re
import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from terminal import refusal, whist

from extract.errors import QueryError
from kb.search.search import Found, Piece, passage, search


def ids(found: Found) -> list[str]:
    return [hit.unit.id for hit in found.hits]


# Filters.


@pytest.mark.parametrize(
    ("filters", "codes"),
    [
        ("code:1864", {"english-1864"}),
        ("code:english-1864", {"english-1864"}),
        ("code:1864 code:1893", {"english-1864", "american-1893"}),
        ("code:1864 year:1829-1864", {"english-1864"}),
        ("code:1864 year:1829", set()),
        ("kind:law year:1829-1864", {"arnaud-1829", "deschapelles-1839", "english-1864"}),
        ("kind:LAW year:1893", {"american-1893"}),
        ("kind:law book:pole", {"american-1893"}),
    ],
)
def test_filters_are_exact(shipped: sqlite3.Connection, filters: str, codes: set[str]) -> None:
    found = search(shipped, f"revoke {filters}", limit=1000)
    assert {hit.unit.code_id for hit in found.hits} == codes
    assert found.total == len(found.hits)


def test_filters_alone_list_all_in_the_order_of_the_book(shipped: sqlite3.Connection) -> None:
    found = search(shipped, "kind:law", {"code": ["1864"]}, limit=100)
    assert (found.mode, ids(found)) == ("filters", [f"english-1864/law-{n}" for n in range(1, 92)])


def test_concept_finds_what_speaks_of_it_by_any_of_its_names(shipped: sqlite3.Connection) -> None:
    found = search(shipped, "concept:misdeal kind:law")
    assert "arnaud-1829/law-1" in ids(found)
    assert ids(search(shipped, 'concept:"MIS-DEAL" kind:law')) == ids(found)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("code:9", "No code is called “9”; write one of 1829, 1839, 1864, 1893, 1894."),
        ("code:18", "No code is called “18”; write one of 1829, 1839, 1864, 1893, 1894."),
        ("kind:lawn", "No kind is called “lawn”; write one of case, commentary, "),
        ("book:hoyle", "No book is called “hoyle”; write one of arnaud, deschapelles, drayson, pole."),
        ("concept:oar", "No concept is called “oar”."),
        ("year:abc", "“abc” is no year; write 1864, or 1829-1864."),
        ("year:1864-1829", "“1864-1829” ends before it begins; write the earlier year first."),
    ],
)
def test_filter_with_a_value_that_is_not_there_is_an_error(
    shipped: sqlite3.Connection, typed: str, message: str
) -> None:
    with pytest.raises(QueryError) as error:
        search(shipped, f"revoke {typed}")
    assert str(error.value).startswith(message)


# What is found.


@pytest.mark.parametrize(
    ("one", "other"),
    [("honors", "honour"), ("mis-deal", "misdeal"), ("Revoking", "revoke"), ("cæsar*", "caesar*"), ("“odd”", '"odd"')],
)
def test_spellings_and_forms_of_a_word_find_the_same(shipped: sqlite3.Connection, one: str, other: str) -> None:
    found, others = (search(shipped, typed, limit=1000) for typed in (one, other))
    assert {*ids(found)} == {*ids(others)}


def test_results_have_all_words_or_else_some(shipped: sqlite3.Connection) -> None:
    assert search(shipped, "revoke penalty").mode == "all"
    some, without = search(shipped, "zzyzx penalty"), search(shipped, "penalty")
    assert (some.mode, some.total, without.mode) == ("some", without.total, "all")
    assert (search(shipped, "zzyzx").mode, search(shipped, "").mode, search(shipped, "-revoke").mode) == ("none",) * 3


def test_unwanted_words_and_phrases_narrow_the_results(shipped: sqlite3.Connection) -> None:
    phrase = search(shipped, '"take three tricks" kind:law')
    assert ids(phrase) == ["english-1864/law-72"]
    assert search(shipped, '"take three tricks" -revoking kind:law').total == 0


def test_paragraph_is_found_as_part_of_its_provision_unless_paragraphs_are_wanted(shipped: sqlite3.Connection) -> None:
    words = '"at the option of the adversaries" code:1864'
    whole, parts = search(shipped, words), search(shipped, f"{words} kind:subclause")
    assert "english-1864/law-72" in ids(whole) and "english-1864/law-72/i" not in ids(whole)
    assert "english-1864/law-72/i" in ids(parts) and "english-1864/law-72" not in ids(parts)


def test_results_come_in_pages_best_first_with_counts_of_all(shipped: sqlite3.Connection) -> None:
    whole = search(shipped, "revoke", limit=40)
    assert ids(search(shipped, "revoke", limit=20, skip=20)) == ids(whole)[20:]
    assert [hit.score for hit in whole.hits] == sorted((hit.score for hit in whole.hits), reverse=True)
    assert sum(number for _, number in whole.counts["book"]) == whole.total > 40
    assert dict(whole.counts["code"])["english-1864"] == search(shipped, "revoke code:1864").total


PIECES = st.sampled_from([*"\"*'-:()^+{}\x00\ud800", "NEAR(", " OR ", "AND", "code:", "year:"])
HOSTILE = st.lists(st.one_of(PIECES, st.text(max_size=3))).map("".join)


@given(HOSTILE)
@example("\"*' OR NEAR(")
@example("a AND (b OR")
@example("-\x00 -\x00 \x00")
@example("\ud800")
@example('"' * 5000)
@example("revoke " * 700)
@example("-a -b")
@example("code:\x00 kind:\ud800")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_input_raises_an_error_but_a_wrong_filter(shipped: sqlite3.Connection, text: str) -> None:
    try:
        found = search(shipped, text)
    except QueryError as error:
        assert re.search("code|kind|book|year|concept", text, re.I) and str(error).endswith(".")
    else:
        assert found.total >= len(found.hits)


# Passages.


def plain(pieces: tuple[Piece, ...]) -> str:
    return "".join(f"[{piece.text}]" if piece.found else piece.text for piece in pieces)


def test_passage_marks_the_words_found(shipped: sqlite3.Connection) -> None:
    (hit,) = search(shipped, '"take three tricks" kind:law').hits
    assert "may either [take] [three] [tricks] from the revoking player" in plain(hit.passage)
    (hit,) = search(shipped, "“take three tricks” revo* -misdeal kind:law").hits
    assert "may either [take] [three] [tricks] from the [revoking] player" in plain(hit.passage)


def test_long_text_is_cut_to_where_most_of_the_words_are() -> None:
    text = f"A card. {'He led. ' * 100}The card was exposed. {'He won. ' * 100}"
    found = plain(passage(text, ["card", "expos"]))
    assert found.startswith("…") and found.endswith("He won.…") and len(found) < 300
    assert "The [card] was [exposed]." in found and "A [card]" not in found
    assert plain(passage("A card\nis led.", [], ("car",))) == "A [card] is led."
    assert plain(passage("He led.", ["card"])) == "He led." and passage("", ["card"]) == ()


# The command.


def test_command_prints_the_passages_and_what_is_named(library: Path) -> None:
    printed = whist("search", "take three tricks", "--code", "1864", "--kind", "law", "--limit", "2", "--db", library)
    assert printed.exit_code == 0 and "\nenglish-1864/law-72  (p. 18)\n  72. The penalty" in printed.output
    assert printed.output.startswith("8 found\n") and printed.output.count("\n\nenglish-1864/law-") == 2
    named = whist("search", "1864 law 72", "--db", library).output
    assert named.startswith("named: english-1864/law-72\n")
    assert "none has all" in whist("search", "zzyzx", "penalty", "--limit", "1", "--db", library).output
    assert refusal("search", "revoke", "--code", "9", "--db", library).startswith("No code is called “9”; write one of")
