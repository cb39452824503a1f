"""The index that a static copy carries with it."""

from __future__ import annotations

import json
import sqlite3
from itertools import accumulate

from datasette_plugins.publishing.pocket import index_script
from kb.search.inverted import IndexedDocument, IndexedTerm, documents, invert


def test_forms_of_a_word_are_one_term_and_words_that_only_serve_are_none() -> None:
    terms = invert([IndexedDocument("a", "He revoked the card", "", ""), IndexedDocument("b", "A revoke.", "", "")])
    assert terms == [IndexedTerm(("card",), (), (0,), ()), IndexedTerm(("revoke", "revoked"), (), (0, 1), ())]


def test_a_place_is_known_by_a_word_has_it_or_is_only_named_by_it() -> None:
    (term,) = invert(
        [
            IndexedDocument("a", "revoke", "revoke", ""),
            IndexedDocument("b", "", "revoke", ""),
            IndexedDocument("c", "", "", "revoke"),
        ]
    )
    assert term == IndexedTerm(("revoke",), (2,), (0,), (1,))


def test_all_units_are_indexed_oldest_first(conn: sqlite3.Connection) -> None:
    these = documents(conn)
    assert these[0].id == "arnaud-1829/section-definitions"
    assert {d.id for d in these} == {i for (i,) in conn.execute("select id from unit where continues is null")}


def test_the_script_has_the_index_with_places_as_steps(conn: sqlite3.Connection) -> None:
    text = index_script(conn)
    index = json.loads(text.removeprefix("globalThis.whistIndex=").removesuffix(";\n"))
    ids = [unit[0] for unit in index["units"]]
    (term,) = [term for term in index["terms"] if "trick" in term[0] or "tricks" in term[0].split()]
    within = {ids[at] for at in accumulate(map(int, term[2].split()))}
    assert {"arnaud-1829/law-21", "english-1864/law-72/i", "american-1894/law-30"} <= within
    assert "<" not in text and "the" in index["stop"].split()
