"""What is told of a book's units: their texts with the places in the scan, and what they speak of."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import CLUB_LAWS, make_book

from extract.edition import make_edition
from extract.model import Span
from kb.build.edited_books import EditedBooks
from kb.concepts.tagging import Concept

CONCEPT = Concept(id="revoke", label="revoke", note="A fault.")
MATTER = "THE LAWS OF WHIST\n\n1. The dealer must de-\nal the cards.\n\n2. A revoke is a fault. It costs three.\n"


@pytest.fixture
def library(tmp_path: Path) -> EditedBooks:
    """A library of one small book."""
    book = make_book(tmp_path / "club-1850", MATTER, "lines", CLUB_LAWS.format(id="club-1850"))
    return EditedBooks([book], [make_edition(book)], [CONCEPT])


def test_places_are_those_of_the_scan(library: EditedBooks) -> None:
    text = library.texts[0]["club-1850/law-1"]
    start = text.text.index("deal the")
    place = text.to_scan(Span(start, start + 4))
    assert MATTER[place.start : place.end] == "de-\nal"


def test_units_speak_of_concepts(library: EditedBooks) -> None:
    ((tag,),) = library.tags
    assert (tag.unit_id, tag.concept_id) == ("club-1850/law-2", "revoke")
