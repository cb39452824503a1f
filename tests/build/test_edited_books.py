"""What is told of a book's units: their texts with the places in the scan, and the pieces of which drafts are made."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import CLUB_LAWS, make_book

from extract.edition import make_edition
from extract.model import Span
from kb.build.edited_books import EditedBooks
from kb.concepts.tagging import Concept
from kb.drafts.pieces import BookPieces

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


def test_pieces_have_their_sentences(library: EditedBooks) -> None:
    first, second = BookPieces(library.units, library.texts[0], library.tags[0]).read(library.tagger)
    assert (first.unit_id, first.spoken) == ("club-1850/law-1", frozenset())
    assert (second.unit_id, second.spoken, second.times) == ("club-1850/law-2", {"revoke"}, {"revoke": 1})
    fault, cost = second.sentences
    text = library.texts[0][second.unit_id].text
    assert text[fault.span.start : fault.span.end] == "A revoke is a fault."
    assert MATTER[cost.raw.start : cost.raw.end] == "It costs three."
    assert list(fault.spoken) == [("revoke", Span(2, 8))]
