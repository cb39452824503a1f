"""Tag what a unit speaks of with the concepts of the thesaurus.

The thesaurus follows SKOS (W3C Recommendation, 2009): concepts with preferred, variant and historical labels.
Labels are matched by stem with spaCy's PhraseMatcher, what is told without the term by its Matcher.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import spacy
from spacy.matcher import Matcher, PhraseMatcher
from spacy.tokens import Doc
from spacy.tokens import Span as SpacySpan
from spacy.vocab import Vocab

from extract.errors import BookError
from extract.model import Span
from extract.stemming import stem

_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|[.;:?!]")
_SENTENCE_ENDS = frozenset(".;:?!")
_GAP = re.compile(r"\*(\d)")


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept of whist: its labels, and patterns of words that tell of it."""

    id: str
    label: str
    note: str
    broader: str | None
    variants: tuple[str, ...] = ()
    historical: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[tuple[str, str], ...]:
        """Each label with its role: preferred, variant or historical."""
        roles = [(self.label, "preferred"), *((v, "variant") for v in self.variants)]
        return (*roles, *((h, "historical") for h in self.historical))


@dataclass(frozen=True, slots=True)
class Topic:
    """A matter on which the codes are compared; `concepts` find its provisions, the first is its own."""

    id: str
    label: str
    note: str
    concepts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Passage:
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
    """Read thesaurus.toml: an array of tables `concept`.

    Raises:
        BookError: the file is missing or is no TOML, an id occurs twice, a broader concept is not there or
            leads back to its own, a label belongs to no words, or a pattern does not parse.
    """
    concepts = tuple(_concept(entry, path) for entry in _read_table(path).get("concept", ()))
    by_id = {concept.id: concept for concept in concepts}
    if len(by_id) < len(concepts):
        raise BookError(f"{path} defines a concept twice; give each [[concept]] an id of its own.")
    for concept in concepts:
        seen, at = {concept.id}, concept.broader
        while at is not None:
            if at not in by_id or at in seen:
                raise BookError(f"The broader concept {at!r} of {concept.id!r} in {path} is unknown or circular.")
            seen.add(at)
            at = by_id[at].broader
    return concepts


def _concept(entry: dict[str, Any], path: Path) -> Concept:
    keys = {"id", "label", "note", "broader", "variants", "historical", "patterns"}
    if not {"id", "label", "note"} <= set(entry) <= keys:
        raise BookError(f"A [[concept]] in {path} must have id, label and note, and may have {sorted(keys)}.")
    lists = {key: tuple(entry.get(key, ())) for key in ("variants", "historical", "patterns")}
    concept = Concept(entry["id"], entry["label"], entry["note"], entry.get("broader"), **lists)
    for label, _ in concept.labels:
        if not words(label):
            raise BookError(f"The label {label!r} of {concept.id!r} in {path} holds no word; take it out.")
    for pattern in concept.patterns:
        _parse(pattern)
    return concept


def read_topics(path: Path, concepts: Iterable[Concept]) -> tuple[Topic, ...]:
    """Read topics.toml: an array of tables `topic` with id, label, note and concepts.

    Raises:
        BookError: the file cannot be read, or a topic lacks a key or names a concept that the thesaurus has not.
    """
    known = {concept.id for concept in concepts}
    topics = []
    for entry in _read_table(path).get("topic", ()):
        if set(entry) != {"id", "label", "note", "concepts"} or not entry["concepts"]:
            raise BookError(f"A [[topic]] in {path} must have id, label, note and concepts: {entry}.")
        if unknown := set(entry["concepts"]) - known:
            raise BookError(f"The topic {entry['id']!r} in {path} names the unknown concept {min(unknown)!r}.")
        topics.append(Topic(entry["id"], entry["label"], entry["note"], tuple(entry["concepts"])))
    return tuple(topics)


def _read_table(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise BookError(f"{path} cannot be read as TOML ({error}); correct it.") from error


def words(text: str) -> list[re.Match[str]]:
    """The words and sentence ends of a text; hyphens and commas do not count."""
    return list(_TOKEN.finditer(text))


class _Pattern:
    """A pattern of one concept, with the stems without which it cannot match."""

    def __init__(self, concept: str, pattern: str, vocab: Vocab) -> None:
        parsed = _parse(pattern)
        self._concept = concept
        self._needs = [frozenset(token["NORM"]["IN"]) for token in parsed if "OP" not in token]
        self._matcher = Matcher(vocab)
        self._matcher.add(concept, [parsed])

    def may_match(self, stems: set[str]) -> bool:
        return not any(need.isdisjoint(stems) for need in self._needs)

    def match(self, sentence: SpacySpan) -> Iterator[tuple[str, int, int]]:
        """Matches as (concept, first token, token after the last), counted within the sentence."""
        return ((self._concept, start, end) for _, start, end in self._matcher(sentence))


class Tagger:
    """Finds concepts in texts; made once for a thesaurus, then used for any number of texts."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._vocab = spacy.blank("en").vocab
        self._phrases = PhraseMatcher(self._vocab, attr="NORM")
        self._patterns: list[_Pattern] = []
        for concept in concepts:
            docs = {tuple(stem(t[0]) for t in words(label)): label for label, _ in concept.labels}
            self._phrases.add(concept.id, [self._doc(words(label)) for label in docs.values()])
            self._patterns += (_Pattern(concept.id, pattern, self._vocab) for pattern in concept.patterns)

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
        """What patterns find, sentence by sentence; of overlapping matches for a concept the shortest counts."""
        ends = [i for i, token in enumerate(doc) if token.text in _SENTENCE_ENDS]
        for start, stop in pairwise([-1, *ends, len(doc)]):
            sentence = doc[start + 1 : stop]
            stems = {token.norm_ for token in sentence}
            matches = [m for p in self._patterns if p.may_match(stems) for m in p.match(sentence)]
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


def _parse(pattern: str) -> list[dict[str, Any]]:
    """The pattern `search|examine *2 tricks` as spaCy tokens.

    Raises:
        BookError: a part of the pattern is no word and no gap.
    """
    parsed: list[dict[str, Any]] = []
    for part in pattern.split():
        if gap := _GAP.fullmatch(part):
            parsed += [{"OP": "?"}] * int(gap[1])
            continue
        choices = part.split("|")
        if not all(_TOKEN.fullmatch(choice) for choice in choices):
            raise BookError(f"In the pattern {pattern!r} of the thesaurus {part!r} is no word and no gap like *3.")
        parsed.append({"NORM": {"IN": sorted({stem(choice) for choice in choices})}})
    return parsed


def tag_units(passages: Iterable[Passage], tagger: Tagger) -> tuple[Tag, ...]:
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
