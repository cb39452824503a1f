"""The data of a build that search needs beside the full-text index: entries, words and the names of works."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from extract.language.folding import STOP_WORDS, words_of
from extract.language.stemming import stem
from kb.read.build_cache import cached_per_build
from kb.read.lookup import json_list
from kb.read.rows import fetch

STOP_STEMS = frozenset(map(stem, STOP_WORDS))
ENTRIES = """
select e.id, u.id, u.kind, u.role, u.code_id, u.book_id, coalesce(c.year, b.year), u.parent_id
from entry e join unit u on u.id = e.unit_id join book b on b.id = u.book_id left join code c on c.id = u.code_id
order by coalesce(c.year, b.year), u.book_id, u.seq
"""
TWINS = "select a, b from link where relation = 'same-text' and status <> 'rejected' order by a, b"
WORDS = "select word, count from word"
LABELS = "select concept_id, label from concept_label order by concept_id, label"
WORKS = "select 'code', id, year, short from code union all select 'book', id, year, short from book"
ANSWERS = """
select t.concept_id, c.code_id, j.value, count(distinct c.facet_id) from topic t
join facet_topic f on f.topic_id = t.id join cell c on c.facet_id = f.facet_id join json_each(c.cites) j
group by 1, 2, 3
"""
TEXTS = "select id, text || ' ' || coalesce(gloss, '') from entry where id in (select value from json_each(?))"
_LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Entry:
    """A unit with its facet values."""

    id: int
    unit: str
    kind: str
    role: str
    code: str | None
    book: str
    year: int
    parent: str | None

    @property
    def paragraph(self) -> bool:
        """Whether it is found as part of its provision."""
        return self.kind == "subclause"

    @property
    def work(self) -> str:
        """The code that it belongs to, or else the book."""
        return self.code or self.book


@dataclass(frozen=True, slots=True)
class ConceptTerm:
    """A label of a concept: its stems in order (`phrase`), the stem of its joined words, and the stems that count."""

    concept: str
    phrase: str
    joined: str
    stems: frozenset[str]


@dataclass(frozen=True)
class Catalogue:
    """A build in the form that search needs; made once, then only read.

    Attributes:
        entries: all entries by number, in the order of years and pages.
        twins: for each provision, those with the same text.
        words: every word of the reading texts, and how often it occurs.
        labels: the labels of all concepts.
        works: for each name (`deschapelles`, `american`), the field and the ids of the works that have it.
        years: the years of the works, by id.
        titles: their short titles, by id.
        answers: for each concept, the provisions that answer the questions on it, each with the number of questions as
            a share of the largest number in its code.
    """

    entries: Mapping[int, Entry]
    twins: Mapping[str, tuple[str, ...]]
    words: Mapping[str, int]
    labels: tuple[ConceptTerm, ...]
    works: Mapping[str, tuple[str, tuple[str, ...]]]
    years: Mapping[str, frozenset[int]]
    titles: Mapping[str, str]
    answers: Mapping[str, Mapping[str, float]]
    _stems: dict[int, str] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def _with_stem(self) -> Mapping[str, tuple[ConceptTerm, ...]]:
        found: dict[str, list[ConceptTerm]] = defaultdict(list)
        for label in self.labels:
            for one in {label.joined, *label.phrase.split()}:
                found[one].append(label)
        return {one: tuple(labels) for one, labels in found.items()}

    def labels_with(self, stems: Iterable[str]) -> Collection[ConceptTerm]:
        """The labels that have one of some stems, or whose joined words do."""
        return dict.fromkeys(label for one in stems for label in self._with_stem.get(one, ()))

    @cached_property
    def number(self) -> Mapping[str, int]:
        """The number of the entry of each unit."""
        return {entry.unit: entry.id for entry in self.entries.values()}

    @cached_property
    def place(self) -> Mapping[int, int]:
        """The position of each entry in the order of years and pages."""
        return {number: place for place, number in enumerate(self.entries)}

    @cached_property
    def whole(self) -> frozenset[int]:
        """The entries that are not paragraphs."""
        return frozenset(n for n, entry in self.entries.items() if not entry.paragraph)

    @cached_property
    def keys(self) -> Mapping[int, tuple[str | None, str, str, int]]:
        """The facet values of each entry: its code, kind, book and year."""
        return {n: (entry.code, entry.kind, entry.book, entry.year) for n, entry in self.entries.items()}

    def stems(self, conn: sqlite3.Connection, numbers: Iterable[int]) -> Mapping[int, str]:
        """The stems of the texts and glosses of some entries, in order, each between spaces; they are cached."""
        wanted = list(numbers)
        if unread := [n for n in wanted if n not in self._stems]:
            for number, text in fetch(conn, lambda n, text: (int(n), str(text)), TEXTS, (json_list(unread),)):
                self._stems[number] = f" {' '.join(map(stem, words_of(text)))} "
        return {n: self._stems[n] for n in wanted}


@cached_per_build
def catalogue_of(conn: sqlite3.Connection) -> Catalogue:
    """The catalogue of a knowledge base, read once per build in each process."""
    twins: dict[str, list[str]] = defaultdict(list)
    for a, b in fetch(conn, lambda a, b: (str(a), str(b)), TWINS):
        twins[a].append(b)
        twins[b].append(a)
    entries = {entry.id: entry for entry in fetch(conn, Entry, ENTRIES)}
    works = fetch(conn, lambda field, i, year, short: (str(field), str(i), int(year), str(short)), WORKS)
    return Catalogue(
        entries,
        {unit: tuple(others) for unit, others in twins.items()},
        dict(fetch(conn, lambda word, count: (str(word), int(count)), WORDS)),
        tuple(fetch(conn, _label, LABELS)),
        _names((field, i) for field, i, *_ in works),
        {i: frozenset(year for _, j, year, _ in works if j == i) for _, i, *_ in works},
        {i: short for _, i, _, short in reversed(works)},
        _answers(conn),
    )


def _label(concept: str, text: str) -> ConceptTerm:
    words = words_of(text)
    stems = [stem(word) for word in words]
    return ConceptTerm(concept, f" {' '.join(stems)} ", stem("".join(words)), frozenset(stems) - STOP_STEMS)


def _names(works: Iterable[tuple[str, str]]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The names in the ids of works, each with the codes that have it, or else with the books."""
    names: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for kind, work in works:
        for name in _LETTERS.findall(work):
            names[name][kind].append(work)
    return {name: (kind := "code" if "code" in by else "book", tuple(by[kind])) for name, by in names.items()}


def _answers(conn: sqlite3.Connection) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for concept, code, unit, facets in fetch(conn, lambda *row: row, ANSWERS):
        found[concept][code]["/".join(unit.split("/")[:2])] += facets
    return {
        concept: {unit: n / max(counts.values()) for counts in by_code.values() for unit, n in counts.items()}
        for concept, by_code in found.items()
    }
