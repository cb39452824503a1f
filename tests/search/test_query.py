"""The query language: how a query becomes an expression of FTS5, and what filters it has."""

import pytest

from kb.search.query import MOST_LETTERS, MOST_TERMS, parse


@pytest.mark.parametrize(
    ("typed", "expression"),
    [
        ("Revoke Penalty", '("revoke") AND ("penalty")'),
        ('"exposed card"', '{text} : "exposed card"'),
        ("“exposed card”", '{text} : "exposed card"'),
        ('"never closed', '{text} : "never closed"'),
        ("rev*", '("rev"*)'),
        ("revoke -misdeal", '(("revoke")) NOT (("misdeal"))'),
        ("mis-deal", '("mis deal" OR "misdeal")'),
        ("dealer's", '("dealer s")'),
        ("cæsar fineſſe", '("caesar") AND ("finesse")'),
        ("what of the revoke", '("revoke")'),
        ("what of the", '("what") AND ("of") AND ("the")'),
        # No input is read as syntax of FTS5, and an unknown filter is only words.
        ("NEAR(suit OR card)", '("near suit") AND ("card")'),
        ("text:suit", '("text suit")'),
        ("a\x00b \ud800 '", '("a b")'),
        ("* ( ) ^ : — -", ""),
        ("-misdeal", ""),
    ],
)
def test_query_becomes_an_expression_in_which_every_word_is_quoted(typed: str, expression: str) -> None:
    assert parse(typed).match({}, every=True) == expression


def test_any_word_suffices_on_request() -> None:
    assert parse("revoke penalty").match({}, every=False) == '("revoke") OR ("penalty")'


def test_word_has_the_spellings_of_the_library_unless_it_is_quoted() -> None:
    known = {"honour": 3, "honor": 2}
    assert parse("honors").match(known | {"honours": 1}, every=True) == '("honors" OR "honours")'
    assert parse("honor").match(known, every=True) == '("honor" OR "honour")'
    assert parse('"honor"').match(known, every=True) == '{text} : "honor"'
    assert parse("honor*").match(known, every=True) == '("honor"*)'


def test_filters_are_no_words_and_those_given_count_too() -> None:
    query = parse('code:1864 revoke Kind:Case year:1829-1864 concept:"exposed card" code:1864', {"code": ["1893"]})
    assert [term.words for term in query.terms] == [("revoke",)]
    assert query.filters == {
        "code": ("1893", "1864"), "kind": ("case",), "year": ("1829-1864",), "concept": ("exposed card",)
    }  # fmt: skip
    assert parse("-code:1864").filters == {}


def test_only_the_beginning_of_a_long_query_is_read_and_that_is_told() -> None:
    words = [f"word{n}" for n in range(MOST_TERMS + 1)]
    assert (len(parse(" ".join(words)).terms), parse(" ".join(words)).cut) == (MOST_TERMS, True)
    assert not parse(" ".join(words[:-1])).cut
    long = parse(" " * MOST_LETTERS + "revoke")
    assert (long.terms, long.cut) == ((), True)
