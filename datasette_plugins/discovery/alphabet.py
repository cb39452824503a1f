"""The alphabetical index: every term of the thesaurus and every heading of the books, as the back of a book has it."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from datasette_plugins.page import PageRequest, TemplateResponse
from datasette_plugins.shared import Works, works
from kb.read import queries

OTHER = "#"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the index: its words, where it leads, and the concept or work that it belongs to."""

    words: str
    path: str
    of: str = ""


def browse(conn: sqlite3.Connection, request: PageRequest) -> TemplateResponse:
    """Terms and headings by their first letter."""
    letters: dict[str, list[Entry]] = defaultdict(list)
    for entry in sorted(_entries(conn, works(conn)), key=lambda e: (e.words.casefold(), e.path)):
        first = entry.words[0].upper()
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


def _entries(conn: sqlite3.Connection, catalogue: Works) -> Iterator[Entry]:
    for term, concept, preferred in queries.terms(conn):
        if term.strip():
            yield Entry(term, f"/concept/{concept}", preferred if term.casefold() != preferred.casefold() else "")
    for heading in queries.headings(conn):
        if words := " ".join(heading.label.split()).strip(" .,—-"):
            yield Entry(words.capitalize() if words.isupper() else words, f"/{heading.id}", catalogue.name(heading))
