"""The rows of all books in one file: numbers run on, places are those of the scans, and what belongs together meets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlite_utils
from samples import CLUB_LAWS, make_book

from extract.edition import make_edition
from extract.model import Edition, Unit
from kb.build import load
from kb.build.edited_books import EditedBooks
from kb.concepts.tagging import Concept

CONCEPT = Concept(id="revoke", label="revoke", note="A fault.", variants=("renounce",))
MATTER = "THE LAWS OF WHIST\n\n1. The dealer must de-\nal the cards.\n\n2. Whoever revokes in play forfeits tricks.\n"


@pytest.fixture
def books(tmp_path: Path) -> EditedBooks:
    """Two books that print the same."""
    names = ("first-1850", "second-1850")
    found = [make_book(tmp_path / name, MATTER, "lines", CLUB_LAWS.format(id=name)) for name in names]
    return EditedBooks(found, [*map(make_edition, found)], [CONCEPT])


def loaded(library: EditedBooks, known: dict[str, list[dict[str, Any]]] | None = None) -> Callable[..., list[Any]]:
    """What can be asked of the database of a library."""
    db = sqlite_utils.Database(memory=True)
    load.write(db, library, known or {}, {})
    return lambda sql, *words: db.execute(sql, words).fetchall()


def test_the_rows_of_all_books_run_on_and_meet(books: EditedBooks) -> None:
    ask = loaded(books)
    units = [unit.id for edition in books.editions for unit in edition.units if unit.continues is None]
    assert ask("select id, unit_id from entry order by id") == list(enumerate(units, 1))
    pages = [page for edition in books.editions for page in edition.pages]
    assert ask("select id from page order by id") == [(n,) for n in range(1, len(pages) + 1)]
    assert ask("select word, count from word where word in ('revokes', 'cards')") == [("cards", 2), ("revokes", 2)]
    both = ["first-1850/law-2", "second-1850/law-2"]
    assert ask("select unit_id, concept_id from unit_concept") == [(unit, "revoke") for unit in both]
    found = "select e.unit_id from entry_fts f join entry e on e.id = f.rowid where entry_fts match ? order by 1"
    assert ask(found, "renounce") == [(unit,) for unit in both], "units are found by all labels of their concepts"


def test_a_provision_is_found_by_its_gloss_and_by_those_of_its_paragraphs(books: EditedBooks) -> None:
    edition = books.editions[0]
    law = next(unit for unit in edition.units if unit.id == "first-1850/law-2")
    part = Unit(f"{law.id}/i", law.book_id, law.code_id, "subclause", "(I)", "i", law.id, "", 99,
                law.raw_start, law.raw_end, None, "Whoever revokes.")  # fmt: skip
    whole = Edition(**{name: getattr(edition, name) for name in Edition.__slots__} | {"units": (*edition.units, part)})
    said = {law.id: "Do not revoke.", part.id: "It costs three.", "no/unit": "Nothing."}
    glosses = {"gloss": [{"unit_id": i, "words": w} for i, w in said.items()]}
    ask = loaded(EditedBooks(books.books[:1], [whole], [CONCEPT]), glosses)
    assert ask("select unit_id, gloss from entry where gloss > '' order by 1") == [
        (law.id, "Do not revoke. It costs three."), (part.id, "It costs three."),
    ]  # fmt: skip
    assert ask("select count(*) from entry_fts where entry_fts match 'gloss : costs'") == [(2,)]
