"""The alphabetical index: every term of the thesaurus and every heading of the books, as the back of a book has it."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from datasette_plugins.page import PageRequest, TemplateResponse
from datasette_plugins.shared import Works, works
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


def browse(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse:
    """Terms and headings by their first letter."""
    letters: dict[str, list[IndexEntry]] = defaultdict(list)
    for entry in sorted(_entries(conn, works(conn)), key=lambda e: (e.filed, e.path)):
        first = entry.filed[:1].upper()
        letters[first if first.isascii() and first.isalpha() else OTHER].append(entry)
    data = {
        "letters": [
            {
                "letter": letter,
                "entries": [{"words": e.words, "url": request.absolute(e.path), "of": e.of or None} for e in entries],
            }
            for letter, entries in sorted(letters.items())
        ]
    }
    return TemplateResponse("browse", "Alphabetical index", "/browse", data, {"letters": sorted(letters.items())})


def _entries(conn: sqlite3.Connection, catalogue: Works) -> Iterator[IndexEntry]:
    for term, concept, preferred in queries.terms(conn):
        if term.strip():
            yield IndexEntry(term, f"/concept/{concept}", preferred if term.casefold() != preferred.casefold() else "")
    for heading in queries.headings(conn):
        if words := " ".join(heading.label.split()).strip(" .,—-"):
            yield IndexEntry(words, f"/{heading.id}", catalogue.name(heading))
