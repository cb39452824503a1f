"""A unit as it is read: the words are the unit's, and each mark and link stands on its own words."""

from __future__ import annotations

import sqlite3

import pytest

from kb.read import queries, reading
from kb.read.rows import label_end


def passage(conn: sqlite3.Connection, unit_id: str) -> reading.UnitText:
    return reading.passage(conn, queries.unit(conn, unit_id))


def test_every_passage_reads_as_its_unit_fetched_alone_or_with_its_book(conn: sqlite3.Connection) -> None:
    for book in queries.books(conn):
        source = reading.source(conn, book.id, 0, 10_000)
        for unit in queries.units_of_book(conn, book.id):
            assert reading.passage(conn, unit).text == " ".join(unit.text.split()), unit.id
            assert reading.read(source, unit) == reading.passage(conn, unit)


def test_runs_give_back_the_scan(conn: sqlite3.Connection) -> None:
    for unit_id in ("english-1864/law-72", "english-1864/law-71", "drayson-1896/case-93"):
        of = passage(conn, unit_id)
        runs = [r for p in of.paragraphs for r in p.runs]
        assert "".join(r.raw for r in runs) == of.scan[: runs[-1].raw_start - of.unit.raw_start + len(runs[-1].raw)]


def test_paragraphs_belong_to_their_clause_and_a_page_turn_breaks_none(conn: sqlite3.Connection) -> None:
    of = passage(conn, "english-1864/law-72")
    assert [(p.unit_id.rpartition("/")[2], p.opens) for p in of.paragraphs] == [
        ("law-72", False), ("i", True), ("ii", True), ("iv", True),
    ]  # fmt: skip
    assert "a player cannot add one or two" in of.paragraphs[3].text


def test_a_footnote_is_left_out_of_its_host(conn: sqlite3.Connection) -> None:
    assert "note of the author" not in passage(conn, "drayson-1896/case-93").text
    assert "The note of the author." in passage(conn, "drayson-1896/case-93/fn-1").text


@pytest.mark.parametrize(
    ("unit_id", "links"),
    [
        # Each number of a list leads to its own target; a reference to nothing is kept with its status.
        ("english-1864/law-77", [("71", "english-1864/law-71", "resolved"), ("72", "english-1864/law-72", "resolved")]),
        ("drayson-1896/case-93/decision", [
            ("(Law  72)", "english-1864/law-72", "resolved"), ("Law  77", "english-1864/law-77", "slip"),
            ("Law  999", None, "dangling"),
        ]),
    ],
)  # fmt: skip
def test_references_stand_on_their_words(
    conn: sqlite3.Connection, unit_id: str, links: list[tuple[str, str | None, str]]
) -> None:
    runs = [r for p in passage(conn, unit_id).paragraphs for r in p.runs if r.cite]
    assert [(r.text, r.cite.target_id, r.cite.status) for r in runs if r.cite] == links


def test_an_edit_keeps_what_the_scan_has(conn: sqlite3.Connection) -> None:
    runs = [r for p in passage(conn, "english-1864/law-71").paragraphs for r in p.runs if r.edit]
    assert [(r.raw, r.text, r.edit.kind if r.edit else "") for r in runs] == [
        ("yi.", "71.", "ocr"), ("- \n", "", "join"),
    ]  # fmt: skip


def test_a_label_is_taken_off_only_if_it_is_the_number(conn: sqlite3.Connection) -> None:
    of = passage(conn, "english-1864/law-71")
    label, rest = reading.without_label(of.paragraphs[0], "71")
    assert (label, rest.text[:18]) == ("71.", "Is when a player, ")
    assert reading.without_label(of.paragraphs[0], "72") == ("", of.paragraphs[0])


@pytest.mark.parametrize(
    ("text", "number", "end"),
    [
        ("Articles 1, 2, and 3. Four persons", "1", 0),
        ("Articles 4 and 5. Thus", "4", 0),
        ("B 4, 5, and 6. As the defender", "b4", 0),
        ("Article 9. The right", "9", 11),
        ("72. The penalty", "72", 4),
        ("4, the adversaries", "4", 1),
    ],
)
def test_the_head_of_a_list_of_numbers_is_no_label(text: str, number: str, end: int) -> None:
    assert label_end(text, number) == end
