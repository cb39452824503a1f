"""Tag what a unit speaks of with the concepts of the thesaurus.

The thesaurus follows SKOS (W3C Recommendation, 2009): concepts with preferred, variant and historical labels.
Labels are matched by stem with spaCy's PhraseMatcher, what is told without the term by its Matcher.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field
from spacy.matcher import Matcher, PhraseMatcher
from spacy.tokens import Doc
from spacy.tokens import Span as SpacySpan
from spacy.vocab import Vocab

from extract.corpus.table import Fault, Id, Line, Many, Prose, Table, is_there, read, require_unique, shown
from extract.language.sentences import CLAUSE_STOPS
from extract.language.stemming import stem
from extract.model import Span
from kb.concepts.spotting import GAP, TOKEN, words

_WIDEST = 16  # each word of a gap doubles the ways in which spaCy may match it


def _pattern(pattern: str) -> str:
    """A pattern that parses, and of which the matcher makes no more than it can hold."""
    parts = pattern.split()
    gaps = [GAP.fullmatch(part) for part in parts]
    for part, gap in zip(parts, gaps, strict=True):
        if gap is None and not all(TOKEN.fullmatch(choice) for choice in part.split("|")):
            raise ValueError(f"is no pattern: {shown(part)} is no word and no gap like *3; correct it")
    if not gaps or gaps[0] or gaps[-1]:
        raise ValueError("is no pattern; begin and end it with a word")
    if sum(int(gap[1]) for gap in gaps if gap) > _WIDEST:
        raise ValueError(f"is too wide; its gaps may hold {_WIDEST} words together")
    return pattern


def _label(label: str) -> str:
    if not words(label):
        raise ValueError("holds no word; take it out")
    return label


Pattern = Annotated[Line, AfterValidator(_pattern)]
Label = Annotated[Line, AfterValidator(_label)]


class Concept(Table):
    """A concept of the thesaurus: its labels, and patterns of words that tell of it."""

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
    """A matter on which the codes are compared; `concepts` find its provisions, the first is its own."""

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


@dataclass(frozen=True, slots=True)
class TaggedText:
    """A unit's reading text, and how a span of it lies in the scan."""

    unit_id: str
    text: str
    to_scan: Callable[[Span], Span]


@dataclass(frozen=True, slots=True, order=True)
class Tag:
    """A place where a unit speaks of a concept; offsets in characters of the scan."""

    unit_id: str
    concept_id: str
    raw_start: int
    raw_end: int


def read_thesaurus(path: Path) -> tuple[Concept, ...]:
    """Read thesaurus.toml: an array of tables `concept`; a library without the file has no concepts.

    Raises:
        BookError: the file cannot be read or is not what it must be: an id occurs twice, a broader concept is not
            there or leads back to its own, a label belongs to no words, a pattern does not parse.
    """
    return read(path, _Thesaurus, _require_tree).concept if is_there(path) else ()


def _require_tree(thesaurus: _Thesaurus) -> None:
    """Raise a Fault where concepts do not fit each other."""
    require_unique(thesaurus.concept, lambda concept: concept.id, "concept", key="id")
    broader = {concept.id: concept.broader for concept in thesaurus.concept}
    for i, concept in enumerate(thesaurus.concept):
        labels = [label.casefold() for label, _ in concept.labels]
        if len(set(labels)) < len(labels):
            twice = next(label for label in labels if labels.count(label) > 1)
            raise Fault(f"{shown(twice)} is given twice; take one out", "concept", i)
        seen, at = {concept.id}, concept.broader
        while at is not None:
            if at not in broader:
                raise Fault(f"there is no concept {at!r}; correct the id", "concept", i, "broader")
            if at in seen:
                raise Fault(f"{at!r} leads back to itself; break the circle", "concept", i, "broader")
            seen.add(at)
            at = broader[at]


def read_topics(path: Path, concepts: Iterable[Concept]) -> tuple[Topic, ...]:
    """Read topics.toml: an array of tables `topic` with id, label, note and concepts; without the file, no topics.

    Raises:
        BookError: the file cannot be read or is not what it must be: an id occurs twice, or a topic names a concept
            that the thesaurus has not.
    """
    known = {concept.id for concept in concepts}

    def require_known(topics: _Topics) -> None:
        require_unique(topics.topic, lambda topic: topic.id, "topic", key="id")
        for i, topic in enumerate(topics.topic):
            if unknown := [concept for concept in topic.concepts if concept not in known]:
                raise Fault(f"there is no concept {unknown[0]!r}; correct the id", "topic", i, "concepts")
            if len(set(topic.concepts)) < len(topic.concepts):
                raise Fault("a concept is named twice; take it out once", "topic", i, "concepts")

    return read(path, _Topics, require_known).topic if is_there(path) else ()


class _Pattern:
    """A pattern of one concept, with the stems without which it cannot match."""

    def __init__(self, concept: str, pattern: str, vocab: Vocab) -> None:
        parsed = _parse(pattern)
        self._concept = concept
        self.needs = [frozenset(token["NORM"]["IN"]) for token in parsed if "OP" not in token]
        self._matcher = Matcher(vocab)
        self._matcher.add(concept, [parsed])

    def may_match(self, stems: set[str]) -> bool:
        return not any(need.isdisjoint(stems) for need in self.needs)

    def match(self, clause: SpacySpan) -> Iterator[tuple[str, int, int]]:
        """Matches as (concept, first token, token after the last), counted within the clause."""
        return ((self._concept, start, end) for _, start, end in self._matcher(clause))


class Tagger:
    """Finds concepts in texts; made once for a thesaurus, then used for any number of texts."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._vocab = Vocab()
        self._phrases = PhraseMatcher(self._vocab, attr="NORM")
        self._patterns: list[_Pattern] = []
        for concept in concepts:
            docs = {tuple(stem(t[0]) for t in words(label)): label for label, _ in concept.labels}
            self._phrases.add(concept.id, [self._doc(words(label)) for label in docs.values()])
            self._patterns += (_Pattern(concept.id, pattern, self._vocab) for pattern in concept.patterns)
        self._by_stem = _by_rarest_need(self._patterns)

    def find(self, text: str) -> tuple[tuple[str, Span], ...]:
        """Find concepts in a text.

        Where labels overlap the longest wins; concepts that share the same words are all found. A pattern
        stands beside the labels within it; of its overlapping matches the shortest counts.

        Args:
            text: any text.
        Returns:
            Concept ids with spans of the text, in order.
        """
        tokens = words(text)
        if not tokens:
            return ()
        doc = self._doc(tokens)
        taken = [False] * len(tokens)
        spans: dict[tuple[int, int], list[str]] = {}
        for key, start, end in self._phrases(doc):
            spans.setdefault((start, end), []).append(self._vocab.strings[key])
        found: set[tuple[str, int, int]] = set()
        for start, end in sorted(spans, key=lambda s: (s[0] - s[1], s[0])):
            if not any(taken[start:end]):
                taken[start:end] = [True] * (end - start)
                found |= {(concept, start, end) for concept in spans[start, end]}
        found |= set(self._told(doc))
        placed = ((c, Span(tokens[s].start(), tokens[e - 1].end())) for c, s, e in found)
        return tuple(sorted(placed, key=lambda f: (f[1], f[0])))

    def _told(self, doc: Doc) -> Iterator[tuple[str, int, int]]:
        """What patterns find, clause by clause; of overlapping matches for a concept the shortest counts."""
        ends = [i for i, token in enumerate(doc) if token.text in CLAUSE_STOPS]
        for start, stop in pairwise([-1, *ends, len(doc)]):
            clause = doc[start + 1 : stop]
            stems = {token.norm_ for token in clause}
            near = {i for one in stems & self._by_stem.keys() for i in self._by_stem[one]}
            likely = (p for p in map(self._patterns.__getitem__, near) if p.may_match(stems))
            matches = [m for p in likely for m in p.match(clause)]
            taken: set[tuple[str, int]] = set()
            for _, first, last, concept in sorted((m[2] - m[1], m[1], m[2], m[0]) for m in matches):
                places = {(concept, i) for i in range(first, last)}
                if not places & taken:
                    taken |= places
                    yield concept, start + 1 + first, start + 1 + last

    def _doc(self, tokens: Sequence[re.Match[str]]) -> Doc:
        """The tokens as a spaCy document whose NORM is the stem; it is set once a word, in the vocabulary."""
        for token in tokens:
            lexeme = self._vocab[token[0]]
            lexeme.norm_ = stem(token[0])
        return Doc(self._vocab, words=[token[0] for token in tokens])


def _by_rarest_need(patterns: Sequence[_Pattern]) -> dict[str, list[int]]:
    """The patterns by the stems of that word of theirs which the fewest patterns have, so that few need be tried."""
    often = Counter(one for pattern in patterns for need in pattern.needs for one in need)
    found: dict[str, list[int]] = defaultdict(list)
    for i, pattern in enumerate(patterns):
        for one in min(pattern.needs, key=lambda need: (sum(often[s] for s in need), sorted(need))):
            found[one].append(i)
    return found


def _parse(pattern: str) -> list[dict[str, Any]]:
    """The pattern `search|examine *2 tricks` as spaCy tokens."""
    parsed: list[dict[str, Any]] = []
    for part in pattern.split():
        if gap := GAP.fullmatch(part):
            parsed += [{"OP": "?"}] * int(gap[1])
        else:
            parsed.append({"NORM": {"IN": sorted({stem(choice) for choice in part.split("|")})}})
    return parsed


def tag_units(passages: Iterable[TaggedText], tagger: Tagger) -> tuple[Tag, ...]:
    """Tag many units.

    Args:
        passages: units with their reading text.
        tagger: the concepts to find.
    Returns:
        The tags, sorted, each once.
    """
    tags = set()
    for passage in passages:
        for concept_id, span in tagger.find(passage.text):
            raw = passage.to_scan(span)
            tags.add(Tag(passage.unit_id, concept_id, raw.start, raw.end))
    return tuple(sorted(tags))
