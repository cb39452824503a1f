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

from extract.language.stemming import stem
from kb.dispute.adjudication import WEIGHTS
from kb.dispute.evidence import gather
from kb.dispute.index import Index
from kb.search.catalogue import Catalogue, Entry
from kb.search.querylang import Query

# A provision answers a question; a line of an index or a heading only leads to one.
ROLES = {
    "provision": 1.1, "definition": 1.2, "case": 1.0, "decision": 1.0, "heading": 0.45, "entry": 0.35, "front": 0.5,
    "table": 0.5, "row": 0.6,
}  # fmt: skip
_OTHERS = 0.9
# Beside the words, as shares of the best: how close together they stand, and what answers the questions on the thing.
CLOSE, ANSWERS = 0.6, 1.8
# The more words a query has, the less each tells alone, and the more what the codes rule on all: so much for each pair
# of them, and so much at most and at least.
RULED, MOST_RULED, LEAST_RULED = 1.2, 12.0, 0.6
# Evidence as `kb.dispute` sums it up: enough for a few words, and enough for many, of which each gets less.
_SURE, _SURE_OF_ALL = 11.0, 35.0
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
        words: how many words of the query count.
    """

    ruled: Mapping[str, float]
    answers: Mapping[str, float]
    words: int = 1


NOTHING = QueryMatter({}, {})


def ruled(index: Index, question: str, words: int) -> dict[str, float]:
    """How likely each provision decides a question of so many words, as a share of the likeliest.

    Where a few words get little evidence even for the likeliest, they are about something else: all get less.
    """
    scores = gather(index, question, WEIGHTS).total(WEIGHTS)
    best = scores.max(initial=0.0) or 1.0
    shares = scores / best * min(1.0, best / min(_SURE, _SURE_OF_ALL / max(words, 1))) ** 2
    return {unit: share for unit, share in zip(index.provisions, shares.tolist(), strict=True) if share > 0}


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
    read = catalogue.stems(conn, order[:_LOOKED_AT])
    asked = [stem(word) for word in query.words]
    for n, told in read.items():
        first[n] += _weight(catalogue.entries[n]) * CLOSE * _closeness(asked, told)
    # What was not read cannot come before what was.
    order[:_LOOKED_AT] = sorted(read, key=lambda n: (-first[n], catalogue.place[n]))
    return _varied(catalogue, [(first[n], n) for n in order])


def _first(catalogue: Catalogue, found: Mapping[int, float], matter: QueryMatter) -> dict[int, float]:
    """The scores before the words are read."""
    most = max(found.values(), default=0.0) or 1.0
    ruling = _ruling(matter.words)
    scores = {}
    for number, by_words in found.items():
        entry = catalogue.entries[number]
        scores[number] = (
            _weight(entry) * by_words / most
            + ruling * matter.ruled.get(entry.unit, 0.0)
            + ANSWERS * matter.answers.get(entry.unit, 0.0)
        )
    return scores


def _ruling(words: int) -> float:
    """How much it counts what the codes rule on a query of so many words."""
    return min(MOST_RULED, max(LEAST_RULED, RULED * words * (words - 1) / 2))


def _weight(entry: Entry) -> float:
    return ROLES.get(entry.role, _OTHERS)


def _closeness(asked: Sequence[str], told: str) -> float:
    """How long a run of the query a text has, as a share of the query; 0 for a single word.

    Args:
        asked: the stems of the query.
        told: those of the text, each between blanks.
    """
    longest = 1
    for begin in range(len(asked)):
        while begin + longest < len(asked) and f" {' '.join(asked[begin : begin + longest + 1])} " in told:
            longest += 1
    return (longest - 1) / max(1, len(asked) - 1)


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
