"""Find concepts in a text by the stems of its words: by labels, and by patterns that tell of them without a label.

A pattern is a row of words with gaps (`search|examine *2 tricks`). spaCy's PhraseMatcher and Matcher find the same by
the same labels and patterns (a test asks both); this loads no library, and takes half the time.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from extract.language.sentences import CLAUSE_STOPS
from extract.language.stemming import stem, stemmed
from extract.model import Span

TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|[.;:?!]")
GAP = re.compile(r"\*(\d)")

Found = tuple[str, int, int]
"""A concept with the token it begins at and the token after its last."""


def words(text: str) -> list[re.Match[str]]:
    """The words and clause ends of a text; hyphens and commas do not count."""
    return list(TOKEN.finditer(text))


class Spotter:
    """Finds concepts in texts; made once for a thesaurus, then used for any number of texts.

    Args:
        labels: of each concept its labels.
        patterns: of each concept its patterns, as a thesaurus has them (`search|examine *2 tricks`).
    """

    def __init__(self, labels: Mapping[str, Iterable[str]], patterns: Mapping[str, Iterable[str]]) -> None:
        self._labels: dict[str, set[tuple[tuple[str, ...], str]]] = defaultdict(set)
        for concept, terms in labels.items():
            for term in terms:
                stems = _stems(words(term))
                self._labels[stems[0]].add((stems, concept))
        self._patterns = [(concept, _steps(pattern)) for concept, told in patterns.items() for pattern in told]
        self._by_stem = _by_rarest_word([steps for _, steps in self._patterns])

    def find(self, text: str) -> tuple[tuple[str, Span], ...]:
        """Find concepts in a text.

        Where labels overlap the longest wins; concepts that share the same words are all found. A pattern stands beside
        the labels within it, and keeps within its clause; of its overlapping matches the shortest counts.

        Args:
            text: any text.
        Returns:
            Concept ids with spans of the text, in order.
        """
        tokens = words(text)
        stems = _stems(tokens)
        found = {*self._named(stems), *self._told(tokens, stems)}
        placed = ((c, Span(tokens[a].start(), tokens[b - 1].end())) for c, a, b in found)
        return tuple(sorted(placed, key=lambda f: (f[1], f[0])))

    def _named(self, stems: Sequence[str]) -> Iterator[Found]:
        """What labels find; where they overlap the longest wins."""
        spans: dict[tuple[int, int], list[str]] = defaultdict(list)
        for at, first in enumerate(stems):
            if first in self._labels:
                for label, concept in self._labels[first]:
                    if tuple(stems[at : at + len(label)]) == label:
                        spans[at, at + len(label)].append(concept)
        taken: set[int] = set()
        for start, end in sorted(spans, key=lambda s: (s[0] - s[1], s[0])):
            if taken.isdisjoint(range(start, end)):
                taken.update(range(start, end))
                yield from ((concept, start, end) for concept in spans[start, end])

    def _told(self, tokens: Sequence[re.Match[str]], stems: Sequence[str]) -> Iterator[Found]:
        """What patterns find, clause by clause; of overlapping matches for a concept the shortest counts."""
        ends = [i for i, token in enumerate(tokens) if token[0] in CLAUSE_STOPS]
        for before, stop in pairwise([-1, *ends, len(tokens)]):
            clause = stems[before + 1 : stop]
            there = set(clause)
            likely = {i for one in there & self._by_stem.keys() for i in self._by_stem[one]}
            matches = {
                (end - start, start, end, concept)
                for concept, steps in map(self._patterns.__getitem__, likely)
                if not any(meant.isdisjoint(there) for _, meant in steps)
                for start, first in enumerate(clause, before + 1)
                if first in steps[0][1]
                for end in _ends(steps, stems, start, stop)
            }
            taken: set[tuple[str, int]] = set()
            for _, start, end, concept in sorted(matches):
                places = {(concept, i) for i in range(start, end)}
                if taken.isdisjoint(places):
                    taken |= places
                    yield concept, start, end


_Steps = tuple[tuple[int, frozenset[str]], ...]
"""The words of a pattern: how many others may stand before each, and the stems it may have."""


def _steps(pattern: str) -> _Steps:
    steps: list[tuple[int, frozenset[str]]] = []
    free = 0
    for part in pattern.split():
        if gap := GAP.fullmatch(part):
            free += int(gap[1])
        else:
            steps.append((free, frozenset(stem(choice) for choice in part.split("|"))))
            free = 0
    return tuple(steps)


def _by_rarest_word(patterns: Sequence[_Steps]) -> dict[str, list[int]]:
    """The patterns by the stems of that word of theirs which the fewest patterns have, so that few need be tried."""
    often = Counter(one for steps in patterns for _, meant in steps for one in meant)
    found: dict[str, list[int]] = defaultdict(list)
    for i, steps in enumerate(patterns):
        rarest = min((meant for _, meant in steps), key=lambda meant: (sum(often[s] for s in meant), sorted(meant)))
        for one in rarest:
            found[one].append(i)
    return found


def _ends(steps: _Steps, stems: Sequence[str], start: int, stop: int) -> set[int]:
    """Where the matches of a pattern that begin at a token end."""
    at = {start}
    for free, meant in steps:
        at = {i + 1 for first in at for i in range(first, min(first + free + 1, stop)) if stems[i] in meant}
    return at


def _stems(tokens: Iterable[re.Match[str]]) -> tuple[str, ...]:
    return stemmed(token[0] for token in tokens)
