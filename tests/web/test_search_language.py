"""The query language: how queries are parsed, and that no input raises an error."""

import sqlite3

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from extract.language.folding import fold
from kb.search.querylang import Term, parse, quoted
from kb.search.search import search


@pytest.mark.parametrize(
    ("typed", "every", "expression"),
    [
        ("revoke", True, '"revoke"'),
        ("Revoke Penalty", True, '"revoke" AND "penalty"'),
        ('"exposed card"', True, '{text} : "exposed card"'),
        ("“exposed card”", True, '{text} : "exposed card"'),
        ("rev*", True, '"rev"*'),
        ("revoke -misdeal", True, '("revoke") NOT ("misdeal")'),
        ("mis-deal", True, '("mis deal" OR "misdeal")'),
        ("dealer's", True, '"dealer s"'),
        ("cæsar fineſſe", True, '"caesar" AND "finesse"'),
        ("AND OR NOT", True, '"and" AND "or" AND "not"'),  # all in capitals
        ("suit AND card OR trick NOT deal", True, '("suit" AND "card" AND "trick") NOT ("deal")'),
        ("nonsense:value", True, '"nonsense value"'),
        ('"never closed', True, '{text} : "never closed"'),
        ("* ( ) ^ : — -", True, ""),
        # Any word suffices, except stop words beside others.
        ("what of the revoke penalty", False, '"revoke" OR "penalty"'),
        ("what of the", False, '"what" OR "of" OR "the"'),
    ],
)
def test_query_becomes_an_fts_expression(typed: str, every: bool, expression: str) -> None:
    assert parse(typed).match(every=every) == expression


def test_fields_are_separated_from_words() -> None:
    query = parse("code:1864 revoke kind:Case year:1829-1864")
    fields = (("code", "1864"), ("kind", "case"), ("year", "1829-1864"))
    assert (query.wanted, query.fields) == ((Term(("revoke",)),), fields)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("A mis-deal, a re-deal; a mis-deal.", "A mis-deal, a re-deal; a mis-deal.\n\ue002 misdeal\n\ue002 redeal"),
        ("Cæſar's œuvre ﬁrst", "Caesar's oeuvre first"),
        ("by-the-by", "by-the-by\n\ue002 bytheby"),
    ],
)
def test_folding_adds_closed_compounds_and_expands_ligatures(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from(list('"*-:()^+{}[]ab \x00\ud800')))))
@example('"')
@example("a AND (b OR")
@example("code:\x00 -\x00")
@example("-a -b")
@example("\ud800")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_input_raises_an_error(conn: sqlite3.Connection, text: str) -> None:
    result = search(conn, text)
    assert result.total >= len(result.hits)


@given(st.lists(st.sampled_from([*'"*-: ,_\u00ad“ﬃ', "arnaud", "1894", "code", "law"]), max_size=20).map("".join))
@example('divided "x code:"arnaud')
@example("ar\u00adnaud divided")
@settings(max_examples=150)
def test_quoting_bare_words_keeps_the_words(text: str) -> None:
    typed = parse(text)
    again = parse(quoted(typed, [t for t in typed.wanted if not (t.quoted or t.prefix)]))
    assert [(t.words, t.quoted) for t in again.wanted] == [(t.words, not t.prefix) for t in typed.wanted]
    assert (again.fields, again.unwanted) == (typed.fields, typed.unwanted)
