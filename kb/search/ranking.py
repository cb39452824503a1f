"""The ranking of search results: by words, their proximity and what the codes rule on the query, with all codes early.

Words are scored by BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009), provisions by the
evidence of `kb.dispute` as well. Both scores are shares of the best and are summed, as in CombSUM (Fox and Shaw,
"Combination of Multiple Searches", TREC-2, 1993). The order is then diversified by work (Carbonell and Goldstein, "The
Use of MMR", SIGIR 1998).
"""

from __future__ import annotations

import heapq
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from extract.language.stemming import stem
from kb.dispute.evidence import gather
from kb.dispute.index import Index
from kb.search.catalogue import Catalogue, Entry
from kb.search.querylang import Query

# Factors by role: a provision answers a question; a line of an index or a heading only leads to one.
ROLES = {
    "provision": 1.1, "definition": 1.2, "case": 1.0, "decision": 1.0, "heading": 0.45, "entry": 0.35, "front": 0.5,
    "table": 0.5, "row": 0.6,
}  # fmt: skip
_OTHERS = 0.9
# Weights relative to that of the words (1): of their proximity, and of answers to the questions on the concept named.
CLOSE, ANSWERS = 0.6, 1.8
# The more words a query has, the less each says by itself, and the more counts what the codes rule on all of them: the
# weight for each pair of words, and the largest and smallest weight.
RULED, MOST_RULED, LEAST_RULED = 1.2, 12.0, 0.6
# The evidence of `kb.dispute` that is enough for the best provision of a short query; for a long one, `_SURE_OF_ALL` is
# divided by the number of words, since each gets less.
_SURE, _SURE_OF_ALL = 11.0, 35.0
_LOOKED_AT = 80  # units whose words are read for proximity
_VARIED = 40  # places that are diversified by work
_AGAIN = 0.94  # factor for a provision, for each provision of its code before it
_FEWEST = 0.7  # the smallest such factor
_JOINING = 0.55  # share of the best score from which provisions that rule on a query are added to the results
_A_CODE = 3  # the most of them for each code


@dataclass(frozen=True, slots=True)
class QueryMatter:
    """What a query is about beyond its words, as shares of the best, by unit id.

    Attributes:
        ruled: how likely each provision decides the query.
        answers: how many of the questions on a concept named each entry answers, times the share of the query that
            names the concept.
        words: how many words of the query count.
    """

    ruled: Mapping[str, float]
    answers: Mapping[str, float]
    words: int = 1


NOTHING = QueryMatter({}, {})


def ruled(index: Index, question: str, words: int) -> dict[str, float]:
    """How likely each provision decides a question of so many words, as a share of the likeliest.

    If the evidence is weak even for the likeliest, the question is about something else, and all shares are reduced.
    """
    scores = gather(index, question).total
    best = scores.max(initial=0.0) or 1.0
    shares = scores / best * min(1.0, best / min(_SURE, _SURE_OF_ALL / max(words, 1))) ** 2
    return {unit: share for unit, share in zip(index.provisions, shares.tolist(), strict=True) if share > 0}


def added_provisions(index: Index, matter: QueryMatter) -> list[str]:
    """The provisions that are added to the results although they do not have all the words."""
    by_code: dict[str, list[tuple[float, str]]] = {}
    for unit, share in matter.ruled.items():
        if share >= _JOINING:
            by_code.setdefault(index.provisions[unit].code, []).append((share, unit))
    return [unit for found in by_code.values() for _, unit in heapq.nlargest(_A_CODE, found)]


def ranked(
    conn: sqlite3.Connection, catalogue: Catalogue, query: Query, found: Mapping[int, float], matter: QueryMatter
) -> list[tuple[float, int]]:
    """The entries found, in the order in which they are shown, each with its score.

    Args:
        conn: the knowledge base.
        catalogue: its catalogue.
        query: the query.
        found: the BM25 score of each entry, 0 for one that was added (`joining`).
        matter: what the query is about.
    """
    first = _first(catalogue, found, matter)
    order = sorted(found, key=lambda n: (-first[n], catalogue.place[n]))
    read = catalogue.stems(conn, order[:_LOOKED_AT])
    wanted = [stem(word) for word in query.words]
    for n, text in read.items():
        first[n] += _weight(catalogue.entries[n]) * CLOSE * _closeness(wanted, text)
    # Entries whose words were not read cannot come before those whose words were.
    order[:_LOOKED_AT] = sorted(read, key=lambda n: (-first[n], catalogue.place[n]))
    return _varied(catalogue, [(first[n], n) for n in order])


def _first(catalogue: Catalogue, found: Mapping[int, float], matter: QueryMatter) -> dict[int, float]:
    """The scores of the entries without proximity."""
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
    """The weight of what the codes rule on a query of so many words."""
    return min(MOST_RULED, max(LEAST_RULED, RULED * words * (words - 1) / 2))


def _weight(entry: Entry) -> float:
    return ROLES.get(entry.role, _OTHERS)


def _closeness(wanted: Sequence[str], stems: str) -> float:
    """The length of the longest run of the query that a text has, as a share of the query; 0 for a single word.

    Args:
        wanted: the stems of the query.
        stems: those of the text, each between spaces.
    """
    longest = 1
    for begin in range(len(wanted)):
        while begin + longest < len(wanted) and f" {' '.join(wanted[begin : begin + longest + 1])} " in stems:
            longest += 1
    return (longest - 1) / max(1, len(wanted) - 1)


def _varied(catalogue: Catalogue, order: Sequence[tuple[float, int]]) -> list[tuple[float, int]]:
    """Rerank so that codes share the first places if scores are close; other prints of a text follow the first.

    The factor of a provision depends only on those of its own code, so that leaving out a code, or all provisions,
    does not change the order of the others.
    """
    seen: Counter[str] = Counter()
    shared = []
    for score, number in order[:_VARIED]:
        entry = catalogue.entries[number]
        factor = 1.0
        if entry.role == "provision":
            factor = max(_FEWEST, _AGAIN ** seen[entry.work])
            seen[entry.work] += 1
        shared.append((score * factor, number))
    shared.sort(key=lambda found: -found[0])
    return _with_twins(catalogue, shared, order[_VARIED:])


def _with_twins(
    catalogue: Catalogue, head: Sequence[tuple[float, int]], rest: Sequence[tuple[float, int]]
) -> list[tuple[float, int]]:
    """Move the other prints of each text in `head` to just after its first print."""
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
