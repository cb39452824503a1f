"""Which places are weighed at all where very many match: the best for each word by itself.

What FTS5 takes to weigh a match (BM25) is much more than to find it. So where more match than `WEIGHED`, only those are
weighed that are among the best for one of the words: its champion list (Manning, Raghavan and Schütze, Introduction to
Information Retrieval, 7.1.3). A list is made when its word alone is first asked for, or while nobody asks for anything,
and kept for the build. For a single word it is the exact answer; of several words, all matches are weighed where a list
is not there, or the lists leave fewer than are wanted.
"""

from __future__ import annotations

import sqlite3
import sys
from array import array
from collections.abc import Sequence
from functools import partial

from extract.language.folding import STOP_WORDS
from extract.language.misspelling import spellings
from kb.read.kept import Recent, once_a_build
from kb.read.lookup import json_list
from kb.read.rows import fetch
from kb.search.catalogue import Catalogue
from kb.search.querylang import Query, Term

WEIGHED = 3000
"""Matches that are weighed one by one, whatever their words."""
LISTED = 3000
"""Places on the list of a word."""
KEPT = 1000
"""Lists that are kept, of up to 48 kB each; which was not asked for longest is dropped."""
# The rarest words of a query tell most. The lists of so many are asked where all words must be there, and of so many
# where any will do.
_EVERY, _SOME = 2, 8
# Columns of the index in order: text, concepts, heading, gloss.
SCORE = "-bm25(entry_fts, 1.0, 0.5, 2.0, 0.6)"
MATCHED = f"select rowid, {SCORE} from entry_fts where entry_fts match ?"
FIRST = f"{MATCHED} order by 2 desc limit ?"
AMONG = f"{MATCHED} and +rowid in (select value from json_each(?)) order by 2 desc limit ?"
AT_MOST = "select count(*) from (select 1 from entry_fts where entry_fts match ? limit ?)"


List = tuple[Sequence[int], Sequence[float]]


class Champions:
    """The lists of a build, and how many entries have each word, filled as they are asked for."""

    def __init__(self) -> None:
        self._lists: Recent[str, List] = Recent(KEPT)
        self._counts: Recent[str, int] = Recent(KEPT)

    def has(self, words: Sequence[str]) -> bool:
        """Whether the lists of some FTS5 expressions are there."""
        return all(word in self._lists for word in words)

    def of(self, conn: sqlite3.Connection, word: str) -> List:
        """The numbers of the best entries for an FTS5 expression, and their scores, best first."""
        return self._lists.get(word, lambda: _listed(conn, word))

    def rarest(self, conn: sqlite3.Connection, words: Sequence[str], most: int) -> list[str]:
        """Those of some FTS5 expressions that fewest entries match."""
        if len(words) <= most:
            return list(words)
        counts = {word: self._counts.get(word, partial(_count, conn, word, sys.maxsize - 1)) for word in words}
        return sorted(words, key=counts.__getitem__)[:most]


def _listed(conn: sqlite3.Connection, word: str) -> List:
    found = fetch(conn, lambda n, score: (n, score), FIRST, (word, LISTED))
    return array("q", (n for n, _ in found)), array("d", (score for _, score in found))


def frequent(catalogue: Catalogue) -> list[str]:
    """The words of the books that may match in more places than are weighed, the most frequent first."""
    often = [word for word, n in catalogue.words.items() if n > WEIGHED and word not in STOP_WORDS]
    return sorted(often, key=lambda word: -catalogue.words[word])[: KEPT // 2]


def prepare(conn: sqlite3.Connection, catalogue: Catalogue, word: str) -> None:
    """Make the list of a word before anybody asks for it."""
    term = Term((word,), also=spellings(word, catalogue.words))
    champions_of(conn).of(conn, term.fts())


@once_a_build
def champions_of(conn: sqlite3.Connection) -> Champions:
    """The lists of a knowledge base."""
    return Champions()


def best(conn: sqlite3.Connection, query: Query, most: int, *, every: bool) -> list[tuple[int, float]]:
    """The entries that match a query best, with their scores.

    Args:
        conn: the knowledge base.
        query: its words.
        most: how many entries are wanted.
        every: whether all words must be there, or any one will do.
    """
    match = query.match(every=every)
    if _count(conn, match, WEIGHED) <= WEIGHED:
        return fetch(conn, lambda n, score: (n, score), FIRST, (match, most))
    words = list(dict.fromkeys(term.fts() for term in query.sought))
    champions = champions_of(conn)
    if len(words) == 1 and not query.without:
        numbers, scores = champions.of(conn, words[0])
        return list(zip(numbers[:most], scores[:most], strict=True))
    rare = champions.rarest(conn, words, _EVERY if every else _SOME)
    if not champions.has(rare):
        return fetch(conn, lambda n, score: (n, score), FIRST, (match, most))
    among = {n for word in rare for n in champions.of(conn, word)[0]}
    found = fetch(conn, lambda n, score: (n, score), AMONG, (match, json_list(among), most))
    # Words that are best in other places than where they stand together leave too few, of the many that match.
    return found if len(found) >= most else fetch(conn, lambda n, score: (n, score), FIRST, (match, most))


def _count(conn: sqlite3.Connection, match: str, most: int) -> int:
    """How many entries match, if they are not more than so many; or else one more."""
    return fetch(conn, int, AT_MOST, (match, most + 1))[0]
