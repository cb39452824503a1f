"""An inverted index of the library to be carried away: which units have which words, for a search without a server."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from extract.language.folding import STOP_WORDS, words_of
from extract.language.stemming import stem
from kb.read.rows import fetch

ENTRIES = """
select u.id, e.text, coalesce(e.concepts, ''), coalesce(e.heading, ''), coalesce(e.gloss, '')
from entry e join unit u on u.id = e.unit_id left join code c on c.id = u.code_id join book b on b.id = u.book_id
where u.continues is null order by coalesce(c.year, b.year), u.book_id, u.seq
"""


@dataclass(frozen=True, slots=True)
class Document:
    """A unit as the index sees it: words of its text, and words by which it is known (heading, concepts, gloss)."""

    id: str
    text: str
    known_by: str


@dataclass(frozen=True, slots=True)
class Term:
    """The forms of a word with the places, in the list of documents, of those that are known by it or only have it."""

    forms: tuple[str, ...]
    known_by: tuple[int, ...]
    within: tuple[int, ...]


def documents(conn: sqlite3.Connection) -> list[Document]:
    """All units with their words, oldest work first and in reading order."""
    rows = fetch(conn, lambda i, text, *known: (i, text, " ".join(known)), ENTRIES)
    return [Document(*row) for row in rows]


def invert(these: Sequence[Document]) -> list[Term]:
    """The terms of some documents by the alphabet of their first forms; words that only serve are left out."""
    forms: dict[str, set[str]] = defaultdict(set)
    known_by: dict[str, set[int]] = defaultdict(set)
    within: dict[str, set[int]] = defaultdict(set)
    for at, document in enumerate(these):
        for text, places in ((document.known_by, known_by), (document.text, within)):
            for word in _words(text):
                root = stem(word)
                forms[root].add(word)
                places[root].add(at)
    return sorted(
        (
            Term(tuple(sorted(words)), tuple(sorted(known_by[root])), tuple(sorted(within[root] - known_by[root])))
            for root, words in forms.items()
        ),
        key=lambda term: term.forms,
    )


def _words(text: str) -> Iterable[str]:
    return (word for word in set(words_of(text)) if word not in STOP_WORDS)
