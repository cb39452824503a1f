"""Propose terms for a thesaurus: noun phrases that a library uses more often than general English does.

The locked dependencies have no tagger and no parser, so candidates are found by a shallow grammar: a run of up to four
words between function words, punctuation and modal verbs, whose last word the library itself uses as a noun (it follows
articles and adjectives more often than modal verbs and `to`). They are ranked by C-value (Frantzi, Ananiadou and Mima,
"Automatic recognition of multi-word terms", International Journal on Digital Libraries 3, 2000), with the length of
Barrón-Cedeño et al. (2009) for single words, times the logarithm of their weirdness, how much more frequent their words
are here than in general English (Ahmad, Gillam and Tostevin, TREC-8, 1999), times their inverse frequency among the
provisions (Spärck Jones, Journal of Documentation 28, 1972): a term in all provisions distinguishes none.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from extract.language.lexicon import load_lexicon, word_set
from extract.language.stemming import stem
from kb.analysis.concepts import TOKEN
from kb.read.rows import fetch

TEXTS = """
select u.id, coalesce(u.heading, ''), u.text from unit u where u.continues is null
and u.role in (select value from json_each(?)) order by u.book_id, u.seq
"""
LABELS = "select label from concept_label"
LONGEST = 4  # words of a term
_FEWEST = 3  # occurrences that a term must have
_ANY = ("prose", "remark", "case", "definition")
_DETERMINERS, _VERBAL = word_set("determining"), word_set("before_verbs")
_TOKEN = re.compile(r"[^\W_]+|[^\w\s]")
_ENDINGS = re.compile(r"(?:ly|ing|ed)$")
_POINTING = re.compile(r"(?:there|here|where)(?:of|in|by|to|upon|from|with|on|after|fore|under|at)")

Term = tuple[str, ...]
"""The stems of a term."""


@dataclass(frozen=True, slots=True)
class ProposedTerm:
    """A term proposed for the thesaurus.

    Attributes:
        label: its most frequent form, in lower case.
        variants: its other forms.
        heading: the heading under which it is most frequent, relative to the length of the text there.
        score: C-value times the logarithms of weirdness and of inverse frequency; it has no unit.
        places: the number of its occurrences.
        provisions: the number of provisions in which it occurs.
    """

    label: str
    variants: tuple[str, ...]
    heading: str
    score: float
    places: int
    provisions: int

    @property
    def slug(self) -> str:
        """An id for its concept."""
        return re.sub(r"[^a-z0-9]+", "-", self.label).strip("-")


@dataclass(slots=True)
class _Found:
    forms: Counter[str]
    headings: Counter[str]
    units: set[str]


def propose_terms(conn: sqlite3.Connection, most: int = 100) -> list[ProposedTerm]:
    """Return the terms of a knowledge base that its thesaurus does not have, best first.

    Args:
        conn: the knowledge base.
        most: the largest number of terms to return.
    """
    texts = _texts(conn)
    runs = [(unit, heading, run) for unit, heading, text in texts for run in _runs(text)]
    nouns = _nouns([run for _, _, run in runs])
    found: dict[Term, _Found] = defaultdict(lambda: _Found(Counter(), Counter(), set()))
    for unit, heading, run in runs:
        for piece in _pieces(run, nouns):
            entry = found[tuple(map(stem, piece))]
            entry.forms[" ".join(piece)] += 1
            entry.headings[heading] += 1
            entry.units.add(unit)
    known = {tuple(map(stem, TOKEN.findall(label))) for label in fetch(conn, str, LABELS)}
    counts = {term: entry.forms.total() for term, entry in found.items()}
    general = _Weirdness(counts)
    scored = [
        (value * general.of(term) * math.log(len(texts) / len(found[term].units)), term)
        for term, value in _c_values(counts).items()
        if value > 0 and term not in known and len(found[term].units) > 1
    ]
    best = sorted(scored, key=lambda entry: (-entry[0], entry[1]))[:most]
    sizes = Counter(heading for _, heading, run in runs for _ in run.words)
    return [_proposed(score, found[term], sizes) for score, term in best]


def as_toml(terms: Iterable[ProposedTerm]) -> Iterator[str]:
    """Yield the lines of terms for pasting into thesaurus.toml, grouped by heading."""
    by_heading: dict[str, list[ProposedTerm]] = defaultdict(list)
    for term in terms:
        by_heading[term.heading].append(term)
    for heading, members in by_heading.items():
        yield f"# {heading or 'Without a heading'}"
        for term in members:
            yield "[[concept]]"
            yield f"id = {json.dumps(term.slug)} # {term.places} places in {term.provisions} provisions"
            yield f"label = {json.dumps(term.label[:1].upper() + term.label[1:], ensure_ascii=False)}"
            yield 'note = ""'
            if term.variants:
                yield f"variants = {json.dumps(term.variants, ensure_ascii=False)}"
        yield ""


def _texts(conn: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Return the provisions with their headings; for a library without provisions, its other texts."""
    for roles in (("provision",), _ANY):
        found = fetch(conn, lambda *row: (row[0], " ".join(row[1].split()), row[2]), TEXTS, (json.dumps(roles),))
        if found:
            return found
    return []


@dataclass(frozen=True, slots=True)
class _Run:
    """Words between function words, in lower case, with the function word before them."""

    before: str
    words: Term


def _runs(text: str) -> Iterator[_Run]:
    """Yield the runs of words in which a term may occur."""
    before, run = "", list[str]()
    for token in _TOKEN.findall(text):
        word = token.lower()
        # Abbreviations, single letters, numbers and punctuation are not part of terms.
        if word in _stop_words() or _POINTING.fullmatch(word) or len(word) < 3 or not word.isalpha():
            if run:
                yield _Run(before, tuple(run))
            before, run = word, []
        else:
            run.append(word)
    if run:
        yield _Run(before, tuple(run))


@cache
def _stop_words() -> frozenset[str]:
    """Words that are not part of terms: function words, and words for the parts of a code."""
    from spacy.lang.en.stop_words import STOP_WORDS  # takes a second to import, and only this command needs it

    return frozenset(STOP_WORDS).union(*map(word_set, ("function", "asking", "citing", "provisions")))


def _nouns(runs: Sequence[_Run]) -> frozenset[str]:
    """Return the stems that the library uses as nouns: they follow articles more often than modal verbs."""
    nominal, verbal = Counter[str](), Counter[str]()
    for run in runs:
        nominal[stem(run.words[-1])] += run.before in _DETERMINERS
        verbal[stem(run.words[0])] += run.before in _VERBAL
    return frozenset(word for word, count in nominal.items() if count > 1 and count > verbal[word])


def _pieces(run: _Run, nouns: frozenset[str]) -> Iterator[Term]:
    """Yield the parts of a run that may be terms: they end with a noun, and have no adverb and no initial verb."""
    first = 1 if run.before in _VERBAL else 0  # `to recover real property`
    for start in range(first, len(run.words)):
        for end in range(start + 1, min(start + LONGEST, len(run.words)) + 1):
            piece = run.words[start:end]
            if stem(piece[-1]) in nouns and not any(word.endswith("ly") for word in piece):
                if len(piece) == 1 and _ENDINGS.search(piece[0]):
                    continue
                yield piece


def _c_values(counts: Mapping[Term, int]) -> dict[Term, float]:
    """Return the C-value of each candidate: its frequency minus the mean of longer ones around it, times log length."""
    longer: dict[Term, list[int]] = defaultdict(list)
    kept = {term: count for term, count in counts.items() if count >= _FEWEST}
    for term, count in kept.items():
        for size in range(1, len(term)):
            for start in range(len(term) - size + 1):
                longer[term[start : start + size]].append(count)
    return {
        term: math.log2(1 + len(term)) * (count - (sum(around) / len(around) if (around := longer[term]) else 0))
        for term, count in kept.items()
    }


class _Weirdness:
    """How much more frequent words are here than in general English."""

    def __init__(self, counts: Mapping[Term, int]) -> None:
        self._here = Counter({term[0]: count for term, count in counts.items() if len(term) == 1})
        self._general: Counter[str] = Counter()
        for word, count in load_lexicon().counts.items():
            self._general[stem(word)] += count
        self._size, self._whole = max(1, self._here.total()), self._general.total()

    def of(self, term: Term) -> float:
        """Return the logarithm of the mean weirdness of the words of a term, at least 0.1."""
        each = [(self._here[w] + 1) / self._size * self._whole / (self._general[w] + 1) for w in term]
        return max(0.1, math.log2(1 + math.exp(sum(map(math.log, each)) / len(each))))


def _proposed(score: float, entry: _Found, sizes: Mapping[str, int]) -> ProposedTerm:
    (label, _), *others = entry.forms.most_common()
    heading = max(entry.headings, key=lambda h: (entry.headings[h] ** 2 / sizes[h], h))
    return ProposedTerm(
        label,
        tuple(form for form, _ in others if _singular(form) == _singular(label)),
        heading,
        round(score, 2),
        entry.forms.total(),
        len(entry.units),
    )


def _singular(phrase: str) -> str:
    """Put the last word of a phrase into the singular, according to the rules of English spelling."""
    return re.sub(r"(?<=[^aeiou])ies$", "y", phrase) if phrase.endswith("ies") else re.sub(r"(?<=[^s])s$", "", phrase)
