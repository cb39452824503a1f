"""In which order the units found are shown: words, closeness, what the codes rule on it, and all codes early.

Words are weighed by BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009); beside them stands what
`kb.dispute` knows of provisions. Both are shares of the best and are summed, as CombSUM does (Fox and Shaw,
"Combination of Multiple Searches", TREC-2, 1993). The order is then made to vary among works (Carbonell and Goldstein,
"The Use of MMR", SIGIR 1998).
"""

from __future__ import annotations

import heapq
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from extract.language.folding import STOP_WORDS
from extract.language.stemming import stem
from kb.dispute.adjudication import WEIGHTS
from kb.dispute.evidence import gather
from kb.dispute.index import Index
from kb.search.catalogue import Catalogue, Entry, Said
from kb.search.querylang import Query

# A provision answers a question; a line of an index or a heading only leads to one.
ROLES = {
    "provision": 1.1, "definition": 1.2, "case": 1.0, "decision": 1.0, "heading": 0.45, "entry": 0.35, "front": 0.5,
    "table": 0.5, "row": 0.6,
}  # fmt: skip
KINDS = {"law": 1.25, "footnote": 0.8}  # what a code is made of, before what is appended to it
_OTHERS = 0.9
# Shares of the best: how close together the words stand, whether they stand there as they were typed, whether the unit
# speaks of the thing named, what the codes rule on the question, what answers the questions on the thing.
CLOSE, EXACT, MEANT, ANSWERS = 0.6, 0.1, 0.1, 1.8
# Besides, for so many words or more that stand together as they are asked for: they are a name, or a phrase.
WHOLE, WORDS = 2.0, 3
# The more words a query has, the less each tells alone, and the more what the codes rule on all: so much for each pair
# of them, and so much at most and at least.
RULED, MOST_RULED, LEAST_RULED = 1.2, 12.0, 0.6
# Evidence as `kb.dispute` sums it up: enough for a few words, and enough for many, of which each gets less.
_SURE, _SURE_OF_ALL = 20.0, 60.0
_LOOKED_AT = 80  # units of which the words are read
_VARIED = 40  # places that are shared out among the works
_AGAIN = 0.94  # what a provision keeps for each one of its code before it
_FEWEST = 0.7  # and what it keeps at least
_JOINING = 0.55  # of the best: provisions that rule on a question join those that have its words
_A_CODE = 3  # so many of each code


@dataclass(frozen=True, slots=True)
class QueryMatter:
    """What a query is about, beyond its words: shares of the best by unit id.

    Attributes:
        ruled: how likely a provision decides what was asked.
        answers: how many of the questions on the thing named a provision answers, as far as the query is its name.
        meant: the units that speak of the thing named.
        words: how many words of the query count.
    """

    ruled: Mapping[str, float]
    answers: Mapping[str, float]
    meant: frozenset[str]
    words: int = 1


NOTHING = QueryMatter({}, {}, frozenset())


def ruled(index: Index, question: str, words: int) -> dict[str, float]:
    """How likely each provision decides a question of so many words, as a share of the likeliest.

    Where a few words get little evidence even for the likeliest, they are about something else: all get less.
    """
    scores = gather(index, question, WEIGHTS).total(WEIGHTS)
    best = float(scores.max(initial=0.0))
    sure = min(1.0, best / min(_SURE, _SURE_OF_ALL / max(words, 1))) ** 2
    return {
        unit: sure * score / best for unit, score in zip(index.provisions, scores.tolist(), strict=True) if score > 0
    }


def joining(index: Index, matter: QueryMatter) -> list[str]:
    """The provisions that belong to what is found though they have not all the words."""
    by_code: dict[str, list[tuple[float, str]]] = {}
    for unit, share in matter.ruled.items():
        if share >= _JOINING:
            by_code.setdefault(index.provisions[unit].code, []).append((share, unit))
    return [unit for found in by_code.values() for _, unit in heapq.nlargest(_A_CODE, found)]


def ranked(
    conn: sqlite3.Connection, catalogue: Catalogue, query: Query, found: Mapping[int, float], matter: QueryMatter
) -> list[tuple[float, int]]:
    """The entries found in the order in which they are shown, each with its score.

    Args:
        conn: the knowledge base.
        catalogue: its catalogue.
        query: what was asked.
        found: the score by words of each entry, 0 for one that has not all of them.
        matter: what it is about.
    """
    first = _first(catalogue, found, matter)
    order = sorted(found, key=lambda n: (-first[n], catalogue.place[n]))
    said = catalogue.said(conn, order[:_LOOKED_AT])
    asked = _Asked.of(query)
    for n, words in said.items():
        close, exact = asked.closeness(words)
        whole = WHOLE * (close == 1.0 and len(asked.stems) >= WORDS)
        first[n] += _weight(catalogue.entries[n]) * (CLOSE * close + EXACT * exact + whole)
    # What was not read cannot come before what was.
    order[:_LOOKED_AT] = sorted(said, key=lambda n: (-first[n], catalogue.place[n]))
    return _varied(catalogue, [(first[n], n) for n in order])


def _first(catalogue: Catalogue, found: Mapping[int, float], matter: QueryMatter) -> dict[int, float]:
    """The scores before the words are read."""
    most = max(found.values(), default=0.0) or 1.0
    ruling = _ruling(matter.words)
    scores = {}
    for number, by_words in found.items():
        entry = catalogue.entries[number]
        scores[number] = (
            _weight(entry) * (by_words / most + MEANT * (entry.unit in matter.meant))
            + ruling * matter.ruled.get(entry.unit, 0.0)
            + ANSWERS * matter.answers.get(entry.unit, 0.0)
        )
    return scores


def _ruling(words: int) -> float:
    """How much it counts what the codes rule on a query of so many words."""
    return min(MOST_RULED, max(LEAST_RULED, RULED * words * (words - 1) / 2))


def _weight(entry: Entry) -> float:
    return KINDS.get(entry.kind) or ROLES.get(entry.role, _OTHERS)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The words of a query, as they stand and as stems, with those that count."""

    stems: tuple[str, ...]
    counts: frozenset[str]

    @classmethod
    def of(cls, query: Query) -> _Asked:
        counts = {w for term in query.sought if not term.prefix for w in (*term.words, *term.also)}
        return cls(tuple(stem(w) for w in query.words), frozenset(counts - STOP_WORDS or counts))

    def closeness(self, said: Said) -> tuple[float, float]:
        """How long a run of the query a text has, as a share of the query; how many of its words, as they stand."""
        exact = len(self.counts & said.words) / len(self.counts) if self.counts else 0.0
        if len(self.stems) < 2:
            return 0.0, exact
        longest, before = 1, dict.fromkeys(said.places.get(self.stems[0], ()), 1)
        for word in self.stems[1:]:
            before = {at: before.get(at - 1, 0) + 1 for at in said.places.get(word, ())}
            longest = max(longest, *before.values()) if before else longest
        return (longest - 1) / (len(self.stems) - 1), exact


def _varied(catalogue: Catalogue, order: Sequence[tuple[float, int]]) -> list[tuple[float, int]]:
    """The order with codes sharing the first places where scores are close; a print of the same text comes next.

    What a provision keeps of its score depends on those of its own code alone, so that leaving out a code, or all
    provisions, changes nothing in the order of the others.
    """
    seen: Counter[str] = Counter()
    shared = []
    for score, number in order[:_VARIED]:
        entry = catalogue.entries[number]
        part = 1.0
        if entry.role == "provision":
            part = max(_FEWEST, _AGAIN ** seen[entry.work])
            seen[entry.work] += 1
        shared.append((score * part, number))
    shared.sort(key=lambda found: -found[0])
    return _with_twins(catalogue, shared, order[_VARIED:])


def _with_twins(
    catalogue: Catalogue, head: Sequence[tuple[float, int]], rest: Sequence[tuple[float, int]]
) -> list[tuple[float, int]]:
    """The order with each print of a text right behind the first that is found, among the first at least."""
    there = {number for found in (head, rest) for _, number in found}
    placed: dict[int, float] = {}
    for score, number in head:
        if number not in placed:
            others = (catalogue.number.get(unit) for unit in catalogue.twins.get(catalogue.entries[number].unit, ()))
            placed |= dict.fromkeys([number, *(n for n in others if n in there and n not in placed)], score)
    least = min(placed.values(), default=0.0)
    return [(score, n) for n, score in placed.items()] + [
        (min(least, score), n) for score, n in rest if n not in placed
    ]
