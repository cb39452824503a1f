"""The books of a library with their editions, and the concepts their units mention."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from extract.corpus.book import Book
from extract.model import Edition, Unit
from extract.text.textlayer import TextLayer
from kb.concepts.passages import tags_of
from kb.concepts.tagging import Concept, Tag, Tagger


@dataclass(frozen=True)
class EditedBooks:
    """The books and their editions, in the same order, and the concepts their units mention."""

    books: Sequence[Book]
    editions: Sequence[Edition]
    concepts: Sequence[Concept]

    @cached_property
    def units(self) -> Sequence[Unit]:
        """The units of all books."""
        return [unit for edition in self.editions for unit in edition.units]

    @cached_property
    def tags(self) -> Sequence[Sequence[Tag]]:
        """The concepts that each book's units mention."""
        tagger = Tagger(self.concepts)
        return [tags_of(edition.units, TextLayer(edition.scan, edition.edits), tagger) for edition in self.editions]
