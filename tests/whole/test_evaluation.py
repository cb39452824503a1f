"""The measures themselves, on libraries so small that the right figure is plain."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from extract.errors import BookError
from extract.model import Edit
from extract.text.textlayer import TextLayer
from kb.evaluation import evaluate
from kb.evaluation.alignment import score_links
from kb.evaluation.answers import score_answers
from kb.evaluation.gold import rows
from kb.evaluation.letters import score_letters
from kb.evaluation.retrieval import questions, score_search
from kb.evaluation.segments import score_references, score_units

SCAN = "Law 1. Tbe dealer may look. Law 2. He must follow suit."


def write(folder: Path, name: str, *found: object) -> None:
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")


@pytest.fixture
def conn() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.executescript("""
        create table link (a, b, relation, status);
        create table cell (topic_id, facet_id, code_id, cites);
        create table unit (id, book_id, kind, role, raw_start, raw_end, page);
        create table citation (book_id, raw_start, raw_end, target_id);
    """)
    yield connection
    connection.close()


def test_a_misread_word_is_fixed_and_a_right_one_harmed(tmp_path: Path) -> None:
    edits = (Edit(7, 10, "Tbe", "The", "ocr", "rule", 1.0, ""), Edit(22, 26, "look", "lock", "ocr", "rule", 1.0, ""))
    write(tmp_path, "ocr.x.jsonl", {"start": 7, "end": 27, "raw": SCAN[7:27], "gold": "The dealer may look."})
    score = score_letters({"x": TextLayer(SCAN, edits)}, tmp_path)["x"]
    assert (score.wrong, score.fixed, score.harm, score.scan_letters, score.read_letters) == (1, 1, ["look."], 1, 1)
    assert score.figures["WER reading %"] == 25.0


def test_units_are_found_by_their_letters_kind_and_id_and_references_by_place_and_target(
    conn: sqlite3.Connection, tmp_path: Path
) -> None:
    conn.execute("insert into unit values ('x/law-1', 'x', 'law', 'provision', 0, 27, '5')")
    conn.execute("insert into unit values ('x/law-3', 'x', 'law', 'provision', 28, 55, '5')")
    conn.execute("insert into citation values ('x', 0, 5, 'x/law-1'), ('x', 0, 5, 'x/law-9')")
    gold = {"kind": "law", "page": 5}
    write(
        tmp_path, "units.x.jsonl",
        {"id": "x/law-1", "start": 0, "end": 27, **gold}, {"id": "x/law-2", "start": 28, "end": 55, **gold},
        {"id": "x/law-3", "sure": False},
    )  # fmt: skip
    write(
        tmp_path, "citations.x.jsonl",
        {"start": 2, "end": 6, "targets": ["x/law-1"]}, {"start": 9, "end": 12, "targets": ["x/law-2"]},
    )  # fmt: skip
    units, pages = score_units(conn, {"x": TextLayer(SCAN, ())}, tmp_path)
    assert (units["x law"].found, units["x law"].missed, pages) == (1, ["x/law-2"], (1, 1))
    assert score_references(conn, {"x": TextLayer(SCAN, ())}, tmp_path) == {"x": (0.5, 0.5)}


def test_links_are_compared_by_provision_by_paragraph_and_by_relation(conn: sqlite3.Connection, tmp_path: Path) -> None:
    conn.executemany("insert into link values (?, ?, ?, ?)", [
        ("a/law-1", "b/law-1", "broader", "proposed"),
        ("a/law-2", "b/law-2/i", "differs", "proposed"),
        ("a/law-1", "b/law-2", "differs", "proposed"),
        ("a/law-3", "b/law-3", "differs", "rejected"),
    ])  # fmt: skip
    write(
        tmp_path, "alignment.jsonl",
        {"a": "b/law-1", "b": "a/law-1", "relation": "narrower"},
        {"a": "a/law-2", "b": "b/law-2", "relation": "differs"},
        {"a": "a/law-3", "b": "b/law-3", "relation": "differs"},
        {"a": "a/law-4", "b": "b/def-x", "relation": "differs", "outside_laws": True},
    )  # fmt: skip
    write(tmp_path, "alignment_none.jsonl", {"a": "b/law-1", "code": "a"}, {"a": "a/law-3", "code": "b"})
    score = score_links(conn, tmp_path)
    assert (score.found, score.exact, score.right, score.agreed) == ((2, 3), (1, 3), (2, 3), (1, 1))
    assert score.unwanted == (1, 2)


def test_a_row_of_answers_is_found_by_what_it_cites(conn: sqlite3.Connection, tmp_path: Path) -> None:
    conn.executemany("insert into cell values ('revoke', 'penalty', ?, ?)", [
        ("a", '["a/law-1/ii"]'), ("b", '["b/law-7"]'), ("c", "[]"), ("d", '["d/law-1"]'),
    ])  # fmt: skip
    cells = {"a": {"cites": ["a/law-1"]}, "b": {"cites": ["b/law-7", "b/law-8"]}, "c": {"cites": []}, "d": None}
    gold = {"topic": "revoke", "facets": [{"facet": "1", "cells": cells}, {"facet": "2", "cells": {"a": None}}]}
    write(tmp_path, "matrix.revoke.json", gold)
    score = score_answers(conn, tmp_path)["revoke"]
    assert (score.found, score.cited, score.silent) == ((1, 2), (2, 2), (1, 2))


LAWS = ("a/law-1", "b/law-2", "c/art-a3")


def test_the_rank_is_that_of_the_first_right_provision(tmp_path: Path) -> None:
    def ask(question: str, code: str) -> list[str]:
        return {"q1": ["a/law-5/i", "a/law-5/ii", "a/law-1/i"], "q2": ["a/law-9"]}[question]

    write(tmp_path, "retrieval.x.jsonl", {"query": "q1", "laws": ["a/law-1"]}, {"query": "q2", "laws": ["a/law-1"]})
    score = score_search(ask, questions(tmp_path, LAWS), "cases")["a"]
    assert (score.queries, score.hit1, score.hit5, score.mrr) == (2, 0.0, 0.5, 0.25)


def test_questions_held_out_are_counted_apart_and_none_is_asked_of_a_code_that_has_no_provision_on_it(
    tmp_path: Path,
) -> None:
    def ask(question: str, code: str) -> list[str]:
        return {"a": ["a/law-1"], "b": ["b/law-9"], "": ["b/law-9", "b/law-2"]}[code]

    answers = {"a": ["a/law-1"], "b": ["b/law-2"], "c": [], "d": ["d/def-revoke"]}
    write(
        tmp_path, "questions.jsonl",
        {"query": "q", "kind": "search", "answers": answers},
        {"query": "q", "kind": "search", "held_out": True, "answers": {"a": ["a/law-1"]}},
    )  # fmt: skip
    scores = score_search(ask, questions(tmp_path, LAWS), "questions")
    assert (scores["search"].queries, scores["search"].hit1, scores["search"].hit5) == (2, 0.5, 0.5)
    assert (scores["search, all codes"].hit1, scores["search, all codes"].hit5) == (0.0, 1.0)
    assert scores["search, held out"].queries == 1


@pytest.mark.parametrize("line", ["{", "[]", "3"])
def test_gold_that_is_no_json_object_is_named_with_its_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "units.x.jsonl").write_text(f'{{"id": "1"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(BookError, match="line 2"):
        list(rows(tmp_path, "units.*.jsonl"))


def test_a_folder_without_gold_is_told(conn: sqlite3.Connection, tmp_path: Path) -> None:
    with pytest.raises(BookError, match="no gold files"):
        evaluate(conn, tmp_path)
