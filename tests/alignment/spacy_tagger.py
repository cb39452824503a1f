"""Concepts found with spaCy's matchers, by the same labels and patterns: what the project's own finder is held to."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from spacy.matcher import Matcher, PhraseMatcher
from spacy.tokens import Doc
from spacy.tokens import Span as SpacySpan
from spacy.vocab import Vocab

from extract.language.sentences import CLAUSE_STOPS
from extract.language.stemming import stem
from extract.model import Span
from kb.concepts.spotting import GAP, words
from kb.concepts.tagging import Concept


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


class SpacyTagger:
    """Finds concepts in texts as `kb.concepts.tagging.Tagger` must."""

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
