"""Tag units with the concepts of the thesaurus that they mention.

The thesaurus follows SKOS (W3C Recommendation, 2009): concepts with preferred, variant and historical labels.
A text becomes a spaCy Doc of the stems of its words, and clause ends; PhraseMatcher finds the labels. A concept that is
described without its term is found by patterns: sequences of words with gaps (`search|examine *2 tricks`), which become
regular expressions over the stems. spaCy's Matcher finds the same but takes twenty times as long.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from extract.corpus.table import Fault, Id, Line, Many, Prose, Table, is_there, read, repeated, shown
from extract.language.sentences import CLAUSE_STOPS
from extract.language.stemming import stem
from extract.model import Span

# A word, a number or the end of a clause; hyphens and commas do not count.
TOKEN = re.compile(rf"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|[{CLAUSE_STOPS}]")
# A gap in a pattern: any words, at most this many.
GAP = re.compile(r"\*(\d)")
_WIDEST = 16  # words in the gaps of a pattern, at most; a wider pattern is not significant


def _pattern(pattern: str) -> str:
    """Require that a pattern parses, and that it is not too wide."""
    parts = pattern.split()
    gaps = [GAP.fullmatch(part) for part in parts]
    for part, gap in zip(parts, gaps, strict=True):
        if gap is None and not all(TOKEN.fullmatch(choice) for choice in part.split("|")):
            raise ValueError(f"is not a pattern: {shown(part)} is neither a word nor a gap such as *3; correct it")
    if not gaps or gaps[0] or gaps[-1]:
        raise ValueError("is not a pattern; begin and end it with a word")
    if sum(int(gap[1]) for gap in gaps if gap) > _WIDEST:
        raise ValueError(f"is too wide; its gaps may add up to at most {_WIDEST} words")
    return pattern


def _label(label: str) -> str:
    if not TOKEN.search(label):
        raise ValueError("contains no word; delete it")
    return label


Pattern = Annotated[Line, AfterValidator(_pattern)]
Label = Annotated[Line, AfterValidator(_label)]


class Concept(Table):
    """A concept of the thesaurus: its labels, and patterns of words that describe it."""

    id: Id
    label: Label
    note: Prose
    broader: Id | None = None
    variants: Many[Label] = ()
    historical: Many[Label] = ()
    patterns: Many[Pattern] = ()

    @property
    def labels(self) -> tuple[tuple[str, str], ...]:
        """Each label with its role: preferred, variant or historical."""
        roles = [(self.label, "preferred"), *((v, "variant") for v in self.variants)]
        return (*roles, *((h, "historical") for h in self.historical))


class Topic(Table):
    """A topic on which the codes are compared; `concepts` find its provisions, and the first is its own."""

    id: Id
    label: Line
    note: Prose
    concepts: Many[Id] = Field(min_length=1)


class _Thesaurus(Table):
    """A thesaurus.toml."""

    concept: Many[Concept] = Field(min_length=1)


class _Topics(Table):
    """A topics.toml."""

    topic: Many[Topic] = Field(min_length=1)


@dataclass(frozen=True, slots=True, order=True)
class Tag:
    """A place where a unit mentions a concept; offsets are character offsets into the scan."""

    unit_id: str
    concept_id: str
    raw_start: int
    raw_end: int


def read_thesaurus(path: Path) -> tuple[Concept, ...]:
    """Read thesaurus.toml: an array of tables `concept`; a library without the file has no concepts.

    Raises:
        BookError: the file cannot be read or is invalid: an id or a label occurs twice, a broader concept is missing or
            leads back to itself, a label has no word, a pattern does not parse.
    """
    return read(path, _Thesaurus, _broken_tree).concept if is_there(path) else ()


def _broken_tree(thesaurus: _Thesaurus) -> Iterator[Fault]:
    """Where an id or a label is repeated, or the broader concepts do not form a tree."""
    yield from repeated(thesaurus.concept, lambda concept: concept.id, "concept", key="id")
    broader = {concept.id: concept.broader for concept in thesaurus.concept}
    for i, concept in enumerate(thesaurus.concept):
        labels = [label.casefold() for label, _ in concept.labels]
        if len(set(labels)) < len(labels):
            twice = next(label for label in labels if labels.count(label) > 1)
            yield Fault(f"{shown(twice)} is given twice; delete one", "concept", i)
        seen, at = {concept.id}, concept.broader
        while at in broader and at not in seen:
            seen.add(at)
            at = broader[at]
        if at in seen:
            yield Fault(f"{at!r} leads back to itself; break the circle", "concept", i, "broader")
        elif at is not None:
            yield Fault(f"there is no concept {at!r}; correct the id", "concept", i, "broader")


def read_topics(path: Path, concepts: Iterable[Concept]) -> tuple[Topic, ...]:
    """Read topics.toml: an array of tables `topic`; without the file, no topics.

    Raises:
        BookError: the file cannot be read or is invalid: an id occurs twice, or a topic has a concept that the
            thesaurus does not have.
    """
    known = {concept.id for concept in concepts}

    def wrong_concepts(topics: _Topics) -> Iterator[Fault]:
        yield from repeated(topics.topic, lambda topic: topic.id, "topic", key="id")
        for i, topic in enumerate(topics.topic):
            if unknown := [concept for concept in topic.concepts if concept not in known]:
                yield Fault(f"there is no concept {unknown[0]!r}; correct the id", "topic", i, "concepts")
            if len(set(topic.concepts)) < len(topic.concepts):
                yield Fault("a concept is listed twice; delete one", "topic", i, "concepts")

    return read(path, _Topics, wrong_concepts).topic if is_there(path) else ()


class Tagger:
    """Finds the concepts of a thesaurus in texts; made once, then used for any number of texts."""

    def __init__(self, concepts: Sequence[Concept]) -> None:
        from spacy.matcher import PhraseMatcher  # takes a second and 80 MB, so it is imported only where needed
        from spacy.tokens import Doc
        from spacy.vocab import Vocab

        self._vocabulary = Vocab()
        self._labels = PhraseMatcher(self._vocabulary)
        self._named: dict[str, set[str]] = defaultdict(set)
        self._patterns: dict[str, list[tuple[str, re.Pattern[str]]]] = defaultdict(list)
        for concept in concepts:
            for label, _ in concept.labels:
                stems = [stem(word) for word in TOKEN.findall(label)]
                self._labels.add(" ".join(stems), [Doc(self._vocabulary, words=stems)])
                self._named[" ".join(stems)].add(concept.id)
            for pattern in concept.patterns:
                steps = pattern.split()
                for first in {stem(choice) for choice in steps[0].split("|")}:
                    self._patterns[first].append((concept.id, re.compile("".join(map(_expression, steps)))))

    def find(self, text: str) -> tuple[tuple[str, Span], ...]:
        """Find concepts in a text.

        Of overlapping labels the longest wins; if several concepts have the same label, all are found. A match of a
        pattern is found in addition to labels within it, and does not cross the end of a clause; of overlapping
        matches for one concept the first counts.

        Args:
            text: any text.
        Returns:
            Concept ids with spans of the text, in order.
        """
        from spacy.tokens import Doc
        from spacy.util import filter_spans

        tokens = [*TOKEN.finditer(text)]
        stems = [stem(token[0]) for token in tokens]
        named = filter_spans(self._labels(Doc(self._vocabulary, words=stems), as_spans=True))
        found = {(concept, span.start, span.end) for span in named for concept in self._named[span.label_]}
        placed = (
            (concept, Span(tokens[a].start(), tokens[b - 1].end()))
            for concept, a, b in found.union(self._pattern_matches(stems))
        )
        return tuple(sorted(placed, key=lambda each: (each[1], each[0])))

    def _pattern_matches(self, stems: Sequence[str]) -> Iterator[tuple[str, int, int]]:
        """Yield the matches of the patterns: concept, number of the first token, and of the token after the last."""
        line = "".join(f"{one} " for one in stems)
        begins = accumulate((len(one) + 1 for one in stems), initial=0)
        ends: dict[str, int] = defaultdict(int)
        for at, (first, begin) in enumerate(zip(stems, begins, strict=False)):
            for concept, pattern in self._patterns.get(first, ()):
                match = pattern.match(line, begin)
                if match and at >= ends[concept]:
                    ends[concept] = at + match[0].count(" ")
                    yield concept, at, ends[concept]


def _expression(step: str) -> str:
    """Return a regular expression for a word or gap of a pattern, over stems that are each followed by a space."""
    if gap := GAP.fullmatch(step):
        return rf"(?:[^ {CLAUSE_STOPS}]+ ){{0,{gap[1]}}}?"
    return f"(?:{'|'.join(re.escape(stem(choice)) for choice in step.split('|'))}) "
