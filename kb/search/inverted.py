"""A portable inverted index of the library: which units have which words, for search without a server."""

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
class IndexedDocument:
    """A unit to be indexed: its text, the labels of its concepts, and its headings with its gloss (`known_by`)."""

    id: str
    text: str
    concepts: str
    known_by: str


@dataclass(frozen=True, slots=True)
class IndexedTerm:
    """The forms of a word, and the documents that have it, by their places in the list.

    `known_by` are the documents that have it in a heading or gloss, `within` those that have it in their text, `named`
    those that have it only in a label of a concept.
    """

    forms: tuple[str, ...]
    known_by: tuple[int, ...]
    within: tuple[int, ...]
    named: tuple[int, ...]


def documents(conn: sqlite3.Connection) -> list[IndexedDocument]:
    """All units, oldest work first and in reading order."""
    return fetch(
        conn, lambda i, text, names, heading, gloss: IndexedDocument(i, text, names, f"{heading} {gloss}"), ENTRIES
    )


def invert(these: Sequence[IndexedDocument]) -> list[IndexedTerm]:
    """The terms of some documents, in alphabetical order of their forms; stop words are left out."""
    forms: dict[str, set[str]] = defaultdict(set)
    known_by: dict[str, set[int]] = defaultdict(set)
    within: dict[str, set[int]] = defaultdict(set)
    named: dict[str, set[int]] = defaultdict(set)
    for at, document in enumerate(these):
        for text, places in ((document.known_by, known_by), (document.text, within), (document.concepts, named)):
            for word in _words(text):
                root = stem(word)
                forms[root].add(word)
                places[root].add(at)
    terms = []
    for root, words in forms.items():
        only_named = named[root] - within[root] - known_by[root]
        terms.append(
            IndexedTerm(tuple(sorted(words)), *(tuple(sorted(s)) for s in (known_by[root], within[root], only_named)))
        )
    return sorted(terms, key=lambda term: term.forms)


def _words(text: str) -> Iterable[str]:
    return (word for word in set(words_of(text)) if word not in STOP_WORDS)
