"""Resolving typed ids and citations to units."""

import sqlite3

import pytest

from extract.errors import UnknownIdError
from kb.cite import writing
from kb.read import queries
from kb.read.lookup import resolve_typed
from kb.search.search import search_or_cite


@pytest.mark.parametrize(
    ("typed", "ids"),
    [
        ("english-1864/law-72", ["english-1864/law-72"]),
        ("English-1864/Law-72/", ["english-1864/law-72"]),
        ("https://whist.example/english-1864/law-72/ii", ["english-1864/law-72/ii"]),
        ("https://whist.example/whist/english-1864/law-72", ["english-1864/law-72"]),
        ("1864 law 72", ["english-1864/law-72"]),
        ("Law 72, 1864", ["english-1864/law-72"]),
        ("1864 law 072", ["english-1864/law-72"]),
        ("1864 72", ["english-1864/law-72"]),
        ("rule 72 1864", ["english-1864/law-72"]),
        ("whist 1864 law 72", ["english-1864/law-72"]),
        ("1864 law 72 (ix)", ["english-1864/law-72"]),
        ("law 72 (ii) of the 1864 code", ["english-1864/law-72/ii"]),
        ("law 72 section ii 1864", ["english-1864/law-72/ii"]),
        ("1864 law 72, par. 2", ["english-1864/law-72/ii"]),
        ("law lxxii", ["english-1864/law-72"]),
        ("LXXII", ["english-1864/law-72"]),
        ("l 72", ["english-1864/law-72"]),
        ("L72", ["english-1864/law-72"]),
        ("72nd law", ["english-1864/law-72"]),
        ("law seventy-two", ["english-1864/law-72"]),
        ("law 28", ["american-1893/law-28", "american-1894/law-28"]),
        ("American 28", ["american-1893/law-28", "american-1894/law-28"]),
        ("Am. 1894, l. 28", ["american-1894/law-28"]),
        ("Amer. 28", ["american-1893/law-28", "american-1894/law-28"]),
        ("Amer 28", []),
        ("E. 72 sec. 2", ["english-1864/law-72/ii"]),
        ("Arnaud's laws 1829, law 21", ["arnaud-1829/law-21"]),
        ("Epitome 1829, law 21", ["arnaud-1829/law-21"]),
        ("case 93", ["drayson-1896/case-93"]),
        ("Drayson 93", ["drayson-1896/case-93"]),
        ("Epitome 1829, Drayson 93", []),
        ("Drayson 72", ["english-1864/law-72"]),
        ("case 93 decision", ["drayson-1896/case-93/decision"]),
        ("drayson 93 decision", ["drayson-1896/case-93/decision"]),
        # A page number is not a case number.
        ("Drayson case 93, p. 112", ["drayson-1896/case-93"]),
        ("law 71-999", ["english-1864/law-71", "english-1864/law-72", "english-1864/law-77"]),
        ("p. 93", []),
        ("Drayson p. 93", []),
        (
            "Drayson p. 18",
            [
                *(f"english-1864/{id}" for id in ("section-the-revoke", "law-71", "law-72", "law-77")),
                *(f"american-1894/{id}" for id in ("section-revoking", "law-28", "law-30")),
                *(f"drayson-1896/{id}" for id in ("section-cases", "case-93", "index-revoke")),
            ],
        ),
        # The cited book is not in the library.
        ("Cavendish", []),
        ("cavendish case 4", []),
        # Text that is not entirely a citation is left to search.
        ("1864 law 72 of the code of the codes of the code", ["english-1864/law-72"]),
        ("1864 law 72 of the code of the codes of the code of", []),
        ("1864 law 72 and then some other words", []),
        ("revoke penalty", []),
        ("law of the revoke 72", []),
        ("law", []),
        ("72", []),
        ("1864", []),
        ("case 93 1829", []),
        ("²²²²", []),
        ("law ²", []),
        ("law 0", []),
        ("law 5-3, 2", []),
        ("civil", []),
        ("i", []),
        ("law " * 100, []),
        ("", []),
    ],
)
def test_typed_text_resolves_to_units(conn: sqlite3.Connection, typed: str, ids: list[str]) -> None:
    assert [u.id for u in resolve_typed(conn, typed).units] == ids


def test_short_form_of_every_numbered_unit_resolves_to_it_alone(shipped: sqlite3.Connection) -> None:
    every = [unit for book in queries.books(shipped) for unit in queries.units_of_book(shipped, book.id)]
    numbered = {"law", "subclause", "case", "decision", "maxim", "test", "etiquette"}
    printed = {u.id: writing.short(writing.cited(shipped, u)) for u in every if u.kind in numbered and u.continues is None}
    found = {i: [u.id for u in resolve_typed(shipped, line).units] for i, line in printed.items()}
    assert found == {i: [i] for i in printed} and len(found) > 500


@pytest.mark.parametrize(
    ("typed", "note"),
    [
        ("1864 law 72 (ix)", "paragraph ix"),
        ("1864 law 72 decision", "decision"),
        ("1864 law 999", "There is no law 999 there."),
        ("law 999", "There is no law 999."),
        ("law 71-999", "first 12"),
        ("1864 laws 71, 72 and 73", "There is no law 73 there."),
        ("1864 case 5", "There is no case 5 there. The book that prints English club code leaves out its cases. Why."),
        ("Cavendish", "“Cavendish” is another book"),
        ("cavendish case 4", "“Cavendish” is another book"),
        ("case 4, Cavendish", "“Cavendish” is another book"),
        ("Cavendish's", "“Cavendish” is another book"),
        *((typed, "These begin on page 18.") for typed in ("Drayson p. 18", "Drayson, page 18", "1896, pp. 18")),
        # A citation that is found, or a search, gets no note.
        *((typed, "") for typed in ("1864 law 72, p. 120", "1839 article a 4", "cavendish on revokes", "cavendishes")),
    ],
)
def test_note_says_what_was_not_found(conn: sqlite3.Connection, typed: str, note: str) -> None:
    actual = resolve_typed(conn, typed).note
    assert note in actual and bool(note) == bool(actual)


def test_first_and_last_law_are_given_if_a_number_does_not_exist(conn: sqlite3.Connection) -> None:
    ends = [(first.id, last.id) for first, last in resolve_typed(conn, "1864 law 999").ends]
    assert ends == [("english-1864/law-71", "english-1864/law-77")]
    found, named = search_or_cite(conn, "1864 law 999")
    assert (found.mode, found.total, named.ends != ()) == ("named", 0, True)


@pytest.mark.parametrize("typed", [
    "law 71-72", "laws 71 to 72", "Laws 71–73, 1864", "laws 71 and 72", "law 71 and law 72", "law 71, 72",
    "laws 71 & 72 of 1864", "laws 70, 71, 72", "laws 70-71 or 72",
])  # fmt: skip
def test_range_resolves_to_each_of_its_provisions(conn: sqlite3.Connection, typed: str) -> None:
    found = resolve_typed(conn, typed)
    assert [u.id for u in found.units] == ["english-1864/law-71", "english-1864/law-72"] and found.every


def test_unknown_id_raises_an_error_with_the_nearest_ids(conn: sqlite3.Connection) -> None:
    with pytest.raises(UnknownIdError, match=r"english-1864/law-71"):
        queries.unit(conn, "english-1864/law-7")
