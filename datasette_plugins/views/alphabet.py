"""The alphabetical index: every term of the thesaurus and every heading of the books, as the back of a book has it."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BeforeValidator, Field

from datasette_plugins.catalogue import Works, works
from datasette_plugins.endpoint import PageRequest
from datasette_plugins.page import As, Page, Shape, Tupled, Url, says
from kb.read import queries

OTHER = "#"
# An index files a heading by its first word of meaning (ISO 999): signs and articles before it do not count.
_UNFILED = re.compile(r"\W*(?:(?:an?|the)\s+(?=\w))?\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A line of the index: its words, where it leads, and the concept or work that it belongs to."""

    words: str
    path: str
    of: str = ""

    @property
    def filed(self) -> str:
        """The words by which it has its place in the alphabet."""
        return self.words[_UNFILED.match(self.words).end() :].casefold()  # type: ignore[union-attr]


class Entry(Shape):
    """A term or a heading; `of` is the concept or the work it leads to, where it has another name."""

    words: str
    url: Url = Field(validation_alias="path")
    of: Annotated[str | None, BeforeValidator(lambda of: of or None)]


class Letter(Tupled):
    """The entries under a letter."""

    letter: str
    entries: tuple[Entry, ...]


class Browse(Page, template="browse", at=["/browse.json"]):
    """The terms and headings by the alphabet."""

    letters: Annotated[Sequence[tuple[str, Sequence[IndexEntry]]], As(tuple[Letter, ...])] = says(
        "the letters with their entries"
    )


def browse(conn: sqlite3.Connection, request: PageRequest) -> Browse:
    """Terms and headings by their first letter."""
    letters: dict[str, list[IndexEntry]] = defaultdict(list)
    for entry in sorted(_entries(conn, works(conn)), key=lambda e: (e.filed, e.path)):
        first = entry.filed[:1].upper()
        letters[first if first.isascii() and first.isalpha() else OTHER].append(entry)
    return Browse(url="/browse", title="Alphabetical index", letters=sorted(letters.items()))


def _entries(conn: sqlite3.Connection, catalogue: Works) -> Iterator[IndexEntry]:
    for term, concept, preferred in queries.terms(conn):
        if term.strip():
            yield IndexEntry(term, f"/concept/{concept}", preferred if term.casefold() != preferred.casefold() else "")
    for heading in queries.headings(conn):
        if words := " ".join(heading.label.split()).strip(" .,—-"):
            yield IndexEntry(words, f"/{heading.id}", catalogue.name(heading))
