"""Provisions of which the thesaurus says too little are listed."""

from __future__ import annotations

import sqlite3

from kb.concepts.coverage import Vague, vague


def library(spoken: dict[int, str]) -> sqlite3.Connection:
    """Sixty laws of one code, of which all speak of cards; `spoken` tells what else some of them speak of."""
    conn = sqlite3.connect(":memory:")
    conn.execute("create table unit (id, code_id, role, continues, seq)")
    conn.execute("create table unit_concept (unit_id, concept_id, raw_start)")
    for n in range(1, 61):
        conn.execute("insert into unit values (?, 'a', 'provision', null, ?)", (f"a/law-{n}", n))
        for concept in ["cards", *spoken.get(n, "one two").split()]:
            name = concept if concept == "cards" else f"{concept}-{n}"
            conn.executemany(
                "insert into unit_concept values (?, ?, ?)", [(f"a/law-{n}", name, 1), (f"a/law-{n}", name, 9)]
            )
    conn.execute("insert into unit values ('a/note', 'a', 'note', null, 99)")
    return conn


def test_a_law_with_fewer_than_two_specific_concepts_is_listed() -> None:
    assert vague(library({})) == []
    assert vague(library({7: "one", 3: ""})) == [Vague("a/law-3", 0), Vague("a/law-7", 1)]
