"""What is known of every provision, held in memory for disputes: words, questions, cases, counterparts."""

from __future__ import annotations

import math
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from extract.language.folding import words_of
from kb.analysis.concepts import ConceptFinder
from kb.analysis.words import terms
from kb.dispute.field import Field
from kb.read.kept import once_a_build
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
FACETS = "select f.id, f.label, f.verdict, t.label from facet f join topic t on t.id = f.topic_id order by t.seq, f.seq"
CELLS = "select facet_id, code_id, coalesce(summary, '') from cell"
TWINS = "select facet_id, code_id, twin from cell where twin is not null"
ABOUT = "select facet_id, concept_id from facet_concept"
CITED = "select c.facet_id, c.code_id, j.value from cell c join json_each(c.cites) j order by c.rowid, j.key"
OWN_TOPIC = "select concept_id, id from topic"
APART = "select concept_id, id from topic where apart"
ASKING = "select kind, words from asking order by rowid"
PRINCIPAL = "select topic_id, kind, facet_id from principal order by rowid"
TELLINGS = "select facet_id, words from telling"
LINKS = "select a, b, relation from link where status <> 'rejected'"
CASES = """
select u.id, u.text, coalesce(g.facts, '') from unit u left join digest g on g.unit_id = u.id
where u.role = 'case' and u.continues is null order by u.book_id, u.seq
"""
PRECEDENTS = "select unit_id, target_id from precedent"
_FURTHER = 0.9  # how much a provision that an answer names after its first speaks for it


@dataclass(frozen=True, slots=True)
class Provision:
    """A provision that may decide a dispute."""

    id: str
    code: str
    kind: str


@dataclass(frozen=True)
class Index:
    """The knowledge base as disputes need it; made once for a build, then only read.

    Attributes:
        provisions: all provisions, by id, those of earlier codes first.
        words: of each provision its text, its gloss and the questions it answers, as one field; `concepts` the
            terms for what it speaks of.
        spoken: of each provision the concepts it speaks of, and `about` of each facet
            those of its question and its tellings.
        questions: of each facet all that is said of it, tellings included; `tellings` these alone, joined;
            `told` each by itself, with `telling_of` its facet.
        cases: of each case what happened.
        cites: of each facet by code the provisions that answer it, none where the code is silent.
        turned: of each case the provisions on which it turned.
        counterparts: of each provision those linked to it, with the relation.
        labels: of each facet its question.
        vocabulary: the words of all that is said here, and how often each is.
        topics: of a concept the topic that is on it.
        principals: of each topic the questions that are meant where one asks in general words, by the kind of thing
            asked; `asking` finds the words that tell the kind, `kinds` has them in their order, `naming` finds topics.
        premises: of a facet the concepts that must be named for it to be meant: those of topics that stand apart.
        named: of each concept whose name is one word that word, as a term.
        twins: of each facet by code the code whose answer is taken over, where both print the same words.
    """

    provisions: Mapping[str, Provision]
    words: Field
    concepts: Field
    spoken: Mapping[str, frozenset[str]]
    about: Mapping[str, frozenset[str]]
    tagger: ConceptFinder
    questions: Field
    tellings: Field
    told: Field
    telling_of: Mapping[str, str]
    cases: Field
    cites: Mapping[str, Mapping[str, tuple[str, ...]]]
    turned: Mapping[str, tuple[str, ...]]
    counterparts: Mapping[str, tuple[tuple[str, str], ...]]
    labels: Mapping[str, str]
    vocabulary: Mapping[str, int]
    topics: Mapping[str, str]
    principals: Mapping[str, Mapping[str, tuple[str, ...]]]
    asking: ConceptFinder
    naming: ConceptFinder
    premises: Mapping[str, frozenset[str]]
    kinds: tuple[str, ...]
    named: Mapping[str, str]
    twins: Mapping[str, Mapping[str, str]]

    def names_in(self, text: str) -> frozenset[str]:
        """The concepts of which a text speaks."""
        return frozenset(concept for concept, _ in self.tagger.find(text))

    @cached_property
    def worded(self) -> Mapping[frozenset[str], tuple[str, ...]]:
        """The facets by the words of their questions."""
        found: dict[frozenset[str], tuple[str, ...]] = {}
        for facet, label in self.labels.items():
            if words := frozenset(terms(label)):
                found[words] = (*found.get(words, ()), facet)
        return found

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """The codes, in date order."""
        return tuple(dict.fromkeys(p.code for p in self.provisions.values()))

    @cached_property
    def of_code(self) -> Mapping[str, tuple[Provision, ...]]:
        """The provisions of each code."""
        return {code: tuple(p for p in self.provisions.values() if p.code == code) for code in self.codes}

    @cached_property
    def mute(self) -> Mapping[str, frozenset[str]]:
        """Of each code the facets on which it is silent."""
        return {code: frozenset(f for f, by in self.cites.items() if by.get(code) == ()) for code in self.codes}

    @cached_property
    def answered(self) -> Mapping[str, tuple[str, ...]]:
        """Of each provision the facets it answers for its code."""
        found: dict[str, list[str]] = defaultdict(list)
        for facet, units in self.leads.items():
            for unit_id in units:
                found[unit_id].append(facet)
        return {unit_id: tuple(facets) for unit_id, facets in found.items()}

    @cached_property
    def rarity(self) -> Mapping[str, float]:
        """How much it tells that a provision speaks of a concept."""
        return _rarity(self.spoken)

    @cached_property
    def rarity_about(self) -> Mapping[str, float]:
        """How much it tells that a question of a topic speaks of a concept."""
        return _rarity(self.about)

    @cached_property
    def leads(self) -> Mapping[str, Mapping[str, float]]:
        """Of each facet the provisions of all codes that answer it, with their shares: the one named first decides."""
        return {
            facet: {u: _FURTHER if i else 1.0 for units in by_code.values() for i, u in enumerate(units)}
            for facet, by_code in self.cites.items()
        }


def load_index(conn: sqlite3.Connection) -> Index:
    """Read the index from a knowledge base.

    Args:
        conn: the knowledge base; it is not kept.
    """
    rows = fetch(conn, lambda *row: row, PROVISIONS_OF)
    provisions = {unit_id: Provision(unit_id, code, kind) for unit_id, code, kind, _ in rows}
    owner = dict(_pairs(conn, PARTS))
    labels = _gathered(conn, LABELS)
    own = dict(_pairs(conn, OWN_TOPIC))
    asking = _gathered(conn, ASKING)
    tagger = ConceptFinder(_pairs(conn, LABELS), _pairs(conn, PATTERNS))
    spoken = {u: frozenset(k) for u, k in _owned(_gathered(conn, SPOKEN), owner).items()}
    glosses = _joined(_owned(_gathered(conn, GLOSSES), owner))
    facets = fetch(conn, lambda *row: row, FACETS)
    names = {facet: label for facet, label, _, _ in facets}
    cites, summaries = _cites(conn, owner)
    answers: dict[str, list[str]] = defaultdict(list)
    for (facet, code), summary in summaries.items():
        for unit_id in cites[facet][code]:
            answers[unit_id] += (names[facet], summary)
    tellings = _pairs(conn, TELLINGS)
    joined = _joined(_gathered(conn, TELLINGS))
    said = _joined(_by_facet(summaries))
    cases = fetch(conn, lambda *row: row, CASES)
    texts = [text for *_, text in rows] + [text for _, *case in cases for text in case]
    said_here = (*texts, *glosses.values(), *names.values(), *said.values(), *joined.values())
    return Index(
        provisions=provisions,
        words=Field({i: " ".join((text, glosses.get(i, ""), *answers[i])) for i, _, _, text in rows}),
        concepts=Field({u: " ".join(label for k in sorted(ks) for label in labels[k]) for u, ks in spoken.items()}),
        spoken=spoken,
        about={f: frozenset(k) for f, k in _gathered(conn, ABOUT).items()},
        tagger=tagger,
        questions=Field({f: " ".join((a, b, c, said.get(f, ""), joined.get(f, ""))) for f, a, b, c in facets}),
        tellings=Field(joined),
        told=Field({f"{facet} {i}": words for i, (facet, words) in enumerate(tellings)}),
        telling_of={f"{facet} {i}": facet for i, (facet, _) in enumerate(tellings)},
        cases=Field({case: f"{text} {facts}" for case, text, facts in cases}),
        cites=cites,
        turned=_turned(conn, owner),
        counterparts=_counterparts(conn, owner),
        labels=names,
        vocabulary=Counter(word for text in said_here for word in words_of(text)),
        topics=own,
        principals=_principals(conn),
        asking=ConceptFinder(_pairs(conn, ASKING)),
        naming=ConceptFinder((t, label) for k, t in own.items() for label in labels[k]),
        kinds=tuple(asking),
        premises=_premises(conn, tagger, names),
        named={k: name[0] for k, (label, *_) in labels.items() if len(name := terms(label)) == 1},
        twins=_nested(conn, TWINS),
    )


@once_a_build
def index_of(conn: sqlite3.Connection) -> Index:
    """The index of a knowledge base, loaded once in a process for each build; any number of threads may ask.

    Args:
        conn: the knowledge base.
    """
    return load_index(conn)


def _rarity(spoken: Mapping[str, frozenset[str]]) -> dict[str, float]:
    spread = Counter(concept for concepts in spoken.values() for concept in concepts)
    return {concept: math.log(1 + len(spoken) / n) for concept, n in spread.items()}


def _nested(conn: sqlite3.Connection, sql: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for key, inner, value in fetch(conn, lambda *row: row, sql):
        found[key][inner] = value
    return found


def _principals(conn: sqlite3.Connection) -> dict[str, dict[str, tuple[str, ...]]]:
    found: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for topic, kind, facet in fetch(conn, lambda *row: row, PRINCIPAL):
        found[topic][kind] = (*found[topic].get(kind, ()), facet)
    return found


def _premises(conn: sqlite3.Connection, tagger: ConceptFinder, names: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """The concepts of topics that stand apart, of the questions of those topics, and of those that name them."""
    apart = dict(_pairs(conn, APART))
    found = {}
    for facet, label in names.items():
        named = {concept for concept, _ in tagger.find(label)} if apart else ()
        if needed := frozenset(k for k, topic in apart.items() if k in named or facet.startswith(f"{topic}/")):
            found[facet] = needed
    return found


def _gathered(conn: sqlite3.Connection, sql: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for key, value in _pairs(conn, sql):
        found[key].append(value)
    return found


def _pairs(conn: sqlite3.Connection, sql: str) -> list[tuple[str, str]]:
    return fetch(conn, lambda key, value: (str(key), str(value)), sql)


def _owned(values: Mapping[str, list[str]], owner: Mapping[str, str]) -> dict[str, list[str]]:
    """What is said of provisions, what is said of their paragraphs among it."""
    found: dict[str, list[str]] = defaultdict(list)
    for unit_id, each in values.items():
        if unit_id in owner:
            found[owner[unit_id]] += each
    return found


def _joined(texts: Mapping[str, Iterable[str]]) -> dict[str, str]:
    return {key: " ".join(words) for key, words in texts.items()}


def _by_facet(summaries: Mapping[tuple[str, str], str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for (facet, _), summary in summaries.items():
        found[facet].append(summary)
    return found


def _cites(
    conn: sqlite3.Connection, owner: Mapping[str, str]
) -> tuple[dict[str, dict[str, tuple[str, ...]]], dict[tuple[str, str], str]]:
    """What answers each facet, by code, and the answers in words."""
    cites: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    summaries: dict[tuple[str, str], str] = {}
    for facet, code, summary in fetch(conn, lambda *row: row, CELLS):
        cites[facet][code] = ()
        summaries[facet, code] = summary
    for facet, code, unit_id in fetch(conn, lambda *row: row, CITED):
        if unit_id in owner:
            cites[facet][code] = tuple(dict.fromkeys((*cites[facet][code], owner[unit_id])))
    return cites, summaries


def _turned(conn: sqlite3.Connection, owner: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    return {case: tuple(dict.fromkeys(owner[u] for u in units if u in owner))
            for case, units in _gathered(conn, PRECEDENTS).items()}  # fmt: skip


def _counterparts(conn: sqlite3.Connection, owner: Mapping[str, str]) -> dict[str, tuple[tuple[str, str], ...]]:
    """The provisions linked to each, with the relation; paragraphs speak for their provision."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for a, b, relation in fetch(conn, lambda *row: row, LINKS):
        if a in owner and b in owner:
            found[owner[a]].setdefault(owner[b], relation)
            found[owner[b]].setdefault(owner[a], relation)
    return {unit_id: tuple(others.items()) for unit_id, others in found.items()}
