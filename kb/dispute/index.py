"""The in-memory index for disputes: the words, questions, cases and counterparts of every provision.

Provisions, questions of topics (facets) and cases are rows, in a fixed order; `WeightedLinks` holds the weighted links
from rows of one kind to rows of another.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from extract.language.folding import words_of
from kb.analysis.concepts import ConceptFinder
from kb.analysis.index import Scores, TermIndex, of_concepts, of_texts
from kb.analysis.words import terms
from kb.questions.matcher import Matcher, load_matcher
from kb.read.build_cache import cached_per_build
from kb.read.domain import domain
from kb.read.rows import fetch

_WITHIN = "(u.id = p.id or u.parent_id = p.id or u.parent_id in (select id from unit where parent_id = p.id))"
_WHOLE = "select id, code_id, kind, text, seq from unit where role = 'provision'"
PROVISIONS_OF = f"""
select p.id, p.code_id, p.kind, p.text from ({_WHOLE}) p join code c on c.id = p.code_id order by c.year, c.id, p.seq
"""
PARTS = f"select u.id, p.id from ({_WHOLE}) p join unit u on {_WITHIN} where p.code_id is not null"
GLOSSES = "select unit_id, words from gloss"
SPOKEN = "select distinct unit_id, concept_id from unit_concept"
LABELS = "select concept_id, label from concept_label order by rowid"
PATTERNS = "select concept_id, pattern from concept_pattern order by rowid"
FACETS = """
select f.id, f.label, f.label || ' ' || f.verdict || ' ' || t.label
from facet f join topic t on t.id = f.topic_id order by t.seq, f.seq
"""
CELLS = "select facet_id, code_id, coalesce(summary, ''), twin from cell"
CITED = "select c.facet_id, c.code_id, j.value from cell c join json_each(c.cites) j order by c.rowid, j.key"
OWN_TOPIC = "select concept_id, id from topic"
APART = "select concept_id, id from topic where apart"
ASKING = "select kind, words from asking order by rowid"
PRINCIPAL = "select topic_id, kind, facet_id from principal order by rowid"
MATCHER = "select fitted from matcher"
LINKS = "select a, b, relation from link where status <> 'rejected'"
CASES = """
select u.id, u.text || ' ' || coalesce(g.facts, '') from unit u left join digest g on g.unit_id = u.id
where u.role = 'case' and u.continues is null order by u.book_id, u.seq
"""
WORDS = "select word, count from word"
PRECEDENTS = "select unit_id, target_id from precedent"
_FURTHER = 0.9  # the weight of a provision that an answer cites after its first
# The share of a counterpart's evidence that is passed on, by relation: a rule that differs is on the same question too.
_CARRIES = {"same-text": 1.0, "equivalent": 1.0, "narrower": 0.8, "broader": 0.8, "differs": 0.7, "opposed": 0.7}


@dataclass(frozen=True, slots=True)
class Provision:
    """A provision that may decide a dispute."""

    id: str
    code: str
    kind: str


class WeightedLinks:
    """Weighted links from rows of one kind (sources) to rows of another (targets)."""

    def __init__(self, ties: Mapping[tuple[int, int], float], size: int) -> None:
        """Store links.

        Args:
            ties: the weight of each link, 0 to 1, by its source row and target row.
            size: the number of target rows.
        """
        pairs = np.array(list(ties), dtype=np.intp).reshape(-1, 2)
        self._starts, self._ends = pairs[:, 0], pairs[:, 1]
        self._shares, self._size = np.array(list(ties.values()), dtype=float), size

    def best(self, scores: Scores) -> Scores:
        """The highest weighted score among the sources of each target row, from the scores of the source rows."""
        found = np.zeros(self._size)
        np.maximum.at(found, self._ends, scores[self._starts] * self._shares)
        return found

    def summed(self, scores: Scores) -> Scores:
        """The sum of the weighted scores of the sources of each target row."""
        found = np.zeros(self._size)
        np.add.at(found, self._ends, scores[self._starts] * self._shares)
        return found


@dataclass(frozen=True)
class Index:
    """The knowledge base in the form that disputes need; made once for a build, then only read.

    Attributes:
        provisions: all provisions, by id, those of earlier codes first.
        labels: the question of each facet.
        cases: the ids of all cases.
        words: the texts of provisions, with their glosses, the questions they answer and the labels of their concepts.
        spoken: the concepts of provisions.
        questions: the texts of facets: question, verdict, topic and answers.
        matcher: tells which question a text asks.
        facts: the texts of cases: what happened.
        cites: for each facet and code, the provisions that answer it; empty if the code is silent, or answers it
            elsewhere (an introduction, a definition).
        answer: links from facets to these provisions.
        vocabulary: the words of the books and of the texts of facets, each with its number of occurrences.
        turned: for each case, the provisions on which it turned.
        turn: links from cases to these provisions.
        counterparts: links to each provision from its counterparts, which together weigh at most as much as one.
        tagger: finds concepts, by name or description.
        topics: the topic of each concept that has one.
        principals: for each topic and kind of thing asked, the questions that are meant by general words.
        asking: finds the words that show which kind of thing is asked.
        naming: finds the names of topics.
        premises: for some facets, the concepts of which one must be named if the facet is to be meant: those of topics
            that stand apart.
        kinds: the kinds of things asked; the first takes precedence.
        named: the names of the concepts whose name is a single word, as terms.
        twins: for each facet and code, the code whose answer is taken over because both print the same words.
        everyday: for each everyday word, as a term, the words of the codes that replace it.
        stated: the kind of question that a mere statement of what happened asks; "" if the library has none.
    """

    provisions: Mapping[str, Provision]
    labels: Mapping[str, str]
    cases: tuple[str, ...]
    words: TermIndex
    spoken: TermIndex
    questions: TermIndex
    matcher: Matcher
    facts: TermIndex
    cites: Mapping[str, Mapping[str, tuple[str, ...]]]
    answer: WeightedLinks
    vocabulary: Mapping[str, int]
    turned: Mapping[str, tuple[str, ...]]
    turn: WeightedLinks
    counterparts: WeightedLinks
    tagger: ConceptFinder
    topics: Mapping[str, str]
    principals: Mapping[str, Mapping[str, tuple[str, ...]]]
    asking: ConceptFinder
    naming: ConceptFinder
    premises: Mapping[str, frozenset[str]]
    kinds: tuple[str, ...]
    named: Mapping[str, str]
    twins: Mapping[str, Mapping[str, str]]
    everyday: Mapping[str, str]
    stated: str

    def names_in(self, text: str) -> frozenset[str]:
        """The concepts that a text names or describes."""
        return frozenset(concept for concept, _ in self.tagger.find(text))

    @cached_property
    def place(self) -> Mapping[str, int]:
        """The row of each provision."""
        return _places(self.provisions)

    @cached_property
    def facets(self) -> Mapping[str, int]:
        """The row of each facet."""
        return _places(self.labels)

    @cached_property
    def worded(self) -> Mapping[frozenset[str], tuple[str, ...]]:
        """The facets by the set of terms in their questions."""
        found: dict[frozenset[str], tuple[str, ...]] = {}
        for facet, label in self.labels.items():
            if words := frozenset(terms(label)):
                found[words] = (*found.get(words, ()), facet)
        return found

    @cached_property
    def of_code(self) -> Mapping[str, NDArray[np.intp]]:
        """The rows of the provisions of each code; codes in date order."""
        found: dict[str, list[int]] = defaultdict(list)
        for row, provision in enumerate(self.provisions.values()):
            found[provision.code].append(row)
        return {code: np.array(rows) for code, rows in found.items()}

    @cached_property
    def mute(self) -> Mapping[str, NDArray[np.bool_]]:
        """For each code, whether none of its provisions answers each facet."""
        silent = {code: [self.cites.get(f, {}).get(code) == () for f in self.labels] for code in self.of_code}
        return {code: np.array(rows, dtype=bool) for code, rows in silent.items()}

    @cached_property
    def answered(self) -> Mapping[str, tuple[str, ...]]:
        """The facets that each provision answers for its code."""
        found: dict[str, list[str]] = defaultdict(list)
        for facet, by_code in self.cites.items():
            for unit_id in dict.fromkeys(unit_id for units in by_code.values() for unit_id in units):
                found[unit_id].append(facet)
        return {unit_id: tuple(facets) for unit_id, facets in found.items()}


def load_index(conn: sqlite3.Connection) -> Index:
    """Read the index from a knowledge base.

    Args:
        conn: the knowledge base; it is not kept.
    """
    rows = fetch(conn, lambda *row: row, PROVISIONS_OF)
    provisions = {unit_id: Provision(unit_id, code, kind) for unit_id, code, kind, _ in rows}
    place = _places(provisions)
    owner = dict(_pairs(conn, PARTS))
    facets = fetch(conn, lambda *row: row, FACETS)
    question_of = {facet: label for facet, label, _ in facets}
    facet_at = _places(question_of)
    cites, summaries, twins = _answers(conn, owner)
    cases = dict(_pairs(conn, CASES))
    turned = {
        case: tuple(dict.fromkeys(owner[u] for u in units if u in owner))
        for case, units in _gathered(_pairs(conn, PRECEDENTS)).items()
    }
    labels = _gathered(_pairs(conn, LABELS))
    spoken = _gathered((owner[u], k) for u, k in _pairs(conn, SPOKEN) if u in owner)
    wording = _gathered((owner[u], words) for u, words in _pairs(conn, GLOSSES) if u in owner)
    for (facet, code), summary in summaries.items():
        for unit_id in cites[facet][code]:
            wording[unit_id] += (question_of[facet], summary)
    for unit_id, concepts in spoken.items():
        wording[unit_id] += (label for k in sorted(set(concepts)) for label in labels[k])
    facet_wording = _gathered((facet, summary) for (facet, _), summary in summaries.items())
    vocabulary = Counter(dict(fetch(conn, lambda word, n: (str(word), int(n)), WORDS)))
    vocabulary.update(
        word for wording in chain(question_of.values(), *facet_wording.values()) for word in words_of(wording)
    )
    topic_of, asking = dict(_pairs(conn, OWN_TOPIC)), _pairs(conn, ASKING)
    tagger = ConceptFinder(_pairs(conn, LABELS), _pairs(conn, PATTERNS))
    settings = domain(conn).dispute
    return Index(
        provisions=provisions,
        labels=question_of,
        cases=tuple(cases),
        words=of_texts(" ".join((text, *wording[i])) for i, _, _, text in rows),
        spoken=of_concepts(spoken[unit_id] for unit_id in provisions),
        questions=of_texts(" ".join((text, *facet_wording[facet])) for facet, _, text in facets),
        matcher=load_matcher(next(iter(fetch(conn, bytes, MATCHER)), b""), facet_at),
        facts=of_texts(cases.values()),
        cites=cites,
        answer=WeightedLinks(
            {
                (facet_at[facet], place[unit_id]): _FURTHER if i else 1.0
                for facet, by_code in cites.items()
                for units in by_code.values()
                for i, unit_id in enumerate(units)
            },
            len(provisions),
        ),
        vocabulary=vocabulary,
        turned=turned,
        turn=WeightedLinks(
            {(row, place[unit_id]): 1.0 for row, case in enumerate(cases) for unit_id in turned.get(case, ())},
            len(provisions),
        ),
        counterparts=_counterparts(conn, owner, place),
        tagger=tagger,
        topics=topic_of,
        principals=_principals(conn),
        asking=ConceptFinder(asking),
        naming=ConceptFinder((t, label) for k, t in topic_of.items() for label in labels[k]),
        premises=_premises(conn, tagger, question_of),
        kinds=tuple(dict.fromkeys(kind for kind, _ in asking)),
        named={k: name[0] for k, (label, *_) in labels.items() if len(name := terms(label)) == 1},
        twins=twins,
        stated=settings.stated,
        everyday={term: read for word, read in settings.everyday.items() for term in terms(word)},
    )


@cached_per_build
def index_of(conn: sqlite3.Connection) -> Index:
    """The index of a knowledge base, loaded once per build in each process; safe to call from any thread.

    Args:
        conn: the knowledge base.
    """
    return load_index(conn)


def _places(keys: Iterable[str]) -> dict[str, int]:
    return {key: row for row, key in enumerate(keys)}


def _pairs(conn: sqlite3.Connection, sql: str) -> list[tuple[str, str]]:
    return fetch(conn, lambda key, value: (str(key), str(value)), sql)


def _gathered(pairs: Iterable[tuple[str, str]]) -> defaultdict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return found


def _principals(conn: sqlite3.Connection) -> dict[str, dict[str, tuple[str, ...]]]:
    found: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for topic, kind, facet in fetch(conn, lambda *row: row, PRINCIPAL):
        found[topic][kind] = (*found[topic].get(kind, ()), facet)
    return found


def _premises(conn: sqlite3.Connection, tagger: ConceptFinder, names: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """The concepts of topics that stand apart, for each question of such a topic or that names such a concept."""
    apart = dict(_pairs(conn, APART))
    found = {}
    for facet, label in names.items():
        named = {concept for concept, _ in tagger.find(label)} if apart else ()
        if needed := frozenset(k for k, topic in apart.items() if k in named or facet.startswith(f"{topic}/")):
            found[facet] = needed
    return found


def _answers(
    conn: sqlite3.Connection, owner: Mapping[str, str]
) -> tuple[dict[str, dict[str, tuple[str, ...]]], dict[tuple[str, str], str], dict[str, dict[str, str]]]:
    """The provisions that answer each facet, by code; the answers in words; the codes whose answers are taken over."""
    cites: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    summaries: dict[tuple[str, str], str] = {}
    twins: dict[str, dict[str, str]] = defaultdict(dict)
    for facet, code, summary, twin in fetch(conn, lambda *row: row, CELLS):
        cites[facet][code] = ()
        summaries[facet, code] = summary
        if twin is not None:
            twins[facet][code] = twin
    for facet, code, unit_id in fetch(conn, lambda *row: row, CITED):
        if unit_id in owner:
            cites[facet][code] = tuple(dict.fromkeys((*cites[facet][code], owner[unit_id])))
    return cites, summaries, twins


def _counterparts(conn: sqlite3.Connection, owner: Mapping[str, str], place: Mapping[str, int]) -> WeightedLinks:
    """Links between counterparts; a link of a paragraph counts as one of its provision."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for a, b, relation in fetch(conn, lambda *row: row, LINKS):
        if a in owner and b in owner:
            found[owner[a]].setdefault(owner[b], relation)
            found[owner[b]].setdefault(owner[a], relation)
    ties = {
        (place[other], place[unit_id]): _CARRIES[relation] / len(others)
        for unit_id, others in found.items()
        for other, relation in others.items()
    }
    return WeightedLinks(ties, len(place))
