"""The query language: how queries are parsed, and that no input raises an error."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from extract.language.folding import fold
from kb.search.querylang import Term, parse, quoted
from kb.search.search import search


@pytest.mark.parametrize(
    ("typed", "expression"),
    [
        ("revoke", '"revoke"'),
        ("Revoke Penalty", '"revoke" AND "penalty"'),
        ('"exposed card"', '{text} : "exposed card"'),
        ("“exposed card”", '{text} : "exposed card"'),
        ("rev*", '"rev"*'),
        ("revoke -misdeal", '("revoke") NOT ("misdeal")'),
        ("mis-deal", '("mis deal" OR "misdeal")'),
        ("dealer's", '"dealer s"'),
        ("cæsar fineſſe", '"caesar" AND "finesse"'),
        ("AND OR NOT", '"and" AND "or" AND "not"'),
        ("nonsense:value", '"nonsense value"'),
        ('"never closed', '{text} : "never closed"'),
        ("* ( ) ^ : — -", ""),
    ],
)
def test_query_becomes_an_fts_expression(typed: str, expression: str) -> None:
    assert parse(typed).match() == expression


@pytest.mark.parametrize(
    ("typed", "expression"),
    [("what of the revoke penalty", '"revoke" OR "penalty"'), ("what of the", '"what" OR "of" OR "the"')],
)
def test_any_word_suffices_except_stop_words(typed: str, expression: str) -> None:
    assert parse(typed).match(every=False) == expression


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
