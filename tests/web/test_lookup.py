"""From typed ids and citations to units."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from extract.errors import UnknownIdError
from kb.read import cite, queries
from kb.read.lookup import nearest_ids, resolve_typed
from kb.read.store import open_store


@pytest.mark.parametrize(
    ("typed", "ids"),
    [
        ("english-1864/law-72", ["english-1864/law-72"]),
        ("English-1864/Law-72/", ["english-1864/law-72"]),
        ("https://whist.example/english-1864/law-72/ii", ["english-1864/law-72/ii"]),
        ("1864 law 72", ["english-1864/law-72"]),
        ("Law 72, 1864", ["english-1864/law-72"]),
        ("law 72 (ii) of the 1864 code", ["english-1864/law-72/ii"]),
        ("law 72 section ii 1864", ["english-1864/law-72/ii"]),
        ("american 1894 law 28", ["american-1894/law-28"]),
        ("law 28", ["american-1893/law-28", "american-1894/law-28"]),
        ("case 93", ["drayson-1896/case-93"]),
        ("Drayson case 93 decision", ["drayson-1896/case-93/decision"]),
        ("1864 72", ["english-1864/law-72"]),
        ("rule 72 1864", ["english-1864/law-72"]),
        ("whist 1864 law 72", ["english-1864/law-72"]),
        ("Am. 1894, l. 28", ["american-1894/law-28"]),
        ("Amer. 28", ["american-1893/law-28", "american-1894/law-28"]),
        ("E. 72 sec. 2", ["english-1864/law-72/ii"]),
        ("Amer 28", []),
        ("https://whist.example/whist/english-1864/law-72", ["english-1864/law-72"]),
        # What is no citation through and through is left to search.
        ("revoke penalty", []),
        ("law of the revoke 72", []),
        ("law", []),
        ("72", []),
        ("1864", []),
        ("law 999", []),
        ("case 93 1829", []),
        ("²²²²", []),
        ("law ²", []),
        ("law 0", []),
        ("law " * 100, []),
        ("", []),
    ],
)
def test_resolve(conn: sqlite3.Connection, typed: str, ids: list[str]) -> None:
    assert [u.id for u in resolve_typed(conn, typed).units] == ids


def test_a_paragraph_that_is_not_there_gives_the_law_and_says_so(conn: sqlite3.Connection) -> None:
    found = resolve_typed(conn, "1864 law 72 (ix)")
    assert [u.id for u in found.units] == ["english-1864/law-72"] and "paragraph ix" in found.note


@pytest.mark.parametrize("kind", ["law", "subclause", "case", "decision", "maxim", "test", "etiquette"])
def test_what_is_numbered_is_found_by_the_citation_that_is_printed(library: Path, kind: str) -> None:
    with open_store(library) as conn:
        every = [u for b in queries.books(conn) for u in queries.units_of_book(conn, b.id)]
        units = [u for u in every if u.kind == kind and u.continues is None]
        printed = {u.id: cite.short(cite.cited(conn, u)) for u in units}
        found = {i: [u.id for u in resolve_typed(conn, line).units] for i, line in printed.items()}
    assert found == {i: [i] for i in printed} and found


def test_the_name_of_a_book_and_that_of_its_code_both_name_the_work(conn: sqlite3.Connection) -> None:
    for typed in ("Arnaud's laws 1829, law 21", "Epitome 1829, law 21"):
        assert [u.id for u in resolve_typed(conn, typed).units] == ["arnaud-1829/law-21"]


def test_a_page_is_no_number_of_a_case(conn: sqlite3.Connection) -> None:
    case = queries.unit(conn, "drayson-1896/case-93")
    for typed in (f"Drayson p. {case.page}", f"Drayson, page {case.page}", f"1896, pp. {case.page}"):
        found = resolve_typed(conn, typed)
        assert case.id in [u.id for u in found.units] and found.note == f"These begin on page {case.page}."
        assert {u.page for u in found.units} == {case.page}
    assert resolve_typed(conn, "Drayson p. 93").units == resolve_typed(conn, "p. 93").units == ()
    assert [u.id for u in resolve_typed(conn, "Drayson case 93, p. 112").units] == [case.id]
    assert resolve_typed(conn, "1864 law 72, p. 120").note == "", "a page is no paragraph either"


def test_nearest_ids_begin_with_the_parent(conn: sqlite3.Connection) -> None:
    assert nearest_ids(conn, "english-1864/law-72/ix")[0] == "english-1864/law-72"
    assert "english-1864/law-72" in nearest_ids(conn, "english-1864/law-172")
    assert nearest_ids(conn, "qqq") == []


def test_an_unknown_id_is_an_error_that_helps(conn: sqlite3.Connection) -> None:
    with pytest.raises(UnknownIdError, match=r"english-1864/law-7"):
        queries.unit(conn, "english-1864/law-7")


@pytest.mark.parametrize(
    ("typed", "note"),
    [
        ("1864 law 72 (ix)", "paragraph ix"),
        ("1864 law 72 decision", "decision"),
        ("1864 law 999", "There is no law 999 there."),
        ("1839 article a 4", ""),
    ],
)
def test_what_is_not_there_is_told(conn: sqlite3.Connection, typed: str, note: str) -> None:
    found = resolve_typed(conn, typed).note
    assert (note in found) if note else found == ""


@pytest.mark.parametrize(
    ("typed", "ids"),
    [
        ("case 93 decision", ["drayson-1896/case-93/decision"]),
        ("drayson 93 decision", ["drayson-1896/case-93/decision"]),
        ("1864 law 072", ["english-1864/law-72"]),
        ("1864 law 72 of the code of the codes of the code", ["english-1864/law-72"]),
        ("1864 law 72 of the code of the codes of the code of", []),
        ("1864 law 72 and then some other words", []),
    ],
)
def test_numbers_and_words_around_them(conn: sqlite3.Connection, typed: str, ids: list[str]) -> None:
    assert [u.id for u in resolve_typed(conn, typed).units] == ids


@pytest.mark.parametrize(
    ("typed", "ids"),
    [
        ("law lxxii", ["english-1864/law-72"]),
        ("LXXII", ["english-1864/law-72"]),
        ("l 72", ["english-1864/law-72"]),
        ("L72", ["english-1864/law-72"]),
        ("72nd law", ["english-1864/law-72"]),
        ("1864 law 72, par. 2", ["english-1864/law-72/ii"]),
        ("Drayson 93", ["drayson-1896/case-93"]),
        ("Drayson 72", ["english-1864/law-72"]),
        ("American 28", ["american-1893/law-28", "american-1894/law-28"]),
        ("law 5-3", []),
        ("ill", []),
        ("civil", []),
        ("i", []),
    ],
)
def test_citations_as_people_write_them(conn: sqlite3.Connection, typed: str, ids: list[str]) -> None:
    assert [u.id for u in resolve_typed(conn, typed).units] == ids


@pytest.mark.parametrize("typed", ["law 71-72", "laws 71 to 72", "Laws 71–73, 1864", "english 71-72"])
def test_a_stretch_means_each_of_its_provisions(conn: sqlite3.Connection, typed: str) -> None:
    found = resolve_typed(conn, typed)
    assert [u.id for u in found.units] == ["english-1864/law-71", "english-1864/law-72"] and found.every


def test_a_long_stretch_is_cut_and_it_is_told(conn: sqlite3.Connection) -> None:
    found = resolve_typed(conn, "law 71-999")
    assert len(found.units) == 3 and "first 12" in found.note


@pytest.mark.parametrize("typed", ["Cavendish", "cavendish case 4", "case 4, Cavendish", "Cavendish's"])
def test_a_book_that_is_cited_and_not_here_is_told(conn: sqlite3.Connection, typed: str) -> None:
    found = resolve_typed(conn, typed)
    assert found.units == () and found.note.startswith("“Cavendish” is another book")


@pytest.mark.parametrize("typed", ["cavendish on revokes", "cavendishes", "case 93"])
def test_a_search_that_names_another_book_is_a_search(conn: sqlite3.Connection, typed: str) -> None:
    assert resolve_typed(conn, typed).note == ""


def test_no_more_near_ids_are_told_than_asked_for(conn: sqlite3.Connection) -> None:
    assert len(nearest_ids(conn, "english-1864/law-7/ix", 2)) == 2
