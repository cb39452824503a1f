"""The books of a library with their editions, and the concepts their units mention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from extract.corpus.book import Book
from extract.model import Edition, Unit
from extract.text.textlayer import TextLayer
from kb.concepts.passages import passages
from kb.concepts.tagging import Concept, Tag, TaggedText, Tagger, tag_units


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
    def texts(self) -> Sequence[Mapping[str, TaggedText]]:
        """The texts of each book's units, by their ids."""
        layers = ((edition.units, TextLayer(edition.scan, edition.edits)) for edition in self.editions)
        return [{text.unit_id: text for text in passages(units, layer)} for units, layer in layers]

    @cached_property
    def tagger(self) -> Tagger:
        """Finds the concepts of the thesaurus in any text."""
        return Tagger(self.concepts)

    @cached_property
    def tags(self) -> Sequence[Sequence[Tag]]:
        """The concepts that each book's units mention."""
        return [tag_units(texts.values(), self.tagger) for texts in self.texts]
