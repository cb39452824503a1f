"""The rows of all books in one file: numbers run on, and what belongs together meets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlite_utils
from samples import CLUB_LAWS, make_book

from extract.corpus.book import Book
from extract.edition import make_edition
from extract.model import Edition, Unit
from kb.build import load
from kb.build.edited_books import EditedBooks
from kb.concepts.tagging import Concept

CONCEPT = Concept(id="revoke", label="revoke", note="A fault.", variants=("renounce",))
MATTER = (
    "THE LAWS OF WHIST\n\n1. The dealer must deal the cards.\n\n2. Whoever revokes in play forfeits three tricks.\n"
)


@pytest.fixture
def books(tmp_path: Path) -> list[tuple[Book, Edition]]:
    """Two books that print the same."""
    names = ("first-1850", "second-1850")
    found = [make_book(tmp_path / name, MATTER, "lines", CLUB_LAWS.format(id=name)) for name in names]
    return [(book, make_edition(book)) for book in found]


def loaded(
    books: list[tuple[Book, Edition]], known: dict[str, list[dict[str, Any]]] | None = None
) -> sqlite_utils.Database:
    db = sqlite_utils.Database(memory=True)
    library = EditedBooks([book for book, _ in books], [edition for _, edition in books], [CONCEPT])
    load.write(db, library, known or {}, {})
    return db


def column(db: sqlite_utils.Database, asked: str) -> list[Any]:
    return [row[0] for row in db.execute(asked)]


def test_numbers_run_on_from_book_to_book(books: list[tuple[Book, Edition]]) -> None:
    db = loaded(books)
    units = [unit.id for _, edition in books for unit in edition.units if unit.continues is None]
    assert column(db, "select id from entry order by id") == list(range(1, len(units) + 1))
    assert column(db, "select unit_id from entry order by id") == units
    pages = [page for _, edition in books for page in edition.pages]
    assert column(db, "select id from page order by id") == list(range(1, len(pages) + 1))


def test_words_are_counted_over_all_books(books: list[tuple[Book, Edition]]) -> None:
    counted = dict(loaded(books).execute("select word, count from word").fetchall())
    assert counted["revokes"] == 2 and counted["the"] >= 4


def test_units_are_found_by_all_labels_of_what_they_speak_of(books: list[tuple[Book, Edition]]) -> None:
    db = loaded(books)
    found = "select e.unit_id from entry_fts f join entry e on e.id = f.rowid where entry_fts match ? order by 1"
    assert [row[0] for row in db.execute(found, ["renounce"])] == ["first-1850/law-2", "second-1850/law-2"]
    spoken = db.execute("select unit_id, concept_id from unit_concept").fetchall()
    assert spoken == [("first-1850/law-2", "revoke"), ("second-1850/law-2", "revoke")]


def test_a_provision_is_found_by_its_gloss_and_by_those_of_its_paragraphs(books: list[tuple[Book, Edition]]) -> None:
    book, edition = books[0]
    law = next(unit for unit in edition.units if unit.id == "first-1850/law-2")
    part = Unit(f"{law.id}/i", law.book_id, law.code_id, "subclause", "(I)", "i", law.id, "", 99,
                law.raw_start, law.raw_end, None, "Whoever revokes.")  # fmt: skip
    whole = Edition(**{name: getattr(edition, name) for name in Edition.__slots__} | {"units": (*edition.units, part)})
    said = {law.id: "Do not revoke.", part.id: "It costs three.", "no/unit": "Nothing."}
    db = loaded([(book, whole)], {"gloss": [{"unit_id": i, "words": w} for i, w in said.items()]})
    glosses = dict(db.execute("select unit_id, gloss from entry where gloss > ''").fetchall())
    assert glosses == {law.id: "Do not revoke. It costs three.", part.id: "It costs three."}
    found = "select count(*) from entry_fts where entry_fts match 'gloss : costs'"
    assert column(db, found) == [2]
